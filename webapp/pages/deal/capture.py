"""The pages on which a photo of a player's tiles is sent, read, shown and deleted."""

from __future__ import annotations

from dataclasses import dataclass

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

from webapp.deal.photos import DONE, READING, WAITING, StoredPhoto
from webapp.deal.store import StoredDeal
from webapp.language.noted import noted
from webapp.pages.deal.photo_form import PhotoMissing, photo_sent
from webapp.personal_data.photo_keeping import DELETED
from webapp.photos.desk import TABLE, TooManyPhotos
from webapp.photos.samples import sample_bytes, samples_for
from webapp.rereading.left_out import LeftOut
from webapp.security.bodies import PHOTO
from webapp.security.limits import UPLOADS
from webapp.security.policy import MEMBER, SCORER, Policy
from webapp.services import deal_or_404, player_or_404, services

pages = Blueprint("capture", __name__, url_prefix="/deals/<deal_id>")
BUSY = noted(
    "Eight photos are already waiting to be read. Nothing is lost: wait a few seconds and send "
    "this one again, or tap the tiles in."
)
"""The message if too many photos are waiting."""


@pages.get("/players/<seat>/photo")
@Policy(MEMBER)
def show(deal_id: str, seat: str) -> str:
    """Show the ways to enter this player's tiles."""
    return _page(deal_id, seat, None)


def _page(deal_id: str, seat: str, message: str | None) -> str:
    deal = deal_or_404(deal_id)
    player = player_or_404(deal.state, seat)
    return render_template(
        "deal/capture.html",
        deal=deal,
        player=player,
        message=message,
        samples=samples_for(services().samples),
        session=_session(deal_id, seat) if "session" in request.args else None,
    )


@dataclass(frozen=True, slots=True)
class Session:
    """The photos of all players one after another.

    Attributes:
        sent: the seats of the players whose tiles are there, or whose photo is being read.
        following: the seat of the player who comes next; None after the last.
    """

    sent: frozenset[str]
    following: str | None


def _session(deal_id: str, seat: str) -> Session:
    # The photos are looked up before the deal: one that is read in between is in the deal then.
    photos = services().store.stages(deal_id)
    deal = deal_or_404(deal_id)
    sent = frozenset(
        player.seat
        for player in deal.state.players
        if player.entered
        or (player.seat in photos and photos[player.seat].stage in (WAITING, READING))
    )
    after = deal.state.seats[deal.state.seats.index(seat) + 1 :]
    return Session(sent, next((other for other in after if other not in sent), None))


@pages.post("/players/<seat>/photo")
@Policy(SCORER, body=PHOTO, rate=UPLOADS, disk=True)
def send(deal_id: str, seat: str) -> Response:
    """Accept a photo and go to the page that shows the progress of its reading."""
    player_or_404(deal_or_404(deal_id).state, seat)
    try:
        data = photo_sent(request.files.get("photo"))
    except PhotoMissing as missing:
        return make_response(_page(deal_id, seat, str(missing)), 400)
    return _take(deal_id, seat, "photo", data)


@pages.post("/players/<seat>/sample")
@Policy(SCORER, rate=UPLOADS, disk=True)
def sample(deal_id: str, seat: str) -> Response:
    """Read one of the sample photos as this player's tiles."""
    player_or_404(deal_or_404(deal_id).state, seat)
    found = services()
    samples = samples_for(found.samples)
    number = request.form.get("number", -1, type=int)
    if not 0 <= number < len(samples):
        abort(404, gettext("There is no such sample photo."))
    chosen = samples[number]
    return _take(deal_id, seat, chosen["title"], sample_bytes(found.samples_file, chosen))


def _take(deal_id: str, seat: str, name: str, data: bytes) -> Response:
    try:
        photo_id = services().desk.take(deal_id, seat, name, data)
    except TooManyPhotos:
        response = make_response(_page(deal_id, seat, BUSY), 503)
        response.headers["Retry-After"] = "5"
        return response
    if "session" in request.args:
        following = _session(deal_id, seat).following
        if following is None:
            return redirect(url_for("deal.show", deal_id=deal_id), 303)
        return redirect(url_for("capture.show", deal_id=deal_id, seat=following, session=1), 303)
    return redirect(url_for("capture.progress", deal_id=deal_id, photo_id=photo_id), 303)


def _photo_or_404(deal_id: str, photo_id: str) -> StoredPhoto:
    photo = services().store.photo(photo_id)
    if photo is None or photo.deal_id != deal_id:
        abort(404, gettext("There is no such photo here."))
    return photo


@pages.get("/photos/<photo_id>")
@Policy(MEMBER)
def progress(deal_id: str, photo_id: str) -> Response:
    """Show how far the reading of a photo is, and go on to the tiles once it is done."""
    deal = deal_or_404(deal_id)
    photo = _photo_or_404(deal_id, photo_id)
    whole = photo.seat == TABLE
    player = None if whole else player_or_404(deal.state, photo.seat)
    if photo.stage == DONE:
        target = url_for("tiles.show", deal_id=deal_id, seat=photo.seat)
        if deal.state.only:
            target = url_for("worth.show", deal_id=deal_id)
        if whole:
            target = url_for("whole_table.seats", deal_id=deal_id, photo_id=photo_id)
        if "HX-Request" in request.headers:
            response = make_response("", 200)
            response.headers["HX-Redirect"] = target
            return response
        return redirect(target, 303)
    return make_response(
        render_template("deal/progress.html", deal=deal, player=player, photo=photo)
    )


@pages.post("/photos/<photo_id>/delete")
@Policy(SCORER)
def delete(deal_id: str, photo_id: str) -> Response:
    """Delete the picture of a photo; the tiles read from it and their corrections stay."""
    deal = deal_or_404(deal_id)
    _photo_or_404(deal_id, photo_id)
    if services().book.photos.delete(photo_id):
        flash(gettext(str(DELETED)), "good")
    else:
        flash(gettext("This photo is still being read. Try again in a few seconds."))
    return _back(deal, request.form.get("seat", ""))


@pages.post("/photos/<photo_id>/giving")
@Policy(SCORER)
def say_stays(deal_id: str, photo_id: str) -> Response:
    """Let a photo stay with the club where it gives photos to the project, or go with them."""
    deal = deal_or_404(deal_id)
    _photo_or_404(deal_id, photo_id)
    LeftOut(services().engine).say(photo_id, stays=request.form.get("stays") == "yes")
    return _back(deal, request.form.get("seat", ""))


def _back(deal: StoredDeal, seat: str) -> Response:
    """Go back to the tiles of a player, or to how the deal was entered."""
    if seat in deal.state.seats:
        return redirect(url_for("tiles.show", deal_id=deal.id, seat=seat), 303)
    return redirect(url_for("why.trail", deal_id=deal.id), 303)


@pages.get("/photos/<photo_id>.jpg")
@Policy(MEMBER)
def picture(deal_id: str, photo_id: str) -> Response:
    """Send the copy of a photo that pages show."""
    _photo_or_404(deal_id, photo_id)
    data = services().store.picture(photo_id)
    if data is None:
        abort(404, gettext("This photo has not been read yet, or could not be read."))
    response = make_response(data)
    response.headers["Content-Type"] = "image/jpeg"
    response.headers["Content-Disposition"] = "inline; filename=photo.jpg"
    response.headers["Cache-Control"] = "private, max-age=86400, immutable"
    return response
