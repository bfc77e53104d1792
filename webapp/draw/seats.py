"""Gives the players of each table their seats, so that everybody is each wind about as often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from random import Random
from typing import Final

from scorer.tiles import SEATS

_SWEEPS: Final = 3
"""How often all tables are seated again; after the second time hardly anything changes."""

_NEVER: Final = 1e6
"""What it costs that someone is East at a table at which they do not sit."""

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
    firsts = iter(_firsts([players for tables in groups for players in tables], east, random))
    held: Counter[tuple[str, str]] = Counter()
    found = [[(next(firsts), *players) for players in tables] for tables in groups]
    orders: list[list[tuple[str, ...]]] = [[() for _ in tables] for tables in groups]
    for _ in range(_SWEEPS):
        for tables, seats in zip(found, orders, strict=True):
            for at, (first, *players) in enumerate(tables):
                held.subtract(_places(seats[at]))
                seats[at] = _fairest(first, players, held, random)
                held.update(_places(seats[at]))
    return orders


def _firsts(tables: Sequence[Sequence[str]], east: Mapping[str, int], random: Random) -> list[str]:
    """The first East of each table, so that all have been East as evenly as can be.

    Anyone who is East once more costs as many as they have been it by then; the sum is the least.
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    turns = Counter(name for players in tables for name in players)
    names = random.sample(sorted(turns), len(turns))
    columns = [(name, turn) for name in names for turn in range(turns[name])]
    at = {name: [c for c, (who, _) in enumerate(columns) if who == name] for name in names}
    costs = np.full((len(tables), len(columns)), _NEVER)
    for row, players in enumerate(tables):
        for name in players:
            costs[row, at[name]] = [east.get(name, 0) + columns[c][1] for c in at[name]]
    return [columns[column][0] for column in linear_sum_assignment(costs)[1]]


def _places(order: Sequence[str]) -> list[tuple[str, str]]:
    return [(name, place) for name, place in zip(order, (*SEATS, _OUT), strict=False)]


def _fairest(
    first: str, players: Sequence[str], held: Mapping[tuple[str, str], int], random: Random
) -> tuple[str, ...]:
    others = [name for name in players if name != first]
    orders = [(first, *it) for it in permutations(random.sample(others, len(others)))]
    return min(orders, key=lambda order: sum(held.get(place, 0) for place in _places(order)))
