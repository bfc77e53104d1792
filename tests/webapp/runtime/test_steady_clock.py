"""This computer's clock is set an hour back, a year forward, and right again: nothing is lost."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import datetime, timedelta, tzinfo
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.book_fixtures import book_of
from tests.webapp.conftest import services_of, wait_for_photos
from tests.webapp.fakes import DEAL, FakeReader, reading_of
from tests.webapp.pages.deal.test_pages import demo, edit, send_photo, start, state_of
from tests.webapp.pages.table.test_games import game_of, open_table
from webapp.backup.integrity import examine_database
from webapp.database import sent
from webapp.database.sent import forget_old
from webapp.runtime.steady_clock import seconds, steady_now

Jump = Callable[[timedelta], None]
YEAR = timedelta(days=366)
JUMPS = (-timedelta(hours=1), YEAR, timedelta(0))


@pytest.fixture
def jump(monkeypatch: pytest.MonkeyPatch) -> Jump:
    """Sets this computer's clock, by a difference to the right time."""
    right = time.time
    wrong = timedelta(0)

    class AnyMoment(type):
        def __instancecheck__(cls, value: object) -> bool:
            return isinstance(value, datetime)

    class Clock(datetime, metaclass=AnyMoment):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Any:
            return datetime.now(tz) + wrong

    def to(by: timedelta) -> None:
        nonlocal wrong
        wrong = by
        monkeypatch.setattr(time, "time", lambda: right() + by.total_seconds())

    for name, module in list(sys.modules.items()):
        if name.startswith("webapp.") and getattr(module, "datetime", None) is datetime:
            monkeypatch.setattr(module, "datetime", Clock)
    return to


def test_entries_stay_in_the_order_in_which_they_were_made(
    app: Flask, client: FlaskClient, jump: Jump
) -> None:
    table = open_table(client)
    deal = client.post(f"{table}/next").headers["Location"]
    for number, by in enumerate(JUMPS, 1):
        jump(by)
        edit(client, deal, "E", action="add", mode="tile", label=f"{number}m")
    client.post(f"{deal}/undo", data={"head": 3})
    assert [tile.label for tile in state_of(app, deal).player("E").tiles] == ["1m", "2m"]
    for by in JUMPS:
        jump(by)
        client.post(f"{table}/drawn")
    assert len(game_of(app, table).game.hands) == 3
    client.post(f"{table}/undo", data={"head": game_of(app, table).head})
    assert len(game_of(app, table).game.hands) == 2
    entries = services_of(app).games.history(game_of(app, table).id)
    assert [entry.number for entry in entries] == [4, 3, 2, 1, 0]
    examined = examine_database(services_of(app).engine)
    assert examined is not None
    assert examined.whole


def test_phones_are_told_of_an_entry_after_the_clock_was_set_back(
    app: Flask, client: FlaskClient, jump: Jump
) -> None:
    table = open_table(client)
    deal = client.post(f"{table}/next").headers["Location"]
    edit(client, deal, "E", action="add", mode="tile", label="1m")
    told = services_of(app).games.token(game_of(app, table).id)
    jump(-timedelta(hours=1))
    edit(client, deal, "E", action="add", mode="tile", label="2m")
    assert services_of(app).games.token(game_of(app, table).id) != told


def test_a_form_counts_once_whatever_the_clock_says(
    app: Flask, client: FlaskClient, jump: Jump
) -> None:
    table = open_table(client)
    form = {"head": game_of(app, table).head, "entry": "one form"}
    for by in (timedelta(0), *JUMPS):
        jump(by)
        forget_old(services_of(app).engine)
        assert client.post(f"{table}/drawn", data=form).headers["Location"] == table
    assert len(game_of(app, table).game.hands) == 1


def test_a_form_counts_once_after_a_start_with_a_clock_that_is_fast(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = open_table(client)
    form = {"head": game_of(app, table).head, "entry": "one form"}
    client.post(f"{table}/drawn", data=form)
    monkeypatch.setattr(sent, "steady_now", lambda: steady_now() + YEAR)
    forget_old(services_of(app).engine)
    client.post(f"{table}/drawn", data=form)
    assert len(game_of(app, table).game.hands) == 1


def test_the_photo_sent_last_counts_after_the_clock_was_set_back(
    app: Flask, client: FlaskClient, jump: Jump, reader: FakeReader
) -> None:
    deal = start(client)
    deal_id = deal.rsplit("/", 1)[1]
    photo = reader.learn(reading_of(DEAL["players"][0], {}))
    send_photo(client, deal, "E", photo, "first.jpg")
    wait_for_photos(app, deal_id)
    before = services_of(app).store.latest_photos(deal_id)["E"].id
    jump(-timedelta(hours=1))
    send_photo(client, deal, "E", photo, "second.jpg")
    wait_for_photos(app, deal_id)
    assert services_of(app).store.latest_photos(deal_id)["E"].id != before


def test_photos_are_kept_as_long_as_was_decided(
    app: Flask, client: FlaskClient, jump: Jump
) -> None:
    demo(app, client)
    photos = book_of(services_of(app).engine).photos
    photos.decide(30)
    there = photos.stored()
    for by in JUMPS:
        jump(by)
        assert photos.clean() == 0
    assert photos.stored() == there


def test_tables_in_play_stay_on_the_first_page(client: FlaskClient, jump: Jump) -> None:
    table = open_table(client)
    client.post(f"{table}/drawn")
    for by in JUMPS:
        jump(by)
        assert table in client.get("/").text


@pytest.mark.parametrize(
    ("system", "clock"), [("darwin", "CLOCK_MONOTONIC_RAW"), ("linux", "CLOCK_BOOTTIME")]
)
def test_the_clock_goes_on_while_the_computer_sleeps(
    system: str, clock: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows Python's own does."""
    monkeypatch.setattr("sys.platform", system)
    number: int = getattr(time, clock)
    monkeypatch.setattr(time, "clock_gettime", lambda which: 7.0 if which == number else 0.0)
    assert seconds() == 7.0
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setattr(time, "monotonic", lambda: 8.0)
    assert seconds() == 8.0
