"""Whether tiles have the size and shape of the other tiles of the photo.

All tiles of a game are equally wide and high, and the table looks stretched alike around each of
them. So the tiles near a detection show which shape a tile has there, and the tiles of a row show
which of its tiles lie crosswise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.geometry.table_plane import USUAL_PROPORTION, sides

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class BetterShape:
    """When a tile suits its place clearly better in another shape.

    Attributes:
        table_gain: minimum decrease of its difference in logarithmic size from the table's tiles.
        row_gain: minimum decrease of its difference in logarithmic size from the tiles of its row,
            not needed where the height stays.
        height_change: maximum change of its logarithmic height for the height to count as the same.
    """

    table_gain: float = 0.08
    row_gain: float = 0.04
    height_change: float = 0.08


BETTER_SHAPE: Final = BetterShape()


@dataclass(frozen=True, slots=True)
class RowNeighbours:
    """Which tiles count as the neighbours of a tile in its row.

    Attributes:
        across: maximum distance of their middles before or behind its own, in its heights.
        along: maximum distance of their middles beside its own, in its widths.
        parallel: minimum cosine of the angle between their upper sides and its own.
        count: maximum number of neighbours; the nearest are kept.
    """

    across: float = 0.4
    along: float = 3.6
    parallel: float = 0.94
    count: int = 4


ROW_NEIGHBOURS: Final = RowNeighbours()


@dataclass(frozen=True, slots=True)
class ShapeComparison:
    """How a detection's shape is compared with the tiles around it.

    Attributes:
        nearest: number of nearest tiles with which it is compared.
        most_alike: number of these that count, the most similar ones; the others may stand on a
            rack where these lie.
        most: maximum difference that is given.
        least_area: minimum area in square pixels of a tile with which another can be compared.
    """

    nearest: int = 8
    most_alike: int = 3
    most: float = 1.0
    least_area: float = 1.0


SHAPE_COMPARISON: Final = ShapeComparison()

_CUT: Final = 0.1
"""Maximum distance of a whole tile's corners beyond the edge of the photo, in tile widths."""
_TINY: Final = 1e-9
"""Smallest area, length or sum by which is divided or of which a logarithm is formed."""
_LEAST_LENGTH: Final = 1e-6
"""Smallest length of a side of which a logarithm is formed, in the unit of the quads."""


class Shapes(NamedTuple):
    """Sizes of n tiles seen from above against the usual size, as logarithms (n, 2).

    The columns are width and height; 0 means as wide or high as usual.

    Attributes:
        table: against the tiles of the whole table.
        row: against the neighbours in the same row, or the whole table where there is none.
    """

    table: Doubles
    row: Doubles

    def of(self, which: Ints, larger: Doubles | float = 0.0) -> Shapes:
        """The shapes of tiles ``which`` (m,) after adding ``larger``, one logarithm or (m, 2)."""
        return Shapes(self.table[which] + larger, self.row[which] + larger)

    def misfit(self) -> Doubles:
        """Difference from the table plus half the difference from the row: (n,)."""
        misfit: Doubles = np.hypot(*self.table.T) + np.hypot(*self.row.T) / 2
        return misfit

    def suit_better_than(self, before: Shapes) -> NDArray[np.bool_]:
        """Which shapes (n,) suit their place clearly better than those before.

        Tiles on a rack are as high as their row looks; a tile's width is that of the whole table.
        """
        table = np.hypot(*self.table.T) < np.hypot(*before.table.T) - BETTER_SHAPE.table_gain
        row = np.hypot(*self.row.T) < np.hypot(*before.row.T) - BETTER_SHAPE.row_gain
        as_high = np.abs(self.table - before.table)[:, 1] <= BETTER_SHAPE.height_change
        return np.asarray(table & (row | as_high), np.bool_)


def shapes_of(flat: Floats, beside: Sequence[Ints]) -> Shapes:
    """The shapes of tiles.

    Args:
        flat: (n, 4, 2) corners as seen from above, as in
            :class:`vision.geometry.table_plane.TablePlane`.
        beside: indices of the neighbours of each tile, as :func:`beside_in_row` gives them.
    """
    table = sizes(flat)
    table -= np.median(table, axis=0)
    usual = np.array([_median(table[row]) for row in beside])
    return Shapes(table, table - usual)


def _median(logarithms: Doubles) -> Doubles:
    """The median (2,) of (n, 2), or 0 if n is 0."""
    median: Doubles = np.median(logarithms, axis=0) if len(logarithms) else np.zeros(2)
    return median


