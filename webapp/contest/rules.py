"""How a contest is counted: each club's own, as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final

from webapp.contest.results import kept_points

MOST_PLACES: Final = 5
"""Greatest number of places at a table to which points are given; five share the largest table."""


class Count(StrEnum):
    """What a player's total is made of."""

    PLACES = "places"
    """The points that the club gives for each place at a table."""
    POINTS = "points"
    """The game points, as they were won and lost."""


class Missed(StrEnum):
    """What a round or an evening counts at which a player was absent."""

    ZERO = "zero"
    """Nothing."""
    AVERAGE = "average"
    """As much as the average of those that the player played."""
    SKIPPED = "skipped"
    """It is left out: the average of those played is the player's total."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How a contest is counted.

    Attributes:
        count: what a total is made of.
        places: the points for each place at a table, the first first; further places get as many
            as the last one.
        ties: what decides between equal totals, one after the other; ids of
            :data:`webapp.contest.tie_breaks.TIE_BREAKS`.
        missed: what an absence counts.
        best: how many of the rounds or evenings count, the best ones; None for all.
        least: how many a player must have played to be given a place.
        of_team: how many players of a team count, the best ones; None for all.
    """

    count: Count = Count.PLACES
    places: tuple[Fraction, ...] = (Fraction(4), Fraction(2), Fraction(1), Fraction(0))
    ties: tuple[str, ...] = ("points", "firsts")
    missed: Missed = Missed.ZERO
    best: int | None = None
    least: int = 0
    of_team: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The rules as a JSON value."""
        return {
            "count": str(self.count),
            "places": [str(points) for points in self.places],
            "ties": list(self.ties),
            "missed": str(self.missed),
            "best": self.best,
            "least": self.least,
            "of_team": self.of_team,
        }

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> Rules:
        """The rules of which :meth:`to_json` made this JSON value.

        Raises:
            ValueError: it is no such value.
        """
        if not told["places"]:
            raise ValueError(told)
        return cls(
            Count(told["count"]),
            tuple(map(kept_points, told["places"])),
            tuple(told["ties"]),
            Missed(told["missed"]),
            told["best"],
            told["least"],
            told["of_team"],
        )


def place_points(points: tuple[int, ...], places: tuple[Fraction, ...]) -> list[Fraction]:
    """The points for their places that the players of a table get.

    Players with equal game points share what their places are worth together.

    >>> [str(each) for each in place_points((300, -50, -50, -200), Rules().places)]
    ['4', '3/2', '3/2', '0']

    Args:
        points: the game points of each player.
        places: the points for each place, at least one.
    """

    def worth(place: int) -> Fraction:
        return places[min(place, len(places) - 1)]

    found = []
    for own in points:
        before, level = sum(other > own for other in points), points.count(own)
        found.append(sum(map(worth, range(before, before + level)), Fraction()) / level)
    return found
