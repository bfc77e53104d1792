"""What a club has decided about a contest: its name, its evenings, and how it is counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from webapp.contest.results import Adjustment, Team
from webapp.contest.rules import Count, Rules
from webapp.contest.tie_breaks import TIE_BREAKS


class PlanRefused(ValueError):
    """What is kept is no plan, for example because another program wrote it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What was decided about a contest.

    Attributes:
        name: what it is called; empty for the tournament of an evening.
        evening: the id of the evening of a tournament; None for a league.
        first: the first day of a league.
        last: its last day.
        left_out: the ids of evenings in these days that do not count.
        rules: how it is counted.
        teams: who plays with whom.
        adjustments: what the organiser added or took away.
        brought: whether the results that came in from lists count, too.
    """

    name: str = ""
    evening: str | None = None
    first: date | None = None
    last: date | None = None
    left_out: tuple[str, ...] = ()
    rules: Rules = field(default_factory=Rules)
    teams: tuple[Team, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    brought: bool = False

    @property
    def league(self) -> bool:
        """Whether its evenings are counted, not the rounds of one evening."""
        return self.evening is None

    @property
    def counts_brought(self) -> bool:
        """Whether results from lists count: nobody knows their places, so only game points do."""
        return self.brought and self.league and self.rules.count is Count.POINTS

    def holds(self, evening: str, day: date) -> bool:
        """Whether an evening of this day belongs to it."""
        if self.evening is not None:
            return self.evening == evening
        begun = self.first is None or self.first <= day
        return begun and (self.last is None or day <= self.last) and evening not in self.left_out

    def standing_for(self, joined: Mapping[str, str]) -> Plan:
        """The plan with the players to whom others were joined in the places of those.

        Args:
            joined: the id of the one who stays, by the id of the one who was joined.
        """

        def now(player: str) -> str:
            while player in joined:
                player = joined[player]
            return player

        teams = (
            replace(it, players=tuple(dict.fromkeys(map(now, it.players)))) for it in self.teams
        )
        given = (replace(it, player=now(it.player)) for it in self.adjustments)
        return replace(self, teams=tuple(teams), adjustments=tuple(given))

    def to_json(self) -> dict[str, Any]:
        """The plan as a JSON value."""
        return {
            "name": self.name,
            "evening": self.evening,
            "first": None if self.first is None else self.first.isoformat(),
            "last": None if self.last is None else self.last.isoformat(),
            "left_out": list(self.left_out),
            "rules": self.rules.to_json(),
            "teams": [team.to_json() for team in self.teams],
            "adjustments": [one.to_json() for one in self.adjustments],
            **({"brought": True} if self.brought else {}),
        }

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> Plan:
        """The plan of which :meth:`to_json` made this JSON value.

        Raises:
            PlanRefused: it is no such value.
        """
        try:
            plan = cls._read(told)
        except (AttributeError, KeyError, TypeError, ValueError, ZeroDivisionError) as error:
            raise PlanRefused from error
        if not set(plan.rules.ties) <= set(TIE_BREAKS):
            raise PlanRefused
        return plan

    @classmethod
    def _read(cls, told: dict[str, Any]) -> Plan:
        first, last = told["first"], told["last"]
        return cls(
            told["name"],
            told["evening"],
            None if first is None else date.fromisoformat(first),
            None if last is None else date.fromisoformat(last),
            tuple(told["left_out"]),
            Rules.from_json(told["rules"]),
            tuple(map(Team.from_json, told["teams"])),
            tuple(map(Adjustment.from_json, told["adjustments"])),
            told.get("brought") is True,
        )
