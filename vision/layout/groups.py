"""Groups of neighbouring tiles: melds laid apart, parts of walls, bonus tiles, parts of hands.

Places and lengths are in tile widths on the table plane (:mod:`vision.geometry.table_plane`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, PLAIN_FACES, is_bonus
from vision.geometry.table_plane import sides
from vision.layout.rows import Row
from vision.vocabulary.melds import find_meld, split_into_melds
from vision.vocabulary.readings import MeldReading

Vectors = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MeldOdds:
    """Log-odds that a group is a player's melds, by its labels alone.

    Attributes:
        melds: the labels are melds, and not only plain tiles.
        plain: the labels are melds of backs and plain faces, which sides of tiles and walls
            resemble.
        other: any other three or four labels.
    """

    melds: float = 5.0
    plain: float = 1.0
    other: float = -2.0


MELD_ODDS: Final = MeldOdds()

_LONGEST_MELD: Final = 4
"""Number of tiles in the longest meld, a kong."""
_PLAIN: Final = frozenset({BACK, *PLAIN_FACES})
"""Labels that sides of tiles and walls are read as."""
_WITH_BONUS: Final = 20.0
"""Factor by which the odds that a tile is a flower or season rise if one lies beside it."""
_SHORT: Final = 2
"""Largest number of tiles of a group too short to estimate its direction from."""


@dataclass(frozen=True, eq=False)
class Group:
    """Tiles that lie side by side without a wide gap.

    Attributes:
        members: indices of the tiles, in the order in which they lie.
        row: number of their row.
        axis: (2,) unit direction of the row, up to half a turn.
        direction: 1 if the members lie along the axis, -1 if against it.
        labels: labels of the members without the bonus tiles.
        bonus: labels of the bonus tiles among the members.
        melds: the melds that the labels make as they lie; None if a tile is left over.
        bonus_chance: probability, 0..1, that the labels are flowers and seasons read as something
            else.
    """

    members: tuple[int, ...]
    row: int
    axis: Vectors
    direction: int
    labels: tuple[str, ...]
    bonus: tuple[str, ...]
    melds: tuple[MeldReading, ...] | None
    bonus_chance: float = 0.0

    @cached_property
    def backs(self) -> int:
        """The number of tiles that lie face down."""
        return self.labels.count(BACK)

    @cached_property
    def is_wall(self) -> bool:
        """Whether the tiles are face-down ones that are not concealed kong."""
        return bool(self.labels) and self.backs == len(self.labels) != 4

    @cached_property
    def is_loose(self) -> bool:
        """Whether some of the tiles are neither in melds nor bonus tiles nor a wall."""
        return bool(self.labels) and self.melds is None and not self.is_wall

    @property
    def is_pair(self) -> bool:
        """Whether these are two equal tiles that lie face up."""
        return len(self.labels) == 2 and len({*self.labels, BACK}) == 2

    @property
    def is_exposed_kong(self) -> bool:
        """Whether these are four equal tiles that lie face up: nobody keeps four as a hand."""
        return len(self.labels) == _LONGEST_MELD and len({*self.labels, BACK}) == 2

    @property
    def tiles_in_melds(self) -> int:
        """The number of tiles of a hand that they count for as melds, three for each meld."""
        return 3 * len(self.melds) if self.melds is not None else 3

    @cached_property
    def meld_odds(self) -> float | None:
        """Log-odds that the tiles are melds of one player, by their labels alone.

        None if they cannot be melds.
        """
        if not self.labels or self.is_wall:
            return None
        if self.melds is not None:
            return MELD_ODDS.plain if _PLAIN.issuperset(self.labels) else MELD_ODDS.melds
        if len(self.labels) not in (3, 4):
            return None
        return MELD_ODDS.other

    def melds_of(self, labels: Sequence[str]) -> tuple[MeldReading, ...] | None:
        """The melds of the labels as read from the player's left; None if a tile is left over."""
        return split_into_melds(labels) or self.melds


