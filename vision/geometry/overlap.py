"""Which detections cover each other: duplicates of one tile, and parts of a larger one."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.quads import holds
from vision.runtime.opencv import cv2

Floats = NDArray[np.float32]

_SHARED: Final = 0.45
"""Minimum share of the smaller of two detections that lies on the larger for at most one of them to
be a tile. Faces do not cover each other, and corners that are a little astray seldom make two faces
share a third of their area."""


def common_areas(quads: Floats, pairs: NDArray[np.bool_]) -> Floats:
    """Common areas (n, n) in square pixels of some pairs of quads (n, 4, 2), 0 for the others.

    Args:
        quads: corners in pixels.
        pairs: (n, n) symmetric, which two are compared.
    """
    common = np.zeros((len(quads), len(quads)), np.float32)
    outlines = [cv2.convexHull(np.ascontiguousarray(quad)) for quad in quads]
    for one, other in np.argwhere(np.tril(pairs, -1)).tolist():
        area = cv2.intersectConvexConvex(outlines[one], outlines[other])[0]
        common[one, other] = common[other, one] = area
    return common


def parts_of_others(quads: Floats, tiles: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which detections (n,) lie on a larger one, or cover several smaller ones.

    Part of a tile often looks like another tile: half a 4 of circles like a 2.

    Args:
        quads: (n, 4, 2) corners in pixels.
        tiles: (n,) which of them seem to be tiles; the others are ignored.
    """
    parts = np.zeros(len(quads), np.bool_)
    outlines = [cv2.convexHull(np.ascontiguousarray(quad)) for quad in quads]
    areas = [float(cv2.contourArea(outline)) for outline in outlines]
    middles = quads.mean(axis=1)
    reach = np.linalg.norm(quads - middles[:, np.newaxis], axis=2).max(axis=1)
    left = sorted(np.nonzero(tiles)[0].tolist(), key=lambda index: -areas[index])
    for place, larger in enumerate(left):
        if parts[larger]:
            continue
        away = np.linalg.norm(middles - middles[larger], axis=1)
        covered = [
            smaller
            for smaller in left[place + 1 :]
            if not parts[smaller]
            and away[smaller] < reach[larger] + reach[smaller]
            and cv2.intersectConvexConvex(outlines[larger], outlines[smaller])[0]
            >= _SHARED * areas[smaller]
        ]
        if len(covered) == 1:
            parts[covered] = True
        elif covered:
            parts[larger] = True
    return parts


def duplicates(quads: Floats, known: Floats) -> NDArray[np.bool_]:
    """Which of the quads (n, 4, 2) show the same tile as a known one (m, 4, 2) or an earlier quad.

    Two quads show the same tile if the middle of one lies in the other.
    """
    same = np.zeros(len(quads), np.bool_)
    for place, quad in enumerate(quads):
        others = np.concatenate([known, quads[:place][~same[:place]]])
        same[place] = _of_same_tile(quad, others).any()
    return same


def _of_same_tile(quad: Floats, others: Floats) -> NDArray[np.bool_]:
    """(n,) which of the others (n, 4, 2) show the same tile as the quad (4, 2)."""
    middles, middle = others.mean(axis=1), quad.mean(axis=0)
    reach = float(np.linalg.norm(quad - middle, axis=1).max())
    near: NDArray[np.bool_] = np.linalg.norm(middles - middle, axis=1) < 2 * reach
    near[near] = [
        holds(quad, middles[other]) or holds(others[other], middle) for other in np.nonzero(near)[0]
    ]
    return near
