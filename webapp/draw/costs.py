"""What makes one draw better than another, in one currency: the cost of each meeting and place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, pstdev
from typing import Final

from webapp.draw.entrants import Entrant, Past, Strength, Wishes


@dataclass(frozen=True, slots=True)
class Weights:
    """What each shortcoming costs; only the order of their sizes matters.

    Attributes:
        apart: two meet who are to be kept apart.
        table: someone does not sit at the table at which they always sit.
        together: two who wish to sit together do not, for each round.
        again: two meet once more in the same draw; the third time costs twice that, and so on.
        odd: someone sits out or plays at a table not of four once more; again rising.
        before: two meet who met before this season, for each such time.
        strength: two of a standard deviation's strength each share a table, where strengths are
            to be balanced; the same with the other sign where like is to play like.
    """

    apart: float = 1000.0
    table: float = 300.0
    together: float = 200.0
    again: float = 10.0
    odd: float = 5.0
    before: float = 1.0
    strength: float = 0.5


WEIGHTS: Final = Weights()
"""What was chosen: wishes go before new faces, new faces before fair turns and strength."""


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of one draw, by the index of each player among the entrants.

    Attributes:
        meeting: what each meeting of two players costs, whenever it is.
        again: what the second meeting of two costs beside that; 0 for those who wish to meet.
        table: the index of the table at which each player always sits, or -1.
        odd: how often each player has been at odds before.
    """

    meeting: Sequence[Sequence[float]]
    again: Sequence[Sequence[float]]
    table: Sequence[int]
    odd: Sequence[int]


def costs_of(entrants: Sequence[Entrant], wishes: Wishes, past: Past) -> Costs:
    """The costs of a draw of these players."""
    count = len(entrants)
    meeting = [[0.0] * count for _ in range(count)]
    again = [[WEIGHTS.again] * count for _ in range(count)]
    strengths = _strengths(entrants, wishes.strength)
    for (i, one), (j, other) in combinations(enumerate(entrants), 2):
        pair = frozenset((one.name, other.name))
        cost = WEIGHTS.before * past.met.get(pair, 0) + strengths[i] * strengths[j] * _sign(wishes)
        cost += WEIGHTS.apart * (pair in wishes.apart)
        if pair in wishes.together:
            again[i][j] = again[j][i] = 0.0
            cost -= WEIGHTS.together
        meeting[i][j] = meeting[j][i] = cost
    tables = [-1 if entrant.table is None else entrant.table - 1 for entrant in entrants]
    return Costs(meeting, again, tables, [past.odd.get(entrant.name, 0) for entrant in entrants])


def _sign(wishes: Wishes) -> float:
    return -WEIGHTS.strength if wishes.strength is Strength.ALIKE else WEIGHTS.strength


def _strengths(entrants: Sequence[Entrant], minded: Strength) -> list[float]:
    """The strengths with mean 0 and standard deviation 1; 0 for those of whom it is not known."""
    known = [entrant.strength for entrant in entrants if entrant.strength is not None]
    if minded is Strength.ANY or len(known) < 2:
        return [0.0] * len(entrants)
    mean, spread = fmean(known), pstdev(known) or 1.0
    return [0.0 if e.strength is None else (e.strength - mean) / spread for e in entrants]
