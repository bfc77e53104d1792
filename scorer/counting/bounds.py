"""How large a deal may be before anything of it is looked at."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.counting.faults import Fault
from scorer.deal import MOST, Deal, Player
from scorer.errors import DealError
from scorer.messages import say

_Size = tuple[str | None, str, int, int]
"""Whose it is, the field, how many entries it has and how many it may have."""


def beyond_bounds(deal: Deal) -> list[DealError]:
    """What there is more of than any deal can have."""
    sizes: list[_Size] = [
        (None, "players", len(deal.players), MOST.players),
        (None, "penalties", len(deal.penalties), MOST.penalties),
    ]
    for player in deal.players[: MOST.players]:
        sizes += _sizes(player)
    return [
        DealError(seat, field, say(Fault.TOO_MANY_ENTRIES, entries=entries, most=most))
        for seat, field, entries, most in sizes
        if entries > most
    ]


def _sizes(player: Player) -> Iterator[_Size]:
    yield player.seat, "concealed", len(player.concealed), MOST.tiles
    yield player.seat, "melds", len(player.melds), MOST.melds
    yield player.seat, "bonus", len(player.bonus), MOST.bonus
    for meld in player.melds[: MOST.melds]:
        yield player.seat, "melds.tiles", len(meld.tiles), MOST.tiles
