"""Reading deals from a text that holds one JSON document, or one per line."""

from __future__ import annotations

import codecs
import json
from collections.abc import Sequence
from dataclasses import dataclass

from scorer import DealError
from scorer.errors import field_name
from scorer.messages import say
from scorer.tiles import SEATS
from webapp.runtime.untrusted import NoNumber, Unusable, parse_json


@dataclass(frozen=True, slots=True)
class Document:
    """One deal of the input: its decoded value, or why it could not be decoded.

    Attributes:
        line: the line on which it starts, counted from 1.
        value: the decoded JSON value; None if there is an error.
        error: why it could not be decoded.
    """

    line: int
    value: object = None
    error: DealError | None = None


def read_documents(data: bytes) -> list[Document]:
    """The deals in the bytes of a file, in order; one that cannot be decoded carries its error.

    A JSON list holds a deal in each place. A text that is not JSON as a whole is read as JSON lines
    if one of its lines looks like a deal, and otherwise as one damaged document that extends over
    several lines.

    Raises:
        DealError: there is nothing in the bytes.
    """
    data = data.removeprefix(codecs.BOM_UTF8)
    lines = [(n, line) for n, line in enumerate(data.split(b"\n"), 1) if line.strip()]
    if not lines:
        raise DealError(None, "file", say("empty_file"))
    if len(lines) > 1 and _is_json_lines(data, [line.strip() for _, line in lines]):
        return [_document(line, number) for number, line in lines]
    first, start = lines[0]
    whole = _document(data[data.index(start) :], first)
    if not isinstance(whole.value, list):
        return [whole]
    if not whole.value:
        raise DealError(None, "file", say("empty_file"))
    return [Document(first, value) for value in whole.value]


def _is_json_lines(data: bytes, lines: Sequence[bytes]) -> bool:
    if _loaded(data) is not None:
        return False
    if all(line.startswith(b"{") and line.endswith(b"}") for line in lines):
        return True
    if any(isinstance(_loaded(line), dict) for line in (lines[0], lines[-1])):
        return True
    return any(_is_deal(line) for line in lines)


def _is_deal(line: bytes) -> bool:
    value = _loaded(line)
    return isinstance(value, dict) and any(key in value for key in ("ruleset", "players", "win"))


def _loaded(data: bytes) -> object:
    """The value of the bytes as JSON; None if they are not JSON."""
    try:
        return parse_json(data.decode("utf-8"))
    except ValueError:
        return None


def _document(data: bytes, line: int) -> Document:
    try:
        return Document(line, decode(data, line))
    except DealError as error:
        return Document(line, error=error)


def decode(data: bytes, line: int = 1) -> object:
    """The JSON value in the bytes.

    Args:
        data: one JSON document as UTF-8 text.
        line: the line of the input on which it starts, for the message of an error.

    Raises:
        DealError: the bytes are not UTF-8 or not JSON, or an object has a key twice.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        words = say("not_utf8", byte=error.start + 1, line=line)
        raise DealError(None, "file", words) from error
    try:
        return parse_json(text, _unique)
    except json.JSONDecodeError as error:
        row = line + error.lineno - 1
        words = say("not_json", fault=error.msg, line=row, column=error.colno)
        raise DealError(None, "json", words) from error
    except NoNumber as error:
        raise DealError(None, "json", say("no_json_number", text=error.word)) from error
    except Unusable as error:
        raise DealError(None, "json", say("number_too_long")) from error


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise DealError(_seat_in(pairs), field_name(key), say("key_twice"))
        found[key] = value
    return found


def _seat_in(pairs: list[tuple[str, object]]) -> str | None:
    return next((str(value) for key, value in pairs if key == "seat" and value in SEATS), None)
