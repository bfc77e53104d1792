"""What the page calls things: the words of the table for the codes of a deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from flask_babel import gettext, lazy_gettext

from scorer.english.sources import cited
from scorer.result import Part, Payment
from scorer.tiles import DRAGONS, FLOWERS, SEASONS, SEAT_NAMES, SUITS, WINDS
from webapp.language.numbers import grouped
from webapp.language.translation import translated

SET_WORDS: Final = {
    "chow": lazy_gettext("Chow"),
    "pung": lazy_gettext("Pung"),
    "kong": lazy_gettext("Kong"),
    "pair": lazy_gettext("Pair"),
}
DECLARED_WORDS: Final = {
    "riichi": lazy_gettext("Who declared riichi?"),
    "double_riichi": lazy_gettext("Who declared a double riichi, on the first turn?"),
}
"""The questions about declarations, by the conditions that they meet."""

UNIT_WORDS: Final = {
    "fan": lazy_gettext("Fan"),
    "faan": lazy_gettext("Faan"),
    "han": lazy_gettext("Han"),
    "points": lazy_gettext("Points"),
    None: "",
}
"""The headings of lists of what counts, by what the rules call it."""

INDICATOR_WORDS: Final = {
    "dora": lazy_gettext("Dora indicators"),
    "ura": lazy_gettext("Ura dora indicators"),
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
    "waiting": lazy_gettext("Photo received. Waiting its turn…"),
    "reading": lazy_gettext("Finding and reading the tiles…"),
    "done": lazy_gettext("Done."),
    "failed": lazy_gettext("Could not be read."),
}


@dataclass(frozen=True, slots=True)
class Paid:
    """A payment in words: who pays whom how much, and for what, each cause with its citation."""

    told: str
    causes: tuple[tuple[str, str], ...] = ()


def seat_words(seat: str, names: dict[str, str]) -> str:
    """A player's name; with the wind when two share it; the wind alone when there is none."""
    name, wind = names.get(seat, ""), gettext(SEAT_NAMES[seat])
    if not name:
        return str(wind)
    shared = list(names.values()).count(name) > 1
    return f"{name} ({wind})" if shared else name


def payments_told(
    payments: Sequence[Payment],
    names: dict[str, str],
    winner: str | None = None,
    dealer: str = "E",
) -> list[Paid]:
    """Each payment in plain words: “North pays South 864”; the winner is paid first, as at a table.

    Args:
        payments: as the scorer gives them.
        names: the players' names by seat.
        winner: the seat that went out; None in a drawn hand.
        dealer: the seat that pays and receives double.
    """
    return [
        Paid(_payment(payment, names), _causes(payment.parts, dealer))
        for payment in sorted(payments, key=lambda payment: payment.to_seat != winner)
    ]


def _payment(payment: Payment, names: dict[str, str]) -> str:
    return str(
        gettext(
            "%(payer)s pays %(receiver)s %(amount)s",
            payer=seat_words(payment.from_seat, names),
            receiver=seat_words(payment.to_seat, names),
            amount=grouped(payment.amount),
        )
    )


def _causes(parts: Sequence[Part], dealer: str) -> tuple[tuple[str, str], ...]:
    return tuple((cause_words(part, dealer), cited(part.cite)) for part in parts)


def cause_words(part: Part, dealer: str) -> str:
    """One cause of a payment with its points: “The winner's score: 432, doubled for East”."""
    seat = gettext(SEAT_NAMES[dealer])
    amount = grouped(part.amount // part.factor)
    if part.factor == 2:
        amount = gettext("%(amount)s, doubled for %(seat)s", amount=amount, seat=seat)
    elif part.factor > 2:
        amount = gettext(
            "%(amount)s, %(times)s times for %(seat)s", amount=amount, times=part.factor, seat=seat
        )
    cause = translated(part.words)
    return str(gettext("%(cause)s: %(amount)s", cause=cause, amount=amount))