def groups_of(
    rows: Sequence[Row],
    quads: NDArray[np.float32],
    labels: Sequence[str],
    bonus_chances: Vectors,
) -> tuple[Group, ...]:
    """The groups of all rows.

    Args:
        rows: the rows, as indices of the n tiles.
        quads: (n, 4, 2) corners on the table plane, in tile widths.
        labels: labels of the n tiles.
        bonus_chances: (n,) probability, 0..1, that each is a flower or season by its picture alone.
    """
    corners = quads.astype(np.float64)
    right = sides(corners)[0]
    centres = corners.mean(axis=1)
    return tuple(
        replace(
            _group(members, number, centres, _axis_of(members, row, centres, right), labels),
            bonus_chance=_bonus_chance(members, labels, bonus_chances),
        )
        for number, row in enumerate(rows)
        for together in row.groups
        for members in _apart_from_kongs(together, labels)
    )


def _apart_from_kongs(
    members: tuple[int, ...], labels: Sequence[str]
) -> tuple[tuple[int, ...], ...]:
    """Split a concealed kong that shows two of its tiles from the hand in whose row it lies."""
    for start in range(len(members) - _LONGEST_MELD + 1):
        end = start + _LONGEST_MELD
        four = [labels[index] for index in members[start:end]]
        if four.count(BACK) == 2 and find_meld(four):
            before, after = members[:start], members[end:]
            further = _apart_from_kongs(after, labels)
            return tuple(part for part in (before, members[start:end], *further) if part)
    return (members,)


def _axis_of(members: Sequence[int], row: Row, centres: Vectors, right: Vectors) -> Vectors:
    """The direction (2,) of a group; for a short one that of its whole row, which is more certain.

    The line from the first tile to the last counts as one tile more.
    """
    chosen = list(members if len(members) > _SHORT else row.members)
    run = centres[chosen[-1]] - centres[chosen[0]]
    return _axis(np.concatenate([right[chosen], [run]]) if len(chosen) > 1 else right[chosen])


def _group(
    members: tuple[int, ...],
    row: int,
    centres: Vectors,
    axis: Vectors,
    labels: Sequence[str],
) -> Group:
    """The group of these members in the direction ``axis``."""
    shown = [labels[index] for index in members]
    kept = tuple(label for label in shown if not is_bonus(label))
    bonus = tuple(label for label in shown if is_bonus(label))
    melds = split_into_melds(kept) if kept else None
    run = centres[members[-1]] - centres[members[0]]
    direction = 1 if run @ axis >= 0 else -1
    return Group(members, row, axis, direction, kept, bonus, melds)


def _bonus_chance(members: Sequence[int], labels: Sequence[str], chances: Vectors) -> float:
    """The probability that all members are flowers and seasons, some read as something else."""
    others = [index for index in members if not is_bonus(labels[index])]
    odds = _WITH_BONUS if len(others) < len(members) else 1.0
    lifted = odds * chances[others]
    return float(np.prod(lifted / (lifted + 1 - chances[others])))


def _axis(right: Vectors) -> Vectors:
    """The unit direction (2,) of most of the sides (n, 2), up to half a turn."""
    angles = np.arctan2(right[:, 1], right[:, 0])
    twice = np.exp(2j * angles)
    best = int(np.abs(twice[:, np.newaxis] + twice).sum(axis=1).argmax())
    alike = np.cos(2 * (angles - angles[best])) > 0
    mean = np.angle(twice[alike].sum()) / 2
    return np.array([np.cos(mean), np.sin(mean)])


def gaps_between(groups: Sequence[Group], quads: NDArray[np.float32]) -> Vectors:
    """The free space (g, g) between groups, in tile widths, 0 on the diagonal.

    Args:
        groups: the g groups, which together hold each tile once.
        quads: (n, 4, 2) corners on the table plane, in tile widths.
    """
    order = [index for group in groups for index in group.members]
    corners = quads[order].astype(np.float64)
    outline = np.concatenate([corners, (corners + np.roll(corners, -1, axis=1)) / 2], axis=1)
    points = outline.reshape(-1, 2)
    squares = (points**2).sum(axis=1)
    apart = squares[:, np.newaxis] + squares - 2 * points @ points.T
    starts = np.cumsum([0, *(8 * len(group.members) for group in groups)])[:-1]
    nearest = np.minimum.reduceat(np.minimum.reduceat(apart, starts, axis=0), starts, axis=1)
    gaps: Vectors = np.sqrt(np.maximum(nearest, 0))
    np.fill_diagonal(gaps, 0)
    return gaps
