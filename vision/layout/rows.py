"""Finds the rows in which tiles lie, at any angle, and the groups within each row.

All distances are told in widths and heights of the tiles themselves, in the direction in which
the tiles stand, so that turning, scaling or tilting the photo changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.table_plane import cross, sides

Vectors = NDArray[np.float64]

SAME_DIRECTION: Final = float(np.cos(np.radians(25)))
"""Two tiles stand alike if the cosine of the angle between them is at least this."""

ACROSS_LIMIT: Final = 0.4
"""How far, in tile heights, a tile may lie before or behind its neighbour in the row."""

ALONG_LIMIT: Final = 4.0
"""How far, in tile widths between centres, the next tile of a row may lie."""

SIDEWAYS_LIMIT: Final = 2.2
"""How far, in tile widths between centres, a tile turned sideways may lie from its row."""

_TOUCHING: Final = 1.45
"""How far, in tile widths between centres, a tile turned sideways may lie from two others."""

_SECOND: Final = (1.55, 0.3)
"""How far it may lie from one other, in tile widths along and heights across, if no other does."""

GROUP_GAP: Final = 0.4
"""How much wider than usual, in tile widths, a gap must be to part two groups."""

_BESIDE: Final = 0.3
_USUAL_GAP_LIMIT: Final = 0.4
_STRAY_SIZE: Final = 2
_TINY: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Row:
    """Tiles that lie side by side.

    Attributes:
        groups: indices of the tiles from left to right, parted where the row has a wider gap.
    """

    groups: tuple[tuple[int, ...], ...]

    @property
    def members(self) -> tuple[int, ...]:
        """Indices of all the row's tiles from left to right."""
        return tuple(index for group in self.groups for index in group)


class _Geometry:
    """The tiles as vectors in pixels, and where each sees the others.

    Attributes:
        centres: (n, 2) middles of the faces.
        right: (n, 2) each tile's own side from left to right.
        up: (n, 2) each tile's own side from bottom to top.
        unit: (n, 2) ``right`` with length 1; to the photo's right for a tile of no width.
        cosines: (n, n) of the angles between the tiles' right sides.
        along: (n, n) how many widths to the viewer's right the other tile lies.
        across: (n, n) how many heights above the viewer the other tile lies.
    """

    def __init__(self, quads: NDArray[np.float32]) -> None:
        corners = quads.astype(np.float64)
        self.centres: Vectors = corners.mean(axis=1)
        self.right, self.up = sides(corners)
        lengths = np.linalg.norm(self.right, axis=1, keepdims=True)
        self.unit: Vectors = np.where(
            lengths < _TINY, [1.0, 0.0], self.right / np.maximum(lengths, _TINY)
        )
        self.cosines: Vectors = self.unit @ self.unit.T
        self.along, self.across = self._offsets()

    def __len__(self) -> int:
        return len(self.centres)

    @property
    def alike(self) -> NDArray[np.bool_]:
        """(n, n) whether two tiles stand in the same direction, up to half a turn."""
        return np.abs(self.cosines) >= SAME_DIRECTION

    @property
    def sideways(self) -> NDArray[np.bool_]:
        """(n, n) whether two tiles lie at right angles: one's upright side along the other's base.

        Seen at a slant the bases themselves meet at any angle.
        """
        lengths = np.linalg.norm(self.up, axis=1, keepdims=True)
        upright = self.up / np.maximum(lengths, _TINY)
        along: NDArray[np.bool_] = np.abs(self.unit @ upright.T) >= SAME_DIRECTION
        return (along | along.T) & ~self.alike

    def _offsets(self) -> tuple[Vectors, Vectors]:
        """Two tiles that stand alike measure with the mean of their sides."""
        signs = np.where(self.alike, np.sign(self.cosines), 0.0)[:, :, np.newaxis]
        counted = 1 + np.abs(signs)
        right = (self.right[:, np.newaxis] + signs * self.right[np.newaxis]) / counted
        up = (self.up[:, np.newaxis] + signs * self.up[np.newaxis]) / counted
        away = self.centres[np.newaxis] - self.centres[:, np.newaxis]
        area = cross(right, up)
        area = np.where(np.abs(area) < _TINY, np.nan, area)
        return cross(away, up) / area, cross(right, away) / area


def find_rows(quads: NDArray[np.float32]) -> tuple[Row, ...]:
    """The rows of the photo, the one farthest from the reader of the tiles first.

    Args:
        quads: (n, 4, 2) face corners in pixels; corner 0 is the top-left as read upright. A few
            tiles wrongly taken for upside down change nothing.

    Returns:
        Rows that together hold each of the n tiles once.
    """
    tiles = _Geometry(quads)
    if len(tiles) == 0:
        return ()
    clusters = _join_sideways(tiles, _clusters(tiles))
    axes = [_axis(tiles, cluster) for cluster in clusters]
    ordered = [
        [cluster[place] for place in np.argsort(tiles.centres[cluster] @ axis)]
        for cluster, axis in zip(clusters, axes, strict=True)
    ]
    gaps = [_gaps(tiles, row, axis) for row, axis in zip(ordered, axes, strict=True)]
    every_gap = [gap for row in gaps for gap in row]
    usual = float(np.clip(np.median(every_gap), 0, _USUAL_GAP_LIMIT)) if every_gap else 0.0
    rows = [Row(_split(row, found, usual)) for row, found in zip(ordered, gaps, strict=True)]
    toward = _toward_reader(tiles, clusters, axes)
    return tuple(
        sorted(rows, key=lambda row: float((tiles.centres[list(row.members)] @ toward).mean()))
    )


