"""Sides of tiles that look like blank faces, seen from low down.

The side of a tile begins where its face ends, and so does the face of a tile laid against it. But
the next face reaches as far as this one does, in the same direction, while a side goes down to the
table. And who looks from above sees faces at their full length and hardly any side.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.table_plane import USUAL_PROPORTION

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]

_BESIDE: Final = 0.1
"""How far the ends of two edges lie apart at most, in lengths of the edge, if one is the other."""
_OTHERWISE: Final = 0.1
"""How far from where the next face would end a side ends at least, in lengths of the face."""
_THICKEST: Final = 0.9
"""Of a tile, in its widths,"""
_SLACK: Final = 0.15
"""and how much farther than a tile is thick its side may seem to reach. Of 25 sides on 200 rendered
scenes 23 do not reach farther, of 9 white dragons that were taken for sides all do."""
CLEARLY_FACE: Final = 4.0
"""Log-odds of being a tile from which a find is no side. Of 197 plain tiles beside printed ones, on
the benchmark, rendered hands of held-out designs and sheets to train with, none is told to be a
side so."""


def own_sides(
    quads: Floats, plain: Bools, laid: Bools, odds: NDArray[np.float64], most: int
) -> Bools:
    """Which plain finds (n,) are sides of the tile beside them.

    Of more than a set has plain tiles, even those that look clearly like faces are sides.

    Args:
        quads: (n, 4, 2) corners in pixels, clockwise.
        plain: (n,) which of the others show no print.
        laid: (n,) which of them are surely tiles, printed or face down.
        odds: (n,) log-odds that each is a tile.
        most: how many white dragons there can be.
    """
    told = np.zeros(len(quads), np.bool_)
    sides, faces = quads[plain].astype(np.float64), quads[laid].astype(np.float64)
    if not len(sides) or not len(faces):
        return told
    face_edge, face_reach = _edges(faces)
    side_edge, side_reach = _edges(sides)
    length = np.linalg.norm(face_edge[:, :, 1] - face_edge[:, :, 0], axis=2)
    turned = side_edge[:, np.newaxis, :, np.newaxis, ::-1]
    apart = np.linalg.norm(turned - face_edge[np.newaxis, :, np.newaxis], axis=-1).max(axis=-1)
    beyond = side_reach[:, np.newaxis, :, np.newaxis] + face_reach[np.newaxis, :, np.newaxis]
    astray = np.linalg.norm(beyond, axis=-1) / np.linalg.norm(face_reach, axis=2)[:, np.newaxis]
    farthest = _farthest(length, np.linalg.norm(face_reach, axis=2))
    reach = np.linalg.norm(side_reach, axis=2)[:, np.newaxis, :, np.newaxis]
    excess = reach - farthest[np.newaxis, :, np.newaxis]
    gap, astray, excess = (
        each.reshape(len(sides), -1) for each in (apart / length[:, np.newaxis], astray, excess)
    )
    nearest = np.arange(len(sides)), gap.argmin(axis=1)
    beside, otherwise = gap[nearest] < _BESIDE, astray[nearest] > _OTHERWISE
    like_sides = beside & otherwise & (excess[nearest] <= 0)
    many = np.count_nonzero(like_sides) > most
    told[plain] = beside if many else like_sides & (odds[plain] < CLEARLY_FACE)
    return told


def _farthest(lengths: NDArray[np.float64], reach: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far in pixels the side below each edge (n, 4) of faces reaches at most.

    The more a face is foreshortened across an edge, the more of the side below that is seen.

    Args:
        lengths: (n, 4) of the edges, the tiles' upper ones first.
        reach: (n, 4) from each to the one across from it.
    """
    wide = np.array([1.0, USUAL_PROPORTION, 1.0, USUAL_PROPORTION])
    width = lengths / wide
    from_above = np.minimum(reach * wide / (width * USUAL_PROPORTION), 1.0)
    farthest: NDArray[np.float64] = (_THICKEST * np.sqrt(1 - from_above**2) + _SLACK) * width
    return farthest


def _edges(quads: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The edges (n, 4, 2, 2) of quads, and (n, 4, 2) from each to the one across from it."""
    ends = np.stack([quads, np.roll(quads, -1, axis=1)], axis=2)
    across = np.roll(quads, -2, axis=1), np.roll(quads, -3, axis=1)
    return ends, (across[0] + across[1]) / 2 - ends.mean(axis=2)
