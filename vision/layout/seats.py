"""What lies round the row of a hand and belongs to it: the likeliest choice among the groups there.

The sets, bonus tiles and further parts are weighed: each by what it is and how far from the hand it
lies, all together by whether the hand then has 13 or 14 tiles, each set counted as three. Weights
are log-odds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.layout.tabletop import ASKEW, Tablecloth, Vectors
from vision.vocabulary.readings import FULL_HAND

MOST_OPTIONS: Final = 10
"""How many groups round a hand are weighed with and without; the likeliest are taken."""
_FAR: Final = 1.2
"""Log-odds that each further tile width costs."""
_OUT_OF_REACH: Final = 6.0
_BONUS_NEAR: Final = 2.8
"""Log-odds that flowers and seasons near a hand are its own."""
_AMONG_DISCARDS: Final = 5.0
"""Log-odds against those that lie among the discards."""
_BEHIND_A_WALL: Final = 4.0
"""Log-odds against what lies behind a wall."""
_LEAST_BONUS_CHANCE: Final = 0.05
"""Tiles that are less likely flowers and seasons than this are none."""
_BACKS_ASIDE: Final = 1.0
"""Log-odds against face-down tiles in a hand's row that are not part of it."""
_UPRIGHT: Final = 2.0
"""Log-odds for a hand all of whose tiles lie upright for its player."""
TURNED: Final = 2.0
"""Log-odds against a row most of whose tiles are read upside down, besides."""
_WRONG_COUNT: Final = (0.0, -3.0, -4.0, -4.5, -5.0)
"""Log-odds of a hand with so many tiles too few or too many, and"""
_EACH_FURTHER: Final = -0.5
"""what each tile beyond those costs."""
_NEARER: Final = 2.5
"""Log-odds against a row as a hand for each loose group in line with it that lies nearer to its
player, and"""
_NEARER_ASKEW: Final = 0.3
"""for each other one: nothing but racks and walls lies nearer than the hand, and"""
_SET_NEARER: Final = 0.7
"""for each set in line with it: a hand of four equal tiles may look like one of its own kongs."""
_LOOSE: Final = 9.0
"""Degrees by which the tiles of a row differ from it, as a standard deviation,"""
_BONUS_LOOSE: Final = 18.0
"""and flowers and seasons, which are laid down one by one."""
_BONUS_ASKEW: Final = 18.0
"""Degrees by which their rows differ from the hand's, likewise."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A group taken for one player's.

    Attributes:
        group: its number.
        role: ``hand``, ``set`` or ``bonus``.
        confidence: probability in 0..1 that this is so, if the rest of the reading is.
    """

    group: int
    role: str
    confidence: float


@dataclass(frozen=True, slots=True, eq=False)
class Seat:
    """What lies in front of one player.

    Attributes:
        claims: the groups, the hand's first.
        toward: (2,) unit direction on the table in which the player looks.
        score: log-odds of this reading.
        size: how many tiles the hand has, each set counted as three.
        without_backs: whether the face-down tiles in the hand's row are left aside, since with
            them there would be too many.
    """

    claims: tuple[Claim, ...]
    toward: Vectors
    score: float
    size: int
    without_backs: bool = False

    @property
    def groups(self) -> frozenset[int]:
        """Numbers of all the groups."""
        return frozenset(claim.group for claim in self.claims)

    @property
    def rows_in_hand(self) -> int:
        """In how many groups the tiles in hand lie."""
        return sum(claim.role == "hand" for claim in self.claims)

    @property
    def amiss(self) -> int:
        """How many tiles too many (above 0) or too few (below 0) the hand has."""
        return max(self.size - FULL_HAND[1], 0) + min(self.size - FULL_HAND[0], 0)


@dataclass(frozen=True, slots=True)
class _Option:
    """A group that may belong to a hand, and what the way to it costs in tile widths."""

    group: int
    role: str
    size: int
    odds: float
    cost: float


def best_seat(cloth: Tablecloth, main: tuple[int, ...], taken: frozenset[int]) -> Seat:
    """The likeliest reading of what lies round the row of a hand.

    Args:
        cloth: the table.
        main: numbers of the groups that are the hand's row.
        taken: groups that are another player's.
    """
    options = _options(cloth, main, taken)
    tiles = sum(len(cloth.groups[n].labels) for n in main)
    backs = sum(cloth.groups[n].backs for n in main)
    nearer = _nearer(cloth, main, options)
    weighed = _weighed(options, nearer, tiles)
    fewer = _weighed(options, nearer, tiles - backs)
    without = backs > 0 and fewer.score - _BACKS_ASIDE > weighed.score
    best = fewer if without else weighed
    claims = [Claim(n, "hand", 1.0) for n in main]
    claims += [
        Claim(option.group, option.role, chance)
        for option, chance, taken_in in zip(options, best.chances, best.chosen, strict=True)
        if taken_in
    ]
    numbers = [claim.group for claim in claims]
    upright = cloth.toward(numbers, cloth.groups[main[0]].axis)
    lies, toward = max(
        (_as_a_hand(cloth, main, way) + _UPRIGHT * cloth.upright(numbers, way) - against, sign)
        for way, sign, against in ((upright, 1, 0.0), (-upright, -1, TURNED))
    )
    score = best.score - _BACKS_ASIDE * without + lies
    return Seat(tuple(claims), toward * upright, score, best.size, without)


