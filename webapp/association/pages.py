"""The pages of an association: its clubs, and the players of those that agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import (
    Blueprint,
    Flask,
    abort,
    current_app,
    flash,
    make_response,
    redirect,
    request,
    url_for,
)
from flask import render_template as render
from flask_babel import gettext
from werkzeug.wrappers import Response

from webapp.association.clubs import ClubRefused
from webapp.association.national import National, doubts, gather, placed
from webapp.association.national_files import as_csv, as_pdf, as_xlsx
from webapp.evening.evenings import today
from webapp.language.days import short_day
from webapp.pages.entry.accounts import typed_password
from webapp.pages.seasons import ChosenSpan, chosen_span
from webapp.pages.sending import sent
from webapp.security import login
from webapp.security.accounts import AccountRefused, Accounts
from webapp.security.login import is_secretary
from webapp.security.policy import ANYBODY, MEMBER, SECRETARY, Policy
from webapp.services import services

if TYPE_CHECKING:
    from webapp.association.host import Host

pages = Blueprint("clubs", __name__, url_prefix="/clubs")

listed = Blueprint("national", __name__)

EXTENSION: Final = "kongbox-host"
"""The key of the application's extensions under which the host of all clubs is kept."""

ADDRESSES: Final = frozenset({"clubs", "national"})
"""The first parts of the addresses of these pages, which no club can have."""


def host() -> Host:
    """The host of all clubs."""
    found: Host = current_app.extensions[EXTENSION]
    return found


@pages.get("")
@Policy(ANYBODY)
def index() -> str:
    """Show the clubs, each with the way to its page."""
    return _page(None)


def _page(message: str | None) -> str:
    everybody = host().clubs.all()
    return render(
        "association/clubs.html",
        clubs=[club for club in everybody if not club.closed or is_secretary()],
        form=request.form,
        message=message,
    )


@pages.post("")
@Policy(SECRETARY)
def add() -> Response:
    """Add a club with its first secretary, who then gives accounts to others of the club."""
    form, found = request.form, host()
    try:
        club_id, name = found.clubs.check(form.get("address", ""), form.get("name", ""))
        password = typed_password()
        with found.entered(club_id) as app:
            accounts: Accounts = app.extensions[login.EXTENSION]
            if not accounts.has_secretary():
                accounts.add(form.get("secretary", ""), "secretary", password)
        found.clubs.add(club_id, name)
    except (ClubRefused, AccountRefused) as refusal:
        return make_response(_page(str(refusal)), 400)
    flash(gettext("%(name)s now has a page. Its secretary can log in there.", name=name), "good")
    return redirect(url_for("clubs.index"), 303)


@pages.post("/<club_id>")
@Policy(SECRETARY)
def change(club_id: str) -> Response:
    """Rename a club, shut its page, or open it again."""
    form, clubs = request.form, host().clubs
    try:
        if form.get("then") == "rename":
            clubs.rename(club_id, form.get("name", ""))
        else:
            if form.get("then") == "open":
                _refuse_without_secretary(club_id)
            clubs.close(club_id, closed=form.get("then") == "close")
    except ClubRefused as refusal:
        return make_response(_page(str(refusal)), 400)
    return redirect(url_for("clubs.index"), 303)


def _refuse_without_secretary(club_id: str) -> None:
    """Leave a page shut that everybody could do everything at.

    Raises:
        ClubRefused: nobody in the club has a secretary's password.
    """
    club = host().clubs.find(club_id)
    if club is None:
        return
    with host().entered(club_id) as app:
        accounts: Accounts = app.extensions[login.EXTENSION]
        if not accounts.has_secretary():
            text = gettext(
                "%(name)s no longer has a secretary who can log in, so its page stays closed.",
                name=club.name,
            )
            raise ClubRefused(text)


@listed.get("/national")
@Policy(MEMBER)
def show() -> str:
    """Show the players of all clubs that agree, in a season or of all time."""
    kept, chosen = _national(), _chosen()
    lines = kept.lines(chosen.season)
    return render(
        "association/national.html",
        clubs=any(not club.closed for club in host().clubs.all()),
        chosen=chosen,
        asked=lines is not None,
        lines=placed(lines or ()),
        doubts=doubts(lines or ()),
        as_of=kept.as_of(),
    )


def _chosen() -> ChosenSpan:
    return chosen_span(services().book.seasons.of_day(today()))


@listed.post("/national")
@Policy(SECRETARY)
def ask_all() -> Response:
    """Ask every club now, instead of waiting for the next day."""
    gather(host())
    flash(gettext("All clubs that take part have been asked: the list is up to date."), "good")
    return redirect(url_for("national.show", season=request.form.get("season") or None), 303)


@listed.get("/national.<kind>")
@Policy(MEMBER)
def file(kind: str) -> Response:
    """Send the list as a PDF for a notice board, or as a CSV or XLSX file."""
    chosen = _chosen()
    lines = _national().lines(chosen.season) or []
    if kind == "csv":
        data = as_csv(lines)
    elif kind == "xlsx":
        data = as_xlsx(lines)
    elif kind == "pdf":
        what = f"{gettext('Players of all clubs')}: {chosen.title}"
        data = as_pdf(f"{what}, {short_day(today())}", lines)
    else:
        abort(404, gettext("There is no such file. Lists end in pdf, csv or xlsx."))
    return sent(data, f"kongbox-national-{today().isoformat()}.{kind}")


def _national() -> National:
    return National(services().engine)


def set_up(app: Flask, found: Host) -> None:
    """Add the pages to the association's own application.

    Args:
        app: the application.
        found: the host of all clubs.
    """
    app.extensions[EXTENSION] = found
    app.register_blueprint(pages)
    app.register_blueprint(listed)
