"""The pages on which a tile set is taught, checked, shared, removed and chosen for a deal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import (
    Blueprint,
    Flask,
    abort,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    send_file,
    url_for,
)
from flask_babel import gettext
from werkzeug.wrappers import Response

from scorer.tiles import READING_LABELS
from vision.errors import ModelError, PhotoError
from webapp.deal.state import DealState
from webapp.joint.decision import with_decision
from webapp.language.noted import note, noted
from webapp.language.translation import translated
from webapp.pages.deal.capture import BUSY
from webapp.pages.deal.photo_form import PhotoMissing, photos_sent
from webapp.photos.copies import copies_of
from webapp.photos.desk import TooManyPhotos
from webapp.security.bodies import PHOTO, SET_FILE
from webapp.security.limits import UPLOADS
from webapp.security.policy import MEMBER, SCORER, Policy
from webapp.services import deal_or_404, player_or_404, services
from webapp.tile_sets.chosen import KnownSet, known_set, set_names, set_on_table
from webapp.tile_sets.drafts import LEFT_OUT, MAX_PHOTOS, Draft, SetDesk, labelled

pages = Blueprint("tile_sets", __name__)


def desk() -> SetDesk:
    """The desk of the tile sets that are being taught."""
    return services().sets


def draft_or_404(draft_id: str) -> Draft:
    """The draft named in the address; ends the request with status 404 if there is none."""
    draft = desk().draft(draft_id)
    if draft is None:
        abort(
            404,
            gettext(
                "This set has already been saved or discarded. If it was saved, choose it from "
                "the list."
            ),
        )
    return draft


def set_or_404(name: str) -> KnownSet:
    """The tile set named in the address; ends the request with status 404 if there is none."""
    found = known_set(name) if name in set_names() else None
    if found is None:
        abort(404, gettext("That set does not exist. Choose one from the list."))
    return found


@pages.get("/sets")
@Policy(MEMBER)
def index() -> str:
    """Show the known tile sets, and the way to teach another."""
    found = [known for name in set_names() if (known := known_set(name)) is not None]
    return render_template("club/sets.html", sets=found)


@pages.get("/sets/new")
@Policy(MEMBER)
def new() -> str:
    """Show the first step of teaching a set: a name and photos of the faces."""
    return _first_page(request.args.get("name", ""), None)


def _first_page(name: str, message: str | None) -> str:
    return render_template("club/set_new.html", name=name, message=message)


@pages.post("/sets")
@Policy(SCORER, body=PHOTO, rate=UPLOADS, disk=True, files=True)
def begin() -> Response:
    """Start a draft with the photos that were sent."""
    from vision.tilesets.profile import ProfileError, check_name
    from vision.tilesets.profile_file import known_as

    name = request.form.get("name", "").strip()
    try:
        photos = photos_sent(request.files.getlist("photo"))
        check_name(name)
    except ProfileError as error:
        return make_response(_first_page(name, translated(error.message)), 400)
    except PhotoMissing as missing:
        return make_response(_first_page(name, str(missing)), 400)
    if not 1 <= len(photos) <= MAX_PHOTOS:
        text = gettext("Choose one to %(most)s photos of the set.", most=MAX_PHOTOS)
        return make_response(_first_page(name, text), 400)
    try:
        draft_id = desk().begin(known_as(name) or name, photos)
    except TooManyPhotos:
        response = make_response(_first_page(name, gettext(BUSY)), 503)
        response.headers["Retry-After"] = "5"
        return response
    return redirect(url_for("tile_sets.check", draft_id=draft_id), 303)


@pages.get("/sets/drafts/<draft_id>")
@Policy(MEMBER)
def check(draft_id: str) -> str:
    """Show how far the reading of the photos is, and then each tile with its label."""
    draft = draft_or_404(draft_id)
    if draft.busy:
        return render_template("club/set_progress.html", draft=draft)
    return render_template("club/set_check.html", draft=draft, photos=_seen(draft))


def _seen(draft: Draft) -> list[dict[str, Any]]:
    """For each photo its tiles, the doubtful ones and the warnings; with the last what is missing.

    Whether a face is missing is told by all photos together.
    """
    shown: list[dict[str, Any]] = []
    looks, every = desk().looks(draft), list[Any]()
    for number, photo in labelled(draft, looks).items():
        look = looks[number]
        left_out = {i for i in range(len(photo.tiles)) if draft.leaves_out(number, i)}
        tiles = [
            {"number": i, "label": tile.label, "png": look["tiles"][i]["png"], "out": i in left_out}
            for i, tile in enumerate(photo.tiles)
        ]
        every += photo.without(left_out).tiles
        weak = [i for i in photo.doubtful() if i not in left_out]
        warnings = look["warnings"]
        shown.append(
            {"number": number, "tiles": tiles, "weak": weak, "missing": (), "warnings": warnings}
        )
    if shown:
        shown[-1]["missing"] = replace(photo, tiles=tuple(every)).missing()
    return shown


@pages.get("/sets/drafts/<draft_id>/<int:photo>/<int:tile>")
@Policy(MEMBER)
def ask(draft_id: str, photo: int, tile: int) -> str:
    """Ask which face a tile has."""
    draft = draft_or_404(draft_id)
    look = desk().looks(draft).get(photo)
    if look is None or tile >= len(look["tiles"]):
        abort(404, gettext("That tile is not in the photo."))
    return render_template(
        "club/set_tile.html",
        draft=draft,
        photo=photo,
        number=tile,
        tile=look["tiles"][tile],
        label=labelled(draft, desk().looks(draft))[photo].tiles[tile].label,
    )


@pages.post("/sets/drafts/<draft_id>/<int:photo>/<int:tile>")
@Policy(SCORER, files=True)
def say(draft_id: str, photo: int, tile: int) -> Response:
    """Store which face a tile has and go on to the next doubtful tile."""
    draft_or_404(draft_id)
    label = request.form.get("label", "")
    if label != LEFT_OUT and label not in READING_LABELS:
        abort(400, gettext("Choose a tile from the keyboard."))
    try:
        desk().answer(draft_id, photo, tile, label)
    except KeyError:
        abort(404, gettext("That tile is not in the photo."))
    except PhotoError as error:
        flash(translated(error.message))
    draft = draft_or_404(draft_id)
    for seen in _seen(draft):
        if seen["weak"]:
            target = {"photo": seen["number"], "tile": seen["weak"][0]}
            return redirect(url_for("tile_sets.ask", draft_id=draft_id, **target), 303)
    return redirect(url_for("tile_sets.check", draft_id=draft_id), 303)


@pages.post("/sets/drafts/<draft_id>")
@Policy(SCORER, files=True)
def keep(draft_id: str) -> Response:
    """Make the profile from the draft, or delete the draft."""
    draft = draft_or_404(draft_id)
    if request.form.get("then") == "drop":
        desk().drop(draft_id)
        return redirect(url_for("tile_sets.index"), 303)
    if draft.busy or not draft.read:
        abort(400, gettext("No photo of this set could be read. Please photograph it again."))
    copies = {
        label: 0
        for seen in _seen(draft)
        for label in seen["missing"]
        if f"none.{label}" in request.form
    }
    try:
        desk().keep(draft, copies)
    except (PhotoError, ModelError) as error:
        flash(translated(error.message))
        return redirect(url_for("tile_sets.check", draft_id=draft_id), 303)
    flash(
        gettext("Kongbox now knows “%(name)s”. Choose it when you take a photo.", name=draft.name),
        "good",
    )
    return redirect(url_for("tile_sets.show", name=draft.name), 303)


@pages.get("/sets/<name>")
@Policy(MEMBER)
def show(name: str) -> str:
    """Show the faces of a tile set."""
    return render_template("club/set_show.html", found=set_or_404(name))


@pages.get("/sets/<name>/file")
@Policy(MEMBER)
def download(name: str) -> Response:
    """Send the profile of a tile set, for others who play with the same tiles."""
    from vision.tilesets.profile_file import profile_path

    set_or_404(name)
    path = profile_path(name).resolve()
    return send_file(
        path, "application/json", as_attachment=True, download_name=path.name, max_age=0
    )


@pages.post("/sets/file")
@Policy(SCORER, body=SET_FILE, rate=UPLOADS, disk=True, files=True)
def upload() -> Response:
    """Store the profile of a tile set that was taught elsewhere."""
    from vision.tilesets.profile_file import MAX_FILE_BYTES

    sent = request.files.get("file")
    data = b"" if sent is None else sent.read(MAX_FILE_BYTES + 1)
    if not data or len(data) > MAX_FILE_BYTES:
        flash(gettext("Choose the file of a set (8 MB at most)."))
        return redirect(url_for("tile_sets.index"), 303)
    try:
        name = desk().take_over(data)
    except (PhotoError, ModelError) as error:
        flash(translated(error.message))
        return redirect(url_for("tile_sets.index"), 303)
    flash(
        gettext("Kongbox now knows “%(name)s”. Choose it when you take a photo.", name=name), "good"
    )
    return redirect(url_for("tile_sets.show", name=name), 303)


@pages.post("/sets/<name>/remove")
@Policy(SCORER, files=True)
def remove(name: str) -> Response:
    """Remove a tile set."""
    from vision.tilesets.profile import ProfileError
    from vision.tilesets.profile_file import remove_profile

    set_or_404(name)
    try:
        remove_profile(name)
    except ProfileError as error:
        flash(translated(error.message))
    else:
        flash(gettext("“%(name)s” has been removed.", name=name), "good")
    return redirect(url_for("tile_sets.index"), 303)


@pages.post("/deals/<deal_id>/players/<seat>/set")
@Policy(SCORER, files=True)
def choose(deal_id: str, seat: str) -> Response:
    """Set the tile set with which the photos of a deal are read from now on."""
    player_or_404(deal_or_404(deal_id).state, seat)
    name = request.form.get("tile_set", "")
    if name and name not in set_names():
        abort(400, gettext("That set does not exist. Choose one from the list."))
    what = note("Tile set: {name}", name=name) if name else noted("No tile set")
    services().store.edit(deal_id, lambda state: _with_set(state, name), what)
    return redirect(url_for("capture.show", deal_id=deal_id, seat=seat), 303)


def _with_set(state: DealState, name: str) -> DealState:
    """The deal with another tile set, by whose numbers of tiles it is decided."""
    return with_decision(replace(state, tile_set=name), copies_of(name))


def chosen_set(deal_id: str) -> str:
    """The tile set with which this deal's photos are read; empty for none."""
    found = services()
    return set_on_table(found.store, found.games, deal_id)


def set_up(app: Flask) -> None:
    """Register the pages, and give templates the names of the tile sets."""
    app.register_blueprint(pages)
    app.jinja_env.globals.update(set_names=set_names, chosen_set=chosen_set)
