"""The rows in which tiles lie, at any angle, and the groups within each row.

All distances are measured in widths and heights of the tiles themselves, in the direction in which
the tiles stand, so that rotating, scaling or tilting the photo changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK
from vision.geometry.table_plane import cross, sides

Vectors = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SameRow:
    """When two tiles are neighbours in one row.

    "Along" and "across" are measured between centres in the direction in which the tiles stand, in
    tile widths and tile heights.

    Attributes:
        direction: least cosine of the angle between tiles that stand in the same direction.
        across: largest distance across of a neighbour.
        beside: least distance along of a neighbour; a nearer tile lies on top, not beside.
        along: largest distance along of a neighbour that stands in the same direction.
        sideways: largest distance along of a tile turned sideways from a row of three or more.
        sideways_of_few: the same of a single tile from a row of two tiles, or from another single
            one if there is no other tile to join.
        touching: largest difference from a width of the distance between tiles that touch.
        stray: largest number of tiles in a row that a longer row may take in as turned sideways.
    """

    direction: float = float(np.cos(np.radians(25)))
    across: float = 0.4
    beside: float = 0.3
    along: float = 4.0
    sideways: float = 2.2
    sideways_of_few: float = 1.55
    touching: float = 0.35
    stray: int = 2


@dataclass(frozen=True, slots=True)
class WideGap:
    """When a gap between neighbours of a row parts two groups, in tile widths.

    Attributes:
        more: by how much the gap must be wider than the photo's usual gap.
        usual: largest usual gap that is assumed; the usual gap is the median of all gaps.
    """

    more: float = 0.4
    usual: float = 0.4


SAME_ROW: Final = SameRow()
WIDE_GAP: Final = WideGap()

_TINY: Final = 1e-6
"""Lengths in pixels, and areas in square pixels, below which a quad is degenerate."""
_CONTRADICTORY: Final = 0.2
"""Mean of the rows' directions, weighted by their tiles, below which they contradict each other."""


@dataclass(frozen=True, slots=True)
class Row:
    """Tiles that lie side by side.

    Attributes:
        groups: indices of the tiles from left to right, one tuple for each part between wide gaps.
    """

    groups: tuple[tuple[int, ...], ...]

    @property
    def members(self) -> tuple[int, ...]:
        """Indices of all the row's tiles from left to right."""
        return tuple(index for group in self.groups for index in group)


class _Geometry:
    """The tiles as vectors in pixels, and the place of each tile as seen from each other one.

    Attributes:
        centres: (n, 2) middles of the faces.
        right: (n, 2) each tile's own side from left to right.
        up: (n, 2) each tile's own side from bottom to top.
        unit: (n, 2) ``right`` with length 1; to the photo's right for a tile of no width.
        cosines: (n, n) of the angles between the tiles' right sides.
        along: (n, n) distance of the second tile to the right of the first, in tile widths.
        across: (n, n) distance of the second tile above the first, in tile heights.
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
        return np.abs(self.cosines) >= SAME_ROW.direction

    @property
    def sideways(self) -> NDArray[np.bool_]:
        """(n, n) whether two tiles lie at right angles: one's upright side along the other's base.

        In an oblique view the bases themselves may meet at any angle.
        """
        lengths = np.linalg.norm(self.up, axis=1, keepdims=True)
        upright = self.up / np.maximum(lengths, _TINY)
        along: NDArray[np.bool_] = np.abs(self.unit @ upright.T) >= SAME_ROW.direction
        return (along | along.T) & ~self.alike

    def _offsets(self) -> tuple[Vectors, Vectors]:
        """Distances along and across, (n, n) each, in the mean sides of tiles that stand alike."""
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
        quads: (n, 4, 2) float32 face corners in pixels; corner 0 is the top-left as read upright. A
            few tiles wrongly given upside down change nothing.

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
    usual = float(np.clip(np.median(every_gap), 0, WIDE_GAP.usual)) if every_gap else 0.0
    rows = [Row(_split(row, found, usual)) for row, found in zip(ordered, gaps, strict=True)]
    toward = _toward_reader(tiles, clusters, axes)
    return tuple(
        sorted(rows, key=lambda row: float((tiles.centres[list(row.members)] @ toward).mean()))
    )


def with_added_kongs(
    rows: Sequence[Row], quads: NDArray[np.float32], labels: Sequence[str]
) -> tuple[Row, ...]:
    """The rows with the fourth tile of each added kong after the tile along which it lies.

    Who adds a tile to a claimed pung lays it along the one that lies sideways, so that it is in
    line with no other.

    Args:
        rows: as :func:`find_rows` gives them.
        quads: (n, 4, 2) float32 face corners, as there.
        labels: labels of the n tiles.
    """
    tiles = _Geometry(quads)
    groups = [[list(group) for group in row.groups] for row in rows]
    for added, sideways, upright in _added(tiles, labels):
        together = next(group for row in groups for group in row if upright[0] in group)
        places = tiles.along[upright[0]]
        backward = bool(places[together[-1]] < places[together[0]])
        kong = {added, sideways, *upright}
        row_of_kong = sorted({*together, *kong} - {added}, key=places.__getitem__, reverse=backward)
        for group in (group for row in groups for group in row):
            group[:] = [index for index in group if index not in kong]
        together[:] = row_of_kong
        together.insert(together.index(sideways) + 1, added)
    return tuple(Row(tuple(tuple(group) for group in row if group)) for row in groups if any(row))


def _added(tiles: _Geometry, labels: Sequence[str]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Tiles added to pungs: each with the one along which it lies, and the two upright ones."""
    faces = np.array(labels)
    same = (faces[:, np.newaxis] == faces) & (faces != BACK)
    along, across = np.abs(tiles.along), np.abs(tiles.across)
    touching = same & tiles.alike & (np.abs(along - 1) < SAME_ROW.touching)
    touching &= across < SAME_ROW.across
    in_line = same & tiles.sideways & (across < SAME_ROW.across)
    in_line &= (along > SAME_ROW.beside) & (along <= SAME_ROW.along)
    for sideways, added in np.argwhere(touching).tolist():
        upright = tuple(np.flatnonzero(in_line[:, sideways] & ~in_line[:, added]).tolist())
        if len(upright) == 2:
            yield added, sideways, upright


