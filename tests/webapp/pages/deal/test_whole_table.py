"""One photo of the whole table, and the answers to what is asked about its tiles."""

from __future__ import annotations

import io
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.conftest import services_of, wait_for_photos
from tests.webapp.fakes import DEAL, FakeReader, layout_of, reading_of
from webapp.deal.trail import as_read

SIDES = ("near", "right", "far", "left")


def table_reading(seats: str = "ESWN", *, doubtful: bool = False) -> dict[str, Any]:
    """All players' tiles on one photo: the first of the seats in front, then anticlockwise."""
    players = {p["seat"]: p for p in DEAL["players"]}
    whole: dict[str, Any] = {"tiles": [], "hands": [], "layout": [], "warnings": []}
    for number, seat in enumerate(seats):
        faults = {12: ("6p", "5p")} if doubtful and seat == "N" else {}
        one = reading_of(players[seat], faults)
        whole |= {"width": one["width"], "height": one["height"] * len(seats)}
        whole["seconds"] = one["seconds"]
        start, drop = len(whole["tiles"]), number * one["height"]
        for tile in one["tiles"]:
            tile["quad"] = [[x, y + drop] for x, y in tile["quad"]]
        whole["tiles"] += one["tiles"]
        whole["hands"] += one["hands"]
        parts = layout_of(players[seat], start)
        whole["layout"].append({"position": SIDES[number], "parts": parts})
    whole["tiles"].append(
        {
            "quad": [[0, 0], [9, 0], [9, 9], [0, 9]],
            "label": "7p",
            "confidence": 0.3,
            "alternatives": [["7p", 0.3]],
            "row": 9,
        }
    )
    return whole


def new_deal(client: FlaskClient) -> str:
    return client.post("/deals").headers["Location"]


def photograph(client: FlaskClient, app: Flask, deal: str, photo: bytes) -> str:
    sent = client.post(f"{deal}/table-photo", data={"photo": (io.BytesIO(photo), "t.jpg")})
    assert sent.status_code == 303
    wait_for_photos(app, deal.rsplit("/", 1)[1])
    progress = client.get(sent.headers["Location"])
    assert progress.status_code == 303
    return progress.headers["Location"]


def test_one_photo_and_one_tap_give_everybody_the_tiles(
    client: FlaskClient, app: Flask, reader: FakeReader
) -> None:
    deal = new_deal(client)
    assert f"{deal}/table-photo" in client.get(deal).text
    seats = photograph(client, app, deal, reader.learn(table_reading("WNES")))
    page = client.get(seats).text
    assert all(words in page for words in ("In front", "On the right", "Opposite", "On the left"))
    assert client.post(seats, data={"east": "far"}).status_code == 303
    stored = services_of(app).store.deal(deal.rsplit("/", 1)[1])
    assert stored is not None
    for player in DEAL["players"]:
        read = stored.state.player(player["seat"])
        assert sorted(t.label for t in read.in_place("hand")) == sorted(player["concealed"])
        assert len(read.melds) == len(player["melds"])
        assert [t.label for t in read.in_place("bonus")] == sorted(player["bonus"])
    assert stored.state.win.seat == "S", "South alone shows fourteen tiles"
    held = sum(len(player.tiles) for player in stored.state.players)
    assert held == len(table_reading()["tiles"]) - 1, "the stray tile is nobody's"


def test_a_photo_without_four_hands_says_so(
    client: FlaskClient, app: Flask, reader: FakeReader
) -> None:
    deal = new_deal(client)
    seats = photograph(client, app, deal, reader.learn(table_reading("ES")))
    assert "2 of 4 hands were found" in client.get(seats).text
    assert client.post(seats, data={"east": "above"}).status_code == 400
    assert client.post(seats, data={"east": "right"}).status_code == 303


def test_east_may_be_the_one_whose_hand_was_not_found(
    client: FlaskClient, app: Flask, reader: FakeReader
) -> None:
    deal = new_deal(client)
    seats = photograph(client, app, deal, reader.learn(table_reading("SWN")))
    page = client.get(seats).text
    assert "hand is the one that was not found." in page
    assert 'value="left">The one that is missing' in page
    assert client.post(seats, data={"east": "left"}).status_code == 303
    stored = services_of(app).store.deal(deal.rsplit("/", 1)[1])
    assert stored is not None
    assert not stored.state.player("E").tiles
    for told in DEAL["players"]:
        if told["seat"] != "E":
            read = stored.state.player(told["seat"]).in_place("hand")
            assert sorted(tile.label for tile in read) == sorted(told["concealed"])


