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

from webapp.games.club import search_key
from webapp.imports.cells import CellRefused, decimal_sign, month_first, read_day, read_points
from webapp.imports.sheet import Row, Sheet
from webapp.language.chosen import DEFAULT, LANGUAGES, Translated
from webapp.language.noted import noted

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

HEADINGS: Final[Mapping[str, str]] = {
    "member": (
        "member number|membership number|member no|membership no|member|member id|membership|no of"
        " member|mitgliedsnummer|mitgliedsnr|mitglied nr|lidnummer|lidnr|会员号|会员编号|编号"
    ),
    "first": "first name|firstname|forename|given name|christian name|vorname|voornaam|名",
    "last": "last name|lastname|surname|family name|nachname|familienname|achternaam|姓",
    "name": (
        "name|player|players|player name|full name|member name|names|spieler|spielerin|naam|speler"
        "|姓名|名字|牌手|选手|玩家"
    ),
    "day": "day|date|evening|session|datum|tag|dag|日期|日子",
    "points": (
        "gain|points|total points|score|total|balance|net|result|result points|pts|total score"
        "|standing|win/loss|won or lost|punkte|gesamt|summe|saldo|punten|totaal|stand"
        "|得失|分数|总分|积分|得分|合计"
    ),
    "won": (
        "hands won|won|wins|mahjongs|mah jongs|gewonnen|siege|gewonnen spellen|和牌局数|胜局|和局"
    ),
    "played": (
        "hands|hands played|played|games|games played|spiele|gespielt|partijen|gespeeld"
        "|局数|总局数|场数"
    ),
    "table": "table|table number|table no|tisch|tafel|牌桌|桌|桌号",
    "rules": "rules|ruleset|regeln|regels|规则",
}  # fmt: skip
"""Headings by what their columns are, between strokes, the surest first."""

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
                found.setdefault(_key(gettext(english)), (rank, field))
    for field, words in HEADINGS.items():
        for rank, word in enumerate(words.split("|")):
            found.setdefault(_key(word), (rank, field))
    return found


def _key(heading: str) -> str:
    return " ".join(re.sub(r"[^\w/]+", " ", search_key(heading)).split())


def _field(heading: str, now: date, *, american: bool) -> tuple[int, str]:
    """What a heading says of its column, as in :func:`_known`; empty if nothing."""
    known = _known().get(_key(heading))
    if known is not None:
        return known
    return (0, "day_points") if _is_day(heading, now, american=american) else (0, "")


def _is_day(text: str, now: date, *, american: bool = False) -> bool:
    try:
        read_day(text, now, american=american)
    except CellRefused:
        return False
    return not text.isdecimal()


def heading_of(sheet: Sheet, now: date) -> int:
    """The line with the headings: that of the first rows in which most are known; 0 for none."""

    def known(row: Row) -> int:
        told = [_field(cell, now, american=False)[1] for cell in row.cells]
        return len(set(told) - {"", "day_points"}) + (told.count("day_points") > 1)

    best = max(sheet.rows[:LOOKED_AT], key=known)
    return best.line if known(best) else 0


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
        american = month_first(row.cells)
        told = [_field(cell, now, american=american) for cell in row.cells]
        for _, column in sorted((rank, at) for at, (rank, field) in enumerate(told) if field):
            field = told[column][1]
            if field == "day_points" or field not in fields:
                fields[column] = field
    body = [other for other in sheet.rows if other.line > line][:_SAMPLE]
    unheaded = [at for at in range(sheet.width) if row is None or not row.cells[at]]
    _guess_from_cells(fields, body, sheet, now, unheaded)
    if "points" in fields and "day_points" in fields:
        fields[fields.index("points")] = ""
    return Layout(line, tuple(fields))


def _guess_from_cells(
    fields: list[str], body: Sequence[Row], sheet: Sheet, now: date, unheaded: Sequence[int]
) -> None:
    """Tell names by their cells where no heading does; days and points only without headings."""
    kinds = [
        _kind([row.cells[at] for row in body], sheet.decimal, now) for at in range(sheet.width)
    ]
    free = [at for at, field in enumerate(fields) if not field]
    if not {"name", "first", "last"} & set(fields):
        named = [at for at in free if kinds[at] == "words"]
        fields[named[0] if named else 0] = "name" if named or not fields[0] else fields[0]
    if not any(fields.count(field) for field in ("day", "day_points")):
        for at in [at for at in free if kinds[at] == "days" and at in unheaded][:1]:
            fields[at] = "day"
    numbers = [at for at in free if kinds[at] == "numbers" and at in unheaded]
    if not {"points", "day_points"} & set(fields) and len(numbers) == 1:
        fields[numbers[0]] = "points"


def _kind(texts: Sequence[str], decimal: str, now: date) -> str:
    """What most cells of a column hold: ``words``, ``days``, ``numbers``, or empty for nothing."""
    told = [text for text in texts if text]
    sign, counts = decimal_sign(told, decimal), {"words": 0, "days": 0, "numbers": 0}
    for text in told:
        if _is_number(text, sign):
            counts["numbers"] += 1
        elif _is_day(text, now, american=month_first(told)):
            counts["days"] += 1
        elif any(sign.isalpha() for sign in text):
            counts["words"] += 1
    kind = max(counts, key=lambda name: counts[name])
    return kind if told and 2 * counts[kind] > len(told) else ""


def _is_number(text: str, decimal: str) -> bool:
    try:
        read_points(text, decimal)
    except CellRefused:
        return False
    return True


def fullest(sheets: Sequence[Sheet], now: date) -> int:
    """The number of the sheet of which most columns are known; the first of several."""
    told = [len(set(guess(sheet, now).fields) - {""}) for sheet in sheets]
    return told.index(max(told))


LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""What spreadsheets call their columns."""


def column_name(number: int) -> str:
    """What a spreadsheet calls a column that is counted from 0, such as C or AA."""
    before, last = divmod(number, len(LETTERS))
    return (LETTERS[before - 1] if before else "") + LETTERS[last]


TARGETS: Final = {
    "players": lazy_gettext("Players only"),
    "standing": lazy_gettext("What a season begins with"),
    "results": lazy_gettext("Results of evenings"),
}
"""What a list can be taken for."""


def target_of(layout: Layout) -> str:
    """What a list seems to be, a key of :data:`TARGETS`."""
    if {"day", "day_points"} & set(layout.fields):
        return "results"
    return "standing" if "points" in layout.fields else "players"
