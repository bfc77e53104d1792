"""Tables, evenings and deals opened by mistake are removed and brought back, days corrected."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.book_fixtures import book_of
from tests.webapp.conftest import services_of
from tests.webapp.pages.table.test_games import (
    NAMES,
    enter_deal,
    game_of,
    open_table,
    totals,
    words,
)
from tests.webapp.security.test_login import club, kept, logged_in
from webapp.book.seasons import Span
from webapp.evening.evenings import today
from webapp.games.words import long_day

__all__ = ["club", "kept"]

EVER = Span(None, None)


def removed(client: FlaskClient, kind: str, ref: str, **form: str) -> str:
    page = words(client.get(f"/removed/{kind}/{ref}"))
    client.post(f"/removed/{kind}/{ref}", data=form)
    return page


def on_board(app: Flask) -> list[str]:
    return sorted(line.name for line in book_of(services_of(app).engine).statistics.board(EVER))


def id_of(address: str) -> str:
    return address.rsplit("/", 1)[1]


def test_a_table_counts_nowhere_until_it_is_brought_back(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    totals(client, table, 1, "S", 20, 128, 8, 16)
    evening = f"/evenings/{game_of(app, table).evening_id}"
    assert on_board(app) == sorted(NAMES.values())
    token = services_of(app).games.token(id_of(table))
    asked = removed(client, "table", id_of(table))
    assert "Remove this table?" in asked
    assert services_of(app).games.token(id_of(table)) != token, "phones that follow it are told"
    assert "1 hand was played." in asked
    assert on_board(app) == []
    assert table not in client.get("/").text
    assert table not in client.get(evening).text
    assert "/removed" in client.get(evening).text
    assert "0 tables" in words(client.get("/evenings"))
    assert "This table was removed and does not count." in words(client.get(table))
    for path, form in (
        ("drawn", {}),
        ("next", {}),
        ("undo", {}),
        ("hands/2/payments", {"winner": "nobody"}),
    ):
        client.post(f"{table}/{path}", data=form)
        assert "Restore it before you enter anything." in words(client.get(table))
    assert len(game_of(app, table).game.hands) == 1
    assert table in client.get("/removed").text
    removed(client, "table", id_of(table), then="back")
    assert on_board(app) == sorted(NAMES.values())
    assert table in client.get(evening).text
    history = words(client.get(f"{table}/history"))
    assert history.index("Brought back") < history.index("Table removed")
    assert "Nothing yet. Anything you remove" in words(client.get("/removed"))


def test_what_waited_in_a_phone_is_not_entered_at_a_removed_table(
    app: Flask, client: FlaskClient
) -> None:
    table = open_table(client)
    removed(client, "table", id_of(table))
    entry = {"entry": "a" * 32, "game": id_of(table), "number": 1, "kind": "drawn"}
    answer = client.post("/offline/entries", json=entry).json
    assert answer is not None
    assert answer["state"] == "conflict"
    assert game_of(app, table).game.hands == ()


def test_an_evening_goes_with_its_tables(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    totals(client, table, 1, "S", 20, 128, 8, 16)
    evening_id = game_of(app, table).evening_id
    asked = removed(client, "evening", evening_id)
    assert "1 table will be removed as well. 1 hand was played." in asked
    assert on_board(app) == []
    assert evening_id not in client.get("/evenings").text
    assert table not in client.get("/").text
    assert "This evening was removed" in words(client.get(table))
    other = open_table(client)
    assert game_of(app, other).evening_id != evening_id, "a new evening begins"
    removed(client, "evening", evening_id, then="back")
    assert on_board(app) == sorted(NAMES.values())
    assert evening_id in client.get("/evenings").text


def test_an_abandoned_deal_goes_and_comes_back(client: FlaskClient) -> None:
    deal = client.post("/deals", data={"name_E": "Ann"}).headers["Location"]
    assert deal in client.get("/").text
    assert "Tiles of 0 players are entered in it." in removed(client, "deal", id_of(deal))
    assert deal not in client.get("/").text
    assert "This deal was removed." in words(client.get(deal))
    removed(client, "deal", id_of(deal), then="back")
    assert deal in client.get("/").text


def test_a_hand_begun_by_mistake_is_begun_anew(client: FlaskClient) -> None:
    table = open_table(client)
    deal = client.post(f"{table}/next").headers["Location"]
    removed(client, "deal", id_of(deal))
    assert "Score hand 1" in words(client.get(table))
    other = client.post(f"{table}/next").headers["Location"]
    assert other != deal
    enter_deal(client, other, "W", E=10, S=20, W=100, N=30)
    client.post(f"{table}/take", data={"deal": id_of(other)})
    removed(client, "deal", id_of(other))
    assert "This hand belongs to a table." in words(client.get(other))
    assert "This deal was removed" not in words(client.get(other))


def test_removing_twice_is_one_removal(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    for _ in range(2):
        removed(client, "table", id_of(table))
    assert len(services_of(app).removals.changes("table", id_of(table))) == 1


@pytest.mark.parametrize("path", ["/removed/house/x", "/removed/table/x", "/removed/deal/x"])
def test_what_is_not_there_is_not_removed(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404
    assert client.post(path).status_code == 404


def test_an_evening_gets_another_day(club: Flask) -> None:
    sam = logged_in(club, "Sam")
    table = open_table(sam)
    totals(sam, table, 1, "S", 20, 128, 8, 16)
    evening = f"/evenings/{game_of(club, table).evening_id}"
    sam.post(f"{evening}/day", data={"day": "2026-03-05", "place": "Barn"})
    page = words(sam.get(evening))
    assert "Thursday 5 March 2026 Barn" in page
    assert f"Day corrected from {today().isoformat()} to 2026-03-05 Sam ·" in page
    assert "Place corrected" in page
    (hand,) = [
        h
        for h in book_of(services_of(club).engine).statistics.records(EVER).highest
        if h.name == "Bob"
    ][:1]
    assert hand.day.isoformat() == "2026-03-05", "records move with it"
    tomorrow = today() + timedelta(days=1)
    page = words(sam.post(f"{evening}/day", data={"day": tomorrow.isoformat()}))
    assert f"{long_day(tomorrow)} is in the future" in page
    assert "Thursday 5 March 2026" in page


def test_after_midnight_the_tables_in_play_stay_on_the_first_page(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, ended = open_table(client), open_table(client, name_E="Eve")
    client.post(f"{ended}/close", data={"closed": "yes"})
    evening_id = game_of(app, table).evening_id
    tomorrow = today() + timedelta(days=1)
    for module in ("webapp.services", "webapp.pages.evening.evenings"):
        monkeypatch.setattr(f"{module}.today", lambda: tomorrow)
    page = client.get("/").text
    assert table in page
    assert ended not in page, "what is over is yesterday's"
    assert f"/evenings/{evening_id}" in page
    later = open_table(client, name_E="Fay")
    assert game_of(app, later).evening_id == evening_id, "the evening goes on"
    monkeypatch.setattr("webapp.services.IN_PLAY", timedelta(0))
    assert table not in client.get("/").text
