"""How phones are told to trust this computer, and the door that leads those that do to https."""

from __future__ import annotations

import hashlib
import plistlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit
from uuid import NAMESPACE_OID, uuid5

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from webapp.pages.entry.phones import refuse_hosted
from webapp.security.errors import hosted
from webapp.security.headers import announced_names, content_security_policy, named_hosts
from webapp.security.policy import ANYBODY, Policy
from webapp.serving.addresses import page_address, server_port
from webapp.serving.https import https

if TYPE_CHECKING:
    from webapp.serving.certificates import Authority

pages = Blueprint("trust", __name__)
pages.before_request(refuse_hosted)

DEVICES: Final = {
    "iphone": ("iPhone", "iPad", "iPod"),
    "android": ("Android",),
    "windows": ("Windows",),
    "mac": ("Macintosh",),
}
"""By which words of its browser a device is told; an iPad may call itself a Macintosh."""


@pages.app_template_global()
def by_https() -> str | None:
    """The address of the page by https for the sender of this request.

    Where the authority may not vouch for the address that was opened, it is one by name.

    Returns:
        None if https is off, or is not to be had here.
    """
    authority = None if hosted() else https().authority
    if authority is None:
        return None
    asked = [_host(), *sorted(_names())]
    host = next(filter(authority.covers, asked), None)
    if host is None:
        return None
    return f"https://{f'[{host}]' if ':' in host else host}:{server_port()}/"


def _names() -> frozenset[str]:
    """The names under which the page is reached."""
    return named_hosts() | announced_names()


def _host() -> str:
    """The address or name of this computer that the sender of this request has opened."""
    return urlsplit(page_address(request.host, server_port(), _names())).hostname or ""


def _uncovered() -> str | None:
    """The address that was opened, if the authority may not vouch for it."""
    authority, host = https().authority, _host()
    return host if authority is not None and not authority.covers(host) else None


def _device() -> str:
    """The kind of device that asks; empty if it is none that is known."""
    told = request.headers.get("User-Agent", "")
    named = (kind for kind, words in DEVICES.items() if any(word in told for word in words))
    return next(named, "")


@pages.get("/trust")
@Policy(ANYBODY)
def show() -> Response:
    """Show how this device is told to trust this computer, and whether it does."""
    return _asking_by_https(
        lambda address: render_template(
            "entry/trust.html",
            authority=https().authority,
            address=address,
            uncovered=_uncovered(),
            device=_device(),
        )
    )


@pages.get("/enter")
@Policy(ANYBODY)
def enter() -> Response:
    """Lead on: a device that trusts this computer to https, any other to http.

    The QR code for phones leads here: see :meth:`webapp.serving.https.Https.door`.
    """
    if request.is_secure or by_https() is None:
        return redirect(url_for("home.index"), 303)
    return _asking_by_https(lambda address: render_template("entry/enter.html", address=address))


@pages.get("/trust/kongbox.crt")
@Policy(ANYBODY)
def certificate() -> Response:
    """Send what Android, Windows and Macs are told to trust."""
    answer = _file(_authority().der, "application/x-x509-ca-cert")
    answer.headers["Content-Disposition"] = "attachment; filename=kongbox.crt"
    return answer


@pages.get("/trust/kongbox.mobileconfig")
@Policy(ANYBODY)
def profile() -> Response:
    """Send the same in the form in which iPhones and iPads take it."""
    return _file(_profile(_authority()), "application/x-apple-aspen-config")


def _asking_by_https(rendered: Callable[[str | None], str]) -> Response:
    """A page that may ask, by https, whether this device trusts this computer."""
    address = by_https()
    answer = make_response(rendered(address))
    if address is not None:
        answer.headers["Content-Security-Policy"] = content_security_policy(address)
    return answer


def _authority() -> Authority:
    found = https().authority
    if found is None:
        abort(
            404,
            gettext("There is nothing to trust yet, because the encrypted page is switched off."),
        )
    return found


def _file(content: bytes, kind: str) -> Response:
    answer = make_response(content)
    answer.headers["Content-Type"] = kind
    return answer


def _profile(authority: Authority) -> bytes:
    """A profile with one root certificate; made again it replaces itself."""
    made = hashlib.sha256(authority.der).hexdigest()
    common = {"PayloadVersion": 1, "PayloadOrganization": "Kongbox"}
    root = common | {
        "PayloadType": "com.apple.security.root",
        "PayloadIdentifier": f"kongbox.{made[:16]}.root",
        "PayloadUUID": str(uuid5(NAMESPACE_OID, f"root {made}")).upper(),
        "PayloadDisplayName": authority.name,
        "PayloadCertificateFileName": "kongbox.crt",
        "PayloadContent": authority.der,
    }
    return plistlib.dumps(
        common
        | {
            "PayloadType": "Configuration",
            "PayloadIdentifier": f"kongbox.{made[:16]}",
            "PayloadUUID": str(uuid5(NAMESPACE_OID, made)).upper(),
            "PayloadDisplayName": authority.name,
            "PayloadDescription": gettext(
                "Lets this device trust the Kongbox computer on its own Wi-Fi."
            ),
            "PayloadContent": [root],
        }
    )
