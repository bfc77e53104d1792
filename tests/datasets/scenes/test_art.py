"""Art sets: other pictures on the suits, the same labels, everything else as it was."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from datasets.scenes.art import EMBLEMS, art_set
from datasets.sets.faces import FaceSet, load_designs
from scorer.tiles import SUIT_TILES

SAMPLE = Path(__file__).parents[3] / "datasets" / "samples" / "0900.npz"


@pytest.fixture(scope="module")
def faces() -> FaceSet:
    return load_designs([SAMPLE])[0]


@pytest.mark.parametrize("seed", range(4))
def test_suits_show_other_pictures_and_the_rest_stays(faces: FaceSet, seed: int) -> None:
    art = art_set(np.random.default_rng(seed), faces)
    assert set(art.faces) == set(faces.faces)
    for label, copies in art.faces.items():
        kept = copies[0] is faces.faces[label][0]
        assert kept == (label not in SUIT_TILES)


@pytest.mark.parametrize("seed", range(6))
def test_every_number_of_a_suit_looks_different(faces: FaceSet, seed: int) -> None:
    art = art_set(np.random.default_rng(seed), faces)
    for first, second in pairwise(SUIT_TILES):
        assert not np.array_equal(art.faces[first][0], art.faces[second][0])


@pytest.mark.parametrize("name", sorted(EMBLEMS))
def test_emblems_keep_to_their_size(name: str) -> None:
    for seed in range(5):
        for outline, _ in EMBLEMS[name](np.random.default_rng(seed)):
            assert np.abs(outline).max() < 1.7
