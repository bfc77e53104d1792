"""Cameras: what ``kongbox watch`` and a phone's live picture send, and what is offered of it."""

from __future__ import annotations

from dataclasses import asdict

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

from vision.errors import ModelError, PhotoError
from vision.photo.thresholds import AIMED_AT, STEADY_SPEED
from vision.vocabulary.readings import FULL_HAND
from webapp.language.translation import translated
from webapp.pages import api
from webapp.pages.deal.cameras import EXTENSION, CameraDesk, desk, lay
from webapp.photos.camera_message import CameraFacts, FactsRefused, parse_facts
from webapp.photos.desk import TooManyPhotos
from webapp.security.bodies import FRAME, PHOTO
from webapp.security.errors import problem_response
from webapp.security.limits import LOOKS
from webapp.security.policy import MEMBER, SCORER, Policy
from webapp.services import deal_or_404, player_or_404, services

pages = Blueprint("cameras", __name__)

MAX_NAME = 80
"""Maximum number of characters of a camera's name."""


@api.pages.post("/api/v1/camera")
@Policy(SCORER, body=PHOTO, disk=True)
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
@Policy(MEMBER)
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
@Policy(SCORER, disk=True)
def take(deal_id: str, seat: str) -> Response:
    """Give the player the tiles of the camera's picture that was shown."""
    player_or_404(deal_or_404(deal_id).state, seat)
    offer = desk().offer(request.form.get("offer", ""))
    if offer is None or offer.reading is None:
        flash(gettext("The tiles have moved since then. Check the camera's picture again."))
        return redirect(url_for("capture.show", deal_id=deal_id, seat=seat), 303)
    lay(deal_id, seat, offer.camera, offer.reading, offer.picture)
    return redirect(url_for("tiles.show", deal_id=deal_id, seat=seat), 303)


@pages.post("/camera/look")
@Policy(SCORER, body=FRAME, rate=LOOKS, wakes=False)
def look() -> Response:
    """Say which tiles a frame of the live picture shows, in the multipart field ``photo``.

    Nothing of it is stored, and photos that wait to be read go first.
    """
    upload = request.files.get("photo")
    try:
        view = services().desk.look(upload.read() if upload is not None else b"")
    except TooManyPhotos:
        return problem_response(503, gettext("Other photos are being read at the moment."))
    except PhotoError as error:
        return problem_response(422, translated(error.message))
    except ModelError as error:
        return problem_response(503, translated(error.message))
    return jsonify(asdict(view))


def _aims() -> dict[str, float]:
    """The numbers by which the page knows that the live picture can be taken.

    ``tiles`` is the least number of tiles of a hand, ``steady`` the greatest speed in widths of
    the picture per second, ``side`` the long side in pixels of the frames that are sent.
    """
    return {"tiles": min(FULL_HAND), "steady": STEADY_SPEED, "side": AIMED_AT}


@pages.get("/cameras/<offer_id>.jpg")
@Policy(MEMBER)
def picture(offer_id: str) -> Response:
    """Send the picture from which a camera's reading was made."""
    offer = desk().offer(offer_id)
    if offer is None or not offer.picture:
        abort(404, gettext("The camera now sees something else."))
    response = make_response(offer.picture)
    response.headers["Content-Type"] = "image/jpeg"
    response.headers["Cache-Control"] = "private, max-age=600, immutable"
    return response


def set_up(app: Flask) -> None:
    """Register the views and keep the desk of the cameras on the application."""
    app.extensions[EXTENSION] = CameraDesk()
    app.jinja_env.globals.update(camera_offers=lambda: desk().offers(), live_aims=_aims)
    app.register_blueprint(pages)
