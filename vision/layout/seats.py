"""The groups that belong to the row of a hand: the likeliest choice among those round it.

Melds, bonus tiles and further parts of the hand are weighed: each by what it is and how far from
the hand it lies, all together by whether the hand then has 13 or 14 tiles, each meld counted as
three. All weights are log-odds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.layout.tabletop import ASKEW, Tabletop, Vectors
from vision.vocabulary.readings import FULL_HAND

MOST_OPTIONS: Final = 10
"""Maximum number of groups round a hand, the likeliest, that are weighed with and without."""


@dataclass(frozen=True, slots=True)
class Belonging:
    """Whether a group round a hand belongs to it; log-odds unless another unit is given.

    The values are set by hand.

    Attributes:
        far: taken off for each tile width of the way from the hand to the group.
        out_of_reach: length of that way in tile widths from which a group cannot belong.
        bonus_near: added for flowers and seasons, most of which lie near their hand.
        least_bonus_chance: probability of being flowers and seasons below which labels that are
            none are not weighed as such.
        touched: taken off for each tile of a player's that nobody's tiles touch.
        second_hand: taken off for tiles that would be a further part of the hand's row.
        pair: the same for two equal tiles, which many people lay apart, also across the hand.
        least: log-odds below which a group is not weighed.
    """

    far: float = 1.2
    out_of_reach: float = 6.0
    bonus_near: float = 2.8
    least_bonus_chance: float = 0.05
    touched: float = 1.0
    second_hand: float = 3.0
    pair: float = 1.0
    least: float = -5.0


@dataclass(frozen=True, slots=True)
class HandCount:
    """Log-odds of the number of tiles that a hand has; set by hand.

    Attributes:
        wrong: taken off for any other number than 13 and 14.
        further: taken off for each tile too many or too few beyond the first.
    """

    wrong: float = 3.0
    further: float = 0.75


@dataclass(frozen=True, slots=True)
class HandRow:
    """Log-odds that a group is the row of a hand, by how it lies; set by hand.

    Attributes:
        tile: added for each tile of the row.
        nearer: taken off for each loose group in line that lies nearer to the player; only racks
            and walls do.
        upright: added for a hand all of whose tiles lie upright for the player.
        ahead: distance in tile widths from which another group lies nearer to the player.
    """

    tile: float = 0.3
    nearer: float = 2.5
    upright: float = 2.0
    ahead: float = 1.0


BELONGING: Final = Belonging()
HAND_COUNT: Final = HandCount()
HAND_ROW: Final = HandRow()

TURNED: Final = 2.0
"""Log-odds taken off for a row most of whose tiles are upside down for its player; set by hand."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """A group assigned to a player.

    Attributes:
        group: number of the group.
        role: ``hand``, ``set`` (melds) or ``bonus``.
        confidence: probability in 0..1 that the group is this player's in this role, provided that
            the rest of the layout is right.
        odds: log-odds that the group is the player's, by itself.
    """

    group: int
    role: str
    confidence: float
    odds: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Seat:
    """What lies in front of one player.

    Attributes:
        assignments: the player's groups, those of the hand's row first.
        toward: (2,) unit direction on the table in which the player looks.
        score: log-odds of this seat.
        without_backs: whether the face-down tiles in the hand's row are not counted, since with
            them there would be too many.
        weighed: numbers of the groups that were weighed, whether they belong to it or not.
    """

    assignments: tuple[Assignment, ...]
    toward: Vectors
    score: float
    without_backs: bool = False
    weighed: frozenset[int] = frozenset()

    @property
    def groups(self) -> frozenset[int]:
        """The numbers of the player's groups."""
        return frozenset(assigned.group for assigned in self.assignments)


@dataclass(frozen=True, slots=True)
class _Option:
    """A group that may belong to a hand.

    Attributes:
        group: number of the group.
        role: ``hand``, ``set`` (melds) or ``bonus``.
        size: number of tiles of the hand that it stands for, each meld counted as three.
        odds: log-odds that it belongs to the hand in this role.
    """

    group: int
    role: str
    size: int
    odds: float


def best_seat(tabletop: Tabletop, main: tuple[int, ...], taken: frozenset[int]) -> Seat:
    """The likeliest choice of groups that belong to the row of a hand.

    Args:
        tabletop: the groups on the table.
        main: numbers of the groups that form the hand's row.
        taken: numbers of the groups that belong to other players.
    """
    options = _options(tabletop, main, taken)
    tiles = sum(len(tabletop.groups[n].labels) for n in main)
    backs = sum(tabletop.groups[n].backs for n in main)
    weighed = _weighed(options, tiles)
    fewer = _weighed(options, tiles - backs) if backs else weighed
    without = fewer.score > weighed.score
    best = fewer if without else weighed
    others = [
        Assignment(option.group, option.role, chance, option.odds)
        for option, chance, taken_in in zip(options, best.chances, best.chosen, strict=True)
        if taken_in
    ]
    own = "set" if _is_a_set_among(tabletop, main, others) else "hand"
    assignments = [*(Assignment(n, own, 1.0) for n in main), *others]
    numbers = [assigned.group for assigned in assignments]
    upright = tabletop.toward(numbers, tabletop.groups[main[0]].axis)
    lies, toward = max(
        (
            _as_a_hand(tabletop, main, way)
            + HAND_ROW.upright * tabletop.upright(numbers, way)
            - against,
            sign,
        )
        for way, sign, against in ((upright, 1, 0.0), (-upright, -1, TURNED))
    )
    score = best.score + lies
    asked = frozenset(option.group for option in options)
    return Seat(tuple(assignments), toward * upright, score, without, asked)


