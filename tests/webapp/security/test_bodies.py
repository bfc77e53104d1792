"""What is sent is refused by its head: by who sends it, where to, and how long it says it is."""

from __future__ import annotations

import inspect
import json
import socket
from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from http.client import HTTPConnection, HTTPResponse
from io import BytesIO
from random import randbytes
from threading import Event
from time import sleep
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from waitress.buffers import TempfileBasedBuffer
from werkzeug.datastructures import FileStorage
from werkzeug.test import encode_multipart

from tests.webapp.browser.browser import serving
from tests.webapp.conftest import services_of
from tests.webapp.fakes import DEAL
from tests.webapp.security.test_headers import NeverRead
from tests.webapp.security.test_login import LAN, PASSWORD, club, kept, logged_in
from tests.webapp.security.test_roles import ways
from webapp.security import bodies
from webapp.security.login import EXTENSION
from webapp.security.passwords import MAX_TRIES
from webapp.security.policy import Rate, policy_of
from webapp.serving import receiving

__all__ = ["club", "kept"]

MB = 1024**2
PHOTO_TYPE = "multipart/form-data; boundary=b"


def head(path: str, *lines: str) -> bytes:
    return "\r\n".join([f"POST {path} HTTP/1.1", "Host: localhost", *lines, "", ""]).encode()


class Line:
    """A connection on which bytes are sent as they are."""

    def __init__(self, address: str) -> None:
        where = urlsplit(address)
        self.socket = socket.create_connection((str(where.hostname), where.port or 0), 20)

    def ask(self, data: bytes) -> tuple[int, str]:
        """Send, and receive one whole answer: its status, and its text or where it leads."""
        self.socket.sendall(data)
        answer = HTTPResponse(self.socket)
        with closing(answer):
            answer.begin()
            text = answer.read().decode()
            return answer.status, answer.headers["Location"] or text

    def closed(self) -> bool:
        """Whether the server has closed the connection."""
        try:
            return self.socket.recv(1) == b""
        except ConnectionError:
            return True


@pytest.fixture
def line(address: str) -> Iterator[Line]:
    made = Line(address)
    yield made
    made.socket.close()


@pytest.fixture
def address(club: Flask) -> Iterator[str]:
    """Where the club's page is served."""
    with serving(club) as found:
        yield found


def as_program(name: str, password: str = PASSWORD) -> str:
    return "Authorization: Basic " + b64encode(f"{name}:{password}".encode()).decode()


def test_the_views_that_accept_files_are_those_with_limits_of_their_own(app: Flask) -> None:
    takes_files = {
        endpoint
        for endpoint, view in app.view_functions.items()
        if "request.files" in inspect.getsource(inspect.unwrap(view))
    }
    policies = {endpoint: policy_of(view) for endpoint, view in app.view_functions.items()}
    limited = {each for each, it in policies.items() if it is not None and it.body is not None}
    assert takes_files | {"api.scores", "imports.decide"} == limited


@pytest.mark.parametrize("name", ["", "Gus", "Sue"])
def test_no_route_reads_more_than_it_accepts_from_anybody(club: Flask, name: str) -> None:
    client = logged_in(club, name) if name else club.test_client()
    routes = [way for way in ways(club) if way[1] == "POST" or way[2] in ("/", "/worker.js")]
    for rule, method, path in routes:
        policy = policy_of(club.view_functions[rule.endpoint])
        most = (policy and policy.body) or bodies.FORM
        answer = client.open(
            path,
            method=method,
            input_stream=NeverRead(),
            environ_overrides={"CONTENT_LENGTH": str(most.size + 1)},
            content_type=PHOTO_TYPE,
        )
        assert answer.status_code in {413} | (set() if name == "Sue" else {303, 401, 403}), path
        answer.close()


def test_a_body_of_the_size_that_is_accepted_is_read(client: FlaskClient) -> None:
    begun = client.post(
        "/api/v1/readings",
        input_stream=NeverRead(),
        environ_overrides={"CONTENT_LENGTH": str(bodies.MAX_PHOTO_BYTES)},
        content_type=PHOTO_TYPE,
    )
    assert begun.status_code == 500, "somebody began to read"


