"""Checks of how a deal was won: by whom, with which tile, and from where it came.

Which ways of going out there are, and what may be said of them, is what the ruleset asks about.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from scorer.deal import FURTHER_FLAGS, SOURCES, WIN_FLAGS, Deal, Meld, Player, Win
from scorer.errors import DealError
from scorer.evaluation.faults import Fault
from scorer.messages import Message, say
from scorer.rules.rule import Question
from scorer.rules.ruleset import Ruleset
from scorer.tiles import BLANK, PLAYING_TILES


def player_at(deal: Deal, seat: str) -> Player:
    """The player in a seat that is taken."""
    return next(player for player in deal.players if player.seat == seat)


def check_win(deal: Deal, win: Win, ruleset: Ruleset, found: list[DealError]) -> None:
    """Find what is impossible about who went out, with which tile and from whom."""
    if win.seat not in deal.seats:
        found.append(DealError(win.seat, "win.seat", say(Fault.WINNER_ABSENT)))
        return
    winner = player_at(deal, win.seat)
    _check_winner(deal, win, winner, found)
    if win.source not in SOURCES:
        return
    source = next((item for item in ruleset.source if item.id == win.source), None)
    if source is None:
        known = tuple(item.id for item in ruleset.source)
        words = say(Fault.SOURCE_NOT_KNOWN, source=win.source, known=known)
        found.append(DealError(win.seat, "win.source", words))
        return
    _check_from(deal, win, winner, found)
    _check_flags(deal, win, winner, ruleset, found)
    _check_source(win, winner, found)
    _check_dealt(deal, win, source, found)


def check_together(deal: Deal, ruleset: Ruleset, found: list[DealError]) -> None:
    """Find what is impossible about several players who went out on one tile."""
    first = deal.wins[0]
    if len(deal.wins) > ruleset.settlement.winners:
        found.append(DealError(None, "wins", say(Fault.ONE_WINNER_ALONE)))
    for number, win in enumerate(deal.further_wins, 1):
        alike = (win.tile, win.source, win.from_seat) == (first.tile, first.source, first.from_seat)
        known = win.seat not in [other.seat for other in deal.wins[:number]]
        if not (alike and known and first.claimed_tile):
            found.append(DealError(win.seat, "wins", say(Fault.WINS_DIFFER)))


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


def _check_source(win: Win, winner: Player, found: list[DealError]) -> None:
    kongs = sum(meld.kind == "kong" for meld in winner.melds)
    if win.after_two_kongs and (win.source != "loose" or (winner.claimed is None and kongs < 2)):
        found.append(DealError(win.seat, "win.after_two_kongs", say(Fault.KONGS_MISSING)))
    elif win.source == "loose" and winner.claimed is None and not (kongs or winner.bonus):
        found.append(DealError(win.seat, "win.source", say(Fault.NOTHING_REPLACED)))


_LAST_EVERYWHERE: Final = ("wall", "discard")
"""The tiles that may be the last one under every ruleset, be it worth something or not."""


def _check_flags(
    deal: Deal, win: Win, winner: Player, ruleset: Ruleset, found: list[DealError]
) -> None:
    """Find what is said of the win and is not known there, or does not go with it."""
    flags = {item.id: item for item in ruleset.flag}
    found.extend(
        DealError(win.seat, f"win.{flag}", say(Fault.FLAG_NOT_KNOWN))
        for flag in (*WIN_FLAGS, *FURTHER_FLAGS)
        if getattr(win, flag) and flag not in flags
    )
    if win.last_tile and "last_tile" in flags:
        last = tuple(dict.fromkeys((*_LAST_EVERYWHERE, *flags["last_tile"].sources)))
        if win.source not in last:
            words = say(Fault.LAST_TILE_ELSEWHERE, allowed=last, source=win.source)
            found.append(DealError(win.seat, "win.last_tile", words))
    if win.original_call and "original_call" in flags:
        if win.source == "dealt":
            words = say(Fault.ORIGINAL_CALL_DEALT)
            found.append(DealError(win.seat, "win.original_call", words))
        elif not all(meld.concealed for meld in winner.melds):
            words = say(Fault.ORIGINAL_CALL_CLAIMED)
            found.append(DealError(win.seat, "win.original_call", words))
    if win.ippatsu and "ippatsu" in flags and not (winner.riichi or winner.double_riichi):
        found.append(DealError(win.seat, "win.ippatsu", say(Fault.RIICHI_UNDECLARED)))
    drawn = win.source == "wall" and "first_turn" in flags and "wall" in flags["first_turn"].sources
    if win.first_turn and "first_turn" in flags and not drawn:
        _check_first_turn(deal, win, found)


def _check_first_turn(deal: Deal, win: Win, found: list[DealError]) -> None:
    if win.source != "discard" or win.from_seat != "E":
        found.append(DealError(win.seat, "win.first_turn", say(Fault.FIRST_TURN_ELSEWHERE)))
        return
    if win.last_tile:
        found.append(DealError(win.seat, "win.last_tile", say(Fault.FIRST_TURN_LAST)))
    if win.original_call:
        found.append(DealError(win.seat, "win.original_call", say(Fault.FIRST_TURN_CALLED)))
    _check_nothing_laid(deal, "E", found)


def _check_dealt(deal: Deal, win: Win, source: Question, found: list[DealError]) -> None:
    """Find what contradicts a hand that was complete as dealt."""
    if win.source != "dealt":
        return
    winner = deal.dealer if source.seat == "dealer" else source.seat
    if winner and (win.seat != winner or player_at(deal, win.seat).melds):
        words = say(Fault.DEALT_IMPOSSIBLE, dealer=winner)
        found.append(DealError(win.seat, "win.source", words))
    else:
        _check_nothing_laid(deal, None, found)


def _check_nothing_laid(deal: Deal, had_a_turn: str | None, found: list[DealError]) -> None:
    """Find sets that lie on the table before anybody could have made them.

    A pung that is shown as concealed is still in hand; who has had the first turn may have laid a
    concealed kong.
    """
    for player in deal.players:
        kinds = ("pung", "kong") if player.seat == had_a_turn else ("pung",)
        if not all(meld.concealed and meld.kind in kinds for meld in player.melds):
            found.append(DealError(player.seat, "melds", say(Fault.LAID_TOO_EARLY)))


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
