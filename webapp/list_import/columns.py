"""What the columns of a list are: guessed from their headings and cells, corrected by people."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Final

from flask import has_app_context
from flask_babel import force_locale, gettext, lazy_gettext

from webapp.language.chosen import DEFAULT, LANGUAGES, Translated
from webapp.language.noted import noted
from webapp.list_import.cells import (
    WORDS,
    CellRefused,
    day_orders,
    decimal_sign,
    is_day,
    read_points,
)
from webapp.list_import.sheet import Row, Sheet
from webapp.people.names import search_key

FIELDS: Final = Translated(
    {
        "": noted("Not needed"),
        "name": noted("Name"),
        "first": noted("First name"),
        "last": noted("Last name"),
        "member": noted("Member number"),
        "points": noted("Points"),
        "day": noted("Day"),
        "day_points": noted("Points of the day in the heading"),
        "played": noted("Hands played"),
        "won": noted("Hands won"),
        "table": noted("Table"),
        "rules": noted("Rules"),
    }
)
"""What a column can be."""

ONLY_ONCE: Final = frozenset(FIELDS) - {"", "day_points"}
"""What only one column of a list can be."""

_OWN: Final = {
    "Player": "name", "Member number": "member", "Day": "day", "Gain": "points",
    "Points": "points", "Hands": "played", "Hands won": "won", "Table": "table", "Rules": "rules",
    "Place": "", "Venue": "", "Total": "points", "Evenings": "", "Tables": "", "Hand": "",
    "Winner": "",
}  # fmt: skip
"""The headings of Kongbox's own files, and what their columns are."""

LOOKED_AT: Final = 12
"""Number of rows among which the headings are searched."""

_SAMPLE: Final = 40
"""Number of rows from which the kind of a column without a known heading is guessed."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What the columns of a sheet are.

    Attributes:
        heading: the number of the line with the headings; 0 if there is none.
        fields: for each column what it is, a key of :data:`FIELDS`.
    """

    heading: int
    fields: tuple[str, ...]

    def at(self, field: str) -> int | None:
        """The number of the column that is this, counted from 0; None if there is none."""
        return self.fields.index(field) if field in self.fields else None


def _known() -> Mapping[str, tuple[int, str]]:
    """What a heading says of its column, and how sure it is: the least number first."""
    return _words(in_all_languages=has_app_context())


@cache
def _words(*, in_all_languages: bool) -> Mapping[str, tuple[int, str]]:
    """The known headings; Kongbox's own are translated where there is an application to ask."""
    found: dict[str, tuple[int, str]] = {}
    for language in LANGUAGES if in_all_languages else [DEFAULT]:
        with force_locale(language):
            for rank, (english, field) in enumerate(_OWN.items()):
                found.setdefault(heading_key(gettext(english)), (rank, field))
    for field, words in WORDS["headings"].items():
        for rank, word in enumerate(words):
            found.setdefault(heading_key(word), (rank, field))
    return found


def heading_key(heading: str) -> str:
    """A heading without case, accents and punctuation."""
    return " ".join(re.sub(r"[^\w/]+", " ", search_key(heading)).split())


def field_of(heading: str, now: date, order: str = "day") -> tuple[int, str]:
    """What a heading says of its column, as in :func:`_known`; empty if nothing."""
    known = _known().get(heading_key(heading))
    if known is not None:
        return known
    return (0, "day_points") if is_day(heading, now, order) else (0, "")


def known_headings(row: Row, now: date | None = None) -> int:
    """How many different headings of a row are known; days count as one, where there are two."""
    told = [_known().get(heading_key(cell), (0, ""))[1] for cell in row.cells]
    days = now is not None and sum(is_day(cell, now) for cell in row.cells) > 1
    return len(set(told) - {""}) + days


def heading_of(sheet: Sheet, now: date) -> int:
    """The line with the headings: that of the first rows in which most are known; 0 for none."""
    first = sheet.rows[:LOOKED_AT]
    best = max(first, key=lambda row: known_headings(row, now))
    if known_headings(best, now):
        return best.line
    return next((row.line for row in first if _heads_numbers(sheet, row, now)), 0)


