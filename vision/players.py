"""Finds the players' hands among the groups of tiles on the table, with the likeliest reading.

For each group that may be the row of a hand, the sets, bonus tiles and further parts round it are
weighed: each by what it is and how far from the hand it lies, all together by whether the hand then
has 13 or 14 tiles, each set counted as three. Weights are log-odds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, SAME_UPSIDE_DOWN
from vision.groups import Group, gaps_between
from vision.plane import sides
from vision.readings import FULL_HAND

Vectors = NDArray[np.float64]

MOST_OPTIONS: Final = 10
"""How many groups round a hand are weighed with and without; the likeliest are taken."""

_FREE_GAP: Final = 1.3
"""Tile widths that may lie between the parts of a player's tiles and count for nothing."""
_FAR: Final = 1.2
"""Log-odds that each further tile width costs."""
_RACK_GAP: Final = 5.0
"""Tile widths that lie between a row on a rack and the sets before it at most."""
_RACK_COST: Final = 0.25
_OUT_OF_REACH: Final = 6.0
_CLOSE: Final = 0.1
_BONUS_NEAR: Final = 2.8
"""Log-odds that flowers and seasons near a hand are its own."""
_AMONG_DISCARDS: Final = 5.0
"""Log-odds against those that lie apart from the player's other tiles and beside as many discards
as"""
_DISCARDS: Final = 2
"""these."""
_LEAST_BONUS_CHANCE: Final = 0.05
"""Tiles that are less likely flowers and seasons than this are none."""
_BACKS_ASIDE: Final = 1.0
"""Log-odds against face-down tiles in a hand's row that are not part of it."""
_UPRIGHT: Final = 2.0
"""Log-odds for a hand all of whose tiles lie upright for its player."""
_TURNED: Final = 2.0
"""Log-odds against a row most of whose tiles are read upside down."""
_WRONG_COUNT: Final = (0.0, -3.0, -4.0, -4.5, -5.0)
"""Log-odds of a hand with so many tiles too few or too many, and"""
_EACH_FURTHER: Final = -0.5
"""what each tile beyond those costs."""
_HARDLY: Final = 0.1
"""How much a face that looks the same upside down counts where others are there to ask."""
_ASKEW: Final = 12.0
"""Degrees by which a player's rows differ from each other, as a standard deviation."""
_LOOSE: Final = 9.0
"""Degrees by which the tiles of a row differ from it, as a standard deviation,"""
_BONUS_LOOSE: Final = 18.0
"""and flowers and seasons, which are laid down one by one."""


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
        corners = quads.astype(np.float64)
        self._up = sides(corners)[1]
        self._centres = corners.mean(axis=1)
        axes = np.array([group.axis for group in groups])
        turn = np.abs(np.degrees(np.arcsin(np.clip(_cross(axes), -1, 1))))
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
        count = len(self.groups)
        steps = np.maximum(self.gaps - _FREE_GAP, 0)
        near = self.gaps[list(main)].min(axis=0)
        cost: Vectors = _RACK_COST * np.clip(near - _FREE_GAP, 0, _RACK_GAP - _FREE_GAP)
        cost += np.maximum(near - _RACK_GAP, 0)
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
        near = (self.gaps < _FREE_GAP) & ~np.eye(len(self.groups), dtype=np.bool_)
        loose = [
            n
            for n, group in enumerate(self.groups)
            if n not in main and len(group.members) == 1 and group.labels
        ]
        sets = [n for n in self._in_line(main) if self.groups[n].likeness_to_sets() is not None]
        among = near[:, loose].sum(axis=1) >= _DISCARDS
        return np.asarray(among & ~near[:, [*main, *sets]].any(axis=1), np.bool_)

    def _in_line(self, main: Sequence[int]) -> list[int]:
        """Numbers of the other groups that lie in line with a hand's row."""
        return [
            n
            for n in range(len(self.groups))
            if n not in main and self.askew[main[0], n] < 2 * _ASKEW
        ]


def _telling(label: str) -> float:
    """How much a tile's word counts on which way up it lies."""
    if label == BACK:
        return 0.0
    return _HARDLY if label in SAME_UPSIDE_DOWN else 1.0


def _cross(axes: Vectors) -> Vectors:
    product: Vectors = np.outer(axes[:, 0], axes[:, 1]) - np.outer(axes[:, 1], axes[:, 0])
    return product


@dataclass(frozen=True, slots=True)
class _Option:
    """A group that may belong to a hand."""

    group: int
    role: str
    size: int
    odds: float


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
    weighed = _weighed(options, tiles)
    fewer = _weighed(options, tiles - backs)
    without = backs > 0 and fewer.score - _BACKS_ASIDE > weighed.score
    best = fewer if without else weighed
    claims = [Claim(n, "hand", 1.0) for n in main]
    claims += [
        Claim(option.group, option.role, chance)
        for option, chance, taken_in in zip(options, best.chances, best.chosen, strict=True)
        if taken_in
    ]
    numbers = [claim.group for claim in claims]
    toward = cloth.toward(numbers, cloth.groups[main[0]].axis)
    score = best.score - _BACKS_ASIDE * without + _as_a_hand(cloth, main, toward)
    score += _UPRIGHT * cloth.upright(numbers, toward)
    return Seat(tuple(claims), toward, score, best.size, without)


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