@dataclass(frozen=True, slots=True)
class _Weighed:
    """The likeliest choice among the groups round a hand.

    Attributes:
        score: its log-odds.
        size: how many tiles the hand then has.
        chosen: of each group whether it is taken.
        chances: of each group the probability that it belongs.
    """

    score: float
    size: int
    chosen: tuple[bool, ...]
    chances: tuple[float, ...]


def _nearer(cloth: Tablecloth, main: Sequence[int], options: Sequence[_Option]) -> Vectors:
    """(k, k) log-odds that flowers and seasons gain where a set that lies nearer is taken too."""
    gains = np.zeros((len(options), len(options)))
    bonus = [place for place, option in enumerate(options) if option.role == "bonus"]
    for place, option in enumerate(options):
        if option.role != "set" or not bonus:
            continue
        way = cloth.beyond(main, option.group)
        saved = [options[each].cost - way[options[each].group] for each in bonus]
        gains[bonus, place] = _FAR * np.maximum(saved, 0.0)
    return gains


def _weighed(options: Sequence[_Option], nearer: Vectors, own: int) -> _Weighed:
    """The likeliest choice, given how many tiles lie in the hand's row."""
    odds = np.array([option.odds for option in options], np.float64)
    sizes = np.array([option.size for option in options], np.int64)
    chosen = (np.arange(2 ** len(options))[:, np.newaxis] >> np.arange(len(options))) & 1
    total = own + chosen @ sizes
    amiss = np.maximum(total - FULL_HAND[1], 0) + np.maximum(FULL_HAND[0] - total, 0)
    most = len(_WRONG_COUNT) - 1
    gained = (chosen[:, np.newaxis] * nearer).max(axis=2, initial=0.0)
    score = np.take(_WRONG_COUNT, np.minimum(amiss, most)) + (chosen * (odds + gained)).sum(axis=1)
    score += _EACH_FURTHER * np.maximum(amiss - most, 0)
    best = int(score.argmax())
    weights = np.exp(score - score[best])
    belongs = (weights / weights.sum()) @ chosen
    return _Weighed(
        float(score[best]),
        int(total[best]),
        tuple(bool(taken) for taken in chosen[best]),
        tuple(min(float(chance), 1.0) for chance in belongs),
    )


def _options(cloth: Tablecloth, main: tuple[int, ...], taken: frozenset[int]) -> list[_Option]:
    cost, behind = cloth.reach(main), cloth.behind_walls(main)
    bonus_near = _BONUS_NEAR - _AMONG_DISCARDS * cloth.among_discards(main)
    found = []
    for number, group in enumerate(cloth.groups):
        if number in main or number in taken or cost[number] > _OUT_OF_REACH:
            continue
        way = float(cost[number])
        askew = _BONUS_ASKEW if not group.labels else ASKEW
        near = -_FAR * way - (cloth.askew[main[0], number] / askew) ** 2
        near -= _BEHIND_A_WALL * behind[number]
        odds = near - (group.loose / _LOOSE) ** 2
        likeness = group.likeness_to_sets()
        if not group.labels:
            laid = near - (group.loose / _BONUS_LOOSE) ** 2
            found.append(_Option(number, "bonus", 0, laid + float(bonus_near[number]), way))
        elif likeness is not None:
            found.append(_Option(number, "set", group.tiles_in_sets, odds + likeness, way))
        if group.labels and group.bonus_chance > _LEAST_BONUS_CHANCE:
            likely = odds + float(bonus_near[number] + np.log(group.bonus_chance))
            found.append(_Option(number, "bonus", 0, likely, way))
        if group.labels and group.sets is None and not group.is_wall and len(group.members) > 1:
            found.append(_Option(number, "hand", len(group.labels), odds - 3.0, way))
    found.sort(key=lambda option: -option.odds)
    kept: dict[int, _Option] = {}
    for option in found:
        kept.setdefault(option.group, option)
    return [option for option in kept.values() if option.odds > -5][:MOST_OPTIONS]


def _as_a_hand(cloth: Tablecloth, main: Sequence[int], toward: Vectors) -> float:
    """Log-odds that groups are the row of a hand, from how it lies."""
    groups = [cloth.groups[n] for n in main]
    tiles = sum(len(group.labels) for group in groups)
    odds = 0.3 * tiles - sum((group.loose / _LOOSE) ** 2 for group in groups)
    if len(groups) == 1 and groups[0].sets is not None:
        odds -= 2.0
    here = cloth.places[list(main)].mean(axis=0)
    for number, group in enumerate(cloth.groups):
        ahead = float((here - cloth.places[number]) @ toward)
        aside = float(abs((here - cloth.places[number]) @ np.array([toward[1], -toward[0]])))
        if number in main or ahead <= 1 or aside >= 10:
            continue
        in_line = cloth.askew[main[0], number] < 2 * ASKEW
        if group.sets is not None:
            odds -= _SET_NEARER * in_line
        elif len(group.labels) > 1 and not group.is_wall:
            odds -= _NEARER if in_line else _NEARER_ASKEW
    return odds
