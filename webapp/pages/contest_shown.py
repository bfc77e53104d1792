"""A standing as pages and files show it: with names, headings and the addresses of its parts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from flask import abort, make_response, request, url_for
from flask_babel import gettext, ngettext
from werkzeug.wrappers import Response

from webapp.book.contests import Decided
from webapp.contest.plan import Plan
from webapp.contest.rules import Count, Rules
from webapp.contest.standing import Contest, Line
from webapp.contest.words import counted_words, total_words
from webapp.exports.contest_files import Sheet, csv_of, json_of, pdf_of, xlsx_of
from webapp.language.days import short_day
from webapp.pages.sending import sent
from webapp.services import services

NOW: Final = "now"
"""The value of ``after`` in an address that asks for the standing with what is being played."""

WITHOUT: Final = Rules(count=Count.POINTS, ties=())
"""How an evening is counted for which no tournament was begun."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A standing after one of the rounds or evenings of a contest.

    Attributes:
        plan: what was decided about the contest.
        contest: what was played in it.
        after: the number of its rounds or evenings that are counted.
        titles: what its rounds or evenings are called.
        lines: the players in their order.
        teams: the teams in their order.
        names: the names of all players by their ids.
        decided: the contest as it is kept; None for an evening without a tournament.
    """

    plan: Plan
    contest: Contest
    after: int
    titles: tuple[str, ...]
    lines: tuple[Line, ...]
    teams: tuple[Line, ...]
    names: Mapping[str, str]
    decided: Decided | None = None

    @property
    def provisional(self) -> bool:
        """Whether something is counted that is still being played."""
        return self.after > self.contest.complete

    @property
    def heading(self) -> str:
        """After what this is the standing."""
        if not self.after:
            return str(gettext("The standings"))
        title = self.titles[self.after - 1]
        if self.provisional:
            return str(gettext("Provisional: %(title)s is being played", title=title))
        return str(gettext("After: %(title)s", title=title))

    @property
    def counted(self) -> list[str]:
        """How the contest is counted, in sentences."""
        teams = bool(self.plan.teams)
        told = list(counted_words(self.plan.rules, league=self.plan.league, teams=teams))
        return [*told, self.from_lists] if self.from_lists else told

    @property
    def brought(self) -> int:
        """How many results from lists are counted."""
        return sum(len(stage.brought) for stage in self.contest.stages[: self.after])

    @property
    def from_lists(self) -> str:
        """How many results from lists are counted, in a sentence; empty if none."""
        if not self.brought:
            return ""
        days = sum(bool(stage.brought) for stage in self.contest.stages[: self.after])
        evenings = ngettext("%(num)d evening", "%(num)d evenings", days)
        return str(
            ngettext(
                "%(num)d imported result is counted, from %(evenings)s without hands.",
                "%(num)d imported results are counted, from %(evenings)s without hands.",
                self.brought,
                evenings=evenings,
            )
        )

    @property
    def token(self) -> str:
        """A text that changes whenever the standing may be another one."""
        stamp = services().book.contests.stamp(self.decided)
        return hashlib.sha256(f"{self.after} {stamp}".encode()).hexdigest()[:16]

    def total(self, line: Line) -> str:
        """The total of a player or a team, in words."""
        return total_words(line.total, self.plan.rules)

    def link(self, after: int | str) -> str:
        """The address of the standing after another round or evening."""
        return self._address("show", {"after": after})

    def file(self, kind: str) -> str:
        """The address of this standing as a file."""
        return self._address("file", {"kind": kind, "after": self.after})

    def _address(self, view: str, values: Mapping[str, Any]) -> str:
        if self.plan.evening is not None:
            return url_for(f"standings.{view}", evening_id=self.plan.evening, **values)
        contest = "" if self.decided is None else self.decided.id
        return url_for(f"leagues.{view}", contest_id=contest, **values)


def shown(plan: Plan, decided: Decided | None = None) -> Shown:
    """The standing for which the address asks: by default after what was complete last."""
    contest, names = services().book.contests.contest(plan), services().book.draws.names()
    asked, most = request.args.get("after", ""), len(contest.stages)
    after = contest.complete or most
    if asked == NOW:
        after = most
    elif asked.isdecimal():
        after = min(int(asked), most)
    titles = tuple(_title(plan, stage.key) for stage in contest.stages)
    lines = _by_name(contest.standing(after), names)
    order = {line.who: number for number, line in enumerate(lines)}
    teams = tuple(
        replace(line, counted=tuple(sorted(line.counted, key=order.__getitem__)))
        for line in contest.team_standing(after)
    )
    return Shown(plan, contest, after, titles, lines, teams, names, decided)


def of_evening(evening_id: str) -> Shown:
    """The standing of an evening, by its tournament's rules if it is one."""
    decided = services().book.contests.of_evening(evening_id)
    plan = None if decided is None else decided.plan
    return shown(plan or Plan(evening=evening_id, rules=WITHOUT), decided)


def _title(plan: Plan, key: str) -> str:
    if plan.league:
        evening = services().club.evening(key)
        return short_day(date.fromisoformat(key) if evening is None else evening.day)
    return str(gettext("Round %(number)s", number=key))


def _by_name(lines: tuple[Line, ...], names: Mapping[str, str]) -> tuple[Line, ...]:
    """The lines, with those who share a place in alphabetical order."""
    return tuple(
        sorted(
            lines,
            key=lambda line: (
                line.place is None,
                line.place or 0,
                -line.total,
                names.get(line.who, ""),
            ),
        )
    )


def unless_seen(found: Shown, page: str) -> Response:
    """A page that asks again only gets an answer if there is anything new."""
    if "HX-Request" in request.headers and request.args.get("seen") == found.token:
        return make_response("", 204)
    return make_response(page)


def as_file(found: Shown, title: str, kind: str, name: str) -> Response:
    """A standing as a file for the notice board or for other programs.

    Args:
        found: the standing.
        title: what the contest is called.
        kind: ``pdf``, ``csv``, ``xlsx`` or ``json``.
        name: the name of the file without its ending.
    """
    sheet = Sheet(
        f"{title}. {found.heading}",
        found.plan.rules,
        found.titles[: found.after],
        found.lines,
        tuple(replace(line, counted=_names(found, line)) for line in found.teams),
        found.names,
        {person.id: ", ".join(person.members) for person in services().book.people.all()},
        found.brought,
    )
    if kind == "csv":
        data = csv_of(sheet)
    elif kind == "xlsx":
        data = xlsx_of(sheet)
    elif kind == "json":
        data = json_of(sheet, provisional=found.provisional)
    elif kind == "pdf":
        data = pdf_of(sheet)
    else:
        abort(404, gettext("There is no such file. Standings end in pdf, csv, xlsx or json."))
    return sent(data, f"{name}.{kind}")


def _names(found: Shown, line: Line) -> tuple[str, ...]:
    return tuple(found.names.get(player, "?") for player in line.counted)
