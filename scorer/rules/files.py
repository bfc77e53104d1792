"""Ruleset files: decoded, laid over the rulesets that they build on, and checked.

A file may build on another: ``base`` names it, ``[changes]`` sets its options, and every other
table is laid over the base's. In a list such as ``[[rule]]`` an entry with the id of one in the
base changes the keys it gives (``remove = true`` takes the entry out), and a new one is added at
the end or behind the entry named in ``after``.

The rulesets that come with the program must be sound. A club's own file that is not is left out,
and its fault is kept for anyone who asks for that ruleset.
"""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeGuard

from pydantic import ValidationError

from scorer.errors import DealError, RulesetError, field_name
from scorer.messages import Refused, plain_words, say
from scorer.rules.contradictions import Search, asked_of
from scorer.rules.folder import FOLDER_VARIABLE, own_place, rulesets_folder
from scorer.rules.form_faults import ruleset_fault, toml_fault
from scorer.rules.house_rules import apply
from scorer.rules.ruleset import Ruleset

MAX_DEPTH: Final = 20
"""Maximum number of tables and lists around a value; the deepest in a shipped file is 6."""

_DEEP_KEY: Final = re.compile(
    r"""(?<![\w"'-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+)"""
    f"{{{MAX_DEPTH}}}"
)
"""A key of more parts than may lie in each other; the parser's time and memory grow with the square
of their number."""

WHOLE_FILE: Final = "the whole file"
"""What stands for the key in faults that are not single key's."""

Table = dict[str, Any]


class Source(NamedTuple):
    """A decoded file and its name."""

    file: str
    raw: Mapping[str, Any]


@dataclass(slots=True)
class Shelf:
    """All rulesets at hand.

    Attributes:
        tables: each ruleset as its file gives it, laid over its base, by its id.
        rulesets: the rulesets that these describe.
        faults: the faults of a club's files, by the id of the ruleset, or by the file's name where
            it gives none.
    """

    tables: dict[str, Table] = field(default_factory=dict)
    rulesets: dict[str, Ruleset] = field(default_factory=dict)
    faults: dict[str, RulesetError] = field(default_factory=dict)

    def add(self, own: str, table: Table, file: str) -> None:
        """Put a ruleset on the shelf.

        Raises:
            RulesetError: it is not sound.
        """
        self.rulesets[own] = checked(table, file)
        self.tables[own] = table


