"""Tiles lie crosswise where those near them show that they do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.vision.fakes import sure_of
from tests.vision.table import Laid, lay, see, turned
from vision.classify.views import AGREEMENT, Views, all_angles, nearness_of
from vision.geometry.proportions import heights_beside

Quads = NDArray[np.float32]
STANDING, CROSSWISE = slice(0, 3), 3
"""Of the tiles in :func:`row`."""


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
    standing, crosswise = heights_beside(quads, evenly) * 3
    others = evenly[STANDING, STANDING] > 0
    assert (standing[STANDING, STANDING][others] > 0.7).all()
    assert (standing[CROSSWISE, STANDING] < -0.5).all()
    assert (crosswise[STANDING, CROSSWISE] > 0.5).all()
    assert np.allclose(np.diagonal(standing), 0)


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
        heights_beside(quads, nearness_of(quads)),
        np.zeros((2 * count, 96, 72, 3), np.uint8),
        sure_of(["1m"] * (2 * count)),
        np.array(upright, np.float32),
        np.ones((2 * count, 4), np.float32),
        np.ones(2 * count, np.float32),
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
