"""Telling phones that something changed at their table, by server-sent events.

A stream holds one thread of the server, which only waits, and no connection to the database. Still
there are only so many of them and each ends after a while; the phone then asks anew. One that finds
no room gets the state as it is and is asked to come back in a few seconds, which is slower but
works for any number of phones.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator
from threading import Condition
from typing import Final

EVERY: Final = ""
"""Stands for all tables."""

MAX_STREAMS: Final = 64
STREAM_S: Final = 45.0
"""How long one stream lasts; a phone that vanished holds its thread no longer."""

HEARTBEAT_S: Final = 8.0
"""The longest silence of a stream; writing is how a phone that is gone is noticed."""

SOON_MS: Final = 500
LATER_MS: Final = 3000


class LiveDesk:
    """Wakes the streams of all tables; usable from any thread."""

    def __init__(
        self,
        limit: int = MAX_STREAMS,
        seconds: float = STREAM_S,
        heartbeat: float = HEARTBEAT_S,
    ) -> None:
        self._changed = Condition()
        self._entries: Counter[str] = Counter()
        self._open = 0
        self._closed = False
        self._limit, self._seconds, self._heartbeat = limit, seconds, heartbeat

    @property
    def open(self) -> int:
        """How many streams there are now."""
        return self._open

    def wake(self, table: str = EVERY) -> None:
        """Let the streams of a table look whether it has changed; without one, those of all."""
        with self._changed:
            self._entries[table] += 1
            self._changed.notify_all()

    def close(self) -> None:
        """End all streams."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def stream(self, token: Callable[[], str], table: str = EVERY) -> Generator[str, None, None]:
        """The events of one phone: the token of its table now and whenever it changes.

        Args:
            table: which table it is.
            token: tells a word that changes with every entry at the table.
        """
        if not self._enter():
            yield f"retry: {LATER_MS}\ndata: {token()}\n\n"
            return
        try:
            yield f"retry: {SOON_MS}\n\n"
            until = time.monotonic() + self._seconds
            told = ""
            while not self._closed and time.monotonic() < until:
                entries = self._entered(table)
                now = token()
                yield f"data: {now}\n\n" if now != told else ": nothing new\n\n"
                told = now
                self._wait(table, entries)
        finally:
            with self._changed:
                self._open -= 1

    def _enter(self) -> bool:
        with self._changed:
            room = not self._closed and self._open < self._limit
            self._open += room
            return room

    def _entered(self, table: str) -> int:
        """How many entries have concerned the table so far."""
        return self._entries[table] + (self._entries[EVERY] if table != EVERY else 0)

    def _wait(self, table: str, entries: int) -> None:
        with self._changed:
            self._changed.wait_for(
                lambda: self._closed or self._entered(table) != entries, self._heartbeat
            )
