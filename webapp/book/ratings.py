"""Ratings of the players, from their places at the tables they finished.

One table is one match: its players are ranked by what they won or lost there, players with equal
gains share a place, and three players are a match as well as four. A table counts from when its
game is over, or its day is past, and if at least one hand was won. Matches are taken in the order
of the evenings. The model is Plackett and Luce's as Weng and Lin apply it ("A Bayesian
Approximation Method for Online Ranking", Journal of Machine Learning Research 12, 2011), by the
library openskill with its usual settings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from openskill.models import PlackettLuce, PlackettLuceRating

SCALE: Final = 40
"""Points shown for one of the model's: a player who never sat at a table has 1000."""

SETTLED: Final = 10
"""Tables after which a rating is no longer shown as provisional."""


@dataclass(frozen=True, slots=True)
class Match:
    """A finished table: its day, its game's id, and what each player (by id) gained there."""

    day: date
    game_id: str
    gains: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating after a table.

    Attributes:
        day: the day of that table.
        points: the estimate, 1000 for somebody unknown.
        doubt: half the width of the band in which the truth lies two times out of three.
        tables: how many tables it rests on.
    """

    day: date
    points: int
    doubt: int
    tables: int

    @property
    def provisional(self) -> bool:
        """Whether it rests on too few tables to mean much."""
        return self.tables < SETTLED

    @property
    def cautious(self) -> int:
        """The rating less three times its doubt: by this players are put in order."""
        return self.points - 3 * self.doubt


def rate(matches: Iterable[Match]) -> dict[str, list[Rating]]:
    """Each player's rating after each of their tables, by the players' ids.

    Args:
        matches: in the order in which they were played.
    """
    model = PlackettLuce()
    now: dict[str, PlackettLuceRating] = {}
    course: dict[str, list[Rating]] = {}
    for match in matches:
        players = sorted(match.gains, key=lambda player: -match.gains[player])
        teams = [[now.get(player) or model.rating()] for player in players]
        ordered = [match.gains[player] for player in players]
        ranks = [float(ordered.index(gain)) for gain in ordered]
        for player, team in zip(players, model.rate(teams, ranks=ranks), strict=True):
            now[player] = team[0]
            before = course.setdefault(player, [])
            before.append(
                Rating(
                    match.day,
                    round(SCALE * team[0].mu),
                    round(SCALE * team[0].sigma),
                    len(before) + 1,
                )
            )
    return course
