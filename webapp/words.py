"""What the page calls things: the words of the table for the codes of a deal."""

from __future__ import annotations

from typing import Any, Final

from scorer.tiles import DRAGONS, FLOWERS, NAMES, SEASONS, SEAT_NAMES, SUITS, WINDS

SOURCE_WORDS: Final = {
    "wall": "Drew it from the wall",
    "discard": "Claimed another player’s discard",
    "loose": "Drew it as a loose tile (from the kong box)",
    "robbed_kong": "Robbed another player’s kong",
    "dealt": "Was dealt a complete hand (East)",
}
FLAG_WORDS: Final = {
    "last_tile": "It was the last tile of the wall, or the final discard",
    "original_call": "Original call: fishing after the first discard, and won on that call",
    "first_turn": "It was East’s very first discard",
    "after_two_kongs": "It was a loose tile after two kongs in a row",
}
STATUS_WORDS: Final = {
    "live": "The hand is in order",
    "too_few": "Too few tiles",
    "too_many": "Too many tiles",
    "dead": "Dead hand: scores nothing",
}
PENALTY_WORDS: Final = {
    "false_naming_set": "Named a discard wrongly; it was claimed for a set",
    "false_naming_win": "Named a discard wrongly; it was claimed to go out",
    "false_win": "Went out by mistake after another hand was shown",
    "wrong_claim": "Claimed a set wrongly, noticed too late",
    "cannon": "Let off a cannon",
}
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


def hand_words(hand: str) -> str:
    """What to call a result's ``hand``: ``fishing:heads_and_tails`` is a fishing award."""
    kind, _, name = hand.partition(":")
    if kind == "fishing":
        return f"Fishing for {name.replace('_', ' ').capitalize()}"
    fixed = {"ordinary": "Ordinary hand", "none": "No score", "claimed": "Total as told"}
    return fixed.get(hand, hand.replace("_", " ").capitalize())


def seat_words(seat: str, names: dict[str, str]) -> str:
    """A player's name with the wind, or the wind alone."""
    name = names.get(seat)
    return f"{name} ({SEAT_NAMES[seat]})" if name else SEAT_NAMES[seat]


def payment_sentences(payments: list[dict[str, Any]], names: dict[str, str]) -> list[str]:
    """Each payment in plain words: “North pays South 864”."""
    return [
        f"{seat_words(p['from'], names)} pays {seat_words(p['to'], names)} {p['amount']:,}"
        for p in payments
    ]


def tile_list(labels: list[str]) -> str:
    """The names of tiles for a sentence: “one bamboo, East wind”."""
    return ", ".join(NAMES[label] for label in labels)
