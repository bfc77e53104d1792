"""Streams to the phones: told at once, never too many, never for ever."""

from __future__ import annotations

import socket
from dataclasses import replace
from http.client import HTTPConnection
from itertools import count
from threading import Thread
from time import monotonic, sleep

from flask import Flask
from flask.testing import FlaskClient
from waitress.server import create_server

from tests.webapp.conftest import services_of
from tests.webapp.pages.table.test_games import open_table
from tests.webapp.serving.in_thread import in_thread
from webapp.services import EXTENSION
from webapp.serving.sse import LATER_MS, LiveDesk, Room


def test_a_change_is_told_at_once() -> None:
    desk = LiveDesk(heartbeat=20)
    token = ["one"]
    stream = desk.stream(lambda: token[0])
    assert next(stream).startswith("retry:")
    assert next(stream) == "data: one\n\n"

    def enter() -> None:
        token[0] = "two"
        desk.wake()

    began = monotonic()
    other = Thread(target=enter)
    other.start()
    assert next(stream) == "data: two\n\n"
    other.join()
    assert monotonic() - began < 5
    stream.close()


def test_only_the_phones_of_the_table_look_again() -> None:
    numbers = map(str, count())
    desk = LiveDesk(heartbeat=0.2)
    stream = desk.stream(lambda: next(numbers), "one")
    next(stream)
    next(stream)
    began = monotonic()
    desk.wake("two")
    next(stream)
    assert monotonic() - began >= 0.15, "the heartbeat looked, not the other table's entry"
    desk = LiveDesk(heartbeat=20)
    stream = desk.stream(lambda: next(numbers), "one")
    next(stream)
    next(stream)
    for table in ("one", ""):
        desk.wake(table)
        began = monotonic()
        assert next(stream).startswith("data: ")
        assert monotonic() - began < 5
    stream.close()


def test_an_entry_in_a_deal_wakes_its_table_and_no_other(app: Flask) -> None:
    client = app.test_client()
    tables = [open_table(client), open_table(client)]
    deal = client.post(f"{tables[0]}/next").headers["Location"]
    desk = services_of(app).live
    before = [desk._entered(table.rsplit("/", 1)[1]) for table in tables]
    form = {"action": "add", "mode": "tile", "label": "7z"}
    assert client.post(f"{deal}/players/E/edit", data=form).status_code < 400
    lone = client.post("/deals").headers["Location"]
    woken = [desk._entered(table.rsplit("/", 1)[1]) for table in tables]
    everybody = 1  # the new deal names no table
    assert woken == [before[0] + 1 + everybody, before[1] + everybody]
    client.post(f"{lone}/players/E/edit", data=form)
    assert [desk._entered(table.rsplit("/", 1)[1]) for table in tables] == woken


def test_silence_is_broken_by_a_heartbeat() -> None:
    stream = LiveDesk(heartbeat=0.01).stream(lambda: "same")
    assert [next(stream) for _ in range(4)][2:] == [": nothing new\n\n"] * 2
    stream.close()


def test_streams_are_few_and_the_others_come_again() -> None:
    desk = LiveDesk(Room(1))
    first = desk.stream(lambda: "a")
    next(first)
    assert desk.open == 1
    assert list(desk.stream(lambda: "b")) == [f"retry: {LATER_MS}\ndata: b\n\n"]
    first.close()
    assert desk.open == 0, "a phone that is gone leaves its place"
    again = desk.stream(lambda: "c")
    assert next(again).startswith("retry:")
    assert desk.open == 1
    again.close()


def test_no_stream_lasts_for_ever() -> None:
    desk = LiveDesk(seconds=0.05, heartbeat=0.01)
    assert len(list(desk.stream(lambda: "same"))) >= 2
    assert desk.open == 0


def test_closing_ends_the_streams() -> None:
    desk = LiveDesk(heartbeat=20)
    stream = desk.stream(lambda: "same")
    next(stream)
    next(stream)
    desk.close()
    assert list(stream) == []


def test_the_page_of_a_table_is_told_of_entries(client: FlaskClient) -> None:
    table = open_table(client)
    answer = client.get(f"{table}/live", buffered=False)
    assert answer.mimetype == "text/event-stream"
    events = iter(answer.response)
    next(events)
    first = next(events)
    client.post(f"{table}/drawn")
    second = next(events)
    assert _data(first) != _data(second)
    assert f'data-token="{_data(second)}"' in client.get(table).text
    answer.close()


def _data(event: object) -> str:
    text = event.decode() if isinstance(event, bytes) else str(event)
    return text.removeprefix("data: ").strip()


def test_a_phone_that_vanished_holds_no_thread_of_the_server(app: Flask) -> None:
    desk = LiveDesk(heartbeat=0.05)
    app.extensions[EXTENSION] = replace(services_of(app), live=desk)
    table = open_table(app.test_client())
    listener = socket.create_server(("127.0.0.1", 0))
    server = create_server(app, sockets=[listener], threads=2)
    thread = in_thread(server.run)
    try:
        phone = HTTPConnection("127.0.0.1", listener.getsockname()[1], timeout=10)
        phone.request("GET", f"{table}/live")
        assert phone.getresponse().readline().startswith(b"retry:")
        assert desk.open == 1
        phone.close()
        until = monotonic() + 10
        while desk.open and monotonic() < until:
            sleep(0.02)
        assert desk.open == 0
    finally:
        desk.close()
        server.close()
        thread.join(10)


def test_a_phone_that_follows_gets_only_what_changes(client: FlaskClient) -> None:
    table = open_table(client)
    client.post(f"{table}/drawn", follow_redirects=True)
    client.post(f"{table}/next")
    client.post(f"{table}/close", data={"closed": "yes"})
    client.post(f"{table}/next")
    part = client.get(table, headers={"HX-Request": "true", "HX-Target": "game"}).text
    whole = client.get(table).text
    assert part.lstrip().startswith('<div id="game"')
    assert "<html" not in part
    assert "The game is over." in whole, "a message waits for a page that shows it"
    assert part.split('data-token="')[1][:20] == whole.split('data-token="')[1][:20]
    assert "Final standings" in part
