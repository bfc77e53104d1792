"""Entries made without a connection are sent when it is back: each once, conflicts told."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urljoin

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.conftest import services_of
from tests.webapp.pages.table.test_games import game_of, open_table
from webapp.security.accounts import Accounts
from webapp.security.login import EXTENSION


def entry(table: str, number: int, kind: str = "drawn", **more: Any) -> dict[str, Any]:
    made = {"entry": f"{number:032x}", "game": table.rsplit("/", 1)[1], "number": number}
    return {**made, "kind": kind, **more}


def totals(table: str, number: int, **more: Any) -> dict[str, Any]:
    told = {"Ann": "20", "Bob": "40", "Cat": "128", "Dee": "8"}
    won = {"totals": told, "winner": "Cat", "source": "discard", "giver": "Bob"}
    return entry(table, number, "totals", **{**won, **more})


def send(client: FlaskClient, sent: dict[str, Any]) -> dict[str, str]:
    told: dict[str, str] = client.post("/offline/entries", json=sent).get_json()
    return told


def test_what_waited_is_kept_once_however_often_it_is_sent(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    for _ in range(3):
        assert send(client, totals(table, 1))["state"] == "kept"
        assert send(client, entry(table, 2))["state"] == "kept"
    game = game_of(app, table).game
    assert [state.winner for state in game.hands] == ["Cat", None]
    assert game.hands[0].gains["Cat"] > 0
    assert len([d for d in game_of(app, table).book.deals if d]) == 1


@pytest.mark.parametrize(
    ("ruleset", "refused", "kept"),
    [("hong-kong", ["totals"], ["drawn"]), ("riichi", ["totals", "drawn"], [])],
)
def test_a_table_that_counts_fan_takes_tiles_and_no_totals(
    app: Flask, client: FlaskClient, ruleset: str, refused: list[str], kept: list[str]
) -> None:
    table = open_table(client, ruleset=ruleset)
    for kind in refused:
        sent = totals(table, 1) if kind == "totals" else entry(table, 1)
        assert send(client, sent) == {
            "state": "refused",
            "message": "Its rules need more than that: enter the tiles.",
        }
    assert not game_of(app, table).game.hands
    tiles = entry(table, 1, "tiles", tiles={"Cat": "123456m555z22999m"})
    assert send(client, tiles)["state"] == "kept"
    data = re.search(r"data-table='([^']*)'", client.get(table).text)
    assert data is not None
    assert json.loads(data[1])["kinds"] == [*kept, "tiles"]


def test_a_hand_that_another_phone_entered_is_a_conflict_and_nothing_is_lost(
    app: Flask, client: FlaskClient
) -> None:
    table = open_table(client)
    client.post(f"{table}/drawn")
    told = send(client, totals(table, 1))
    assert told["state"] == "conflict"
    assert "hand 1" in told["message"]
    assert "Drawn" in told["message"]
    assert len(game_of(app, table).game.hands) == 1
    assert send(client, totals(table, 1, as_next=True))["state"] == "kept"
    assert send(client, totals(table, 1, as_next=True))["state"] == "kept"
    assert [s.winner for s in game_of(app, table).game.hands] == [None, "Cat"]


def test_the_winds_are_those_of_the_hand_that_it_becomes(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    assert send(client, totals(table, 1))["state"] == "kept"
    first = game_of(app, table).game.hands[0]
    assert send(client, {**totals(table, 2), "winner": "Ann"})["state"] == "kept"
    second = game_of(app, table).game.hands[1]
    assert second.winner == "Ann"
    seats = {name: seat for seat, name in second.position.seats.items()}
    assert seats["Ann"] != {name: seat for seat, name in first.position.seats.items()}["Ann"]


def test_tiles_are_laid_before_their_players(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    sent = entry(table, 1, "tiles", tiles={"Ann": "123m 55p", "Bob": "777z 1f"})
    assert send(client, sent)["state"] == "kept"
    assert send(client, sent)["state"] == "kept"
    deal = client.post(f"{table}/next").headers["Location"].rsplit("/", 1)[1]
    stored = services_of(app).store.deal(deal)
    assert stored is not None
    by_name = {p.name: [t.label for t in p.tiles] for p in stored.state.players}
    assert sorted(by_name["Ann"]) == ["1m", "2m", "3m", "5p", "5p"]
    assert sorted(by_name["Bob"]) == ["1f", "7z", "7z", "7z"]
    other = {**sent, "entry": "f" * 32, "tiles": {"Ann": "9s"}}
    told = send(client, other)
    assert told["state"] == "conflict"
    assert "Ann" in told["message"]
    assert send(client, {**other, "replace": True})["state"] == "kept"
    stored = services_of(app).store.deal(deal)
    assert stored is not None
    assert {p.name: [t.label for t in p.tiles] for p in stored.state.players}["Ann"] == ["9s"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"totals": {"Ann": "many"}}, "The total for Ann"),
        ({"winner": "Nobody here"}, "Say who went out"),
        ({"source": "luck"}, "Say where the last tile came"),
        ({"entry": "short"}, "cannot be read (entry)"),
        ({"number": "1"}, "cannot be read (number)"),
        ({"surprise": 1}, "cannot be read (surprise)"),
        ({"game": "0" * 32}, "no such table"),
    ],
)
def test_what_cannot_be_is_told(
    app: Flask, client: FlaskClient, change: dict[str, Any], told: str
) -> None:
    table = open_table(client)
    answer = send(client, {**totals(table, 1), **change})
    assert answer["state"] == "refused"
    assert told in answer["message"]
    assert not game_of(app, table).game.hands


def test_wrong_tiles_and_an_ended_game_are_told(client: FlaskClient) -> None:
    table = open_table(client)
    answer = send(client, entry(table, 1, "tiles", tiles={"Ann": "12x"}))
    assert answer["state"] == "refused"
    assert answer["message"].startswith("Ann: ")
    client.post(f"{table}/close", data={"closed": "yes"})
    assert send(client, entry(table, 1))["state"] == "conflict"
    assert client.post("/offline/entries", data=b"{").get_json()["state"] == "refused"


def test_a_table_tells_a_phone_what_to_remember(client: FlaskClient) -> None:
    table = open_table(client)
    found = re.search(r"data-table='([^']+)'", client.get(table).text)
    assert found is not None
    held = json.loads(found[1])
    assert held["players"] == ["Ann", "Bob", "Cat", "Dee"]
    assert held["number"] == 1


def test_strangers_and_guests_neither_remember_nor_send(app: Flask) -> None:
    table = open_table(app.test_client())
    kept: Accounts = app.extensions[EXTENSION]
    kept.add("Sue", "secretary", "a long enough password")
    kept.add("Gus", "guest", "a long enough password")
    stranger = app.test_client()
    page = stranger.get(table).text
    assert "data-table" not in page
    assert 'data-enters="no"' in page
    assert stranger.post("/offline/entries", json=entry(table, 1)).status_code == 303
    assert stranger.get("/offline/token").status_code == 303
    assert stranger.get("/offline").status_code == 200
    guest = app.test_client()
    guest.post("/login", data={"name": "Gus", "password": "a long enough password"})
    assert "data-table" not in guest.get(table).text
    assert guest.post("/offline/entries", json=entry(table, 1)).status_code == 403
    offline = guest.get("/offline").text
    assert "Gus" not in offline
    assert "csrf" not in offline


def test_the_worker_keeps_the_files_of_this_version_and_no_photos(client: FlaskClient) -> None:
    answer = client.get("/worker.js")
    assert answer.content_type.startswith("text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"
    version = re.findall(r'^const VERSION = "([0-9a-f]{8})"', answer.text)[0]
    files = json.loads(re.findall(r"^const FILES = (.*);$", answer.text, re.MULTILINE)[0])
    assert f"/static/kongbox.css?v={version}" in files
    assert f"/static/offline.js?v={version}" in files
    assert not [file for file in files if "samples" in file]
    for file in files:
        with client.get(file) as kept:
            assert kept.status_code == 200


def test_entries_of_other_sites_are_refused(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    sent = app.test_client().post("/offline/entries", json=entry(table, 1), forged=True)
    assert sent.status_code == 400
    assert not game_of(app, table).game.hands
    token = client.get("/offline/token").get_json()["token"]
    kept = client.post(
        "/offline/entries", json=entry(table, 1), headers={"X-CSRFToken": token}, forged=True
    )
    assert kept.get_json()["state"] == "kept"


def test_the_page_can_be_put_on_the_home_screen(app: Flask) -> None:
    client = app.test_client()
    (address,) = re.findall(r'rel="manifest" href="([^"]+)"', client.get("/").text)
    with client.get(address) as answer:
        assert answer.mimetype == "application/manifest+json"
        told = json.loads(answer.data)
    assert urljoin(address, told["start_url"]) == urljoin(address, told["scope"]) == "/"
    assert {icon.get("purpose", "any") for icon in told["icons"]} == {"any", "maskable"}
    for icon in told["icons"]:
        with client.get(urljoin(address, icon["src"])) as picture:
            pixels = cv2.imdecode(np.frombuffer(picture.data, np.uint8), cv2.IMREAD_UNCHANGED)
        assert pixels is not None
        assert f"{pixels.shape[1]}x{pixels.shape[0]}" == icon["sizes"]
