"""The form in which a club writes its own rules: its fields, and the file made from the answers.

No rule is known here. The form offers what the ruleset lists: its options, a switch for each rule
and special hand, and the figures and citations of their entries.
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
from scorer.messages import Message, plain_words
from scorer.rules.rule import Option, Rule
from scorer.rules.rulebook import check_table
from scorer.rules.ruleset import Ruleset
from webapp.language.numbers import NumberRefused, read_whole

PARTS: Final = ("rule", "special_hand", "penalty")
"""The lists of a ruleset whose entries hold figures of their own."""

MAX_TEXT: Final = 300
"""Maximum number of characters of a text field; what is longer is cut off."""

MAX_FIGURE: Final = 999_999_999
"""Maximum size of a figure, positive or negative."""

_FIGURES: Final = (
    *("points", "doubles", "fan", "fan_exposed", "fu", "limits"),
    *("limit", "won.limit", "won.times_points", "fishing.limit", "fishing.times_points"),
)
"""The keys of an entry that can hold a figure to change, with a dot for a nested table."""

Form = MultiDict[str, str]
Table = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of an entry that the form lets people change.

    Attributes:
        path: its place in the ruleset, such as ``rule.mah_jong.points``; also the form's field.
        key: its key within the entry, such as ``points``.
        value: what it is in the ruleset that the form was made from.
    """

    path: str
    key: str
    value: int | str


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule, special hand or penalty as the form shows it.

    Attributes:
        part: the list of the ruleset that it belongs to, one of :data:`PARTS`.
        id: its id within that list.
        name: what it is called.
        cite: where its source says so.
        figures: the figures that can be changed.
        enabled: whether it is played; None for a penalty, which has no switch.
    """

    part: str
    id: str
    name: Message
    cite: str
    figures: tuple[Figure, ...]
    enabled: bool | None


@dataclass(slots=True)
class Draft:
    """A club's ruleset as it is being written.

    Attributes:
        raw: the decoded file, without an id.
        ruleset: the ruleset that it makes; while it is not valid, the one the form was made from.
        problems: what is wrong, by the name of the form's field; "" for the form as a whole.
    """

    raw: Table
    ruleset: Ruleset
    problems: dict[str, Message | str] = field(default_factory=dict)


def entries(ruleset: Ruleset, part: str) -> Iterator[Entry]:
    """The entries of one list of a ruleset, with those of their figures that no option sets."""
    taken = {path for option in ruleset.option for path in (option.target, *option.also)}
    for item in getattr(ruleset, part):
        start = f"{part}.{item.id}"
        figures = tuple(
            Figure(f"{start}.{key}", key, value)
            for key in _FIGURES
            if (value := _value(item, key)) is not None and f"{start}.{key}" not in taken
        )
        name = item.title if isinstance(item, Rule) else plain_words(item.name)
        yield Entry(part, item.id, name, item.cite, figures, getattr(item, "enabled", None))


def _value(item: BaseModel, key: str) -> int | str | None:
    value: object = item
    for step in key.split("."):
        value = getattr(value, step, None)
    return value if isinstance(value, int | str) else None


def house_options(ruleset: Ruleset) -> list[Option]:
    """The options that are house rules, as opposed to switches of a rule or special hand."""
    return [option for option in ruleset.options() if option.group == "house"]


def read(form: Form, current: Ruleset, base: Ruleset, kept: Mapping[str, Any]) -> Draft:
    """The ruleset file that results from the one that was edited and the form's answers.

    Args:
        form: what was sent; a field that is missing leaves its value as it is.
        current: the ruleset that the form was made from.
        base: the ruleset that the file builds on.
        kept: the decoded file that was edited; for a new file, a table with ``base`` only.
    """
    raw: Table = {**copy.deepcopy(dict(kept)), "base": base.id}
    draft = Draft(raw, current)
    for key in ("name", "description"):
        raw[key] = form.get(key, "").strip()[:MAX_TEXT] or raw.get(key, "")
        if not raw[key]:
            draft.problems[key] = gettext("Enter something here.")
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
    return _whole(text, -MAX_FIGURE, MAX_FIGURE)


def _whole(text: str, least: int, most: int) -> int | None:
    """The number that was typed; None if it is missing, no whole number or not in the range."""
    try:
        return read_whole(text, least, most)
    except NumberRefused:
        return None


def _at(ruleset: Ruleset, path: str) -> object:
    try:
        return ruleset.value_at(path)
    except ValueError:
        return None


def _set(raw: Table, entry: Entry, key: str, value: object, in_base: object) -> None:
    """Set a key of an entry in the file, or leave it out if the base has the same value."""
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
    """Put the options whose setting differs from the base's into the file's changes."""
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
    """Whether the file sets the option's target itself, outside its changes."""
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
    return _whole(text, option.minimum, option.maximum)


def _check(draft: Draft) -> None:
    """Let the scorer check the file, and put its message at the field that it is about."""
    for part in PARTS:
        listed = [item for item in draft.raw.get(part, []) if len(_flat(item)) > 1]
        draft.raw.pop(part, None)
        if listed:
            draft.raw[part] = listed
    try:
        draft.ruleset = check_table({**draft.raw, "id": "being-written"}, "file")
    except RulesetError as error:
        where = str(error.reason).partition(" ")[0] if error.key == "changes" else error.key
        draft.problems[where] = error.reason


def _flat(item: Table) -> list[str]:
    """The keys of an entry whose value is not an empty table."""
    return [key for key, value in item.items() if value != {}]
