"""Side faces of tiles that look like blank faces, seen from low down.

The side face of a tile begins where its face ends, and so does the face of a tile laid against it.
But the next face reaches as far as this one does, in the same direction, while a side face goes
down to the table. Seen from above, faces have their full length and hardly any side face is seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.table_plane import USUAL_PROPORTION

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]

CLEARLY_FACE: Final = 4.0
"""Log-odds of being a tile from which a detection is a face and not a side face."""


@dataclass(frozen=True, slots=True)
class SideFace:
    """How a side face lies beside the face of its tile.

    Attributes:
        edges_apart: maximum distance between the ends of an edge of one and an edge of the other
            for both to be the same, in lengths of the edge.
        ends_elsewhere: minimum distance between the far end of a side face and that of the next
            face, were it one, in lengths of the face.
        thickness: maximum thickness of a tile, in its widths.
        slack: by how much more a side face may seem to reach, in widths of the tile.
    """

    edges_apart: float = 0.1
    ends_elsewhere: float = 0.1
    thickness: float = 0.9
    slack: float = 0.15


SIDE_FACE: Final = SideFace()


def side_faces(
    quads: Floats, plain: Bools, laid: Bools, odds: NDArray[np.float64], most: int
) -> Bools:
    """Which detections (n,) without print are side faces of the tile beside them.

    If more detections look so than a set has tiles without print, all of them are side faces, even
    those that are clearly faces by themselves.

    Args:
        quads: (n, 4, 2) corners in pixels, clockwise.
        plain: (n,) which of them show no print.
        laid: (n,) which of them are certainly tiles, printed or face down.
        odds: (n,) log-odds that each is a tile.
        most: number of white dragons in the set.
    """
    found = np.zeros(len(quads), np.bool_)
    sides, faces = quads[plain].astype(np.float64), quads[laid].astype(np.float64)
    if not len(sides) or not len(faces):
        return found
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
    beside = gap[nearest] < SIDE_FACE.edges_apart
    elsewhere = astray[nearest] > SIDE_FACE.ends_elsewhere
    like_sides = beside & elsewhere & (excess[nearest] <= 0)
    many = np.count_nonzero(like_sides) > most
    found[plain] = beside if many else like_sides & (odds[plain] < CLEARLY_FACE)
    return found


def _farthest(lengths: NDArray[np.float64], reach: NDArray[np.float64]) -> NDArray[np.float64]:
    """Maximum visible length in pixels of the side face at each edge (n, 4) of faces.

    The more a face is foreshortened across an edge, the more of the side face there is visible.

    Args:
        lengths: (n, 4) lengths of the edges in pixels, the tiles' upper ones first.
        reach: (n, 4) distances in pixels from each edge to the opposite one.
    """
    wide = np.array([1.0, USUAL_PROPORTION, 1.0, USUAL_PROPORTION])
    width = lengths / wide
    from_above = np.minimum(reach * wide / (width * USUAL_PROPORTION), 1.0)
    seen = SIDE_FACE.thickness * np.sqrt(1 - from_above**2)
    farthest: NDArray[np.float64] = (seen + SIDE_FACE.slack) * width
    return farthest


def _edges(quads: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The edges (n, 4, 2, 2) of quads, and vectors (n, 4, 2) from each to the opposite one."""
    ends = np.stack([quads, np.roll(quads, -1, axis=1)], axis=2)
    across = np.roll(quads, -2, axis=1), np.roll(quads, -3, axis=1)
    return ends, (across[0] + across[1]) / 2 - ends.mean(axis=2)
