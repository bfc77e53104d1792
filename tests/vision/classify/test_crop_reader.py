"""Dark tiles are read as they are and in the negative."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.classify.crop_reader import (
    CERTAIN,
    MOST_NEGATIVES,
    are_dark,
    negative,
    with_negatives,
)

LIGHT = np.full((96, 72, 3), (215, 235, 240), np.uint8)
BLUE = np.full((96, 72, 3), (110, 30, 25), np.uint8)


def printed(plastic: NDArray[np.uint8], ink: tuple[int, int, int]) -> NDArray[np.uint8]:
    crop = plastic.copy()
    crop[20:70, 25:45] = ink
    return crop


def test_the_plastic_and_not_the_print_makes_a_tile_dark() -> None:
    crops = np.stack([printed(LIGHT, (20, 20, 20)), printed(BLUE, (250, 250, 250))])
    assert are_dark(crops).tolist() == [False, True]


def test_a_light_tile_in_a_dim_photo_is_not_dark() -> None:
    dim = (printed(LIGHT, (20, 20, 20)) * 0.3).astype(np.uint8)
    assert are_dark(np.stack([dim])).tolist() == [False]


@pytest.mark.parametrize("count", [0, 1])
def test_light_tiles_are_read_once(count: int) -> None:
    def never(_: NDArray[np.uint8]) -> NDArray[np.float32]:
        raise AssertionError("light tiles need no second look")

    said = np.full((count, 3), 1 / 3, np.float32)
    crops = np.stack([LIGHT])[:count]
    assert with_negatives(said, crops, never) is said


def test_the_negative_is_light_where_the_tile_is_dark_and_keeps_its_hue() -> None:
    turned = negative(printed(BLUE, (250, 250, 250)))
    assert turned[0, 0].mean() > 150
    assert turned[40, 35].mean() < 30
    assert turned[0, 0].argmax() == BLUE[0, 0].argmax()
    assert np.abs(negative(turned).astype(int) - printed(BLUE, (250, 250, 250))).mean() < 12


def test_what_both_pictures_say_counts_alike() -> None:
    said = np.array([[0.7, 0.2, 0.1], [0.7, 0.2, 0.1]], np.float32)
    shown: list[NDArray[np.uint8]] = []

    def read(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        shown.append(crops)
        return np.array([[0.02, 0.96, 0.02]], np.float32)

    dark = printed(BLUE, (250, 250, 250))
    told = with_negatives(said, np.stack([LIGHT, dark]), read)
    assert np.array_equal(told[0], said[0])
    assert told[1].argmax() == 1
    assert told[1].sum() == pytest.approx(1)
    assert len(shown) == 1
    assert np.array_equal(shown[0][0], negative(dark))


def sure_by(certain: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows of two probabilities, the first as told."""
    return np.column_stack([certain, 1 - certain]).astype(np.float32)


def test_a_dark_tile_that_is_certain_is_read_once() -> None:
    shown: list[int] = []

    def read(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        shown.append(len(crops))
        return sure_by(np.full(len(crops), 0.1, np.float32))

    said = sure_by(np.array([CERTAIN + 0.01, CERTAIN - 0.01], np.float32))
    told = with_negatives(said, np.stack([printed(BLUE, (250, 250, 250))] * 2), read)
    assert shown == [1]
    assert np.array_equal(told[0], said[0])
    assert told[1, 0] < said[1, 0]


def test_of_very_many_dark_tiles_the_least_certain_are_read_twice() -> None:
    count = MOST_NEGATIVES + 20
    certain = np.random.default_rng(3).permutation(np.linspace(0.6, 0.9, count))
    shown: list[int] = []

    def read(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        shown.append(len(crops))
        return sure_by(np.full(len(crops), 0.1, np.float32))

    said = sure_by(certain.astype(np.float32))
    told = with_negatives(said, np.stack([printed(BLUE, (250, 250, 250))] * count), read)
    again = told[:, 0] != said[:, 0]
    assert shown == [MOST_NEGATIVES]
    assert again.sum() == MOST_NEGATIVES
    assert certain[again].max() < certain[~again].min()
