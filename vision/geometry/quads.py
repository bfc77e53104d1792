"""Quads of tiles: their sides, turns and places, without any picture."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.runtime.opencv import cv2

UNIT_SQUARE: Final = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
"""Corners of a face in its own widths and heights, clockwise from its top-left."""


def side_lengths(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """Lengths (n, 4) of the sides of quads (n, 4, 2), clockwise from the upper one."""
    lengths: NDArray[np.float32] = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2)
    return lengths


def sides_of(quads: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Lengths (n,) of the shorter and of the longer pair of sides of each quad."""
    sides = side_lengths(quads)
    one, other = (sides[:, 0] + sides[:, 2]) / 2, (sides[:, 1] + sides[:, 3]) / 2
    return np.minimum(one, other), np.maximum(one, other)


def areas(quads: NDArray[np.float32]) -> NDArray[np.float64]:
    """Areas (n,) of quads (n, 4, 2)."""
    x, y = np.moveaxis(quads.astype(np.float64), 2, 0)
    ahead = np.roll(x, -1, axis=1), np.roll(y, -1, axis=1)
    sizes: NDArray[np.float64] = np.abs((x * ahead[1] - y * ahead[0]).sum(axis=1)) / 2
    return sizes


def rolled(quads: NDArray[np.float32], turns: NDArray[np.int64]) -> NDArray[np.float32]:
    """Quads (n, 4, 2) with each list of corners beginning at corner ``turns`` (n,)."""
    corners = (np.arange(4)[np.newaxis] + turns[:, np.newaxis]) % 4
    return np.take_along_axis(quads, corners[:, :, np.newaxis], axis=1)


def turned_like(quad: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """The quad (4, 2) rolled so that its corners lie nearest to those of the other."""
    rolls = [np.roll(quad, -turn, axis=0) for turn in range(4)]
    return min(rolls, key=lambda rolled: float(np.linalg.norm(rolled - other)))


def inside(quads: NDArray[np.float32], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which quads (n, 4, 2) lie wholly inside a picture of that shape, height first."""
    height, width = shape[:2]
    return np.asarray(((quads >= 0) & (quads <= [width, height])).all(axis=(1, 2)))


def holds(quad: NDArray[np.float32], place: NDArray[np.floating]) -> bool:
    """Whether the place (2,) lies in the quad (4, 2)."""
    return cv2.pointPolygonTest(quad, (float(place[0]), float(place[1])), measureDist=False) >= 0


def rescaled(
    quads: NDArray[np.float32], before: tuple[int, ...], after: tuple[int, ...]
) -> NDArray[np.float32]:
    """Quads (..., 4, 2) of a picture of one shape (height first) in the same picture resized."""
    ratio = np.array(after[1::-1], np.float32) / np.array(before[1::-1], np.float32)
    return np.asarray(quads * ratio, np.float32)


def put_at(
    quads: NDArray[np.float32], corners: NDArray[np.float32], farthest: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Quads with their corners moved on the planes that they lie on.

    Args:
        quads: (n, 4, 2) pixels.
        corners: (n, 4, 2) offsets of the corners to the right and down, in widths and heights of
            their quad, clockwise from the top-left.
        farthest: the largest offset that is followed; a quad with a larger one stays as it is.

    Returns:
        quads (n, 4, 2), and (n,) the largest offset that was followed in each, 0 where none was.
    """
    moved = np.abs(corners).max(axis=(1, 2), initial=0.0)
    better = quads.copy()
    for index in np.nonzero(moved <= farthest)[0].tolist():
        matrix = cv2.getPerspectiveTransform(UNIT_SQUARE, better[index])
        placed = cv2.perspectiveTransform((UNIT_SQUARE + corners[index])[np.newaxis], matrix)[0]
        if cv2.isContourConvex(placed):
            better[index] = placed
    return better, np.where(moved <= farthest, moved, 0.0).astype(np.float32)
