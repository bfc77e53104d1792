"""The rulesets at hand, by their ids, with any changes that a deal or a club makes."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from scorer.deal import ChangeValue
from scorer.errors import DealError, RulesetError
from scorer.messages import say
from scorer.rules import files
from scorer.rules.compiled import Compiled, compile_ruleset
from scorer.rules.folder import rulesets_folder
from scorer.rules.house_rules import apply
from scorer.rules.ruleset import Ruleset

_SHELVES: Final = 64
"""Number of folders of ruleset files that are kept in memory: one, or one for each club."""


def _shelf() -> files.Shelf:
    return _shelf_of(rulesets_folder())


@lru_cache(maxsize=_SHELVES)
def _shelf_of(_folder: Path | None) -> files.Shelf:
    return files.gather()


def forget_files() -> None:
    """Read a club's own files again at the next call, as after one was changed."""
    for cached in (_shelf_of, _load, _compiled):
        cached.cache_clear()


def ruleset_ids() -> tuple[str, ...]:
    """The ids of all rulesets, the default one first."""
    tables = _shelf().tables
    return tuple(sorted(tables, key=lambda name: (not tables[name].get("default", False), name)))


def faults() -> tuple[RulesetError, ...]:
    """What is wrong with a club's own ruleset files, which are left out for it."""
    return tuple(_shelf().faults.values())


def check_file(path: Path) -> Ruleset:
    """The ruleset in a file of a club's own, which may be changing one that is in use.

    Raises:
        RulesetError: with the file, the key and the reason of the first fault.
    """
    return _checked(files.read_file(path))


def check_table(table: Mapping[str, Any], file: str) -> Ruleset:
    """The ruleset that the decoded text of such a file describes; ``file`` is named in faults.

    Raises:
        RulesetError: as :func:`check_file`.
    """
    return _checked(files.Source(file, table))


def _checked(source: files.Source) -> Ruleset:
    own = files.own_id(source)
    shipped = files.shipped()
    if own in shipped:
        raise RulesetError(source.file, "id", say("id_of_the_program", id=own))
    tables = {name: table for name, table in _shelf().tables.items() if name != own}
    others = {name: files.Source(f"{name}.toml", tables[name]) for name in tables}
    return files.checked(files.resolve(source, others), source.file)


Settings = tuple[tuple[str, str, ChangeValue], ...]


def _settings(changes: Mapping[str, ChangeValue] | None) -> Settings:
    if not changes:
        return ()
    return tuple(sorted((name, type(value).__name__, value) for name, value in changes.items()))


def load_ruleset(ruleset: str, changes: Mapping[str, ChangeValue] | None = None) -> Ruleset:
    """A ruleset by its id, with a club's changes applied.

    Raises:
        DealError: no such ruleset or option, or a value that the option does not take.
    """
    return _load(ruleset, _settings(changes), rulesets_folder())


def load_compiled(ruleset: str, changes: Mapping[str, ChangeValue] | None = None) -> Compiled:
    """The same ruleset, made ready for counting.

    Raises:
        DealError: as :func:`load_ruleset`.
    """
    return _compiled(ruleset, _settings(changes), rulesets_folder())


@lru_cache(maxsize=256)
def _compiled(ruleset: str, settings: Settings, folder: Path | None) -> Compiled:
    return compile_ruleset(_load(ruleset, settings, folder))


@lru_cache(maxsize=256)
def _load(ruleset: str, settings: Settings, _folder: Path | None) -> Ruleset:
    shelf = _shelf()
    if ruleset in shelf.faults:
        fault = shelf.faults[ruleset].words
        words = say("ruleset_unusable", ruleset=ruleset[:40], fault=fault)
        raise DealError(None, "ruleset", words)
    if ruleset not in shelf.tables:
        words = say("unknown_ruleset", ruleset=ruleset[:40], known=ruleset_ids())
        raise DealError(None, "ruleset", words)
    if not settings:
        return shelf.rulesets[ruleset]
    raw = copy.deepcopy(shelf.tables[ruleset])
    changes = {name: value for name, _, value in settings}
    apply(raw, shelf.rulesets[ruleset], changes)
    raw["changes"] = {**raw.get("changes", {}), **changes}
    try:
        return files.validate(raw, ruleset)
    except RulesetError as error:
        raise DealError(None, "changes", say("changes_clash", fault=error.words)) from error
