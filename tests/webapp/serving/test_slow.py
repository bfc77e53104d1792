"""Slow and idle connections are ended or make room; they keep nobody out."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import pytest
from waitress import wasyncore

from webapp.serving import connections, receiving
from webapp.serving.receiving import PROXY, listening

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

GUEST, NEIGHBOUR = "127.0.0.2", "127.0.0.3"
ASKED = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_A_BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50000\r\n\r\n"
LIVE = b"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n"
LARGE = b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"
SHARE, PLACES, SPARE, FRESH_S = 4, 14, 5, 0.02


class Served:
    """A page that is served, with a stream that goes on until it is told to end."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self._lines: list[socket.socket] = []
        place = socket.create_server(("127.0.0.1", 0))
        self.address = place.getsockname()
        self._connections: dict[int, Any] = {}
        self._server = listening(self._answer, place, 16, self._connections)
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _answer(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        length = len(environ["wsgi.input"].read())
        start("200 OK", [("Content-Type", "text/plain")])
        if environ["PATH_INFO"] == "/large":
            return [b"x" * 12 * 1024**2]
        return self._slowly() if environ["PATH_INFO"] == "/live" else [b"%d sent." % length]

    def _slowly(self) -> Iterator[bytes]:
        yield b"begun"
        self.go_on.wait(20)
        yield b", and on"

    def _serve(self) -> None:
        while not self._stopped.is_set():
            wasyncore.loop(timeout=0.02, use_poll=True, map=self._connections, count=1)

    def line(self, who: str, data: bytes = b"", small: int = 0) -> socket.socket:
        """A connection from an address on which these bytes were sent, and nothing more."""
        made = socket.socket()
        self._lines.append(made)
        if small:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, small)
        made.settimeout(10)
        made.bind((who, 0))
        made.connect(self.address)
        made.sendall(data)
        return made

    def ask(self, who: str) -> float:
        """Ask from an address on a connection of its own; the seconds until it was answered."""
        begun = monotonic()
        with self.line(who, ASKED) as line:
            assert answered(line)
        return monotonic() - begun

    def close(self) -> None:
        for line in self._lines:
            line.close()
        self.go_on.set()
        self._server.task_dispatcher.shutdown()
        self._stopped.set()
        self._thread.join()
        wasyncore.close_all(self._connections)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr(connections, "EACH", SHARE, raising=False)
    monkeypatch.setattr(connections, "SPARE", SPARE, raising=False)
    monkeypatch.setattr(connections, "FRESH_S", FRESH_S, raising=False)
    monkeypatch.setattr(receiving, "CONNECTIONS", PLACES)
    made = Served()
    yield made
    made.close()


def answered(line: socket.socket) -> bool:
    """Whether an answer comes; not if the connection is closed without a word."""
    try:
        return b" 200 OK\r\n" in line.recv(1000)
    except ConnectionError:
        return False


def goes_on(served: Served, line: socket.socket) -> bool:
    """Whether a stream that was begun is told to its end."""
    served.go_on.set()
    told = b""
    while part := line.recv(1000):
        told += part
        if told.endswith(b", and on\r\n0\r\n\r\n"):
            return True
    return False


def ended(line: socket.socket, within_s: float) -> bool:
    """Whether the server closes the connection soon."""
    line.settimeout(within_s)
    try:
        while line.recv(4096):
            pass
    except TimeoutError:
        return False
    except ConnectionError:
        pass
    return True


def trickles(line: socket.socket, most_s: float = 5) -> bool:
    """Send a byte now and then until the connection is closed; whether it is."""
    line.settimeout(0.1)
    until = monotonic() + most_s
    while monotonic() < until:
        with suppress(TimeoutError):
            try:
                line.sendall(b"a")
                if not line.recv(1):
                    return True
            except ConnectionError:
                return True
    return False


