"""The rulesets of the house: the data files in ``rulesets/``, checked, with a club's changes."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any

from pydantic import ValidationError

from scorer.deal import ChangeValue
from scorer.errors import DealError, RulesetError
from scorer.ruleset import Option, Ruleset


def read(text: str, file: str) -> dict[str, Any]:
    """The decoded text of a ruleset file.

    Raises:
        RulesetError: the text is no TOML.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesetError(f"{file}: the whole file: {error}") from error


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
        raise RulesetError(f"{file}: {key or 'the whole file'}: {first['msg']}") from error


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
            parts.append(str(step))
    return ".".join(parts)


@lru_cache(maxsize=1)
def _files() -> dict[str, dict[str, Any]]:
    folder = resources.files("scorer") / "rulesets"
    tables: dict[str, dict[str, Any]] = {}
    for file in (item for item in folder.iterdir() if item.name.endswith(".toml")):
        raw = read(file.read_text(encoding="utf-8"), file.name)
        tables[validate(raw, file.name).id] = raw
    return tables


def ruleset_ids() -> tuple[str, ...]:
    """The ids of all rulesets, the default one first."""
    raw = _files()
    return tuple(sorted(raw, key=lambda name: (not raw[name].get("default", False), name)))


def load_ruleset(ruleset: str, changes: Mapping[str, ChangeValue] | None = None) -> Ruleset:
    """A ruleset by its id, with a club's changes applied.

    Raises:
        DealError: no such ruleset or option, or a value that the option does not take.
    """
    settings = tuple(
        sorted((name, type(value).__name__, value) for name, value in (changes or {}).items())
    )
    return _load(ruleset, settings)


@lru_cache(maxsize=256)
def _load(ruleset: str, settings: tuple[tuple[str, str, ChangeValue], ...]) -> Ruleset:
    if ruleset not in _files():
        known = ", ".join(ruleset_ids())
        raise DealError(None, "ruleset", f"unknown ruleset {ruleset[:40]!r}; known are {known}")
    raw = _files()[ruleset]
    if not settings:
        return validate(raw, ruleset)
    options = {option.id: option for option in _load(ruleset, ()).options()}
    raw = copy.deepcopy(raw)
    for name, _, value in settings:
        if name not in options:
            known = ", ".join(options)
            raise DealError(None, "changes", f"unknown option {name[:40]!r}; known are {known}")
        _set(raw, options[name].target, _setting(options[name], value))
    return validate(raw, f"{ruleset} with changes")


def _setting(option: Option, value: ChangeValue) -> object:
    """What an option's value puts into the ruleset."""
    if option.kind == "boolean":
        if isinstance(value, bool):
            return value
        wanted = "true or false"
    elif option.kind == "choice":
        for choice in option.choices:
            if choice.id == value:
                return choice.value
        wanted = "one of " + ", ".join(choice.id for choice in option.choices)
    else:
        number = isinstance(value, int) and not isinstance(value, bool)
        if number and option.minimum <= int(value) <= option.maximum:
            return value
        wanted = f"a whole number from {option.minimum} to {option.maximum}"
    raise DealError(None, "changes", f"{option.id} needs {wanted}")


def _set(raw: dict[str, Any], target: str, value: object) -> None:
    *path, last = target.split(".")
    node: Any = raw
    for step in path:
        node = next(i for i in node if i["id"] == step) if isinstance(node, list) else node[step]
    node[last] = value
