"""Who gets a connection: each address has its share, and who has waited longest makes room."""

from __future__ import annotations

import select
from collections import defaultdict
from collections.abc import Collection
from heapq import nsmallest
from time import time
from typing import Any, Final

from waitress.server import TcpWSGIServer

from webapp.door.pace import PacedChannel

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
