"""Ratings of the players from their places at the tables that they finished.

One table is one match of three or four players, who are ranked by what they won or lost there;
players with equal gains share a place. A table counts if at least one hand was won, and as soon as
its game is over or its day is past. Matches are rated in the order of the evenings. The model is
Plackett and Luce's in the form of Weng and Lin ("A Bayesian Approximation Method for Online
Ranking", Journal of Machine Learning Research 12, 2011), from the library openskill with its
default settings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from openskill.models import PlackettLuceRating

SCALE: Final = 40
"""Number of points that are shown for one unit of the model; a new player has 1000 points."""

SETTLED: Final = 10
"""Number of tables from which a rating is no longer shown as provisional."""


@dataclass(frozen=True, slots=True)
class Match:
    """A finished table: its day, the id of its game, and each player's gain by player id."""

    day: date
    game_id: str
    gains: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating after a table.

    Attributes:
        day: the day of that table.
        points: the estimate; 1000 for a player without a table.
        doubt: the standard deviation of the estimate, in points.
        tables: the number of tables on which it is based.
    """

    day: date
    points: int
    doubt: int
    tables: int

    @property
    def provisional(self) -> bool:
        """Whether it is based on fewer tables than :data:`SETTLED`."""
        return self.tables < SETTLED

    @property
    def cautious(self) -> int:
        """The points less three times the doubt, by which players are ranked."""
        return self.points - 3 * self.doubt


def rate(matches: Iterable[Match]) -> dict[str, list[Rating]]:
    """The rating of each player after each of the player's tables, by player id.

    Args:
        matches: the matches in the order in which they were played.
    """
    from openskill.models import PlackettLuce

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