def _clusters(tiles: _Geometry) -> list[list[int]]:
    """Indices of tiles, each linked to the nearest tile on either side that stands alike."""
    parent = list(range(len(tiles)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    beside = tiles.alike & (np.abs(tiles.across) < SAME_ROW.across)
    for towards in (tiles.along, -tiles.along):
        reach = np.where(
            beside & (towards > SAME_ROW.beside) & (towards <= SAME_ROW.along), towards, np.inf
        )
        for viewer, other in enumerate(reach.argmin(axis=1)):
            if np.isfinite(reach[viewer, other]):
                parent[root(viewer)] = root(int(other))
    members: dict[int, list[int]] = {}
    for index in range(len(tiles)):
        members.setdefault(root(index), []).append(index)
    return list(members.values())


def _join_sideways(tiles: _Geometry, clusters: list[list[int]]) -> list[list[int]]:
    """Move tiles that lie sideways at the end or in a gap of a row into that row."""
    home = np.empty(len(tiles), np.int64)
    for number, cluster in enumerate(clusters):
        home[cluster] = number
    sizes = np.array([len(cluster) for cluster in clusters])[home]
    near = tiles.sideways & (np.abs(tiles.across) < SAME_ROW.across)
    near &= (np.abs(tiles.along) > SAME_ROW.beside) & (np.abs(tiles.along) <= SAME_ROW.sideways)
    longer = (sizes > SAME_ROW.stray)[:, np.newaxis] & (sizes <= SAME_ROW.stray)[np.newaxis]
    single = near & (np.abs(tiles.along) <= SAME_ROW.sideways_of_few) & (sizes == 1)
    third = single & (sizes == 2)[:, np.newaxis]
    second = single & (sizes == 1)[:, np.newaxis]
    second &= second.sum(axis=1, keepdims=True) == 1
    near = (near & longer) | third | second
    reach = np.where(near, np.abs(tiles.along), np.inf)
    for stray in np.flatnonzero(np.isfinite(reach.min(axis=0))):
        home[stray] = home[reach[:, stray].argmin()]
    joined: list[list[int]] = [[] for _ in clusters]
    for index, place in enumerate(home):
        joined[place].append(index)
    return [cluster for cluster in joined if cluster]


def _axis(tiles: _Geometry, cluster: Sequence[int]) -> Vectors:
    """The unit direction (2,) of the row from left to right, as most of its tiles stand."""
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
    """Split a row at the gaps that are wider than the usual one."""
    groups: list[list[int]] = [[row[0]]]
    for index, gap in zip(row[1:], gaps, strict=True):
        if gap > usual + WIDE_GAP.more:
            groups.append([])
        groups[-1].append(index)
    return tuple(tuple(group) for group in groups)


def _toward_reader(
    tiles: _Geometry, clusters: Sequence[Sequence[int]], axes: Sequence[Vectors]
) -> Vectors:
    """The direction (2,) from the tops of the tiles to the person who reads them upright."""
    total: Vectors = np.zeros(2)
    for cluster, axis in zip(clusters, axes, strict=True):
        total += len(cluster) * axis
    if np.linalg.norm(total) < _CONTRADICTORY * len(tiles):
        total = max(zip(clusters, axes, strict=True), key=lambda pair: len(pair[0]))[1]
    return np.array([-total[1], total[0]])
