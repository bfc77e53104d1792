"""The pages for one photo of the whole table: who sits where, then all players' tiles."""

from __future__ import annotations

from typing import Final

from flask import (
    Blueprint,
    Flask,
    abort,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_babel import gettext, lazy_gettext
from werkzeug.wrappers import Response

from webapp.deal.photos import DONE, StoredPhoto
from webapp.deal.state import Player
from webapp.deal.store import StoredDeal
from webapp.games.seating import known_sides, seated, seats_of_sides
from webapp.language.noted import noted
from webapp.pages.deal import answers
from webapp.pages.deal.photo_form import PhotoMissing, photo_sent, photos_sent
from webapp.photos.desk import TABLE, TooManyPhotos
from webapp.photos.from_reading import reading_kept, sides_of, tiles_from_reading
from webapp.security.bodies import PHOTO
from webapp.security.limits import UPLOADS
from webapp.security.policy import MEMBER, SCORER, Policy
from webapp.services import deal_or_404, services

pages = Blueprint("whole_table", __name__, url_prefix="/deals/<deal_id>/table-photo")

SIDE_WORDS: Final = {
    "near": lazy_gettext("In front"),
    "right": lazy_gettext("On the right"),
    "far": lazy_gettext("Opposite"),
    "left": lazy_gettext("On the left"),
}
"""The words for the sides of the photo, as seen by the person who took it."""


def set_up(app: Flask) -> None:
    """Register the pages of the photo of the table and of the answers about its tiles."""
    app.register_blueprint(pages)
    app.register_blueprint(answers.pages)


@pages.get("")
@Policy(MEMBER)
def show(deal_id: str) -> str:
    """Show the form for the photo of the table."""
    return _page(deal_id, None)


def _page(deal_id: str, message: str | None) -> str:
    deal = deal_or_404(deal_id)
    free = [player for player in deal.state.players if not player.entered]
    return render_template("deal/table_photo.html", deal=deal, free=free, message=message)


@pages.post("")
@Policy(SCORER, body=PHOTO, rate=UPLOADS, disk=True)
def send(deal_id: str) -> Response:
    """Accept the photo and go to the page that shows the progress of its reading."""
    deal_or_404(deal_id)
    try:
        data = photo_sent(request.files.get("photo"))
    except PhotoMissing as missing:
        return make_response(_page(deal_id, str(missing)), 400)
    try:
        photo_id = services().desk.take(deal_id, TABLE, "table", data)
    except TooManyPhotos:
        busy = gettext("Eight photos are already waiting. Wait a few seconds and send it again.")
        response = make_response(_page(deal_id, busy), 503)
        response.headers["Retry-After"] = "5"
        return response
    return redirect(url_for("capture.progress", deal_id=deal_id, photo_id=photo_id), 303)


@pages.post("/each")
@Policy(SCORER, body=PHOTO, rate=UPLOADS, disk=True)
def send_each(deal_id: str) -> Response:
    """Accept one photo for each player without tiles, in the order of the seats."""
    deal = deal_or_404(deal_id)
    try:
        photos = photos_sent(request.files.getlist("photos"))
    except PhotoMissing as missing:
        return make_response(_page(deal_id, str(missing)), 400)
    free = [player.seat for player in deal.state.players if not player.entered]
    if not photos or len(photos) > len(free):
        text = gettext(
            "%(photos)s photos were chosen for %(players)s players without tiles. Choose one "
            "photo for each of them, in the order East, South, West, North.",
            photos=len(photos),
            players=len(free),
        )
        return make_response(_page(deal_id, text), 400)
    for seat, data in zip(free, photos, strict=False):
        try:
            services().desk.take(deal_id, seat, "photo", data)
        except TooManyPhotos:
            flash(gettext("Other photos are being read at the moment. Send the rest again later."))
            break
    return redirect(url_for("deal.show", deal_id=deal_id), 303)


def _photo_or_404(deal_id: str, photo_id: str) -> StoredPhoto:
    photo = services().store.photo(photo_id)
    if photo is None or photo.deal_id != deal_id or photo.seat != TABLE or photo.stage != DONE:
        abort(404, gettext("There is no such photo of the table here."))
    return photo


@pages.get("/<photo_id>")
@Policy(MEMBER)
def seats(deal_id: str, photo_id: str) -> str:
    """Show the hands on the photo and ask which of them is East's."""
    deal, photo = deal_or_404(deal_id), _photo_or_404(deal_id, photo_id)
    reading = reading_kept(photo.reading)
    sides = sides_of(reading)
    hands = {side: tiles_from_reading(Player("E"), reading, photo_id, side) for side in sides}
    found = services()
    likely = known_sides(found.store, found.games, deal).get("E", "")
    return render_template(
        "deal/table_seats.html",
        deal=deal,
        photo=photo,
        hands=hands,
        side_words=SIDE_WORDS,
        missing=_sides_missing(deal, sides),
        likely=likely,
        likely_seats=seats_of_sides(deal.state.seats, sides, likely) if likely in sides else {},
    )


def _sides_missing(deal: StoredDeal, sides: tuple[str, ...]) -> list[str]:
    """The sides of a photo at which a player's hand was not found; none if all hands were."""
    too_few = len(sides) < len(deal.state.seats)
    return [side for side in SIDE_WORDS if side not in sides] if too_few else []


@pages.post("/<photo_id>")
@Policy(SCORER)
def seat(deal_id: str, photo_id: str) -> Response:
    """Give each player the tiles at the player's side of the photo."""
    deal, photo = deal_or_404(deal_id), _photo_or_404(deal_id, photo_id)
    reading = reading_kept(photo.reading)
    east, sides = request.form.get("east", ""), sides_of(reading)
    if east not in (*sides, *_sides_missing(deal, sides)):
        abort(400, gettext("No hand was found on that side. Choose one of those shown."))
    found = services()
    copies = found.copies(deal)
    found.store.edit(
        deal_id,
        lambda state: seated(state, reading, photo_id, east, copies),
        noted("Photo of the table read"),
    )
    return redirect(url_for("deal.show", deal_id=deal_id), 303)
