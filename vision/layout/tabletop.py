"""The groups of tiles on the table: how far they lie from each other, and which way up.

Distances are in tile widths.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, SAME_UPSIDE_DOWN
from vision.geometry.table_plane import cross, sides
from vision.layout.groups import Group, gaps_between

Vectors = NDArray[np.float64]

ASKEW: Final = 12.0
"""Degrees by which a player's rows differ from each other, as a standard deviation."""
_FREE_GAP: Final = 1.3
"""Tile widths that may lie between the parts of a player's tiles and count for nothing."""
_RACK_GAP: Final = 5.0
"""Tile widths that lie between a row on a rack and the sets before it at most."""
_RACK_COST: Final = 0.25
_DISCARDS: Final = 2
"""Beside as many loose tiles what lies apart from a player's is among the discards,"""
_TOUCHING: Final = 0.3
"""or so near one, in tile widths."""
_HARDLY: Final = 0.1
"""How much a face that looks the same upside down counts where others are there to ask."""


class Tablecloth:
    """The groups on the table and how far they lie from each other.

    Args:
        groups: that together hold each tile once.
        quads: (n, 4, 2) corners on the table, in tile widths.
        labels: what the n tiles show.
    """

    def __init__(
        self, groups: Sequence[Group], quads: NDArray[np.float32], labels: Sequence[str]
    ) -> None:
        self.groups = groups
        self._telling = np.array([_telling(label) for label in labels])
        self.gaps = gaps_between(groups, quads)
        self._steps = np.maximum(self.gaps - _FREE_GAP, 0)
        corners = quads.astype(np.float64)
        self._up = sides(corners)[1]
        self._centres = corners.mean(axis=1)
        axes = np.array([group.axis for group in groups])
        turn = np.abs(np.degrees(np.arcsin(np.clip(cross(axes[:, np.newaxis], axes), -1, 1))))
        self.askew: Vectors = turn
        self.places = np.array([self._centres[list(g.members)].mean(axis=0) for g in groups])
        self.middle: Vectors = (self._centres.min(axis=0) + self._centres.max(axis=0)) / 2

    def mains(self) -> list[tuple[int, ...]]:
        """What may be the row of a hand: a group, or several loose ones in the same row."""
        found: list[tuple[int, ...]] = []
        for start, group in enumerate(self.groups):
            if not group.labels or group.is_wall or group.backs * 3 > len(group.labels):
                continue
            found.append((start,))
            end = start + 1
            while end < len(self.groups) and self._goes_on(start, end):
                found.append(tuple(range(start, end + 1)))
                end += 1
        return found

    def _goes_on(self, start: int, end: int) -> bool:
        """Whether a hand that begins with a group may reach as far as a later one."""
        first, last = self.groups[start], self.groups[end]
        loose = last.sets is None and not last.is_wall
        return first.row == last.row and loose and bool(self.gaps[end - 1, end] < 2 * _FREE_GAP)

    def toward(self, numbers: Sequence[int], axis: Vectors) -> Vectors:
        """The (2,) direction in which the reader of these groups looks, given their rows' own.

        Most tiles say it themselves; where they disagree, the middle of the table lies ahead.
        """
        normal = np.array([axis[1], -axis[0]])
        place = self.places[list(numbers)].mean(axis=0)
        ahead = np.tanh(float((self.middle - place) @ normal) / 4)
        return normal if self.upright(numbers, normal) + 0.6 * ahead >= 0 else -normal

    def upright(self, numbers: Sequence[int], toward: Vectors) -> float:
        """How upright the groups' tiles lie for who looks toward (2,): from -1, none, to 1, all."""
        members = [index for number in numbers for index in self.groups[number].members]
        weights = self._telling[members]
        told = float(np.sign(self._up[members] @ toward) @ weights)
        return told / float(weights.sum()) if weights.any() else 0.0

    def reach(self, main: Sequence[int]) -> Vectors:
        """The (g,) cost of the way from a hand's row to each group over sets and bonus tiles."""
        near = self.gaps[list(main)].min(axis=0)
        cost: Vectors = _RACK_COST * np.clip(near - _FREE_GAP, 0, _RACK_GAP - _FREE_GAP)
        cost += np.maximum(near - _RACK_GAP, 0)
        return self._over_stones(cost, main)

    def beyond(self, main: Sequence[int], number: int) -> Vectors:
        """The (g,) further cost of the way to each group over one that is a hand's own."""
        return self._over_stones(self._steps[number], main)

    def _over_stones(self, cost: Vectors, main: Sequence[int]) -> Vectors:
        """Costs (g,) of ways, if they may go over sets and bonus tiles in line with the hand."""
        count, steps = len(self.groups), self._steps
        stones = [
            n
            for n in self._in_line(main)
            if self.groups[n].likeness_to_sets() is not None or not self.groups[n].labels
        ]
        for _ in range(4):
            via = (cost[stones][:, np.newaxis] + steps[stones]) if stones else np.empty((0, count))
            better = np.minimum(cost, via.min(axis=0, initial=np.inf))
            if np.allclose(better, cost):
                break
            cost = better
        return cost

    def among_discards(self, main: Sequence[int]) -> NDArray[np.bool_]:
        """Which groups (g,) lie apart from a hand's row and its sets, and beside loose tiles."""
        others = ~np.eye(len(self.groups), dtype=np.bool_)
        near, touching = (others & (self.gaps < gap) for gap in (_FREE_GAP, _TOUCHING))
        loose = [
            n
            for n, group in enumerate(self.groups)
            if n not in main and len(group.members) == 1 and group.labels
        ]
        sets = [n for n in self._in_line(main) if self.groups[n].likeness_to_sets() is not None]
        among = near[:, loose].sum(axis=1) >= _DISCARDS
        among |= touching[:, loose].any(axis=1)
        return np.asarray(among & ~near[:, [*main, *sets]].any(axis=1), np.bool_)

    def behind_walls(self, main: Sequence[int]) -> NDArray[np.bool_]:
        """Which groups (g,) a hand's row has a wall before, so that they can hardly be its own."""
        here = self.places[list(main)].mean(axis=0)
        behind = np.zeros(len(self.groups), np.bool_)
        for wall in (group for group in self.groups if group.is_wall):
            first, last = self._centres[[wall.members[0], wall.members[-1]]]
            half = wall.axis * wall.direction / 2
            behind |= _crossed(here, self.places, first - half, last + half)
        return behind

    def _in_line(self, main: Sequence[int]) -> list[int]:
        """Numbers of the other groups that lie in line with a hand's row."""
        return [
            n
            for n in range(len(self.groups))
            if n not in main and self.askew[main[0], n] < 2 * ASKEW
        ]


def _telling(label: str) -> float:
    """How much a tile's word counts on which way up it lies."""
    if label == BACK:
        return 0.0
    return _HARDLY if label in SAME_UPSIDE_DOWN else 1.0


def _crossed(here: Vectors, places: Vectors, start: Vectors, end: Vectors) -> NDArray[np.bool_]:
    """Whether the ways from a place (2,) to each of others (n, 2) cross the line between ends."""
    line, ways = end - start, places - here
    aside = cross(line, here - start) * cross(line, places - start)
    along = cross(ways, start - here) * cross(ways, end - here)
    return np.asarray((aside < 0) & (along < 0), np.bool_)
