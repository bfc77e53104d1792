"""Why a deal cannot be scored: all of it at once, each beside its field, with what follows."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.conftest import services_of
from tests.webapp.pages.deal.test_pages import edit, start, state_of
from tests.webapp.pages.table.test_games import open_table, totals


def said(page: str) -> str:
    """The words of a page, without its tags."""
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def problem(page: str) -> str:
    """The words of the note at the head of a page."""
    return said(page.split('id="problem">')[1].split("</div>", maxsplit=1)[0])


@pytest.fixture
def two_chows(client: FlaskClient) -> str:
    """A deal that South cannot have won: two chows are in hand."""
    deal = start(client)
    for seat in "EWN":
        edit(client, deal, seat, action="about", claimed="0")
    edit(client, deal, "S", action="type", codes="123M 456P 777s 55z")
    edit(client, deal, "S", action="add", mode="pung", label="9s")
    client.post(f"{deal}/win", data={"winner": "S", "asked": "S"})
    client.post(f"{deal}/win", data={"winner": "S", "asked": "S", "tile": "5z", "source": "wall"})
    return deal


def test_the_rule_is_named_where_the_tiles_lie(client: FlaskClient, two_chows: str) -> None:
    target = client.get(f"{two_chows}/result").headers["Location"]
    assert target == f"{two_chows}/players/S?check=1"
    page = client.get(target).text
    told = "This hand has 2 chows; at most 1 may be held (U3A course, sheet 10"
    assert f"South: {told}" in problem(page)
    beside = page.split('id="in-hand"')[1].split("</ul>")[0]
    assert told in said(beside)


def test_the_tile_is_put_back_with_one_tap(app: Flask, client: FlaskClient, two_chows: str) -> None:
    page = client.get(f"{two_chows}/players/S?check=1").text
    assert "Put the tile back: South plays on" in said(page)
    sent = client.post(f"{two_chows}/not-out", data={"then": "back"})
    assert sent.headers["Location"] == two_chows
    state = state_of(app, two_chows)
    assert (state.win.seat, state.win.drawn) == (None, False)
    assert [tile.label for tile in state.player("S").tiles].count("5z") == 1
    client.post(f"{two_chows}/undo", data={"head": _head(app, two_chows)})
    assert state_of(app, two_chows).win.tile == "5z"


def _head(app: Flask, deal: str) -> int:
    stored = services_of(app).store.deal(deal.rsplit("/", 1)[1])
    assert stored is not None
    return stored.head


def test_a_false_mah_jong_is_fined_with_one_tap(
    app: Flask, client: FlaskClient, two_chows: str
) -> None:
    page = said(client.get(f"{two_chows}/players/S?check=1").text)
    assert "False Mah Jong after another hand was shown" in page
    client.post(f"{two_chows}/not-out", data={"then": "false_win"})
    state = state_of(app, two_chows)
    assert state.win.drawn
    assert [(each.kind, each.offender) for each in state.penalties] == [("false_win", "S")]
    result = said(client.get(f"{two_chows}/result").text)
    assert "South pays East 500" in result


def test_nothing_is_taken_back_where_nobody_has_won(app: Flask, client: FlaskClient) -> None:
    deal = start(client)
    client.post(f"{deal}/not-out", data={"then": "false_win"})
    assert state_of(app, deal).penalties == ()


def test_another_clubs_rules_are_one_tap_away(client: FlaskClient, two_chows: str) -> None:
    page = client.get(f"{two_chows}/rules")
    told = said(page.text)
    assert "British (BMJA), U3A course does not allow this hand: this hand has 2 chows" in told
    assert "Back to what is wrong" in told
    assert "United Kingdom standard, 1924" in told
    assert "Total \N{EN DASH} " in told


def test_all_faults_are_told_each_beside_its_field(client: FlaskClient, two_chows: str) -> None:
    edit(client, two_chows, "W", action="about", claimed="", name="")
    edit(client, two_chows, "W", action="type", codes="111222333m")
    facts = {"winner": "S", "asked": "S", "tile": "5z", "source": "discard", "goulash": "on"}
    client.post(f"{two_chows}/win", data={**facts, "ruleset": "western"})
    page = client.get(f"{two_chows}/win?check=1").text
    listed = problem(page)
    for words in (
        "These rules have no goulash",
        "West: 9 tiles, counting each kong as three; 13 are needed",
    ):
        assert words in listed
    assert f'href="{two_chows}/players/W?check=1"' in page
    before = page.split('id="goulash"')[0].rsplit("<fieldset", 1)[1]
    assert "These rules have no goulash" in said(before)


def test_all_that_is_missing_is_told_at_once(client: FlaskClient) -> None:
    deal = start(client)
    page = client.get(f"{deal}?check=1").text
    told = problem(page)
    for seat in ("East", "South", "West", "North"):
        assert f"{seat} has no tiles yet" in told
    assert "Say who went out, or that nobody did" in told


def test_faults_of_a_penalty_stand_beside_it(client: FlaskClient, two_chows: str) -> None:
    fault = {"kind": "false_naming_set", "offender": "S", "victim": "S"}
    client.post(f"{two_chows}/penalties", data=fault)
    page = client.get(f"{two_chows}/win?check=1").text
    told = "Nobody can do this fault to themselves; name another player"
    assert f"South: {told}" in problem(page)
    assert told in said(page.split('id="faults"')[1])
    assert "South: This hand has 2 chows" in problem(page)


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (
            {"fault": "cannon", "offender": "E"},
            "letting off a cannon: only the player who gave the winning tile can have done this.",
        ),
        (
            {"fault": "false_naming_set", "offender": "S", "victim": "S"},
            "South: nobody can do this fault to themselves; name another player.",
        ),
        (
            {"fault": "false_naming_set", "offender": "S", "victim": ""},
            "South: discard named wrongly, claimed for a set: say who it was done to.",
        ),
    ],
)
def test_faults_of_typed_totals_are_told_in_words(
    client: FlaskClient, fault: dict[str, str], told: str
) -> None:
    table = open_table(client)
    form = {"source": "discard", "from": "N"} | fault
    page = totals(client, table, 1, "W", 20, 8, 128, 16, **form)
    assert page.status_code == 400
    assert told in said(page.text)


def test_far_too_many_tiles_are_told_with_their_number(client: FlaskClient) -> None:
    deal = start(client)
    edit(client, deal, "S", action="type", codes="111222333444555666777888999m1p")
    for seat in "EWN":
        edit(client, deal, seat, action="about", claimed="0")
    client.post(f"{deal}/win", data={"winner": "nobody"})
    told = problem(client.get(f"{deal}/players/S?check=1").text)
    assert "South: 28 tiles, counting each kong as three; 13 are needed" in told
