"""How much one phone may send in a minute: photos, frames, files, entries, deals of programs."""

from __future__ import annotations

import ipaddress
from typing import Final

from flask import Flask, request
from flask_babel import lazy_gettext
from werkzeug.exceptions import TooManyRequests

from webapp.runtime.counts import Counts
from webapp.security.bodies import ADMITTED, LIMITS

UPLOADS: Final = 30
"""Maximum number of times in a minute that a phone sends files to one view or has photos read."""

SCORES: Final = 120
"""Maximum number of deals that a program has scored in a minute."""

LOOKS: Final = 180
"""Maximum number of frames of the live picture that a phone has looked at in a minute; the page
sends at most 150."""

ENTRIES: Final = 300
"""Maximum number of forms that a phone sends in a minute; quick taps on the keyboard are 100."""

MINUTE_S: Final = 60.0
"""How long what was sent counts, in seconds."""

UPLOADING: Final = frozenset(LIMITS) - {"api.camera", "api.scores", "cameras.look"} | {
    "capture.sample",
    "home.demo",
}
"""The views that accept files or have photos read; a camera tells what it sees all the time,
and of the live picture nothing is stored."""

TOO_MUCH: Final = lazy_gettext(
    "Too many requests in one minute. Nothing is lost: wait a little and try again."
)
"""The message after too many requests."""

_READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
"""The HTTP methods that change nothing."""


def sender() -> str:
    """The address of the phone or program that sends this request."""
    return request.remote_addr or "127.0.0.1"


def _this_computer() -> bool:
    try:
        return ipaddress.ip_address(sender()).is_loopback
    except ValueError:
        return False


def set_up(app: Flask, sent: Counts) -> None:
    """Limit how much one phone can send in a minute.

    Args:
        app: the application, before anything that reads forms was set up.
        sent: counts what each phone sends, within :data:`MINUTE_S`.
    """

    def count() -> None:
        counted_before = request.environ.get(ADMITTED) is not None
        if counted_before or request.method in _READS or _this_computer():
            return
        most = {sender(): ENTRIES}
        if request.endpoint == "cameras.look":
            most = {f"{sender()} {request.endpoint}": LOOKS}
        elif request.endpoint in UPLOADING:
            most[f"{sender()} {request.endpoint}"] = UPLOADS
        elif request.endpoint == "api.scores":
            most[f"{sender()} {request.endpoint}"] = SCORES
        if sent.take(most) is None:
            raise TooManyRequests(str(TOO_MUCH), retry_after=round(MINUTE_S))

    app.before_request(count)
