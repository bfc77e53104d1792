"""Where rows of tiles go on: places next to tiles, which may hold another or be empty."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.rectify import holds, inside, sides_of

Floats = NDArray[np.float32]

_TOUCHING: Final = 0.35
"""How far off, as a share of a step, a middle may be from where the next tile's would be."""
_STEP: Final = 1.03
"""From a lone tile to the next, in tiles: they seldom touch everywhere."""
_GROWTH: Final = (0.85, 1.18)
"""Of a tile to the next, by perspective."""


def continued(quads: Floats, shape: tuple[int, ...]) -> Floats:
    """Places (m, 4, 2) of one more tile at the ends of rows and round lone tiles.

    Each lies as far beyond the last tile of a row as that lies beyond the one before, and is seen
    as much larger or smaller as half their difference says; beside a lone tile it touches one of
    its sides. Places on known tiles or not wholly in the picture are left out.

    Args:
        quads: (n, 4, 2) face corners in pixels of the tiles that are known.
        shape: of the picture, height first.
    """
    middles, (widths, lengths) = quads.mean(axis=1), sides_of(quads)
    across = (quads[:, 1] + quads[:, 2] - quads[:, 0] - quads[:, 3]) / 2
    down = (quads[:, 2] + quads[:, 3] - quads[:, 0] - quads[:, 1]) / 2
    steps: Floats = np.stack([across, down, -across, -down], axis=1)
    beside = _beside(middles, steps)
    sizes = np.sqrt(widths * lengths)
    places: list[Floats] = []
    for tile, side in np.argwhere(beside < 0):
        before = beside[tile, (side + 2) % 4]
        if before >= 0:
            growth = float(np.sqrt(np.clip(sizes[tile] / sizes[before], *_GROWTH)))
            step = (middles[tile] - middles[before]) * growth
        elif (beside[tile] < 0).all():
            growth, step = 1.0, steps[tile, side] * _STEP
        else:
            continue
        place = (quads[tile] - middles[tile]) * growth + middles[tile] + step
        known = np.concatenate([quads, np.array(places, np.float32).reshape(-1, 4, 2)])
        if inside(place[np.newaxis], shape)[0] and not _same(place, known).any():
            places.append(place)
    return np.array(places, np.float32).reshape(-1, 4, 2)


def _same(quad: Floats, others: Floats) -> NDArray[np.bool_]:
    """(n,) which of the quads (n, 4, 2) can only be of the same tile as the quad (4, 2).

    The middle of one lies in the other.
    """
    middles, middle = others.mean(axis=1), quad.mean(axis=0)
    reach = float(np.linalg.norm(quad - middle, axis=1).max())
    near = np.nonzero(np.linalg.norm(middles - middle, axis=1) < 2 * reach)[0]
    told = np.zeros(len(others), np.bool_)
    for other in near:
        told[other] = holds(quad, middles[other]) or holds(others[other], middle)
    return told


def _beside(middles: Floats, steps: Floats) -> NDArray[np.int64]:
    """(n, 4) which tile lies on each side of each, -1 where none does."""
    beside = np.full(steps.shape[:2], -1)
    for tile, side in np.ndindex(*beside.shape):
        step = steps[tile, side]
        away = np.linalg.norm(middles - middles[tile] - step, axis=1)
        away[tile] = np.inf
        if away.min() < _TOUCHING * np.linalg.norm(step):
            beside[tile, side] = away.argmin()
    return beside
