"""The page of the result with each player's score line by line and who pays whom."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, make_response, redirect, render_template, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from scorer import Deal, DealResult
from scorer.explain.how_won import claimed_meld, how_won
from webapp.deal.for_scorer import Problem, missing, seat_title, to_deal
from webapp.deal.scoring import ScoreRefused, score
from webapp.deal.state import DealState
from webapp.deal.store import StoredDeal
from webapp.language.words import payments_told
from webapp.security.policy import LINK, Policy
from webapp.services import deal_or_404, services

pages = Blueprint("result", __name__, url_prefix="/deals/<deal_id>")


def place_to_fix(deal_id: str, problem: Problem) -> str:
    """The address of the page on which a problem can be corrected and is shown."""
    field = problem.field or ""
    about_tiles = problem.player is not None and not field.startswith(("win", "penalt"))
    if about_tiles:
        return url_for("tiles.show", deal_id=deal_id, seat=problem.player, check=1)
    return url_for("winning.show", deal_id=deal_id, check=1)


@pages.get("/result")
@Policy(LINK)
def show(deal_id: str) -> Response:
    """Show the score, or go to the page on which something must be corrected first."""
    found, deal = services(), deal_or_404(deal_id)
    try:
        result = score(found.store, deal)
    except ScoreRefused as refusal:
        if missing(deal.state):
            return redirect(url_for("deal.show", deal_id=deal_id, check=1) + "#missing", 303)
        return redirect(place_to_fix(deal_id, refusal.problem), 303)
    return make_response(render_template("score/result.html", **score_shown(deal, result)))


def score_shown(deal: StoredDeal, result: DealResult) -> dict[str, Any]:
    """The values for a template that shows the score of a deal, by their names there."""
    names = {player.seat: player.name for player in deal.state.players}
    return {
        "deal": deal,
        "result": result.to_json(),
        "names": names,
        "winners": gettext(" and ").join(
            seat_title(deal.state.player(seat)) for seat in deal.state.win.winners
        ),
        "paid": payments_told(result.payments, names, deal.state.win.seat, deal.state.dealer),
        "lines": {part.seat: part.lines for part in result.players},
        **_won(_as_told(deal.state), result),
        "amounts": {(p.from_seat, p.to_seat): p.amount for p in result.payments},
    }


def _as_told(state: DealState) -> Deal:
    """The deal with the giver of the winning tile only where someone said who it was."""
    deal = to_deal(state)
    if deal.win is None:
        return deal
    return replace(deal, win=replace(deal.win, from_seat=state.win.source_from))


def _won(deal: Deal, result: DealResult) -> dict[str, Any]:
    """What a template says of how the hand was won."""
    return {"how_won": how_won(deal), "by_claim": _by_claim(deal, result)}


def _by_claim(deal: Deal, result: DealResult) -> tuple[str, list[str]] | None:
    """Kind and tiles of the winner's meld that is exposed only because its last was claimed."""
    melds = (claimed_meld(deal, part) for part in result.players)
    return next(((meld.kind, list(meld.tiles)) for meld in melds if meld is not None), None)
