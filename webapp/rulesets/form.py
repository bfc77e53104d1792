"""The form in which a club writes its own rules: made from a ruleset's data, read into a file's.

No rule is known here. What can be set is what the ruleset lists: its options, a switch for each
rule and special hand, and the figures and citations that their entries hold.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from flask_babel import gettext
from pydantic import BaseModel
from werkzeug.datastructures import MultiDict

from scorer.deal import ChangeValue
from scorer.errors import RulesetError
from scorer.rules.rulebook import check_table
from scorer.rules.ruleset import Option, Ruleset

PARTS: Final = ("rule", "special_hand", "penalty")
"""The lists of a ruleset whose entries hold figures of their own."""

MAX_TEXT: Final = 300
_FIGURES: Final = (
    *("points", "doubles", "limit", "won.limit", "won.times_points"),
    *("fishing.limit", "fishing.times_points"),
)

Form = MultiDict[str, str]
Table = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of an entry: its path in the ruleset, such as ``rule.mah_jong.points``."""

    path: str
    key: str
    value: int | str


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule, special hand or penalty: how it is called, its figures, its citation."""

    part: str
    id: str
    name: str
    cite: str
    figures: tuple[Figure, ...]
    enabled: bool | None


@dataclass(slots=True)
class Draft:
    """A club's ruleset as it is being written.

    Attributes:
        raw: the decoded file, without an id.
        ruleset: what it makes; that of the form before where it is not sound.
        problems: what is wrong, by the name of the form's field; "" is the form as a whole.
    """

    raw: Table
    ruleset: Ruleset
    problems: dict[str, str] = field(default_factory=dict)


def entries(ruleset: Ruleset, part: str) -> Iterator[Entry]:
    """The entries of one list of a ruleset, with the figures that no option sets."""
    taken = {path for option in ruleset.option for path in (option.target, *option.also)}
    for item in getattr(ruleset, part):
        start = f"{part}.{item.id}"
        figures = tuple(
            Figure(f"{start}.{key}", key, value)
            for key in _FIGURES
            if (value := _value(item, key)) is not None and f"{start}.{key}" not in taken
        )
        name = getattr(item, "name", None) or item.text
        yield Entry(part, item.id, name, item.cite, figures, getattr(item, "enabled", None))


def _value(item: BaseModel, key: str) -> int | str | None:
    value: object = item
    for step in key.split("."):
        value = getattr(value, step, None)
    return value if isinstance(value, int | str) else None


def house_options(ruleset: Ruleset) -> list[Option]:
    """The house rules that are no switches of a rule or special hand."""
    return [option for option in ruleset.options() if option.group == "house"]


def read(form: Form, current: Ruleset, base: Ruleset, kept: Mapping[str, Any]) -> Draft:
    """The file that the form makes of the one that was edited.

    Args:
        form: what was sent; a field that is missing leaves its value as it is.
        current: the ruleset that the form was made of.
        base: the ruleset that the file builds on.
        kept: the decoded file that was edited; one with ``base`` alone for a new one.
    """
    raw: Table = {**copy.deepcopy(dict(kept)), "base": base.id}
    draft = Draft(raw, current)
    for key in ("name", "description"):
        raw[key] = form.get(key, "").strip()[:MAX_TEXT] or raw.get(key, "")
        if not raw[key]:
            draft.problems[key] = gettext("Write something here.")
    for part in PARTS:
        for entry in entries(current, part):
            _read_entry(form, entry, base, draft)
    _read_options(form, current, base, draft)
    if not draft.problems:
        _check(draft)
    return draft


def _read_entry(form: Form, entry: Entry, base: Ruleset, draft: Draft) -> None:
    source = form.get("source", "").strip()[:MAX_TEXT]
    changed = False
    for figure in entry.figures:
        text = form.get(figure.path)
        if text is None:
            continue
        value = _figure(figure, text.strip())
        if value is None:
            draft.problems[figure.path] = gettext("This must be a whole number.")
        elif value != figure.value:
            changed = True
            _set(draft.raw, entry, figure.key, value, _at(base, figure.path))
    path = f"{entry.part}.{entry.id}.cite"
    cite = form.get(path, entry.cite).strip()[:MAX_TEXT]
    if cite == entry.cite and changed and source:
        cite = source
    if cite != entry.cite:
        _set(draft.raw, entry, "cite", cite, _at(base, path))


def _figure(figure: Figure, text: str) -> int | str | None:
    if isinstance(figure.value, str):
        return text.replace(" ", "")[:20]
    digits = text.replace(",", "").replace(" ", "")
    plain = digits.removeprefix("-")
    return int(digits) if plain.isascii() and plain.isdigit() and len(plain) < 10 else None


def _at(ruleset: Ruleset, path: str) -> object:
    try:
        return ruleset.value_at(path)
    except ValueError:
        return None


def _set(raw: Table, entry: Entry, key: str, value: object, in_base: object) -> None:
    """Set a key of an entry in the file; what the base says already is left out of it."""
    listed: list[Table] = raw.setdefault(entry.part, [])
    item = next((known for known in listed if known.get("id") == entry.id), None)
    if item is None:
        item = {"id": entry.id}
        listed.append(item)
    *tables, last = key.split(".")
    node = item
    for step in tables:
        node = node.setdefault(step, {})
    if value == in_base and in_base is not None:
        node.pop(last, None)
    else:
        node[last] = value


def _read_options(form: Form, current: Ruleset, base: Ruleset, draft: Draft) -> None:
    """Put the options that are set otherwise than in the base into the file's changes."""
    usual = {option.id: base.setting_of(option) for option in base.options()}
    changes: Table = {}
    for option in current.options():
        now = current.setting_of(option)
        value = _setting(option, form, now)
        if value is None:
            draft.problems[option.id] = gettext(
                "This must be a whole number from %(least)s to %(most)s.",
                least=option.minimum,
                most=option.maximum,
            )
        elif value != usual.get(option.id, now) or _own_value(draft.raw, option):
            changes[option.id] = value
    draft.raw.pop("changes", None)
    if changes:
        draft.raw["changes"] = changes


def _own_value(raw: Table, option: Option) -> bool:
    """Whether the file sets what the option sets, aside from its changes."""
    node: Any = raw
    for step in option.target.split("."):
        if isinstance(node, list):
            node = next((item for item in node if item.get("id") == step), None)
        else:
            node = node.get(step) if isinstance(node, Mapping) else None
    return node is not None


def _setting(option: Option, form: Form, now: ChangeValue) -> ChangeValue | None:
    name = f"option.{option.id}"
    if option.kind == "boolean":
        return form.get(name) == "on" if f"has.{option.id}" in form else now
    text = form.get(name)
    if text is None:
        return now
    if option.kind == "choice":
        return text if text in {choice.id for choice in option.choices} else now
    digits = text.replace(",", "").replace(" ", "")
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else -1
    return number if option.minimum <= number <= option.maximum else None


def _check(draft: Draft) -> None:
    """Let the scorer check the file, and put its words at the field that they are about."""
    for part in PARTS:
        listed = [item for item in draft.raw.get(part, []) if len(_flat(item)) > 1]
        draft.raw.pop(part, None)
        if listed:
            draft.raw[part] = listed
    try:
        draft.ruleset = check_table({**draft.raw, "id": "being-written"}, "file")
    except RulesetError as error:
        _, key, reason = (*str(error).split(": ", 2), "", "")[:3]
        where = reason.partition(" ")[0] if key == "changes" else key
        draft.problems[where] = reason


def _flat(item: Table) -> list[str]:
    """The keys of an entry that hold something."""
    return [key for key, value in item.items() if value != {}]
