"""How many tables a round has, and for how many players each."""

from __future__ import annotations

from typing import Final

from webapp.draw.entrants import Odd

FULL: Final = 4
"""Number of players at an ordinary table."""

FEWEST: Final = 3
"""Smallest number of players with whom a table can play."""


def table_sizes(players: int, odd: Odd) -> tuple[int, ...]:
    """The numbers of players at the tables of a round; tables that are not of four come last.

    One or two who are left over make tables of five or join tables of three, or sit out, as ``odd``
    says; three who are left over make a table of three. Where too few tables allow only the other,
    the other is taken. The sizes add up to ``players``, less those who sit out the round.

    Args:
        players: number of players who are here; at least three.
        odd: what is done with those who are left over.
    """
    tables, left = divmod(players, FULL)
    if left == 0 or (odd is Odd.REST and tables):
        return (FULL,) * tables
    threes = FULL - left
    fives_fit, threes_fit = left < FEWEST and tables >= left, tables + 1 >= threes
    if fives_fit and not (odd is Odd.THREES and threes_fit):
        return (FULL,) * (tables - left) + (FULL + 1,) * left
    return (FULL,) * (tables + 1 - threes) + (FEWEST,) * threes
