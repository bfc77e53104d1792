"""Gives the players of each table their seats, so that everybody is each wind about as often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from random import Random
from typing import Final

from scorer.tiles import SEATS

_SWEEPS: Final = 3
"""How often all tables are seated anew; after the second time hardly anything changes."""

_EAST: Final = 3
"""How much more being the first East counts than being any other wind."""

_OUT: Final = "out"
"""The place of a fifth player, who sits out the first hand."""


def seated(
    groups: Sequence[Sequence[Sequence[str]]], east: Mapping[str, int], random: Random
) -> list[list[tuple[str, ...]]]:
    """The players of every table in the order of the winds, East first; a fifth comes last.

    Args:
        groups: the names of the players by round and table.
        east: how often a player was the first East before.
        random: what decides between orders that are equally fair.
    """
    held = Counter({(name, SEATS[0]): times for name, times in east.items()})
    found: list[list[tuple[str, ...]]] = [[() for _ in tables] for tables in groups]
    for _ in range(_SWEEPS):
        for tables, orders in zip(groups, found, strict=True):
            for at, players in enumerate(tables):
                held.subtract(_places(orders[at]))
                orders[at] = _fairest(players, held, random)
                held.update(_places(orders[at]))
    return found


def _places(order: Sequence[str]) -> list[tuple[str, str]]:
    return [(name, place) for name, place in zip(order, (*SEATS, _OUT), strict=False)]


def _fairest(
    players: Sequence[str], held: Mapping[tuple[str, str], int], random: Random
) -> tuple[str, ...]:
    orders = list(permutations(random.sample(players, len(players))))
    return min(
        orders,
        key=lambda order: sum(
            held.get(place, 0) * (_EAST if place[1] == SEATS[0] else 1) for place in _places(order)
        ),
    )
