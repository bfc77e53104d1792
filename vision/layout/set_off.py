"""Tiles that are set off from those beside them: turned across the row, or lying apart.

So people lay the tile on which they went out, and in a claimed set the tile that was claimed: at
the end that is nearer to whoever discarded it, in the middle if that was the player opposite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.table_plane import sides
from vision.vocabulary.readings import Corner, Position


@dataclass(frozen=True, slots=True)
class SetOff:
    """When a tile of a hand is set off.

    Attributes:
        turned: least angle in degrees between its long axis and that of most of the hand's tiles.
        apart: least distance of its centre from the next tile's, in short sides of a tile; that of
            tiles that touch is 1 side by side and 4/3 one above another.
        together: largest such distance of any other tile.
        hand: least number of tiles, among which one can be told from the others.
    """

    turned: float = 55.0
    apart: float = 1.75
    together: float = 1.6
    hand: int = 5


SET_OFF: Final = SetOff()


def set_off(quads: Sequence[Sequence[Corner]]) -> int | None:
    """The index of the only tile that is turned, else of the only one that lies apart, if any.

    Args:
        quads: the corners of the faces of a hand's tiles.
    """
    if len(quads) < SET_OFF.hand:
        return None
    corners = np.asarray(quads, np.float64)
    turned = np.flatnonzero(_angles(corners) > SET_OFF.turned)
    if len(turned):
        return int(turned[0]) if len(turned) == 1 else None
    distances = _distances(corners)
    far = int(distances.argmax())
    others = np.delete(distances, far)
    alone = distances[far] >= SET_OFF.apart and others.max() <= SET_OFF.together
    return far if alone else None


def claimed_from(quads: Sequence[Sequence[Corner]]) -> Position | None:
    """Where the player sits from whom a set was claimed; None if no tile of it lies across.

    A tile that was added to a claimed pung lies across too, along the claimed one.

    Args:
        quads: the corners of the faces of the set's tiles, from its owner's left to right.
    """
    corners = np.asarray(quads, np.float64)
    centres = corners.mean(axis=1)
    row = np.linalg.svd(centres - centres.mean(axis=0))[2][0]
    up = sides(corners)[1]
    along = np.abs(up @ row) / np.linalg.norm(up, axis=1)
    across = np.flatnonzero(along > np.sin(np.radians(SET_OFF.turned))).tolist()
    if len(across) not in (1, len(quads) - 2):
        return None
    if across[0] == 0:
        return "left"
    return "right" if across[-1] == len(quads) - 1 else "far"


def _angles(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """The angle in degrees between each tile's long axis and that of most tiles."""
    up = sides(corners)[1]
    axes = np.degrees(np.arctan2(up[:, 1], up[:, 0]))
    differences = np.abs(axes[:, None] - axes[None, :]) % 180
    differences = np.minimum(differences, 180 - differences)
    usual = int(np.median(differences, axis=1).argmin())
    found: NDArray[np.float64] = differences[usual]
    return found


def _distances(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """The distance of each tile's centre from the next one's, in short sides of a tile."""
    centres = corners.mean(axis=1)
    across = np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)
    apart = np.linalg.norm(centres[:, None] - centres[None, :], axis=2)
    np.fill_diagonal(apart, np.inf)
    found: NDArray[np.float64] = apart.min(axis=1) / float(np.median(across))
    return found
