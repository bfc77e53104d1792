"""How much one phone may send in a minute.

The counts are kept in memory, because a single process serves the page, and by a clock that never
jumps, so that nobody is kept out because the computer's own was set.
"""

from __future__ import annotations

import ipaddress
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial, wraps
from threading import Lock
from typing import Any, Final

from flask import Flask, request
from flask_babel import lazy_gettext
from werkzeug.exceptions import TooManyRequests

from webapp.clock import seconds
from webapp.door.bodies import WITHHELD

UPLOADS: Final = 30
"""Maximum number of times in a minute that a phone sends files to one view or has photos read."""

SCORES: Final = 120
"""Maximum number of deals that a program has scored in a minute."""

ENTRIES: Final = 300
"""Maximum number of forms that a phone sends in a minute; quick taps on the keyboard are 100."""

MINUTE_S: Final = 60.0
"""How long what was sent counts, in seconds."""

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


@dataclass
class Counts:
    """How often each phone sent each kind of thing in the last :data:`MINUTE_S`.

    Attributes:
        clock: tells the time in seconds; it never jumps.
    """

    clock: Callable[[], float] = seconds
    _sent: deque[tuple[float, str]] = field(default_factory=deque)
    _counts: Counter[str] = field(default_factory=Counter)
    _lock: Lock = field(default_factory=Lock)

    def take(self, kind: str, most: int) -> None:
        """Count something that the sender of this request sends.

        Args:
            kind: what is sent.
            most: how often it may be sent in the time that counts.

        Raises:
            TooManyRequests: it was sent as often; this time is not counted.
        """
        key = f"{sender()} {kind}"
        with self._lock:
            now = self.clock()
            while self._sent and self._sent[0][0] <= now - MINUTE_S:
                self._counts[self._sent.popleft()[1]] -= 1
            self._counts = +self._counts
            if self._counts[key] >= most:
                raise TooManyRequests(str(TOO_MUCH), retry_after=round(MINUTE_S))
            self._sent.append((now, key))
            self._counts[key] += 1


def sender() -> str:
    """The address of the phone or program that sends this request."""
    return request.remote_addr or "127.0.0.1"


def _this_computer() -> bool:
    try:
        return ipaddress.ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False


def _count_entry(counts: Counts) -> None:
    asked_first = bool(request.environ.get(WITHHELD))
    if not (asked_first or request.method in _READS or _this_computer()):
        counts.take("entry", ENTRIES)


def _bounded(view: Callable[..., Any], counts: Counts, endpoint: str, most: int) -> Any:  # noqa: ANN401
    @wraps(view)
    def bounded(**values: Any) -> Any:  # noqa: ANN401 - whatever the view takes and answers
        if not _this_computer():
            counts.take(endpoint, most)
        return view(**values)

    return bounded


def set_up(app: Flask) -> None:
    """Limit how much one phone can send in a minute.

    Args:
        app: the application, after all views were registered.
    """
    counts = Counts()
    app.before_request(partial(_count_entry, counts))
    for endpoint in sorted(UPLOADING | {"api.scores"}):
        most = SCORES if endpoint == "api.scores" else UPLOADS
        view = app.view_functions[endpoint]
        app.view_functions[endpoint] = _bounded(view, counts, endpoint, most)
