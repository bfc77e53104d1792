"""The views for cameras: one to which ``kongbox watch`` sends, and those that offer its tiles."""

from __future__ import annotations

from flask import (
    Blueprint,
    Flask,
    abort,
    flash,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_babel import gettext
from werkzeug.wrappers import Response

from webapp.access.errors import problem_response
from webapp.pages import api
from webapp.pages.deal.cameras import EXTENSION, CameraDesk, desk, lay
from webapp.photos.camera_message import CameraFacts, FactsRefused, parse_facts
from webapp.services import deal_or_404, player_or_404, services

pages = Blueprint("cameras", __name__)

MAX_NAME = 80
"""Maximum number of characters of a camera's name."""


@api.pages.post("/api/v1/camera")
def camera() -> Response:
    """Store what a camera sees, from the form fields ``camera``, ``facts`` and ``photo``.

    With the fields ``deal`` and ``seat`` that player gets the tiles of a settled reading; without
    them the reading is offered on the photo pages.
    """
    name = request.form.get("camera", "").strip()[:MAX_NAME]
    if not name:
        return problem_response(400, "Say in the field “camera” what the camera is called.")
    upload = request.files.get("photo")
    picture = upload.read() if upload is not None else b""
    try:
        facts = parse_facts(request.form.get("facts", ""), picture)
    except FactsRefused as error:
        return problem_response(422, str(error))
    if "deal" in request.form or "seat" in request.form:
        return _laid(name, facts, picture)
    if facts.state == "alive":
        known = desk().alive(name)
    else:
        desk().hear(name, facts.state, facts.reading_json(), picture if facts.reading else b"")
        known = True
    return jsonify({"known": known})


def _laid(name: str, facts: CameraFacts, picture: bytes) -> Response:
    """Give the tiles of a settled reading to the player named in the form."""
    deal_id, seat = request.form.get("deal", ""), request.form.get("seat", "")
    deal = services().store.deal(deal_id)
    if deal is None:
        return problem_response(
            404, "There is no such deal here. Open the deal in the browser and copy its address."
        )
    if seat not in deal.state.seats:
        return problem_response(422, f"Nobody sits at {seat or 'that seat'} in this deal.")
    reading = facts.reading_json()
    if reading is not None:
        lay(deal_id, seat, name, reading, picture)
    return jsonify({"laid": reading is not None})


@pages.get("/deals/<deal_id>/players/<seat>/camera")
def show(deal_id: str, seat: str) -> Response:
    """Show what the cameras see now as a part of the photo page.

    The answer has status 204 if the browser names the same offers as already ``seen``.
    """
    deal = deal_or_404(deal_id)
    player = player_or_404(deal.state, seat)
    offers = desk().offers()
    if request.args.get("seen", "") == ",".join(offer.id for offer in offers):
        return make_response("", 204)
    return make_response(
        render_template("deal/camera.html", deal=deal, player=player, offers=offers)
    )


@pages.post("/deals/<deal_id>/players/<seat>/camera")
def take(deal_id: str, seat: str) -> Response:
    """Give the player the tiles of the camera's picture that was shown."""
    player_or_404(deal_or_404(deal_id).state, seat)
    offer = desk().offer(request.form.get("offer", ""))
    if offer is None or offer.reading is None:
        flash(gettext("The tiles have moved meanwhile. Look at the camera's picture once more."))
        return redirect(url_for("capture.show", deal_id=deal_id, seat=seat), 303)
    lay(deal_id, seat, offer.camera, offer.reading, offer.picture)
    return redirect(url_for("tiles.show", deal_id=deal_id, seat=seat), 303)


@pages.get("/cameras/<offer_id>.jpg")
def picture(offer_id: str) -> Response:
    """Send the picture from which a camera's reading was made."""
    offer = desk().offer(offer_id)
    if offer is None or not offer.picture:
        abort(404, gettext("The camera sees something else by now."))
    response = make_response(offer.picture)
    response.headers["Content-Type"] = "image/jpeg"
    response.headers["Cache-Control"] = "private, max-age=600, immutable"
    return response


def set_up(app: Flask) -> None:
    """Register the views and keep the desk of the cameras on the application."""
    app.extensions[EXTENSION] = CameraDesk()
    app.jinja_env.globals.update(camera_offers=lambda: desk().offers())
    app.register_blueprint(pages)
