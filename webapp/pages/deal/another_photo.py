"""The page that adds another photo of the same tiles, and the desk that reads both together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from flask import (
    Blueprint,
    Flask,
    abort,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_babel import gettext
from werkzeug.wrappers import Response

from vision.errors import ModelError, PhotoError
from vision.photo.headers import read_header
from webapp.database.ids import new_id
from webapp.deal.names import of_player
from webapp.deal.photos import StoredPhoto
from webapp.deal.state import DealState, Player
from webapp.language.noted import noted
from webapp.language.translation import translated
from webapp.pages.deal.capture import BUSY
from webapp.pages.deal.photo_form import PhotoMissing, photo_sent
from webapp.photos.desk import PhotoQueue, TooManyPhotos
from webapp.photos.from_reading import kept_reading, tiles_from_reading
from webapp.photos.joined import join, keep_corrections
from webapp.photos.workers import PhotoRead, Workshop
from webapp.security.bodies import PHOTO
from webapp.security.limits import UPLOADS
from webapp.security.policy import MEMBER, SCORER, Policy
from webapp.services import deal_or_404, player_or_404, services

pages = Blueprint("another_photo", __name__, url_prefix="/deals/<deal_id>/players/<seat>/another")

EXTENSION: Final = "kongbox-joined-photos"
"""The key of the application's extensions under which the desk is kept."""

Join = Callable[[Sequence[bytes], str], PhotoRead]


class JoinDesk:
    """Has photos of the same tiles read together, a few at a time.

    Args:
        workshop: runs the reading.
        set_of: returns the name of the tile set with which a deal's photos are read.
        join: reads photos together; a function of a module, so that other processes can import it.
        queue: counts the photos that wait or are being read, of all desks.
    """

    def __init__(
        self,
        workshop: Workshop,
        set_of: Callable[[str], str],
        join: Join = join,
        queue: PhotoQueue | None = None,
    ) -> None:
        self._workshop, self._set_of, self._join = workshop, set_of, join
        self._queue = queue or PhotoQueue()

    def read(self, deal_id: str, photos: Sequence[bytes]) -> PhotoRead:
        """The joint reading of the photos and its picture; together they take one place.

        Raises:
            TooManyPhotos: too many are waiting.
            PhotoError: the photos cannot be read together.
            ModelError: a model is missing or damaged.
        """
        self._queue.enter()
        try:
            return self._workshop.work(self._join, list(photos), self._set_of(deal_id))
        finally:
            self._queue.leave()


def _earlier(deal_id: str, player: Player) -> tuple[StoredPhoto, bytes]:
    """The photo from which the player's tiles were read, and its picture."""
    store = services().store
    photo = store.photo(player.photo) if player.photo else None
    picture = store.picture(photo.id) if photo is not None else None
    if photo is None or picture is None or photo.reading is None or photo.deal_id != deal_id:
        abort(404, gettext("These tiles were not read from a photo. Take one first."))
    return photo, picture


def _page(deal_id: str, seat: str, message: str | None) -> str:
    deal = deal_or_404(deal_id)
    player = player_or_404(deal.state, seat)
    photo, _ = _earlier(deal_id, player)
    return render_template(
        "deal/another.html", deal=deal, player=player, photo=photo, message=message
    )


@pages.get("")
@Policy(MEMBER)
def show(deal_id: str, seat: str) -> str:
    """Show the form for another photo of the same tiles."""
    return _page(deal_id, seat, None)


@pages.post("")
@Policy(SCORER, body=PHOTO, rate=UPLOADS, disk=True)
def send(deal_id: str, seat: str) -> Response:
    """Read the photo that was sent together with the earlier one."""
    player = player_or_404(deal_or_404(deal_id).state, seat)
    photo, picture = _earlier(deal_id, player)
    try:
        data = photo_sent(request.files.get("photo"))
    except PhotoMissing as missing:
        return make_response(_page(deal_id, seat, str(missing)), 400)
    desk: JoinDesk = current_app.extensions[EXTENSION]
    try:
        read = desk.read(deal_id, [picture, data])
    except (PhotoError, ModelError) as error:
        return make_response(_page(deal_id, seat, translated(error.message)), 422)
    except TooManyPhotos:
        response = make_response(_page(deal_id, seat, str(BUSY)), 503)
        response.headers["Retry-After"] = "5"
        return response
    _put(deal_id, seat, photo, picture, read)
    return redirect(url_for("tiles.show", deal_id=deal_id, seat=seat), 303)


def _put(deal_id: str, seat: str, photo: StoredPhoto, picture: bytes, read: PhotoRead) -> None:
    """Give the player the tiles of the joint reading, with the corrections made before."""
    photo_id = new_id()
    before: dict[str, Any] = photo.reading or {}
    scale = read_header(picture).width / max(1, int(before.get("width", 1)))

    def read_into(state: DealState) -> list[Player]:
        player = state.player(seat)
        tiles = tiles_from_reading(player, read.reading, photo_id)
        return [keep_corrections(player, tiles, scale, read.shift)]

    what = of_player(noted("Another photo read"), seat)
    found = services()
    form = kept_reading("2 photos", read.reading)
    found.store.add_read_photo(photo_id, deal_id, seat, "2 photos", form, read.picture)
    found.desk.lay(deal_id, photo_id, what, read_into)


def set_up(app: Flask, workshop: Workshop, set_of: Callable[[str], str], queue: PhotoQueue) -> None:
    """Keep the desk on the application and register the page."""
    app.extensions[EXTENSION] = JoinDesk(workshop, set_of, queue=queue)
    app.register_blueprint(pages)
