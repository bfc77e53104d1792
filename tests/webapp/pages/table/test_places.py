"""Wrong players, substitutes and wrong seats at a running table: told first, kept, taken back."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.book_fixtures import book_of
from tests.webapp.conftest import services_of
from tests.webapp.pages.table.test_games import enter_deal, game_of, open_table, totals, words
from webapp.book.seasons import Span
from webapp.database.examination import examine
from webapp.games.words import signed
from webapp.pages.evening.evenings import results
from webapp.personal_data.erasure import erase


@pytest.fixture
def table(client: FlaskClient) -> str:
    """A table with two hands: South won by totals, then the first hand's South, East now."""
    made = open_table(client)
    totals(client, made, 1, "S", 20, 128, 8, 16)
    totals(client, made, 2, "E", 64, 8, 4, 2)
    return made


def board(app: Flask) -> dict[str, tuple[int, int]]:
    lines = book_of(services_of(app).engine).statistics.board(Span())
    return {line.name: (line.hands, line.total) for line in lines}


def names(app: Flask, table: str) -> tuple[str, ...]:
    return game_of(app, table).game.setup.names


def keep(client: FlaskClient, table: str, **form: str) -> None:
    asked = client.get(f"{table}/places/check", query_string=form)
    assert asked.status_code == 200
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', asked.text.split("Keep this")[0]))
    assert {key: sent[key] for key in form} == form
    assert client.post(f"{table}/places", data=sent).headers["Location"] == table


def undo(client: FlaskClient, app: Flask, table: str) -> None:
    client.post(f"{table}/undo", data={"head": str(game_of(app, table).head)})


def test_a_wrong_player_is_put_right(app: Flask, client: FlaskClient, table: str) -> None:
    before, points = board(app), list(game_of(app, table).game.totals.values())
    form = {"player": "Dee", "name": "dot", "hand": "1"}
    asked = words(client.get(f"{table}/places/check", query_string=form))
    assert "dot plays at this table, not Dee?" in asked
    assert f"All hands of Dee here count for dot: {signed(before['Dee'][1])}" in asked
    assert names(app, table) == ("Ann", "Bob", "Cat", "Dee"), "it is only told"
    keep(client, table, **form)
    assert names(app, table) == ("Ann", "Bob", "Cat", "dot")
    assert list(game_of(app, table).game.totals.values()) == points
    assert board(app) == {("dot" if n == "Dee" else n): line for n, line in before.items()}
    assert "dot plays at this table, not Dee" in words(client.get(f"{table}/history"))
    undo(client, app, table)
    assert names(app, table) == ("Ann", "Bob", "Cat", "Dee")
    assert board(app) == before


def test_a_substitute_plays_on_and_each_has_the_own_hands(
    app: Flask, client: FlaskClient, table: str
) -> None:
    before, start = board(app), game_of(app, table).game.totals["Ann"]
    keep(client, table, player="Ann", name="Eve", hand="3")
    assert names(app, table) == ("Eve", "Bob", "Cat", "Dee")
    assert "Eve plays instead of Ann from hand 3 on" in words(client.get(table))
    assert board(app) == before, "nobody has played since"
    totals(client, table, 3, "W", 0, 0, 32, 0)
    game = game_of(app, table).game
    assert board(app)["Ann"] == before["Ann"]
    assert board(app)["Eve"] == (1, game.hands[2].gains["Eve"])
    assert game.totals["Eve"] == start + game.hands[2].gains["Eve"]
    gains = {name: gain for name, gain, _ in results([game_of(app, table)])}
    assert (gains["Ann"], gains["Eve"]) == (before["Ann"][1], board(app)["Eve"][1])
    keep(client, table, player="Eve", name="Ann", hand="4")
    assert names(app, table)[0] == "Ann"
    totals(client, table, 4, "W", 0, 0, 32, 0)
    assert (board(app)["Ann"][0], board(app)["Eve"][0]) == (3, 1), "she came back"


