"""For what each payment of a game was made, hand by hand, for the score sheets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flask_babel import gettext

from scorer.english.sources import cited
from scorer.game.game import Game
from scorer.game.hands import HandState
from scorer.result import Payment
from webapp.games.words import points
from webapp.language.translation import translated
from webapp.language.words import cause_words


@dataclass(frozen=True, slots=True)
class HandPaid:
    """The payments of one hand in words, with what each was for."""

    number: int
    payments: tuple[str, ...]


def paid_by_hand(game: Game) -> Iterator[HandPaid]:
    """The hands of a game in which the scorer told who pays whom; agreed payments have no cause."""
    for state in game.hands:
        if state.result is not None and state.result.payments:
            told = tuple(_told(state, payment) for payment in state.result.payments)
            yield HandPaid(state.position.number, told)


def sources_of_payments(game: Game) -> dict[str, str]:
    """Where the causes of a game's payments are written, by the words for the cause."""
    return {
        translated(part.words): cited(part.cite)
        for state in game.hands
        if state.result is not None
        for payment in state.result.payments
        for part in payment.parts
    }


def _told(state: HandState, payment: Payment) -> str:
    seats, joint = state.position.seats, gettext("; ")
    causes = (cause_words(part, state.position.dealer) for part in payment.parts)
    return str(
        gettext(
            "%(payer)s pays %(receiver)s %(amount)s (%(causes)s)",
            payer=seats[payment.from_seat],
            receiver=seats[payment.to_seat],
            amount=points(payment.amount),
            causes=joint.join(causes),
        )
    )
