"""Finds the players' hands among the groups of tiles on the table.

Each group that may be the row of a hand is weighed with what lies round it
(:mod:`vision.layout.seats`); at each side of the table the likeliest is a player's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.layout.seats import TURNED, Claim, Seat, best_seat
from vision.layout.tabletop import ASKEW, Tablecloth

_CLOSE: Final = 0.1
"""Cost of the way from a hand's row within which a group lies with it."""


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
        and cloth.askew[main[0], number] < ASKEW
    )


def _beside(seat: Seat, others: Sequence[Seat]) -> tuple[Seat, ...]:
    """The seat if nobody sits at its side of the table, turned round if somebody does.

    A row whose tiles are mostly read upside down seems to be that of the player opposite.
    """
    if all(_apart(seat, other) for other in others):
        return (seat,)
    turned = replace(seat, toward=-seat.toward, score=seat.score - TURNED)
    return (turned,) if all(_apart(turned, other) for other in others) else ()


def _apart(seat: Seat, other: Seat) -> bool:
    """Whether two players sit at different sides of the table."""
    return bool(seat.toward @ other.toward < np.cos(np.radians(50)))
