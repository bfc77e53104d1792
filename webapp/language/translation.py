"""What the scorer, the photo reader, the rulesets and the page say, in the language of a request.

A message is translated by its id: the catalogues hold the English template of every id, with its
places in braces, and each value is translated as its place says. The words of a ruleset and what
older versions kept are plain English, and are looked up as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from string import Formatter
from typing import Final

from flask_babel import gettext, ngettext

from scorer.english import CODE_NAMES, FIELD_NAMES
from scorer.english import JOINTS as SCORER_JOINTS
from scorer.english.sources import cited
from scorer.messages import Message as ScorerMessage
from scorer.tiles import NAMES, SEAT_NAMES
from vision.english import JOINTS as VISION_JOINTS
from vision.messages import Message as VisionMessage
from webapp.language.kept import brought_back
from webapp.language.numbers import in_language

Message = ScorerMessage | VisionMessage
"""Something that the scorer, the photo reader or the page itself has to say."""

_FORMATTED: Final = re.compile(r"\{(\w+)[^}]*\}")
_BETWEEN: Final = {**SCORER_JOINTS, **VISION_JOINTS}
_NAMES: Final[Mapping[str, Mapping[str, str]]] = {
    "tile": NAMES,
    "seat": SEAT_NAMES,
    "word": {**NAMES, **CODE_NAMES},
}
_NO_TILE: Final = "..."
_DOTS: Final = "…"
_STOPS: Final = ".\N{IDEOGRAPHIC FULL STOP}"


def message_key(template: str) -> str:
    """What the catalogues call a template: without the formats of its places."""
    return _FORMATTED.sub(r"{\1}", template)


def joint_key(between: str) -> str:
    """What the catalogues call something that is between two texts."""
    return f"{{one}}{between}{{more}}"


def translated(said: Message | str | None) -> str:
    """A message or a text in the language of this request; nothing for None.

    What is in no catalogue, such as the words of a club's own rules, stays as it is. Where no tile
    was put into the text of a rule, dots stand for one.

    Args:
        said: a message, also as it is kept (:mod:`webapp.language.kept`), or a plain text.
    """
    message = brought_back(said) if isinstance(said, str) else said
    if message is None:
        return ""
    return _text_words(message) if isinstance(message, str) else _message_words(message)


def all_translated(*said: Message | str) -> str:
    """Several messages, one after the other."""
    joint: str = gettext("; ")
    return joint.join(map(translated, said))


def as_sentence(*said: Message | str) -> str:
    """Messages that begin small and have no full stop, as one sentence."""
    words = all_translated(*said)
    whole: str = gettext("%(text)s.", text=words[:1].upper() + words[1:])
    return whole


def field_words(field: str) -> str:
    """What people call a field of a deal or a game."""
    return translated(FIELD_NAMES.get(field, field))


def _text_words(text: str) -> str:
    """A plain text, in which dots may stand for a tile; of a rule also without its ``: {tile}``."""
    if not text:
        return ""
    if _NO_TILE in text:
        return _looked_up(text.replace(_NO_TILE, "{tile}")).replace("{tile}", _NO_TILE)
    words = _looked_up(text)
    for tile in (": {tile}", "\N{FULLWIDTH COLON}{tile}"):
        words = words.replace(tile, "")
    return words.replace("{tile}", _DOTS)


def _looked_up(text: str) -> str:
    """A text of the catalogues, as it is, without its full stop or without its last tile."""
    for own, stops in ((text, ""), (f"{text}.", _STOPS), (f"{text}: {{tile}}", "")):
        words: str = gettext(own)
        if words != own:
            return words.rstrip(stops) if stops else words
    return text


@lru_cache(maxsize=2048)
def _places(template: str) -> tuple[tuple[str, str, str | None], ...]:
    """The places of a template: the name, the kind of what is put there, and the conversion."""
    parts = Formatter().parse(template)
    return tuple((name, spec or "", how) for _, name, spec, how in parts if name is not None)


def _message_words(message: Message) -> str:
    """A message; in a text of a ruleset every value is a tile or a word."""
    template = message.template
    own = template == message.id
    if own and not message.values:
        return _text_words(str(message))
    usual = "word" if own and isinstance(message, ScorerMessage) else ""
    values = {
        name: _put_in(message.values[name], kind or usual, how)
        for name, kind, how in _places(template)
    }
    words: str = gettext(message_key(template))
    return _FORMATTED.sub(lambda place: values[place[1]], words)


def _put_in(value: object, kind: str, how: str | None) -> str:
    """What goes in a place of a message, in the language of this request."""
    if isinstance(value, tuple):
        of_each, _, joint = kind.rpartition(" ")
        key: str = gettext(joint_key(_BETWEEN[joint]))
        between = key.removeprefix("{one}").removesuffix("{more}")
        return between.join(_put_in(part, of_each, how) for part in value)
    if isinstance(value, Message):
        return _message_words(value)
    if isinstance(value, float):
        return in_language(format(value, kind))
    if isinstance(value, int) and kind == "n_tiles":
        value = ngettext("%(num)s tile", "%(num)s tiles", value)
    text = str(value)
    if kind == "cite":
        return cited(text)
    named = _NAMES.get(kind, {}).get(text, text)
    if named != text or kind == "word":
        return _text_words(named)
    return repr(text) if how == "r" else text
