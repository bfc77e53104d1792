"""A copy is restored in the middle of what phones do: told in words, and nothing is mixed."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event

from tests.webapp.backup.test_restoring import copied, send, url_of, zipped
from tests.webapp.conftest import services_of
from tests.webapp.pages.table.test_games import game_of, open_table, words
from webapp.backup.backup import exchange, restore
from webapp.security.errors import RETRY_S

Exchange = Callable[[str, Path], object]

HOW = pytest.mark.parametrize("how", [exchange, restore])
"""From the page, and by the command of another program."""


def in_the_middle(app: Flask, work: Callable[[], object], times: int = 1) -> None:
    """Do something when the next request has read so many times from the database."""
    engine, left = services_of(app).engine, [times]

    def count(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if "FROM games" in statement and left[0]:
            left[0] -= 1
            if not left[0]:
                event.remove(engine, "after_cursor_execute", count)
                work()

    event.listen(engine, "after_cursor_execute", count)


@HOW
def test_an_entry_at_a_table_that_goes_is_told_in_words(
    app: Flask, client: FlaskClient, tmp_path: Path, how: Exchange
) -> None:
    copied(app, tmp_path)
    table = open_table(client)
    in_the_middle(app, lambda: how(url_of(app), tmp_path / "copy.sqlite3"))
    told = client.post(f"{table}/drawn")
    assert told.status_code == 503
    assert told.headers["Retry-After"] == str(RETRY_S)
    assert "just restored a backup" in words(told)
    assert "what you typed is still there" in words(told)
    assert client.post("/deals").status_code == 303, "the next entry is as good as ever"


@HOW
def test_what_was_begun_in_the_old_book_is_not_stored_in_the_new(
    app: Flask, client: FlaskClient, tmp_path: Path, how: Exchange
) -> None:
    table = open_table(client)
    copied(app, tmp_path)
    client.post(f"{table}/drawn")
    in_the_middle(app, lambda: how(url_of(app), tmp_path / "copy.sqlite3"))
    form = {"entry": "a" * 32}
    assert client.post(f"{table}/drawn", data=form).status_code == 503
    assert game_of(app, table).game.hands == (), "nothing was stored on what the copy has not"
    assert client.post(f"{table}/drawn", data=form).status_code == 303, "and it may be sent again"
    assert len(game_of(app, table).game.hands) == 1


def test_no_request_is_answered_with_a_fault(
    app: Flask, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    copied(app, tmp_path)
    answers: Counter[int] = Counter()
    stop = threading.Event()

    def ask(work: Callable[[FlaskClient], list[Any]]) -> None:
        phone = app.test_client()
        while not stop.is_set():
            answers.update(answer.status_code for answer in work(phone))

    def play(phone: FlaskClient) -> list[Any]:
        opened = phone.post("/tables", data={f"name_{seat}": seat * 3 for seat in "ESWN"})
        table = opened.headers.get("Location", "/tables/0")
        return [opened, *(phone.post(f"{table}/drawn") for _ in range(3)), phone.get(table)]

    def look(phone: FlaskClient) -> list[Any]:
        return [phone.get(page) for page in ("/", "/board", "/players", "/evenings", "/keeping")]

    phones = [threading.Thread(target=ask, args=(work,)) for work in (play, play, look)]
    for phone in phones:
        phone.start()
    for number in range(16):
        stop.wait(0.1)
        (exchange, restore)[number % 2](url_of(app), tmp_path / "copy.sqlite3")
    stop.set()
    for phone in phones:
        phone.join(60)
    assert answers[200] > 0
    assert answers[303] > 0
    assert not [status for status in answers if status >= 500 and status != 503], answers
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_who_restores_is_not_told_that_somebody_did(client: FlaskClient) -> None:
    address = send(client, zipped(client)).headers["Location"]
    assert client.post(address, data={"then": "replace"}).status_code == 303


def test_a_fault_while_nothing_was_restored_stays_one(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = open_table(client)

    def break_down(*_: object) -> None:
        raise KeyError("a fault of the program")

    monkeypatch.setattr(services_of(app).games, "game", break_down)
    assert client.post(f"{table}/drawn").status_code == 500


def test_a_photo_that_is_being_read_goes_with_its_book_in_silence(
    app: Flask,
    client: FlaskClient,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    copied(app, tmp_path)
    found = services_of(app)
    deal = client.post("/deals").headers["Location"].rsplit("/", 1)[1]
    work = found.desk._workshop.read

    def read(*given: Any, **more: Any) -> Any:
        restore(url_of(app), tmp_path / "copy.sqlite3")
        return work(*given, **more)

    monkeypatch.setattr(found.desk._workshop, "read", read)
    picture = next(iter((tmp_path / "samples").rglob("*.jpg"))).read_bytes()
    found.desk.take(deal, "E", "hand.jpg", picture)
    found.desk._pool.shutdown(wait=True)
    assert (found.desk.busy, found.store.deal(deal)) == (False, None)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    found.store.fail_photo("gone", "no matter why")


def test_a_stream_goes_on_when_its_table_is_gone(
    app: Flask, client: FlaskClient, tmp_path: Path
) -> None:
    copied(app, tmp_path)
    table = open_table(client)
    stream = iter(client.get(f"{table}/live", buffered=False).response)
    first = [next(stream), next(stream)]
    exchange(url_of(app), tmp_path / "copy.sqlite3")
    services_of(app).live.wake()
    assert str(next(stream)).startswith(("data:", "b'data:"))
    assert len(first) == 2
    services_of(app).live.close()
