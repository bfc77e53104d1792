"""The secretary's pages for restoring everything from a file, after showing what it replaces."""

from __future__ import annotations

from typing import Final

from flask import (
    Blueprint,
    Flask,
    abort,
    current_app,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_babel import gettext
from sqlalchemy import Engine
from werkzeug.wrappers import Response

from webapp.backup.restoring import GONE, Contents, CopyRefused, Restorer, contents
from webapp.database import edition
from webapp.security.bodies import COPY_FILE
from webapp.security.limits import UPLOADS
from webapp.security.login import asks_who_you_are
from webapp.security.policy import SECRETARY, Policy
from webapp.services import services

pages = Blueprint("restoring", __name__, url_prefix="/keeping/restore")

EXTENSION: Final = "kongbox-restorer"
"""The key of the application's extensions under which the restorer is kept."""


def restorer() -> Restorer:
    """The restorer of the application that answers this request."""
    found: Restorer = current_app.extensions[EXTENSION]
    return found


def _ready_or_404(copy_id: str) -> Contents:
    ready = restorer().ready(copy_id)
    if ready is None:
        abort(404, str(GONE))
    return ready


def _page(copy_id: str, message: str | None = None) -> str:
    return render_template(
        "club/restore.html",
        copy_id=copy_id,
        copy=_ready_or_404(copy_id),
        brought_back=restorer().brought_back(copy_id),
        here=contents(services().engine),
        message=message,
    )


@pages.post("")
@Policy(SECRETARY, body=COPY_FILE, rate=UPLOADS, disk=True)
def upload() -> Response:
    """Accept a copy and go to the page that shows what it would replace."""
    file = request.files.get("file")
    if file is None or not file.filename:
        flash(gettext("First choose a file: the ZIP file from “Take everything”, or a backup."))
        return redirect(url_for("keeping.show"), 303)
    try:
        with file.stream as sent:
            copy_id = restorer().lay_ready(sent)
    except CopyRefused as refused:
        flash(str(refused))
        return redirect(url_for("keeping.show"), 303)
    return redirect(url_for("restoring.ask", copy_id=copy_id), 303)


@pages.get("/<copy_id>")
@Policy(SECRETARY)
def ask(copy_id: str) -> str:
    """Show what the copy holds beside what it would replace."""
    return _page(copy_id)


@pages.post("/<copy_id>")
@Policy(SECRETARY, retracts=True)
def decide(copy_id: str) -> Response:
    """Replace everything by the copy, or delete the copy."""
    copy = _ready_or_404(copy_id)
    if request.form.get("then") != "replace":
        restorer().drop(copy_id)
        flash(gettext("Nothing has been changed."), "good")
        return redirect(url_for("keeping.show"), 303)
    refusal = _refusal(copy)
    if refusal is not None:
        return make_response(_page(copy_id, refusal), 409)
    try:
        kept = restorer().take_over(copy_id)
    except CopyRefused as refused:
        return make_response(_page(copy_id, str(refused)), 409)
    edition.begin(services().engine)
    services().desk.resume()
    text = gettext(
        "Everything has been restored from the file. What was here before is kept as %(file)s.",
        file=kept.name,
    )
    flash(text, "good")
    return redirect(url_for("keeping.show"), 303)


def _refusal(copy: Contents) -> str | None:
    """Why the copy cannot be restored at the moment; None if it can."""
    if asks_who_you_are() and not copy.secretary:
        return str(
            gettext(
                "This backup has no secretary with a password, so restoring it would give "
                "everyone full access. The person who looks after Kongbox can still restore it."
            )
        )
    if services().desk.busy:
        return str(
            gettext("Photos are being read at the moment. Wait a few seconds and try again.")
        )
    return None


def set_up(app: Flask, engine: Engine) -> None:
    """Keep the restorer on the application.

    Args:
        app: the application.
        engine: its database.
    """
    app.extensions[EXTENSION] = Restorer(engine)
