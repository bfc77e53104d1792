"""How often something happened lately, counted under any number of keys.

The counts are kept in memory where a single process serves the page.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock

from webapp.runtime.steady_clock import seconds


@dataclass(frozen=True, eq=False)
class Event:
    """Something that happened: when, in seconds, and under which keys it counts."""

    at: float
    keys: frozenset[str]


class Counts:
    """Counts what happened within a span of time, from any thread.

    Args:
        window_s: how long something counts, in seconds.
        clock: tells the time in seconds; it never jumps.
    """

    def __init__(self, window_s: float, clock: Callable[[], float] = seconds) -> None:
        self.clock = clock
        self._window_s = window_s
        self._events: OrderedDict[Event, None] = OrderedDict()
        self._under: dict[str, set[Event]] = {}
        self._lock = Lock()

    def take(self, most: Mapping[str, int]) -> Event | None:
        """Count something, unless it happened too often already: then it is not counted.

        Args:
            most: for each key under which it counts, how often it may happen.
        """
        with self._lock:
            now = self.clock()
            while self._events and next(iter(self._events)).at <= now - self._window_s:
                self._drop(next(iter(self._events)))
            if any(len(self._under.get(key, ())) >= limit for key, limit in most.items()):
                return None
            event = Event(now, frozenset(most))
            self._events[event] = None
            for key in event.keys:
                self._under.setdefault(key, set()).add(event)
            return event

    def give_back(self, event: Event) -> None:
        """Count something no longer."""
        with self._lock:
            self._drop(event)

    def forgive(self, key: str) -> None:
        """Count nothing under this key any longer, nor under the other keys of what was."""
        with self._lock:
            for event in tuple(self._under.get(key, ())):
                self._drop(event)

    def _drop(self, event: Event) -> None:
        if event not in self._events:
            return
        del self._events[event]
        for key in event.keys:
            self._under[key].remove(event)
            if not self._under[key]:
                del self._under[key]


CountsOf = Callable[[str, float], Counts]
"""Makes counts of a kind with a span of time in seconds."""


def in_memory(_kind: str, window_s: float) -> Counts:
    """Counts of this process alone."""
    return Counts(window_s)
