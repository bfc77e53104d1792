"""Cells of a list as numbers and days: read for what they are or refused, never misread."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final
from unicodedata import normalize

from flask_babel import gettext

from webapp.book.balances import MAX_POINTS
from webapp.games.club import search_key

MAX_PLAYED: Final = 100_000
"""Maximum number of hands of a player that a list can tell."""

_EXCEL: Final = date(1899, 12, 30)
"""The day that spreadsheets count as 0."""

_SERIAL: Final = range(20_000, 80_000)
"""The numbers that are taken for days of a spreadsheet: 1954 to 2119."""

_FIRST: Final = date(1920, 1, 1)
"""The first day on which anybody outside China is known to have kept a score of the game."""

_POINT: Final = re.compile(r"\.\d{1,2}$|\.\d{4,}$|,\d{3}\.|,\d{3},")
"""A number whose decimals stand after a point, or whose thousands after commas."""

_COMMA: Final = re.compile(r",\d{1,2}$|,\d{4,}$|\.\d{3},|\.\d{3}\.")
"""A number whose decimals stand after a comma, or whose thousands after points."""


_MONTHS: Final = (
    "january januari januar", "february februari februar", "march maart marz maerz mrt mrz",
    "april", "may mai mei", "june juni", "july juli", "august augustus", "september",
    "october oktober", "november", "december dezember",
)  # fmt: skip
"""The months in English, Dutch and German, without accents; those of Chinese are numbers."""


class CellRefused(ValueError):
    """A cell cannot be read; the message says why and what to do."""


def decimal_sign(texts: Iterable[str], told: str) -> str:
    """The sign before decimals in a column: as its numbers show, else as the file tells."""
    plain = [_plain(text) for text in texts]
    if any(map(_COMMA.search, plain)):
        return ","
    return "." if any(map(_POINT.search, plain)) else told


def read_points(text: str, decimal: str) -> int:
    """The whole number that a cell holds, with ``decimal`` before decimals, which must be zeros.

    >>> read_points("1,200", "."), read_points("1.200,0", ","), read_points("(40)", ".")
    (1200, 1200, -40)

    Raises:
        CellRefused: it is anything else.
    """
    plain = _plain(text)
    if plain.startswith("="):
        raise CellRefused(
            gettext(
                "“%(text)s” is a formula without its result. Open the file in the spreadsheet "
                "program, save it, and choose it again.",
                text=text,
            )
        )
    thousands = "," if decimal == "." else r"\."
    number = rf"\d{{1,3}}(?:{thousands}\d{{3}})+|\d{{1,15}}"
    found = re.fullmatch(rf"([+-]?)({number})(?:{re.escape(decimal)}0+)?(-?)", plain)
    if found is None or (found[1] and found[3]):
        raise CellRefused(
            gettext("“%(text)s” is no whole number of points. Write it like 120 or -40.", text=text)
        )
    size = int(re.sub(r"\D", "", found[2]))
    if size > MAX_POINTS:
        raise CellRefused(gettext("“%(text)s” is too large for points.", text=text))
    return -size if "-" in (found[1], found[3]) else size


def _plain(text: str) -> str:
    """A number with the signs of a British keyboard, without spaces between its thousands."""
    plain = normalize("NFKC", text).translate({0x2212: "-", 0x2013: "-", 0x2019: "'"})
    plain = re.sub(r"(?<=\d)[\s'](?=\d{3})", "", plain.strip())
    inside = re.fullmatch(r"\((.*)\)", plain)
    return f"-{inside[1]}" if inside else re.sub(r"^([+-]) ", r"\1", plain)


def _month(word: str) -> int | None:
    """The number of the month that a word names, in full or by its beginning; None if none."""
    plain = search_key(word)
    for number, names in enumerate(_MONTHS, 1):
        for name in names.split():
            if plain == name or (len(plain) > 2 and name.startswith(plain)):
                return number
    return None


def month_first(texts: Iterable[str]) -> bool:
    """Whether the days of a column are written with the month first, as in America."""
    parts = [
        (int(found[1]), int(found[2]))
        for text in texts
        if (found := re.match(r"\s*(\d{1,2})[/.-](\d{1,2})[/.-]\d", text))
    ]
    return any(second > 12 for _, second in parts) and not any(first > 12 for first, _ in parts)


def read_day(text: str, now: date, *, american: bool = False) -> date:
    """The day that a cell holds, British unless ``american``; not later than ``now``.

    Raises:
        CellRefused: it is no day, or one on which nobody can have played.
    """
    day = _day(normalize("NFKC", text), american=american)
    if day is None:
        raise CellRefused(
            gettext(
                "“%(text)s” is no day. Write it like 5/3/2026, 5 March 2026 or 2026-03-05.",
                text=text,
            )
        )
    if not _FIRST <= day <= now:
        raise CellRefused(
            gettext(
                "“%(text)s” would be %(day)s, on which nobody can have played.",
                text=text,
                day=day.isoformat(),
            )
        )
    return day


def _day(text: str, *, american: bool) -> date | None:
    plain = " ".join(text.split()).removesuffix(" 00:00:00").removesuffix("T00:00:00")
    if plain.isascii() and plain.isdecimal():
        return _EXCEL + timedelta(int(plain)) if int(plain) in _SERIAL else None
    if found := re.fullmatch(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?", plain):
        return _date(*found.groups())
    if found := re.fullmatch(r"(\d{1,2})[/. -](\d{1,2})[/. -](\d{4}|\d{2})", plain):
        day, month = found[2 if american else 1], found[1 if american else 2]
        return _date(found[3], month, day)
    words = re.findall(r"[^\W\d_]+|\d+", re.sub(r"(?<=\d)(st|nd|rd|th)\b", "", plain.casefold()))
    months = [month for word in words if (month := _month(word)) is not None]
    numbers = [word for word in words if word.isdecimal()]
    if len(months) != 1 or len(numbers) != 2 or len(words) > 4:
        return None
    return _date(numbers[1], str(months[0]), numbers[0])


def _date(year: str, month: str, day: str) -> date | None:
    full = int(year)
    if len(year) == 2:
        full += 2000 if full < 60 else 1900
    try:
        return date(full, int(month), int(day))
    except ValueError:
        return None
