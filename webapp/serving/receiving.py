"""The server that receives requests; it holds back a body until the page has let it in.

Waitress receives a whole request before the page sees any of it, a large body into a file. Here
only what is no larger than a form comes in unasked. Of any other request the page is first given
the head alone: it refuses it in words, or lets the body in.
"""

from __future__ import annotations

import os
import sys
import time
from socket import socket
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from waitress.adjustments import Adjustments
from waitress.parser import HTTPRequestParser
from waitress.server import BaseWSGIServer
from waitress.task import ThreadedTaskDispatcher, WSGITask

from webapp.runtime.os_support import take_port
from webapp.security.bodies import ADMITTED, MAX_FORM_BYTES, WITHHELD, Admitted
from webapp.security.headers import SENT_ON, SENT_ON_BY
from webapp.serving.connections import CONNECTIONS, Door, Pace, PacedChannel, PacedRequest
from webapp.serving.encrypted import Contexts, never

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication, WSGIEnvironment

PROXY: Final = "KONGBOX_PROXY"
"""Environment variable with the address of a proxy that is believed; ``*`` where nothing else can
reach the port."""

MAX_HEAD_BYTES: Final = 32 * 1024
"""Maximum size of the head of a request in bytes; a browser's cookies for the page have 1 kB."""

MAX_UNWANTED_BYTES: Final = 64 * 1024**2
"""Maximum size in bytes of a refused body that is let run dry.

Most browsers and proxies take an answer only once they have sent everything, and lose it where the
connection is closed before that, so what they send is received and thrown away.
"""

LINGER_S: Final = 2.0
"""So many seconds nothing may come of a refused body until a connection is closed on which nothing
else can follow: its sender may wait with the body for a word, or may have sent it all."""


class _Unwanted(PacedRequest):
    """Throws away what is still to come of a refused body.

    Args:
        adjustments: the settings of the server.
        size: how many bytes are still to come, or may come.
    """

    def __init__(self, adjustments: Adjustments, size: int) -> None:
        super().__init__(adjustments)
        self._left = size
        self._last = False

    def linger(self) -> None:
        """Let nothing follow: the connection is closed when all has come, or nothing comes."""
        self._last = True
        self.begin()

    def begin(self) -> None:
        if self._last:
            self.pace = Pace(LINGER_S if self._left > 0 else 0)
        else:
            super().begin()

    def received(self, data: bytes) -> int:
        taken = min(self._left, len(data))
        self._left -= taken
        self.pace.moved(taken)
        if not self._last:
            self.completed = self.empty = not self._left
            return taken
        self.pace.at_most(LINGER_S if self._left else 0)
        return len(data)


class _Whole(PacedRequest):
    """Receives a request, and stops before a body that is larger than a form or has no length."""

    waits = False
    admitted: Admitted | None = None
    _expects_word = False
    _behind = b""

    def received(self, data: bytes) -> int:
        taken = super().received(data)
        large = max(self.content_length, self.body_bytes_received) > MAX_FORM_BYTES
        if self.completed or self.admitted or not large:
            return taken
        self.completed = self.waits = True
        self._expects_word, self.expect_continue = self.expect_continue, False
        self._behind = data[taken:]
        return len(data)

    def head(self) -> _Head:
        """The head of the request alone."""
        to_come = self.content_length - len(self._behind)
        is_known = not self.chunked and to_come <= MAX_UNWANTED_BYTES
        return _Head(
            self,
            to_come if is_known else MAX_UNWANTED_BYTES,
            is_last=self._expects_word or not is_known,
        )

    def go_on(self, admitted: Admitted) -> None:
        """Receive the body too, which was admitted."""
        self.admitted, self.completed, self.waits = admitted, False, False
        self.expect_continue = self._expects_word
        self.begin()
        super().received(self._behind)
        self._behind = b""


class _Head(HTTPRequestParser):
    """The head of a request, about whose body the page is asked.

    Attributes:
        to_come: how many bytes of the body may still come after a refusal.
        is_last: whether nobody can tell where the next request would begin.
    """

    def __init__(self, whole: _Whole, to_come: int, *, is_last: bool) -> None:
        super().__init__(whole.adj)
        vars(self).update(vars(whole))
        self.to_come, self.is_last = to_come, is_last
        self.body_rcv = None
        self.headers = {name: it for name, it in whole.headers.items() if name != "CONNECTION"}


