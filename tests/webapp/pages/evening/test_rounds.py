"""The number of a game is the table in the room, in a round of its evening."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from alembic import command
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from tests.webapp.book_fixtures import book_of
from tests.webapp.conftest import services_of
from tests.webapp.pages.evening.test_draws import NAMES, an_evening, drawn, kept
from tests.webapp.pages.table.test_games import game_of, open_table, totals, words
from webapp.database.engine import migrations, open_database
from webapp.database.sessions import writing
from webapp.draw import drawing
from webapp.draw.entrants import Past
from webapp.evening.evenings import today
from webapp.games.store import StoredGame


@pytest.fixture(autouse=True)
def _briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Good tables are looked for only for a moment."""
    monkeypatch.setattr(drawing, "STEPS", 300)


def opened(client: FlaskClient, evening: str, page: str, round_: int) -> str:
    """The page of the draw after the tables of a round, counted from 0, were opened."""
    sent = {"kept": kept(page), "open": str(round_)}
    return client.post(f"{evening}/draw", data=sent, follow_redirects=True).text


def tables(app: Flask, evening: str) -> list[StoredGame]:
    """The tables of an evening that count."""
    return services_of(app).games.of_evening(evening.rsplit("/", 1)[1])


def titles(app: Flask, evening: str) -> list[str]:
    """What they are called."""
    with app.test_request_context():
        return [stored.title for stored in tables(app, evening)]


def remove(client: FlaskClient, stored: StoredGame) -> None:
    client.post(f"/removed/table/{stored.id}")


def test_drawn_tables_have_their_numbers_in_each_round(app: Flask, client: FlaskClient) -> None:
    evening = an_evening(client, NAMES[:8])
    page = opened(client, evening, drawn(client, evening), 0)
    assert titles(app, evening) == ["Table 1", "Table 2"]
    opened(client, evening, page, 1)
    every = [f"Round {round_}, table {number}" for round_ in (1, 2) for number in (1, 2)]
    assert titles(app, evening) == every
    games = tables(app, evening)
    assert [(g.round, g.number, g.drawn) for g in games][2:] == [(2, 1, 1), (2, 2, 2)]
    totals(client, f"/tables/{games[2].id}", 1, "S", 0, 20, 0, 0)
    for address in (
        evening,
        "/hall",
        "/",
        f"/tables/{games[2].id}",
        f"/search?q={today().year}",
    ):
        assert "Round 2, table 1" in words(client.get(address)), address
    assert "round 2, table 1, hand 1" in words(client.get("/records"))
    file = client.get(f"/tables/{games[2].id}/table.csv")
    assert "round-2-table-1.csv" in file.headers["Content-Disposition"]
    first, row = file.data.decode("utf-8-sig").splitlines()[:2]
    assert (first.split(",")[-1], row.split(",")[-1]) == ("Round of the evening", "2")
    past = book_of(services_of(app).engine).draws.past
    assert sum(past(today()).east.values()) == 1
    assert past(today(), games[0].evening_id) == Past(), "the draw itself counts what was drawn"


def test_a_drawn_table_whose_number_was_taken_says_so_and_gets_it_by_a_change(
    app: Flask, client: FlaskClient
) -> None:
    evening = an_evening(client, NAMES[:8])
    page = drawn(client, evening)
    by_hand = open_table(client, evening=evening.rsplit("/", 1)[1])
    told = "Table 3 was drawn as table 1."
    assert f"Some of the table numbers drawn are already in use. {told}" in opened(
        client, evening, page, 0
    )
    moved = next(stored for stored in tables(app, evening) if stored.number == 3)
    table = f"/tables/{moved.id}"
    assert f"{told} Change its number" in words(client.get(table))
    assert f"{told} Change its number" in words(client.get(evening))
    assert told not in words(client.get(by_hand))
    legends = re.findall("<legend>(Table [0-9]+)", client.get(f"{evening}/draw").text)
    assert legends[:2] == ["Table 3", "Table 2"], "the draw tells the numbers in the room"
    assert 'name="number" inputmode="numeric" maxlength="2" required value="1"' in (
        client.get(f"{table}/places").text
    )
    for wrong in ("", "0", "100", "x"):
        refused = client.post(f"{table}/places/number", data={"number": wrong})
        assert (refused.status_code, "from 1 to 99" in words(refused)) == (400, True)
    done = client.post(f"{table}/places/number", data={"number": "1"}, follow_redirects=True)
    assert "The table that had this number is now table 3." in words(done)
    assert told not in words(client.get(table))
    assert [game_of(app, it).number for it in (table, by_hand)] == [1, 3]
    assert "Table 3 became table 1" in words(client.get(f"{table}/history"))
    assert "Table 1 became table 3" in words(client.get(f"{by_hand}/history"))
    client.post(f"{table}/places/number", data={"number": "9"})
    assert "Table 9 was drawn as table 1." in words(client.get(table))
    assert titles(app, evening) == ["Table 2", "Table 3", "Table 9"]
    remove(client, moved)
    client.post(f"{table}/places/number", data={"number": "1"})
    assert game_of(app, table).number == 9, "nothing is done with a table that was removed"


