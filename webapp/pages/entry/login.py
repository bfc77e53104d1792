"""The pages for logging in and out."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from flask import (
    Blueprint,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_babel import gettext, lazy_gettext
from werkzeug.wrappers import Response

from webapp.security.login import account_with, begin_session, end_session
from webapp.security.policy import ANYBODY, MEMBER, Policy

pages = Blueprint("login", __name__)

_WRONG: Final = lazy_gettext("That name or password is wrong. Try again.")
"""The message after a wrong name or password."""


def _inside(target: str) -> str:
    """The address to go on to after the login: the target if it is a page of this application."""
    parts = urlsplit(target)
    own = not parts.scheme and not parts.netloc and target.startswith("/")
    safe = own and not target.startswith(("//", "/\\")) and "\\" not in target
    return target if safe else url_for("home.index")


@pages.get("/login")
@Policy(ANYBODY)
def show() -> str:
    """Show the form for a name and a password."""
    return render_template("entry/login.html", next=request.args.get("next", ""), message=None)


@pages.post("/login")
@Policy(ANYBODY, once=False)
def enter() -> Response:
    """Log in with the name and password that were sent."""
    name = request.form.get("name", "")
    account = account_with(name, request.form.get("password", ""), forgive=True)
    wanted = request.form.get("next", "")
    if account is None:
        page = render_template("entry/login.html", next=wanted, message=_WRONG, name=name[:60])
        return make_response(page, 401)
    begin_session(account)
    return redirect(_inside(wanted), 303)


@pages.post("/logout")
@Policy(MEMBER, once=False)
def leave() -> Response:
    """Log out and go back to the login."""
    end_session()
    flash(gettext("You are logged out."))
    return redirect(url_for("login.show"), 303)
