"""Showing a deal to others by a link, under which it can be seen and printed until it ends."""

from __future__ import annotations

from typing import Final
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
from webapp.pages.score.why import PhotoTrail, photo_trail, photo_trails
from webapp.photos.pictures import cut_out, tiles_box
from webapp.security.login import may_enter
from webapp.security.policy import LINK, SCORER, Policy
from webapp.services import deal_or_404, services
from webapp.serving.addresses import for_this_computer_alone, qr_svg

pages = Blueprint("shares", __name__)

AROUND_TILES: Final = 0.5
"""How much of a photo others see around the tiles, in sides of a tile."""


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
    link = _link(token)
    page = render_template(
        "score/shared.html",
        **score_shown(deal, result),
        trails=[(trail, shown_part(trail)) for trail in photo_trails(deal)],
        disputes=found.disputes.of_deal(deal.id),
        link=link,
        here_only=for_this_computer_alone(link),
        token=token,
        owner=may_enter(),
    )
    return make_response(page)


@pages.get("/shared/<token>/tiles/<seat>.jpg")
@Policy(LINK)
def picture(token: str, seat: str) -> Response:
    """Send the part of a photo that shows a player's tiles, and nothing beside them."""
    deal, store = _shared_or_404(token), services().store
    player = deal.state.player(seat) if seat in deal.state.seats else None
    trail = player and photo_trail(player, store.trail(deal.id))
    box = trail and shown_part(trail)
    data = store.picture(trail.photo.id) if trail else None
    if not (trail and trail.photo.reading and box and data):
        abort(404, gettext("There is no such photo here."))
    response = make_response(cut_out(data, box, trail.photo.reading["width"]))
    response.headers["Content-Type"] = "image/jpeg"
    response.headers["Content-Disposition"] = "inline; filename=photo.jpg"
    response.headers["Cache-Control"] = "private, no-store"
    return response


@pages.get("/shared/<token>/code.svg")
@Policy(LINK)
def code(token: str) -> Response:
    """Send the QR code of the link as an SVG picture."""
    _shared_or_404(token)
    response = make_response(qr_svg(_link(token)))
    response.headers["Content-Type"] = "image/svg+xml"
    return response


def _link(token: str) -> str:
    """The link as it is sent to others."""
    return urljoin(root_to_send(), url_for("shares.show", token=token))


def shown_part(trail: PhotoTrail) -> tuple[int, int, int, int] | None:
    """The part of a photo that is shown to others: left, top, width and height in its pixels."""
    reading = trail.photo.reading
    if reading is None:
        return None
    tiles = [read.tile for read in trail.tiles]
    return tiles_box(tiles, (reading["width"], reading["height"]), AROUND_TILES)
