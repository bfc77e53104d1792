"""Messages for people as codes: an id and the values that its English template has places for.

The scorer never writes English where it finds something out: it gives a :class:`Message`. Its text
is made only when someone prints it, from the one table in :mod:`scorer.english`; a page that
speaks another language translates by the id and the values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from string import Formatter
from typing import Final, TypeAlias

from scorer.english import CODE_NAMES, ENGLISH, JOINTS, SEAT_NAMES, TILE_NAMES
from scorer.english.sources import cited

Value: TypeAlias = "int | str | Message | tuple[Value, ...]"
"""What may be put into a message.

A text is put in as it is: a code, a name that someone wrote, words of a ruleset.
"""


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence, or a part of one, that people read; ``str()`` of it is its English text.

    Attributes:
        id: the key of its template in :data:`scorer.english.ENGLISH`. A text of a ruleset file
            into which something is put is its own key and its own template.
        values: what is put into the places of the template, by their names; not to be changed.
    """

    id: str
    values: Mapping[str, Value] = field(default_factory=dict)

    @property
    def template(self) -> str:
        """The English text with its places in braces, as :mod:`scorer.english` describes them."""
        return ENGLISH.get(self.id, self.id)

    def to_json(self) -> dict[str, object]:
        """The message as a JSON value: its id, and its values as :func:`values_json` gives them."""
        return {"id": self.id, "values": values_json(self)}

    @classmethod
    def from_json(cls, value: Mapping[str, object]) -> Message:
        """The message that :meth:`to_json` gave.

        Raises:
            KeyError: it is no such value.
            TypeError: likewise.
        """
        values = value["values"]
        if not isinstance(values, dict):
            raise TypeError("the values of a message are an object")
        return cls(str(value["id"]), {str(name): _value(each) for name, each in values.items()})

    def __str__(self) -> str:
        values, texts = self.values, []
        for literal, name, spec, how in parts(ENGLISH.get(self.id, self.id)):
            texts.append(literal)
            if name is not None:
                texts.append(_english(values[name], spec or name, how))
        return "".join(texts)

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __hash__(self) -> int:
        return hash((self.id, frozenset(self.values.items())))


class Refused(ValueError):
    """A value that cannot be used.

    Attributes:
        words: why not.
    """

    def __init__(self, words: Message) -> None:
        super().__init__(words)
        self.words = words


def say(message_id: str, **values: Value) -> Message:
    """The message of that id, with a value for each place of its template.

    >>> str(say("unknown_tile_code", code="0m"))
    "unknown tile code '0m'"

    Raises:
        KeyError: no message has that id.
        ValueError: the values are not those for which the template has places.
    """
    wanted = places(ENGLISH[message_id])
    if values.keys() != wanted:
        raise ValueError(f"{message_id} takes {sorted(wanted)}, not {sorted(values)}")
    return Message(str(message_id), values)


def own_words(template: str, **values: Value) -> Message:
    """The message that a template of a ruleset file makes; values it has no place for are left out.

    >>> own_words("Pung of dragons: {tile}", tile="5z").id
    'Pung of dragons: {tile}'
    """
    wanted = places(template)
    return Message(template, {name: value for name, value in values.items() if name in wanted})


def plain_words(text: str) -> Message:
    """The message that is a text of a ruleset file as it is, braces included."""
    return Message(text.replace("{", "{{").replace("}", "}}"))


def values_json(message: Message) -> dict[str, object]:
    """The values of a message as a JSON object: messages within become objects, tuples lists."""
    return {name: _json(value) for name, value in message.values.items()}


def _json(value: Value) -> object:
    if isinstance(value, Message):
        return value.to_json()
    return [_json(part) for part in value] if isinstance(value, tuple) else value


def _value(value: object) -> Value:
    if isinstance(value, dict):
        return Message.from_json(value)
    if isinstance(value, list):
        return tuple(_value(part) for part in value)
    if isinstance(value, (int, str)):
        return value
    raise TypeError("a value of a message is a number, a text, a message or a list of these")


Part = tuple[str, str | None, str, str | None]
"""A piece of a template: literal text, then the name, the format and the conversion of a place."""


@lru_cache(maxsize=2048)
def parts(template: str) -> tuple[Part, ...]:
    """The pieces of a template; the name is None where no place follows the literal text."""
    return tuple(
        (literal, name, spec or "", how) for literal, name, spec, how in Formatter().parse(template)
    )


@lru_cache(maxsize=2048)
def places(template: str) -> frozenset[str]:
    """The names of the places of a template."""
    return frozenset(name for _, name, _, _ in parts(template) if name is not None)


_NAMES: Final[Mapping[str, Mapping[str, str]]] = {
    "tile": TILE_NAMES,
    "seat": SEAT_NAMES,
    "word": CODE_NAMES,
}


def _english(value: Value, spec: str, how: str | None) -> str:
    """What goes in a place of an English text."""
    if spec == "n_tiles":
        return "1 tile" if value == 1 else f"{value} tiles"
    if isinstance(value, tuple):
        kind, _, joint = spec.rpartition(" ")
        return JOINTS[joint].join(_english(part, kind, how) for part in value)
    if how == "r":
        return repr(value)
    text = str(value)
    if spec == "cite":
        return cited(text)
    return _NAMES[spec].get(text, text) if spec in _NAMES else text
