"""The pages that let phones in and keep them out, show them the way, and stop Kongbox."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Final, ParamSpec, TypeVar
from urllib.parse import urlsplit

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
from flask_babel import gettext, lazy_gettext
from werkzeug.wrappers import Response

from webapp.pages.entry.accounts import typed_password
from webapp.runtime.data_folder import data_folder
from webapp.security.accounts import AccountRefused
from webapp.security.errors import hosted
from webapp.security.headers import NAMES, is_here, is_loopback, named_hosts
from webapp.security.limits import sender
from webapp.security.login import accounts, asks_who_you_are, begin_session, is_secretary
from webapp.security.policy import SECRETARY, Policy
from webapp.services import services
from webapp.serving import https
from webapp.serving.addresses import (
    page_address,
    phone_address,
    qr_svg,
    served_address,
    server_port,
)
from webapp.serving.letting_in import EXTENSION, LettingIn, NoWayIn

pages = Blueprint("phones", __name__)

_NOBODY_YET: Final = lazy_gettext(
    "Kongbox lets nobody in until its secretary has a password. On the computer "
    "itself, open Kongbox and choose “Let phones in”."
)
"""The message for other computers and phones as long as nobody has an account."""

_log = logging.getLogger(__name__)

_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")


def letting_in() -> LettingIn:
    """Whether phones are let in to the application that answers this request."""
    found: LettingIn = current_app.extensions[EXTENSION]
    return found


@pages.before_request
def refuse_hosted() -> None:
    """Answer that there is no computer in the hall to which phones could be let in."""
    if hosted():
        text = gettext(
            "This page lets phones in where Kongbox runs on a computer in the hall. Your "
            "club does not need it: every phone can open Kongbox at %(address)s.",
            address=root_to_send() + url_for("home.index").removeprefix("/"),
        )
        abort(404, text)


def may_let_in() -> bool:
    """Whether the sender of this request may let phones in and keep them out."""
    return not hosted() and is_secretary() and (asks_who_you_are() or is_here())


def may_stop() -> bool:
    """Whether the sender of this request sits at the computer itself and may stop Kongbox."""
    return letting_in().can_be_stopped and not hosted() and is_here() and is_secretary()


def _guarded(
    may: Callable[[], bool],
) -> Callable[[Callable[_Given, _Answer]], Callable[_Given, _Answer]]:
    """Make a view answer only those who may; others get status 403."""

    def guard(view: Callable[_Given, _Answer]) -> Callable[_Given, _Answer]:
        @wraps(view)
        def guarded(*args: _Given.args, **kwargs: _Given.kwargs) -> _Answer:
            if not may():
                abort(
                    403,
                    gettext("Only the secretary can do this, and only on the computer itself."),
                )
            return view(*args, **kwargs)

        return guarded

    return guard


def address_for_phones(chosen: str = "") -> str | None:
    """The address of the page for phones, as far as one is known; whatever a header says.

    Args:
        chosen: the address of this computer that was chosen, where it has several.
    """
    letting = letting_in()
    if letting.port is not None:
        return letting.address(chosen)
    here = phone_address(request.host, server_port(), named_hosts(), _scheme())
    return here or letting.from_the_start


def _scheme() -> str:
    """How phones open the page; on a computer in the hall a door of its own leads to https."""
    return request.scheme if hosted() else "http"


def root_to_send() -> str:
    """The address with which a link begins that is sent to others, who sit at no loopback one."""
    here = page_address(request.host, server_port(), named_hosts(), _scheme())
    alone = is_loopback(urlsplit(here).hostname or "")
    return (alone and letting_in().address()) or here


def _now() -> dict[str, object]:
    """What the page shows of this moment."""
    letting = letting_in()
    chosen = request.args.get("address", "")
    address = address_for_phones(chosen)
    port = letting.port
    found = letting.look() if port is not None else ()
    others = [(each, served_address(each.ip, port)) for each in found] if port is not None else []
    shown: dict[str, object] = {
        "address": address,
        "others": [(each, way) for each, way in others if way != address],
        "names": [served_address(name, port) for name in letting.names] if port else [],
        "name_failed": letting.name_failed,
        "phones": letting.phones,
        "chosen": chosen,
        "away": any(not each.likely for each in found),
    }
    seen = hashlib.sha256(repr(shown).encode()).hexdigest()[:16]
    secure = https.https().on
    return {
        **shown,
        "seen": f"{seen}{secure:d}",
        "secure": secure,
        "letting": letting,
        "may_let_in": may_let_in(),
    }


def _page(message: str | None = None) -> str:
    return render_template(
        "entry/phones.html",
        **_now(),
        first=not asks_who_you_are(),
        form=request.form,
        message=message,
    )


@pages.get("/phones")
@Policy(SECRETARY)
def show() -> str:
    """Show the address of the page for phones with its QR code, or the way to let them in."""
    return _page()


@pages.get("/phones/now")
@Policy(SECRETARY)
def now() -> Response:
    """Send what has changed since the page was shown; nothing where nothing has."""
    current = _now()
    if request.args.get("seen") == current["seen"]:
        return make_response("", 204)
    return make_response(render_template("entry/phones_now.html", **current))


@pages.get("/phones.svg")
@Policy(SECRETARY)
def code() -> Response:
    """Send the QR code of the address as an SVG picture."""
    address = address_for_phones(request.args.get("address", ""))
    if address is None:
        address = page_address(request.host, server_port(), named_hosts())
    response = make_response(qr_svg(https.https().door(address)))
    response.headers["Content-Type"] = "image/svg+xml"
    return response


@pages.post("/phones/in")
@Policy(SECRETARY)
@_guarded(may_let_in)
def let_in() -> Response:
    """Let phones in; where nobody has a password yet, the secretary gets one before that."""
    kept = accounts()
    if not kept.any():
        try:
            name = request.form.get("name", "")
            account = kept.add(name, "secretary", typed_password())
        except AccountRefused as refusal:
            return make_response(_page(str(refusal)), 400)
        begin_session(account)
    if request.form.get("https"):
        _encrypt()
    try:
        letting_in().open()
    except NoWayIn:
        flash(
            gettext(
                "Phones could not be let in, because other programs are using the ports Kongbox"
                " needs. Restart this computer, open Kongbox and try again."
            )
        )
    return redirect(url_for("phones.show"), 303)


@pages.post("/phones/https")
@Policy(SECRETARY)
@_guarded(may_let_in)
def switch() -> Response:
    """Switch https on or off, also for the next time that phones are let in."""
    if request.form.get("on") == "yes":
        _encrypt()
    else:
        https.https().turn_off()
        flash(gettext("The encrypted page is switched off. Phones carry on without it."), "good")
    return redirect(url_for("phones.show"), 303)


def _encrypt() -> None:
    """Switch https on for good, or tell that it cannot be."""
    try:
        https.https().turn_on(for_good=True)
    except https.NoHttps:
        _log.exception("https could not be switched on")
        flash(
            gettext(
                "The encrypted page could not be switched on, because this computer cannot make"
                " or store its certificate. Everything else works without it."
            )
        )


@pages.post("/phones/out")
@Policy(SECRETARY)
@_guarded(may_let_in)
def keep_out() -> Response:
    """Keep phones out."""
    letting_in().close()
    flash(gettext("Phones can no longer connect. Everything they entered is kept."), "good")
    return redirect(url_for("phones.show"), 303)


@pages.get("/stop")
@Policy(SECRETARY)
@_guarded(may_stop)
def ask_stop() -> str:
    """Show what stopping Kongbox means and ask for confirmation."""
    return render_template("entry/stop.html", letting=letting_in())


@pages.post("/stop")
@Policy(SECRETARY)
@_guarded(may_stop)
def stop() -> str:
    """Stop Kongbox and say farewell."""
    services().live.close()
    letting_in().stop()
    return render_template("entry/farewell.html")


def _meet() -> None:
    """Refuse other computers and phones as long as nobody has a password; note that one has come.

    The accounts may be taken away while the page is served.
    """
    letting = letting_in()
    if not letting.can_be_stopped or is_loopback(sender()) or request.endpoint == "static":
        return
    if not asks_who_you_are():
        abort(403, _NOBODY_YET)
    if request.blueprint != "api":
        letting.greet(sender())


def set_up(app: Flask, folder: Path | None) -> None:
    """Register the pages, and watch for phones that come.

    Args:
        app: the application.
        folder: where it is kept that phones are let in; None for the user's data folder.
    """
    place = folder or data_folder()
    letting = LettingIn(place)
    secure = https.Https(place / "https", announced=lambda: letting.names)
    app.extensions.update({EXTENSION: letting, https.EXTENSION: secure})
    app.extensions[NAMES] = lambda: letting.names
    app.register_blueprint(pages)
    app.before_request(_meet)
    app.jinja_env.globals.update(
        may_let_in=may_let_in, may_stop=may_stop, letting_in=letting_in, hosted=hosted
    )
