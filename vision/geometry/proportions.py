"""Which tiles lie crosswise, by the shape of the other tiles of the photo.

All tiles of a game are equally wide and high, and the table looks stretched alike around each of
them. So the tiles near another show which shape it has there if it lies as they do.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.table_plane import USUAL_PROPORTION, sides

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

_TINY: Final = 1e-9
"""Smallest area, length or sum by which is divided or of which a logarithm is formed."""


def heights_beside(quads: Floats, nearness: Floats) -> Floats:
    """How clearly tiles are higher than wide, judged by the sides of the tiles near them.

    If a tile beside it is a rectangle of the usual proportion, the same view shows whether this
    tile is higher than wide too, or lies crosswise.

    Args:
        quads: (n, 4, 2) face corners in pixels, clockwise.
        nearness: (n, n) how near the other tiles are to each.

    Returns:
        (2, n, n) to be summed over the others (last axis), from -1, clearly wider than high, to 1:
        first if the other tile is upright as its corners say, then if it is turned by a quarter.
    """
    right, up = sides(quads.astype(np.float64))
    standing = _heights(right, up, right, up / USUAL_PROPORTION)
    crosswise = _heights(right, up, right / USUAL_PROPORTION, up)
    near = nearness**2
    near /= np.maximum(near.sum(axis=1, keepdims=True), _TINY)
    return np.asarray(np.stack([standing, crosswise]) * near, np.float32)


def _heights(right: Doubles, up: Doubles, across: Doubles, along: Doubles) -> Doubles:
    """How clearly each tile is higher than wide in the view of each other: (n, n) from -1 to 1.

    Args:
        right: (n, 2) upper side of each tile in pixels.
        up: (n, 2) left side of each tile in pixels.
        across: (n, 2) one tile width along the upper side, at the place of each tile.
        along: (n, 2) one tile width along the left side, at the place of each tile.
    """
    area = across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0]
    inverse = np.stack([along[:, ::-1] * (1, -1), across[:, ::-1] * (-1, 1)], axis=1)
    inverse /= np.where(np.abs(area) < _TINY, _TINY, area)[:, np.newaxis, np.newaxis]
    high, wide = (
        np.linalg.norm(np.einsum("jab,ib->ija", inverse, side), axis=2) for side in (up, right)
    )
    ratio = np.log(np.maximum(high, _TINY) / np.maximum(wide, _TINY))
    result: Doubles = np.clip(ratio / np.log(USUAL_PROPORTION), -1, 1)
    return result
