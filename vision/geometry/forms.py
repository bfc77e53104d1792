"""Whether finds have the form of the tiles nearby: few other things have, dice and cards least."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.table_plane import USUAL_PROPORTION

Doubles = NDArray[np.float64]

MOST: Final = 1.0
"""However unlike a find is, it counts no more."""
_NEAREST: Final = 8
"""How many of the nearest tiles a find is held against, and"""
_MOST_ALIKE: Final = 3
"""how many of them count, since some may stand on a rack and others lie."""
_LEAST_AREA: Final = 1.0
_TINY: Final = 1e-9


def unlike_in_form(quads: NDArray[np.float32], tiles: NDArray[np.intp]) -> Doubles:
    """How unlike the tiles near it each find is in form: (n,) from 0 to :data:`MOST`.

    Each is seen as from above a tile, which takes most of the perspective away whichever way round
    the two lie. Its width and its height against that tile's, as logarithms, and the cosine of the
    angle between them are taken together as by Pythagoras.

    Args:
        quads: (n, 4, 2) corners of the finds in pixels.
        tiles: (m,) indices of those that are tiles; none is held against itself.

    Returns:
        The mean over the tiles that it is most like; 0 where there is no tile.
    """
    corners = quads.astype(np.float64)
    across = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
    along = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 2
    frames = np.stack([across, along], axis=2)
    tiles = tiles[np.abs(np.linalg.det(frames[tiles])) >= _LEAST_AREA]
    from_above = np.diag([1.0, USUAL_PROPORTION]) @ np.linalg.inv(frames[tiles])
    middles = corners.mean(axis=1)
    away = np.linalg.norm(middles[:, np.newaxis] - middles[tiles], axis=2)
    away[tiles, np.arange(len(tiles))] = np.inf
    near = np.argsort(away, axis=1)[:, :_NEAREST]
    unlike = _unlike(from_above[near] @ frames[:, np.newaxis])
    unlike[np.isinf(np.take_along_axis(away, near, axis=1))] = np.nan
    alike = np.sort(unlike, axis=1)[:, :_MOST_ALIKE]
    others = np.maximum((~np.isnan(alike)).sum(axis=1), 1)
    told: Doubles = np.minimum(np.nansum(alike, axis=1) / others, MOST)
    return told


def _unlike(sides: Doubles) -> Doubles:
    """(n, m) of sides (n, m, 2, 2), in columns, in widths of a tile."""
    lengths = np.maximum(np.linalg.norm(sides, axis=-2), _TINY)
    wide, high = lengths[..., 0], lengths[..., 1]
    slant = (sides[..., 0] * sides[..., 1]).sum(axis=-1) / (wide * high)
    away: Doubles = np.hypot(np.hypot(np.log(wide), np.log(high / USUAL_PROPORTION)), slant)
    return away