def _is_a_set_among(
    tabletop: Tabletop, main: tuple[int, ...], others: Sequence[Assignment]
) -> bool:
    """Whether the row of a hand is one set beside other sets and no tiles but these."""
    melds = tabletop.groups[main[0]].melds or ()
    roles = {assigned.role for assigned in others} - {"bonus"}
    return len(main) == len(melds) == 1 and roles == {"set"}


@dataclass(frozen=True, slots=True)
class _Weighed:
    """The likeliest choice among the groups round a hand.

    Attributes:
        score: log-odds of the choice.
        chosen: for each group whether it belongs to the hand in this choice.
        chances: for each group the probability, 0..1, that it belongs to the hand.
    """

    score: float
    chosen: tuple[bool, ...]
    chances: tuple[float, ...]


def _weighed(options: Sequence[_Option], own: int) -> _Weighed:
    """The likeliest choice for a hand with ``own`` tiles in its row."""
    odds = np.array([option.odds for option in options], np.float64)
    sizes = np.array([option.size for option in options], np.int64)
    chosen = (np.arange(2 ** len(options))[:, np.newaxis] >> np.arange(len(options))) & 1
    total = own + chosen @ sizes
    amiss = np.maximum(total - FULL_HAND[1], 0) + np.maximum(FULL_HAND[0] - total, 0)
    score = chosen @ odds
    score -= np.where(amiss > 0, HAND_COUNT.wrong + HAND_COUNT.further * (amiss - 1), 0.0)
    best = int(score.argmax())
    weights = np.exp(score - score[best])
    belongs = (weights / weights.sum()) @ chosen
    return _Weighed(
        float(score[best]),
        tuple(bool(taken) for taken in chosen[best]),
        tuple(min(float(chance), 1.0) for chance in belongs),
    )


def _options(tabletop: Tabletop, main: tuple[int, ...], taken: frozenset[int]) -> list[_Option]:
    """The groups that may belong to the hand, the likeliest first."""
    cost = tabletop.reach(main)
    found = []
    for number, group in enumerate(tabletop.groups):
        if number in main or number in taken or cost[number] > BELONGING.out_of_reach:
            continue
        angle = float(tabletop.askew[main[0], number])
        angle = min(angle, 90 - angle) if group.is_pair else angle
        odds = -BELONGING.far * float(cost[number]) - (angle / ASKEW) ** 2
        meld_odds = group.meld_odds
        if not group.labels:
            found.append(_Option(number, "bonus", 0, odds + BELONGING.bonus_near))
        elif meld_odds is not None:
            found.append(_Option(number, "set", group.tiles_in_melds, odds + meld_odds))
        if group.labels and group.bonus_chance > BELONGING.least_bonus_chance:
            likely = odds + BELONGING.bonus_near + float(np.log(group.bonus_chance))
            found.append(_Option(number, "bonus", 0, likely))
        if group.labels and group.melds is None and not group.is_wall and len(group.members) > 1:
            apart = BELONGING.pair if group.is_pair else BELONGING.second_hand
            found.append(_Option(number, "hand", len(group.labels), odds - apart))
    found.sort(key=lambda option: -option.odds)
    kept: dict[int, _Option] = {}
    for option in found:
        kept.setdefault(option.group, option)
    return [option for option in kept.values() if option.odds > BELONGING.least][:MOST_OPTIONS]


def _as_a_hand(tabletop: Tabletop, main: Sequence[int], toward: Vectors) -> float:
    """Log-odds that the groups ``main`` are the row of a hand, by how they lie."""
    groups = [tabletop.groups[n] for n in main]
    tiles = sum(len(group.labels) for group in groups)
    odds = HAND_ROW.tile * tiles
    here = tabletop.places[list(main)].mean(axis=0)
    for number, group in enumerate(tabletop.groups):
        ahead = float((here - tabletop.places[number]) @ toward)
        in_line = tabletop.askew[main[0], number] < 2 * ASKEW
        if number in main or ahead <= HAND_ROW.ahead or not in_line:
            continue
        if group.is_loose and len(group.labels) > 1:
            odds -= HAND_ROW.nearer
    return odds
