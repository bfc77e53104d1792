"""Photographing all players one after another, each by name."""

from __future__ import annotations

from io import BytesIO

from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.conftest import wait_for_photos
from tests.webapp.fakes import DEAL, FakeReader, reading_of
from tests.webapp.pages.deal.test_pages import edit, start, state_of

NAMES = {"name_E": "Ann", "name_S": "Bob", "name_W": "Cat", "name_N": "Dee"}


def test_one_photo_leads_to_the_next_player_by_name_without_waiting(
    app: Flask, client: FlaskClient, reader: FakeReader
) -> None:
    deal = start(client, **NAMES)
    assert f"{deal}/players/E/photo?session=1" in client.get(deal).text
    address = f"{deal}/players/E/photo?session=1"
    for player, name in zip(DEAL["players"], ("Ann", "Bob", "Cat", "Dee"), strict=True):
        page = client.get(address).text
        assert f"Photo of {name} (" in page
        assert page.count("✓ </span>") == "ESWN".index(player["seat"])
        photo = BytesIO(reader.learn(reading_of(player, {})))
        address = client.post(address, data={"photo": (photo, "p.jpg")}).headers["Location"]
    assert address == deal, "after the last to the table"
    wait_for_photos(app, deal.rsplit("/", 1)[1])
    assert all(player.tiles for player in state_of(app, deal).players)
    assert "session=1" not in client.get(deal).text, "everybody's tiles are there"


def test_who_has_tiles_is_passed_over_and_anybody_can_be_left_out(client: FlaskClient) -> None:
    deal = start(client, **NAMES)
    edit(client, deal, "S", action="type", codes="111m")
    page = client.get(f"{deal}/players/E/photo?session=1").text
    assert f"{deal}/players/W/photo?session=1" in page
    assert "Skip Ann (East) for now" in page
    last = client.get(f"{deal}/players/N/photo?session=1").text
    assert "for now" not in last
    assert "Back to the table" in last


def test_photos_chosen_together_are_in_the_order_of_the_names(client: FlaskClient) -> None:
    deal = start(client, **NAMES)
    edit(client, deal, "S", action="type", codes="111m")
    page = client.get(f"{deal}/table-photo").text
    assert "in this order: Ann (East), Cat (West), Dee (North)" in page
