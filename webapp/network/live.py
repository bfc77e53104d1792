"""Live updates: server-sent events tell phones that something changed at their table.

A stream occupies one thread of the server, which only waits, and no connection to the database.
The number of streams is limited, and each ends after a while; the phone then connects again. A
phone for which there is no stream gets the current state and asks again after a few seconds, which
is slower but works for any number of phones.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator
from threading import Condition
from typing import Final

EVERY: Final = ""
"""The value of ``table`` that stands for all tables."""

MAX_STREAMS: Final = 64
"""Maximum number of streams at the same time."""

STREAM_S: Final = 45.0
"""Length of a stream in seconds; a phone that has gone away holds its thread no longer."""

HEARTBEAT_S: Final = 8.0
"""Longest silence of a stream in seconds; a phone that has gone is noticed when writing to it."""

SOON_MS: Final = 500
"""After how many milliseconds a phone connects again when its stream has ended."""

LATER_MS: Final = 3000
"""After how many milliseconds a phone asks again if there was no stream for it."""


class LiveDesk:
    """The open streams of all tables, usable from any thread."""

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
        """The number of streams that are open now."""
        return self._open

    def wake(self, table: str = EVERY) -> None:
        """Let the streams of a table check whether it has changed; by default all streams."""
        with self._changed:
            self._entries[table] += 1
            self._changed.notify_all()

    def close(self) -> None:
        """End all streams and open no more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def stream(self, token: Callable[[], str], table: str = EVERY) -> Generator[str, None, None]:
        """The events for one phone: the token of its table now and whenever it changes.

        Args:
            token: returns a token that changes with every entry at the table.
            table: the id of the game at the table.
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
        """The number of entries that have concerned the table so far."""
        return self._entries[table] + (self._entries[EVERY] if table != EVERY else 0)

    def _wait(self, table: str, entries: int) -> None:
        with self._changed:
            self._changed.wait_for(
                lambda: self._closed or self._entered(table) != entries, self._heartbeat
            )
