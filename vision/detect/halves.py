"""Tiles found as two: a four or six of circles that lies across its row looks like two twos.

Seen from above each of the two finds is smaller than the tiles nearby, both together are as large
as one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.runtime.opencv import cv2

Floats = NDArray[np.float32]
Ints = NDArray[np.intp]

_HALF: Final = 0.8
"""Area of each of the two at most, in areas of the tiles beside them in the row, and"""
_WHOLE: Final = (0.7, 1.4)
"""that of both together."""
_NEAR: Final = 0.75
"""How far apart their middles lie at most, in lengths of both together."""
_NEAREST: Final = 3
"""Of how many finds nearest to a tile each may be its other part, and how many tell how large tiles
are where its row has no other."""


class Pairs(NamedTuple):
    """Finds that may be parts of one tile.

    Attributes:
        quads: (m, 4, 2) float32 corners of both together, clockwise.
        owners: (m,) the one that is told as a tile.
        others: (m,) the other.
    """

    quads: Floats
    owners: Ints
    others: Ints


def united(
    quads: Floats, flat: Floats, printed: NDArray[np.bool_], beside: Mapping[int, Ints]
) -> Pairs:
    """Finds that may be parts of one tile.

    Args:
        quads: (n, 4, 2) corners of the finds in pixels, and
        flat: as seen from above, where a tile that lies farther off is as large as any.
        printed: (n,) which of them show print: how far a blank face goes only its edges tell.
        beside: of each that is told as a tile, the tiles beside it in its row. Where there are none
            the nearest tiles tell how large one is there: the find may lie across its row.
    """
    areas = np.array([_area(quad) for quad in flat])
    middles = quads.mean(axis=1)
    found: list[tuple[Floats, int, int]] = []
    for owner in beside:
        away = np.linalg.norm(middles - middles[owner], axis=1)
        nearest = np.argsort(away, kind="stable")[1:]
        for other in nearest[:_NEAREST].tolist():
            twice = other in beside and other < owner
            if twice or not (printed[owner] and printed[other]):
                continue
            known = _tiles_beside((owner, other), nearest, beside)
            if not len(known):
                continue
            usual = float(np.median(areas[known]))
            both = _both(quads[owner], quads[other])
            length = 2 * float(np.linalg.norm(both - both.mean(axis=0), axis=1).max())
            halves = max(areas[owner], areas[other]) <= _HALF * usual
            together = _area(_both(flat[owner], flat[other]))
            whole = _WHOLE[0] * usual <= together <= _WHOLE[1] * usual
            if halves and whole and away[other] <= _NEAR * length:
                found.append((both, owner, other))
    return Pairs(
        np.array([quad for quad, _, _ in found], np.float32).reshape(-1, 4, 2),
        np.array([owner for _, owner, _ in found], np.intp),
        np.array([other for _, _, other in found], np.intp),
    )


def _tiles_beside(pair: tuple[int, int], nearest: Ints, beside: Mapping[int, Ints]) -> Ints:
    """The tiles in the row of either of a pair, or the ``nearest`` if there are none."""
    in_row = np.concatenate([beside[index] for index in pair if index in beside])
    in_row = np.setdiff1d(in_row, pair)
    if len(in_row):
        return in_row
    tiles = [index for index in nearest.tolist() if index in beside and index not in pair]
    return np.array(tiles[:_NEAREST], np.intp)


def _both(one: Floats, other: Floats) -> Floats:
    """The quad (4, 2), clockwise, from the far edge of one quad to the far edge of another."""
    along = other.mean(axis=0) - one.mean(axis=0)
    ends = [one[np.argsort(one @ along)[:2]], other[np.argsort(other @ along)[2:]]]
    corners = np.concatenate(ends)
    from_middle = corners - corners.mean(axis=0)
    clockwise = np.argsort(np.arctan2(from_middle[:, 1], from_middle[:, 0]))
    return np.asarray(corners[clockwise], np.float32)


def _area(quad: Floats) -> float:
    return abs(float(cv2.contourArea(np.ascontiguousarray(quad))))
