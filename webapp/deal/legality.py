"""Asking the scorer whether a player may go out with a hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from scorer import Deal, DealError, Meld, Player, Win
from scorer.evaluation.evaluate import hand_scorer
from webapp.deal.state import DealState

if TYPE_CHECKING:
    from vision.vocabulary.readings import HandReading


def may_go_out(state: DealState, seat: str) -> Callable[[HandReading], bool]:
    """A function that returns whether the player at a seat may go out with the hand it is given.

    It assumes that the last tile comes from the wall; the other players' hands do not matter.

    Args:
        state: the deal, whose ruleset, round and dealer apply.
        seat: the player's seat.
    """
    others = tuple(Player(other, claimed=0) for other in state.seats if other != seat)

    def accepts(hand: HandReading) -> bool:
        if not hand.concealed:
            return False
        melds = tuple(Meld(meld.kind, meld.tiles, meld.concealed) for meld in hand.melds)
        winner = Player(seat, hand.concealed, melds, hand.bonus)
        deal = Deal(
            state.ruleset,
            (winner, *others),
            Win(seat, hand.concealed[0], "wall"),
            round_wind=state.round_wind,
            dealer=state.dealer,
            goulash=state.goulash,
            changes=dict(state.changes),
        )
        try:
            return next(iter(hand_scorer(deal, seat).ways()), None) is not None
        except DealError:
            return False

    return accepts
