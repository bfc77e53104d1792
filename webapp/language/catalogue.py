"""What Babel takes from the data of the program into the catalogues: ``make messages``."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping
from runpy import run_path
from typing import Any, BinaryIO, Final

from scorer.tiles import NAMES, SEAT_NAMES
from webapp.language.translation import joint_key, message_key

_KEYS: Final = frozenset(
    {"name", "text", "help", "description", "rights", "bonus", "claimed", "won", "fishing"}
)

Found = tuple[int, str, str, list[str]]
"""A text as Babel takes it: line, function, text and comments."""


def _texts(node: object) -> Iterator[str]:
    if isinstance(node, list):
        for item in node:
            yield from _texts(item)
    elif isinstance(node, Mapping):
        for key, value in node.items():
            told = [value] if isinstance(value, str) else value
            if (
                key in _KEYS
                and isinstance(told, list)
                and all(isinstance(one, str) for one in told)
            ):
                yield from told
            else:
                yield from _texts(value)


def _found(texts: Collection[str], options: Mapping[str, Any]) -> Iterator[Found]:
    """Each of the texts once; no extractor has options."""
    if options:
        raise ValueError(f"babel.cfg: unknown options {', '.join(options)}")
    for text in dict.fromkeys(texts):
        yield 1, "", text, []


def extract_ruleset(
    file: BinaryIO, _keywords: Collection[str], _tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[Found]:
    """The names, texts and explanations of a ruleset file."""
    yield from _found(list(_texts(tomllib.loads(file.read().decode("utf-8")))), options)


def extract_messages(
    file: BinaryIO, _keywords: Collection[str], _tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[Found]:
    """The sentences of a module, what is between several, and its names of codes and fields."""
    tables = run_path(file.name)
    templates = [message_key(template) for template in tables["ENGLISH"].values()]
    joints = [joint_key(between) for between in tables["JOINTS"].values()]
    codes = ("CODE_NAMES", "FIELD_NAMES", "KEY_NAMES")
    named = [name for table in codes for name in tables.get(table, {}).values()]
    yield from _found([*templates, *joints, *named], options)


def extract_tiles(
    _file: BinaryIO, _keywords: Collection[str], _tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[Found]:
    """The names of tiles and winds."""
    yield from _found([*NAMES.values(), *SEAT_NAMES.values()], options)