def test_the_deals_of_the_table_follow(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    deal = client.post(f"{table}/next").headers["Location"]
    enter_deal(client, deal, "W", E=10, S=20, W=100, N=30)
    deal_id = deal.rsplit("/", 1)[1]
    keep(client, table, player="Bob", name="Ben", hand="1")
    store = services_of(app).store

    def players() -> list[str]:
        stored = store.deal(deal_id)
        assert stored is not None
        return [player.name for player in stored.state.players]

    assert players() == ["Ann", "Ben", "Cat", "Dee"]
    client.post(f"{table}/take", data={"deal": deal_id, "head": "1"})
    assert game_of(app, table).game.hands[0].winner == "Cat"
    undo(client, app, table)
    undo(client, app, table)
    assert players() == ["Ann", "Bob", "Cat", "Dee"]


def test_seats_change_with_what_was_entered_or_without(
    app: Flask, client: FlaskClient, table: str
) -> None:
    seats = {"seat_E": "Bob", "seat_S": "Ann", "seat_W": "Cat", "seat_N": "Dee"}
    was = dict(game_of(app, table).game.totals)
    asked = words(client.get(f"{table}/places/check", query_string=seats | {"belongs": "name"}))
    assert "Hand 1 has different winds: Ann is South, Bob is East" in asked
    keep(client, table, **seats, belongs="name")
    game = game_of(app, table).game
    assert game.setup.names == ("Bob", "Ann", "Cat", "Dee")
    assert game.hands[0].winner == "Bob"
    assert dict(game.totals) != was, "East pays and receives double"
    undo(client, app, table)
    assert dict(game_of(app, table).game.totals) == was
    gains = board(app)

    keep(client, table, **seats, belongs="seat")
    game = game_of(app, table).game
    assert game.hands[0].winner == "Ann"
    assert dict(game.totals) == was | {"Ann": was["Bob"], "Bob": was["Ann"]}
    assert board(app) == gains | {"Ann": gains["Bob"], "Bob": gains["Ann"]}


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"player": "Dee", "name": "ann", "hand": "1"}, "Ann already plays at this table"),
        ({"player": "Dee", "name": "", "hand": "1"}, "A name is missing"),
        ({"player": "Zed", "name": "Eve", "hand": "1"}, "Choose whose seat it is"),
        ({"player": "Dee", "name": "Eve", "hand": "9"}, "Choose the first hand for the change"),
        ({"seat_E": "Ann", "seat_S": "Ann", "seat_W": "Cat", "seat_N": "Dee"},
         "Give each player one seat"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_told(
    app: Flask, client: FlaskClient, table: str, form: dict[str, str], told: str
) -> None:
    before = game_of(app, table).head
    refused = client.get(f"{table}/places/check", query_string=form)
    assert (refused.status_code, told in words(refused)) == (400, True)
    assert told in words(client.post(f"{table}/places", data=form, follow_redirects=True))
    assert game_of(app, table).head == before


def test_the_one_who_was_wrong_can_be_joined(app: Flask, client: FlaskClient, table: str) -> None:
    keep(client, table, player="Dee", name="Dee Dawson", hand="1")
    people = book_of(services_of(app).engine).people
    dee, dawson = people.named("Dee"), people.named("Dee Dawson")
    assert dee is not None
    assert dawson is not None
    before = board(app)
    people.join(dawson.id, dee.id)
    assert board(app) == before
    people.split(dawson.id, dee.id)
    assert board(app) == before
    assert names(app, table)[3] == "Dee Dawson"


def test_a_substitute_and_the_player_are_two(app: Flask, client: FlaskClient, table: str) -> None:
    keep(client, table, player="Dee", name="Eve", hand="2")
    people = book_of(services_of(app).engine).people
    dee, eve = people.named("Dee"), people.named("Eve")
    assert dee is not None
    assert eve is not None
    refused = client.post(f"/players/{dee.id}/join", data={"other": eve.id})
    assert "sat at the same table" in words(refused)


def test_a_substitute_is_erased_and_renamed(app: Flask, client: FlaskClient, table: str) -> None:
    keep(client, table, player="Dee", name="Eve", hand="2")
    engine = services_of(app).engine
    people = book_of(engine).people
    dee, eve = people.named("Dee"), people.named("Eve")
    assert dee is not None
    assert eve is not None
    people.rename(eve.id, "Eve Adams")
    assert "Eve Adams plays instead of Dee from hand 2 on" in words(client.get(table))
    done = erase(engine, dee.id)
    assert f"instead of {done.now_called} from" in words(client.get(table))
    with engine.connect() as connection:
        assert examine(connection).faults == ()
        left = repr(connection.exec_driver_sql("SELECT book, what FROM game_revisions").fetchall())
    assert "Dee" not in left
