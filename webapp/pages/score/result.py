"""The page of the result with each player's score line by line and who pays whom."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response

from webapp.deal.for_scorer import Problem
from webapp.deal.scoring import ScoreRefused, score
from webapp.deal.store import StoredDeal
from webapp.language.words import payment_sentences
from webapp.pages.score.explanations import dealer_pay, scored_lines
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
def show(deal_id: str) -> Response:
    """Show the score, or go to the page on which something must be corrected first."""
    found, deal = services(), deal_or_404(deal_id)
    try:
        outcome = score(found.scorer, found.store, deal)
    except ScoreRefused as refusal:
        return redirect(place_to_fix(deal_id, refusal.problem), 303)
    return make_response(render_template("score/result.html", **score_shown(deal, outcome)))


def score_shown(deal: StoredDeal, outcome: dict[str, Any]) -> dict[str, Any]:
    """The values for a template that shows the score of a deal, by their names there."""
    names = {player.seat: player.name for player in deal.state.players}
    dealer = dealer_pay(deal.state, outcome)
    return {
        "deal": deal,
        "result": outcome,
        "names": names,
        "sentences": payment_sentences(outcome["payments"], names, deal.state.win.seat, dealer),
        "dealer": dealer,
        "lines": scored_lines(deal.state, outcome),
        "amounts": {(p["from"], p["to"]): p["amount"] for p in outcome["payments"]},
    }
