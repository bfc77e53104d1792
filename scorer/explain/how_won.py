"""How a hand was won, and what the winning tile made of it, in words for the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from scorer.deal import Deal, Win
from scorer.melds import ReadMeld
from scorer.messages import Message, say
from scorer.result import PlayerResult

_LAST_OF_WALL: Final = say("last_tile_won")
_FINAL_DISCARD: Final = say("final_discard_won")


def how_won(deal: Deal) -> tuple[Message, ...]:
    """Who went out with which tile and where it came from, then each special fact of the win.

    Args:
        deal: a possible deal.
    """
    win = deal.win
    if win is None:
        return (say("nobody_went_out"),)
    return (_went_out(win), *_facts(win))


def _went_out(win: Win) -> Message:
    seat = win.seat
    if win.source == "dealt":
        return say("won_as_dealt", seat=seat)
    if win.tile is None:
        return say("won_unseen", seat=seat)
    if win.claimed_tile and win.from_seat is None:
        if win.source == "discard":
            return say("won_on_some_discard", seat=seat, tile=win.tile)
        return say("won_robbing_some_kong", seat=seat, tile=win.tile)
    giver = {} if win.from_seat is None else {"giver": win.from_seat}
    return say(f"won_by_{win.source}", seat=seat, tile=win.tile, **giver)


def _facts(win: Win) -> Iterator[Message]:
    if win.last_tile:
        yield _FINAL_DISCARD if win.source == "discard" else _LAST_OF_WALL
    if win.original_call:
        yield say("original_call_won")
    if win.first_turn:
        yield say("first_turn_won")
    if win.after_two_kongs:
        yield say("after_two_kongs_won")


def claimed_meld(deal: Deal, result: PlayerResult) -> ReadMeld | None:
    """The meld of the winner that is exposed only because its last tile was claimed; or None.

    Args:
        deal: a possible deal.
        result: the score of one of its players.
    """
    if deal.win is None or deal.win.seat != result.seat:
        return None
    player = next(held for held in deal.players if held.seat == result.seat)
    laid = sum(meld.kind != "pung" or not meld.concealed for meld in player.melds)
    in_hand = result.melds[laid:]
    return next((group for group in in_hand if not group.concealed), None)