def _clusters(tiles: _Geometry) -> list[list[int]]:
    """Tiles chained to the nearest tile on either side of them that stands alike."""
    parent = list(range(len(tiles)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    beside = tiles.alike & (np.abs(tiles.across) < ACROSS_LIMIT)
    for towards in (tiles.along, -tiles.along):
        reach = np.where(beside & (towards > _BESIDE) & (towards <= ALONG_LIMIT), towards, np.inf)
        for viewer, other in enumerate(reach.argmin(axis=1)):
            if np.isfinite(reach[viewer, other]):
                parent[root(viewer)] = root(int(other))
    members: dict[int, list[int]] = {}
    for index in range(len(tiles)):
        members.setdefault(root(index), []).append(index)
    return list(members.values())


def _join_sideways(tiles: _Geometry, clusters: list[list[int]]) -> list[list[int]]:
    """Moves tiles that lie sideways at the end or in a gap of a row into that row."""
    home = np.empty(len(tiles), np.int64)
    for number, cluster in enumerate(clusters):
        home[cluster] = number
    sizes = np.array([len(cluster) for cluster in clusters])[home]
    near = tiles.sideways & (np.abs(tiles.across) < ACROSS_LIMIT)
    near &= (np.abs(tiles.along) > _BESIDE) & (np.abs(tiles.along) <= SIDEWAYS_LIMIT)
    longer = (sizes > _STRAY_SIZE)[:, np.newaxis] & (sizes <= _STRAY_SIZE)[np.newaxis]
    third = (sizes == 2)[:, np.newaxis] & (np.abs(tiles.along) <= _TOUCHING)
    second = (sizes == 1)[:, np.newaxis] & (np.abs(tiles.along) <= _SECOND[0])
    second &= (np.abs(tiles.across) <= _SECOND[1]) & tiles.sideways & (sizes == 1)[np.newaxis]
    second &= second.sum(axis=1, keepdims=True) == 1
    near &= longer | (third & (sizes == 1)[np.newaxis]) | second
    reach = np.where(near, np.abs(tiles.along), np.inf)
    for stray in np.flatnonzero(np.isfinite(reach.min(axis=0))):
        home[stray] = home[reach[:, stray].argmin()]
    joined: list[list[int]] = [[] for _ in clusters]
    for index, place in enumerate(home):
        joined[place].append(index)
    return [cluster for cluster in joined if cluster]


def _axis(tiles: _Geometry, cluster: Sequence[int]) -> Vectors:
    """The (2,) direction from left to right of the row, as most of its tiles see it."""
    alike = tiles.alike[np.ix_(cluster, cluster)]
    reference = int(alike.sum(axis=1).argmax())
    upright = np.asarray(cluster)[alike[reference]]
    signs = np.sign(tiles.cosines[cluster[reference], upright])
    mean: Vectors = (signs[:, np.newaxis] * tiles.unit[upright]).mean(axis=0)
    mean /= np.linalg.norm(mean)
    balance = float(signs.sum()) or float(np.sign(mean[np.abs(mean).argmax()]))
    return mean if balance > 0 else -mean


def _gaps(tiles: _Geometry, row: Sequence[int], axis: Vectors) -> list[float]:
    """The free space between neighbours of a sorted row, in tile widths."""
    extents = np.maximum(np.abs(tiles.right[row] @ axis), np.abs(tiles.up[row] @ axis))
    narrow = np.linalg.norm(tiles.right[row], axis=1)
    places = tiles.centres[row] @ axis
    return [
        float(places[k + 1] - places[k] - (extents[k] + extents[k + 1]) / 2)
        / float((narrow[k] + narrow[k + 1]) / 2)
        for k in range(len(row) - 1)
    ]


def _split(row: Sequence[int], gaps: Sequence[float], usual: float) -> tuple[tuple[int, ...], ...]:
    groups: list[list[int]] = [[row[0]]]
    for index, gap in zip(row[1:], gaps, strict=True):
        if gap > usual + GROUP_GAP:
            groups.append([])
        groups[-1].append(index)
    return tuple(tuple(group) for group in groups)


def _toward_reader(
    tiles: _Geometry, clusters: Sequence[Sequence[int]], axes: Sequence[Vectors]
) -> Vectors:
    """The (2,) direction from the tops of the tiles to the person who reads them upright."""
    total: Vectors = np.zeros(2)
    for cluster, axis in zip(clusters, axes, strict=True):
        total += len(cluster) * axis
    if np.linalg.norm(total) < 0.2 * len(tiles):
        total = max(zip(clusters, axes, strict=True), key=lambda pair: len(pair[0]))[1]
    return np.array([-total[1], total[0]])