def beside_in_row(flat: Floats) -> list[Ints]:
    """Indices of the neighbours of each of the tiles in its row, the nearest first.

    Args:
        flat: (n, 4, 2) corners as seen from above.
    """
    across, up = sides(flat.astype(np.float64))
    middles = flat.mean(axis=1).astype(np.float64)
    lengths = np.maximum(np.linalg.norm(across, axis=1), _LEAST_LENGTH)
    neighbours = []
    for index in range(len(flat)):
        frame = np.column_stack([across[index], up[index]])
        away = (middles - middles[index]) @ np.linalg.pinv(frame).T
        cosine = np.abs(across @ across[index]) / (lengths * lengths[index])
        beside = np.abs(away[:, 1]) < ROW_NEIGHBOURS.across
        beside &= np.abs(away[:, 0]) < ROW_NEIGHBOURS.along
        beside &= cosine > ROW_NEIGHBOURS.parallel
        beside[index] = False
        chosen = np.nonzero(beside)[0]
        nearest = np.argsort(np.abs(away[chosen, 0]), kind="stable")
        neighbours.append(chosen[nearest][: ROW_NEIGHBOURS.count])
    return neighbours


def sizes(quads: Floats) -> Doubles:
    """Logarithms (n, 2) of the widths and heights of quads (n, 4, 2)."""
    lengths = [np.linalg.norm(side, axis=-1) for side in sides(quads.astype(np.float64))]
    logarithms: Doubles = np.log(np.maximum(np.stack(lengths, axis=1), _LEAST_LENGTH))
    return logarithms


def shape_difference(quads: Floats, tiles: Ints) -> Doubles:
    """How much the shape of each detection differs from the tiles near it.

    Each is compared in the view from above a tile, which removes most of the perspective whichever
    way round the two lie. The difference is the Euclidean norm of three numbers: the logarithms of
    its width and of its height against that tile, and the cosine of the angle between its sides.

    Args:
        quads: (n, 4, 2) corners in pixels.
        tiles: (m,) indices of the detections that are tiles; none is compared with itself.

    Returns:
        (n,) float64 from 0 to ``SHAPE_COMPARISON.most``: the mean over the most similar tiles, 0
        where there is no tile.
    """
    corners = quads.astype(np.float64)
    across = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
    along = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 2
    frames = np.stack([across, along], axis=2)
    tiles = tiles[np.abs(np.linalg.det(frames[tiles])) >= SHAPE_COMPARISON.least_area]
    from_above = np.diag([1.0, USUAL_PROPORTION]) @ np.linalg.inv(frames[tiles])
    middles = corners.mean(axis=1)
    away = np.linalg.norm(middles[:, np.newaxis] - middles[tiles], axis=2)
    away[tiles, np.arange(len(tiles))] = np.inf
    near = np.argsort(away, axis=1)[:, : SHAPE_COMPARISON.nearest]
    differences = _differences(from_above[near] @ frames[:, np.newaxis])
    differences[np.isinf(np.take_along_axis(away, near, axis=1))] = np.nan
    alike = np.sort(differences, axis=1)[:, : SHAPE_COMPARISON.most_alike]
    others = np.maximum((~np.isnan(alike)).sum(axis=1), 1)
    mean: Doubles = np.minimum(np.nansum(alike, axis=1) / others, SHAPE_COMPARISON.most)
    return mean


def _differences(frames: Doubles) -> Doubles:
    """Differences (n, m) from a usual tile; the sides (n, m, 2, 2) are columns in tile widths."""
    lengths = np.maximum(np.linalg.norm(frames, axis=-2), _TINY)
    wide, high = lengths[..., 0], lengths[..., 1]
    slant = (frames[..., 0] * frames[..., 1]).sum(axis=-1) / (wide * high)
    norm: Doubles = np.hypot(np.hypot(np.log(wide), np.log(high / USUAL_PROPORTION)), slant)
    return norm


def heights_beside(quads: Floats, nearness: Floats, size: tuple[int, int]) -> Floats:
    """How clearly tiles are higher than wide, judged by the sides of the tiles near them.

    If a tile beside it is a rectangle of the usual proportion, the same view shows whether this
    tile is higher than wide too, or lies crosswise. A tile that the edge of the photo cuts off has
    no known height and counts nothing.

    Args:
        quads: (n, 4, 2) face corners in pixels, clockwise.
        nearness: (n, n) how near the other tiles are to each.
        size: (height, width) of the photo.

    Returns:
        (2, n, n) to be summed over the others (last axis), from -1, clearly wider than high, to 1:
        first if the other tile is upright as its corners say, then if it is turned by a quarter.
    """
    right, up = sides(quads.astype(np.float64))
    standing = _heights(right, up, right, up / USUAL_PROPORTION)
    crosswise = _heights(right, up, right / USUAL_PROPORTION, up)
    margin = _CUT * np.linalg.norm(right, axis=1)[:, np.newaxis, np.newaxis]
    whole = ((quads > -margin) & (quads < np.array(size[::-1]) + margin)).all(axis=(1, 2))
    near = (nearness * whole) ** 2
    near *= whole[:, np.newaxis] / np.maximum(near.sum(axis=1, keepdims=True), _TINY)
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
