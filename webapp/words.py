"""What the page calls things: the words of the table for the codes of a deal."""

from __future__ import annotations

from typing import Any, Final

from flask_babel import gettext, lazy_gettext

from scorer.tiles import DRAGONS, FLOWERS, SEASONS, SEAT_NAMES, SUITS, WINDS

SET_WORDS: Final = {
    "chow": lazy_gettext("Chow"),
    "pung": lazy_gettext("Pung"),
    "kong": lazy_gettext("Kong"),
    "pair": lazy_gettext("Pair"),
}
SUIT_WORDS: Final = {
    "m": lazy_gettext("Characters"),
    "p": lazy_gettext("Circles"),
    "s": lazy_gettext("Bamboo"),
}

KEYBOARD: Final[tuple[tuple[Any, tuple[str, ...]], ...]] = (
    *((SUIT_WORDS[suit], tuple(f"{n}{suit}" for n in range(1, 10))) for suit in SUITS),
    (lazy_gettext("Winds and dragons"), WINDS + DRAGONS),
    (lazy_gettext("Flowers and seasons"), FLOWERS + SEASONS),
)
"""The tap keyboard: a heading and the tiles below it."""

STAGE_WORDS: Final = {
    "waiting": lazy_gettext("Photo received. Waiting for its turn…"),
    "reading": lazy_gettext("Finding and reading the tiles…"),
    "done": lazy_gettext("Done."),
    "failed": lazy_gettext("Could not be read."),
}


def seat_words(seat: str, names: dict[str, str]) -> str:
    """A player's name; with the wind when two share it; the wind alone when there is none."""
    name, wind = names.get(seat, ""), gettext(SEAT_NAMES[seat])
    if not name:
        return str(wind)
    shared = list(names.values()).count(name) > 1
    return f"{name} ({wind})" if shared else name


def payment_sentences(
    payments: list[dict[str, Any]], names: dict[str, str], winner: str | None = None
) -> list[str]:
    """Each payment in plain words: “North pays South 864”; the winner is paid first, as at a table.

    Args:
        payments: as the scorer gives them.
        names: the players' names by seat.
        winner: the seat that went out; None in a drawn hand.
    """
    return [
        gettext(
            "%(payer)s pays %(receiver)s %(amount)s",
            payer=seat_words(p["from"], names),
            receiver=seat_words(p["to"], names),
            amount=f"{p['amount']:,}",
        )
        for p in sorted(payments, key=lambda payment: payment["to"] != winner)
    ]
