"""The differences between two rulesets, key by key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from scorer.english import KEY_NAMES
from scorer.messages import Message, plain_words, say
from scorer.rules.conditions import condition_words
from scorer.rules.rule import Option
from scorer.rules.ruleset import Ruleset

_LISTS: Final = ("rule", "special_hand", "penalty", "source", "flag", "status", "option")
_OWN: Final = frozenset({"id", "name", "description", "default", "base", "documents", "changes"})
"""What is a ruleset's own and no rule."""

Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Difference:
    """One key in which two rulesets differ.

    Attributes:
        part: ``ruleset``, or the list in which the entry stands, such as ``rule``.
        id: the entry's id; empty for the ruleset as a whole.
        name: the entry's name for people; empty for the ruleset as a whole.
        key: the key, its tables joined by dots; empty when one of the two has no such entry.
        label: what the key is called, by the house rule that sets it if there is one.
        one: the value in the first ruleset; None when it has no such entry.
        other: the same in the second.
    """

    part: str
    id: str
    name: str
    key: str
    label: str
    one: Message | None
    other: Message | None

    def to_json(self) -> dict[str, str | None]:
        """The difference as a JSON value."""
        return {
            "part": self.part,
            "id": self.id,
            "name": self.name,
            "key": self.key,
            "label": self.label,
            "one": None if self.one is None else str(self.one),
            "other": None if self.other is None else str(self.other),
        }


def differences(one: Ruleset, other: Ruleset, *, cites: bool = False) -> tuple[Difference, ...]:
    """All differences, the ruleset's own keys first, then entry by entry.

    Args:
        one: a ruleset.
        other: the ruleset that it is checked against.
        cites: whether citations are compared as well.
    """
    return tuple(_Comparison(one, other, cites=cites).found())


class _Comparison:
    def __init__(self, one: Ruleset, other: Ruleset, *, cites: bool) -> None:
        self.first, self.second = one.model_dump(), other.model_dump()
        self.cites = cites
        self.options: dict[str, list[Option]] = {}
        for option in (*one.option, *other.option):
            self.options.setdefault(option.target, []).append(option)

    def found(self) -> Iterator[Difference]:
        plain = [key for key in self.first if key not in _OWN and key not in _LISTS]
        first, second = ({key: it[key] for key in plain} for it in (self.first, self.second))
        yield from self._gaps(first, second, ("ruleset", "", ""))
        for part in _LISTS:
            yield from self._entries(part, self.first[part], self.second[part])

    def _entries(
        self, part: str, one: Iterable[Entry], other: Iterable[Entry]
    ) -> Iterator[Difference]:
        first = {item["id"]: item for item in one}
        second = {item["id"]: item for item in other}
        for own in dict.fromkeys((*first, *second)):
            mine, theirs = first.get(own), second.get(own)
            where = (part, own, _name(theirs or mine or {}))
            if mine is None or theirs is None:
                texts = (None if item is None else _summary(item) for item in (mine, theirs))
                yield Difference(*where, "", "", *texts)
            else:
                yield from self._gaps(mine, theirs, where)

    def _gaps(
        self, one: Entry, other: Entry, where: tuple[str, str, str], path: str = ""
    ) -> Iterator[Difference]:
        for key in dict.fromkeys((*one, *other)):
            mine, theirs = one.get(key), other.get(key)
            if mine == theirs or (key.endswith("cite") and not self.cites):
                continue
            if isinstance(mine, Mapping) and isinstance(theirs, Mapping):
                yield from self._gaps(mine, theirs, where, f"{path}{key}.")
                continue
            part, own, _ = where
            target = f"{path}{key}" if part == "ruleset" else f"{part}.{own}.{path}{key}"
            options = self.options.get(target, [])
            named = KEY_NAMES.get(target, f"{path}{key}")
            label = options[0].name if options else named
            texts = (_said(options, key, value) for value in (mine, theirs))
            yield Difference(*where, f"{path}{key}", label, *texts)


def _name(entry: Entry) -> str:
    return str(entry.get("name") or entry.get("text") or "")


def _summary(entry: Entry) -> Message:
    """An entry that only one of the rulesets has."""
    name = plain_words(_name(entry))
    worths = [key for key in ("points", "doubles") if entry.get(key) is not None]
    if not worths:
        return name
    told = (say("said_key", key=key, value=plain_words(str(entry[key]))) for key in worths)
    return say("said_several", parts=(name, *told))


def _said(options: Iterable[Option], key: str, value: object) -> Message:
    """A value in the words of a house rule that can set it, if there is one."""
    for choice in (choice for option in options for choice in option.choices):
        given = choice.value
        if (tuple(given) if isinstance(given, list) else given) == value:
            return plain_words(choice.name)
    return _words(key, value)


def _words(key: str, value: object) -> Message:
    if isinstance(value, bool):
        return say("said_yes" if value else "said_no")
    if value is None or value in ((), {}):
        return say("said_none")
    if isinstance(value, Mapping):
        return _keys_told(value) if key else plain_words(_name(value))
    if isinstance(value, tuple | list) and key in ("when", "unless"):
        return say("said_conditions", parts=tuple(map(condition_words, value)))
    if isinstance(value, tuple | list):
        return say("said_several", parts=tuple(_words("", item) for item in value))
    return say(f"exposed_{value}") if key == "exposed" else plain_words(str(value))


def _keys_told(entry: Entry) -> Message:
    held = ((name, item) for name, item in entry.items() if item is not None)
    told = (say("said_key", key=name, value=_words(name, item)) for name, item in held)
    return say("said_several", parts=tuple(told))
