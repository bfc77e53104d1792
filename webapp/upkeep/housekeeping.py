"""The work that the server does every hour: deleting old photos, counting hands, and the like."""

from __future__ import annotations

import logging
from threading import Event, Thread
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from scorer import GameError
from webapp.book.book import ClubBook
from webapp.database.sent import forget_old

HOUR_S: Final = 3600.0
"""Time between two rounds in seconds."""

_log = logging.getLogger(__name__)


class Housekeeper:
    """A thread that works as soon as it is started, and then every hour until it is closed.

    Args:
        book: the club's book.
        every: time between two rounds in seconds.
    """

    def __init__(self, book: ClubBook, every: float = HOUR_S) -> None:
        self._book = book
        self._every = every
        self._end = Event()
        self._thread = Thread(target=self._work, name="housekeeping", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Stop the thread after the round that is under way."""
        self._end.set()
        if self._thread.is_alive():
            self._thread.join()

    def _work(self) -> None:
        while True:
            self._round()
            if self._end.wait(self._every):
                return

    def _round(self) -> None:
        """Do the work once; a failure is logged, and the work is tried again in the next round."""
        try:
            deleted = self._book.photos.clean()
            if deleted:
                _log.info("%d photos past their time were deleted", deleted)
            self._book.tallies.refresh()
            forget_old(self._book.engine)
        except (SQLAlchemyError, GameError):
            _log.exception("a round of housekeeping failed")
