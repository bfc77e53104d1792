"""Two folders of records held against each other."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from tests.equal.canonical import text_of
from tests.equal.records import read, read_hashes, value_of

MOST_RECORDS: Final = 5
"""Differing records of a file that are shown,"""
MOST_PLACES: Final = 6
"""places of a record in which it differs, and"""
MOST_SIGNS: Final = 160
"""characters of what stands there."""


def compare(one: Path, other: Path, parts: Collection[str]) -> tuple[list[str], bool]:
    """What is to be told of these parts of two folders, and whether they are equal."""
    first, second = read_hashes(one), read_hashes(other)
    lines: list[str] = []
    equal = True
    for part in ("requirements", "records"):
        for name in sorted(first[part].keys() | second[part].keys()):
            if part == "records" and Path(name).stem not in parts:
                continue
            hashes = first[part].get(name), second[part].get(name)
            same = hashes[0] == hashes[1]
            equal &= same
            lines.append(f"{name}: {'equal' if same else 'DIFFERENT'}")
            if not same and None in hashes:
                lines.append("  is only in one of the folders")
            elif not same and part == "records":
                lines += _told(read(one / name), read(other / name))
    return lines, equal


def _told(first: dict[str, str], second: dict[str, str]) -> Iterator[str]:
    """The differing records of a file, some of them with what differs."""
    gone = [key for key in first if key not in second]
    new = [key for key in second if key not in first]
    changed = [key for key in first if key in second and first[key] != second[key]]
    yield f"  {len(first)} and {len(second)} records: {len(changed)} differ, "
    yield f"  {len(gone)} are gone, {len(new)} are new"
    for title, keys in (("gone", gone), ("new", new)):
        yield from (f"  {title}: {key}" for key in keys[:MOST_RECORDS])
    for key in changed[:MOST_RECORDS]:
        yield f"  differs: {key}"
        yield from (f"    {line}" for line in _places(value_of(first[key]), value_of(second[key])))
    if not (changed or gone or new):
        yield "  the same records in another order"


def _places(first: object, second: object) -> list[str]:
    found = list(islice(_gaps(first, second, ""), MOST_PLACES + 1))
    return [*found[:MOST_PLACES], "..."] if len(found) > MOST_PLACES else found


def _gaps(first: object, second: object, place: str) -> Iterator[str]:
    """Where two values differ, and how."""
    if first == second:
        return
    if isinstance(first, dict) and isinstance(second, dict):
        for key in sorted(first.keys() | second.keys()):
            yield from _gaps(first.get(key), second.get(key), f"{place}.{key}")
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for index, (mine, theirs) in enumerate(zip(first, second, strict=True)):
            yield from _gaps(mine, theirs, f"{place}[{index}]")
    elif isinstance(first, str) and isinstance(second, str) and "\n" in first + second:
        yield from (f"{place} {line}" for line in _changed_lines(first, second))
    else:
        yield f"{place} {_short(first)} -> {_short(second)}"


def _changed_lines(first: str, second: str) -> Iterator[str]:
    told = difflib.unified_diff(first.splitlines(), second.splitlines(), lineterm="", n=0)
    for line in islice(told, 2, None):
        yield line if len(line) <= MOST_SIGNS else f"{line[:MOST_SIGNS]}..."


def _short(value: object) -> str:
    text = text_of(value)
    return text if len(text) <= MOST_SIGNS else f"{text[:MOST_SIGNS]}..."