def _heads_numbers(sheet: Sheet, row: Row, now: date) -> bool:
    """Whether unknown words of a row stand as headings over days and numbers."""
    told = [at for at, cell in enumerate(row.cells) if cell]
    if len(told) < 2 or not all(any(map(str.isalpha, row.cells[at])) for at in told):
        return False
    below = [[it.cells[at] for it in sheet.rows if it.line > row.line] for at in told]
    return any(kind_of(texts, now) in {"days", "numbers"} for texts in below)


def guess(sheet: Sheet, now: date, heading: int | None = None) -> Layout:
    """What the columns of a sheet seem to be.

    Args:
        sheet: the sheet.
        now: today, after which no evening can be.
        heading: the line with the headings, 0 for none; None to search it.
    """
    line = heading_of(sheet, now) if heading is None else heading
    row = next((row for row in sheet.rows if row.line == line), None)
    fields = [""] * sheet.width
    if row is not None:
        order = day_orders(row.cells, now)[0]
        told = [field_of(cell, now, order) for cell in row.cells]
        for _, column in sorted((rank, at) for at, (rank, field) in enumerate(told) if field):
            field = told[column][1]
            if column in sheet.hidden_columns:
                continue
            if field == "day_points" or field not in fields:
                fields[column] = field
    body = [other for other in sheet.rows if other.line > line][:_SAMPLE]
    shown = [at for at in range(sheet.width) if at not in sheet.hidden_columns]
    unheaded = [at for at in shown if row is None or not row.cells[at]]
    _guess_from_cells(fields, body, shown, now, unheaded)
    if "points" in fields and "day_points" in fields:
        fields[fields.index("points")] = ""
    return Layout(line, tuple(fields))


def _guess_from_cells(
    fields: list[str], body: Sequence[Row], shown: Sequence[int], now: date, unheaded: Sequence[int]
) -> None:
    """Tell names by their cells where no heading does; days and points only without headings."""
    kinds = [kind_of([row.cells[at] for row in body], now) for at in range(len(fields))]
    free = [at for at in shown if not fields[at]]
    if not {"name", "first", "last"} & set(fields):
        for at in [at for at in free if kinds[at] == "words"][:1]:
            fields[at] = "name"
    if not any(fields.count(field) for field in ("day", "day_points")):
        for at in [at for at in free if kinds[at] == "days" and at in unheaded][:1]:
            fields[at] = "day"
    numbers = [at for at in free if kinds[at] == "numbers" and at in unheaded]
    if not {"points", "day_points"} & set(fields) and len(numbers) == 1:
        fields[numbers[0]] = "points"


def kind_of(texts: Sequence[str], now: date) -> str:
    """What most cells of a column hold: ``words``, ``days``, ``numbers``, or empty for nothing."""
    told = [text for text in texts if text]
    sign, order = decimal_sign(told), day_orders(told, now)[0]
    counts = {"words": 0, "days": 0, "numbers": 0}
    for text in told:
        if _is_number(text, sign):
            counts["numbers"] += 1
        elif is_day(text, now, order):
            counts["days"] += 1
        elif any(sign.isalpha() for sign in text):
            counts["words"] += 1
    kind = max(counts, key=lambda name: counts[name])
    return kind if told and 2 * counts[kind] > len(told) else ""


def _is_number(text: str, decimal: str) -> bool:
    try:
        read_points(text, decimal, three=True)
    except CellRefused:
        return False
    return True


def fullest(sheets: Sequence[Sheet], now: date) -> int:
    """The number of the sheet of which most columns are known, a hidden one only if all are."""
    told = [(not it.hidden, len(set(guess(it, now).fields) - {""})) for it in sheets]
    return told.index(max(told))


LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""What spreadsheets call their columns."""


def column_name(number: int) -> str:
    """What a spreadsheet calls a column that is counted from 0, such as C or AA."""
    before, last = divmod(number, len(LETTERS))
    return (LETTERS[before - 1] if before else "") + LETTERS[last]


TARGETS: Final = {
    "players": lazy_gettext("Players only"),
    "standing": lazy_gettext("Opening points of a season"),
    "results": lazy_gettext("Results of evenings"),
}
"""What a list can be taken for."""


def target_of(layout: Layout) -> str:
    """What a list seems to be, a key of :data:`TARGETS`."""
    if {"day", "day_points"} & set(layout.fields):
        return "results"
    return "standing" if "points" in layout.fields else "players"
