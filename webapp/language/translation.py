"""What the scorer, the photo reader and the rulesets say, in the language of a request.

All of them speak English and know of no language. Their texts stand in the catalogues as they are,
those into which a tile, a name or a number is put as templates with places in braces. Such a text
is known again by its template; what was put in is translated likewise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from string import Formatter
from typing import Final

from babel.messages.mofile import read_mo
from flask_babel import get_locale, gettext

from scorer.english import JOINTS as SCORER_JOINTS
from scorer.messages import Message as ScorerMessage
from scorer.tiles import NAMES, SEAT_NAMES
from vision.english import JOINTS as VISION_JOINTS
from vision.messages import Message as VisionMessage
from webapp.language.kept import brought_back
from webapp.language.stored_words import JOINTS
from webapp.language.templates_of_source import AROUND

FOLDER: Final = Path(__file__).parents[1] / "translations"

_FORMATTED: Final = re.compile(r"\{(\w+)[^}]*\}")
_BETWEEN: Final = {**SCORER_JOINTS, **VISION_JOINTS}
_NAMES: Final[Mapping[str, Mapping[str, str]]] = {"tile": NAMES, "seat": SEAT_NAMES}

Message = ScorerMessage | VisionMessage
"""Something that the scorer, the photo reader or the page itself has to say."""

_DOTS: Final = "…"
_PLACE: Final = re.compile(r"\{\w+\}")
_WORD: Final = re.compile(r"[A-Za-z]{2}")
_ENGLISH: Final = re.compile(r"[A-Za-z]+")
_LONGEST: Final = 600
"""Longer texts are a club's own words."""

_STOPS: Final = ".\N{IDEOGRAPHIC FULL STOP}"


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A template, the longest of its own words, and what recognises a text made with it."""

    template: str
    words: str
    form: re.Pattern[str]

    def match(self, text: str) -> re.Match[str] | None:
        return self.form.fullmatch(text) if self.words in text else None


def _pattern(template: str) -> _Pattern:
    """What knows a template again; a place that comes twice holds the same both times."""
    known: set[str] = set()
    parts: list[str] = []
    words = ""
    for fixed, name, _, _ in Formatter().parse(template):
        words = max(words, fixed, key=len)
        parts.append(re.escape(fixed))
        if name:
            parts.append(f"(?P={name})" if name in known else f"(?P<{name}>.*?)")
            known.add(name)
    return _Pattern(template, words, re.compile("".join(parts), re.DOTALL))


_JOINTS: Final = tuple(map(_pattern, JOINTS))


@cache
def _patterns(code: str) -> tuple[_Pattern, ...]:
    """The templates of a language's catalogue, those with the most words of their own first."""
    file = FOLDER / code / "LC_MESSAGES" / "messages.mo"
    if not file.is_file():
        return ()
    with file.open("rb") as opened:
        ids = [message.id for message in read_mo(opened)]
    fixed = {own: _PLACE.sub("", own) for own in ids if isinstance(own, str)}
    found = [
        own
        for own, words in fixed.items()
        if words != own and _WORD.search(words) and not own.endswith(" {more}")
    ]
    found.sort(key=lambda own: len(fixed[own]), reverse=True)
    return tuple(map(_pattern, found))


def message_key(template: str) -> str:
    """What the catalogues call a template: without the formats of its places."""
    return _FORMATTED.sub(r"{\1}", template)


@lru_cache(maxsize=2048)
def _places(template: str) -> tuple[tuple[str, str, str | None], ...]:
    """The places of a template: the name, the kind of what is put there, and the conversion."""
    parts = Formatter().parse(template)
    return tuple((name, spec or "", how) for _, name, spec, how in parts if name is not None)


def joint_key(between: str) -> str:
    """What the catalogues call something that stands between two texts."""
    return f"{{one}}{between}{{more}}"


def message_words(message: Message) -> str:
    """A message in the language of this request.

    What is put into it is translated where its template says that it is a tile, a seat or a word.
    In a text of a ruleset every value is a tile or a word.
    """
    template = message.template
    own = template == message.id
    if own and not message.values:
        return rule_words(str(message))
    words = own and isinstance(message, ScorerMessage)
    values = {
        name: _put_in(message.values[name], kind or ("word" if words else ""), how)
        for name, kind, how in _places(template)
    }
    return _filled(gettext(message_key(template)), values)


def _put_in(value: object, kind: str, how: str | None) -> str:
    """What stands in a place of a message, in the language of this request."""
    if isinstance(value, tuple):
        of_each, _, joint = kind.rpartition(" ")
        between = gettext(joint_key(_BETWEEN[joint])).removeprefix("{one}").removesuffix("{more}")
        return str(between).join(_put_in(part, of_each, how) for part in value)
    if isinstance(value, int | float):
        return format(value, kind if isinstance(value, float) else "")
    if isinstance(value, Message):
        return message_words(value)
    text = str(value)
    named = _NAMES.get("tile" if kind == "word" else kind, {}).get(text, text)
    if named != text or kind == "word":
        return str(gettext(named)) if named else ""
    return repr(text) if how == "r" else text


def rule_words(text: Message | object) -> str:
    """A text of the scorer, the photo reader or a ruleset in the language of this request.

    What is in no catalogue, such as the words of a club's own rules, stays as it is. Where no tile
    was put into the text of a rule, dots stand for one.
    """
    message = brought_back(text) if isinstance(text, str) else text
    if isinstance(message, Message):
        return message_words(message)
    words = _translated(str(text))
    for tile in (": {tile}", "\N{FULLWIDTH COLON}{tile}"):
        words = words.replace(tile, "")
    return words.replace("{tile}", _DOTS)


def rules_words(*texts: object) -> str:
    """Several texts of the scorer, one after the other."""
    joint: str = gettext("; ")
    return joint.join(map(rule_words, texts))


def sentence(*texts: object) -> str:
    """Texts of the scorer, which begin small and have no full stop, as one sentence."""
    words = rules_words(*texts)
    whole: str = gettext("%(text)s.", text=words[:1].upper() + words[1:])
    return whole


def _translated(text: str) -> str:
    return _known(str(get_locale()), text) if text else ""


@lru_cache(maxsize=4096)
def _known(code: str, text: str) -> str:
    """The text in the language of that code, which is that of this request.

    Of several ways to take it apart the one counts that leaves the fewest of its words as they are.
    """
    patterns = _patterns(code)
    for own in (text, text[:1].lower() + text[1:], f"{text}: {{tile}}", f"{text}."):
        words: str = gettext(own)
        if not patterns:
            return words
        if words != own:
            return words if own == text else words.rstrip(_STOPS)
    if len(text) > _LONGEST:
        return text
    ways = [text]
    for pattern in (*patterns, *_JOINTS):
        match = pattern.match(text)
        if match is not None and (pattern not in _JOINTS or _speaks(match)):
            ways.append(_filled(gettext(pattern.template), _values(match)))
    own_words = set(_ENGLISH.findall(text))
    return min(ways, key=lambda told: sum(word in own_words for word in _ENGLISH.findall(told)))


def _speaks(match: re.Match[str]) -> bool:
    """Whether joined parts are words of ours or numbers, not all names."""
    return any(
        words != match[name] or not _ENGLISH.search(words) for name, words in _values(match).items()
    )


def _values(match: re.Match[str]) -> dict[str, str]:
    """What stands in the places of a template, each in the language of this request."""
    return {name: _translated(given.strip(AROUND)) for name, given in match.groupdict().items()}


def _filled(template: str, values: Mapping[str, str]) -> str:
    return _PLACE.sub(lambda place: values[place[0][1:-1]], template)
