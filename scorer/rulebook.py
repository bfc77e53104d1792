"""The rulesets: the data files in ``rulesets/`` and a club's own, checked, with any changes.

A file may build on another: ``base`` names it, ``[changes]`` sets its options, and every other
table is laid over the base's. In a list such as ``[[rule]]`` an entry with the id of one in the
base changes the keys it gives (``remove = true`` takes the entry out), and a new one is added at
the end or behind the entry named in ``after``.
"""

from __future__ import annotations

import copy
import difflib
import os
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from scorer.compiled import Compiled, compile_ruleset
from scorer.deal import ChangeValue
from scorer.errors import DealError, RulesetError
from scorer.layers import overlay
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


FOLDER_VARIABLE: Final = "KONGBOX_RULESETS"
"""Environment variable that names a folder of further ruleset files."""


@lru_cache(maxsize=1)
def _files() -> dict[str, dict[str, Any]]:
    """Every ruleset as it stands in its file, bases laid under, by its id."""
    shipped = resources.files("scorer") / "rulesets"
    files = [(item.name, item.read_text("utf-8")) for item in shipped.iterdir()]
    folder = os.environ.get(FOLDER_VARIABLE)
    if folder:
        files += [(path.name, _text(path)) for path in sorted(Path(folder).glob("*.toml"))]
    raws: dict[str, dict[str, Any]] = {}
    for name, text in files:
        if not name.endswith(".toml"):
            continue
        raw = read(text, name)
        own = str(raw.get("id"))
        if own in raws:
            raise RulesetError(f"{name}: id: {own!r} is the id of another ruleset")
        raws[own] = raw
    tables = {own: resolve(raw, raws, f"{own}.toml") for own, raw in raws.items()}
    for own, raw in tables.items():
        validate(raw, f"{own}.toml")
    return tables


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RulesetError(f"{path.name}: the whole file: cannot be read as text") from error


def check_file(path: Path) -> Ruleset:
    """The ruleset in a file of a club's own.

    Raises:
        RulesetError: with the file, the key and the reason of the first fault.
    """
    raw = read(_text(path), path.name)
    others = {own: other for own, other in _files().items() if own != raw.get("id")}
    return validate(resolve(raw, others, path.name), path.name)


def resolve(
    raw: Mapping[str, Any], others: Mapping[str, Mapping[str, Any]], file: str
) -> dict[str, Any]:
    """A decoded ruleset file laid over its base, with the options set that it changes.

    Raises:
        RulesetError: the base is unknown or builds on this file, or a change is none.
    """
    if "base" not in raw:
        return copy.deepcopy(dict(raw))
    base = raw["base"]
    if base not in others:
        known = ", ".join(sorted(others))
        raise RulesetError(f"{file}: base: unknown ruleset {str(base)[:40]!r}; known are {known}")
    rest = {own: other for own, other in others.items() if own != base}
    below = resolve(others[base], rest, f"{base}.toml")
    below.pop("default", None)
    changes = raw.get("changes", {})
    if not isinstance(changes, Mapping):
        raise RulesetError(f"{file}: changes: needs a table of options and their values")
    merged = overlay(below, {key: raw[key] for key in raw if key != "changes"}, file)
    if changes:
        try:
            apply(merged, validate(merged, file), changes)
        except DealError as error:
            raise RulesetError(f"{file}: changes: {error.message}") from error
        merged["changes"] = {**merged.get("changes", {}), **changes}
    return merged


def forget_files() -> None:
    """Read all files anew at the next call, as after a club has changed one."""
    for cached in (_files, _load, _compiled):
        cached.cache_clear()


def ruleset_ids() -> tuple[str, ...]:
    """The ids of all rulesets, the default one first."""
    raw = _files()
    return tuple(sorted(raw, key=lambda name: (not raw[name].get("default", False), name)))


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
    return _load(ruleset, _settings(changes))


def load_compiled(ruleset: str, changes: Mapping[str, ChangeValue] | None = None) -> Compiled:
    """The same ruleset, made ready for counting.

    Raises:
        DealError: as :func:`load_ruleset`.
    """
    return _compiled(ruleset, _settings(changes))


@lru_cache(maxsize=256)
def _compiled(ruleset: str, settings: Settings) -> Compiled:
    return compile_ruleset(_load(ruleset, settings))


@lru_cache(maxsize=256)
def _load(ruleset: str, settings: Settings) -> Ruleset:
    if ruleset not in _files():
        known = ", ".join(ruleset_ids())
        raise DealError(None, "ruleset", f"unknown ruleset {ruleset[:40]!r}; known are {known}")
    raw = _files()[ruleset]
    if not settings:
        return validate(raw, ruleset)
    raw = copy.deepcopy(raw)
    changes = {name: value for name, _, value in settings}
    apply(raw, _load(ruleset, ()), changes)
    raw["changes"] = {**raw.get("changes", {}), **changes}
    return validate(raw, f"{ruleset} with changes")


def apply(raw: dict[str, Any], ruleset: Ruleset, changes: Mapping[str, ChangeValue]) -> None:
    """Set options in a decoded ruleset file.

    Raises:
        DealError: no such option, or a value that it does not take.
    """
    options = {option.id: option for option in ruleset.options()}
    for name, value in changes.items():
        if name not in options:
            close = difflib.get_close_matches(name, options, 3) or list(options)
            known = ", ".join(close)
            raise DealError(None, "changes", f"unknown option {name[:40]!r}; known are {known}")
        option = options[name]
        for target in (option.target, *option.also):
            _set(raw, target, _setting(option, value))


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
