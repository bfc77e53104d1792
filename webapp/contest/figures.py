"""What each player has played, stage by stage, and what of it counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations

from webapp.contest.results import Stage, Table
from webapp.contest.rules import Count, Missed, Rules, place_points


@dataclass(frozen=True, slots=True)
class Figures:
    """What a player or a team has played; sums, and the best of its kind.

    Attributes:
        points: the game points won or lost.
        places: the points for places at tables.
        firsts: the number of tables at which nobody had more.
        won: the number of hands won.
        highest: the worth of the best hand won.
    """

    points: int = 0
    places: Fraction = Fraction()
    firsts: int = 0
    won: int = 0
    highest: int = 0

    def __add__(self, other: Figures) -> Figures:
        return Figures(
            self.points + other.points,
            self.places + other.places,
            self.firsts + other.firsts,
            self.won + other.won,
            max(self.highest, other.highest),
        )


@dataclass(frozen=True, slots=True)
class Part:
    """What one stage brings a player.

    Attributes:
        value: how much.
        played: whether the player played in it.
        counts: whether it goes into the total.
    """

    value: Fraction
    played: bool
    counts: bool


@dataclass(slots=True)
class Played:
    """All that was played: each player's figures in each stage, and who was ahead of whom."""

    stages: list[dict[str, Figures]] = field(default_factory=list)
    ahead: Counter[tuple[str, str]] = field(default_factory=Counter)


def played(stages: Sequence[Stage], rules: Rules) -> Played:
    """What was played in these stages."""
    found = Played()
    for stage in stages:
        figures: dict[str, Figures] = {}
        for table in stage.tables:
            for player, brought in _at_table(table, rules):
                figures[player] = figures.get(player, Figures()) + brought
            found.ahead.update(
                (one.player, other.player)
                for one, other in permutations(table, 2)
                if one.points > other.points
            )
        for score in stage.brought:
            brought = Figures(score.points, won=score.won)
            figures[score.player] = figures.get(score.player, Figures()) + brought
        found.stages.append(figures)
    return found


def _at_table(table: Table, rules: Rules) -> list[tuple[str, Figures]]:
    points = tuple(score.points for score in table)
    return [
        (
            score.player,
            Figures(
                score.points, worth, int(score.points == max(points)), score.won, score.highest
            ),
        )
        for score, worth in zip(table, place_points(points, rules.places), strict=True)
    ]


def parts(stages: Sequence[Figures | None], rules: Rules) -> tuple[Part | None, ...]:
    """What each stage brings a player, and whether it counts.

    Args:
        stages: what the player played in each of them; None where the player was absent.
        rules: how the contest is counted.

    Returns:
        a part for each stage; None for one that is left out because the player was absent.
    """
    there = [value_of(one, rules) for one in stages if one is not None]
    absent: Fraction | None = None
    if rules.missed is Missed.ZERO:
        absent = Fraction()
    elif rules.missed is Missed.AVERAGE and there:
        absent = sum(there, Fraction()) / len(there)
    found = [absent if one is None else value_of(one, rules) for one in stages]
    worth = {at: value for at, value in enumerate(found) if value is not None}
    points = [0 if one is None else one.points for one in stages]
    best = sorted(worth, key=lambda at: (worth[at], points[at]), reverse=True)[: rules.best]
    return tuple(
        Part(worth[at], stages[at] is not None, at in best) if at in worth else None
        for at in range(len(stages))
    )


def value_of(figures: Figures, rules: Rules) -> Fraction:
    """What these figures bring as the club counts."""
    return figures.places if rules.count is Count.PLACES else Fraction(figures.points)


def total_of(counted: Sequence[Part | None], rules: Rules) -> Fraction:
    """The total of a player: the sum of what counts, or its average where absences are left out."""
    values = [part.value for part in counted if part is not None and part.counts]
    total = sum(values, Fraction())
    return total / len(values) if rules.missed is Missed.SKIPPED and values else total
