"""What the scorer, the photo reader and the rulesets say, in the language of a request.

All of them speak English and know of no language. Their texts stand in the catalogues as they are,
those into which a tile, a name or a number is put as templates with places in braces. Such a text
is known again by its template; what was put in is translated likewise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from string import Formatter
from typing import Final

from babel.messages.mofile import read_mo
from flask_babel import get_locale, gettext

from webapp.stored_words import JOINTS

FOLDER: Final = Path(__file__).parent / "translations"

_DOTS: Final = "…"
_PLACE: Final = re.compile(r"\{\w+\}")
_WORD: Final = re.compile(r"[A-Za-z]")
_AROUND: Final = " ,;:"
_STOPS: Final = ".\N{IDEOGRAPHIC FULL STOP}"

Pattern = tuple[str, re.Pattern[str]]


def _pattern(template: str) -> Pattern:
    """A template with what recognises it; a place that comes twice holds the same both times."""
    known: set[str] = set()
    parts: list[str] = []
    for fixed, name, _, _ in Formatter().parse(template):
        parts.append(re.escape(fixed))
        if name:
            parts.append(f"(?P={name})" if name in known else f"(?P<{name}>.+?)")
            known.add(name)
    return template, re.compile("".join(parts), re.DOTALL)


_JOINTS: Final = tuple(map(_pattern, JOINTS))


@cache
def _patterns(code: str) -> tuple[Pattern, ...]:
    """The templates of a language's catalogue, those with the most words of their own first."""
    file = FOLDER / code / "LC_MESSAGES" / "messages.mo"
    if not file.is_file():
        return ()
    with file.open("rb") as opened:
        ids = [message.id for message in read_mo(opened)]
    fixed = {own: _PLACE.sub("", own) for own in ids if isinstance(own, str)}
    found = [own for own, words in fixed.items() if words != own and _WORD.search(words)]
    found.sort(key=lambda own: len(fixed[own]), reverse=True)
    return tuple(map(_pattern, found))


def rule_words(text: str) -> str:
    """A text of the scorer, the photo reader or a ruleset in the language of this request.

    What is in no catalogue, such as the words of a club's own rules, stays as it is. Where no tile
    was put into the text of a rule, dots stand for one.
    """
    words = _translated(text)
    for tile in (": {tile}", "\N{FULLWIDTH COLON}{tile}"):
        words = words.replace(tile, "")
    return words.replace("{tile}", _DOTS)


def rules_words(*texts: str) -> str:
    """Several texts of the scorer, one after the other."""
    joint: str = gettext("; ")
    return joint.join(map(rule_words, texts))


def sentence(*texts: str) -> str:
    """Texts of the scorer, which begin small and have no full stop, as one sentence."""
    words = rules_words(*texts)
    whole: str = gettext("%(text)s.", text=words[:1].upper() + words[1:])
    return whole


def _translated(text: str) -> str:
    return _known(str(get_locale()), text) if text else ""


@lru_cache(maxsize=4096)
def _known(code: str, text: str) -> str:
    """The text in the language of that code, which is that of this request."""
    patterns = _patterns(code)
    for own in (text, text[:1].lower() + text[1:], f"{text}: {{tile}}", f"{text}."):
        words: str = gettext(own)
        if not patterns:
            return words
        if words != own:
            return words if own == text else words.rstrip(_STOPS)
    for template, pattern in patterns:
        match = pattern.fullmatch(text)
        if match is not None:
            return _filled(gettext(template), _values(match))
    for template, pattern in _JOINTS:
        match = pattern.fullmatch(text)
        values = {} if match is None else _values(match)
        if match is not None and values != match.groupdict():
            return _filled(gettext(template), values)
    return text


def _values(match: re.Match[str]) -> dict[str, str]:
    """What stands in the places of a template, each in the language of this request."""
    return {name: _translated(given.strip(_AROUND)) for name, given in match.groupdict().items()}


def _filled(template: str, values: Mapping[str, str]) -> str:
    return _PLACE.sub(lambda place: values[place[0][1:-1]], template)
