"""Cells of a list as numbers, days and words: read for what they are or refused, never misread."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final
from unicodedata import normalize

from flask_babel import gettext

from webapp.book.balances import MAX_POINTS
from webapp.people.names import search_key

WORDS: Final[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "words.toml").read_text("utf-8")
)
"""What headings, sums and months are called."""

MAX_PLAYED: Final = 100_000
"""Maximum number of hands of a player that a list can tell."""

_EXCEL: Final = date(1899, 12, 30)
"""The day that spreadsheets count as 0."""

_SERIAL: Final = range(20_000, 80_000)
"""The numbers that are taken for days of a spreadsheet: 1954 to 2119."""

_FIRST: Final = date(1920, 1, 1)
"""The first day on which anybody outside China is known to have kept a score of the game."""

_DECIMALS: Final = r"{0}(?:\d{{1,2}}|\d{{4,}})$|(?<!\d)0+{0}\d+$|{1}\d{{3}}{0}"
"""Where a number shows which sign its decimals have, and which its thousands."""

_THOUSANDS: Final = r"(?<!\d)[1-9]\d{{0,2}}(?:{1}\d{{3}})+(?!\d)"
"""A number that shows which sign its thousands have, unless it has three decimals."""

ORDERS: Final = ("day", "month", "year")
"""Which of day, month and year comes first where a day is written in numbers, the British first."""

_IN_NUMBERS: Final = re.compile(r"(\d{1,2})(?:[/.-] ?| )(\d{1,2})(?:[/.-] ?| )(\d{4}|\d{2})")
"""A day in numbers whose year is not surely in front."""

_YEAR_FIRST: Final = re.compile(r"(\d{4}) ?[-/.年년] ?(\d{1,2}) ?[-/.月월] ?(\d{1,2}) ?[日일.]?")
"""A day whose year is surely in front."""

_TIME: Final = re.compile(
    r"[T ] ?(?:上午|下午|오전|오후)? ?\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[ap]\.?m\.?)?"
    r"(?: ?(?:Z|UTC|GMT)?(?:[+-]\d{1,2}(?::?\d{2})?)?)$",
    re.IGNORECASE,
)
"""The time of day that a program or a form writes behind a day."""

_CLEARLY: Final = 3
"""How many times as many days one reading must spread over as the other to be ruled out."""

_SIGNS: Final = dict.fromkeys((0x2212, 0x2010, 0x2012, 0x2013, 0x2014, 0x2015, 0x02D7), "-")
"""The signs that are meant for a minus."""


class CellRefused(ValueError):
    """A cell cannot be read; the message says why and what to do."""


def decimal_sign(texts: Iterable[str]) -> str:
    """The sign before decimals in a column, as its numbers show; a point if none shows it.

    >>> decimal_sign(["25,000", "3"]), decimal_sign(["25.000"]), decimal_sign(["12,5", "1.200"])
    ('.', ',', ',')
    """
    plain = [_plain(text) for text in texts]
    for pattern in (_DECIMALS, _THOUSANDS):
        for sign, other in ((",", r"\."), (".", ",")):
            if any(re.search(pattern.format(re.escape(sign), other), text) for text in plain):
                return sign
    return "."


def in_doubt(texts: Iterable[str], told: str) -> str:
    """A number of a column that has either thousands or three decimals; empty if there is none.

    Args:
        texts: the cells of the column.
        told: the sign before decimals as the kind of file tells; empty if it does not.
    """
    plain = [_plain(text) for text in texts]
    if not told or any(re.search(_DECIMALS.format("[.,]", "[.,]"), text) for text in plain):
        return ""
    found = (text for text in plain if re.fullmatch(rf"-?\d{{1,3}}{re.escape(told)}000", text))
    others = [text for text in plain if re.search("[.,]", text)]
    example = next(found, "")
    return example if all(text.endswith("000") for text in others) else ""


def read_points(text: str, decimal: str, *, three: bool = False) -> int:
    """The whole number that a cell holds, with ``decimal`` before decimals, which must be zeros.

    >>> read_points("1,200", "."), read_points("1.200,0", ","), read_points("(40)", ".")
    (1200, 1200, -40)

    Args:
        text: the cell.
        decimal: the sign before decimals.
        three: whether there may be three decimals, which look like thousands.

    Raises:
        CellRefused: it is anything else, or could be thousands.
    """
    plain = _plain(text)
    if plain.startswith("="):
        raise CellRefused(
            gettext(
                "“%(text)s” is a formula with no result. Open the file in your spreadsheet "
                "program, save it, and choose it again.",
                text=text,
            )
        )
    thousands = "," if decimal == "." else r"\."
    number = rf"\d{{1,3}}(?:{thousands}\d{{3}})+|\d{{1,15}}"
    found = re.fullmatch(rf"([+-]?)({number})(?:{re.escape(decimal)}(0+))?(-?)", plain)
    if found is None or (found[1] and found[4]):
        raise CellRefused(
            gettext(
                "“%(text)s” is not a whole number of points. Write it like 120 or -40.", text=text
            )
        )
    size = int(re.sub(r"\D", "", found[2]))
    if size and found[3] == "000" and not three:
        raise CellRefused(
            gettext(
                "“%(text)s” could mean %(large)s or %(small)s. Write it without a comma or point.",
                text=text,
                large=f"{size}000",
                small=size,
            )
        )
    if size > MAX_POINTS:
        raise CellRefused(gettext("“%(text)s” is too many points.", text=text))
    return -size if "-" in (found[1], found[4]) else size


def _plain(text: str) -> str:
    """A number with the signs of a British keyboard, without spaces between its thousands."""
    plain = normalize("NFKC", text).translate({**_SIGNS, 0x2019: "'"})
    plain = re.sub(r"(?<=\d)[\s'](?=\d{3})", "", plain.strip())
    inside = re.fullmatch(r"\((.*)\)", plain)
    return f"-{inside[1]}" if inside else re.sub(r"^([+-]) ", r"\1", plain)


@cache
def _sums(kind: str) -> frozenset[str]:
    return frozenset(map(search_key, WORDS["sums"][kind]))


def sums_up(text: str, *, beside_others: bool = False) -> bool:
    """Whether what is in the place of a name says that a line sums up others.

    Args:
        text: the name.
        beside_others: whether the line above is such a line, so that "Max" is no player.

    >>> sums_up("Total points"), sums_up("Max"), sums_up("Max", beside_others=True)
    (True, False, True)
    """
    plain = re.sub(r"\(.*\)", " ", normalize("NFKD", search_key(text)))
    words = re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", plain)
    sure = _sums("sure") | (_sums("perhaps") if beside_others else frozenset())
    eastern = tuple(word for word in sure if not word.isascii() and len(word) > 1)
    told = [word in sure or word.startswith(eastern) for word in words]
    besides = (word in _sums("beside") for word in words)
    return any(told) and all(map(any, zip(told, besides, strict=True)))


def _month(word: str) -> int | None:
    """The number of the month that a word names, in full or by its beginning; None if none."""
    plain = search_key(word)
    for number, names in enumerate(WORDS["months"]["names"], 1):
        for name in names.split():
            if plain == name or (len(plain) > 2 and name.startswith(plain)):
                return number
    return None


def day_orders(texts: Iterable[str], now: date) -> tuple[str, ...]:
    """How the days of a column can be written, keys of :data:`ORDERS`, the likeliest first.

    There are several only where nothing tells them apart. A day comes first, as in Britain, where
    it can; a year of two digits does where the days lie together more closely so.
    """
    told = [text for text in dict.fromkeys(texts) if _IN_NUMBERS.fullmatch(_untimed(text))]
    found = {
        order: [day for text in told if (day := _played(text, now, order))] for order in ORDERS
    }
    most = max(map(len, found.values()))
    fit = [order for order in ORDERS if len(found[order]) == most]
    if "day" in fit:
        fit = [order for order in fit if order != "month"]
    elif "month" in fit and not _shows_months_first(told):
        fit = ["day", *fit]
    if "year" not in fit or not most:
        return tuple(fit) if most else ORDERS[:1]
    spans = {order: (max(days) - min(days)).days + 1 for order, days in found.items() if days}
    least = min(spans[order] for order in fit if order in spans)
    return tuple(order for order in fit if spans.get(order, 0) <= _CLEARLY * least)


def _shows_months_first(texts: Iterable[str]) -> bool:
    """Whether the second number is too large for a month somewhere, and the first one nowhere."""
    parts = [found for text in texts if (found := _IN_NUMBERS.fullmatch(_untimed(text)))]
    return any(int(it[2]) > 12 for it in parts) and not any(int(it[1]) > 12 for it in parts)


def _played(text: str, now: date, order: str) -> date | None:
    day = _day(text, order)
    return day if day is not None and _FIRST <= day <= now else None


def read_day(text: str, now: date, order: str = "day") -> date:
    """The day that a cell holds, without its time of day; not later than ``now``.

    Args:
        text: the cell.
        now: today.
        order: what comes first in numbers, one of :data:`ORDERS`.

    Raises:
        CellRefused: it is not a day, or one on which nobody can have played.
    """
    day = _day(text, order)
    if day is None:
        raise CellRefused(
            gettext(
                "“%(text)s” is not a date. Write it like 5/3/2026, 5 March 2026 or 2026-03-05.",
                text=text,
            )
        )
    if not _FIRST <= day <= now:
        raise CellRefused(
            gettext(
                "“%(text)s” would be %(day)s, and nobody can have played then.",
                text=text,
                day=day.isoformat(),
            )
        )
    return day


def is_day(text: str, now: date, order: str = "day") -> bool:
    """Whether a cell holds a day on which someone can have played, and no mere number."""
    return not text.isdecimal() and _played(text, now, order) is not None


def day_within(text: str, now: date) -> date | None:
    """The one day that a sentence names, such as "Evening of 5 March 2026"; None if none."""
    words = text.replace(",", " ").split()
    for length in range(min(4, len(words)), 0, -1):
        parts = (" ".join(words[at : at + length]) for at in range(len(words) - length + 1))
        days = {_played(part, now, "day") for part in parts if not part.isdecimal()} - {None}
        if days:
            return days.pop() if len(days) == 1 else None
    return None


def _untimed(text: str) -> str:
    return _TIME.sub("", " ".join(normalize("NFKC", text).split()))


def _day(text: str, order: str) -> date | None:
    plain = _untimed(text)
    if found := re.fullmatch(r"(\d{5})(?:\.\d+)?", plain):
        return _EXCEL + timedelta(int(found[1])) if int(found[1]) in _SERIAL else None
    if found := re.fullmatch(
        r"(\d{4}) ?[-/.年년] ?(\d{1,2}) ?[-/.月월] ?(\d{1,2}) ?[日일.]?", plain
    ):
        return _date(*found.groups())
    if found := _IN_NUMBERS.fullmatch(plain):
        first, second, last = found.groups()
        if order == "year":
            return None if len(last) == 4 else _date(first, second, last)
        return _date(last, *((first, second) if order == "month" else (second, first)))
    return _in_words(plain)


def _in_words(plain: str) -> date | None:
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
