"""Checks of how a deal was won: by whom, with which tile, and from where it came."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from scorer.deal import SOURCES, Deal, Meld, Player, Win
from scorer.errors import DealError
from scorer.evaluation.faults import Fault
from scorer.messages import Message, say
from scorer.tiles import BLANK, PLAYING_TILES


def player_at(deal: Deal, seat: str) -> Player:
    """The player in a seat that is taken."""
    return next(player for player in deal.players if player.seat == seat)


def check_win(deal: Deal, win: Win, found: list[DealError]) -> None:
    """Find what is impossible about who went out, with which tile and from whom."""
    if win.seat not in deal.seats:
        found.append(DealError(win.seat, "win.seat", say(Fault.WINNER_ABSENT)))
        return
    winner = player_at(deal, win.seat)
    _check_winner(deal, win, winner, found)
    if win.source in SOURCES:
        _check_from(deal, win, winner, found)
        _check_source(deal, win, winner, found)


def _check_winner(deal: Deal, win: Win, winner: Player, found: list[DealError]) -> None:
    known = win.tile is None or win.tile in _WINNING
    if win.tile is not None and not known:
        words = say(Fault.UNKNOWN_WINNING_TILE, tile=win.tile[:12])
        found.append(DealError(win.seat, "win.tile", words))
    if winner.status != "live":
        words = say(Fault.WINNER_NOT_LIVE, status=winner.status)
        found.append(DealError(win.seat, "status", words))
    if any(p.kind == "wrong_claim" and p.offender == win.seat for p in deal.penalties):
        found.append(DealError(win.seat, "penalties", say(Fault.WINNER_GUILTY)))
    if winner.claimed is not None:
        return
    if win.tile is None:
        if win.source != "dealt":
            found.append(DealError(win.seat, "win.tile", say(Fault.NO_WINNING_TILE)))
    elif known and win.tile not in winner.concealed:
        words = say(Fault.WINNING_TILE_NOT_HELD, tile=win.tile)
        found.append(DealError(win.seat, "win.tile", words))


_WINNING: Final = (*PLAYING_TILES, BLANK)
"""The tiles that can complete a hand."""


def _check_source(deal: Deal, win: Win, winner: Player, found: list[DealError]) -> None:
    if win.last_tile and win.source not in ("wall", "discard"):
        words = say(Fault.LAST_TILE_ELSEWHERE, source=win.source)
        found.append(DealError(win.seat, "win.last_tile", words))
    if win.first_turn and (win.source != "discard" or win.from_seat != "E"):
        found.append(DealError(win.seat, "win.first_turn", say(Fault.FIRST_TURN_ELSEWHERE)))
    kongs = sum(meld.kind == "kong" for meld in winner.melds)
    if win.after_two_kongs and (win.source != "loose" or (winner.claimed is None and kongs < 2)):
        found.append(DealError(win.seat, "win.after_two_kongs", say(Fault.KONGS_MISSING)))
    elif win.source == "loose" and winner.claimed is None and not (kongs or winner.bonus):
        found.append(DealError(win.seat, "win.source", say(Fault.NOTHING_REPLACED)))
    if win.source == "dealt" and (win.seat != deal.dealer or winner.melds):
        words = say(Fault.DEALT_IMPOSSIBLE, dealer=deal.dealer)
        found.append(DealError(win.seat, "win.source", words))
    if win.original_call and win.source == "dealt":
        found.append(DealError(win.seat, "win.original_call", say(Fault.ORIGINAL_CALL_DEALT)))
    elif win.original_call and not all(meld.concealed for meld in winner.melds):
        found.append(DealError(win.seat, "win.original_call", say(Fault.ORIGINAL_CALL_CLAIMED)))


def _check_from(deal: Deal, win: Win, winner: Player, found: list[DealError]) -> None:
    words: Message | None = None
    if win.from_seat is None:
        if win.claimed_tile and winner.claimed is None:
            words = say(Fault.NO_GIVER, source=win.source)
    elif not win.claimed_tile:
        words = say(Fault.NEEDLESS_GIVER, source=win.source)
    elif win.from_seat == win.seat:
        words = say(Fault.GIVER_IS_WINNER)
    elif win.from_seat not in deal.seats:
        words = say(Fault.GIVER_ABSENT, seat=win.from_seat)
    elif win.source == "robbed_kong" and win.tile in _WINNING:
        _check_robbed(player_at(deal, win.from_seat), win, win.tile, found)
    if words is not None:
        found.append(DealError(win.seat, "win.from", words))


def robbed_back(deal: Deal) -> Deal:
    """The deal with the pung from which a robbed kong was made, where it is written as a kong."""
    win = deal.win
    if win is None or win.source != "robbed_kong" or win.tile is None:
        return deal
    players = [
        replace(player, melds=tuple(_less(meld, win.tile) for meld in player.melds))
        if player.seat == win.from_seat
        else player
        for player in deal.players
    ]
    return replace(deal, players=tuple(players))


def _less(meld: Meld, tile: str) -> Meld:
    """A kong that holds the tile without it, as an exposed pung; any other meld as it is."""
    if meld.kind != "kong" or tile not in meld.tiles:
        return meld
    place = meld.tiles.index(tile)
    return Meld("pung", meld.tiles[:place] + meld.tiles[place + 1 :])


def _check_robbed(robbed: Player, win: Win, tile: str, found: list[DealError]) -> None:
    """Refuse a robbery where the hand is shown and holds no exposed pung of the tile."""
    if any(_less(meld, tile) != meld for meld in robbed.melds):
        words = say(Fault.ROBBED_KONG_WRITTEN, tile=tile, seat=robbed.seat)
        found.append(DealError(robbed.seat, "melds", words))
        return
    pungs = [meld for meld in robbed.melds if meld.kind == "pung" and not meld.concealed]
    if robbed.claimed is None and not any(tile in meld.tiles for meld in pungs):
        words = say(Fault.ROBBED_PUNG_MISSING, tile=tile, seat=robbed.seat)
        found.append(DealError(win.seat, "win.source", words))