def _weighed(options: Sequence[_Option], own: int) -> _Weighed:
    """The likeliest choice, given how many tiles lie in the hand's row."""
    odds = np.array([option.odds for option in options], np.float64)
    sizes = np.array([option.size for option in options], np.int64)
    chosen = (np.arange(2 ** len(options))[:, np.newaxis] >> np.arange(len(options))) & 1
    total = own + chosen @ sizes
    amiss = np.maximum(total - FULL_HAND[1], 0) + np.maximum(FULL_HAND[0] - total, 0)
    most = len(_WRONG_COUNT) - 1
    score = np.take(_WRONG_COUNT, np.minimum(amiss, most)) + chosen @ odds
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
    cost = cloth.reach(main)
    bonus_near = _BONUS_NEAR - _AMONG_DISCARDS * cloth.among_discards(main)
    found = []
    for number, group in enumerate(cloth.groups):
        if number in main or number in taken or cost[number] > _OUT_OF_REACH:
            continue
        near = -_FAR * cost[number] - (cloth.askew[main[0], number] / _ASKEW) ** 2
        odds = near - (group.loose / _LOOSE) ** 2
        likeness = group.likeness_to_sets()
        if not group.labels:
            laid = near - (group.loose / _BONUS_LOOSE) ** 2
            found.append(_Option(number, "bonus", 0, laid + float(bonus_near[number])))
        elif likeness is not None:
            found.append(_Option(number, "set", group.tiles_in_sets, odds + likeness))
        if group.labels and group.bonus_chance > _LEAST_BONUS_CHANCE:
            likely = odds + float(bonus_near[number] + np.log(group.bonus_chance))
            found.append(_Option(number, "bonus", 0, likely))
        if group.labels and group.sets is None and not group.is_wall and len(group.members) > 1:
            found.append(_Option(number, "hand", len(group.labels), odds - 3.0))
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
        nearer = number not in main and ahead > 1 and aside < 10
        if nearer and group.sets is None and len(group.labels) > 1 and not group.is_wall:
            odds -= 0.7 if cloth.askew[main[0], number] < 2 * _ASKEW else 0.3
    return odds


def find_seats(cloth: Tablecloth, least: int) -> tuple[Seat, ...]:
    """What may be the players' hands, the clearest first: at most four, at different sides.

    Args:
        cloth: the table.
        least: further hands of fewer tiles, each set counted as three, are not looked for.
    """
    mains = cloth.mains()
    seats: list[Seat] = []
    taken: frozenset[int] = frozenset()
    while len(seats) < 4:
        ranked = [best_seat(cloth, main, taken) for main in mains if not taken & set(main)]
        free = [turned for seat in ranked for turned in _beside(seat, seats)]
        if seats:
            free = [seat for seat in free if seat.size >= least]
        if not free:
            break
        seats.append(max(free, key=lambda seat: seat.score))
        taken |= seats[-1].groups
    return tuple(seats) or _only_sets(cloth)


def _only_sets(cloth: Tablecloth) -> tuple[Seat, ...]:
    """The seat of a player all of whose tiles lie as sets or bonus tiles, if there are any."""
    claims = tuple(
        Claim(number, "set" if group.labels else "bonus", 1.0)
        for number, group in enumerate(cloth.groups)
        if not group.is_wall and (group.sets is not None or not group.labels)
    )
    if not claims:
        return ()
    numbers = [claim.group for claim in claims]
    size = sum(cloth.groups[n].tiles_in_sets for n in numbers if cloth.groups[n].labels)
    return (Seat(claims, cloth.toward(numbers, cloth.groups[numbers[0]].axis), 0.0, size),)


def strays(cloth: Tablecloth, seat: Seat) -> tuple[int, ...]:
    """Numbers of the groups that lie with a hand, in line with it, but were not taken for its own.

    Args:
        cloth: the table.
        seat: the only hand on the photo.
    """
    main = tuple(claim.group for claim in seat.claims if claim.role == "hand")
    if not main:
        return ()
    cost = cloth.reach(main[:1])
    return tuple(
        number
        for number, group in enumerate(cloth.groups)
        if number not in seat.groups
        and group.backs == 0
        and cost[number] < _CLOSE
        and cloth.askew[main[0], number] < _ASKEW
    )


def _beside(seat: Seat, others: Sequence[Seat]) -> tuple[Seat, ...]:
    """The seat if nobody sits at its side of the table, turned round if somebody does.

    A row whose tiles are mostly read upside down seems to be that of the player opposite.
    """
    if all(_apart(seat, other) for other in others):
        return (seat,)
    turned = replace(seat, toward=-seat.toward, score=seat.score - _TURNED)
    return (turned,) if all(_apart(turned, other) for other in others) else ()


def _apart(seat: Seat, other: Seat) -> bool:
    """Whether two players sit at different sides of the table."""
    return bool(seat.toward @ other.toward < np.cos(np.radians(50)))
