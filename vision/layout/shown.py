"""Which of the hands that a table may show are laid out: not a pond, a heap or a sheet of faces.

A hand lies by itself and, as nearly everybody sorts it, has neighbours that are equal or near each
other in one suit. Discards lie as they came, in rows that touch each other, and so do the tiles of
a sheet or a heap. What shows little of a hand was still meant as one if there is hardly more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from scorer.tiles import is_suit
from vision.layout.seats import BELONGING, Seat
from vision.layout.tabletop import Tabletop


@dataclass(frozen=True, slots=True)
class LaidOut:
    """Whether tiles are a hand laid out rather than tiles that nobody has laid out.

    Attributes:
        sorted: log-odds of sorted rather than random tiles for neighbours that fit, and for those
            that do not.
        apart: largest difference of the numbers of two neighbours in one suit that fit.
        otherwise: share, 0..1, of hands that are not sorted, and of other tiles that are.
        most: share of the photo's tiles above which tiles that nobody's tiles touch were meant as a
            hand, however few.
    """

    sorted: tuple[float, float] = (1.9, -0.9)
    apart: int = 2
    otherwise: float = 0.05
    most: float = 0.5


LAID_OUT: Final = LaidOut()


def hands_shown(tabletop: Tabletop, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """The hands that are laid out; else the largest if it is most of what the photo shows.

    Args:
        tabletop: the groups on the table.
        seats: what may be hands, the likeliest first.
    """
    shown = tuple(seat for seat in seats if _laid_out(tabletop, seat) > 0)
    if shown or not seats:
        return shown
    clear = {seat: _tiles(tabletop, seat.groups) - _touched(tabletop, seat) for seat in seats}
    largest = max(seats, key=lambda seat: clear[seat])
    every = _tiles(tabletop, range(len(tabletop.groups)))
    return (largest,) if clear[largest] > LAID_OUT.most * every else ()


def _tiles(tabletop: Tabletop, numbers: Iterable[int]) -> int:
    """The number of tiles of these groups."""
    return sum(len(tabletop.groups[number].members) for number in numbers)


def _touched(tabletop: Tabletop, seat: Seat) -> int:
    """The number of tiles of a hand and its melds that nobody's tiles touch."""
    groups = tabletop.groups
    own = [number for number in seat.groups if groups[number].labels]
    others = [n for n, group in enumerate(groups) if n not in seat.groups and not group.is_wall]
    return int(tabletop.touched(others)[own].sum())


def _laid_out(tabletop: Tabletop, seat: Seat) -> float:
    """Log-odds that these tiles are a hand laid out; flowers near by are no evidence."""
    bonus = sum(assigned.odds for assigned in seat.assignments if assigned.role == "bonus")
    rows = [assigned.group for assigned in seat.assignments if assigned.role == "hand"]
    in_order = sum(_in_order(tabletop.groups[number].labels) for number in rows)
    return seat.score - bonus + in_order - BELONGING.touched * _touched(tabletop, seat)


def _in_order(labels: Sequence[str]) -> float:
    """Log-odds that the labels of a row are those of a hand rather than of other tiles."""
    fit, unfit = LAID_OUT.sorted
    odds = np.exp(sum(fit if _fit(one, other) else unfit for one, other in pairwise(labels)))
    few, most = LAID_OUT.otherwise, 1 - LAID_OUT.otherwise
    return float(np.log((most * odds + few) / (few * odds + most)))


def _fit(one: str, other: str) -> bool:
    """Whether two labels are equal or near each other in one suit."""
    if not (is_suit(one) and is_suit(other)):
        return one == other
    return one[1] == other[1] and abs(int(one[0]) - int(other[0])) <= LAID_OUT.apart
