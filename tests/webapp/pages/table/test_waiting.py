"""Five or six at a table: who sits out, by turns or as told, and what counts for whom."""

from __future__ import annotations

import csv
import io

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from tests.webapp.book_fixtures import book_of
from tests.webapp.conftest import services_of
from tests.webapp.pages.table.test_games import NAMES, game_of, open_table, seats, totals, words
from tests.webapp.pages.table.test_places import board, undo
from tests.webapp.pages.test_offline import send
from tests.webapp.pages.test_offline import totals as sent_later
from webapp.games.forms import read_opening
from webapp.games.words import points


@pytest.fixture
def table(client: FlaskClient) -> str:
    """A table of five: Eve waits."""
    return open_table(client, waiting="Eve")


def sits_out(client: FlaskClient, table: str, hand: int, out: str, come: str) -> str:
    form = {"hand": str(hand), "out": out, "come": come}
    return words(client.post(f"{table}/places/out", data=form, follow_redirects=True))


def test_the_fifth_comes_in_for_who_loses_the_deal(
    app: Flask, client: FlaskClient, table: str
) -> None:
    page = words(client.get(table))
    assert "Dee North 0 Eve sits out 0 Eve sits out this hand, and comes in when Ann loses" in page
    totals(client, table, 1, "E", 128, 20, 8, 16)
    assert "Eve sits out this hand, and comes in when Ann loses the deal." in words(
        client.get(table)
    )
    totals(client, table, 2, "S", 20, 128, 8, 16)
    assert seats(app, table) == {"E": "Bob", "S": "Cat", "W": "Dee", "N": "Eve"}
    assert "Ann sits out this hand, and comes in when Bob loses the deal." in words(
        client.get(table)
    )
    totals(client, table, 3, "N", 0, 0, 0, 40)
    hands = {name: figures[0] for name, figures in board(app).items()}
    assert hands == {"Ann": 2, "Bob": 3, "Cat": 3, "Dee": 3, "Eve": 1}, "hands that each played"
    assert {name: total for name, (_, total) in board(app).items()} == dict(
        game_of(app, table).game.totals
    )
    file = client.get(f"{table}/table.csv").data.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(file)))
    assert len(rows) == 3 * 4, "a row for each who played"
    for kind in ("pdf", "xlsx"):
        assert client.get(f"{table}/table.{kind}").status_code == 200
    sheets = words(client.get(f"{table}/sheets"))
    assert "Eve · wind of the round: East" in sheets
    assert "Sat out: Ann." in words(client.get(f"{table}/hands/3"))


def test_somebody_else_sits_out_and_it_is_undone(
    app: Flask, client: FlaskClient, table: str
) -> None:
    client.post(f"{table}/next")
    page = sits_out(client, table, 1, "Cat", "Eve")
    assert "Cat sits out this hand, and comes in when Ann loses the deal." in page
    assert "Undo: Cat sits out hand 1, Eve plays" in page
    deal = client.post(f"{table}/next").headers["Location"]
    assert "Eve" in words(client.get(deal)), "the deal that was begun follows"
    assert "Cat" not in words(client.get(deal))
    undo(client, app, table)
    assert seats(app, table) == NAMES
    assert "Cat" in words(client.get(deal))
    sits_out(client, table, 1, "Cat", "Eve")
    totals(client, table, 1, "E", 128, 20, 8, 16)
    assert set(seats(app, table).values()) == {"Ann", "Bob", "Eve", "Dee"}, "until it is a turn"
    told = sits_out(client, table, 2, "Zoe", "Cat")
    assert "does not sit at the table in this hand" in told
    assert "there is no hand with this number" in sits_out(client, table, 7, "Ann", "Eve").lower()


def test_what_another_one_played_is_put_right(app: Flask, client: FlaskClient, table: str) -> None:
    totals(client, table, 1, "S", 20, 128, 8, 16)
    gain = game_of(app, table).game.hands[0].gains["Cat"]
    page = client.get(f"{table}/hands/1").text
    assert f'action="{table}/places/out"' in page
    sits_out(client, table, 1, "Cat", "Eve")
    state = game_of(app, table).game.hands[0]
    assert (state.gains["Eve"], state.gains["Cat"]) == (gain, 0)
    assert board(app)["Eve"] == (1, gain)
    assert "Cat" not in board(app)
    assert "Every point explained" in words(client.get(f"{table}/hands/1"))
    undo(client, app, table)
    assert game_of(app, table).game.hands[0].gains["Cat"] == gain


