"""What the page calls things: the words of the table for the codes of a deal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class DealerPay:
    """The dealer's seat, and how many times over the dealer pays or receives: payer, receiver."""

    seat: str
    times: Mapping[tuple[str, str], int]


def seat_words(seat: str, names: dict[str, str]) -> str:
    """A player's name; with the wind when two share it; the wind alone when there is none."""
    name, wind = names.get(seat, ""), gettext(SEAT_NAMES[seat])
    if not name:
        return str(wind)
    shared = list(names.values()).count(name) > 1
    return f"{name} ({wind})" if shared else name


def payment_sentences(
    payments: list[dict[str, Any]],
    names: dict[str, str],
    winner: str | None = None,
    dealer: DealerPay | None = None,
) -> list[str]:
    """Each payment in plain words: “North pays South 864”; the winner is paid first, as at a table.

    Args:
        payments: as the scorer gives them.
        names: the players' names by seat.
        winner: the seat that went out; None in a drawn hand.
        dealer: what the dealer pays or receives more than others, which is then told too.
    """
    return [
        _payment_sentence(p, names, dealer)
        for p in sorted(payments, key=lambda payment: payment["to"] != winner)
    ]


def _payment_sentence(
    payment: dict[str, Any], names: dict[str, str], dealer: DealerPay | None
) -> str:
    told: str = gettext(
        "%(payer)s pays %(receiver)s %(amount)s",
        payer=seat_words(payment["from"], names),
        receiver=seat_words(payment["to"], names),
        amount=f"{payment['amount']:,}",
    )
    times = 1 if dealer is None else dealer.times.get((payment["from"], payment["to"]), 1)
    if dealer is None or times == 1:
        return told
    seat = gettext(SEAT_NAMES[dealer.seat])
    if times == 2:
        more = gettext("(double for %(seat)s)", seat=seat)
    else:
        more = gettext("(%(times)s times for %(seat)s)", times=times, seat=seat)
    return f"{told} {more}"
