"""The likeliest ways to read a winner's tiles so that they make a hand with which one goes out."""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from scorer.tiles import is_bonus
from vision.deal.options import Choice, Option, Table
from vision.vocabulary.melds import find_meld
from vision.vocabulary.readings import HandReading, MeldReading

LEGAL_ODDS: Final = 1000.0
"""How much likelier a declared winner's tiles make a winning hand than any one other hand near it.

About 98 of 100 declared hands are winning hands, and of the hands that differ from one in a single
tile about one in twenty is another: 98 / 2 times 20."""

MOST_SUBSTITUTIONS: Final = 3
MOST_VERSIONS: Final = 3
MOST_TESTS: Final = 500
"""How many hands are tried at most."""
MOST_SECONDS: Final = 0.015
"""Seconds of this thread's processor time after which no further hand is tried."""
_CLOCK_EVERY: Final = 16

IsLegal = Callable[[HandReading], bool]


@dataclass(frozen=True, slots=True)
class Winner:
    """Who is said to have gone out, and what may be gone out with.

    Attributes:
        player: as named in the tiles.
        is_legal: tells whether a hand is one with which this player may go out. The hand's
            ``row`` means nothing; sets laid apart are its melds.
        tile: the winning tile, if it is known; it lies among the concealed ones.
    """

    player: str
    is_legal: IsLegal
    tile: str | None = None

    def accepts(self, hand: HandReading) -> bool:
        """Whether the hand is a winning one that holds the winning tile."""
        held = self.tile is None or self.tile in hand.concealed
        return held and self.is_legal(hand)


def hand_of(table: Table, choice: Choice, player: str) -> HandReading:
    """The player's tiles under a choice as a hand; what is no set counts as concealed."""
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


def legal_versions(
    table: Table, start: Choice, winner: Winner, *, most_seconds: float = MOST_SECONDS
) -> list[Choice]:
    """Up to three winning hands near a choice, likeliest first; none if the search finds none.

    Hands with up to three blocks read otherwise are tried from the likeliest on, as long as they
    take no more from the set than the choice does. One that differs from a hand found before in
    further blocks alone is left out: those need not be read otherwise for a winning hand.

    Args:
        table: all blocks.
        start: the choice that is departed from.
        winner: whose blocks are read otherwise.
        most_seconds: processor time for the search.
    """
    ending = time.thread_time() + most_seconds
    surplus = sum(table.surplus(start).values())
    found: list[Choice] = []
    for tested, choice in enumerate(_nearby(table, start, winner.player)):
        late = tested % _CLOCK_EVERY == 0 and time.thread_time() > ending
        if late or tested >= MOST_TESTS or len(found) == MOST_VERSIONS:
            break
        accepted = winner.accepts(hand_of(table, choice, winner.player))
        if not accepted or sum(table.surplus(choice).values()) > surplus:
            continue
        if not any(_departs(start, known) <= _departs(start, choice) for known in found):
            found.append(choice)
    return sorted(found, key=table.score, reverse=True)


def _departs(start: Choice, choice: Choice) -> set[tuple[int, int]]:
    """The blocks that are read otherwise, and as which of their options."""
    return set(enumerate(choice)) - set(enumerate(start))


def _nearby(table: Table, start: Choice, player: str) -> Iterator[Choice]:
    """Choices with one to three of the player's blocks read otherwise, likeliest first."""
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
            if len(picked) < MOST_SUBSTITUTIONS:
                heapq.heappush(waiting, (cost + ahead, (*picked, last + 1)))
        changes = dict(swaps[k][1:] for k in picked)
        if len(changes) == len(picked):
            yield tuple(changes.get(number, k) for number, k in enumerate(start))


def _swaps(table: Table, start: Choice, player: str) -> list[tuple[float, int, int]]:
    """What each departure costs, its block and its option, cheapest first.

    Of blocks that may be exactly the same things only those that differ in cost are told apart.
    """
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