def test_payments_are_agreed_by_those_who_play_and_corrected_for_them(
    app: Flask, client: FlaskClient, table: str
) -> None:
    totals(client, table, 1, "S", 20, 128, 8, 16)
    page = client.get(f"{table}/hands/2/payments").text
    assert 'value="Eve"' in page
    assert 'value="Ann"' not in page
    form = {"winner": "Eve", "from_0": "Bob", "to_0": "Eve", "amount_0": "40"}
    client.post(f"{table}/hands/2/payments", data=form)
    assert game_of(app, table).game.hands[1].gains["Eve"] == 40
    form["amount_0"] = "48"
    check = client.post(f"{table}/hands/2/payments", data=form).headers["Location"]
    assert "Eve gets +48, not +40" in words(client.get(check))


def test_six_sit_out_two_by_two(app: Flask, client: FlaskClient) -> None:
    form = MultiDict([*((f"name_{seat}", name) for seat, name in NAMES.items())])
    form.setlist("waiting", ["Eve", "Flo"])
    form["ruleset"] = "bmja-u3a"
    table = client.post("/tables", data=form).headers["Location"]
    told = "Eve and Flo sit out this hand. Eve comes in next, when Ann loses the deal."
    assert told in words(client.get(table))
    page = sits_out(client, table, 1, "Dee", "Flo")
    assert "Eve and Dee sit out this hand. Eve comes in next" in page
    assert set(game_of(app, table).game.totals) == {*NAMES.values(), "Eve", "Flo"}


def test_a_table_that_five_cannot_open_so_keeps_what_was_typed(client: FlaskClient) -> None:
    form = {"name_E": "Ann", "name_S": "Bob", "name_W": "Cat", "waiting": "Eve"}
    page = client.post("/tables", data=form)
    assert "is waiting although a seat is free" in words(page)
    assert 'name="waiting" maxlength="40" autocomplete="off" list="people" value="Eve"' in page.text
    again = client.post("/tables", data=form | {"name_N": "Eve"})
    assert "Two players are called Eve." in words(again)


def test_lots_are_drawn_among_all_who_play() -> None:
    form = MultiDict([*((f"name_{seat}", name) for seat, name in NAMES.items())])
    form.update({"waiting": "Eve", "seats": "draw"})
    drawn = [read_opening(form).setup() for _ in range(40)]
    assert {setup.waiting for setup in drawn} > {("Eve",)}
    assert all(sorted(setup.names) == sorted((*NAMES.values(), "Eve")) for setup in drawn)


def test_a_phone_without_connection_does_not_enter_who_sits_out(
    client: FlaskClient, table: str
) -> None:
    totals(client, table, 1, "S", 20, 128, 8, 16)
    told = send(client, sent_later(table, 2))
    assert told["state"] == "conflict"
    assert told["message"] == "Ann sits out hand 2. Enter it at the table."


def test_who_waits_is_called_by_the_current_name(
    app: Flask, client: FlaskClient, table: str
) -> None:
    client.post(f"{table}/drawn")
    sits_out(client, table, 2, "Cat", "Eve")
    for old, new in (("Eve", "Eva"), ("Cat", "Cath")):
        person = book_of(services_of(app).engine).people.named(old)
        assert person is not None
        client.post(f"/players/{person.id}/name", data={"name": new})
    assert "Sat out: Eva." in words(client.get(f"{table}/hands/1"))
    assert "Cath sits out this hand" in words(client.get(table))


