"""Why all tiles together say something else than the camera alone, in the page's language."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from flask_babel import gettext

from webapp.photos.alike import NOT_WEIGHED

_PATTERNS: Final[tuple[tuple[str, Callable[[re.Match[str]], str]], ...]] = (
    (
        r"The tiles of a set laid apart",
        lambda _: gettext("The tiles of a set laid apart are equal or follow each other."),
    ),
    (
        r"(\d+) tiles were read as (.+); the set has (\d+)\.",
        lambda m: gettext(
            "%(count)s tiles were read as %(tile)s; the set has %(limit)s.",
            count=m[1],
            tile=gettext(m[2]),
            limit=m[3],
        ),
    ),
    (
        r"One that was read as (.+) is (.+)\.",
        lambda m: gettext(
            "Another one that was read as %(read)s is %(tile)s, as you said.",
            read=gettext(m[1]),
            tile=gettext(m[2]),
        ),
    ),
    (
        r"So (\w+)'s hand has (\d+) tiles",
        lambda m: gettext(
            "So the hand has %(count)s tiles, each set counted as three.", count=m[2]
        ),
    ),
    (
        r"So (\w+)'s tiles make a winning hand",
        lambda _: gettext("So the tiles make a winning hand; as the camera read them they do not."),
    ),
)


def reason_words(reason: str) -> str:
    """A reason of :mod:`vision.deal.decide` for people."""
    for pattern, words in _PATTERNS:
        found = re.match(pattern, reason)
        if found is not None:
            return str(words(found))
    return str(gettext("It follows from the other tiles."))


def odds_words(odds: float) -> str:
    """How many times as likely a version is, for people; nothing where that was not weighed."""
    if odds == NOT_WEIGHED:
        return ""
    if odds >= 10_000:
        return str(gettext("more than 10,000 times as likely"))
    if odds >= 2:
        return str(gettext("%(times)s times as likely", times=f"{odds:,.0f}"))
    if odds >= 0.5:
        return str(gettext("about as likely"))
    return str(gettext("less likely"))