def short(monkeypatch: pytest.MonkeyPatch, **limits: float) -> None:
    for name, seconds in limits.items():
        monkeypatch.setattr(connections, name, seconds)


def test_a_head_that_trickles_is_ended(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    short(monkeypatch, HEAD_S=0.5)
    begun = monotonic()
    assert trickles(served.line(GUEST, HALF_A_HEAD))
    assert monotonic() - begun >= 0.5


def test_a_body_that_trickles_is_ended(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    short(monkeypatch, HEAD_S=0.2, PATIENCE_S=0.8)
    begun = monotonic()
    assert trickles(served.line(GUEST, HALF_A_BODY))
    assert monotonic() - begun >= 0.8


def test_a_body_that_comes_in_time_is_received(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    short(monkeypatch, HEAD_S=0.2, PATIENCE_S=0.4, LEAST_BYTES_S=20_000)
    line = served.line(GUEST, HALF_A_BODY)
    for _ in range(10):
        sleep(0.15)
        line.sendall(bytes(5000))
    assert answered(line)


def test_an_answer_that_nobody_takes_is_ended(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    short(monkeypatch, PATIENCE_S=0.5, LEAST_BYTES_S=1e9)
    line = served.line(GUEST, LARGE, small=4096)
    assert answered(line)
    sleep(1.5)
    assert ended(line, 5)


def test_what_is_told_for_long_and_taken_is_not_ended(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    short(monkeypatch, HEAD_S=0.2, PATIENCE_S=0.2)
    line = served.line(GUEST, LIVE)
    assert answered(line)
    sleep(0.6)
    assert goes_on(served, line)


def test_slow_connections_of_one_address_keep_no_other_out(served: Served) -> None:
    lines = []
    for _ in range(5 * PLACES):
        lines.append(served.line(GUEST, HALF_A_HEAD))
        assert served.ask(NEIGHBOUR) < 1
    assert sum(not ended(line, 0.01) for line in lines) <= SHARE


def test_whoever_waits_longest_makes_room_and_nobody_else(served: Served) -> None:
    sending, live = served.line(GUEST, HALF_A_BODY), served.line(GUEST, LIVE)
    assert answered(live)
    lines = []
    for host in range(10, 10 + 3 * PLACES):
        lines.append(served.line(f"127.0.0.{host}"))
        assert served.ask(NEIGHBOUR) < 1
    assert ended(lines[0], 1)
    assert not ended(lines[-1], 0.1)
    sending.sendall(bytes(50_000))
    assert answered(sending)
    assert goes_on(served, live)


def test_within_its_share_an_address_loses_idle_connections_only(served: Served) -> None:
    live = [served.line(GUEST, LIVE) for _ in range(SHARE - 2)]
    assert all(map(answered, live))
    for _ in range(2 * SHARE):
        assert served.ask(GUEST) < 1
        served.line(GUEST)
    assert all(goes_on(served, line) for line in live)


def test_where_every_place_is_used_the_next_waits_for_one(served: Served) -> None:
    lines = [served.line(f"127.0.0.{host}", HALF_A_BODY) for host in range(10, 10 + PLACES)]
    late = served.line(NEIGHBOUR, ASKED)
    late.settimeout(0.3)
    with pytest.raises(TimeoutError):
        late.recv(10)
    for line in lines[:SPARE]:
        line.sendall(bytes(50_000))
        assert answered(line)
    late.settimeout(5)
    assert answered(late)


@pytest.mark.parametrize(
    ("proxy", "kept"), [("", SHARE), (NEIGHBOUR, SHARE), (GUEST, SHARE + 3), ("*", SHARE + 3)]
)
def test_a_believed_proxy_has_no_share(
    proxy: str, kept: int, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setenv(PROXY, proxy)
    served: Served = request.getfixturevalue("served")
    lines = [served.line(GUEST, LIVE) for _ in range(SHARE + 3)]
    assert sum(map(answered, lines)) == kept
