"""What a deal's ruleset asks about a win: its source, the tile, and further questions."""

from __future__ import annotations

from typing import Final

from flask_babel import gettext

from scorer.rules.info import Asks
from scorer.tiles import SUITS
from webapp.deal.state import DealState, Player, Win
from webapp.rulesets.shown import asks_under, rules_of

FIVES: Final = tuple(f"5{suit}" for suit in SUITS)
"""The tiles of which some sets have red ones."""


def asks_of(state: DealState) -> Asks:
    """What the rules of a deal, its house rules among them, ask about it."""
    return asks_under(state.ruleset, state.changes)


def looked_at(state: DealState) -> tuple[Player, ...]:
    """The players whose tiles the score depends on."""
    if asks_of(state).others:
        return state.players
    return tuple(state.player(seat) for seat in state.win.winners)


def sources_for(state: DealState, seat: str) -> dict[str, str]:
    """The ways in which the player at a seat can go out: id to translated name."""
    found = rules_of(state.ruleset).sources
    able = (None, seat, "dealer") if seat == state.dealer else (None, seat)
    return {s.id: gettext(s.name) for s in found if s.seat in able}


def needs_from(state: DealState, source: str | None) -> bool:
    """Whether going out this way takes a tile from another player, who is then asked for."""
    return any(s.id == source and s.needs_from for s in rules_of(state.ruleset).sources)


def needs_tile(state: DealState, source: str | None) -> bool:
    """Whether a winning tile is asked for when a player goes out this way."""
    return not any(s.id == source and not s.needs_tile for s in rules_of(state.ruleset).sources)


def flags_for(state: DealState, win: Win) -> dict[str, str]:
    """The further questions that a win raises: id of the flag to translated question."""
    if win.seat is None or win.source is None:
        return {}
    winner = state.player(win.seat)
    kongs = sum(len(winner.in_place(s.id)) == 4 for s in winner.melds)
    return {
        flag.id: f"{gettext(flag.name)}. {gettext(flag.help)}"
        for flag in rules_of(state.ruleset).flags
        if not flag.declared
        and win.source in flag.sources
        and (flag.from_seat is None or win.source_from in (None, flag.from_seat))
        and (flag.kongs <= kongs or winner.claimed is not None)
    }


def own_flags_for(state: DealState, win: Win) -> dict[str, dict[str, str]]:
    """The further questions about each winner who declared being ready: by seat, as the others."""
    flags = [flag for flag in rules_of(state.ruleset).flags if flag.declared]
    found = {
        seat: {
            flag.id: f"{gettext(flag.name)}. {gettext(flag.help)}"
            for flag in flags
            if win.source in flag.sources
        }
        for seat in win.winners
        if state.player(seat).declared
    }
    return {seat: asked for seat, asked in found.items() if asked}


def also_possible(state: DealState, win: Win) -> tuple[str, ...]:
    """The seats of those who may have gone out on the same tile as the winner."""
    if win.seat is None or asks_of(state).winners < 2 or not needs_from(state, win.source):
        return ()
    return tuple(seat for seat in state.seats if seat not in (win.seat, win.source_from))


def fives_of(player: Player) -> tuple[str, ...]:
    """The fives that a player has, one of each suit."""
    return tuple(dict.fromkeys(t.label for t in player.tiles if t.label in FIVES))


def giver_by_flags(state: DealState, told: set[str]) -> str | None:
    """Who gave the winning tile by what was said of the win: its flags, by their ids."""
    flags = rules_of(state.ruleset).flags
    return next((flag.from_seat for flag in flags if flag.id in told and flag.from_seat), None)
