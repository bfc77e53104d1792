"""Showing a deal to others by a link, under which it can be seen and printed until it ends."""

from __future__ import annotations

from urllib.parse import urljoin

from flask import (
    Blueprint,
    abort,
    flash,
    make_response,
    redirect,
    render_template,
    url_for,
)
from flask_babel import gettext
from werkzeug.wrappers import Response

from webapp.deal.scoring import ScoreRefused, score
from webapp.deal.store import StoredDeal
from webapp.pages.entry.phones import root_to_send
from webapp.pages.score.result import place_to_fix, score_shown
from webapp.pages.score.why import photo_trails
from webapp.security.login import may_enter
from webapp.security.policy import LINK, SCORER, Policy
from webapp.services import deal_or_404, services

pages = Blueprint("shares", __name__)


@pages.post("/deals/<deal_id>/share")
@Policy(SCORER)
def begin(deal_id: str) -> Response:
    """Make the deal's link if it has none, and go there."""
    found, deal = services(), deal_or_404(deal_id)
    try:
        score(found.store, deal)
    except ScoreRefused as refusal:
        return redirect(place_to_fix(deal_id, refusal.problem), 303)
    return redirect(url_for("shares.show", token=found.shares.link(deal_id)), 303)


@pages.post("/deals/<deal_id>/unshare")
@Policy(SCORER)
def end(deal_id: str) -> Response:
    """End the deal's link."""
    deal_or_404(deal_id)
    services().shares.end(deal_id)
    flash(gettext("The link no longer leads to this hand."))
    return redirect(url_for("result.show", deal_id=deal_id), 303)


def _shared_or_404(token: str) -> StoredDeal:
    deal_id = services().shares.deal(token)
    if deal_id is None:
        abort(404, gettext("This link no longer works. Ask the person who sent it for a new one."))
    return deal_or_404(deal_id)


@pages.get("/shared/<token>")
@Policy(LINK)
def show(token: str) -> Response:
    """Show the deal of a link for looking and printing, without anything to enter."""
    found, deal = services(), _shared_or_404(token)
    try:
        result = score(found.store, deal)
    except ScoreRefused:
        abort(409, gettext("This hand is being corrected at the moment. Look again in a minute."))
    link = urljoin(root_to_send(), url_for("shares.show", token=token))
    page = render_template(
        "score/shared.html",
        **score_shown(deal, result),
        trails=photo_trails(deal),
        disputes=found.disputes.of_deal(deal.id),
        link=link,
        token=token,
        owner=may_enter(),
    )
    return make_response(page)


@pages.get("/shared/<token>/photos/<photo_id>.jpg")
@Policy(LINK)
def picture(token: str, photo_id: str) -> Response:
    """Send a photo of the deal of a link."""
    deal = _shared_or_404(token)
    shown = {player.photo for player in deal.state.players}
    data = services().store.picture(photo_id) if photo_id in shown else None
    if data is None:
        abort(404, gettext("There is no such photo here."))
    response = make_response(data)
    response.headers["Content-Type"] = "image/jpeg"
    response.headers["Content-Disposition"] = "inline; filename=photo.jpg"
    response.headers["Cache-Control"] = "private, no-store"
    return response
