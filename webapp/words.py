"""What the page calls things: the words of the table for the codes of a deal."""

from __future__ import annotations

from typing import Any, Final

from scorer.tiles import DRAGONS, FLOWERS, SEASONS, SEAT_NAMES, SUITS, WINDS

SET_WORDS: Final = {"chow": "Chow", "pung": "Pung", "kong": "Kong", "pair": "Pair"}
SUIT_WORDS: Final = {"m": "Characters", "p": "Circles", "s": "Bamboo"}

KEYBOARD: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    *((SUIT_WORDS[suit], tuple(f"{n}{suit}" for n in range(1, 10))) for suit in SUITS),
    ("Winds and dragons", WINDS + DRAGONS),
    ("Flowers and seasons", FLOWERS + SEASONS),
)
"""The tap keyboard: a heading and the tiles below it."""

STAGE_WORDS: Final = {
    "waiting": "Photo received. Waiting for its turn…",
    "reading": "Finding and reading the tiles…",
    "done": "Done.",
    "failed": "Could not be read.",
}


def seat_words(seat: str, names: dict[str, str]) -> str:
    """A player's name; with the wind when two share it; the wind alone when there is none."""
    name = names.get(seat, "")
    if not name:
        return SEAT_NAMES[seat]
    shared = list(names.values()).count(name) > 1
    return f"{name} ({SEAT_NAMES[seat]})" if shared else name


def payment_sentences(payments: list[dict[str, Any]], names: dict[str, str]) -> list[str]:
    """Each payment in plain words: “North pays South 864”."""
    return [
        f"{seat_words(p['from'], names)} pays {seat_words(p['to'], names)} {p['amount']:,}"
        for p in payments
    ]