class _Task(WSGITask):
    """Gives a request to the page."""

    def get_environment(self) -> WSGIEnvironment:
        environ = super().get_environment()
        environ[WITHHELD] = isinstance(self.request, _Head)
        environ[ADMITTED] = getattr(self.request, "admitted", None)
        if getattr(self.channel, "encrypted", False):
            environ["wsgi.url_scheme"] = "https"
        environ[SENT_ON] = not SENT_ON_BY.isdisjoint(environ)
        return environ

    def execute(self) -> None:
        if isinstance(self.request, _Head) and self.request.is_last:
            self.set_close_on_finish()
        super().execute()

    def finish(self) -> None:
        super().finish()
        unwanted = self.channel.request
        if self.close_on_finish and isinstance(unwanted, _Unwanted):
            self.close_on_finish = False
            unwanted.linger()


class _Channel(PacedChannel):
    """A connection; it is not read while the page answers."""

    parser_class = _Whole
    task_class = _Task
    requests_lock: Lock

    def service(self) -> None:
        whole = self.requests[0]
        if not isinstance(whole, _Whole) or not whole.waits:
            super().service()
            return
        head = whole.head()
        with self.requests_lock:  # The thread that receives may not be done with this request yet.
            self.request = _Unwanted(self.adj, head.to_come) if head.to_come else None
            self.requests = [head]
        try:
            super().service()
        except Admitted as admitted:
            self._receive(whole, admitted)

    def handle_close(self) -> None:
        super().handle_close()
        if self.request is not None:  # A thread without work may hold the connection for long.
            self.request.close()
            self.request = None

    def _receive(self, whole: _Whole, admitted: Admitted) -> None:
        """Receive the body of a request that waited; the connection is read again at the end."""
        whole.go_on(admitted)
        self.request = whole
        if whole.expect_continue:
            self.send_continue()
        self.last_activity = time.time()
        self.requests = []
        self.server.pull_trigger()


def _trusting(proxy: str) -> dict[str, Any]:
    """The settings for trusting what a proxy says of a request; empty without a proxy."""
    if not proxy:
        return {}
    told = {"x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"}
    return {"trusted_proxy": proxy, "trusted_proxy_headers": told, "trusted_proxy_count": 1}


def listening(
    app: WSGIApplication,
    where: tuple[str, int] | socket,
    threads: int,
    connections: dict[int, Any] | None = None,
    contexts: Contexts = never,
) -> BaseWSGIServer:
    """A server for the page that listens already; it answers once it is run.

    Args:
        app: the page.
        where: the host and port to listen on, or what listens there already.
        threads: how many requests are answered at once.
        connections: where it keeps its open connections; None for a place of its own.
        contexts: the settings of TLS for who wants to be encrypted.
    """
    place = where if isinstance(where, socket) else take_port(*where)
    adjustments = Adjustments(
        sockets=[place],
        connection_limit=CONNECTIONS,
        asyncore_use_poll=True,
        ident="kongbox",
        max_request_header_size=MAX_HEAD_BYTES,
        max_request_body_size=sys.maxsize,
        **_trusting(os.environ.get(PROXY, "")),
    )
    answering = ThreadedTaskDispatcher()
    answering.set_thread_count(threads)
    door = _door(app, {} if connections is None else connections, place, answering, adjustments)
    door.channel_class = type("_Channel", (_Channel,), {"contexts": staticmethod(contexts)})
    return door


def listening_too(
    server: BaseWSGIServer, connections: dict[int, Any], app: WSGIApplication, where: socket
) -> BaseWSGIServer:
    """Let a server listen at another place too, with the same threads and connections.

    Args:
        server: the server.
        connections: where it keeps its open connections.
        app: the page.
        where: what listens there already.

    Returns:
        what takes in the connections that come there; its other parts are the server's own.
    """
    door = _door(app, connections, where, server.task_dispatcher, server.adj)
    own: Any = door.trigger
    own.close()
    door.trigger = server.trigger
    door.channel_class = server.channel_class
    return door


def _door(
    app: WSGIApplication,
    connections: dict[int, Any],
    where: socket,
    answering: ThreadedTaskDispatcher,
    adjustments: Adjustments,
) -> Door:
    info: Any = (where.family, where.type, where.proto, where.getsockname())
    return Door(
        app,
        connections,
        _sock=where,
        dispatcher=answering,
        adj=adjustments,
        sockinfo=info,
        bind_socket=False,
    )
