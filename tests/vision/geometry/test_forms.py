"""What has the form of the tiles nearby is told from what is larger, smaller or askew."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.geometry.forms import MOST, unlike_in_form

Quads = NDArray[np.float32]
TILE = np.array([[0, 0], [60, 0], [60, 80], [0, 80]], np.float32)
SLANTED = np.array([[1.0, 0.25, 40], [-0.2, 0.7, 90], [0.00015, 0.00025, 1.0]])
ROW = [(60.0 * column, 0.0) for column in range(4)]


def seen(flat: Quads) -> Quads:
    """What lies flat on the table, from the side."""
    there = cv2.perspectiveTransform(flat.reshape(1, -1, 2), SLANTED)
    return np.asarray(there.reshape(-1, 4, 2), np.float32)


def laid(*corners: tuple[float, float]) -> Quads:
    """Tiles with their top-left corners there."""
    return np.array([TILE + np.array(corner, np.float32) for corner in corners])


def unlike(thing: Quads, count: int = len(ROW)) -> float:
    """Of a thing (4, 2) beside the first ``count`` tiles of a row."""
    quads = seen(np.concatenate([laid(*ROW), thing[np.newaxis]]))
    return float(unlike_in_form(quads, np.arange(count))[-1])


def changed(change: NDArray[np.float64], place: tuple[float, float] = (120.0, 130.0)) -> Quads:
    """A tile stretched or turned about its middle, which is at that place."""
    return np.asarray((TILE - TILE.mean(axis=0)) @ change.T + place, np.float32)


@pytest.mark.parametrize("place", [(300, 0), (100, 90), (20, -100), (280, 110)])
def test_another_tile_of_the_table_has_their_form(place: tuple[float, float]) -> None:
    assert unlike(laid(place)[0]) < 0.15


@pytest.mark.parametrize("angle", [20, 90, 135, 180, 250])
def test_however_it_is_turned(angle: float) -> None:
    cos, sin = np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))
    assert unlike(changed(np.array([[cos, -sin], [sin, cos]]))) < 0.15


@pytest.mark.parametrize(
    ("name", "width", "height"),
    [("die", 0.6, 0.45), ("card", 2.5, 2.6), ("half a tile", 1.0, 0.5), ("two tiles", 2.0, 1.0)],
)
def test_other_things_have_not(name: str, width: float, height: float) -> None:
    assert unlike(changed(np.diag([width, height]))) > 0.4, name


def test_nor_has_what_is_askew() -> None:
    assert unlike(changed(np.array([[1.0, 0.6], [0.0, 1.0]]))) > 0.3


def test_it_need_be_like_some_of_them_only() -> None:
    """Others may stand while these lie."""
    larger = np.array([changed(1.5 * np.eye(2), (60.0 * x, 110.0)) for x in range(4)])
    quads = seen(np.concatenate([laid(*ROW), larger, laid((240.0, 0.0))]))
    assert unlike_in_form(quads, np.arange(8))[-1] < 0.15
    assert unlike_in_form(quads, np.arange(4, 8))[-1] > 0.4


def test_nothing_counts_more_than_the_most() -> None:
    assert unlike(changed(9 * np.eye(2))) == MOST


def test_none_is_held_against_itself_or_against_what_has_no_area() -> None:
    quads = np.concatenate([laid((0.0, 0.0)), np.zeros((1, 4, 2), np.float32)])
    assert unlike_in_form(quads, np.array([0])).tolist() == [0.0, MOST]
    assert unlike_in_form(quads, np.array([1])).tolist() == [0.0, 0.0]
    assert unlike_in_form(quads, np.array([], np.intp)).tolist() == [0.0, 0.0]
    assert unlike_in_form(quads[:0], np.array([], np.intp)).shape == (0,)