def test_without_a_photo_nothing_is_sent(client: FlaskClient) -> None:
    deal = new_deal(client)
    answer = client.post(f"{deal}/table-photo", data={})
    assert answer.status_code == 400
    assert "No photo was chosen" in answer.text
    files = [(io.BytesIO(b"photo"), "a.jpg"), (io.BytesIO(), "b.jpg")]
    each = client.post(f"{deal}/table-photo/each", data={"photos": files})
    assert each.status_code == 400
    assert "The file is empty" in each.text


def test_a_player_who_photographs_the_whole_table_gets_the_hand_in_front(
    client: FlaskClient, app: Flask, reader: FakeReader
) -> None:
    deal = new_deal(client)
    photo = reader.learn(table_reading("NESW"))
    client.post(f"{deal}/players/N/photo", data={"photo": (io.BytesIO(photo), "n.jpg")})
    wait_for_photos(app, deal.rsplit("/", 1)[1])
    stored = services_of(app).store.deal(deal.rsplit("/", 1)[1])
    assert stored is not None
    north = next(p for p in DEAL["players"] if p["seat"] == "N")
    assert len(stored.state.player("N").tiles) == len(north["concealed"]) + len(north["bonus"])


def test_a_doubtful_tile_is_asked_at_the_table_and_named_with_one_tap(
    client: FlaskClient, app: Flask, reader: FakeReader
) -> None:
    deal = new_deal(client)
    seats = photograph(client, app, deal, reader.learn(table_reading(doubtful=True)))
    client.post(seats, data={"east": "near"})
    page = client.get(deal).text
    assert "Please check these" in page
    stored = services_of(app).store.deal(deal.rsplit("/", 1)[1])
    assert stored is not None
    (tile,) = stored.state.player("N").doubtful
    named = {"action": "name", "seat": "N", "tile": tile.id, "label": "5p"}
    assert client.post(f"{deal}/answers", data=named).status_code == 303
    assert "Please check these" not in client.get(deal).text
    gone = client.post(f"{deal}/answers", data=named | {"tile": "t99"}, follow_redirects=True)
    assert "already been removed" in gone.text
    assert client.post(f"{deal}/answers", data={"action": "fly"}).status_code == 400
    late = {"action": "version", "number": "7"}
    told = client.post(f"{deal}/answers", data=late, follow_redirects=True)
    assert "already been answered" in told.text


def test_all_tiles_may_be_confirmed_at_once(
    client: FlaskClient, app: Flask, reader: FakeReader
) -> None:
    deal = new_deal(client)
    seats = photograph(client, app, deal, reader.learn(table_reading(doubtful=True)))
    client.post(seats, data={"east": "near"})
    client.post(f"{deal}/answers", data={"action": "all_right"})
    assert "Please check these" not in client.get(deal).text


def test_photos_of_all_players_are_sent_at_once_east_first(
    client: FlaskClient, app: Flask, reader: FakeReader
) -> None:
    deal = new_deal(client)
    photos = [
        (io.BytesIO(reader.learn(reading_of(player, {}))), f"{player['seat']}.jpg")
        for player in DEAL["players"]
    ]
    sent = client.post(f"{deal}/table-photo/each", data={"photos": photos})
    assert sent.headers["Location"] == deal
    wait_for_photos(app, deal.rsplit("/", 1)[1])
    stored = services_of(app).store.deal(deal.rsplit("/", 1)[1])
    assert stored is not None
    for player in DEAL["players"]:
        held = stored.state.player(player["seat"]).in_place("hand")
        assert sorted(tile.label for tile in held) == sorted(player["concealed"])
    again = client.post(f"{deal}/table-photo/each", data={"photos": [(io.BytesIO(b"x"), "x.jpg")]})
    assert again.status_code == 400
    assert "1 photos were chosen for 0 players" in again.text


def test_each_players_photo_shows_the_tiles_of_that_player(
    client: FlaskClient, app: Flask, reader: FakeReader
) -> None:
    deal = new_deal(client)
    seats = photograph(client, app, deal, reader.learn(table_reading("WNES")))
    client.post(seats, data={"east": "far"})
    store, deal_id = services_of(app).store, deal.rsplit("/", 1)[1]
    stored = store.deal(deal_id)
    assert stored is not None
    for player in stored.state.players:
        read = as_read(store.trail(deal_id), player)
        assert read is not None
        assert [tile.id for tile in read.tiles] == [tile.id for tile in player.tiles]
    given = client.post(f"{deal}/exchange", data={"seat": "E", "other": "W"})
    assert given.status_code == 303
    exchanged = store.deal(deal_id)
    assert exchanged is not None
    west = exchanged.state.player("W")
    read = as_read(store.trail(deal_id), west)
    assert read is not None
    assert read.seat == "E"
    assert [tile.id for tile in read.tiles] == [tile.id for tile in west.tiles]
