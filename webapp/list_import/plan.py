"""What a list would do to the book, worked out before any of it is done."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from flask_babel import gettext

from webapp.list_import.known import Known
from webapp.list_import.matching import LEAVE, Found, Named, alike_pairs
from webapp.list_import.reading import Entry, Problem, Reader, problem_of
from webapp.list_import.sheet import Row
from webapp.people.members import member_key
from webapp.people.names import NameRefused, name_key
from webapp.personal_data.profiles import Person


@dataclass(frozen=True, slots=True)
class Someone:
    """Someone of a list, and whom of the book it means.

    Attributes:
        who: the name and the number in the list.
        found: whom it means, or what is asked.
        lines: the numbers of the lines.
        gives: the member number that a player of the book gets; empty if none.
    """

    who: Named
    found: Found
    lines: tuple[int, ...]
    gives: str = ""


@dataclass(frozen=True, slots=True)
class Sum:
    """What a player begins a season with, or wins in an evening, over all lines about it."""

    who: Named
    person: Person | None
    points: int
    rows: tuple[Row, ...]
    day: date | None = None
    played: int | None = None
    won: int | None = None
    note: str = ""
    before: int = 0

    @property
    def lines(self) -> tuple[int, ...]:
        """The numbers of the lines."""
        return tuple(dict.fromkeys(row.line for row in self.rows))


@dataclass(frozen=True)
class Plan:
    """What a list would do.

    Attributes:
        people: everybody of whom something is taken, in the order of the list.
        sums: their points; none where only players are taken.
        problems: the lines that cannot be read.
        already: the lines of what is in the book already, with what it is.
    """

    people: tuple[Someone, ...] = ()
    sums: tuple[Sum, ...] = ()
    problems: tuple[Problem, ...] = ()
    already: tuple[Problem, ...] = ()

    @property
    def new(self) -> list[Someone]:
        """The players who would be added."""
        return [it for it in self.people if it.found.person is None and not it.found.why]

    @property
    def known(self) -> list[Someone]:
        """The players of the book who were found."""
        return [it for it in self.people if it.found.person is not None]

    @property
    def asked(self) -> list[Someone]:
        """Those of whom it must be asked who they are."""
        return [it for it in self.people if it.found.why]

    @property
    def twins(self) -> list[tuple[str, str]]:
        """The pairs of new names that are alike, so that they may mean one person."""
        return alike_pairs([it.who.name for it in self.new])

    @property
    def evenings(self) -> list[tuple[date, int, int]]:
        """The evenings, each with its number of players and the sum of their points."""
        players = Counter(it.day for it in self.sums if it.day is not None)
        points: Counter[date] = Counter()
        for it in self.sums:
            if it.day is not None:
                points[it.day] += it.points
        return [(day, number, points[day]) for day, number in sorted(players.items())]

    @property
    def empty(self) -> bool:
        """Whether it would do nothing."""
        return not (self.new or self.sums or any(it.gives for it in self.people))

    @property
    def mark(self) -> str:
        """A text that is another one as soon as something else would be done."""
        told: list[Any] = [
            (it.who.name, it.who.member, it.found.person and it.found.person.id, it.gives)
            for it in self.people
        ]
        told += [
            (it.who.key, it.points, it.before, it.played, it.won, it.note, str(it.day))
            for it in self.sums
        ]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def make_plan(reader: Reader, known: Known, answers: Mapping[str, str]) -> Plan:
    """What a list would do to the book as it is now.

    Args:
        reader: reads the list.
        known: what the book has already.
        answers: what was answered to questions about names, by the keys of those named.
    """
    target = reader.target
    entries = list(_completed(list(reader.entries()), reader.problems))
    people, whom = _people(entries, known, answers, reader.problems)
    taken = [entry for entry in entries if entry.who.key in whom]
    already: list[Problem] = []
    sums: list[Sum] = []
    if target != "players":
        for total in _sums(taken, whom, reader.problems):
            why = known.already(total.person, total.day, total.points, target)
            if why:
                already += [problem_of(row, why) for row in total.rows]
            else:
                sums.append(replace(total, before=known.opening(total.person)))
    needed = {total.who.key for total in sums}
    kept = [
        it
        for it in people
        if target == "players" or it.found.why or it.gives or it.who.key in needed
    ]
    problems = tuple(sorted(reader.problems, key=lambda it: it.line))
    return Plan(tuple(kept), tuple(sums), problems, tuple(already))


def _completed(entries: list[Entry], problems: list[Problem]) -> Iterator[Entry]:
    """The lines with each name and number that another line has told of the same player."""
    numbers: dict[str, dict[str, Named]] = {}
    names: dict[str, Named] = {}
    for who in (entry.who for entry in entries if entry.who.name and entry.who.member):
        numbers.setdefault(name_key(who.name), {}).setdefault(member_key(who.member), who)
        names.setdefault(member_key(who.member), who)
    for entry in entries:
        told = numbers.get(name_key(entry.who.name), {})
        if len(told) > 1:
            why = gettext(
                "This name appears with several member numbers. If they are different "
                "people, give each a different name."
            )
            problems.append(problem_of(entry.row, why))
        elif not entry.who.name:
            yield replace(entry, who=names.get(member_key(entry.who.member), entry.who))
        else:
            yield replace(entry, who=next(iter(told.values()), entry.who))


def _people(
    entries: list[Entry],
    known: Known,
    answers: Mapping[str, str],
    problems: list[Problem],
) -> tuple[list[Someone], dict[str, Found]]:
    """Everybody who is named, and whom each key means, without those who are left out."""
    rows: dict[str, list[Row]] = {}
    told: dict[str, Named] = {}
    for entry in entries:
        rows.setdefault(entry.who.key, []).append(entry.row)
        told.setdefault(entry.who.key, entry.who)
    people: list[Someone] = []
    whom: dict[str, Found] = {}
    numbers: dict[str, str] = {}
    for key, who in told.items():
        answer = answers.get(key, "")
        if answer == LEAVE:
            why = gettext("Left out, as you asked.")
            problems += [problem_of(row, why) for row in dict.fromkeys(rows[key])]
            continue
        try:
            found = known.directory.find(who, answer)
            known.refuse_number_twice(who, found, numbers)
        except NameRefused as refusal:
            problems += [problem_of(row, str(refusal)) for row in dict.fromkeys(rows[key])]
            continue
        gives = who.member if found.person is not None and not found.person.members else ""
        at = tuple(dict.fromkeys(row.line for row in rows[key]))
        people.append(Someone(who, found, at, "" if found.why else gives))
        if not found.why:
            whom[key] = found
    return people, whom


def _sums(
    entries: list[Entry],
    whom: Mapping[str, Found],
    problems: list[Problem],
) -> Iterator[Sum]:
    """The points of each player, of each evening; those of several lines of an evening add up."""
    groups: dict[tuple[str, date | None], list[Entry]] = {}
    for entry in entries:
        person = whom[entry.who.key].person
        groups.setdefault((entry.who.key if person is None else person.id, entry.day), []).append(
            entry
        )
    for (_, day), group in groups.items():
        if day is None and len(group) > 1:
            lines = ", ".join(str(entry.row.line) for entry in group)
            why = gettext(
                "The same player is in lines %(lines)s. Keep only one of them.", lines=lines
            )
            problems += [problem_of(entry.row, why) for entry in group]
            continue
        first = group[0]
        yield Sum(
            first.who,
            whom[first.who.key].person,
            sum(entry.points or 0 for entry in group),
            tuple(dict.fromkeys(entry.row for entry in group)),
            day,
            _added([entry.played for entry in group]),
            _added([entry.won for entry in group]),
            ", ".join(dict.fromkeys(entry.note for entry in group if entry.note))[:80],
        )


def _added(counts: list[int | None]) -> int | None:
    told = [count for count in counts if count is not None]
    return sum(told) if told else None
