"""How large a deal may be before anything of it is looked at."""

from __future__ import annotations

from collections.abc import Sized

from scorer.deal import MOST, Deal
from scorer.errors import DealError
from scorer.evaluation.faults import Fault
from scorer.messages import say


def beyond_bounds(deal: Deal) -> list[DealError]:
    """What there is more of than any deal can have."""
    found: list[DealError] = []
    _bound(None, "players", deal.players, MOST.players, found)
    _bound(None, "penalties", deal.penalties, MOST.penalties, found)
    for player in deal.players[: MOST.players]:
        _bound(player.seat, "concealed", player.concealed, MOST.tiles, found)
        _bound(player.seat, "melds", player.melds, MOST.melds, found)
        _bound(player.seat, "bonus", player.bonus, MOST.bonus, found)
        for meld in player.melds[: MOST.melds]:
            _bound(player.seat, "melds.tiles", meld.tiles, MOST.tiles, found)
    return found


def _bound(seat: str | None, field: str, entries: Sized, most: int, found: list[DealError]) -> None:
    if len(entries) > most:
        words = say(Fault.TOO_MANY_ENTRIES, entries=len(entries), most=most)
        found.append(DealError(seat, field, words))
