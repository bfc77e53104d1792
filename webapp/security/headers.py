"""Protection of the page: allowed hosts, cross-site requests, headers, the signing key."""

from __future__ import annotations

import ipaddress
import os
import secrets
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from flask import Flask, Response, abort, current_app, request
from flask_babel import gettext

from webapp.security.policy import current

SECRET_BYTES: Final = 32
"""Length of the key that signs the session cookie, in bytes."""

HOSTS: Final = "KONGBOX_HOSTS"
"""Environment variable with further names under which the page is reached."""

NAMES: Final = "kongbox-names"
"""The key of the application's extensions under which it finds its announced names."""

_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
"""The HTTP methods that change nothing, which other sites may use too."""


SENT_ON: Final = "kongbox.sent_on"
"""The key of the WSGI environment that is true where a proxy said that it sends for someone."""

SENT_ON_BY: Final = frozenset(
    {
        *("HTTP_FORWARDED", "HTTP_VIA", "HTTP_X_REAL_IP", "HTTP_X_FORWARDED"),
        *("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PROTO"),
        *("HTTP_X_FORWARDED_BY", "HTTP_X_FORWARDED_PORT", "HTTP_X_CLIENT_IP"),
    }
)
"""The headers, as keys of the WSGI environment, by which proxies say that they do.

The server takes some of them away before the page sees them, since it trusts no proxy.
"""


def is_loopback(host: str) -> bool:
    """Whether a server that listens on this host can only be reached from this computer."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def content_security_policy(*reached: str) -> str:
    """The content security policy: everything comes from this page itself.

    Args:
        reached: further addresses that scripts of the page may ask.
    """
    connect = " ".join(["; connect-src 'self'", *reached]) if reached else ""
    return (
        "default-src 'self'; img-src 'self' blob: data:; object-src 'none'; "
        f"frame-ancestors 'none'; base-uri 'none'; form-action 'self'{connect}"
    )


def secret_key(folder: Path) -> bytes:
    """The signing key from the folder; on the first start it is made at random with mode 0600."""
    path = folder / "secret.key"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        key = path.read_bytes()
        if len(key) >= SECRET_BYTES:
            return key
        key = secrets.token_bytes(SECRET_BYTES)
        path.write_bytes(key)
        return key
    key = secrets.token_bytes(SECRET_BYTES)
    with os.fdopen(descriptor, "wb") as file:
        file.write(key)
    return key


def host_allowed(host: str, extra: frozenset[str] = frozenset()) -> bool:
    """Whether a Host header names this computer: by an IP address, its own name or a given one.

    This defeats DNS rebinding: another site can let its domain point to this computer, but that
    domain is not one of these names.

    Args:
        host: the value of the Host header.
        extra: further names that are allowed.
    """
    name = (urlsplit(f"//{host}").hostname or "").rstrip(".").lower()
    try:
        ipaddress.ip_address(name)
    except ValueError:
        own = socket.gethostname().lower()
        known = {"localhost", own, own.split(".")[0], f"{own.split('.')[0]}.local"}
        return name in known | extra
    return True


def named_hosts() -> frozenset[str]:
    """The names under which Kongbox was told to answer, beside this computer's own."""
    return frozenset(os.environ.get(HOSTS, "").lower().split())


def announced_names() -> frozenset[str]:
    """The names under which this computer has announced Kongbox in its network."""
    found: Callable[[], frozenset[str]] = current_app.extensions[NAMES]
    return found()


def is_here() -> bool:
    """Whether someone at this computer itself asks: not over a network, and not by a proxy."""
    name = urlsplit(f"//{request.host}").hostname or ""
    sent_on = request.environ.get(SENT_ON, False)
    return not sent_on and is_loopback(request.remote_addr or "") and is_loopback(name)


def _same_site() -> bool:
    """Whether the request comes from this page itself or from a program other than a browser."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == request.host


def _guard() -> None:
    known = named_hosts() | announced_names()
    if not current().any_host and not host_allowed(request.host, known):
        abort(
            400,
            gettext(
                "Kongbox does not answer at this address. Use the one shown on the Kongbox "
                "computer under “Open Kongbox on a phone”."
            ),
        )
    if request.method not in _SAFE_METHODS and not _same_site():
        abort(403, gettext("This was sent by another website. Open Kongbox itself and try again."))


def _headers(response: Response) -> Response:
    headers = response.headers
    headers.setdefault("Content-Security-Policy", content_security_policy())
    headers.setdefault("X-Frame-Options", "DENY")
    headers.setdefault("X-Content-Type-Options", "nosniff")
    headers.setdefault("Referrer-Policy", "same-origin")
    headers.setdefault("Permissions-Policy", "camera=(self)")
    if request.is_secure or is_here():
        headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    asked_to_keep = "Cache-Control" in headers and not response.cache_control.public
    if request.endpoint != "static" and not asked_to_keep:
        headers["Cache-Control"] = "no-store"
    return response


def protect(app: Flask, key: bytes) -> None:
    """Set the cookies and headers of the application and check every request.

    Args:
        app: the application.
        key: the key that signs its session cookie.
    """
    app.config.update(
        SECRET_KEY=key,
        SESSION_COOKIE_NAME="kongbox",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
    )
    app.extensions[NAMES] = frozenset
    app.before_request(_guard)
    app.after_request(_headers)