def test_a_photo_too_many_is_refused_before_it_is_read(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = app.view_functions["api.readings"]
    policy = policy_of(view)
    assert policy is not None
    monkeypatch.setitem(view.__dict__, "policy", replace(policy, rate=Rate(1)))
    assert client.post("/api/v1/readings", environ_base=LAN).status_code == 400
    refused = client.post(
        "/api/v1/readings",
        input_stream=NeverRead(),
        environ_base=LAN,
        environ_overrides={"CONTENT_LENGTH": str(MB)},
        content_type=PHOTO_TYPE,
    )
    assert refused.status_code == 429
    assert refused.headers["Retry-After"] == "60"
    assert "Nothing is lost" in refused.text


@pytest.mark.parametrize(("path", "fields"), [
    ("/deals", bodies.MAX_FIELDS), ("/sets", bodies.MAX_FIELDS_WITH_FILES),
    ("/sets/file", bodies.MAX_FIELDS_WITH_FILES), ("/imports", bodies.MAX_FIELDS_WITH_FILES),
])  # fmt: skip
def test_a_form_has_few_fields(client: FlaskClient, path: str, fields: int) -> None:
    def status(number: int) -> int:
        boundary, body = encode_multipart({f"f{n}": "x" for n in range(number)})
        kind = f"multipart/form-data; boundary={boundary}"
        return client.post(path, data=body, content_type=kind).status_code

    assert status(fields) in (303, 400)
    assert status(fields + 1) == 413


@pytest.mark.parametrize(("path", "words"), [
    ("/deals", "the limit is 64 kB"), ("/sets", "smaller picture size"), ("/sets/file", "8 MB"),
    ("/house-rules", "200 kB"), ("/keeping/restore", "looks after"), ("/api/v1/scores", "1 MB"),
])  # fmt: skip
def test_what_is_too_large_is_told_with_a_way_out(
    client: FlaskClient, path: str, words: str
) -> None:
    answer = client.post(path, environ_overrides={"CONTENT_LENGTH": str(61 * MB)})
    assert answer.status_code == 413
    assert words in answer.text


@pytest.mark.parametrize(("path", "who", "status", "words"), [
    ("/login", "Accept: */*", 413, "the limit is 64 kB"),
    ("/deals/x/players/E/photo", "Accept: */*", 303, "/login"),
    ("/keeping/restore", "Accept: */*", 303, "/login"),
    ("/api/v1/readings", "Accept: */*", 401, "Log in first"),
    ("/api/v1/readings", as_program("Gus"), 403, "Guests can see"),
    ("/api/v1/readings", as_program("Sam"), 413, "smaller picture size"),
    ("/nothing", "Accept: */*", 413, "the limit is 64 kB"),
])  # fmt: skip
def test_before_a_byte_of_it_is_sent_a_large_body_is_refused_and_the_connection_lives_on(
    line: Line, path: str, who: str, status: int, words: str
) -> None:
    begin = head(path, f"Content-Length: {20 * MB}", f"Content-Type: {PHOTO_TYPE}", who)
    told, text = line.ask(begin)
    assert told == status
    assert words in text
    for _ in range(20):
        line.socket.sendall(bytes(MB))
    assert line.ask(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")[0] == 200


def test_what_is_sent_to_the_login_is_kept_nowhere(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_bytes: list[bytes] = []
    monkeypatch.setattr("waitress.receiver.FixedStreamReceiver.received", kept_bytes.append)
    whole = head("/login", f"Content-Length: {MB}", "Content-Type: text/plain") + bytes(MB)
    assert line.ask(whole)[0] == 413
    assert kept_bytes == []


@pytest.mark.parametrize(("version", "word"), [
    ("1.1", "Expect: 100-continue"), ("1.1", "Transfer-Encoding: chunked"), ("1.0", "Accept: */*"),
])  # fmt: skip
def test_who_sends_on_after_a_refusal_is_told_why(line: Line, version: str, word: str) -> None:
    length = () if "chunked" in word else (f"Content-Length: {5 * MB}",)
    begin = head("/login", *length, word).replace(b"HTTP/1.1", f"HTTP/{version}".encode())
    line.socket.sendall(begin + (b"%x\r\n" % (5 * MB) if "chunked" in word else b""))
    for _ in range(5):
        line.socket.sendall(bytes(MB))
        sleep(0.05)
    told, text = line.ask(b"")
    assert told == (411 if "chunked" in word else 413)
    assert "64 kB" in text or "Content-Length" in text
    assert line.closed()


def test_a_body_that_comes_without_end_is_not_received_for_long(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receiving, "MAX_UNWANTED_BYTES", 3 * MB)
    line.socket.sendall(head("/login", f"Content-Length: {1000 * MB}"))
    with pytest.raises(ConnectionError):  # noqa: PT012
        for _ in range(200):
            line.socket.sendall(bytes(MB))
            sleep(0.01)


def test_a_refused_body_that_trickles_is_ended(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receiving, "LINGER_S", 0.5)
    expects = ("Content-Type: text/plain", "Expect: 100-continue")
    assert line.ask(head("/login", f"Content-Length: {MB}", *expects))[0] == 413
    with pytest.raises(ConnectionError):  # noqa: PT012
        for _ in range(60):
            line.socket.sendall(b"a")
            sleep(0.1)


def test_a_body_too_large_to_run_dry_is_refused_at_once(line: Line) -> None:
    told, text = line.ask(head("/login", f"Content-Length: {receiving.MAX_UNWANTED_BYTES + 1}"))
    assert told == 413
    assert "the limit is 64 kB" in text
    assert line.closed()


def test_whoever_asks_first_is_told_before_sending(line: Line) -> None:
    expects = ("Content-Type: text/plain", "Expect: 100-continue")
    assert line.ask(head("/login", f"Content-Length: {MB}", *expects))[0] == 413
    assert line.closed(), "what comes next on this connection may be the body or not"


@pytest.fixture
def read(club: Flask, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The photos that come in."""
    came: list[bytes] = []

    def note(_name: str, data: bytes) -> dict[str, int]:
        came.append(data)
        return {"size": len(data)}

    monkeypatch.setattr(services_of(club).desk, "read_now", note)
    return came


def photo_request(photo: bytes, *more: str) -> tuple[bytes, bytes]:
    """The head and the body of a request with a photo."""
    boundary, body = encode_multipart({"photo": FileStorage(BytesIO(photo), "p.jpg")})
    kind = f"Content-Type: multipart/form-data; boundary={boundary}"
    return head("/api/v1/readings", f"Content-Length: {len(body)}", kind, *more), body


@pytest.mark.parametrize("behind", [0, 100, 6000])
def test_a_photo_of_somebody_who_may_send_it_comes_in(
    line: Line, read: list[bytes], behind: int
) -> None:
    photo = randbytes(3 * MB)
    begin, body = photo_request(photo, as_program("Sam"))
    for _ in range(2):
        line.socket.sendall(begin + body[:behind])
        assert line.ask(body[behind:]) == (200, f'{{"size":{len(photo)}}}\n')
    assert read == [photo, photo]


def test_whoever_may_send_a_photo_and_asks_first_is_told_to_go_on(
    line: Line, read: list[bytes]
) -> None:
    photo = randbytes(MB)
    begin, body = photo_request(photo, as_program("Sam"), "Expect: 100-continue")
    line.socket.sendall(begin)
    assert line.socket.recv(1000) == b"HTTP/1.1 100 Continue\r\n\r\n"
    assert line.ask(body)[0] == 200
    assert read == [photo]


def test_of_a_photo_that_breaks_off_nothing_is_kept(
    line: Line, read: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = Event()
    close = TempfileBasedBuffer.close

    def note(buffer: TempfileBasedBuffer) -> None:
        close(buffer)
        closed.set()

    monkeypatch.setattr(TempfileBasedBuffer, "close", note)
    begin, body = photo_request(bytes(3 * MB), as_program("Sam"))
    line.socket.sendall(begin + body[: 2 * MB])
    line.socket.shutdown(socket.SHUT_WR)
    assert closed.wait(5)
    assert read == []


def test_the_password_sent_with_a_photo_is_checked_once(
    club: Flask, line: Line, read: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    accounts, checked = club.extensions[EXTENSION], []
    verify = accounts.verify

    def note(name: str, password: str) -> object:
        checked.append(name)
        return verify(name, password)

    monkeypatch.setattr(accounts, "verify", note)
    begin, body = photo_request(bytes(MB), as_program("Sam"))
    assert line.ask(begin + body)[0] == 200
    assert (checked, len(read)) == (["Sam"], 1)


def test_a_wrong_password_with_a_large_body_is_one_try(line: Line, read: list[bytes]) -> None:
    begin, body = photo_request(bytes(MB), as_program("Sam", "guess"))
    tries = [line.ask(begin + body)[0] for _ in range(MAX_TRIES + 1)]
    assert tries == [401] * MAX_TRIES + [429]
    assert read == []


def test_a_body_without_a_length_is_a_small_form_or_nothing(line: Line, read: list[bytes]) -> None:
    deal = json.dumps(DEAL).encode()
    kind = ("Transfer-Encoding: chunked", "Content-Type: application/json", as_program("Sam"))
    small = b"%x\r\n%b\r\n0\r\n\r\n" % (len(deal), deal)
    assert line.ask(head("/api/v1/scores", *kind) + small)[0] == 200
    large = b"%x\r\n%b\r\n" % (bodies.MAX_FORM_BYTES + 1, bytes(bodies.MAX_FORM_BYTES + 1))
    told, text = line.ask(head("/api/v1/readings", *kind) + large)
    assert (told, "Content-Length" in text) == (411, True)
    assert line.closed()
    assert read == []


def test_the_length_of_a_part_that_never_ends_is_not_received(line: Line) -> None:
    endless = b"1;" + b"x" * bodies.MAX_FORM_BYTES
    assert line.ask(head("/login", "Transfer-Encoding: chunked") + endless)[0] == 411


def test_the_head_of_a_request_has_a_greatest_size(line: Line) -> None:
    assert line.ask(head("/login", "X-Long: " + "x" * receiving.MAX_HEAD_BYTES))[0] == 431


def test_who_hears_only_after_sending_everything_is_answered_in_words(address: str) -> None:
    where = urlsplit(address)
    connection = HTTPConnection(str(where.hostname), where.port, 20)
    connection.request("POST", "/login", bytes(20 * MB), {"Connection": "close"})
    with closing(connection), connection.getresponse() as answer:
        assert answer.status == 413
        assert "the limit is 64 kB" in answer.read().decode()
