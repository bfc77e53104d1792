"""The standing of a contest after any of its rounds or evenings, of players and of teams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from webapp.contest.figures import Figures, Part, parts, played, total_of
from webapp.contest.results import Adjustment, Stage, Team
from webapp.contest.rules import Rules
from webapp.contest.tie_breaks import MEETING, Ahead, broken


@dataclass(frozen=True, slots=True)
class Line:
    """One player, or one team, in a standing.

    Attributes:
        who: the player's id, or the team's name.
        total: the total by which places are given.
        figures: what was played in the stages that count.
        parts: what each stage brings; None for one that is left out. Empty for a team.
        adjusted: what the organiser added or took away; it is in the total.
        played: the number of stages in which the player played.
        place: the place; None for a player who has played too few.
        shared: whether others have the same place.
        by: the tie-break that set this one apart from others with the same total, or empty.
        change: by how many places it went up since the stage before, below 0 for down; None if it
            had no place then.
        counted: the players of a team who count.
    """

    who: str
    total: Fraction
    figures: Figures
    parts: tuple[Part | None, ...] = ()
    adjusted: Fraction = Fraction()
    played: int = 0
    place: int | None = None
    shared: bool = False
    by: str = ""
    change: int | None = None
    counted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Contest:
    """All from which a standing is worked out."""

    rules: Rules
    stages: tuple[Stage, ...]
    adjustments: tuple[Adjustment, ...] = ()
    teams: tuple[Team, ...] = ()

    @property
    def complete(self) -> int:
        """The number of stages that are complete, up to the first that is not."""
        for number, stage in enumerate(self.stages):
            if not stage.complete:
                return number
        return len(self.stages)

    def standing(self, after: int) -> tuple[Line, ...]:
        """The players in their order after so many stages; who has played too few comes last."""
        return _moved(self._players(after), self._players(after - 1) if after > 1 else ())

    def team_standing(self, after: int) -> tuple[Line, ...]:
        """The teams in their order after so many stages."""
        return _moved(self._ranked_teams(after), self._ranked_teams(after - 1) if after > 1 else ())

    def _players(self, after: int) -> tuple[Line, ...]:
        found = played(self.stages[:after], self.rules)
        later = {stage.key for stage in self.stages[after:]}
        here: set[str] = set().union(*found.stages)
        lines = []
        for player in here:
            own = [stage.get(player) for stage in found.stages]
            counted = parts(own, self.rules)
            figures = Figures()
            for one, part in zip(own, counted, strict=True):
                if one is not None and part is not None and part.counts:
                    figures += one
            given = sum(
                (a.points for a in self.adjustments if a.player == player and a.since not in later),
                Fraction(),
            )
            there = sum(one is not None for one in own)
            total = total_of(counted, self.rules) + given
            lines.append(Line(player, total, figures, counted, given, there))
        return _placed(lines, self.rules, found.ahead)

    def _ranked_teams(self, after: int) -> tuple[Line, ...]:
        players = {line.who: line for line in self._players(after)}
        lines = []
        for team in self.teams:
            own = sorted(
                (players[player] for player in set(team.players) & players.keys()),
                key=lambda line: (-line.total, -line.figures.points, line.who),
            )[: self.rules.of_team]
            figures = sum((line.figures for line in own), Figures())
            total = sum((line.total for line in own), Fraction())
            counted = tuple(line.who for line in own)
            lines.append(Line(team.name, total, figures, counted=counted))
        ties = tuple(tie for tie in self.rules.ties if tie != MEETING)
        return _placed(lines, replace(self.rules, ties=ties, least=0), {})


def _placed(lines: Sequence[Line], rules: Rules, ahead: Ahead) -> tuple[Line, ...]:
    """The lines in their order with their places."""
    known = {line.who: line for line in lines}
    level: dict[Fraction, list[str]] = {}
    for line in lines:
        if line.played >= rules.least:
            level.setdefault(line.total, []).append(line.who)
    figures = {who: line.figures for who, line in known.items()}
    found: list[Line] = []
    for total in sorted(level, reverse=True):
        for group, by in broken(level[total], rules.ties, figures, ahead):
            place = len(found) + 1
            found += (
                replace(known[who], place=place, shared=len(group) > 1, by=by) for who in group
            )
    rest = (line for line in lines if line.played < rules.least)
    return (*found, *sorted(rest, key=lambda line: (-line.total, line.who)))


def _moved(now: Sequence[Line], before: Sequence[Line]) -> tuple[Line, ...]:
    """The lines, each with how many places it went up since before."""
    earlier: Mapping[str, int] = {line.who: line.place for line in before if line.place is not None}
    return tuple(
        line
        if line.place is None or line.who not in earlier
        else replace(line, change=earlier[line.who] - line.place)
        for line in now
    )
