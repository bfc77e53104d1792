"""The likeliest labels of a winner's tiles that make a winning hand."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from scorer.tiles import is_bonus
from vision.deal.options import Choice, Option, Table
from vision.vocabulary.melds import find_meld
from vision.vocabulary.readings import HandReading, MeldReading

LEGAL_ODDS: Final = 1000.0
"""How many times as likely it is that a declared winner's tiles are a winning hand as that they are
any one other hand near it.

About 98 of 100 declared hands are winning hands, and about one in twenty of the hands that differ
from one in a single tile is another winning hand: 98 / 2 times 20."""


@dataclass(frozen=True, slots=True)
class Search:
    """How long winning hands are searched for.

    Attributes:
        substitutions: maximum number of blocks whose labels are changed at once.
        versions: maximum number of winning hands that are looked for.
        tests: maximum number of hands that are tried.
    """

    substitutions: int = 3
    versions: int = 3
    tests: int = 500


SEARCH: Final = Search()

IsLegal = Callable[[HandReading], bool]


@dataclass(frozen=True, slots=True)
class Winner:
    """The player who declared going out, and the hands that this player may go out with.

    Attributes:
        player: name of the player, as in :class:`vision.deal.decision.JointTile`.
        is_legal: decides whether the player may go out with a hand. The ``row`` of the hand has no
            meaning; its ``melds`` are those laid apart.
        tile: label of the winning tile if it is known; it is one of the concealed tiles.
    """

    player: str
    is_legal: IsLegal
    tile: str | None = None

    def accepts(self, hand: HandReading) -> bool:
        """Whether the hand is a winning hand with the winning tile."""
        held = self.tile is None or self.tile in hand.concealed
        return held and self.is_legal(hand)


def hand_of(table: Table, choice: Choice, player: str) -> HandReading:
    """The player's hand under a choice; tiles of no meld count as concealed."""
    concealed: list[str] = []
    melds: list[MeldReading] = []
    bonus: list[str] = []
    for block, option in zip(table.blocks, table.chosen(choice), strict=True):
        if block.player != player:
            continue
        meld = find_meld(option.labels) if len(block.tiles) > 1 else None
        if meld is not None:
            melds.append(meld)
            continue
        for label in option.labels:
            (bonus if is_bonus(label) else concealed).append(label)
    return HandReading(0, tuple(concealed), tuple(melds), tuple(bonus))


def legal_versions(table: Table, start: Choice, winner: Winner) -> list[Choice]:
    """Search for up to three winning hands near a choice, the likeliest first.

    Hands with other options of up to three blocks are tried from the likeliest on, as long as they
    exceed the tile set no more than the choice does. A hand that changes further blocks besides
    those of a hand found before is left out, since these changes are not needed for a winning hand.

    Args:
        table: all blocks and the laws that bind them.
        start: the choice that is changed.
        winner: the player whose blocks are changed.
    """
    surplus = sum(table.surplus(start).values())
    found: list[Choice] = []
    for tested, choice in enumerate(_nearby(table, start, winner.player)):
        if tested >= SEARCH.tests or len(found) == SEARCH.versions:
            break
        accepted = winner.accepts(hand_of(table, choice, winner.player))
        if not accepted or sum(table.surplus(choice).values()) > surplus:
            continue
        if not any(_departs(start, known) <= _departs(start, choice) for known in found):
            found.append(choice)
    return sorted(found, key=table.score, reverse=True)


def _departs(start: Choice, choice: Choice) -> set[tuple[int, int]]:
    """The blocks whose option differs between two choices, with their new options."""
    return set(enumerate(choice)) - set(enumerate(start))


def _nearby(table: Table, start: Choice, player: str) -> Iterator[Choice]:
    """Choices with other options of one to three of the player's blocks, likeliest first."""
    swaps = _swaps(table, start, player)
    waiting: list[tuple[float, tuple[int, ...]]] = []
    if swaps:
        waiting.append((swaps[0][0], (0,)))
    while waiting:
        cost, picked = heapq.heappop(waiting)
        last = picked[-1]
        if last + 1 < len(swaps):
            ahead = swaps[last + 1][0]
            heapq.heappush(waiting, (cost - swaps[last][0] + ahead, (*picked[:-1], last + 1)))
            if len(picked) < SEARCH.substitutions:
                heapq.heappush(waiting, (cost + ahead, (*picked, last + 1)))
        changes = dict(swaps[k][1:] for k in picked)
        if len(changes) == len(picked):
            yield tuple(changes.get(number, k) for number, k in enumerate(start))


def _swaps(table: Table, start: Choice, player: str) -> list[tuple[float, int, int]]:
    """Every change of one block as (cost, block, option): cheapest first, then by its labels."""
    swaps = []
    for number, (block, taken) in enumerate(zip(table.blocks, start, strict=True)):
        if block.player != player:
            continue
        for k, option in enumerate(block.options):
            if k != taken:
                swaps.append((block.options[taken].score - option.score, number, k))
    swaps.sort(key=lambda swap: (swap[0], _names(table, swap)))
    return swaps


def _names(table: Table, swap: tuple[float, int, int]) -> tuple[Sequence[str], Sequence[str]]:
    _, number, k = swap
    options: Sequence[Option] = table.blocks[number].options
    return options[table.blocks[number].camera].labels, options[k].labels


def probability_ratio(logarithm: float) -> float:
    """The ratio whose natural logarithm is given, at most 1e12 and at least 1e-12."""
    return math.exp(min(max(logarithm, math.log(1e-12)), math.log(1e12)))
