"""Who sends a request, and what each role may reach.

As long as nobody has an account, the page is open: it then listens on this computer only. As soon
as there is an account, people log in before they enter anything. A table or a result can still be
seen without a login by anybody who was given its link, which holds 128 random bits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from flask import (
    Flask,
    Request,
    current_app,
    g,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from flask_babel import gettext
from flask_login import LoginManager, current_user, login_user, logout_user
from werkzeug.exceptions import HTTPException, TooManyRequests
from werkzeug.wrappers import Response

from webapp.runtime.counts import Counts, CountsOf, in_memory
from webapp.security import limits
from webapp.security.accounts import COOKIE_KEPT, Account, Accounts
from webapp.security.bodies import ADMITTED, Admitted
from webapp.security.errors import TITLES, problem_response
from webapp.security.limits import sender
from webapp.security.passwords import MAX_TRIES, MAX_TRIES_FROM_ONE_PHONE, TOO_MANY_TRIES, WINDOW_S
from webapp.security.policy import ANYBODY, HALL, LINK, SCORER, SECRETARY, Access, current

EXTENSION: Final = "kongbox-accounts"
"""The key of the application's extensions under which the accounts are kept."""

TRIES: Final = "kongbox-tries"
"""The key of the application's extensions under which the wrong passwords are counted."""

_READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
"""The HTTP methods that change nothing."""


_BY_HTTPS: Final = "__Host-"
"""The beginning of the session cookie's name where the page is opened by https. Browsers take such
a cookie by https alone, for one host and all of it; and keep it beside that for http."""


class _Cookies(SecureCookieSessionInterface):
    """Session cookies: one for https, which http neither sees nor replaces, and one for http.

    They have no age of their own, because this computer's clock may be set: logins have one.
    """

    def get_cookie_name(self, app: Flask) -> str:
        name = super().get_cookie_name(app)
        return f"{_BY_HTTPS}{name}" if request.is_secure else name

    def get_cookie_secure(self, app: Flask) -> bool:
        return request.is_secure or super().get_cookie_secure(app)

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        serializer = self.get_signing_serializer(app)
        sent = request.cookies.get(self.get_cookie_name(app), "")
        if serializer is None:
            return None
        signed, held = serializer.loads_unsafe(sent)
        return self.session_class(held) if signed else self.session_class()


def accounts() -> Accounts:
    """The accounts of the application that answers this request."""
    found: Accounts = current_app.extensions[EXTENSION]
    return found


def asks_who_you_are() -> bool:
    """Whether anybody has an account, so that a login is needed; looked up once per request."""
    if "kongbox_accounts" not in g:
        g.kongbox_accounts = accounts().any()
    return bool(g.kongbox_accounts)


def may_enter() -> bool:
    """Whether the sender of this request may enter things, not only look at them."""
    if not asks_who_you_are():
        return True
    return bool(current_user.is_authenticated and current_user.writes)


def is_secretary() -> bool:
    """Whether a secretary asks; where nobody has an account, everybody counts as one."""
    return not asks_who_you_are() or (
        current_user.is_authenticated and current_user.role == "secretary"
    )


def account_with(name: str, password: str, *, forgive: bool = False) -> Account | None:
    """The account with a name and password that were sent; None if one of them is wrong.

    Args:
        name: the name.
        password: the password.
        forgive: whether a right password takes back the wrong ones that the same phone gave for
            this name before, as after a slip of the fingers.

    Raises:
        TooManyRequests: the sender has given too many wrong passwords; this one is not looked at.
        ServiceUnavailable: too many passwords wait to be checked already.
    """
    tries: Counts = current_app.extensions[TRIES]
    here = sender()
    named = f"{here} {accounts().password_of(name)}"
    taken = tries.take({named: MAX_TRIES, here: MAX_TRIES_FROM_ONE_PHONE})
    if taken is None:
        raise TooManyRequests(str(TOO_MANY_TRIES), retry_after=round(WINDOW_S))
    try:
        account = accounts().verify(name, password)
    except HTTPException:
        tries.give_back(taken)
        raise
    if account is not None and forgive:
        tries.forgive(named)
    elif account is not None:
        tries.give_back(taken)
    return account


