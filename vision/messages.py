"""What the photo reader has to tell people: the id of a sentence and what is put into it.

A message is made where something is found out and becomes English only when someone reads it; the
sentences are in :mod:`vision.english`. Pages in other languages translate by the id and the values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from string import Formatter
from typing import Final, TypeAlias

from scorer.tiles import NAMES, SEAT_NAMES
from vision.english import ENGLISH, JOINTS

Value: TypeAlias = "str | int | float | Message | tuple[Value, ...]"
"""What may be put into a message."""


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence, or a part of one, that people read; ``str()`` of it is its English text.

    Attributes:
        id: the key of its template in :data:`vision.english.ENGLISH`. A sentence of the program
            that shows it is its own key and its own template.
        values: what is put into the places of the template, by their names; not to be changed.
    """

    id: str
    values: Mapping[str, Value] = field(default_factory=dict)

    @property
    def template(self) -> str:
        """The English text with its places in braces, as :mod:`vision.english` describes them."""
        return ENGLISH.get(self.id, self.id)

    def __str__(self) -> str:
        return "".join(
            literal if name is None else literal + _english(self.values[name], spec or "", how)
            for literal, name, spec, how in _parts(self.template)
        )

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __hash__(self) -> int:
        return hash((self.id, frozenset(self.values.items())))


def say(message_id: str, **values: Value) -> Message:
    """The message of that id, with a value for each place of its template.

    >>> str(say("decision.surplus", count=5, face="9s", limit=4))
    '5 tiles were read as nine bamboo; the set has 4.'

    Raises:
        KeyError: no message has that id.
        ValueError: the values are not those for which the template has places.
    """
    wanted = places(ENGLISH[message_id])
    if values.keys() != wanted:
        raise ValueError(f"{message_id} takes {sorted(wanted)}, not {sorted(values)}")
    return Message(message_id, values)


def verbatim(text: str) -> Message:
    """The message whose English is this text, for a text that was written down.

    >>> str(verbatim("1 tile {sic} is hard to read."))
    '1 tile {sic} is hard to read.'
    """
    return Message(text.replace("{", "{{").replace("}", "}}"))


def places(template: str) -> set[str]:
    """The names of the places of a template.

    Raises:
        ValueError: the braces of the text do not match, so that it is not a template.
    """
    return {name for _, name, _, _ in _parts(template) if name is not None}


@lru_cache(maxsize=512)
def _parts(template: str) -> tuple[tuple[str, str | None, str | None, str | None], ...]:
    """The pieces of a template: literal text, then the name, format and conversion of a place."""
    return tuple(Formatter().parse(template))


_NAMES: Final[Mapping[str, Mapping[str, str]]] = {"tile": NAMES, "seat": SEAT_NAMES}


def _english(value: Value, spec: str, how: str | None) -> str:
    """What goes in a place of an English text."""
    if isinstance(value, tuple):
        kind, _, joint = spec.rpartition(" ")
        return JOINTS[joint].join(_english(part, kind, how) for part in value)
    if isinstance(value, float):
        return format(value, spec)
    text = repr(value) if how == "r" else str(value)
    return _NAMES.get(spec, {}).get(text, text)
