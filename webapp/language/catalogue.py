"""What Babel takes from the data files of the program into the catalogues: ``make messages``."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping
from runpy import run_path
from typing import Any, BinaryIO, Final

from scorer.tiles import NAMES, SEAT_NAMES
from webapp.language.templates_of_source import templates
from webapp.language.translation import joint_key, message_key

_KEYS: Final = frozenset(
    {"name", "text", "help", "description", "bonus", "claimed", "won", "fishing"}
)

Message = tuple[int, str, str, list[str]]


def _texts(node: object) -> Iterator[str]:
    if isinstance(node, list):
        for item in node:
            yield from _texts(item)
    elif isinstance(node, Mapping):
        for key, value in node.items():
            if key in _KEYS and isinstance(value, str):
                yield value
            else:
                yield from _texts(value)


def _no_options(options: Mapping[str, Any]) -> None:
    if options:
        raise ValueError(f"babel.cfg: unknown options {', '.join(options)}")


def extract_ruleset(
    file: BinaryIO, _keywords: Collection[str], _tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[Message]:
    """The names, texts and explanations of a ruleset file; it has no options."""
    _no_options(options)
    for text in dict.fromkeys(_texts(tomllib.loads(file.read().decode("utf-8")))):
        yield 1, "", text, []


def extract_sentences(
    file: BinaryIO, _keywords: Collection[str], _tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[Message]:
    """What a module of the scorer or the photo reader says to people.

    The option ``but_not`` names the exceptions whose texts are for programmers.
    """
    but_not = options.get("but_not", "").split()
    _no_options({name: value for name, value in options.items() if name != "but_not"})
    for line, text in templates(file.read().decode("utf-8"), but_not):
        yield line, "", text, []


def extract_messages(
    file: BinaryIO, _keywords: Collection[str], _tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[Message]:
    """The sentences of a module's table ``ENGLISH`` and its ``JOINTS``; it has no options."""
    _no_options(options)
    tables = run_path(file.name)
    for template in dict.fromkeys(tables["ENGLISH"].values()):
        yield 1, "", message_key(template), []
    for between in tables["JOINTS"].values():
        yield 1, "", joint_key(between), []


def extract_tiles(
    file: BinaryIO, keywords: Collection[str], tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[Message]:
    """The names of tiles and winds, and what is said of tiles; there are no options."""
    _no_options(options)
    for text in (*NAMES.values(), *SEAT_NAMES.values()):
        yield 1, "", text, []
    yield from extract_sentences(file, keywords, tags, options)
