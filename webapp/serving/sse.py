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
from threading import Condition, Lock
from typing import Final

EVERY: Final = ""
"""The value of ``table`` that stands for all tables."""

MAX_STREAMS: Final = 64
"""Maximum number of streams at the same time where one club is served."""

STREAM_S: Final = 45.0
"""Length of a stream in seconds; a phone that has gone away holds its thread no longer."""

HEARTBEAT_S: Final = 8.0
"""Longest silence of a stream in seconds; a phone that has gone is noticed when writing to it."""

SOON_MS: Final = 500
"""After how many milliseconds a phone connects again when its stream has ended."""

LATER_MS: Final = 3000
"""After how many milliseconds a phone asks again if there was no stream for it."""


class Room:
    """The room for streams on a server, of one club or of all that it serves.

    Args:
        limit: how many may be open at the same time.
    """

    def __init__(self, limit: int = MAX_STREAMS) -> None:
        self._lock, self._free = Lock(), limit

    def enter(self) -> bool:
        """Take a place; False if none is free."""
        with self._lock:
            free = self._free > 0
            self._free -= free
            return free

    def leave(self) -> None:
        """Give a place back."""
        with self._lock:
            self._free += 1


class LiveDesk:
    """The open streams of all tables, usable from any thread.

    Args:
        room: the room for streams, which other desks may share.
        seconds: length of a stream.
        heartbeat: longest silence of a stream in seconds.
    """

    def __init__(
        self,
        room: Room | None = None,
        seconds: float = STREAM_S,
        heartbeat: float = HEARTBEAT_S,
    ) -> None:
        self._changed = Condition()
        self._entries: Counter[str] = Counter()
        self._open = 0
        self._closed = False
        self._room = room or Room()
        self._seconds, self._heartbeat = seconds, heartbeat

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
            self._room.leave()
            with self._changed:
                self._open -= 1

    def _enter(self) -> bool:
        with self._changed:
            entered = not self._closed and self._room.enter()
            self._open += entered
            return entered

    def _entered(self, table: str) -> int:
        """The number of entries that have concerned the table so far."""
        return self._entries[table] + (self._entries[EVERY] if table != EVERY else 0)

    def _wait(self, table: str, entries: int) -> None:
        with self._changed:
            self._changed.wait_for(
                lambda: self._closed or self._entered(table) != entries, self._heartbeat
            )
