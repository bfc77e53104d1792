"""Who gets a connection and how long it may take: a share for each address, and a pace for all.

Waitress ends only connections on which nothing at all has moved for two minutes. Someone who sends
or takes a byte now and then would keep a place for good.
"""

from __future__ import annotations

import select
from collections import defaultdict
from collections.abc import Collection
from heapq import nsmallest
from time import monotonic, time
from typing import Any, Final

from waitress.adjustments import Adjustments
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer

from webapp.serving.encrypted import EncryptedChannel

HEAD_S: Final = 10.0
"""So many seconds may pass from the first byte of a request until its head is whole; browsers send
it at once."""

PATIENCE_S: Final = 20.0
"""So many seconds a body and an answer have however slowly they move."""

LEAST_BYTES_S: Final = 1000.0
"""After that at least so many bytes must have moved in a second, on average; at the edge of a Wi-Fi
ten times as many do."""


class Pace:
    """The time that something may take; it grows with every byte that moves.

    Args:
        seconds: how long it may take if nothing moves.
    """

    def __init__(self, seconds: float) -> None:
        self._until = monotonic() + seconds

    def moved(self, count: int) -> None:
        """So many bytes have moved."""
        self._until += count / LEAST_BYTES_S

    def at_most(self, seconds: float) -> None:
        """No longer than so many seconds are left from now on."""
        self._until = min(self._until, monotonic() + seconds)

    def over(self) -> bool:
        """Whether the time has passed."""
        return monotonic() > self._until


class PacedRequest(HTTPRequestParser):
    """A request that must come in within its time.

    Attributes:
        pace: the time for its head, then for its body.
    """

    def __init__(self, adjustments: Adjustments) -> None:
        super().__init__(adjustments)
        self.pace = Pace(HEAD_S)

    def received(self, data: bytes) -> int:
        """Receive what has come; how many bytes belonged to this request."""
        in_body = self.headers_finished
        taken = super().received(data)
        if in_body:
            self.pace.moved(taken)
        elif self.headers_finished:
            self.begin()
        return taken

    def begin(self) -> None:
        """Count the time from now on: until now nothing was read of it."""
        self.pace = Pace(PATIENCE_S if self.headers_finished else HEAD_S)


class PacedChannel(EncryptedChannel):
    """A connection that is closed if its sender takes too long."""

    request: PacedRequest | None
    creation_time: float
    _answered: float | None = None
    _sending: Pace | None = None

    @property
    def waits(self) -> bool:
        """Whether nothing is lost if it is closed: a head has begun at most, or all is answered."""
        in_body = self.request is not None and self.request.headers_finished
        return not (self.requests or self.total_outbufs_len or in_body)

    @property
    def waits_since(self) -> float:
        """When it was last answered, or else made, in seconds since 1970."""
        return self.creation_time if self._answered is None else self._answered

    def service(self) -> None:
        """Answer a request."""
        try:
            super().service()
        finally:
            self._answered = time()

    def readable(self) -> bool:
        """Whether more may come now; what takes too long is ended."""
        reads = bool(super().readable())
        if self._too_slow(reads=reads):
            self.handle_close()
            return False
        return reads

    def writable(self) -> bool:
        """Whether something is to be sent."""
        return self.socket is not None and bool(super().writable())

    def send(self, data: bytes, do_close: bool = True) -> int:  # noqa: FBT001, FBT002
        """Send the beginning of the data; how much of it was taken."""
        sent, pace = super().send(data, do_close), self._sending
        if pace is not None:
            pace.moved(sent)
        return sent

    def _too_slow(self, *, reads: bool) -> bool:
        """Whether the time for the request that comes in or for the answer has passed."""
        request = self.request
        if request is not None and not reads:
            request.begin()
        if request is not None and request.pace.over():
            return True
        if not self.total_outbufs_len:
            self._sending = None
        elif self._sending is None:
            self._sending = Pace(PATIENCE_S)
        return self._sending is not None and self._sending.over()


CONNECTIONS: Final = 600 if hasattr(select, "poll") else 480
"""Maximum number of open connections; a browser keeps up to six. Python watches at most 512 on
Windows, and the page itself has a few."""

EACH: Final = CONNECTIONS // 5
"""Maximum number of connections of one address.

A whole hall may come by one address, that of its router: as many phones as can be told of changes
at once, and nearly as many requests of theirs beside it. A believed proxy has no share.
"""

SPARE: Final = 16
"""So many places are kept free for who comes next."""

FRESH_S: Final = 0.5
"""For so many seconds a new connection makes room for no other address, as its request is on the
way; meanwhile others wait at the door."""

AT_ONCE: Final = 64
"""Maximum number of connections that are taken in before anything else is done."""


class Door(TcpWSGIServer):
    """Takes in connections at one place; many doors may share the connections of a server."""

    _map: dict[int, Any]
    in_connection_overflow: bool

    def readable(self) -> bool:
        """Whether another connection can be taken in."""
        if self.in_connection_overflow:
            self._make_room()
        return bool(super().readable())

    def handle_accept(self) -> None:
        """Take in who waits at the door, and make room for who comes next."""
        for _ in range(AT_ONCE):
            before = len(self._map)
            if before < self.adj.connection_limit:
                super().handle_accept()
            if len(self._map) == before:
                break
        self._make_room()

    def _make_room(self) -> None:
        open_now = [
            it for it in self._map.values() if isinstance(it, PacedChannel) and not it.will_close
        ]
        of_each = defaultdict(list)
        for channel in open_now:
            of_each[channel.addr[0]].append(channel)
        for address, theirs in of_each.items():
            if self.adj.trusted_proxy not in ("*", address):
                _close(theirs, len(theirs) - EACH)
        known = [it for it in open_now if it.waits_since <= time() - FRESH_S]
        _close(known, len(open_now) - (self.adj.connection_limit - SPARE))


def _close(channels: Collection[PacedChannel], count: int) -> None:
    """Close so many of the connections: those that have waited longest, and none that is used."""
    waiting = [it for it in channels if it.waits and not it.will_close]
    for channel in nsmallest(max(count, 0), waiting, key=lambda it: it.waits_since):
        channel.will_close = True
