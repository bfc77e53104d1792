"""What a deal's ruleset asks about a win: its source, the tile, and further questions."""

from __future__ import annotations

from flask_babel import gettext

from webapp.deal.state import DealState, Win
from webapp.rulesets.shown import rules_of


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
        if win.source in flag.sources
        and (flag.from_seat is None or win.source_from in (None, flag.from_seat))
        and (flag.kongs <= kongs or winner.claimed is not None)
    }


def giver_by_flags(state: DealState, told: set[str]) -> str | None:
    """Who gave the winning tile by what was said of the win: its flags, by their ids."""
    flags = rules_of(state.ruleset).flags
    return next((flag.from_seat for flag in flags if flag.id in told and flag.from_seat), None)
