"""What the libraries that read and check files object to, as messages.

Neither of them has codes for people. What is not known here keeps the library's own English.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any, Final

from scorer.english import ENGLISH
from scorer.messages import Message, Refused, places, plain_words, say

_TOML_PLACE: Final = re.compile(
    r"(?P<fault>.*) \(at (?:end of document|line (?P<line>\d+), column (?P<column>\d+))\)",
    re.DOTALL,
)
_TOML_FAULTS: Final = {
    "toml_declared_twice": re.compile(r"Cannot declare (?P<key>.*) twice", re.DOTALL),
    "toml_key_twice": re.compile(r"Duplicate inline table key (?P<key>.*)", re.DOTALL),
    "toml_expected": re.compile(r"Expected (?P<sign>'.'|\".\")", re.DOTALL),
    "toml_illegal": re.compile(r"Illegal character (?P<sign>.*)", re.DOTALL),
}


def ruleset_fault(details: Mapping[str, Any]) -> Message:
    """Why a value of a ruleset file is refused, in words that speak of the file.

    Args:
        details: one of the errors that a :class:`pydantic.ValidationError` lists.
    """
    given = details.get("ctx", {}).get("error")
    if isinstance(given, Refused):
        return given.words
    own = f"form_{details['type']}"
    if own not in ENGLISH:
        return input_fault(details)
    context = details.get("ctx", {})
    return say(own, **{name: str(context[name]) for name in places(ENGLISH[own])})


def input_fault(details: Mapping[str, Any]) -> Message:
    """Why a value is refused, in pydantic's own words.

    Args:
        details: one of the errors that a :class:`pydantic.ValidationError` lists.
    """
    own, context = f"input_{details['type']}", details.get("ctx", {})
    if own in ENGLISH:
        found = say(own, **{name: str(context.get(name)) for name in places(ENGLISH[own])})
        if str(found) == details["msg"]:
            return found
    return plain_words(details["msg"].removeprefix("Value error, "))


def toml_fault(error: tomllib.TOMLDecodeError) -> Message:
    """Why a text is not TOML."""
    placed = _TOML_PLACE.fullmatch(str(error))
    if placed is None:
        return plain_words(str(error))
    fault = _toml_fault(placed["fault"])
    if placed["line"] is None:
        return say("toml_at_end", fault=fault)
    return say("toml_at", fault=fault, line=int(placed["line"]), column=int(placed["column"]))


def _toml_fault(text: str) -> Message:
    for own, form in _TOML_FAULTS.items():
        found = form.fullmatch(text)
        if found is not None:
            return say(own, **found.groupdict())
    return plain_words(text)