def test_who_comes_late_takes_turns_at_a_table_of_four(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    totals(client, table, 1, "E", 128, 20, 8, 16)
    deal = client.post(f"{table}/next").headers["Location"]
    assert "Another player joins" in words(client.get(f"{table}/places"))
    check = client.get(f"{table}/places/check", query_string={"joins": "eve"})
    assert "eve sits out this hand, and comes in when Ann loses the deal." in words(check)
    assert "eve \N{EN DASH} 0" in words(check)
    assert set(game_of(app, table).game.totals) == {*NAMES.values()}, "it is only told"
    client.post(f"{table}/places", data={"joins": "eve"})
    assert "eve sits out this hand" in words(client.get(table))
    assert "eve" not in words(client.get(deal))
    totals(client, table, 2, "S", 20, 128, 8, 16)
    assert seats(app, table)["N"] == "eve"
    assert "eve" not in board(app)
    for _ in range(2):
        undo(client, app, table)
    assert set(game_of(app, table).game.totals) == {*NAMES.values()}
    twice = client.get(f"{table}/places/check", query_string={"joins": "ann"})
    assert "Ann already plays at this table." in words(twice)
    assert 'value="ann"' in twice.text


def test_who_goes_home_keeps_the_total_and_plays_no_more(
    app: Flask, client: FlaskClient, table: str
) -> None:
    totals(client, table, 1, "S", 20, 128, 8, 16)
    deal = client.post(f"{table}/next").headers["Location"]
    total = game_of(app, table).game.totals["Dee"]
    asked = {"leaves": "Dee"}
    check = words(client.get(f"{table}/places/check", query_string=asked))
    assert "Dee stays on the list with" in check
    assert "Nobody sits out now." in check
    client.post(f"{table}/places", data=asked)
    assert seats(app, table) == {"E": "Bob", "S": "Cat", "W": "Ann", "N": "Eve"}
    assert "Dee" not in words(client.get(deal))
    totals(client, table, 2, "S", 20, 128, 8, 16)
    assert game_of(app, table).game.totals["Dee"] == total
    assert board(app)["Dee"] == (1, total)
    person = book_of(services_of(app).engine).people.named("Dee")
    assert person is not None
    client.post(f"/players/{person.id}/name", data={"name": "Dot"})
    assert game_of(app, table).game.setup.gone == {"Dot": (2,)}
    for _ in range(2):
        undo(client, app, table)
    assert seats(app, table)["W"] == "Dot"
    none = client.get(f"{table}/places/check", query_string={"leaves": "Zoe"})
    assert "is not playing here" in words(none)


def test_a_substitute_takes_the_place_of_who_waits(app: Flask, client: FlaskClient) -> None:
    table = open_table(client, waiting="Eve")
    totals(client, table, 1, "S", 20, 128, 8, 16)
    client.post(f"{table}/places", data={"player": "Ann", "name": "Una", "hand": "2"})
    assert "Una sits out this hand" in words(client.get(table))
    assert board(app)["Ann"][0] == 1
    assert "Una" not in board(app)


def test_who_went_home_is_back_by_turns_or_at_once(
    app: Flask, client: FlaskClient, table: str
) -> None:
    totals(client, table, 1, "S", 20, 128, 8, 16)
    client.post(f"{table}/places", data={"leaves": "Dee"})
    totals(client, table, 2, "S", 20, 128, 8, 16)
    before, total = board(app), game_of(app, table).game.totals["Dee"]
    page = words(client.get(f"{table}/places"))
    assert "Is Dee back? What happens from the next hand on?" in page
    asked = {"back": "Dee", "instead": ""}
    check = words(client.get(f"{table}/places/check", query_string=asked))
    assert f"Dee carries on with {points(total)}." in check
    assert "Dee sits out this hand, and comes in when Cat loses the deal." in check
    client.post(f"{table}/places", data=asked)
    assert game_of(app, table).game.totals["Dee"] == total
    assert board(app) == before
    totals(client, table, 3, "S", 20, 128, 8, 16)
    assert "Dee" in seats(app, table).values()
    for _ in range(2):
        undo(client, app, table)
    client.post(f"{table}/places", data=asked | {"instead": "Eve"})
    assert "Eve sits out this hand" in words(client.get(table))
    assert "Is Dee back?" not in words(client.get(f"{table}/places"))
    refused = client.get(f"{table}/places/check", query_string=asked)
    assert "has not gone home from this table" in words(refused)


@pytest.mark.parametrize(
    ("instead", "there"),
    [("Una", ("Ann", "Bob", "Cat", "Dee")), ("", ("Una", "Bob", "Cat", "Dee", "Ann"))],
)
def test_who_had_a_substitute_is_back(
    app: Flask, client: FlaskClient, instead: str, there: tuple[str, ...]
) -> None:
    table = open_table(client)
    totals(client, table, 1, "S", 20, 128, 8, 16)
    client.post(f"{table}/places", data={"player": "Ann", "name": "Una", "hand": "2"})
    totals(client, table, 2, "S", 20, 128, 8, 16)
    before = board(app)
    page = words(client.get(f"{table}/places"))
    assert "Ann takes the seat back, and Una no longer plays here" in page
    assert "All take turns, and Ann sits out first" in page
    client.post(f"{table}/places", data={"back": "Ann", "instead": instead})
    assert game_of(app, table).game.setup.names == there
    assert board(app) == before
