"""Finds that are only a part of a tile, which often looks like another: half a 4p like a 2p."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.runtime.opencv import cv2

Floats = NDArray[np.float32]

_SHARED: Final = 0.45
"""Share of the smaller of two finds from which both cannot be tiles: faces cover no other face, and
corners seen wrongly seldom make two share a third."""


def shared(quad: Floats, others: Floats) -> NDArray[np.float64]:
    """Which share of the smaller of both the quad (4, 2) has in common with each (n, 4, 2)."""
    outline = cv2.convexHull(np.ascontiguousarray(quad))
    shares = np.zeros(len(others))
    for number, other in enumerate(others):
        against = cv2.convexHull(np.ascontiguousarray(other))
        smaller = min(float(cv2.contourArea(outline)), float(cv2.contourArea(against)))
        if smaller > 0:
            shares[number] = cv2.intersectConvexConvex(outline, against)[0] / smaller
    return shares


def parts_of_others(quads: Floats, tiles: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which finds (n,) lie on larger ones, or hold several smaller ones.

    Args:
        quads: (n, 4, 2) corners of the finds in pixels.
        tiles: (n,) which of them seem to be tiles; the others say nothing.
    """
    told = np.zeros(len(quads), np.bool_)
    outlines = [cv2.convexHull(np.ascontiguousarray(quad)) for quad in quads]
    areas = [float(cv2.contourArea(outline)) for outline in outlines]
    middles = quads.mean(axis=1)
    reach = np.linalg.norm(quads - middles[:, np.newaxis], axis=2).max(axis=1)
    left = sorted(np.nonzero(tiles)[0].tolist(), key=lambda find: -areas[find])
    for place, larger in enumerate(left):
        if told[larger]:
            continue
        away = np.linalg.norm(middles - middles[larger], axis=1)
        held = [
            smaller
            for smaller in left[place + 1 :]
            if not told[smaller]
            and away[smaller] < reach[larger] + reach[smaller]
            and cv2.intersectConvexConvex(outlines[larger], outlines[smaller])[0]
            >= _SHARED * areas[smaller]
        ]
        if len(held) == 1:
            told[held] = True
        elif held:
            told[larger] = True
    return told
