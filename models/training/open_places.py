"""Places beside known tiles where another tile may lie: in gaps and at the ends of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.overlap import duplicates
from vision.geometry.quads import inside, sides_of, turned_like
from vision.geometry.table_plane import sides

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RowSteps:
    """How the tiles of a row follow each other.

    Attributes:
        tolerance: maximum distance of a tile's middle from the middle of the expected next tile, as
            a share of a step.
        step: distance from a lone tile to one beside it, in its widths or heights; tiles seldom
            touch along a whole side.
        growth: smallest and largest ratio of a tile's size to the size of the one before it, by
            perspective.
    """

    tolerance: float = 0.35
    step: float = 1.03
    growth: tuple[float, float] = (0.85, 1.18)


ROW_STEPS: Final = RowSteps()


def open_places(quads: Floats, shape: tuple[int, ...]) -> Floats:
    """Places (m, 4, 2) for one more tile in each gap, at each end of a row and around a lone tile.

    A place in a gap of one tile lies midway. A place at an end lies as far beyond the last tile as
    that lies beyond the one before, and changes its size by half of their difference. Places on
    known tiles or not wholly inside the picture are left out.

    Args:
        quads: (n, 4, 2) face corners in pixels of the known tiles.
        shape: shape of the picture, height first.
    """
    middles = quads.mean(axis=1)
    across, up = sides(quads.astype(np.float64))
    steps = np.stack([across, -up, -across, up], axis=1)
    beside, beyond = (_reached(middles, steps, count) for count in (1, 2))
    sizes = np.sqrt(np.prod(sides_of(quads), axis=0))
    gaps: list[Floats] = []
    ends: list[Floats] = []
    for tile, side in np.argwhere(beside < 0):
        before, after = beside[tile, (side + 2) % 4], beyond[tile, side]
        if after >= 0:
            gaps.append((quads[tile] + turned_like(quads[after], quads[tile])) / 2)
        elif before >= 0:
            growth = float(np.sqrt(np.clip(sizes[tile] / sizes[before], *ROW_STEPS.growth)))
            ends.append(_further(quads[tile], middles[tile] - middles[before], growth))
        elif (beside[tile] < 0).all():
            ends.append(_further(quads[tile], steps[tile, side] * ROW_STEPS.step, 1.0))
    places = np.array([*gaps, *ends], np.float32).reshape(-1, 4, 2)
    places = places[inside(places, shape)]
    kept: Floats = places[~duplicates(places, quads)]
    return kept


def _further(quad: Floats, step: NDArray[np.floating], growth: float) -> Floats:
    """The quad (4, 2) scaled by ``growth``, its middle moved by ``growth`` times a step (2,)."""
    middle = quad.mean(axis=0)
    further: Floats = (quad - middle + step) * growth + middle
    return further


def _reached(middles: Floats, steps: Doubles, count: int) -> NDArray[np.int64]:
    """Index (n, 4) of the tile that lies ``count`` steps to each side of each tile, -1 for none."""
    places = middles[:, np.newaxis] + count * steps
    nowhere = np.full((*places.shape[:2], 1), np.inf)
    away = np.concatenate([np.linalg.norm(places[:, :, np.newaxis] - middles, axis=3), nowhere], 2)
    every = np.arange(len(middles))
    away[every, :, every] = np.inf
    far = away.min(axis=2) >= ROW_STEPS.tolerance * np.linalg.norm(steps, axis=2)
    return np.where(far, -1, away.argmin(axis=2))