def decode(data: bytes, file: str) -> Table:
    """The decoded bytes of a ruleset file.

    Raises:
        RulesetError: they are not text, the text is not TOML, or it lies too deep.
    """
    try:
        return _loaded(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise RulesetError(file, WHOLE_FILE, say("no_utf8")) from error
    except tomllib.TOMLDecodeError as error:
        raise RulesetError(file, WHOLE_FILE, toml_fault(error)) from error
    except ValueError as error:
        raise RulesetError(file, WHOLE_FILE, say("toml_number_too_long")) from error
    except RecursionError as error:
        raise RulesetError(file, WHOLE_FILE, say("toml_too_deep")) from error


def _loaded(text: str) -> Table:
    """The decoded text; :class:`RecursionError` if it lies too deep, also for what comes after."""
    if _DEEP_KEY.search(text):
        raise RecursionError("a key has too many parts")
    table = tomllib.loads(text)
    if _is_deep(table):
        raise RecursionError("too many tables and lists lie in each other")
    return table


def _is_deep(table: Table) -> bool:
    """Whether more than :data:`MAX_DEPTH` tables and lists lie in each other."""
    level: list[Any] = [table]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
    return bool(level)


def read_file(path: Path) -> Source:
    """A file's name and its decoded text.

    Raises:
        RulesetError: the file cannot be read, or is no TOML.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        words = say("cannot_be_read", reason=plain_words(str(error.strerror)))
        raise RulesetError(path.name, WHOLE_FILE, words) from error
    return Source(path.name, decode(data, path.name))


def validate(raw: Mapping[str, Any], file: str) -> Ruleset:
    """The ruleset that a decoded file describes.

    Raises:
        RulesetError: with the file, the key and the reason of the first fault.
    """
    try:
        return Ruleset.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        key = _key_path(raw, first["loc"])
        raise RulesetError(file, key or WHOLE_FILE, ruleset_fault(first)) from error


def _key_path(raw: object, location: tuple[int | str, ...]) -> str:
    parts: list[str] = []
    node = raw
    for step in location:
        if isinstance(node, list) and isinstance(step, int):
            node = node[step]
            named = isinstance(node, dict) and "id" in node
            parts.append(str(node["id"] if named else step))
        else:
            node = node.get(step) if isinstance(node, dict) else None
            parts.append(field_name(step))
    return ".".join(parts)


def checked(raw: Mapping[str, Any], file: str) -> Ruleset:
    """The ruleset that a decoded file describes, fit to be used.

    Raises:
        RulesetError: as :func:`validate`; or an option lists its choices, but not the usual one;
            or a rule or special hand asks for what no hand can be.
    """
    ruleset = validate(raw, file)
    _refuse_contradictions(ruleset, file)
    for option in ruleset.option:
        try:
            ruleset.setting_of(option)
        except Refused as error:
            raise RulesetError(file, f"option.{option.id}", error.words) from error
    return ruleset


def _refuse_contradictions(ruleset: Ruleset, file: str) -> None:
    search = Search()
    tables = (("rule", ruleset.rule), ("special_hand", ruleset.special_hand))
    for table, items in tables:
        for item in items:
            found = search.contradicting(*asked_of(item))
            if found:
                named = tuple(say("said_key", key=key, value=value) for key, value in found)
                words = say("contradiction", conditions=named)
                raise RulesetError(file, f"{table}.{item.id}", words)


def resolve(source: Source, others: Mapping[str, Source]) -> Table:
    """A decoded ruleset file laid over its base, with the options set that it changes.

    Raises:
        RulesetError: the base is unknown or builds on this file, or a change is not possible.
    """
    return _resolve(source, others, ())


def _resolve(source: Source, others: Mapping[str, Source], above: tuple[str, ...]) -> Table:
    file, raw = source
    if "base" not in raw:
        return copy.deepcopy(dict(raw))
    base, chain = raw["base"], (*above, str(raw.get("id")))
    if base in chain:
        raise RulesetError(file, "base", say("builds_on_itself", chain=(*chain, base)))
    if not isinstance(base, str) or base not in others:
        known = tuple(sorted(others))
        words = say("unknown_ruleset", ruleset=field_name(base), known=known)
        raise RulesetError(file, "base", words)
    below = _resolve(others[base], others, chain)
    below.pop("default", None)
    changes = raw.get("changes", {})
    if not isinstance(changes, Mapping):
        raise RulesetError(file, "changes", say("changes_no_table"))
    merged = overlay(below, {key: raw[key] for key in raw if key != "changes"}, file)
    if changes:
        try:
            apply(merged, validate(merged, file), changes)
        except DealError as error:
            raise RulesetError(file, "changes", error.words) from error
        merged["changes"] = {**merged.get("changes", {}), **changes}
    return merged


@lru_cache(maxsize=1)
def shipped() -> dict[str, Source]:
    """The decoded files that come with the program, by the ids of their rulesets."""
    folder = resources.files("scorer") / "rulesets"
    files = [item for item in folder.iterdir() if item.name.endswith(".toml")]
    sources = [Source(item.name, decode(item.read_bytes(), item.name)) for item in files]
    return {str(source.raw["id"]): source for source in sources}


@lru_cache(maxsize=1)
def _shipped_shelf() -> Shelf:
    shelf, sources = Shelf(), shipped()
    for own, source in sources.items():
        shelf.add(own, resolve(source, sources), source.file)
    return shelf


def gather() -> Shelf:
    """All rulesets: those that come with the program, and a club's own as they are now.

    Raises:
        RulesetError: a file that comes with the program is not sound.
    """
    sources, with_program = shipped(), _shipped_shelf()
    shelf = Shelf(dict(with_program.tables), dict(with_program.rulesets))
    folder = rulesets_folder()
    if folder is None or (own_place() and not folder.is_dir()):
        return shelf
    if not folder.is_dir():
        words = say("no_folder", folder=field_name(str(folder)))
        shelf.faults[FOLDER_VARIABLE] = RulesetError(FOLDER_VARIABLE, "", words)
        return shelf
    clubs = _sources(sorted(folder.glob("*.toml")), sources, shelf.faults)
    for own, source in clubs.items():
        try:
            table = resolve(source, {**sources, **clubs})
            shelf.add(own, {**table, "default": False}, source.file)
        except RulesetError as error:
            shelf.faults[own] = error
    return shelf


def _sources(
    paths: Iterable[Path], taken: Mapping[str, Source], faults: dict[str, RulesetError]
) -> dict[str, Source]:
    found: dict[str, Source] = {}
    for path in paths:
        try:
            source = read_file(path)
            own = own_id(source)
        except RulesetError as error:
            faults[path.name] = error
            continue
        if own in taken or own in found:
            faults[path.name] = RulesetError(path.name, "id", say("id_taken", id=own))
        else:
            found[own] = source
    return found


def own_id(source: Source) -> str:
    """The id that a decoded file gives its ruleset.

    Raises:
        RulesetError: it gives none.
    """
    own = source.raw.get("id")
    if not isinstance(own, str) or not own.strip():
        raise RulesetError(source.file, "id", say("no_id"))
    return own


def overlay(below: Mapping[str, Any], above: Mapping[str, Any], file: str) -> Table:
    """Two decoded files merged: tables key by key, lists of tables entry by entry.

    An entry with the id of one below changes the keys that it gives, or takes it out when it says
    ``remove = true``; any other is added at the end, or behind the entry named in its ``after``.
    Everything else above replaces what lies below.

    Raises:
        RulesetError: an entry takes out, or is to stand behind, one that is not there.
    """
    merged = copy.deepcopy(dict(below))
    for key, value in above.items():
        under = merged.get(key)
        if isinstance(under, dict) and isinstance(value, Mapping):
            merged[key] = overlay(under, value, file)
        elif _named(under) and _named(value):
            merged[key] = _entries(under, value, file)
        else:
            merged[key] = copy.deepcopy(value)
    return merged


def _named(value: object) -> TypeGuard[list[Table]]:
    return isinstance(value, list) and all(isinstance(e, Mapping) and "id" in e for e in value)


def _entries(below: list[Table], above: list[Table], file: str) -> list[Table]:
    entries = list(below)
    for entry in above:
        place = _place(entries, entry["id"])
        if place is not None and entry.get("remove") is True:
            del entries[place]
        elif entry.get("remove") is True:
            raise RulesetError(file, f"{entry['id']}.remove", say("nothing_to_remove"))
        elif place is not None:
            entries[place] = overlay(entries[place], entry, file)
        else:
            entries.insert(_room(entries, entry, file), _without_place(entry))
    return entries


def _place(entries: list[Table], name: object) -> int | None:
    return next((index for index, entry in enumerate(entries) if entry.get("id") == name), None)


def _room(entries: list[Table], entry: Table, file: str) -> int:
    """Where a new entry is put in."""
    if "after" not in entry:
        return len(entries)
    place = _place(entries, entry["after"])
    if place is None:
        words = say("nothing_to_follow", name=entry["after"])
        raise RulesetError(file, f"{entry['id']}.after", words)
    return place + 1


def _without_place(entry: Table) -> Table:
    return {key: value for key, value in entry.items() if key != "after"}
