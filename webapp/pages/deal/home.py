"""The first page, on which people start a deal, try the demo or choose an earlier deal."""

from __future__ import annotations

from flask import (
    Blueprint,
    abort,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_babel import gettext
from werkzeug.wrappers import Response

from scorer.tiles import SEATS
from webapp.deal.for_scorer import table_facts
from webapp.photos.desk import TooManyPhotos
from webapp.photos.samples import sample_bytes, sample_preview, samples_for
from webapp.security.limits import UPLOADS
from webapp.security.policy import MEMBER, SCORER, Policy
from webapp.services import services

pages = Blueprint("home", __name__)
MAX_NAME = 30
"""Maximum number of characters of a player's name."""


@pages.get("/")
@Policy(MEMBER)
def index() -> str:
    """Show the ways to start, the demo and the latest deals."""
    found = services()
    evening, games = found.tonight()
    return render_template(
        "deal/home.html",
        deals=found.store.recent(),
        demo=found.samples is not None,
        evening=evening,
        games=games,
        past=found.club.any_evening(),
    )


@pages.get("/laying-tiles")
@Policy(MEMBER)
def laying() -> str:
    """Show how to lay the tiles for a photo."""
    return render_template("deal/laying.html")


@pages.get("/samples/<int:number>.jpg")
@Policy(MEMBER)
def sample_picture(number: int) -> Response:
    """Send a small picture of one of the sample photos."""
    found = services()
    samples = samples_for(found.samples)
    if number >= len(samples):
        abort(404, gettext("There is no such sample photo."))
    photo = sample_bytes(found.samples_file, samples[number])
    response = make_response(sample_preview(photo))
    response.headers["Content-Type"] = "image/jpeg"
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response


@pages.post("/deals")
@Policy(SCORER)
def start() -> Response:
    """Start a deal with the seats that are taken."""
    absent = request.form.get("absent", "")
    if absent not in ("", *SEATS[1:]):
        abort(400, gettext("Only South, West or North can be missing from a table of three."))
    seats = tuple(seat for seat in SEATS if seat != absent)
    names = {seat: request.form.get(f"name_{seat}", "").strip()[:MAX_NAME] for seat in seats}
    deal_id = services().begin_deal(services().loose_deal(seats, names))
    return redirect(url_for("deal.show", deal_id=deal_id), 303)


@pages.post("/demo")
@Policy(SCORER, rate=UPLOADS, disk=True)
def demo() -> Response:
    """Start a deal with the sample photos, which are read like any others."""
    found = services()
    if found.samples is None:
        abort(404, gettext("The sample photos are not installed."))
    deal_id = found.store.create(table_facts(found.samples["deal"]))
    for sample in found.samples["photos"]:
        data = sample_bytes(found.samples_file, sample)
        try:
            found.desk.take(deal_id, sample["seat"], sample["title"], data)
        except TooManyPhotos:
            flash(
                gettext(
                    "Other photos are being read at the moment. Choose the rest of the samples "
                    "later."
                )
            )
            break
    return redirect(url_for("deal.show", deal_id=deal_id), 303)
