"""Reading the lines of a list: whom each names, and the points, days and counts that it tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from flask_babel import gettext

from webapp.games.club import NameRefused, search_key
from webapp.imports.cells import (
    MAX_PLAYED,
    CellRefused,
    decimal_sign,
    month_first,
    read_day,
    read_points,
)
from webapp.imports.columns import Layout
from webapp.imports.matching import Named, named
from webapp.imports.sheet import Row, Sheet

_SUMS: Final = frozenset(
    {"total", "totals", "sum", "average", "mean", "checksum", "check", "gesamt", "summe", "totaal",
     "som", "合计", "总计", "平均"}
)  # fmt: skip
"""What stands in the place of a name in a line that sums up the others."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A line of which nothing is taken: what stands there, and what is wrong and what to do."""

    line: int
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Entry:
    """What one line tells of a player: points of an evening, or with which a season begins."""

    line: int
    who: Named
    points: int | None = None
    day: date | None = None
    played: int | None = None
    won: int | None = None
    note: str = ""


@dataclass
class Reader:
    """Reads the lines of a sheet; what is wrong is gathered in ``problems``.

    Attributes:
        sheet: the list.
        layout: what its columns are.
        target: what it is taken for.
        now: today.
        problems: the lines that could not be read.
    """

    sheet: Sheet
    layout: Layout
    target: str
    now: date
    problems: list[Problem] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Look once at each column for how its numbers and days are written."""
        self._body = [row for row in self.sheet.rows if row.line > self.layout.heading]
        columns = [[row.cells[at] for row in self._body] for at in range(self.sheet.width)]
        self._signs = [decimal_sign(texts, self.sheet.decimal) for texts in columns]
        at = self.layout.at("day")
        self._american = at is not None and month_first(columns[at])

    def entries(self) -> Iterator[Entry]:
        """What the lines tell, one after the other."""
        heading = [row for row in self.sheet.rows if row.line == self.layout.heading]
        days = self._days_of_headings(heading[0]) if heading else {}
        for row in self._body:
            try:
                yield from self._of_row(row, days)
            except (CellRefused, NameRefused) as refusal:
                self.problems.append(problem_of(row, str(refusal)))

    def _cell(self, row: Row, name: str) -> str:
        at = self.layout.at(name)
        return "" if at is None else row.cells[at]

    def _days_of_headings(self, heading: Row) -> dict[int, date]:
        found: dict[int, date] = {}
        columns = [at for at, name in enumerate(self.layout.fields) if name == "day_points"]
        american = month_first(heading.cells[at] for at in columns)
        for at in columns:
            try:
                found[at] = read_day(heading.cells[at], self.now, american=american)
            except CellRefused as refusal:
                self.problems.append(Problem(heading.line, heading.cells[at], str(refusal)))
        return found

    def _of_row(self, row: Row, days: Mapping[int, date]) -> Iterator[Entry]:
        told = self._cell(row, "name") or " ".join(
            filter(None, (self._cell(row, "first"), self._cell(row, "last")))
        )
        if search_key(told).strip(" :.") in _SUMS:
            raise CellRefused(gettext("This looks like a sum of other lines, so it is left out."))
        who = named(told, self._cell(row, "member"))
        if self.target == "players":
            yield Entry(row.line, who)
            return
        note = ", ".join(self._notes(row))[:80]
        if self.target == "results" and days:
            for column, on in days.items():
                if row.cells[column]:
                    yield Entry(row.line, who, self._points(row, column), on, note=note)
            return
        at = self.layout.at("points")
        if at is None or not row.cells[at]:
            raise CellRefused(
                gettext("There are no points in this line. Write 0 if that is right.")
            )
        played, won = (self._count(row, name) for name in ("played", "won"))
        day = self._day(row) if self.target == "results" else None
        yield Entry(row.line, who, self._points(row, at), day, played, won, note)

    def _notes(self, row: Row) -> Iterator[str]:
        if table := self._cell(row, "table"):
            yield gettext("table %(table)s", table=table)
        if rules := self._cell(row, "rules"):
            yield rules

    def _points(self, row: Row, at: int) -> int:
        return read_points(row.cells[at], self._signs[at])

    def _count(self, row: Row, name: str) -> int | None:
        at = self.layout.at(name)
        if at is None or not row.cells[at]:
            return None
        count = self._points(row, at)
        if not 0 <= count <= MAX_PLAYED:
            raise CellRefused(
                gettext("“%(text)s” cannot be a number of hands.", text=row.cells[at])
            )
        return count

    def _day(self, row: Row) -> date:
        return read_day(self._cell(row, "day"), self.now, american=self._american)


def problem_of(row: Row, why: str) -> Problem:
    """A line of which nothing is taken."""
    return Problem(row.line, " · ".join(filter(None, row.cells))[:120], why)
