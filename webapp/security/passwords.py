"""How often a password may be tried, and how many are checked at once.

A try is counted before the password is looked at, so that many at once are no way around the limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Final

from flask_babel import lazy_gettext
from werkzeug.exceptions import ServiceUnavailable

MAX_TRIES: Final = 5
"""Maximum number of wrong passwords from one phone for the same name in :data:`WINDOW_S`."""

MAX_TRIES_FROM_ONE_PHONE: Final = 20
"""Maximum number of wrong passwords from one phone for any names in :data:`WINDOW_S`."""

WINDOW_S: Final = 900.0
"""How long a wrong password counts, in seconds."""

AT_ONCE: Final = 2
"""Maximum number of passwords that are checked at once; each takes 64 MB of memory."""

WAITING: Final = 3
"""Maximum number of passwords that wait to be checked; each keeps a thread of the server busy."""

BUSY_S: Final = 5
"""After how many seconds someone whose password could not even wait should try again."""

TOO_MANY_TRIES: Final = lazy_gettext(
    "Too many wrong passwords. Wait a quarter of an hour, or ask the secretary for a new password."
)
"""The message after too many wrong passwords."""

BUSY: Final = lazy_gettext(
    "Many people are logging in at the moment. Wait a few seconds and try again."
)
"""The message where too many passwords wait to be checked."""


class Turns:
    """Limits how many do costly work at once, and how many may wait to do it.

    Args:
        at_once: how many do it at once.
        waiting: how many may wait.
    """

    def __init__(self, at_once: int, waiting: int) -> None:
        self._room = BoundedSemaphore(at_once + waiting)
        self._work = BoundedSemaphore(at_once)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn and have it.

        Raises:
            ServiceUnavailable: too many wait already.
        """
        if not self._room.acquire(blocking=False):
            raise ServiceUnavailable(str(BUSY), retry_after=BUSY_S)
        try:
            with self._work:
                yield
        finally:
            self._room.release()
