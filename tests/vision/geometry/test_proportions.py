"""Tiles have the shape of the tiles near them, and lie crosswise where those show that they do."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.vision.fakes import sure_of
from tests.vision.table import Laid, lay, see, turned
from vision.classify.views import AGREEMENT, Views, all_angles, nearness_of
from vision.geometry.proportions import SHAPE_COMPARISON, heights_beside, shape_difference

Quads = NDArray[np.float32]
TILE = np.array([[0, 0], [60, 0], [60, 80], [0, 80]], np.float32)
SLANTED = np.array([[1.0, 0.25, 40], [-0.2, 0.7, 90], [0.00015, 0.00025, 1.0]])
ROW = [(60.0 * column, 0.0) for column in range(4)]


def from_aside(flat: Quads) -> Quads:
    """What lies flat on the table, from the side."""
    there = cv2.perspectiveTransform(flat.reshape(1, -1, 2), SLANTED)
    return np.asarray(there.reshape(-1, 4, 2), np.float32)


def laid(*corners: tuple[float, float]) -> Quads:
    """Tiles with their top-left corners there."""
    return np.array([TILE + np.array(corner, np.float32) for corner in corners])


def unlike(thing: Quads, count: int = len(ROW)) -> float:
    """Of a thing (4, 2) beside the first ``count`` tiles of a row."""
    quads = from_aside(np.concatenate([laid(*ROW), thing[np.newaxis]]))
    return float(shape_difference(quads, np.arange(count))[-1])


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
    quads = from_aside(np.concatenate([laid(*ROW), larger, laid((240.0, 0.0))]))
    assert shape_difference(quads, np.arange(8))[-1] < 0.15
    assert shape_difference(quads, np.arange(4, 8))[-1] > 0.4


def test_nothing_counts_more_than_the_most() -> None:
    assert unlike(changed(9 * np.eye(2))) == SHAPE_COMPARISON.most


def test_none_is_held_against_itself_or_against_what_has_no_area() -> None:
    quads = np.concatenate([laid((0.0, 0.0)), np.zeros((1, 4, 2), np.float32)])
    assert shape_difference(quads, np.array([0])).tolist() == [0.0, SHAPE_COMPARISON.most]
    assert shape_difference(quads, np.array([1])).tolist() == [0.0, 0.0]
    assert shape_difference(quads, np.array([], np.intp)).tolist() == [0.0, 0.0]
    assert shape_difference(quads[:0], np.array([], np.intp)).shape == (0,)


STANDING, CROSSWISE = slice(0, 3), 3
"""Of the tiles in :func:`row`."""
PHOTO = (2000, 2000)


def row() -> Laid:
    """Three tiles and one that lies crosswise, found with its long side for a short one."""
    laid = lay("123m|-4m")
    quads = laid.quads.copy()
    quads[CROSSWISE] = np.roll(quads[CROSSWISE], 1, axis=0)
    assert np.linalg.norm(quads[CROSSWISE, 1] - quads[CROSSWISE, 0]) > 70
    return Laid(laid.labels, quads)


@given(
    degrees=st.floats(0, 360),
    squeezed=st.floats(0.4, 1.0),
    slant=st.floats(-0.3, 0.3),
    depth=st.floats(-4e-4, 4e-4),
)
def test_tiles_are_as_high_as_those_beside_them_however_they_are_seen(
    degrees: float, squeezed: float, slant: float, depth: float
) -> None:
    matrix = np.array([[1, slant, 0], [0, squeezed, 0], [0, depth, 1]])
    quads = see(turned(row(), degrees), matrix).quads
    quads += 20 - quads.min(axis=(0, 1))
    evenly = np.float32(1 / 3) * (1 - np.eye(4, dtype=np.float32))
    standing, crosswise = heights_beside(quads, evenly, PHOTO) * 3
    others = evenly[STANDING, STANDING] > 0
    assert (standing[STANDING, STANDING][others] > 0.7).all()
    assert (standing[CROSSWISE, STANDING] < -0.5).all()
    assert (crosswise[STANDING, CROSSWISE] > 0.5).all()
    assert np.allclose(np.diagonal(standing), 0)


@pytest.mark.parametrize(("beyond", "told"), [(2, True), (30, False)])
def test_nothing_is_known_of_a_tile_that_the_edge_of_the_photo_cuts_off(
    *, beyond: int, told: bool
) -> None:
    quads = row().quads
    edge = int(quads[..., 0].max()) - beyond
    standing, _ = heights_beside(quads, nearness_of(quads), (600, edge))
    assert bool(standing[CROSSWISE].any()) is told
    assert standing[STANDING].any(axis=1).all()


def views_of(quads: NDArray[np.float32], upright: list[float]) -> Views:
    """Tiles looked at as they are found and turned by a quarter, the first clearly upright."""
    count = len(quads)
    angles = all_angles(quads)
    chosen = np.nonzero(np.isin(angles.turns, (0, 1)))[0]
    return Views(
        quads,
        angles.owners[chosen],
        angles.turns[chosen],
        angles.ups[chosen],
        nearness_of(quads),
        heights_beside(quads, nearness_of(quads), PHOTO),
        np.zeros((2 * count, 96, 72, 3), np.uint8),
        sure_of(["1m"] * (2 * count)),
        np.array(upright, np.float32),
        np.ones((2 * count, 4), np.float32),
        np.ones(2 * count, bool),
    )


@pytest.mark.parametrize(
    ("quads", "sideways", "turn"), [(lay("1234m").quads, 2.5, 0), (row().quads, 0.0, 1)]
)
def test_a_doubtful_tile_is_read_as_its_sides_say(
    quads: NDArray[np.float32], sideways: float, turn: int
) -> None:
    as_others = -2.0
    views = views_of(quads, [4.0, 4.0, 4.0, as_others, -4.0, -4.0, -4.0, sideways])
    assert (as_others + AGREEMENT > sideways) is (turn == 1), "else the sides were not needed"
    assert views.turns[views.pick(views.credence())].tolist() == [0, 0, 0, turn]
