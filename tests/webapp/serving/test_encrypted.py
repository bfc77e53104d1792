"""One port speaks https and http; nobody waits for a handshake that is slow."""

from __future__ import annotations

import logging
import socket
import ssl
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest
from waitress import wasyncore

from webapp.serving import encrypted
from webapp.serving.https import Https
from webapp.serving.receiving import listening

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

LARGE = 300_000
ENDED = r"reset|EOF"
HALF_A_HELLO = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"


class Served:
    """A page that tells how it was asked, served by https and http."""

    def __init__(self, folder: Path) -> None:
        self.https = Https(folder)
        self.https.turn_on()
        self.go_on = threading.Event()
        self._place = socket.create_server(("127.0.0.1", 0))
        self._connections: dict[int, Any] = {}
        self._server = listening(
            self._answer, self._place, 4, self._connections, self.https.context
        )
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        assert self.https.authority is not None
        self._trusting = ssl.create_default_context(cadata=self.https.authority.der)
        self.port: int = self._place.getsockname()[1]

    def _answer(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        length = len(environ["wsgi.input"].read())
        start("200 OK", [("Content-Type", "text/plain")])
        told = f"{environ['wsgi.url_scheme']} {environ['REMOTE_ADDR']} {length}"
        if environ["PATH_INFO"] == "/large":
            return [b"x" * LARGE]
        return self._slowly(told) if environ["PATH_INFO"] == "/live" else [told.encode()]

    def _slowly(self, told: str) -> Iterator[bytes]:
        yield told.encode()
        self.go_on.wait(10)
        yield b", and on"

    def _serve(self) -> None:
        while not self._stopped.is_set():
            wasyncore.loop(timeout=0.05, use_poll=True, map=self._connections, count=1)

    def ask(self, path: str = "/", body: bytes = b"", *, plain: bool = False) -> str:
        """Ask once, on a connection of its own."""
        asked = self.connection(plain=plain)
        try:
            asked.request("POST", path, body)
            return asked.getresponse().read().decode()
        finally:
            asked.close()

    def connection(self, *, plain: bool = False) -> HTTPConnection:
        if plain:
            return HTTPConnection("127.0.0.1", self.port, timeout=10)
        return HTTPSConnection("127.0.0.1", self.port, timeout=10, context=self._trusting)

    def line(self, data: bytes) -> socket.socket:
        """A connection on which these bytes were sent, and nothing more."""
        made = socket.create_connection(("127.0.0.1", self.port), 10)
        made.sendall(data)
        return made

    def close(self) -> None:
        self._server.task_dispatcher.shutdown()
        self._stopped.set()
        self._thread.join()
        wasyncore.close_all(self._connections)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    made = Served(tmp_path)
    yield made
    made.close()


def closed(line: socket.socket) -> bool:
    try:
        while line.recv(4096):
            pass
    except ConnectionError:
        pass
    line.close()
    return True


def test_the_same_port_speaks_both_and_tells_who_asks_and_how(served: Served) -> None:
    assert served.ask() == "https 127.0.0.1 0"
    assert served.ask(plain=True) == "http 127.0.0.1 0"
    served.https.turn_off()
    assert served.ask(plain=True) == "http 127.0.0.1 0"
    with pytest.raises(OSError, match=ENDED):
        served.ask()


def test_large_bodies_and_answers_come_whole(served: Served) -> None:
    assert served.ask(body=b"y" * 60_000) == "https 127.0.0.1 60000"
    kept = served.connection()
    for _ in range(3):
        kept.request("GET", "/large")
        assert len(kept.getresponse().read()) == LARGE
    kept.close()


def test_what_is_told_bit_by_bit_comes_at_once(served: Served) -> None:
    asked = served.connection()
    asked.request("GET", "/live")
    answer = asked.getresponse()
    assert answer.read1(100) == b"https 127.0.0.1 0"
    served.go_on.set()
    assert answer.read() == b", and on"
    asked.close()


def test_slow_handshakes_hold_nobody_up_and_are_ended(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(encrypted, "HANDSHAKE_S", 0.3)
    slow = [served.line(HALF_A_HELLO) for _ in range(30)]
    begun = monotonic()
    assert served.ask() == "https 127.0.0.1 0"
    assert monotonic() - begun < 5
    assert all(map(closed, slow))
    assert monotonic() - begun < 10
    assert served.ask() == "https 127.0.0.1 0"
    assert [it for it in caplog.records if it.levelno >= logging.WARNING] == []


def test_an_idle_connection_outlives_the_time_for_its_handshake(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encrypted, "HANDSHAKE_S", 0.1)
    kept = served.connection()
    kept.connect()
    assert served.ask() == "https 127.0.0.1 0"
    threading.Event().wait(0.3)
    kept.request("GET", "/")
    assert kept.getresponse().read() == b"https 127.0.0.1 0"
    kept.close()


@pytest.mark.parametrize("sent", [b"\x16nothing of the kind" * 5, b"\x16", HALF_A_HELLO])
def test_what_is_no_handshake_is_closed_without_a_trace(
    served: Served, caplog: pytest.LogCaptureFixture, sent: bytes
) -> None:
    line = served.line(sent)
    with suppress(OSError):  # It may be closed already.
        line.shutdown(socket.SHUT_WR)
    assert closed(line)
    assert served.ask() == "https 127.0.0.1 0"
    assert [it for it in caplog.records if it.levelno >= logging.WARNING] == []


def test_a_disk_that_takes_no_certificate_closes_no_other_way_in(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("webapp.serving.https._context", full)
    with pytest.raises(OSError, match=ENDED):
        served.ask()
    assert served.ask(plain=True) == "http 127.0.0.1 0"
