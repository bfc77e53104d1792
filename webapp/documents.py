"""Takes deals out of a text: one JSON document, or one JSON document per line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from scorer import DealError


@dataclass(frozen=True, slots=True)
class Document:
    """One deal of the input, decoded or not.

    Attributes:
        line: the line on which it starts, counted from 1.
        value: the decoded JSON value; None if there is an error.
        error: why it could not be decoded.
    """

    line: int
    value: object = None
    error: DealError | None = None


def read_documents(data: bytes) -> list[Document]:
    """The deals in the bytes of a file, in order; what cannot be decoded carries its error.

    A text is taken as JSON lines if any single line of it is a deal, or if every line looks like
    an object; otherwise as one document, which may stretch over several lines.

    Raises:
        DealError: the bytes are no UTF-8 text, or there is nothing in them.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DealError(
            None, "file", f"is not UTF-8 text (byte {error.start}): save the deals as UTF-8 JSON"
        ) from error
    lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        raise DealError(None, "file", "is empty: a deal as JSON is needed")
    if len(lines) > 1 and _is_json_lines(lines):
        return [_decode(line, number) for number, line in lines]
    return [_decode(text, lines[0][0])]


def _is_json_lines(lines: Sequence[tuple[int, str]]) -> bool:
    if all(line.lstrip().startswith("{") and line.rstrip().endswith("}") for _, line in lines):
        return True
    return any(_is_deal(line) for _, line in lines)


def _is_deal(line: str) -> bool:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "players" in value


def _decode(text: str, line: int) -> Document:
    try:
        return Document(line, json.loads(text, object_pairs_hook=_unique, parse_constant=_finite))
    except DealError as error:
        return Document(line, error=error)
    except json.JSONDecodeError as error:
        at = error.lineno if "\n" in text else line
        where = f"line {at}, column {error.colno}"
        return Document(line, error=DealError(None, "json", f"{error.msg} at {where}"))
    except (ValueError, RecursionError) as error:
        return Document(line, error=DealError(None, "json", f"cannot be read: {error}"))


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise DealError(None, key, "is written twice in the same place: keep one of them")
        found[key] = value
    return found


def _finite(name: str) -> object:
    raise DealError(None, "json", f"{name} is no number that JSON knows")
