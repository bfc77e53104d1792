"""Opening tables, the players of the club, and its evenings."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.conftest import services_of
from tests.webapp.pages.table.test_games import NAMES, game_of, open_table, seats, totals, words
from webapp.evening.evenings import today
from webapp.games.words import long_day


def test_three_players_and_drawn_winds(app: Flask, client: FlaskClient) -> None:
    table = open_table(client, name_W="", seats="draw")
    names = seats(app, table)
    assert set(names) == {"E", "S", "N"}
    assert set(names.values()) == {"Ann", "Bob", "Dee"}


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"name_E": ""}, "nobody is East"),
        ({"name_E": "", "name_S": ""}, "three or four players"),
        ({"name_S": "ANN", "name_E": "ann"}, "Two players are called ANN"),
        ({"name_S": "=1+1"}, "cannot be a name"),
        ({"name_S": "x" * 31}, "too long"),
        ({"stake": "much"}, "The stake must be a whole number"),
        ({"ruleset": "ming-1876", "name_S": ""}, "3 given"),
        ({"change_limit": "3"}, "Limit must be 10 or more"),
        ({"place": "p" * 61}, "Enter a venue of"),
    ],
)
def test_a_table_that_cannot_be_is_told(
    app: Flask, client: FlaskClient, form: dict[str, str], told: str
) -> None:
    sent = {f"name_{seat}": name for seat, name in NAMES.items()} | {"ruleset": "bmja-u3a"} | form
    answer = client.post("/tables", data=sent)
    assert answer.status_code == 400
    assert told in words(answer)
    assert 'value="Dee"' in answer.text, "what was typed stays"
    assert services_of(app).games.latest() is None
    assert services_of(app).club.people() == []


def test_house_rules_are_chosen_and_remembered(app: Flask, client: FlaskClient) -> None:
    form = {"name_E": "Ann", "ruleset": "bmja-u3a", "then": "rules", "rule": "limit"}
    page = client.post("/tables", data=form).text
    assert 'name="change_limit" inputmode="numeric" maxlength="7" value="1000"' in page
    assert 'value="Ann"' in page
    form |= {"change_limit": "500", "rule": ""}
    assert "change_limit" not in client.post("/tables?without=limit", data=form).text
    table = open_table(client, change_limit="500")
    assert game_of(app, table).game.setup.changes == {"limit": 500}
    assert 'value="500"' in client.get("/tables/new").text, "the next table plays by them too"
    assert "1 house rule" in words(client.get(table))


def test_players_are_kept_once_and_offered_again(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    second = open_table(client, name_E="ann", name_S="Zoë O'Hara")
    assert game_of(app, second).game.setup.players["E"] == "Ann"
    assert services_of(app).club.people() == ["Ann", "Bob", "Cat", "Dee", "Zoë O'Hara"]
    assert '<option value="Zoë O&#39;Hara">' in client.get("/tables/new").text
    assert game_of(app, table).evening_id == game_of(app, second).evening_id
    assert game_of(app, second).title == "Table 2"


def test_the_home_page_leads_to_tonights_tables(client: FlaskClient) -> None:
    page = client.get("/").text
    assert "Open a table" in page
    assert "Try a demo table" in page
    table = client.post("/tables/demo").headers["Location"]
    totals(client, table, 4, "E", 40, 0, 0, 0)
    page = client.get("/").text
    assert f'href="{table}"' in page
    assert "Nothing here yet" in page, "the hands of a table are found there"
    assert "Past evenings" in page
    assert "Hand 5 · " in words(client.get(table))


def test_an_evening_lists_tables_people_and_results(client: FlaskClient) -> None:
    assert "No evenings yet" in words(client.get("/evenings"))
    sent = {"day": "2026-03-05", "place": "Village hall"}
    evening = client.post("/evenings", data=sent).headers["Location"]
    assert "Thursday 5 March 2026" in words(client.get(evening))
    client.post(f"{evening}/people", data={"names": "Eve, Fay"})
    evening_id = evening.rsplit("/", 1)[1]
    for _ in range(2):
        table = open_table(client, evening=evening_id)
        totals(client, table, 1, "S", 0, 20, 0, 0)
    page = words(client.get(evening))
    assert "Ann, Bob, Cat, Dee, Eve, Fay" in page
    assert "Bob 2 +160" in page
    assert "Village hall · 2 tables" in words(client.get("/evenings"))
    refused = client.post("/evenings", data={"day": "soon"})
    assert "Enter the date like" in words(refused)
    tomorrow = today() + timedelta(days=1)
    page = words(client.post("/evenings", data={"day": tomorrow.isoformat()}))
    assert f"{long_day(tomorrow)} is in the future" in page
    assert page.count(long_day(tomorrow)) == 1, "no evening begins before its day"


@pytest.mark.parametrize(
    ("path", "form", "told"),
    [
        ("/people", {"names": "Zara, " * 41}, "Enter one to 40 names"),
        ("/people", {"names": "Zara, =1+1"}, "cannot be a name"),
        ("/day", {"place": "Zara " * 20}, "Enter a venue of"),
        ("/clock", {"minutes": "Zara"}, "minutes"),
        ("", {"place": "Zara " * 20}, "Enter a venue of"),
    ],
)
def test_what_was_typed_into_a_refused_form_of_an_evening_stays(
    app: Flask, client: FlaskClient, path: str, form: dict[str, str], told: str
) -> None:
    evening = client.post("/evenings", data={}).headers["Location"]
    answer = client.post(f"{evening}{path}" if path else "/evenings", data=form)
    assert answer.status_code == 400
    assert told in words(answer)
    assert f'value="{next(iter(form.values()))}"' in answer.text
    assert services_of(app).club.people() == []
