"""Numbered tiles of one suit look alike, so they get one suit even where each alone is doubtful."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.classify.families import suits_of_families

INKS = np.array([[40, 40, 200], [60, 150, 40], [190, 90, 30]])
RNG = np.random.default_rng(3)


def crops_of(families: list[int]) -> NDArray[np.uint8]:
    """Faces (96, 72) with as many bars as their place says, in the colour of their family."""
    crops = np.full((len(families), 96, 72, 3), 235, np.uint8)
    for number, (crop, family) in enumerate(zip(crops, families, strict=True)):
        for bar in range(1 + number % 3):
            crop[25:75, 14 + 18 * bar : 24 + 18 * bar] = INKS[family]
    return crops


def alike(count: int) -> NDArray[np.float32]:
    return np.full((count, 4), 0.5, np.float32)


def told(families: list[int], *, right: float, of: float) -> NDArray[np.float32]:
    """Suits as the classifier gives them: right for a share ``of`` the tiles, otherwise unsure."""
    suits = np.full((len(families), 3), (1 - right) / 2, np.float32)
    for number, family in enumerate(families):
        if number % 10 < 10 * of:
            suits[number, family] = right
        else:
            suits[number] = 1 / 3
    return suits


@pytest.mark.parametrize("count", [12, 30])
def test_a_family_has_the_suit_of_most_of_its_tiles(count: int) -> None:
    families = [number % 3 for number in range(count)]
    suits = suits_of_families(crops_of(families), alike(count), told(families, right=0.7, of=0.5))
    assert suits.argmax(axis=1).tolist() == families
    assert np.allclose(suits.sum(axis=1), 1, atol=1e-5)
    for family in range(3):
        assert np.ptp(suits[np.array(families) == family], axis=0).max() < 1e-6


def test_few_tiles_may_all_be_of_one_suit() -> None:
    families = [1] * 6
    suits = suits_of_families(crops_of(families), alike(6), told(families, right=0.9, of=1.0))
    assert set(suits.argmax(axis=1).tolist()) == {1}


def test_the_order_of_the_tiles_changes_nothing() -> None:
    families = [number % 3 for number in range(18)]
    crops, suits = crops_of(families), told(families, right=0.7, of=0.6)
    order = RNG.permutation(18)
    there = suits_of_families(crops, alike(18), suits)[order]
    again = suits_of_families(crops[order], alike(18), suits[order])
    assert np.allclose(there, again, atol=1e-4)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_as_few_tiles_as_suits_are_told_apart(count: int) -> None:
    families = list(range(count))
    suits = suits_of_families(crops_of(families), alike(count), told(families, right=0.8, of=1.0))
    assert suits.shape == (count, 3)
    assert suits.argmax(axis=1).tolist() == families


def test_faces_without_print_are_no_trouble() -> None:
    crops = np.full((5, 96, 72, 3), 235, np.uint8)
    assert np.isfinite(suits_of_families(crops, alike(5), np.full((5, 3), 1 / 3, np.float32))).all()
