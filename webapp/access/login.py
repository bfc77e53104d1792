"""Logging in and out, and what each role may reach.

As long as nobody has an account, the page is open: it then listens on this computer alone. From
the first account on, whoever enters something logs in; a table or a result can be looked at by
whoever was given its link, whose 128 random bits nobody guesses.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit

from flask import (
    Blueprint,
    Flask,
    Request,
    current_app,
    flash,
    g,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask.sessions import SecureCookieSessionInterface
from flask_babel import gettext, lazy_gettext
from flask_login import LoginManager, current_user, login_user, logout_user
from werkzeug.wrappers import Response

from webapp.access import limits
from webapp.access.accounts import Account, Accounts
from webapp.access.errors import TITLES, problem_response
from webapp.access.phones import phone_address, qr_svg

pages = Blueprint("login", __name__)

EXTENSION: Final = "kongbox-accounts"
SESSION_HOURS: Final = 12
"""An evening and what comes before and after it."""

_OPEN: Final = frozenset(
    {
        *("static", "login.show", "login.enter", "api.health", "api.ready"),
        *("display.show", "display.keep", "offline.page", "offline.worker"),
    }
)
_OPEN_PARTS: Final = frozenset({"learning", "quiz"})
"""The blueprints that newcomers use without a login; nothing of the club is in them."""

_BY_LINK: Final = frozenset(
    {
        *("games.show", "games.live", "hands.show", "result.show", "explain.why", "explain.rules"),
        *("shares.show", "shares.picture"),
    }
)
_SECRETARY: Final = frozenset({"login.phones", "login.phones_code"})
_SECRETARY_PARTS: Final = frozenset({"house_rules", "restoring"})
"""The blueprints that are the secretary's whole."""

_ANYBODY: Final = frozenset({"login.leave"})
_READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_WRONG: Final = lazy_gettext("That name and password do not belong together. Try again.")


class _Cookies(SecureCookieSessionInterface):
    """Cookies for https alone where the page is served by https."""

    def get_cookie_secure(self, app: Flask) -> bool:
        return request.is_secure or super().get_cookie_secure(app)


def accounts() -> Accounts:
    """The accounts of the application that answers this request."""
    found: Accounts = current_app.extensions[EXTENSION]
    return found


def asks_who_you_are() -> bool:
    """Whether anybody has an account; looked up once for a request."""
    if "kongbox_accounts" not in g:
        g.kongbox_accounts = accounts().any()
    return bool(g.kongbox_accounts)


@pages.app_template_global()
def may_enter() -> bool:
    """Whether whoever sent this request may enter things, not only look at them."""
    if not asks_who_you_are():
        return True
    return bool(current_user.is_authenticated and current_user.writes)


def _by_password(sent: Request) -> Account | None:
    """Who a program says it is, by HTTP Basic authentication."""
    given = sent.authorization
    if given is None or given.type != "basic":
        return None
    name = given.username or ""
    if limits.tries_used_up(name):
        g.kongbox_tries_used_up = True
        return None
    account = accounts().verify(name, given.password or "")
    if account is None:
        limits.count_wrong_password(name)
    return account


def _refusal(status: int, detail: str) -> Response:
    if request.path.startswith("/api/"):
        response = problem_response(status, detail)
        if status == 401:
            response.headers["WWW-Authenticate"] = 'Basic realm="Kongbox", charset="UTF-8"'
        return response
    if status == 401 and "HX-Request" in request.headers:
        response = make_response("", 401)
        response.headers["HX-Redirect"] = url_for("login.show")
        return response
    if status == 401:
        wanted = request.full_path.rstrip("?") if request.method in _READS else None
        return redirect(url_for("login.show", next=wanted), 303)
    title = str(TITLES.get(status) or gettext("Not allowed"))
    page = render_template("error.html", title=title, detail=detail, status=status)
    return make_response(page, status)


def _who_are_you() -> Response:
    if g.get("kongbox_tries_used_up"):
        return _refusal(429, str(limits.TOO_MANY_TRIES))
    return _refusal(401, gettext("Log in first: this page belongs to a club."))


def _gate() -> Response | None:
    """Let through what the role may reach; anything not named here needs a login."""
    endpoint = request.endpoint
    anybody = endpoint is None or endpoint in _OPEN or request.blueprint in _OPEN_PARTS
    if anybody or not asks_who_you_are():
        return None
    reads = request.method in _READS
    if not current_user.is_authenticated:
        return None if reads and endpoint in _BY_LINK else _who_are_you()
    theirs = endpoint in _SECRETARY or request.blueprint in _SECRETARY_PARTS
    if theirs and current_user.role != "secretary":
        return _refusal(403, gettext("Only the secretary can do this."))
    if not reads and endpoint not in _ANYBODY and not current_user.writes:
        return _refusal(403, gettext("Guests can look at everything; a scorer can enter it."))
    return None


def _inside(target: str) -> str:
    """The address to go on to after the login, if it is one of this page's own."""
    parts = urlsplit(target)
    own = not parts.scheme and not parts.netloc and target.startswith("/")
    safe = own and not target.startswith(("//", "/\\")) and "\\" not in target
    return target if safe else url_for("home.index")


@pages.get("/login")
def show() -> str:
    """Who are you?"""
    return render_template("club/login.html", next=request.args.get("next", ""), message=None)


def enter() -> Response:
    """Log in."""
    name = request.form.get("name", "")
    account = accounts().verify(name, request.form.get("password", ""))
    wanted = request.form.get("next", "")
    if account is None:
        page = render_template("club/login.html", next=wanted, message=_WRONG, name=name[:60])
        return make_response(page, 401)
    begin_session(account)
    return redirect(_inside(wanted), 303)


def begin_session(account: Account) -> None:
    """Log somebody in; whatever the session held before is gone, its forms' token too."""
    session.clear()
    session.permanent = True
    login_user(account)


@pages.post("/logout")
def leave() -> Response:
    """Log out."""
    logout_user()
    session.clear()
    flash(gettext("You are logged out."))
    return redirect(url_for("login.show"), 303)


@pages.get("/phones")
def phones() -> str:
    """The page's address for the phones in the room, with its QR code."""
    return render_template("club/phones.html", address=phone_address(request.host))


@pages.get("/phones.svg")
def phones_code() -> Response:
    """The QR code of the address, as a picture."""
    address = phone_address(request.host)
    response = make_response(qr_svg(address or request.host_url))
    response.headers["Content-Type"] = "image/svg+xml"
    return response


def set_up(app: Flask, kept: Accounts) -> None:
    """Ask for a login where there are accounts; after all other pages were registered."""
    app.extensions[EXTENSION] = kept
    app.config["PERMANENT_SESSION_LIFETIME"] = timedelta(hours=SESSION_HOURS)
    app.session_interface = _Cookies()
    manager = LoginManager(app)
    manager.session_protection = "basic"
    manager.user_loader(kept.remembered)
    manager.request_loader(_by_password)
    app.register_blueprint(pages)
    limits.set_up(app, enter)
    app.before_request(_gate)
