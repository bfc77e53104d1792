"""The players' hands among the groups of tiles on the table.

Each group that may be the row of a hand is weighed with the groups round it
(:mod:`vision.layout.seats`); at each side of the table the likeliest one is a player's hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.layout.seats import TURNED, Assignment, Seat, best_seat
from vision.layout.tabletop import ASKEW, Tabletop

_CLOSE: Final = 0.1
"""Cost of the way from a hand's row, in tile widths, below which a group lies with the hand."""

_OTHER_SIDE: Final = float(np.cos(np.radians(50)))
"""Cosine of the angle between two players' directions below which they sit at different sides."""


def find_seats(tabletop: Tabletop) -> tuple[Seat, ...]:
    """What may be hands at different sides of the table, at most four, the likeliest first."""
    mains = tabletop.mains()
    best: dict[tuple[int, ...], Seat] = {}
    seats: list[Seat] = []
    taken: frozenset[int] = frozenset()
    while len(seats) < 4:
        mains = [main for main in mains if not taken & set(main)]
        for main in mains:
            if main not in best or taken & best[main].weighed:
                best[main] = best_seat(tabletop, main, taken)
        ranked = [best[main] for main in mains]
        free = [turned for seat in ranked for turned in _beside(seat, seats)]
        if not free:
            break
        seats.append(max(free, key=lambda seat: seat.score))
        taken |= seats[-1].groups
    return tuple(seats) or _only_sets(tabletop)


def _only_sets(tabletop: Tabletop) -> tuple[Seat, ...]:
    """The seat of a player all of whose tiles lie as melds or bonus tiles, if there are any."""
    assignments = tuple(
        Assignment(number, "set" if group.labels else "bonus", 1.0)
        for number, group in enumerate(tabletop.groups)
        if not group.is_wall and (group.melds is not None or not group.labels)
    )
    if not assignments:
        return ()
    numbers = [assigned.group for assigned in assignments]
    return (Seat(assignments, tabletop.toward(numbers, tabletop.groups[numbers[0]].axis), 0.0),)


def strays(tabletop: Tabletop, seat: Seat) -> tuple[int, ...]:
    """Numbers of the groups that lie with a hand, in line with it, but do not belong to it.

    Args:
        tabletop: the groups on the table.
        seat: the only hand on the photo.
    """
    main = tuple(assigned.group for assigned in seat.assignments if assigned.role == "hand")
    if not main:
        return ()
    cost = tabletop.reach(main[:1])
    return tuple(
        number
        for number, group in enumerate(tabletop.groups)
        if number not in seat.groups
        and group.backs == 0
        and cost[number] < _CLOSE
        and tabletop.askew[main[0], number] < ASKEW
    )


def _beside(seat: Seat, others: Sequence[Seat]) -> tuple[Seat, ...]:
    """The seat if its side of the table is free, else the seat opposite if that is free.

    A row whose tiles are mostly read upside down seems to belong to the player opposite.
    """
    if all(_apart(seat, other) for other in others):
        return (seat,)
    turned = replace(seat, toward=-seat.toward, score=seat.score - TURNED)
    return (turned,) if all(_apart(turned, other) for other in others) else ()


def _apart(seat: Seat, other: Seat) -> bool:
    """Whether two players sit at different sides of the table."""
    return bool(seat.toward @ other.toward < _OTHER_SIDE)
