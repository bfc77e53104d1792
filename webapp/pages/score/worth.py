"""The page that says what one hand is worth, without a table and without the other players."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.wrappers import Response

from scorer.tiles import SEATS
from webapp.deal.edits import exchange_tiles
from webapp.deal.state import BONUS, HAND, DealState
from webapp.deal.store import StoredDeal
from webapp.joint.decision import with_decision
from webapp.joint.worth import range_words, running_line, went_out, worth_of
from webapp.language.noted import noted
from webapp.pages.deal.winning import facts_asked, with_facts
from webapp.security.policy import MEMBER, SCORER, Policy
from webapp.services import deal_or_404, services

pages = Blueprint("worth", __name__)
pages.add_app_template_global(running_line)


@pages.post("/worth")
@Policy(SCORER)
def start() -> Response:
    """Start with a hand of which only its own tiles are asked for."""
    found = services()
    state = replace(found.loose_deal(SEATS, {}), only=SEATS[1])
    deal_id = found.begin_deal(state)
    return redirect(url_for("capture.show", deal_id=deal_id, seat=state.only), 303)


def _valued_or_404(deal_id: str) -> tuple[StoredDeal, str]:
    """The deal and the seat of the hand; leaves the request where the whole deal is entered."""
    deal = deal_or_404(deal_id)
    if deal.state.only is None:
        abort(redirect(url_for("deal.show", deal_id=deal_id), 303))
    return deal, deal.state.only


@pages.get("/deals/<deal_id>/worth")
@Policy(MEMBER)
def show(deal_id: str) -> str | Response:
    """Show what the hand is worth, and ask for what its worth depends on."""
    deal, seat = _valued_or_404(deal_id)
    player = deal.state.player(seat)
    if not player.tiles:
        return redirect(url_for("capture.show", deal_id=deal_id, seat=seat), 303)
    out = went_out(deal.state, player)
    guessed = replace(deal.state, win=replace(deal.state.win, seat=seat)) if out else deal.state
    return render_template(
        "score/worth.html",
        deal=deal,
        player=player,
        worth=worth_of(deal.state, player),
        out=out,
        range_words=range_words,
        HAND=HAND,
        BONUS=BONUS,
        **facts_asked(replace(deal, state=guessed), "worth.show"),
    )


def _with_answers(state: DealState, form: ImmutableMultiDict[str, str]) -> DealState:
    """The hand with what was said of it; another wind of its own takes the tiles along."""
    told = with_facts(state, form, of_game=False)
    seat, wind = state.only, form.get("wind")
    if seat is None or wind == seat or wind not in state.seats:
        return told
    moved = replace(exchange_tiles(told, seat, wind), only=wind)
    win = moved.win
    return (
        moved if win.seat is None else replace(moved, win=replace(win, seat=wind, source_from=None))
    )


@pages.post("/deals/<deal_id>/worth")
@Policy(SCORER)
def save(deal_id: str) -> Response:
    """Store what was said of the hand."""
    deal, _ = _valued_or_404(deal_id)
    found, form = services(), request.form
    copies = found.copies(deal)
    found.store.edit(
        deal_id,
        lambda state: with_decision(_with_answers(state, form), copies),
        noted("Who won, and how"),
    )
    return redirect(url_for("worth.show", deal_id=deal_id), 303)


@pages.post("/deals/<deal_id>/whole")
@Policy(SCORER)
def play_on(deal_id: str) -> Response:
    """Make a whole deal of it, in which the other players are entered too."""
    _valued_or_404(deal_id)
    services().store.edit(
        deal_id, lambda state: replace(state, only=None), noted("Other players added")
    )
    return redirect(url_for("deal.show", deal_id=deal_id), 303)
