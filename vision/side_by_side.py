"""How well finds lie in a row with tiles: few other things have a tile's size, place and angle."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]

_APART: Final = (1.0, 1.12)
"""From middle to middle of tiles side by side, in their widths or lengths."""
_TOLERANCE: Final = 0.2
"""How far off, in the same measure, place and sides of a find are that still lies rather so."""
_LEAST_AREA: Final = 1.0


def side_by_side(quads: NDArray[np.float32], tiles: NDArray[np.intp]) -> Doubles:
    """How well each find lies beside one of the tiles, or above or below it: (n,) from 0 to 1.

    Each is seen as from above the other tile, which takes most of the perspective away.

    Args:
        quads: (n, 4, 2) corners of the finds in pixels.
        tiles: (m,) indices of those that are tiles; none is held against itself.
    """
    corners = quads.astype(np.float64)
    across = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
    along = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 2
    frames = np.stack([across, along], axis=2)
    tiles = tiles[np.abs(np.linalg.det(frames[tiles])) >= _LEAST_AREA]
    seen = np.linalg.inv(frames[tiles])
    middles = corners.mean(axis=1)
    steps = (middles[:, np.newaxis] - middles[tiles])[..., np.newaxis]
    away = np.abs(seen @ steps)[..., 0]
    beyond = away - np.clip(away, *_APART)
    off = np.hypot(beyond, away[..., ::-1]).min(axis=2)
    sides = np.abs(seen @ frames[:, np.newaxis])
    ways = (np.eye(2), np.eye(2)[::-1])
    unlike = np.min([np.abs(sides - way).max(axis=(2, 3)) for way in ways], axis=0)
    suits = np.exp(-(off**2 + unlike**2) / (2 * _TOLERANCE**2))
    suits[tiles, np.arange(len(tiles))] = 0
    return np.asarray(suits.max(axis=1, initial=0.0), np.float64)
