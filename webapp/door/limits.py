"""Rate limits for photos and entries, counted for each phone.

The counts are kept in memory, because a single process serves the page.
"""

from __future__ import annotations

import ipaddress
from typing import Any, Final

from flask import Flask, request
from flask_babel import lazy_gettext
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

from webapp.door.bodies import WITHHELD

UPLOADS: Final = "30 per minute"
"""How often a phone may send files or have photos read."""

SCORES: Final = "120 per minute"
"""How often a program may have a deal scored."""

ENTRIES: Final = "300 per minute"
"""How often a phone may send anything else; quick taps on the tile keyboard come to about 100."""

UPLOADING: Final = frozenset(
    {
        *("capture.send", "capture.sample", "another.send", "whole.send", "whole.send_each"),
        *("home.demo", "sets.begin", "sets.upload", "house_rules.upload", "api.readings"),
        "restoring.upload",
    }
)
"""The views that accept files or have photos read."""

TOO_MUCH: Final = lazy_gettext(
    "That was too much in one minute. Nothing is lost: wait a little and try again."
)
"""The message after too many requests of another kind."""

_READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
"""The HTTP methods that change nothing."""


def _this_computer() -> bool:
    try:
        return ipaddress.ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False


def _enters_nothing() -> bool:
    asked_first = bool(request.environ.get(WITHHELD))
    return asked_first or request.method in _READS or _this_computer()


def set_up(app: Flask) -> None:
    """Limit how much one phone can send in a minute.

    Args:
        app: the application, after all views were registered.
    """
    limiter = Limiter(
        get_remote_address,
        app=app,
        storage_uri="memory://",
        application_limits=[ENTRIES],
        application_limits_exempt_when=_enters_nothing,
    )
    for endpoint in sorted(UPLOADING | {"api.scores"}):
        view: Any = app.view_functions[endpoint]
        allowed = SCORES if endpoint == "api.scores" else UPLOADS
        bounded: Any = limiter.limit(allowed, exempt_when=_this_computer, error_message=TOO_MUCH)
        app.view_functions[endpoint] = bounded(view)
