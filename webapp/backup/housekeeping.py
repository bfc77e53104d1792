"""The work that the server does by itself: deleting old photos, counting hands, and the like."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event, Thread
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from webapp.book.book import ClubBook
from webapp.database.engine import only_read
from webapp.database.pictures import move_out, sweep
from webapp.database.sent import forget_old

HOUR_S: Final = 3600.0
"""Time between two rounds in which the house is kept, in seconds."""

_log = logging.getLogger(__name__)


class Housekeeper:
    """A thread that works as soon as it is started, and then again and again until it is closed.

    Args:
        work: what is done in each round; a failure is logged, and the next round tries again.
        every: time between two rounds in seconds.
    """

    def __init__(self, work: Callable[[], None], every: float) -> None:
        self._do = work
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
            try:
                self._do()
            except (SQLAlchemyError, RuntimeError, OSError, ValueError):
                _log.exception("a round of housekeeping failed")
            if self._end.wait(self._every):
                return


def keep_house(book: ClubBook) -> None:
    """Delete what is past its time, count the hands, and lay pictures where they are kept.

    Nothing is done with a book that can only be read.
    """
    if only_read(book.engine.url):
        return
    deleted = book.photos.clean()
    if deleted:
        _log.info("%d photos past their time were deleted", deleted)
    book.tallies.refresh()
    forget_old(book.engine)
    move_out(book.engine)
    sweep(book.engine)
