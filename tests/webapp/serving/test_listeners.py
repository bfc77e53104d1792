"""The page at two places: one database, one set of live updates, and an end to each."""

from __future__ import annotations

import http.client
import socket
import time

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.pages.table.test_games import open_table
from tests.webapp.serving.serving import WIFI, letting_of, served
from webapp.serving import listeners


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listeners, "ANSWER_S", 0.05)


def answer(host: str, port: int, path: str = "/healthz", **headers: str) -> int:
    asked = http.client.HTTPConnection(host, port, timeout=5)
    try:
        asked.request("GET", path, headers=headers)
        answered = asked.getresponse()
        answered.read()
        return answered.status
    finally:
        asked.close()


def refused(host: str, port: int) -> bool:
    try:
        answer(host, port)
    except OSError:
        return True
    return False


def test_phones_reach_the_page_once_they_are_let_in_and_until_they_are_kept_out(app: Flask) -> None:
    letting = letting_of(app)
    with served(app) as port:
        assert refused(WIFI, port)
        letting.open()
        assert letting.port is not None
        assert (answer(WIFI, letting.port), answer("127.0.0.1", port)) == (200, 200)
        there = http.client.HTTPConnection(WIFI, letting.port, timeout=5)
        there.request("GET", "/healthz")
        there.getresponse().read()
        opened, door = there.sock, letting.port
        letting.close()
        assert refused(WIFI, door)
        assert opened.recv(1) == b"", "who was let in is sent away"
        there.close()
        assert answer("127.0.0.1", port) == 200
        letting.open()
        assert answer(WIFI, letting.port) == 200


def test_a_phone_is_told_what_is_entered_on_the_computer(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    with served(app):
        letting_of(app).open()
        door = letting_of(app).port
        assert door is not None
        follows = http.client.HTTPConnection(WIFI, door, timeout=10)
        follows.request("GET", f"{table}/live")
        stream = follows.getresponse()
        first = next(line for line in stream if line.startswith(b"data:"))
        client.post(f"{table}/drawn", data={"head": first[6:].decode().strip()})
        assert next(line for line in stream if line.startswith(b"data:")) != first
        stream.close()
        follows.close()


def test_what_is_being_answered_is_answered_before_the_end(app: Flask) -> None:
    def farewell() -> str:
        letting_of(app).stop()
        return "farewell"

    app.add_url_rule("/slow", view_func=farewell)
    with served(app) as port:
        assert answer("127.0.0.1", port, "/slow") == 200
    assert refused("127.0.0.1", port)


def test_the_end_waits_for_no_phone_that_follows_a_table(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    with served(app) as port:
        follows = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        follows.request("GET", f"{table}/live")
        stream = follows.getresponse()
        assert stream.readline().startswith(b"retry")
        begun = time.monotonic()
    assert time.monotonic() - begun < 3, "waitress waits five seconds for each"
    stream.close()
    follows.close()


def test_a_port_that_another_program_has_is_passed_by(app: Flask) -> None:
    letting = letting_of(app)
    with served(app), socket.create_server(("0.0.0.0", 0)) as other:
        letting.first_port = other.getsockname()[1]
        letting.open()
        assert letting.port is not None
        assert letting.port != letting.first_port
        assert answer(WIFI, letting.port) == 200


@pytest.mark.parametrize("says", ["Forwarded", "Via", "X-Forwarded-For", "X-Real-IP"])
def test_a_proxy_that_says_so_is_not_this_computer(app: Flask, says: str) -> None:
    with served(app) as port:
        assert answer("127.0.0.1", port, "/stop") == 200
        assert answer("127.0.0.1", port, "/stop", **{says: "203.0.113.9"}) == 403
