"""Neighbouring tiles on the table as one thing: a set laid apart, part of a wall, bonus tiles...

Places and lengths are in tile widths on the table as :mod:`vision.geometry.table_plane` sees it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, PLAIN_FACES, is_bonus
from vision.geometry.table_plane import cross, sides
from vision.layout.rows import Row
from vision.vocabulary.melds import nearly_a_set, split_into_sets
from vision.vocabulary.readings import MeldReading

Vectors = NDArray[np.float64]

_LONGEST_SET: Final = 4
_PLAIN: Final = frozenset({BACK, *PLAIN_FACES})
"""What sides of tiles and walls look like: sets of nothing else are the likeliest to be none."""
_WITH_BONUS: Final = 20.0
"""By so much the odds that a tile is a flower or season rise if one lies beside it."""
_SHORT: Final = 2
"""Groups of no more tiles tell their direction badly."""


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Tiles that lie side by side without a wide gap.

    Attributes:
        members: their indices, as they lie.
        row: number of the row they are part of.
        axis: (2,) unit direction of the row, half a turn left open.
        direction: 1 if the members lie along the axis, -1 if against it.
        loose: degrees by which the tiles' own directions differ from the row's, in the mean.
        labels: what the members show, bonus tiles left out.
        bonus: the bonus tiles among the members.
        sets: the sets that the labels make as they lie; None if a tile is left over.
        bonus_chance: how likely the labels are flowers and seasons read as something else.
    """

    members: tuple[int, ...]
    row: int
    axis: Vectors
    direction: int
    loose: float
    labels: tuple[str, ...]
    bonus: tuple[str, ...]
    sets: tuple[MeldReading, ...] | None
    bonus_chance: float = 0.0

    @property
    def backs(self) -> int:
        """How many of the tiles lie face down."""
        return self.labels.count(BACK)

    @property
    def is_wall(self) -> bool:
        """Whether these are face-down tiles that are no concealed kong."""
        return bool(self.labels) and self.backs == len(self.labels) != 4

    @property
    def tiles_in_sets(self) -> int:
        """How many tiles of a hand they stand for if they are sets, each counted as three."""
        return 3 * len(self.sets) if self.sets is not None else 3

    def likeness_to_sets(self) -> float | None:
        """Log-odds, before it is known where they lie, that they are sets of one player's.

        None if they cannot be.
        """
        if not self.labels or self.is_wall:
            return None
        if self.sets is not None:
            return 1.0 if _PLAIN.issuperset(self.labels) else 5.0
        if len(self.labels) not in (3, 4):
            return None
        return 1.0 if nearly_a_set(self.labels) else -2.0

    def sets_of(self, labels: Sequence[str]) -> tuple[MeldReading, ...] | None:
        """The sets with the labels from the player's left; None if a tile is left over."""
        return split_into_sets(labels) or self.sets


def groups_of(
    rows: Sequence[Row],
    quads: NDArray[np.float32],
    labels: Sequence[str],
    bonus_chances: Vectors,
) -> tuple[Group, ...]:
    """The groups of all rows.

    Args:
        rows: as indices into the tiles.
        quads: (n, 4, 2) corners on the table.
        labels: what the n tiles show.
        bonus_chances: (n,) how likely each is a flower or season by what it shows.
    """
    corners = quads.astype(np.float64)
    right, up = sides(corners)
    centres = corners.mean(axis=1)
    return tuple(
        replace(
            _group(
                members, number, centres, right, up, _axis_of(members, row, centres, right), labels
            ),
            bonus_chance=_bonus_chance(members, labels, bonus_chances),
        )
        for number, row in enumerate(rows)
        for together in row.groups
        for alike in _pairs(together, right, labels)
        for members in _apart_from_walls(alike, labels)
    )


def _pairs(
    members: tuple[int, ...], right: Vectors, labels: Sequence[str]
) -> tuple[tuple[int, ...], ...]:
    """The members; two at right angles apart unless they show the same, which makes them a pair."""
    if len(members) != 2 or labels[members[0]] == labels[members[1]]:
        return (members,)
    first, second = right[list(members)]
    return (members,) if abs(first @ second) > abs(cross(first, second)) else tuple(zip(members))


