"""Why all tiles together say something else than the camera alone, in the page's language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from flask_babel import gettext

from scorer.tiles import NAMES
from vision.messages import Message
from webapp.joint.alike import ANOTHER_READ
from webapp.language.kept import brought_back
from webapp.language.translation import translated


def _named(label: str) -> str:
    return str(gettext(NAMES[label]))


_REASONS: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "decision.laid_apart": lambda _: gettext(
        "The tiles of a set laid apart are identical or in sequence."
    ),
    "decision.surplus": lambda values: gettext(
        "%(count)s tiles were read as %(tile)s; the set has %(limit)s.",
        count=values["count"],
        tile=_named(values["face"]),
        limit=values["limit"],
    ),
    ANOTHER_READ: lambda values: gettext(
        "Another tile read as %(read)s is %(tile)s, as you said.",
        read=_named(values["read"]),
        tile=_named(values["tile"]),
    ),
    "decision.hand_size": lambda values: gettext(
        "That makes %(count)s tiles in the hand, counting each set as three.", count=values["size"]
    ),
    "decision.winning_hand": lambda _: gettext(
        "That makes a winning hand; the tiles as the camera read them do not."
    ),
    "decision.other_repairs": lambda _: gettext("It follows from the other tiles."),
}
"""The page's own words for reasons, by the ids of their messages."""


def reason_words(reason: str) -> str:
    """A reason of :mod:`vision.deal.decide` for people.

    Args:
        reason: as it is kept with a tile or a suggestion.
    """
    message = brought_back(reason)
    if isinstance(message, Message) and message.id in _REASONS:
        return str(_REASONS[message.id](dict(message.values)))
    return translated(message)
