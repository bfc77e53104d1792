"""From the hand of an exercise to a deal that the scorer can count."""

from __future__ import annotations

from dataclasses import replace

from scorer.deal import Deal, Penalty, Player, Win
from scorer.evaluation.checks import HAND_SIZE
from scorer.tiles import SEATS
from webapp.course.sheet import Hand, Pays


def deal_of(asked: Hand, ruleset: str) -> Deal:
    """The deal of an exercise; players whose tiles are not shown claim what the exercise says."""
    player = Player(asked.seat, asked.hand, asked.melds)
    seats = SEATS[: asked.players]
    giver = next(seat for seat in reversed(seats) if seat != asked.seat)
    if asked.win:
        win = Win(
            asked.seat,
            None if asked.source == "dealt" else asked.win,
            asked.source,
            giver if asked.source in ("discard", "robbed_kong") else None,
            last_tile=asked.last_tile,
            original_call=asked.original_call,
        )
    else:
        win = Win(giver, None, "wall")
        few = len(player.concealed) + 3 * len(player.melds) < HAND_SIZE
        player = replace(
            player, status="too_few" if few else "live", fishing=asked.fishing and not few
        )
    deal = Deal(
        ruleset,
        tuple(player if seat == asked.seat else Player(seat, claimed=0) for seat in seats),
        win,
        asked.round,
        goulash=asked.goulash,
    )
    return _settled(deal, asked) if isinstance(asked, Pays) else deal


def _settled(deal: Deal, asked: Pays) -> Deal:
    """The deal with the totals of the others, and what someone did wrong."""
    claims = dict(zip(SEATS, asked.totals, strict=True))
    players = tuple(
        player if player.claimed is None else replace(player, claimed=claims[player.seat])
        for player in deal.players
    )
    deal = replace(deal, players=players)
    if asked.offender is None:
        return deal
    return replace(deal, penalties=(Penalty(asked.penalty, asked.offender, asked.victim),))
