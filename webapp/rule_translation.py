"""The words of rulesets in other languages, those with a tile or a number put into them too."""

from __future__ import annotations

import re
from functools import cache
from string import Formatter
from typing import Final

from flask_babel import gettext

from scorer.rulebook import load_ruleset, ruleset_ids
from scorer.ruleset import Ruleset
from webapp.stored_words import PATTERNS

_DOTS: Final = "…"


def _templates(ruleset: Ruleset) -> list[str]:
    """The texts of a ruleset that hold something in braces."""
    texts = [rule.text for rule in ruleset.rule]
    texts += [ruleset.texts.bonus, ruleset.texts.won, ruleset.texts.fishing]
    texts += [] if ruleset.limit is None else [ruleset.limit.text]
    texts += [] if ruleset.rounding is None else [ruleset.rounding.text]
    return [text for text in texts if "{" in text]


@cache
def _patterns(ids: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    of_rules = (text for own in ids for text in _templates(load_ruleset(own)))
    found = dict.fromkeys((*PATTERNS, *of_rules))
    return tuple(
        (
            text,
            re.compile(
                "".join(
                    re.escape(fixed) + (f"(?P<{name}>.+?)" if name else "")
                    for fixed, name, _, _ in Formatter().parse(text)
                )
            ),
        )
        for text in found
    )


def rule_words(text: str) -> str:
    """Words of a ruleset's own data in the language of this request.

    A text into which a tile, a hand or a number was put is known again by its pattern; where no
    tile was put into it, dots stand for one.
    """
    if not text:
        return ""
    words: str = gettext(text)
    if words == text and "{" not in text:
        words = _filled(text)
    for tile in (": {tile}", "\N{FULLWIDTH COLON}{tile}"):
        words = words.replace(tile, "")
    return words.replace("{tile}", _DOTS)


def _filled(text: str) -> str:
    for template, pattern in _patterns(ruleset_ids()):
        match = pattern.fullmatch(text)
        if match is not None:
            translated: str = gettext(template)
            if translated == template:
                return text
            for name, value in match.groupdict().items():
                translated = translated.replace(f"{{{name}}}", rule_words(value))
            return translated
    return text
