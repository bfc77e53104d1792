"""How a contest is counted, and its figures, in the words of the club."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from flask_babel import gettext, lazy_gettext, ngettext

from webapp.contest.rules import Count, Missed, Rules
from webapp.contest.standing import Line
from webapp.language.numbers import in_language

COUNTS: Final = MappingProxyType(
    {
        Count.PLACES: lazy_gettext("Points for the places at each table"),
        Count.POINTS: lazy_gettext("Game points, as they were won and lost"),
    }
)
"""What a total is made of."""

MISSED: Final = MappingProxyType(
    {
        Missed.ZERO: lazy_gettext("It counts as zero"),
        Missed.AVERAGE: lazy_gettext("It counts as the player's average"),
        Missed.SKIPPED: lazy_gettext("It is left out, and the average is used"),
    }
)
"""What an absence counts."""

TIES: Final = MappingProxyType(
    {
        "points": lazy_gettext("game points"),
        "places": lazy_gettext("points for places"),
        "firsts": lazy_gettext("tables won"),
        "won": lazy_gettext("hands won"),
        "highest": lazy_gettext("the highest hand"),
        "meeting": lazy_gettext("who did better when they met"),
    }
)
"""What decides between equal totals, by the ids of the tie-breaks."""

PRESET_WORDS: Final = MappingProxyType(
    {
        "european": lazy_gettext(
            "Table points 4-2-1-0, as at European championships; then game points decide"
        ),
        "points": lazy_gettext("Game points are added up, as on the score sheet"),
        "club": lazy_gettext(
            "Table points 4-2-1-½-0, as in the league of a club; then hands won decide"
        ),
    }
)
"""What a new contest can begin with, by the ids of the presets."""


def figure(value: Fraction) -> str:
    """A number with at most two decimals in the reader's language, such as 1,234 or 1.5."""
    return _written(f"{float(value):,.2f}")


def typed(value: Fraction) -> str:
    """The same without signs between its thousands, as it can be typed."""
    return _written(f"{float(value):.2f}")


def _written(number: str) -> str:
    short = number.rstrip("0").rstrip(".")
    return in_language("0" if short == "-0" else short).replace("-", "\N{MINUS SIGN}")


def total_words(value: Fraction, rules: Rules) -> str:
    """A total: game points with their sign, points for places without."""
    plus = "+" if rules.count is Count.POINTS and value > 0 else ""
    return plus + figure(value)


def counted_words(rules: Rules, *, league: bool, teams: bool) -> Iterator[str]:
    """How a contest is counted, in sentences."""
    if rules.count is Count.PLACES:
        yield gettext(
            "The places at each table bring %(places)s points; equal players share them.",
            places=", ".join(map(figure, rules.places)),
        )
    else:
        yield gettext("Game points are added up, as they were won and lost.")
    if rules.ties:
        yield gettext(
            "If totals are equal, this decides: %(ties)s.",
            ties=gettext(", then ").join(str(TIES[tie]) for tie in rules.ties),
        )
    yield _missed(rules.missed, league=league)
    if rules.best is not None and league:
        yield ngettext("The best evening counts.", "The best %(num)d evenings count.", rules.best)
    elif rules.best is not None:
        yield ngettext("The best round counts.", "The best %(num)d rounds count.", rules.best)
    if rules.least > 1 and league:
        yield gettext("Players need %(least)s evenings to be placed.", least=rules.least)
    elif rules.least > 1:
        yield gettext("Players need %(least)s rounds to be placed.", least=rules.least)
    if teams and rules.of_team is None:
        yield gettext("All players of a team count.")
    elif teams:
        yield ngettext(
            "The best player of each team counts.",
            "The best %(num)d players of each team count.",
            rules.of_team or 1,
        )


def _missed(missed: Missed, *, league: bool) -> str:
    words = {
        (Missed.ZERO, True): gettext("A missed evening counts as zero."),
        (Missed.ZERO, False): gettext("A missed round counts as zero."),
        (Missed.AVERAGE, True): gettext("A missed evening counts as the player's average."),
        (Missed.AVERAGE, False): gettext("A missed round counts as the player's average."),
        (Missed.SKIPPED, True): gettext(
            "The average of the evenings played is used; missed evenings are left out."
        ),
        (Missed.SKIPPED, False): gettext(
            "The average of the rounds played is used; missed rounds are left out."
        ),
    }
    return str(words[missed, league])


def remark(line: Line) -> str:
    """How this place was found where totals are equal; empty where they are not."""
    if line.shared:
        return str(gettext("tie: they share the place"))
    if line.by:
        return str(gettext("tie: %(tie)s", tie=TIES[line.by]))
    return ""
