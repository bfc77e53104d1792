"""Pictures of a few tiles from near, to learn small marks from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.crops.crops import cut_crops
from datasets.crops.pictures import Mixture, TrainingPictures
from datasets.designs.drawing.design import load_design
from datasets.scenes.close_ups import close_up
from datasets.sets.faces import from_design
from scorer.tiles import BONUS_TILES, TILES

SAMPLES = Path(__file__).parents[3] / "datasets" / "samples"
FACES = from_design(load_design(SAMPLES / "0900.npz"))


@pytest.mark.parametrize("seed", range(12))
def test_the_tiles_fill_the_picture_and_are_large(seed: int) -> None:
    scene = close_up(np.random.default_rng(seed), [FACES])
    height, width = scene.image.shape[:2]
    assert height % 32 == 0
    assert width % 32 == 0
    assert 1 <= len(scene.labels) <= 6
    assert (scene.visible > 0.8).mean() > 0.5
    sides = np.linalg.norm(scene.quads[:, 1] - scene.quads[:, 0], axis=1)
    assert np.median(sides) > 25
    areas = (np.ptp(scene.quads[..., 0], axis=1) * np.ptp(scene.quads[..., 1], axis=1)).sum()
    assert areas > 0.12 * height * width


def test_a_seed_gives_the_same_picture() -> None:
    one, two = (close_up(np.random.default_rng(4), [FACES]) for _ in range(2))
    assert np.array_equal(one.image, two.image)
    assert one.labels == two.labels


def test_only_what_is_asked_for_is_shown() -> None:
    shares = {**dict.fromkeys(TILES, 0.0), **dict.fromkeys(BONUS_TILES, 1.0)}
    scenes = [close_up(np.random.default_rng(seed), [FACES], shares) for seed in range(20)]
    shown = {label for scene in scenes for label in scene.labels}
    assert shown <= set(BONUS_TILES)
    assert len(shown) > 4


def test_crops_of_a_close_up_show_its_tiles() -> None:
    rng = np.random.default_rng(3)
    scenes = [close_up(rng, [FACES]) for _ in range(20)]
    crops = [len(cut_crops(rng, scene, (128, 96)).labels) for scene in scenes]
    assert sum(crops) >= 0.7 * sum(len(scene.labels) for scene in scenes)


@pytest.mark.parametrize(("share", "most"), [(0.0, 0), (1.0, 12)])
def test_pictures_to_train_on_are_close_ups_in_their_share(share: float, most: int) -> None:
    mixture = Mixture(traced_share=0.0, sheet_share=0.0, close_share=share)
    pictures = TrainingPictures([FACES], [], [], mixture)
    sizes = [pictures.scene(np.random.default_rng(n), (100, 100)).image.shape for n in range(12)]
    assert sum(size != (100, 100, 3) for size in sizes) == most
