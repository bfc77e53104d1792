"""Reading the lines of a list: whom each names, and the points, days and counts that it tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from flask_babel import gettext

from webapp.list_import.cells import (
    MAX_PLAYED,
    CellRefused,
    day_orders,
    decimal_sign,
    in_doubt,
    is_day,
    read_day,
    read_points,
    sums_up,
)
from webapp.list_import.columns import Layout
from webapp.list_import.matching import Named, named
from webapp.list_import.sheet import Row, Sheet
from webapp.people.names import NameRefused


@dataclass(frozen=True, slots=True)
class Problem:
    """A line of which nothing is taken: what is there, and what is wrong and what to do."""

    line: int
    text: str
    why: str


THOUSANDS: Final = "thousands"
"""The answer that three digits after a sign are thousands."""

DECIMALS: Final = "decimals"
"""The answer that three digits after a sign are decimals."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """What can be read in several ways, which must be asked.

    Attributes:
        key: what it is about: ``days`` or ``numbers``.
        text: an example from the list.
        readings: what the example would be, by the answer.
    """

    key: str
    text: str
    readings: Mapping[str, date | int]


@dataclass(frozen=True, slots=True)
class Entry:
    """What one line says about a player: points of an evening, or with which a season begins."""

    row: Row
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
        said: how what is in doubt is to be read, by the keys of the doubts.
        problems: the lines that could not be read.
    """

    sheet: Sheet
    layout: Layout
    target: str
    now: date
    said: Mapping[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Look once at each column for how its numbers and days are written."""
        rows, heading = self.sheet.rows, self.layout.heading
        hidden = set(self.sheet.hidden_lines)
        self._hidden = [row for row in rows if row.line > heading and row.line in hidden]
        self._body = [row for row in rows if row.line > heading and row.line not in hidden]
        self._head = next((row for row in rows if row.line == heading), None)
        self._columns = [[row.cells[at] for row in self._body] for at in range(self.sheet.width)]
        self._signs = [decimal_sign(texts) for texts in self._columns]
        self._three = self.said.get("numbers") == DECIMALS
        if self._three and self.sheet.decimal:
            self._signs = [self.sheet.decimal] * self.sheet.width
        self._orders = day_orders(self._day_texts(), self.now)
        said = self.said.get("days", "")
        self._order = said if said in self._orders else self._orders[0]
        self._sums = self._lines_of_sums()

    def _at(self, *names: str) -> list[int]:
        return [at for at, name in enumerate(self.layout.fields) if name in names]

    def _day_texts(self) -> list[str]:
        """All texts that may be days: the cells of their column, and the headings of points."""
        cells = () if self._head is None else self._head.cells
        heads = [cells[at] for at in self._at("day_points") if cells]
        return heads + [text for at in self._at("day") for text in self._columns[at]]

    def doubts(self) -> list[Doubt]:
        """What can be read in several ways; nothing may be taken before each was answered."""
        found: list[Doubt] = []
        if self.target == "players":
            return found
        if self.target == "results" and len(self._orders) > 1:
            last = self._orders[-1]
            text = next(it for it in self._day_texts() if is_day(it, self.now, last))
            orders = [order for order in self._orders if is_day(text, self.now, order)]
            found.append(Doubt("days", text, {it: read_day(text, self.now, it) for it in orders}))
        for at in self._at("points", "day_points", "played", "won"):
            if text := in_doubt(self._columns[at], self.sheet.decimal):
                small = read_points(text, self.sheet.decimal, three=True)
                readings = {THOUSANDS: 1000 * small, DECIMALS: small}
                return [*found, Doubt("numbers", text, readings)]
        return found

    def _lines_of_sums(self) -> set[int]:
        """The places in the body of the lines that sum up others."""
        names = [[self._name(row), self._cell(row, "day")] for row in self._body]
        found = {at for at, told in enumerate(names) if any(map(sums_up, told))}
        for at, (name, _) in enumerate(names):
            if at - 1 in found and sums_up(name, beside_others=True):
                found.add(at)
        return found

    def entries(self) -> Iterator[Entry]:
        """What the lines tell, one after the other."""
        why = gettext("This line is hidden in the spreadsheet, so it is skipped.")
        self.problems += [problem_of(row, why) for row in self._hidden]
        days = {} if self._head is None else self._days_of_headings(self._head)
        for number, row in enumerate(self._body):
            if number in self._sums:
                why = gettext("This looks like a total of other lines, so it is skipped.")
                self.problems.append(problem_of(row, why))
                continue
            try:
                yield from self._of_row(row, days)
            except (CellRefused, NameRefused) as refusal:
                self.problems.append(problem_of(row, str(refusal)))

    def _cell(self, row: Row, name: str) -> str:
        at = self.layout.at(name)
        return "" if at is None else row.cells[at]

    def _name(self, row: Row) -> str:
        return self._cell(row, "name") or " ".join(
            filter(None, (self._cell(row, "first"), self._cell(row, "last")))
        )

    def _days_of_headings(self, heading: Row) -> dict[int, date]:
        found: dict[int, date] = {}
        for at in self._at("day_points"):
            try:
                found[at] = read_day(heading.cells[at], self.now, self._order)
            except CellRefused as refusal:
                self.problems.append(Problem(heading.line, heading.cells[at], str(refusal)))
        return found

    def _of_row(self, row: Row, days: Mapping[int, date]) -> Iterator[Entry]:
        who = named(_spoken(self._name(row)), self._cell(row, "member"))
        if self.target == "players":
            yield Entry(row, who)
            return
        note = ", ".join(self._notes(row))[:80]
        if self.target == "results" and days:
            for column, on in days.items():
                if row.cells[column]:
                    yield Entry(row, who, self._points(row, column), on, note=note)
            return
        at = self.layout.at("points")
        if at is None or not row.cells[at]:
            raise CellRefused(gettext("This line has no points. Write 0 if that is right."))
        played, won = (self._count(row, name) for name in ("played", "won"))
        day = self._day(row) if self.target == "results" else None
        yield Entry(row, who, self._points(row, at), day, played, won, note)

    def _notes(self, row: Row) -> Iterator[str]:
        if table := self._cell(row, "table"):
            yield gettext("table %(table)s", table=table)
        if rules := self._cell(row, "rules"):
            yield rules

    def _points(self, row: Row, at: int) -> int:
        return read_points(row.cells[at], self._signs[at], three=self._three)

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
        return read_day(self._cell(row, "day"), self.now, self._order)


def _spoken(name: str) -> str:
    """A name, unless it is a number or has lost letters.

    Raises:
        CellRefused: it is or has.
    """
    if name[:1].isdigit() and not any(map(str.isalpha, name)):
        raise CellRefused(gettext("“%(text)s” is a number, not a name.", text=name))
    if "\ufffd" in name:
        raise CellRefused(
            gettext(
                "“%(text)s” has missing letters. Save the file as XLSX or “CSV UTF-8”.", text=name
            )
        )
    return name


def problem_of(row: Row, why: str) -> Problem:
    """A line of which nothing is taken."""
    return Problem(row.line, " · ".join(filter(None, row.cells))[:120], why)
