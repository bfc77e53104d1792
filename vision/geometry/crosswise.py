"""Whether tiles lie crosswise to those beside them, told by their sides alone.

Tiles are equally wide and equally high, and the table looks stretched alike around each. So what
makes one tile a rectangle as high as tiles are shows whether a tile beside it is too, or whether it
is wider than high.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.table_plane import USUAL_PROPORTION, sides

Floats = NDArray[np.float32]

_CUT: Final = 0.1
"""How far beyond the edge of the photo a corner may lie, in widths of the tile."""
_TINY: Final = 1e-9


def heights_beside(quads: Floats, nearness: Floats, size: tuple[int, int]) -> Floats:
    """How surely tiles are higher than wide, by the lie of the other tiles near them.

    Of tiles that the edge of the photo cuts off nobody knows how high they are.

    Args:
        quads: (n, 4, 2) face corners in pixels, clockwise.
        nearness: (n, n) how near the other tiles are to each.
        size: (height, width) of the photo.

    Returns:
        (2, n, n) to be summed over the others (last axis), from -1, surely wider than high, to 1:
        first if the other tile's right side is one of the higher ones, then if it is turned by a
        quarter.
    """
    right, up = sides(quads.astype(np.float64))
    standing = _height(right, up, right, up / USUAL_PROPORTION)
    crosswise = _height(right, up, right / USUAL_PROPORTION, up)
    margin = _CUT * np.linalg.norm(right, axis=1)[:, np.newaxis, np.newaxis]
    whole = ((quads > -margin) & (quads < np.array(size[::-1]) + margin)).all(axis=(1, 2))
    near = (nearness * whole) ** 2
    near *= whole[:, np.newaxis] / np.maximum(near.sum(axis=1, keepdims=True), _TINY)
    return np.asarray(np.stack([standing, crosswise]) * near, np.float32)


def _height(
    right: NDArray[np.float64],
    up: NDArray[np.float64],
    across: NDArray[np.float64],
    along: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The same (n, n) where ``across`` and ``along`` (n, 2) are as long as a tile is wide."""
    area = across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0]
    inverse = np.stack([along[:, ::-1] * (1, -1), across[:, ::-1] * (-1, 1)], axis=1)
    inverse /= np.where(np.abs(area) < _TINY, _TINY, area)[:, np.newaxis, np.newaxis]
    high, wide = (
        np.linalg.norm(np.einsum("jab,ib->ija", inverse, side), axis=2) for side in (up, right)
    )
    ratio = np.log(np.maximum(high, _TINY) / np.maximum(wide, _TINY))
    result: NDArray[np.float64] = np.clip(ratio / np.log(USUAL_PROPORTION), -1, 1)
    return result
