"""The secretary's pages for keeping photos and for taking everything as one file."""

from __future__ import annotations

import tempfile
from typing import Final

from flask import (
    Blueprint,
    abort,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    send_file,
    url_for,
)
from flask_babel import gettext, ngettext
from werkzeug.wrappers import Response

from webapp.backup.archive import write_archive
from webapp.backup.automatic import State
from webapp.backup.integrity import examine_database
from webapp.backup.restoring import ELSEWHERE
from webapp.club_settings.groups import MAX_DAYS, HallDisplay
from webapp.evening.evenings import today
from webapp.language.numbers import whole_or_none
from webapp.pages.club.imports import drafts
from webapp.pages.club.restoring import restorer
from webapp.pages.sending import ZIP_TYPE
from webapp.personal_data.brought_back import still_back
from webapp.personal_data.erasure import erase
from webapp.security.bodies import MAX_COPY_BYTES
from webapp.security.login import is_secretary
from webapp.security.policy import SECRETARY, Policy
from webapp.services import services

pages = Blueprint("keeping", __name__, url_prefix="/keeping")

COPY_TYPE: Final = "application/vnd.sqlite3"
"""The MIME type of a copy of the database."""

IN_MEMORY: Final = 8 * 1024 * 1024
"""Size in bytes above which an archive is written to a temporary file before it is sent."""


def _page(message: str | None) -> str:
    kept = services().book.photos
    count, size = kept.stored()
    return render_template(
        "club/keeping.html",
        days=kept.days,
        count=count,
        megabytes=size / 1e6,
        message=message,
        brought_back=still_back(services().book.engine),
        restorable=restorer().possible,
        elsewhere=ELSEWHERE,
        most_megabytes=MAX_COPY_BYTES // 1024**2,
        copies=services().backups.state(),
        hall=services().decided.of(HallDisplay),
    )


@pages.get("")
@Policy(SECRETARY)
def show() -> str:
    """Show what is stored, and for how long photos are kept."""
    return _page(None)


@pages.post("/photos")
@Policy(SECRETARY)
def decide() -> Response:
    """Set how long photos are kept: for ever, for some days, or for the evening only."""
    choice = request.form.get("keep", "")
    days: int | None = None
    if choice == "evening":
        days = 0
    elif choice == "days":
        days = whole_or_none(request.form.get("days", ""), 1, MAX_DAYS)
        if days is None:
            text = gettext("Enter a number of days from 1 to %(most)s.", most=MAX_DAYS)
            return make_response(_page(text), 400)
    elif choice != "always":
        return make_response(_page(gettext("Choose how long to keep photos.")), 400)
    services().book.photos.decide(days)
    gone = services().book.photos.clean()
    flash(gettext("Saved. Photos are kept that long from now on."), "good")
    if gone:
        text = ngettext(
            "%(num)d older photo was deleted.", "%(num)d older photos were deleted.", gone
        )
        flash(text, "good")
    return redirect(url_for("keeping.show"), 303)


@pages.post("/hall")
@Policy(SECRETARY)
def show_in_hall() -> Response:
    """Set what the display in the hall shows, and whether it needs a login."""
    form = request.form
    services().decided.decide(HallDisplay("open" in form, form.get("names") == "full"))
    flash(gettext("Saved. The hall display uses this from now on."), "good")
    return redirect(url_for("keeping.show") + "#hall", 303)


@pages.post("/erase-again")
@Policy(SECRETARY)
def erase_again() -> Response:
    """Erase those again who were erased before and came back with a restored copy."""
    chosen = request.form.get("who", "")
    for one in still_back(services().book.engine):
        person = services().book.people.person(one.id)
        if chosen in (one.id, "all") and one.under is None and person is not None:
            done = erase(services().book.engine, one.id)
            drafts().forget_named(person.names)
            text = gettext(
                "Erased again. At the tables the player is called “%(name)s”.", name=done.now_called
            )
            flash(text, "good")
    return redirect(url_for("keeping.show"), 303)


@pages.get("/history")
@Policy(SECRETARY)
def history() -> str:
    """Compare all entries with their digests, and show what does not match."""
    return render_template("club/history.html", examined=examine_database(services().book.engine))


@pages.get("/copy.sqlite3")
@Policy(SECRETARY)
def last_copy() -> Response:
    """Send the last copy that was made while the page was served, named by its day."""
    copies = services().backups.state()
    if copies is None or copies.newest is None:
        abort(404, gettext("There is no backup yet. Use “Take everything” for a ZIP file instead."))
    name = f"kongbox-{copies.newest.at.astimezone():%Y-%m-%d}.sqlite3"
    return send_file(copies.newest.path, mimetype=COPY_TYPE, as_attachment=True, download_name=name)


@pages.app_template_global()
def late_copies() -> State | None:
    """The copies of the book if the secretary, who asks, is to be warned of them."""
    backups = services().backups
    copies = backups.state() if backups.failing else None
    return copies if copies is not None and copies.late and is_secretary() else None


@pages.get("/everything.zip")
@Policy(SECRETARY)
def everything() -> Response:
    """Send the archive of everything."""
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - closed once sent
    write_archive(services().book.engine, file)
    file.seek(0)
    name = f"kongbox-{today().isoformat()}.zip"
    return send_file(file, mimetype=ZIP_TYPE, as_attachment=True, download_name=name)
