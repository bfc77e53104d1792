"""Names as people type them: one person each, found without accents, and only names."""

from __future__ import annotations

import html
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from tests.webapp.conftest import services_of
from tests.webapp.pages.table.test_games import game_of, open_table, totals, words
from webapp.database.engine import MIGRATIONS, open_database
from webapp.database.sessions import writing
from webapp.database.tables.deals import PersonRow
from webapp.people.names import name_key
from webapp.personal_data.erasure import erase

TILE = "\U0001f004"


def players(client: FlaskClient) -> list[str]:
    page = html.unescape(client.get("/players").text)
    return [part.split("</strong>")[0] for part in page.split("<strong>")[1:]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Seán O'Brien", "Seán O\u2019Brien"),
        ("Zoë", "Zoe\u0308"),
        ("Mary-Jane", "mary\u2011jane"),
        ("Ann Smith", "ann \u00a0 smith"),
        ("O'Brien", "O' Brien"),
        ("李雷", "李\u200b雷"),
        (f"Zoë {TILE}", f"zoë {TILE}\ufe0f"),
    ],
)
def test_a_name_is_one_however_it_is_typed(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


def test_accents_and_spaces_inside_a_name_tell_people_apart() -> None:
    assert len({name_key(name) for name in ("Zoë", "Zoe", "Anna", "Ann A")}) == 4


def test_four_ways_of_typing_are_two_players(app: Flask, client: FlaskClient) -> None:
    first = open_table(client, name_E="Seán O'Brien", name_N=f"Zoë {TILE}")
    second = open_table(client, name_E="Seán O\u2019Brien", name_W=f"Zoe\u0308 {TILE}")
    found = players(client)
    assert [name for name in found if name.startswith("Se")] == ["Seán O'Brien"]
    assert [name for name in found if name.startswith("Zo")] == [f"Zoë {TILE}"]
    assert game_of(app, first).game.setup.players["N"] == f"Zoë {TILE}"
    assert game_of(app, second).game.setup.players["W"] == f"Zoë {TILE}", "the known spelling"
    refused = client.post(
        "/tables",
        data={"ruleset": "bmja-u3a", "name_E": "O'Neil", "name_S": "O\u2019Neil", "name_W": "Cat"},
    )
    assert "Two players are called" in refused.text


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("zoe", f"Zoë {TILE}"),
        ("ZOË", f"Zoë {TILE}"),
        (TILE, f"Zoë {TILE}"),
        ("O'Brien", "Seán O'Brien"),
        ("obrien", "Seán O'Brien"),
        ("O\u2019Brien sean", "Seán O'Brien"),
        ("李", "王李"),
        ("soren", "Søren"),
        ("%", None),
        ("_", None),
        ("<script>", None),
    ],
)
def test_the_search_finds_names_without_their_accents(
    client: FlaskClient, asked: str, found: str | None
) -> None:
    for name in (f"Zoë {TILE}", "Seán O'Brien", "王李", "Søren"):
        client.post("/players", data={"name": name})
    page = html.unescape(client.get("/search", query_string={"q": asked}).text)
    names = [
        name for name in (f"Zoë {TILE}", "Seán O'Brien", "王李", "Søren") if f">{name}<" in page
    ]
    assert names == ([] if found is None else [found])


def test_nobody_is_a_name_like_any_other(app: Flask, client: FlaskClient) -> None:
    table = open_table(client, name_E="nobody", name_S="Pat X", name_W="Quin X", name_N="Rae X")
    page = client.get(f"{table}/hands/1/payments").text
    assert page.count('value="nobody"') == 1, "the player; a drawn hand is told in another way"
    paid = {"from_0": "Pat X", "to_0": "nobody", "amount_0": "40"}
    client.post(f"{table}/hands/1/payments", data={"winner": "nobody"} | paid)
    client.post(f"{table}/hands/2/payments", data={"winner": "-"})
    assert [state.winner for state in game_of(app, table).game.hands] == ["nobody", None]
    asked = client.post(f"{table}/hands/1/payments", data={"winner": "-"}, follow_redirects=True)
    assert "Hand 1: drawn, not won by nobody" in words(asked)


def test_a_page_from_before_says_nobody_for_a_draw(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    client.post(f"{table}/hands/1/payments", data={"winner": "nobody"})
    assert [state.winner for state in game_of(app, table).game.hands] == [None]


def test_a_name_is_erased_from_notes_however_it_was_typed(app: Flask, client: FlaskClient) -> None:
    table = open_table(client, name_E="Zoë O'Brien")
    totals(client, table, 1, "S", 20, 128, 8, 16)
    deal = game_of(app, table).book.deals[0]
    note = "Zoe\u0308 O\u2019Brien had a kong"
    client.post(f"/deals/{deal}/dispute", data={"who": "Bob", "text": note})
    person = services_of(app).book.people.named("zoë o\u2019brien")
    assert person is not None
    done = erase(services_of(app).engine, person.id)
    (found,) = services_of(app).disputes.of_deal(str(deal))
    assert found.opened.text == f"{done.now_called} had a kong"


def test_an_old_book_is_brought_up_and_keeps_both_of_a_name_typed_twice(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'old.sqlite3'}"
    people = [("a", "Seán O\u2019Brien"), ("b", "Seán O'Brien"), ("c", "Al\u2011Amin")]
    engine = open_database(url)
    with writing(engine).begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = connection
        command.downgrade(config, "0006")
        for key, name in people:
            row = {"id": key, "name": name, "key": name.casefold(), "at": datetime.now(UTC)}
            connection.execute(text("INSERT INTO people VALUES (:id, :name, :key, :at)"), row)
    open_database(url).dispose()
    with Session(engine) as session:
        keys = {row.id: row.key for row in session.scalars(select(PersonRow))}
    engine.dispose()
    assert keys == {"a": people[0][1].casefold(), "b": "seán o'brien", "c": "al-amin"}