def test_what_is_drawn_later_goes_on_after_the_rounds_that_were_played(
    app: Flask, client: FlaskClient
) -> None:
    evening = an_evening(client, NAMES[:8])
    opened(client, evening, drawn(client, evening), 0)
    page = drawn(client, evening, rounds="1")
    assert "Open the tables for round 2" in page
    assert "Next: round 2" in words(client.get("/hall?turn=1"))
    page = opened(client, evening, page, 0)
    assert titles(app, evening)[2:] == ["Round 2, table 1", "Round 2, table 2"]
    back = {"kept": kept(page), "then": "back"}
    page = client.post(f"{evening}/draw", data=back, follow_redirects=True).text
    assert "Tables from this draw are open. Remove them first" in page
    for stored in tables(app, evening)[2:]:
        remove(client, stored)
    page = client.post(f"{evening}/draw", data=back, follow_redirects=True).text
    assert "Open the tables for round 1" not in page, "they are open"
    assert "Open the tables for round 2" in page, "the first draw had two rounds"
    opened(client, evening, page, 1)
    assert titles(app, evening)[2:] == ["Round 2, table 1", "Round 2, table 2"]


def test_a_table_opened_by_hand_gets_a_free_number_or_the_one_that_was_chosen(
    app: Flask, client: FlaskClient
) -> None:
    first = open_table(client, at_table="3")
    open_table(client)
    evening = f"/evenings/{game_of(app, first).evening_id}"
    assert titles(app, evening) == ["Table 1", "Table 3"]
    form = {"name_E": "Ann", "name_S": "Bob", "name_W": "Zoe", "at_table": "3"}
    page = client.post("/tables", data=form)
    assert page.status_code == 400
    assert "Table 3 is already open." in words(page)
    assert 'value="Zoe"' in page.text
    assert "must be a whole number" in words(client.post("/tables", data=form | {"at_table": "x"}))
    open_table(client, at_table="3", in_round="2")
    open_table(client)
    assert titles(app, evening)[2:] == ["Round 2, table 1", "Round 2, table 3"]
    stored = game_of(app, first)
    remove(client, stored)
    open_table(client, at_table="3", in_round="1")
    client.post(f"/removed/table/{stored.id}", data={"then": "back"})
    assert titles(app, evening)[:3] == [f"Round 1, table {number}" for number in (1, 3, 4)]


def test_games_of_before_are_of_the_first_round(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'kongbox.sqlite3'}"
    engine = open_database(url)
    with writing(engine).begin() as connection:
        command.downgrade(migrations(connection), "0014")
        for row in (
            "evenings VALUES ('e', '2026-01-01', '', '2026-01-01')",
            "games VALUES ('g', 'e', 1, '2026-01-01'), ('h', 'e', 2, '2026-01-01')",
            "deals (id, created_at, updated_at, head) VALUES ('d', '2026-01-01', '2026-01-01', 0)",
            "game_deals VALUES ('d', 'h', 1, '2026-01-01')",
        ):
            connection.execute(text(f"INSERT INTO {row}"))
    engine.dispose()
    engine = open_database(url)
    query = text("SELECT id, round, number, drawn FROM games")
    with writing(engine).begin() as connection:
        assert connection.execute(query).all() == [("g", 1, 1, None), ("h", 1, 2, None)]
        with pytest.raises(IntegrityError):
            connection.execute(text("DELETE FROM games WHERE id = 'h'"))
        connection.execute(text("UPDATE games SET round = 2, number = 1 WHERE id = 'h'"))
        assert connection.execute(text("PRAGMA foreign_key_check")).all() == []
        command.downgrade(migrations(connection), "0014")
        numbers = connection.execute(text("SELECT id, number FROM games")).all()
    engine.dispose()
    assert numbers == [("g", 1), ("h", 2)]
