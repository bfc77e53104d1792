"""Whole numbers as people type them: read for what they are or refused, never misread."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_WHOLE: Final = re.compile(r"[+-]?(?:\d{1,15}|\d{1,3}(?:,\d{3}){1,4}|\d{1,3}(?: \d{3}){1,4})")
"""A whole number of at most fifteen digits, also with its thousands set apart."""

_SIGNS: Final = {
    "\N{FULLWIDTH COMMA}": ",",
    "\N{FULLWIDTH PLUS SIGN}": "+",
    "\N{FULLWIDTH HYPHEN-MINUS}": "-",
    "\N{MINUS SIGN}": "-",
}
"""Signs of other keyboards, and what they stand for in a number."""


class NumberRefused(ValueError):
    """What was typed is no whole number in its range, or could be read as two different ones."""


def _plain(sign: str) -> str:
    """A sign as it stands on a British keyboard: digits of every script, and any space."""
    if unicodedata.category(sign) == "Nd":
        return str(unicodedata.decimal(sign))
    return " " if sign.isspace() else _SIGNS.get(sign, sign)


def read_whole(text: str, least: int, most: int) -> int | None:
    """The whole number from ``least`` to ``most`` that was typed; None if nothing was.

    >>> read_whole("1,200", 0, 9999), read_whole("\uff18", 0, 9999), read_whole(" ", 0, 9999)
    (1200, 8, None)

    Raises:
        NumberRefused: it is anything else, such as 12.5, and 12,5 or 1,0, of which nobody knows
            what they are meant to be.
    """
    typed = "".join(_plain(sign) for sign in text).strip()
    if not typed:
        return None
    number = int(re.sub("[, ]", "", typed)) if _WHOLE.fullmatch(typed) else None
    if number is None or not least <= number <= most:
        raise NumberRefused(text)
    return number


def whole_or_none(text: str, least: int, most: int) -> int | None:
    """The whole number from ``least`` to ``most`` that was typed; None if it is anything else."""
    try:
        return read_whole(text, least, most)
    except NumberRefused:
        return None
