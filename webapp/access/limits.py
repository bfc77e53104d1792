"""Rate limits for passwords, photos and entries, counted for each phone.

The counts are kept in memory, because a single process serves the page.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from typing import Any, Final

from flask import Flask, current_app, request
from flask_babel import lazy_gettext
from flask_limiter import Limiter, RateLimitExceeded
from flask_limiter.util import get_remote_address
from limits import parse
from limits.strategies import RateLimiter
from werkzeug.wrappers import Response

from webapp.access.errors import answer

EXTENSION: Final = "kongbox-limits"
"""The key of the application's extensions under which the rate limiter is kept."""

TRIES: Final = "5 per 15 minutes"
"""How often a phone may give a wrong password for the same name."""

TRIES_FROM_ONE_PHONE: Final = "20 per 15 minutes"
"""How often a phone may give a wrong password for any name."""

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

TOO_MANY_TRIES: Final = lazy_gettext(
    "The password was wrong too often. Wait a quarter of an hour, or ask the secretary for a new "
    "password."
)
"""The message after too many wrong passwords."""

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
    return request.method in _READS or _this_computer()


def _key(name: str) -> str:
    return f"{get_remote_address()} {name.strip().casefold()[:60]}"


def _who_tries() -> str:
    return _key(request.form.get("name", ""))


def _failed(response: Response) -> bool:
    return response.status_code == 401


def _strategy() -> RateLimiter:
    found: Limiter = current_app.extensions[EXTENSION]
    return found.limiter


def tries_used_up(name: str) -> bool:
    """Whether the sender of this request has given too many wrong passwords as a program."""
    given, phone = parse(TRIES), parse(TRIES_FROM_ONE_PHONE)
    strategy = _strategy()
    here = get_remote_address()
    return not (strategy.test(given, "program", _key(name)) and strategy.test(phone, "from", here))


def count_wrong_password(name: str) -> None:
    """Count a wrong password that a program gave."""
    strategy = _strategy()
    strategy.hit(parse(TRIES), "program", _key(name))
    strategy.hit(parse(TRIES_FROM_ONE_PHONE), "from", get_remote_address())


def _too_often(error: RateLimitExceeded) -> Response:
    return answer(429, str(error.limit.error_message or TOO_MUCH))


def set_up(app: Flask, enter: Callable[[], Response]) -> None:
    """Limit how often passwords can be tried, and how much one phone can send in a minute.

    Args:
        app: the application, after all other views were registered.
        enter: the view that takes a name and a password.
    """
    limiter = Limiter(
        get_remote_address,
        app=app,
        storage_uri="memory://",
        application_limits=[ENTRIES],
        application_limits_exempt_when=_enters_nothing,
    )
    app.extensions[EXTENSION] = limiter
    app.register_error_handler(RateLimitExceeded, _too_often)
    tries = limiter.limit(
        TRIES, key_func=_who_tries, deduct_when=_failed, error_message=TOO_MANY_TRIES
    )
    phone = limiter.limit(TRIES_FROM_ONE_PHONE, deduct_when=_failed, error_message=TOO_MANY_TRIES)
    app.add_url_rule("/login", "login.enter", phone(tries(enter)), methods=["POST"])
    for endpoint in sorted(UPLOADING | {"api.scores"}):
        view: Any = app.view_functions[endpoint]
        allowed = SCORES if endpoint == "api.scores" else UPLOADS
        bounded: Any = limiter.limit(allowed, exempt_when=_this_computer, error_message=TOO_MUCH)
        app.view_functions[endpoint] = bounded(view)
