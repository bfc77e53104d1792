"""Asking the scorer whether a player may go out with a hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from scorer import DealError, Meld, Player, Win
from scorer.evaluation.evaluate import hand_scorer
from webapp.deal.for_scorer import deal_of, melds_of
from webapp.deal.state import BONUS, HAND, DealState

if TYPE_CHECKING:
    from vision.vocabulary.readings import HandReading


def may_go_out(state: DealState, seat: str) -> Callable[[HandReading], bool]:
    """A function that returns whether the player at a seat may go out with the hand it is given.

    It assumes that the last tile comes from the wall; the other players' hands do not matter.

    Args:
        state: the deal, whose ruleset, round and dealer apply.
        seat: the player's seat.
    """

    def accepts(hand: HandReading) -> bool:
        melds = tuple(Meld(meld.kind, meld.tiles, meld.concealed) for meld in hand.melds)
        return _lawful(state, Player(seat, hand.concealed, melds, hand.bonus))

    return accepts


def goes_out(state: DealState, seat: str) -> bool:
    """Whether the player at a seat may go out with the tiles that are entered."""
    player = state.player(seat)
    if any(tile.unresolved for tile in player.tiles):
        return False
    concealed, bonus = (
        tuple(tile.label for tile in player.in_place(place)) for place in (HAND, BONUS)
    )
    return _lawful(state, Player(seat, concealed, tuple(melds_of(player)), bonus))


def _lawful(state: DealState, winner: Player) -> bool:
    """Whether these tiles are a hand for the scorer, the last one from the wall.

    Whether they are worth enough to go out is not looked at: that depends on how it was won.
    """
    if not winner.concealed:
        return False
    others = (Player(other, claimed=0) for other in state.seats if other != winner.seat)
    win = Win(winner.seat, winner.concealed[0], "wall")
    deal = deal_of(state, (winner, *others), win)
    try:
        hand = hand_scorer(deal, winner.seat)
        return bool(hand.in_fan()) or next(iter(hand.ways()), None) is not None
    except DealError:
        return False
