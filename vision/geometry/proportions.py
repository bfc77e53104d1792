"""How wide and high tiles look, against all tiles of the table and against those of their row.

Seen from above the table all tiles are alike, though those on a rack look longer or shorter than
those that lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.geometry.table_plane import sides

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]

_SHAPELIER: Final = 0.08
"""By how much a find must suit the table better in its other shape,"""
_SUITS_ROW: Final = 0.04
"""and by how much its row, if it is not its width alone that changes,"""
_AS_HIGH: Final = 0.08
"""which it does if its height does not change by more than this."""
_IN_ROW: Final = 0.4
"""How far before or behind another a tile of the same row lies at most, in heights,"""
_NEAR: Final = 3.6
"""how far beside it, in widths,"""
_ALONG: Final = 0.94
"""how parallel, as a cosine, and"""
_NEAREST: Final = 4
"""how many of these it is held against."""
_TINY: Final = 1e-6


class Shapes(NamedTuple):
    """How much wider and higher than usual n tiles look from above, (n, 2) logarithms each.

    Attributes:
        table: than the tiles of the whole table.
        row: than those beside them in the same row, or likewise where there is none.
    """

    table: Doubles
    row: Doubles

    def of(self, which: Ints, larger: Doubles | float = 0.0) -> Shapes:
        """Those of some of the tiles if they were so much larger, (m, 2) or all the same."""
        return Shapes(self.table[which] + larger, self.row[which] + larger)

    def misfit(self) -> Doubles:
        """How ill they suit the table and, half as much, their row: (n,)."""
        misfit: Doubles = np.hypot(*self.table.T) + np.hypot(*self.row.T) / 2
        return misfit

    def suit_better_than(self, before: Shapes) -> NDArray[np.bool_]:
        """Which of them (n,) suit their place clearly better than those before.

        A row on a rack is as high as it is; the width of a tile on it is that of all.
        """
        table = np.hypot(*self.table.T) < np.hypot(*before.table.T) - _SHAPELIER
        row = np.hypot(*self.row.T) < np.hypot(*before.row.T) - _SUITS_ROW
        as_high = np.abs(self.table - before.table)[:, 1] <= _AS_HIGH
        return np.asarray(table & (row | as_high), np.bool_)


def shapes_of(flat: Floats, beside: Sequence[Ints]) -> Shapes:
    """Of tiles (n, 4, 2) seen from above, and those beside each in its row."""
    table = sizes(flat)
    table -= np.median(table, axis=0)
    usual = np.array([_usual(table[row]) for row in beside])
    return Shapes(table, table - usual)


def _usual(larger: Doubles) -> Doubles:
    """The middle (2,) of logarithms (n, 2); 0 where there is none."""
    middle: Doubles = np.median(larger, axis=0) if len(larger) else np.zeros(2)
    return middle


def beside_in_row(flat: Floats) -> list[Ints]:
    """Of each of the tiles (n, 4, 2), seen from above, which lie nearest in the same row."""
    across, up = sides(flat.astype(np.float64))
    middles = flat.mean(axis=1).astype(np.float64)
    lengths = np.maximum(np.linalg.norm(across, axis=1), _TINY)
    found = []
    for index in range(len(flat)):
        frame = np.column_stack([across[index], up[index]])
        away = (middles - middles[index]) @ np.linalg.pinv(frame).T
        cosine = np.abs(across @ across[index]) / (lengths * lengths[index])
        beside = (np.abs(away[:, 1]) < _IN_ROW) & (np.abs(away[:, 0]) < _NEAR) & (cosine > _ALONG)
        beside[index] = False
        chosen = np.nonzero(beside)[0]
        found.append(chosen[np.argsort(np.abs(away[chosen, 0]), kind="stable")][:_NEAREST])
    return found


def sizes(quads: Floats) -> Doubles:
    """Logarithms (n, 2) of how wide and how high quads (n, 4, 2) are."""
    lengths = [np.linalg.norm(side, axis=-1) for side in sides(quads.astype(np.float64))]
    logarithms: Doubles = np.log(np.maximum(np.stack(lengths, axis=1), _TINY))
    return logarithms
