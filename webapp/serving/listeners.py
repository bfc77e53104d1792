"""The places at which the page is served, all by one server: its threads and its connections."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Timer
from typing import TYPE_CHECKING, Any, Final, TypeVar

from waitress import wasyncore
from waitress.server import BaseWSGIServer

from webapp.runtime.os_support import take_port
from webapp.serving.encrypted import Contexts, never
from webapp.serving.receiving import listening, listening_too

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

ANSWER_S: Final = 1.0
"""So many seconds what is being answered has until its connection is closed."""

WAIT_S: Final = 10.0
"""So many seconds the server may take to do what it is asked between two requests."""

_Made = TypeVar("_Made")


@dataclass(frozen=True)
class Listener:
    """A place at which the page is served.

    Attributes:
        host: the address that is listened on.
        port: the port.
        server: what listens there.
    """

    host: str
    port: int
    server: BaseWSGIServer


class Listeners:
    """Serves the page at one place or several.

    Args:
        app: the page.
        host: the first address to listen on, at which the page is served until it is stopped.
        port: its port.
        threads: how many requests are answered at once.
        contexts: the settings of TLS for who wants to be encrypted.
        ending: called when no more requests are taken; ends the answers that go on for long.

    Raises:
        OSError: the address cannot be listened on.
    """

    def __init__(
        self,
        app: WSGIApplication,
        host: str,
        port: int,
        threads: int,
        contexts: Contexts = never,
        ending: Callable[[], object] = lambda: None,
    ) -> None:
        self._app, self._ending = app, ending
        self._connections: dict[int, Any] = {}
        self._door = listening(app, (host, port), threads, self._connections, contexts)
        self._trigger: Any = self._door.trigger
        self._runs = False

    def run(self) -> None:
        """Serve the page until it is stopped."""
        self._runs, asked = True, self._door.adj
        try:
            wasyncore.loop(asked.asyncore_loop_timeout, asked.asyncore_use_poll, self._connections)
        except (SystemExit, KeyboardInterrupt):
            pass
        finally:
            self._runs = False
            self._ending()
            self._door.task_dispatcher.shutdown()

    def open(self, host: str, port: int) -> Listener:
        """Serve the page at another place too.

        Args:
            host: an address of this computer, or 0.0.0.0 for all that it has or will have.
            port: the port to listen on.

        Raises:
            OSError: the address cannot be listened on.
        """
        place = take_port(host, port)
        try:
            server = self._between(
                lambda: listening_too(self._door, self._connections, self._app, place)
            )
        except BaseException:
            place.close()
            raise
        return Listener(host, port, server)

    def close(self, listener: Listener) -> None:
        """Serve the page at a place no longer; who was let in there is sent away soon after."""
        self._between(lambda: wasyncore.dispatcher.close(listener.server))
        self._soon(lambda: _send_away(listener.server))

    def stop(self) -> None:
        """Stop serving once the requests in progress have been answered."""
        self._soon(lambda: wasyncore.close_all(self._connections))

    def _soon(self, work: Callable[[], object]) -> None:
        timer = Timer(ANSWER_S, lambda: self._between(work))
        timer.daemon = True
        timer.start()

    def _between(self, work: Callable[[], _Made]) -> _Made:
        """Do something in the server's own thread, which must see nothing half done."""
        if not self._runs:
            return work()
        done: Future[_Made] = Future()

        def do() -> None:
            try:
                done.set_result(work())
            except OSError as error:
                done.set_exception(error)

        self._trigger.pull_trigger(do)
        return done.result(WAIT_S)


def _send_away(server: BaseWSGIServer) -> None:
    """Close the connections that came in at a place."""
    channels: Any = server.active_channels
    for channel in list(channels.values()):
        channel.will_close = True
