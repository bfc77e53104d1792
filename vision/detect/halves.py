"""Pairs of detections that may be the two halves of one tile.

A four or six of circles that lies across its row looks like two twos. Seen from above, either half
is smaller than the tiles nearby, and both together are as large as one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.runtime.opencv import cv2

Floats = NDArray[np.float32]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class TileHalves:
    """When two detections may be halves of one tile. Areas are in areas of the tiles nearby.

    Attributes:
        half: maximum area of either.
        whole: minimum and maximum area of both together.
        apart: maximum distance of their middles, in lengths of both together.
        nearest: number of nearest detections of which one may be the other half, and number of
            nearest tiles that show how large tiles are where the row has no other.
    """

    half: float = 0.8
    whole: tuple[float, float] = (0.7, 1.4)
    apart: float = 0.75
    nearest: int = 3


HALVES: Final = TileHalves()


class Pairs(NamedTuple):
    """Pairs of detections that may be halves of one tile.

    Attributes:
        quads: (m, 4, 2) float32 corners of both together, clockwise.
        owners: (m,) index of the one that is accepted as a tile.
        others: (m,) index of the other.
    """

    quads: Floats
    owners: Ints
    others: Ints


def possible_halves(
    quads: Floats, flat: Floats, printed: NDArray[np.bool_], beside: Mapping[int, Ints]
) -> Pairs:
    """The pairs of detections that may be halves of one tile.

    Args:
        quads: (n, 4, 2) corners in pixels.
        flat: (n, 4, 2) corners as seen from above, where all tiles are equally large.
        printed: (n,) which of them show print; halves of a blank face look like anything.
        beside: the tiles beside each accepted tile in its row, by its index. Where there are none,
            as for a tile across its row, its size is compared with the nearest tiles.
    """
    areas = np.array([_area(quad) for quad in flat])
    middles = quads.mean(axis=1)
    found: list[tuple[Floats, int, int]] = []
    for owner in beside:
        away = np.linalg.norm(middles - middles[owner], axis=1)
        nearest = np.argsort(away, kind="stable")[1:]
        for other in nearest[: HALVES.nearest].tolist():
            twice = other in beside and other < owner
            if twice or not (printed[owner] and printed[other]):
                continue
            known = _tiles_beside((owner, other), nearest, beside)
            if not len(known):
                continue
            usual = float(np.median(areas[known]))
            both = _both(quads[owner], quads[other])
            length = 2 * float(np.linalg.norm(both - both.mean(axis=0), axis=1).max())
            halves = max(areas[owner], areas[other]) <= HALVES.half * usual
            together = _area(_both(flat[owner], flat[other]))
            least, most = HALVES.whole
            whole = least * usual <= together <= most * usual
            if halves and whole and away[other] <= HALVES.apart * length:
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
    return np.array(tiles[: HALVES.nearest], np.intp)


def _both(one: Floats, other: Floats) -> Floats:
    """The quad (4, 2), clockwise, from the far edge of one quad to the far edge of another."""
    along = other.mean(axis=0) - one.mean(axis=0)
    ends = [one[np.argsort(one @ along)[:2]], other[np.argsort(other @ along)[2:]]]
    corners = np.concatenate(ends)
    from_middle = corners - corners.mean(axis=0)
    clockwise = np.argsort(np.arctan2(from_middle[:, 1], from_middle[:, 0]))
    return np.asarray(corners[clockwise], np.float32)


def _area(quad: Floats) -> float:
    """Area of a quad (4, 2)."""
    return abs(float(cv2.contourArea(np.ascontiguousarray(quad))))
