"""Known tables at which nobody meets twice: designs in which a few rounds tell all the others.

The numbers of a round lie in circles, and a few beside them. For the next round each number gives
way to the next in its circle, and those beside the circles stay. The rounds of 32 players come from
the group of eight in which everything is its own opposite; all others were found by trying, and the
tests count that no two meet twice. For up to 36 players no more rounds are known, and for most none
are possible; for 40 and more they are, but no evening has as many.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Final

from webapp.draw.sizes import FEWEST, FULL

_FIRST: Final = {
    16: (5, """
        15-10-6-4 14-9-8-11 13-0-3-12 7-5-2-1
    """),
    20: (5, """
        19-10-11-17 18-3-6-9 16-15-4-2 14-7-12-8 13-5-1-0
    """),
    24: (7, """
        23-11-14-4 22-3-17-8 21-13-20-5 19-16-0-18 15-10-9-7 12-2-6-1
    """),
    28: (9, """
        27-4-11-22 26-7-3-1 25-19-24-12 23-21-6-15 20-8-10-0 18-9-5-13 17-14-2-16
    """),
    32: (1, """
        0-8-16-24 1-9-17-25 2-10-18-26 3-11-19-27 4-12-20-28 5-13-21-29 6-14-22-30 7-15-23-31 |
        0-9-18-27 1-8-19-26 2-11-16-25 3-10-17-24 4-13-22-31 5-12-23-30 6-15-20-29 7-14-21-28 |
        0-10-19-28 1-11-18-29 2-8-17-30 3-9-16-31 4-14-23-24 5-15-22-25 6-12-21-26 7-13-20-27 |
        0-11-20-30 1-10-21-31 2-9-22-28 3-8-23-29 4-15-16-26 5-14-17-27 6-13-18-24 7-12-19-25 |
        0-12-17-29 1-13-16-28 2-14-19-31 3-15-18-30 4-8-21-25 5-9-20-24 6-10-23-27 7-11-22-26 |
        0-13-23-25 1-12-22-24 2-15-21-27 3-14-20-26 4-9-19-29 5-8-18-28 6-11-17-31 7-10-16-30 |
        0-1-14-15 2-3-12-13 4-5-10-11 6-7-8-9 16-22-27-29 17-23-26-28 18-20-25-31 19-21-24-30 |
        0-3-21-22 1-2-20-23 4-7-17-18 5-6-16-19 8-12-27-31 9-13-26-30 10-14-25-29 11-15-24-28 |
        0-5-26-31 1-4-27-30 2-7-24-29 3-6-25-28 8-10-20-22 9-11-21-23 12-14-16-18 13-15-17-19 |
        0-2-4-6 1-3-5-7 8-11-13-14 9-10-12-15 16-17-20-21 18-19-22-23 24-25-26-27 28-29-30-31
    """),
    36: (11, """
        35-22-11-4 34-26-14-5 33-1-12-32 31-8-9-24 30-27-13-28 29-10-16-23 25-15-17-20
        21-2-7-0 19-6-18-3
    """),
    40: (11, """
        39-22-11-4 38-21-6-27 37-13-10-29 36-23-0-19 35-25-8-18 34-7-12-31 33-9-15-24
        32-1-28-26 30-20-16-17 14-2-5-3
    """),
    44: (11, """
        43-22-11-21 42-27-7-25 41-0-10-18 40-16-1-4 39-19-5-14 38-20-26-9 37-24-29-28
        36-34-17-33 35-8-30-3 32-6-12-2 31-23-13-15
    """),
    48: (12, """
        47-22-11-21 46-12-25-9 45-44-33-0 43-40-23-16 42-19-28-3 41-35-26-39 38-10-8-17
        37-30-29-6 36-7-2-20 34-18-24-14 32-27-15-13 31-1-4-5
    """),
    52: (13, """
        51-22-11-21 50-13-8-6 49-17-48-26 47-28-4-0 46-23-38-29 45-31-32-43 44-39-3-18
        42-10-27-9 41-16-19-2 40-25-20-33 37-30-5-14 36-34-7-1 35-12-15-24
    """),
    56: (14, """
        55-22-11-21 54-13-40-26 53-29-3-45 52-9-7-4 51-39-16-48 50-19-46-24 49-28-38-36
        47-32-12-41 44-20-43-14 42-17-37-34 35-25-27-5 33-0-18-1 31-10-15-6 30-2-8-23
    """),
    60: (15, """
        59-22-57-21 58-34-54-53 56-44-0-30 55-39-47-11 52-18-6-10 51-8-24-27 50-13-19-32
        49-46-20-36 48-33-23-42 45-5-43-12 41-38-2-1 40-7-17-25 37-35-15-26 31-14-28-4
        29-3-16-9
    """),
}  # fmt: skip
"""By the number of players how many numbers a circle has, and the rounds that tell the others."""

_TRIES: Final = 200
"""Number of choices of empty seats of which none may share a table."""


def known_rounds(players: int) -> int:
    """In how many rounds nobody meets twice here, at tables of four; 0 where nothing is known."""
    circle, told = _FIRST.get(players, (0, ""))
    return circle * (told.count("|") + 1)


def designed(
    sizes: Sequence[Sequence[int]], here: Sequence[Sequence[int]], random: Random
) -> list[list[list[int]]] | None:
    """Tables of four, some with an empty seat, at which nobody meets twice as long as is known.

    Rounds beyond that have the players in any order.

    Args:
        sizes: the number of players at each table of each round.
        here: the players who are here in each round.
        random: who takes which place of the design.

    Returns:
        the players by round and table, or None where no design fits.
    """
    players, seats = here[0], FULL * len(sizes[0])
    fits = min(sizes[0]) >= FEWEST and max(sizes[0]) == FULL and sum(sizes[0]) == len(players)
    if seats not in _FIRST or not fits or any(one != players for one in here):
        return None
    rounds = _rounds(seats)
    chosen = random.sample(rounds, min(len(rounds), len(here)))
    empty = _never_together(chosen, seats, seats - len(players), random)
    if empty is None:
        return None
    places = [place for place in range(seats) if place not in empty]
    whose = dict(zip(places, random.sample(players, len(players)), strict=True))
    laid = [[[whose[at] for at in table if at in whose] for table in one] for one in chosen]
    for tables in laid:
        random.shuffle(tables)
        tables.sort(key=len, reverse=True)
    return laid + [_in_any_order(size, players, random) for size in sizes[len(laid) :]]


def at_home(rounds: list[list[list[int]]], homes: Sequence[int]) -> list[list[list[int]]]:
    """The rounds with each table where someone of it always sits, as far as that can be.

    Args:
        rounds: the players by round and table.
        homes: the index of the table of each player, or -1 for any.
    """
    for tables in rounds:
        for player, home in enumerate(homes):
            at = next((at for at, table in enumerate(tables) if player in table), home)
            if 0 <= home < len(tables) and len(tables[at]) == len(tables[home]):
                tables[at], tables[home] = tables[home], tables[at]
    return rounds


def _rounds(seats: int) -> list[list[list[int]]]:
    """All rounds of the design for so many seats."""
    circle, told = _FIRST[seats]
    first = [[list(map(int, it.split("-"))) for it in one.split()] for one in told.split("|")]
    circled = seats - seats % circle
    return [
        [[_moved(it, by, circle) if it < circled else it for it in table] for table in tables]
        for tables in first
        for by in range(circle)
    ]


def _moved(place: int, by: int, circle: int) -> int:
    which, at = divmod(place, circle)
    return which * circle + (at + by) % circle


def _never_together(
    rounds: Sequence[Sequence[Sequence[int]]], seats: int, count: int, random: Random
) -> set[int] | None:
    """So many seats of which no two share a table; None if none are found."""
    met = {pair for one in rounds for table in one for pair in combinations(sorted(table), 2)}
    for _ in range(_TRIES):
        found = sorted(random.sample(range(seats), count))
        if met.isdisjoint(combinations(found, 2)):
            return set(found)
    return None


def _in_any_order(sizes: Sequence[int], players: Sequence[int], random: Random) -> list[list[int]]:
    waiting = random.sample(players, len(players))
    return [[waiting.pop() for _ in range(size)] for size in sizes]
