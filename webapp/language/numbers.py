"""Whole numbers as people write them: typed ones are read for what they are, or refused."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from typing import Final

from flask_babel import get_locale

_WHOLE: Final = re.compile(r"[+-]?(?:\d{1,15}|\d{1,3}(?:,\d{3}){1,4}|\d{1,3}(?: \d{3}){1,4})")
"""A whole number of at most fifteen digits, also with its thousands set apart."""

_PART: Final = re.compile(r"([+-]?)(\d{0,6})(?:[.,](\d{1,2})|(½))?")
"""A number with at most two decimals, or with a half."""

_SIGNS: Final = {
    "\N{FULLWIDTH COMMA}": ",",
    "\N{FULLWIDTH PLUS SIGN}": "+",
    "\N{FULLWIDTH HYPHEN-MINUS}": "-",
    "\N{MINUS SIGN}": "-",
}
"""Signs of other keyboards, and what they stand for in a number."""


class NumberRefused(ValueError):
    """What was typed is no whole number in its range, or could be read as two different ones."""


def grouped(number: int, sign: str = "") -> str:
    """A number with its thousands set apart, such as 1,234 or in Dutch 1.234, and a minus sign.

    Args:
        number: the number.
        sign: a plus where one is to stand before numbers above 0.
    """
    return in_language(f"{number:{sign},}").replace("-", "\N{MINUS SIGN}")


def in_language(number: str) -> str:
    """A number as it is written in English, with the comma and point of the reader's language."""
    locale = get_locale()
    if locale is None:
        return number
    signs = locale.number_symbols["latn"]
    return number.translate({ord(","): signs["group"], ord("."): signs["decimal"]})


def _plain(sign: str) -> str:
    """A sign as it is on a British keyboard: digits of every script, and any space."""
    if unicodedata.category(sign) == "Nd":
        return str(unicodedata.decimal(sign))
    return " " if sign.isspace() else _SIGNS.get(sign, sign)


def read_whole(text: str, least: int, most: int) -> int | None:
    """The whole number from ``least`` to ``most`` that was typed; None if nothing was.

    Where points set thousands apart, as in Dutch, 1.200 is twelve hundred and 1,200 refused.

    >>> read_whole("1,200", 0, 9999), read_whole("\uff18", 0, 9999), read_whole(" ", 0, 9999)
    (1200, 8, None)

    Raises:
        NumberRefused: it is anything else, such as 12.5, and 12,5 or 1,0, of which nobody knows
            what they are meant to be.
    """
    typed = "".join(_plain(sign) for sign in text).strip()
    if in_language(",") == ".":
        typed = typed.translate({ord("."): ",", ord(","): "."})
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


def part_or_none(text: str, most: int) -> Fraction | None:
    """The number from ``-most`` to ``most`` that was typed, with decimals or a half; else None.

    >>> [str(part_or_none(text, 50)) for text in ("4", "-1.5", "2½", "0,25", "51", "1,000", "")]
    ['4', '-3/2', '5/2', '1/4', 'None', 'None', 'None']
    """
    typed = "".join(_plain(sign) for sign in text).strip()
    found = _PART.fullmatch(typed)
    if found is None or not (found[2] or found[3] or found[4]):
        return None
    number = Fraction(f"{found[2] or 0}.{found[3] or 0}") + (Fraction(1, 2) if found[4] else 0)
    return (-number if found[1] == "-" else number) if number <= most else None
