"""The counter of bamboos learns from these alone, moved aside, and its weight is fitted on them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

import torch

from datasets.crops.crops import CROP_SIZE, cut_crops
from datasets.crops.pictures import Mixture, TrainingPictures
from datasets.scenes.tables import hand_scene
from datasets.sets.faces import load_designs
from models.fitting.bamboos import finds_alone
from models.nets.readers import bamboo_counter
from models.training.found_tiles import TileFinder
from models.training.readers import DrawnFaces, places
from scorer.tiles import READING_LABELS
from tests.models.fitting.command import printed_by
from vision.classify.bamboo_count import AROUND, BAMBOOS, COLUMNS
from vision.geometry.crops import rectify, widened

pytestmark = pytest.mark.torch

SAMPLES = Path(__file__).parents[3] / "datasets" / "samples"
SIZE = (128, 96)
(FACES,) = load_designs([SAMPLES / "0900.npz"])


def drawn(aside: float, count: int = 14) -> list[NDArray[np.float32]]:
    """How far off the corners are of bamboos in pictures whose tiles are moved aside."""
    pictures = TrainingPictures([FACES], [], [], Mixture(traced_share=0.0, sheet_share=0.0))
    draw = DrawnFaces(pictures, TileFinder(0.0), SIZE, COLUMNS, AROUND, aside, 2)
    every = [draw(np.random.default_rng(seed)) for seed in range(count)]
    for crops in every:
        assert {READING_LABELS[label] for label in crops.labels} <= set(BAMBOOS)
        assert set(crops.turns.tolist()) <= {0, 1}
    return [np.abs(crops.corners).max(axis=(1, 2)) for crops in every]


def test_finds_are_moved_aside_as_far_as_the_tile_is_still_seen() -> None:
    near, far = (np.concatenate(drawn(aside)) for aside in (0.0, 1.0))
    assert len(near) == len(far) > 10
    assert np.median(far) > 2 * np.median(near)


def test_what_the_classifier_sees_is_cut_out_of_what_the_counter_sees() -> None:
    scene = hand_scene(np.random.default_rng(4), FACES, (1200, 1600))
    quads = scene.quads[:6].astype(np.float32)
    alone = finds_alone(rectify(scene.image, widened(quads, AROUND), (512, 384)))
    wanted = rectify(scene.image, quads, CROP_SIZE)
    assert alone.shape == wanted.shape
    beside = np.roll(wanted, 2, axis=2)
    assert (
        np.abs(alone.astype(int) - wanted).mean() < np.abs(beside.astype(int) - wanted).mean() / 3
    )


def test_crops_with_more_around_show_the_same_tiles() -> None:
    scene = hand_scene(np.random.default_rng(4), FACES, (1200, 1600))
    narrow, wide = (cut_crops(np.random.default_rng(7), scene, SIZE, around=a) for a in (0, 0.2))
    assert np.array_equal(narrow.labels, wide.labels)
    assert np.array_equal(narrow.corners, wide.corners)
    assert not np.array_equal(narrow.images, wide.images)


def test_the_counter_tells_corners_beside_the_count() -> None:
    net = bamboo_counter().eval()
    crops = torch.randint(0, 256, (3, *SIZE, 3), dtype=torch.uint8)
    logits, corners = net.answer(crops)
    assert logits.shape == (3, len(BAMBOOS))
    assert corners.shape == (3, 4, 2)
    assert torch.equal(net(crops), logits)


def test_bamboos_are_counted_among_themselves() -> None:
    labels = np.array([READING_LABELS.index(label) for label in BAMBOOS])
    assert places(labels, COLUMNS).tolist() == list(range(8))


def test_the_command_prints_the_weights_and_what_they_are_worth(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = "bamboos", "--designs", str(SAMPLES), "--scenes", "14"
    *weights, worth = printed_by(monkeypatch, capsys, *options)
    assert [line.split()[0] for line in weights] == ["[bamboo_count]", "picture", "count"]
    assert int(worth.split()[1]) > 5
