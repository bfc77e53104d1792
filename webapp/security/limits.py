"""How much one phone may send in a minute: photos, frames, files, entries, deals of programs."""

from __future__ import annotations

import ipaddress
from typing import Final

from flask import Flask, request
from flask_babel import lazy_gettext
from werkzeug.exceptions import TooManyRequests

from webapp.runtime.counts import Counts
from webapp.security.bodies import ADMITTED
from webapp.security.policy import Rate, current

UPLOADS: Final = Rate(30)
"""How often a phone sends files to one view or has photos read."""

SCORES: Final = Rate(120)
"""How often a program has deals scored."""

LOOKS: Final = Rate(180, is_entry=False)
"""How often a phone has frames of the live picture looked at; the page sends at most 150."""

ENTRIES: Final = 300
"""Maximum number of forms that a phone sends in a minute; quick taps on the keyboard are 100."""

MINUTE_S: Final = 60.0
"""How long what was sent counts, in seconds."""

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
        rate, most = current().rate, {}
        if rate is None or rate.is_entry:
            most[sender()] = ENTRIES
        if rate is not None:
            most[f"{sender()} {request.endpoint}"] = rate.per_minute
        if sent.take(most) is None:
            raise TooManyRequests(str(TOO_MUCH), retry_after=round(MINUTE_S))

    app.before_request(count)
