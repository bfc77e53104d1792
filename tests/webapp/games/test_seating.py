"""Who sits at which side of a photo of the table is remembered; East follows the dealer."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.browser.browser import Page
from tests.webapp.conftest import services_of, wait_for_photos
from tests.webapp.fakes import DEAL, FakeReader
from tests.webapp.pages.deal.test_whole_table import SIDES, new_deal, photograph, table_reading
from tests.webapp.pages.table.test_games import NAMES, game_of, open_table, totals
from webapp.deal import edits
from webapp.deal.state import DealState, Reread, Suggestion, Win, from_json, to_json
from webapp.deal.store import StoredDeal
from webapp.games.forms import seated_state
from webapp.games.seating import known_sides, seats_of_sides


def stored_deal(app: Flask, deal: str) -> StoredDeal:
    found = services_of(app).store.deal(deal.rsplit("/", 1)[1])
    assert found is not None
    return found


def state_of(app: Flask, deal: str) -> DealState:
    return stored_deal(app, deal).state


def offered(page: str) -> tuple[str, ...]:
    """The sides at which the page says that East may sit, the likeliest first."""
    return tuple(re.findall(r'name="east" value="(\w+)"', page))


@pytest.mark.parametrize(
    ("seats", "sides", "east", "expected"),
    [
        ("ESWN", SIDES, "near", {"E": "near", "S": "right", "W": "far", "N": "left"}),
        ("ESWN", SIDES, "left", {"E": "left", "S": "near", "W": "right", "N": "far"}),
        ("EWN", ("near", "far", "left"), "far", {"E": "far", "W": "left", "N": "near"}),
        ("ESWN", ("near", "far"), "near", {"E": "near", "W": "far"}),
        ("ESWN", ("right", "left", "near"), "left", {"E": "left", "S": "near", "W": "right"}),
    ],
)
def test_the_others_follow_east_anticlockwise(
    seats: str, sides: tuple[str, ...], east: str, expected: dict[str, str]
) -> None:
    assert seats_of_sides(tuple(seats), sides, east) == expected


def test_no_hand_at_easts_side_is_refused() -> None:
    with pytest.raises(ValueError, match="no hand lies at far"):
        seats_of_sides(("E", "S"), ("near", "left"), "far")


def test_at_the_next_hand_the_new_east_is_offered_first(
    client: FlaskClient, app: Flask, reader: FakeReader
) -> None:
    table = open_table(client)
    first = client.post(f"{table}/next").headers["Location"]
    seats = photograph(client, app, first, reader.learn(table_reading("WNES")))
    page = client.get(seats).text
    assert offered(page) == SIDES, "nobody knows yet who sits where"
    assert "Going by the last photo" not in page
    client.post(seats, data={"east": "far"})
    services_of(app).store.edit(
        first.rsplit("/", 1)[1],
        lambda state: replace(state, win=Win(seat="S", tile="6s", source="wall")),
        "South went out",
    )
    taken = client.post(f"{table}/take", data={"deal": first.rsplit("/", 1)[1]})
    assert taken.status_code == 303
    assert len(game_of(app, table).game.hands) == 1

    second = client.post(f"{table}/next").headers["Location"]
    assert state_of(app, second).player("E").name == "Bob"
    seats = photograph(client, app, second, reader.learn(table_reading("NESW")))
    page = client.get(seats).text
    assert offered(page)[0] == "left", "Bob sat there, as South, a hand before"
    assert sorted(offered(page)) == sorted(SIDES), "any other may be chosen, too"
    told = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    whose = [f"{NAMES[seat]} ({wind}) : {side}" for seat, wind, side in (
        ("S", "East", "On the left"),
        ("W", "South", "In front"),
        ("N", "West", "On the right"),
        ("E", "North", "Opposite"),
    )]  # fmt: skip
    assert all(one in told for one in whose)
    client.post(seats, data={"east": "left"})
    assert dict(state_of(app, second).sides) == {
        "E": "left", "S": "near", "W": "right", "N": "far"
    }  # fmt: skip


def test_hands_without_a_photo_of_the_table_lie_between(
    client: FlaskClient, app: Flask, reader: FakeReader
) -> None:
    table = open_table(client)
    first = client.post(f"{table}/next").headers["Location"]
    seats = photograph(client, app, first, reader.learn(table_reading("ESWN")))
    client.post(seats, data={"east": "near"})
    services_of(app).store.edit(
        first.rsplit("/", 1)[1],
        lambda state: replace(state, win=Win(seat="S", tile="6s", source="wall")),
        "South went out",
    )
    client.post(f"{table}/take", data={"deal": first.rsplit("/", 1)[1]})
    totals(client, table, 2, "S", 20, 128, 8, 16)
    third = client.post(f"{table}/next").headers["Location"]
    assert state_of(app, third).player("E").name == "Cat"
    found = services_of(app)
    assert known_sides(found.store, found.games, stored_deal(app, third)) == {
        "E": "far", "S": "left", "W": "near", "N": "right"
    }  # fmt: skip


def test_who_comes_in_takes_the_chair_of_who_goes_out(client: FlaskClient, app: Flask) -> None:
    table = open_table(client, waiting="Eve")
    totals(client, table, 1, "S", 20, 128, 8, 16)
    found, sides = services_of(app), {"E": "near", "S": "right", "W": "far", "N": "left"}
    first = game_of(app, table).book.deals[0]
    assert first is not None
    found.store.edit(first, lambda state: replace(state, sides=sides), "Sides")
    following = client.post(f"{table}/next").headers["Location"]
    assert known_sides(found.store, found.games, stored_deal(app, following)) == {
        "E": "right", "S": "far", "W": "left", "N": "near"
    }, "Eve is North where Ann was East"  # fmt: skip


def test_without_a_game_the_deal_after_knows_it(
    client: FlaskClient, app: Flask, reader: FakeReader
) -> None:
    deal = new_deal(client)
    seats = photograph(client, app, deal, reader.learn(table_reading("WNES")))
    client.post(seats, data={"east": "far"})
    stay = client.post(f"{deal}/next", data={"winds": "stay"}).headers["Location"]
    assert state_of(app, stay).sides["E"] == "far"
    passed = client.post(f"{deal}/next", data={"winds": "pass"}).headers["Location"]
    assert state_of(app, passed).sides == {"E": "left", "S": "near", "W": "right", "N": "far"}


def test_another_east_takes_the_hands_round_with_what_was_corrected(
    client: FlaskClient, app: Flask, reader: FakeReader
) -> None:
    deal = new_deal(client)
    seats = photograph(client, app, deal, reader.learn(table_reading("ESWN", doubtful=True)))
    client.post(seats, data={"east": "right"})
    assert state_of(app, deal).win.seat == "E", "fourteen tiles lie at the right"
    (doubtful,) = state_of(app, deal).player("W").doubtful
    named = {"action": "name", "seat": "W", "tile": doubtful.id, "label": "5p"}
    client.post(f"{deal}/answers", data=named)
    assert f'href="{seats}"' in client.get(deal).text
    assert offered(client.get(seats).text)[0] == "right"
    client.post(seats, data={"east": "near"})
    state = state_of(app, deal)
    assert state.win.seat == "S"
    for player in DEAL["players"]:
        held = state.player(player["seat"]).in_place("hand")
        assert sorted(tile.label for tile in held) == sorted(player["concealed"])
    assert [t.label for t in state.player("N").tiles if t.checked] == ["5p"]


def test_who_sits_where_goes_with_the_winds_and_is_stored(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    deal = client.post(f"{table}/next").headers["Location"]
    asked = Suggestion((Reread("S", "t1", "5p", "6p"),), 3.0, "It follows.")
    sides = dict(zip("ESWN", SIDES, strict=True))
    swapped = {"E": "Bob", "S": "Ann"}
    state = state_of(app, deal)
    players = tuple(replace(p, name=swapped.get(p.seat, p.name)) for p in state.players)
    south = edits.add_tiles(players[1], ["5p"], "hand")
    state = replace(
        state,
        players=(players[0], south, *players[2:]),
        sides=sides,
        suggestions=(asked,),
        tile_set="Club set",
    )
    assert from_json(to_json(state)) == state
    game = game_of(app, table).game
    assert game.next is not None
    moved = seated_state(state, game, game.next)
    assert moved.player("E").tiles == south.tiles
    assert moved.sides == sides | {"E": "right", "S": "near"}
    assert moved.suggestions[0].changes == (Reread("E", "t1", "5p", "6p"),)
    assert moved.tile_set == "Club set"


@pytest.mark.browser
def test_one_tap_confirms_who_is_east(
    page: Page, app: Flask, reader: FakeReader, tmp_path: Path
) -> None:
    photo = tmp_path / "table.jpg"
    photo.write_bytes(reader.learn(table_reading("WNES")))
    client = app.test_client()
    deal = new_deal(client)
    first = photograph(client, app, deal, photo.read_bytes())
    client.post(first, data={"east": "far"})
    deal = client.post(f"{deal}/next", data={"winds": "stay"}).headers["Location"]
    page.open(f"{deal}/table-photo")
    page.all("input[name=photo]")[-1].send_keys(str(photo))
    page.wait("//h1[contains(., 'Who is East?')]")
    page.check()
    assert [e.text for e in page.all("button.primary")] == ["Yes, these are their hands"]
    page.tap("Yes, these are their hands")
    wait_for_photos(app, deal.rsplit("/", 1)[1])
    assert state_of(app, deal).sides == {"E": "far", "S": "left", "W": "near", "N": "right"}
    page.check()
    page.tap("Is someone else East?")
    page.check()
    page.tap("In front")
    assert state_of(app, deal).sides["E"] == "near"
