"""What lies in a row with tiles is told from what lies anyhow."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.side_by_side import side_by_side

Quads = NDArray[np.float32]
TILE = np.array([[0, 0], [60, 0], [60, 80], [0, 80]], np.float32)
SLANTED = np.array([[1.0, 0.25, 40], [-0.2, 0.7, 90], [0.0006, 0.0009, 1.0]])


def quads(*corners: tuple[float, float]) -> Quads:
    """Tiles with their top-left corners there, seen from the side."""
    flat = np.array([TILE + np.array(corner, np.float32) for corner in corners])
    seen = cv2.perspectiveTransform(flat.reshape(1, -1, 2), SLANTED)
    return np.asarray(seen.reshape(-1, 4, 2), np.float32)


def suits(found: Quads, *tiles: int) -> float:
    """How well the last of them lies beside those tiles."""
    return float(side_by_side(found, np.array(tiles, np.intp))[-1])


@pytest.mark.parametrize("place", [(61, 0), (-60, 0), (65, 0), (0, 82), (0, -81)])
def test_a_tile_beside_above_or_below_another_suits_it(place: tuple[float, float]) -> None:
    assert suits(quads((100, 100), (100 + place[0], 100 + place[1])), 0) > 0.8


@pytest.mark.parametrize("place", [(150, 0), (30, 0), (61, 40), (100, 90)])
def test_what_lies_elsewhere_does_not(place: tuple[float, float]) -> None:
    assert suits(quads((100, 100), (100 + place[0], 100 + place[1])), 0) < 0.25


def test_another_size_or_angle_does_not_suit_but_any_way_up_does() -> None:
    pair = quads((100, 100), (161, 100))
    middle = pair[1].mean(axis=0)
    for turn in range(4):
        assert suits(np.stack([pair[0], np.roll(pair[1], turn, axis=0)]), 0) > 0.7
    for change in (0.6 * np.eye(2), 1.6 * np.eye(2), np.array([[0.7, -0.7], [0.7, 0.7]])):
        other = ((pair[1] - middle) @ change.T + middle).astype(np.float32)
        assert suits(np.stack([pair[0], other]), 0) < 0.25


def test_none_is_held_against_itself_or_against_what_has_no_area() -> None:
    pair = quads((100, 100), (161, 100))
    assert suits(pair, 1) == 0
    assert suits(pair) == 0
    assert suits(np.stack([np.zeros((4, 2), np.float32), pair[1]]), 0) == 0
    assert side_by_side(np.empty((0, 4, 2), np.float32), np.empty(0, np.intp)).shape == (0,)
    every = side_by_side(np.concatenate([pair, quads((400, 300))]), np.array([0, 1], np.intp))
    assert every[:2].min() > 0.8
    assert every[2] < 0.1
