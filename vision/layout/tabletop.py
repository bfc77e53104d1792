"""The groups of tiles on the table: the distances between them, and which way is up for them.

Distances are in tile widths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK
from vision.geometry.table_plane import cross, sides
from vision.layout.groups import Group, gaps_between

Vectors = NDArray[np.float64]

ASKEW: Final = 12.0
"""Standard deviation in degrees of the angle between two rows of one player."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The cost of the way from a hand to another group, in tile widths.

    Attributes:
        free: length of a gap between parts of a player's tiles that costs nothing.
        rack: largest length of the gap between a row on a rack and the melds before it.
        rack_cost: cost of each tile width of such a gap beyond ``free``; others cost 1.
    """

    free: float = 1.3
    rack: float = 5.0
    rack_cost: float = 0.25


REACH: Final = Reach()
TOUCHING: Final = 0.3
"""Distance in tile widths within which tiles touch."""

_MIDDLE_WEIGHT: Final = 0.6
"""Weight of the middle of the table, which lies ahead of a player, if it is far."""
_MIDDLE_FAR: Final = 4.0
"""Distance of the middle in tile widths at which about three quarters of that weight count."""


class Tabletop:
    """The groups on the table and the distances between them.

    Args:
        groups: the g groups, which together hold each tile once.
        quads: (n, 4, 2) corners on the table plane, in tile widths.
        labels: labels of the n tiles.

    Attributes:
        groups: the groups.
        gaps: (g, g) free space between groups.
        askew: (g, g) angles in degrees between the directions of groups, 0..90.
        places: (g, 2) centres of the groups.
        middle: (2,) middle of the area where tiles lie.
    """

    def __init__(
        self, groups: Sequence[Group], quads: NDArray[np.float32], labels: Sequence[str]
    ) -> None:
        self.groups = groups
        self._shown = np.array([label != BACK for label in labels])
        self.gaps = gaps_between(groups, quads)
        self._steps = np.maximum(self.gaps - REACH.free, 0)
        sizes = np.array([len(group.members) for group in groups])
        others = ~np.eye(len(groups), dtype=np.bool_)
        touching = others & (self.gaps < TOUCHING)
        self._touching = np.where(touching, np.minimum(sizes[:, np.newaxis], sizes), 0)
        corners = quads.astype(np.float64)
        self._up = sides(corners)[1]
        self._centres = corners.mean(axis=1)
        axes = np.array([group.axis for group in groups])
        turn = np.abs(np.degrees(np.arcsin(np.clip(cross(axes[:, np.newaxis], axes), -1, 1))))
        self.askew: Vectors = turn
        self.places = np.array([self._centres[list(g.members)].mean(axis=0) for g in groups])
        self.middle: Vectors = (self._centres.min(axis=0) + self._centres.max(axis=0)) / 2

    def mains(self) -> list[tuple[int, ...]]:
        """The groups that may be the row of a hand: one, or several loose ones in the same row."""
        found: list[tuple[int, ...]] = []
        for start, group in enumerate(self.groups):
            hidden = group.is_wall or group.backs * 3 > len(group.labels)
            if not group.labels or hidden or group.is_exposed_kong:
                continue
            found.append((start,))
            end = start + 1
            while end < len(self.groups) and self._goes_on(start, end):
                found.append(tuple(range(start, end + 1)))
                end += 1
        return found

    def _goes_on(self, start: int, end: int) -> bool:
        """Whether a hand whose row begins with group ``start`` may go on to group ``end``."""
        first, last = self.groups[start], self.groups[end]
        return (
            first.row == last.row
            and last.is_loose
            and bool(self.gaps[end - 1, end] < 2 * REACH.free)
        )

    def toward(self, numbers: Sequence[int], axis: Vectors) -> Vectors:
        """The direction (2,) in which the player of these groups looks, across ``axis``.

        The tiles vote by their own uprights; where they disagree, the middle of the table lies
        ahead.
        """
        normal = np.array([axis[1], -axis[0]])
        place = self.places[list(numbers)].mean(axis=0)
        ahead = np.tanh(float((self.middle - place) @ normal) / _MIDDLE_FAR)
        return normal if self.upright(numbers, normal) + _MIDDLE_WEIGHT * ahead >= 0 else -normal

    def upright(self, numbers: Sequence[int], toward: Vectors) -> float:
        """How upright the tiles lie for a player looking ``toward``, from -1 (none) to 1 (all)."""
        members = [index for number in numbers for index in self.groups[number].members]
        up = self._up[members][self._shown[members]]
        return float(np.sign(up @ toward).mean()) if len(up) else 0.0

    def reach(self, main: Sequence[int]) -> Vectors:
        """The cost (g,) of the way from a hand's row to each group.

        It may lead over melds and bonus tiles in line with the hand.
        """
        near = self.gaps[list(main)].min(axis=0)
        cost: Vectors = REACH.rack_cost * np.clip(near - REACH.free, 0, REACH.rack - REACH.free)
        cost += np.maximum(near - REACH.rack, 0)
        count, steps = len(self.groups), self._steps
        stones = [
            n
            for n in self._in_line(main)
            if self.groups[n].meld_odds is not None or not self.groups[n].labels
        ]
        for _ in stones:
            via = (cost[stones][:, np.newaxis] + steps[stones]) if stones else np.empty((0, count))
            better = np.minimum(cost, via.min(axis=0, initial=np.inf))
            if np.allclose(better, cost):
                break
            cost = better
        return cost

    def touched(self, others: Sequence[int]) -> Vectors:
        """The number (g,) of tiles of each group that tiles of the ``others`` touch."""
        touched: Vectors = self._touching[:, list(others)].sum(axis=1)
        return touched

    def _in_line(self, main: Sequence[int]) -> list[int]:
        """Numbers of the other groups that lie in line with a hand's row."""
        return [
            n
            for n in range(len(self.groups))
            if n not in main and self.askew[main[0], n] < 2 * ASKEW
        ]