def _apart_from_walls(
    members: tuple[int, ...], labels: Sequence[str]
) -> tuple[tuple[int, ...], ...]:
    """The members; flowers and seasons that touch only face-down tiles apart from these."""
    bonus = tuple(index for index in members if is_bonus(labels[index]))
    others = tuple(index for index in members if index not in bonus)
    if bonus and others and all(labels[index] == BACK for index in others):
        return others, bonus
    return (members,)


def _axis_of(members: Sequence[int], row: Row, centres: Vectors, right: Vectors) -> Vectors:
    """The direction of a group; of a short one that of its whole row, which is surer.

    The way from the first tile to the last counts as one tile more.
    """
    chosen = list(members if len(members) > _SHORT else row.members)
    run = centres[chosen[-1]] - centres[chosen[0]]
    return _axis(np.concatenate([right[chosen], [run]]) if len(chosen) > 1 else right[chosen])


def _group(
    members: tuple[int, ...],
    row: int,
    centres: Vectors,
    right: Vectors,
    up: Vectors,
    axis: Vectors,
    labels: Sequence[str],
) -> Group:
    members = _without_stray_back(members, labels)
    chosen = list(members)
    away = np.minimum(_degrees_between(right[chosen], axis), _degrees_between(up[chosen], axis))
    shown = [labels[index] for index in members]
    kept = tuple(label for label in shown if not is_bonus(label))
    bonus = tuple(label for label in shown if is_bonus(label))
    sets = split_into_sets(kept) if kept else None
    run = centres[members[-1]] - centres[members[0]]
    direction = 1 if run @ axis >= 0 else -1
    return Group(members, row, axis, direction, float(away.mean()), kept, bonus, sets)


def _degrees_between(sides: Vectors, axis: Vectors) -> Vectors:
    """Angles (n,) in degrees from 0 to 90 between sides (n, 2) and a direction (2,)."""
    across = sides[:, 0] * axis[1] - sides[:, 1] * axis[0]
    angles: Vectors = np.degrees(np.arctan2(np.abs(across), np.abs(sides @ axis)))
    return angles


def _bonus_chance(members: Sequence[int], labels: Sequence[str], chances: Vectors) -> float:
    """How likely all of them are flowers and seasons, some read as something else."""
    others = [index for index in members if not is_bonus(labels[index])]
    odds = _WITH_BONUS if len(others) < len(members) else 1.0
    lifted = odds * chances[others]
    return float(np.prod(lifted / (lifted + 1 - chances[others])))


def _without_stray_back(members: tuple[int, ...], labels: Sequence[str]) -> tuple[int, ...]:
    """The members without a face-down tile but for which they would all be sets.

    Such a tile is a shadow or a gap taken for a tile, or part of something that touches the sets.
    """
    kept = [index for index in members if not is_bonus(labels[index])]
    if len(kept) <= _LONGEST_SET or split_into_sets([labels[index] for index in kept]):
        return members
    for stray in kept:
        rest = [labels[index] for index in kept if index != stray]
        if labels[stray] == BACK and split_into_sets(rest):
            return tuple(index for index in members if index != stray)
    return members


def _axis(right: Vectors) -> Vectors:
    """The (2,) direction of most of the sides (n, 2), half a turn left open."""
    angles = np.arctan2(right[:, 1], right[:, 0])
    twice = np.exp(2j * angles)
    best = int(np.abs(twice[:, np.newaxis] + twice).sum(axis=1).argmax())
    alike = np.cos(2 * (angles - angles[best])) > 0
    mean = np.angle(twice[alike].sum()) / 2
    return np.array([np.cos(mean), np.sin(mean)])


def gaps_between(groups: Sequence[Group], quads: NDArray[np.float32]) -> Vectors:
    """The (g, g) free space between groups, 0 on the diagonal.

    Args:
        groups: that together hold each tile once.
        quads: (n, 4, 2) corners on the table.
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
