"""What a draw lacks or why there is none, in the words of the club."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from flask_babel import lazy_gettext

from webapp.draw.entrants import DrawRefused
from webapp.draw.shortcomings import Shortcoming

_REFUSED: Final = MappingProxyType(
    {
        "few": lazy_gettext(
            "Round %(rounds)s has fewer than three players. A table needs at least three."
        ),
        "twice": lazy_gettext("Two players are called %(names)s. Give one of them another name."),
        "unknown": lazy_gettext("%(names)s: not on the list of players. Add the name first."),
        "apart_together": lazy_gettext(
            "%(names)s cannot sit both apart and together. Choose one of the two."
        ),
        "rounds": lazy_gettext("Choose at least one round."),
    }
)
"""Why nobody can be seated as asked, by the kind of the refusal."""

_LACKING: Final = MappingProxyType(
    {
        "apart": lazy_gettext("%(names)s asked to sit apart but meet (round %(rounds)s)."),
        "together": lazy_gettext("%(names)s asked to sit together but do not (round %(rounds)s)."),
        "table": lazy_gettext("%(names)s is not at their usual table (round %(rounds)s)."),
        "odd": lazy_gettext(
            "More than once, %(names)s sits out or is at a table of three or five "
            "(rounds %(rounds)s)."
        ),
        "again": lazy_gettext("%(names)s meet more than once (rounds %(rounds)s)."),
    }
)
"""What a draw does not give, by the kind of the shortcoming."""


def refusal_words(refusal: DrawRefused) -> str:
    """Why nobody can be seated as asked, and what to do."""
    rounds = () if refusal.round is None else (refusal.round + 1,)
    return _filled(_REFUSED[refusal.kind], refusal.names, rounds)


def shortcoming_words(found: Shortcoming) -> str:
    """What a draw does not give, in a sentence."""
    return _filled(_LACKING[found.kind], found.names, found.rounds)


def _filled(words: object, names: tuple[str, ...], rounds: tuple[int, ...]) -> str:
    return str(words) % {"names": ", ".join(names), "rounds": ", ".join(map(str, rounds))}