def _by_password(sent: Request) -> Account | None:
    """The account that a program names by HTTP Basic authentication, if its password is right."""
    given = sent.authorization
    if given is None or given.type != "basic":
        return None
    admitted: Admitted | None = sent.environ.get(ADMITTED)
    if admitted is not None:
        return admitted.program if isinstance(admitted.program, Account) else None
    try:
        account = account_with(given.username or "", given.password or "")
    except HTTPException as unchecked:
        g.kongbox_unchecked = unchecked
        return None
    g.kongbox_program = account
    return account


def _refusal(status: int, detail: str) -> Response:
    """Refuse the request in the form that its sender can use: JSON, a redirect or a page."""
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
    """Ask for a login, or say why the password that was sent could not be checked."""
    if "kongbox_unchecked" in g:
        raise g.kongbox_unchecked
    return _refusal(401, gettext("Log in first: this page belongs to a club."))


def _shown_to_strangers(
    access: Access, closed: Callable[[str], bool], hall_open: Callable[[], bool]
) -> bool:
    """Whether a stranger who has the address may see what the request asks for."""
    deal = (request.view_args or {}).get("deal_id")
    by_link = access is LINK and not (deal is not None and closed(deal))
    return by_link or (access is HALL and hall_open())


def _gate(closed: Callable[[str], bool], hall_open: Callable[[], bool]) -> Response | None:
    """Refuse what the sender's role may not reach; None lets the request through."""
    access = current().access
    if access is ANYBODY or not asks_who_you_are():
        return None
    reads = request.method in _READS
    if not current_user.is_authenticated:
        shown = reads and _shown_to_strangers(access, closed, hall_open)
        return None if shown else _who_are_you()
    if access is SECRETARY and current_user.role != "secretary":
        return _refusal(403, gettext("Only the secretary can do this."))
    if access is SCORER and not reads and not current_user.writes:
        return _refusal(
            403, gettext("Guests can see everything, but only a scorer can enter this.")
        )
    return None


def begin_session(account: Account) -> None:
    """Log someone in with a fresh session; the old one's content and CSRF token are dropped."""
    end_session()
    session.permanent = True
    login_user(accounts().begin_login(account))


def end_session() -> None:
    """Log the sender of this request out here and on the server, and forget the session."""
    if current_user.is_authenticated and current_user.login:
        accounts().end_login(current_user.get_id())
    logout_user()
    session.clear()


def stay(account_id: str) -> None:
    """Log the sender of this request in again, whose own change ended all logins of an account.

    Args:
        account_id: the account that was changed; nothing is done if it is someone else's.
    """
    if current_user.is_authenticated and current_user.id == account_id:
        kept = accounts()
        login_user(kept.begin_login(kept.account(account_id)))


def set_up(
    app: Flask,
    kept: Accounts,
    closed: Callable[[str], bool],
    hall_open: Callable[[], bool],
    counts: CountsOf = in_memory,
) -> None:
    """Ask for a login as soon as there are accounts.

    Args:
        app: the application, after all pages were registered.
        kept: the accounts of the people who may log in.
        closed: whether the deal with this id is closed to strangers, who may have its address.
        hall_open: whether the club lets strangers see the display in the hall.
        counts: makes what counts wrong passwords, and what each phone sends.
    """
    app.extensions[EXTENSION] = kept
    app.extensions[TRIES] = counts("passwords", WINDOW_S)
    app.config["PERMANENT_SESSION_LIFETIME"] = COOKIE_KEPT
    app.session_interface = _Cookies()
    manager = LoginManager(app)
    manager.session_protection = "basic"
    manager.user_loader(kept.remembered)
    manager.request_loader(_by_password)
    app.jinja_env.globals.update(may_enter=may_enter, is_secretary=is_secretary)
    limits.set_up(app, counts("sent", limits.MINUTE_S))
    app.before_request(partial(_gate, closed, hall_open))
