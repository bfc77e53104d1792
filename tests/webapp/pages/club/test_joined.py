"""Two entries of one person are joined, and split again, with nothing lost."""

from __future__ import annotations

from datetime import date

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.book_fixtures import agreed, book_of, play
from tests.webapp.conftest import services_of
from tests.webapp.pages.table.test_games import words
from webapp.book.seasons import Span
from webapp.database.examination import examine
from webapp.people.names import NameRefused
from webapp.personal_data.erasure import erase

FIRST = {"E": "Uma A", "S": "Bob", "W": "Cat", "N": "Dee"}
SECOND = {"E": "Bob", "S": "Cat", "W": "Uma B", "N": "Dee"}


@pytest.fixture
def played(app: Flask) -> Flask:
    """An evening of Uma A and one of Uma B, who may be one person."""
    engine = services_of(app).engine
    play(engine, date(2026, 3, 5), [agreed("Uma A", {"Bob": 30, "Cat": 20})], players=FIRST)
    play(engine, date(2026, 3, 12), [agreed("Bob", {"Uma B": 8, "Dee": 4})], players=SECOND)
    return app


def ids(app: Flask) -> dict[str, str]:
    return {person.name: person.id for person in book_of(services_of(app).engine).people.all()}


def board(app: Flask) -> dict[str, tuple[int, int, int]]:
    lines = book_of(services_of(app).engine).statistics.board(Span())
    return {line.name: (line.hands, line.total, line.evenings) for line in lines}


def joined(client: FlaskClient, app: Flask, stays: str, other: str) -> str:
    found = ids(app)
    done = client.post(f"/players/{found[stays]}/join", data={"other": found[other]})
    assert done.status_code == 303
    return found[stays]


def test_what_joining_changes_is_told_first(played: Flask, client: FlaskClient) -> None:
    found = ids(played)
    page = client.get(f"/players/{found['Uma A']}")
    assert page.text.index(">Uma B</option>") < page.text.index(">Bob</option>"), "alike first"
    asked = words(client.get(f"/players/{found['Uma A']}/join?other={found['Uma B']}"))
    assert "Uma A 1 1 1 +50" in asked
    assert "Together 2 2 1 +42" in asked
    assert len(ids(played)) == 5, "nothing was joined yet"


def test_two_entries_become_one_and_two_again(played: Flask, client: FlaskClient) -> None:
    before, people = board(played), ids(played)
    ratings = {n: words(client.get(f"/players/{i}")) for n, i in people.items()}
    uma = joined(client, played, "Uma A", "Uma B")
    assert board(played)["Uma A"] == (2, 42, 2)
    assert "Uma B" not in board(played)
    assert "Uma B" not in ids(played)
    club = services_of(played).club
    second = club.evenings()[0]
    assert club.came(second.id) == ["Bob", "Cat", "Dee", "Uma A"]
    assert club.welcome(second.id, ["uma b"]) == ("Uma A",), "the name means her from now on"
    assert "Uma A" in words(client.get("/search?q=uma+b"))
    assert client.get(f"/players/{people['Uma B']}").status_code == 200
    assert "Joined with “Uma B”" in words(client.get(f"/players/{uma}"))

    client.post(f"/players/{uma}/split", data={"other": people["Uma B"]})
    assert board(played) == before
    assert ids(played) == people
    assert club.came(second.id) == ["Bob", "Cat", "Dee", "Uma B"]
    page = words(client.get(f"/players/{uma}"))
    assert "Joined with “Uma B”" in page
    assert "Split from “Uma B”" in page, "the history is kept"
    del ratings["Uma A"]
    now = {name: words(client.get(f"/players/{people[name]}")) for name in ratings}
    assert now == ratings, "ratings too"
    with services_of(played).engine.connect() as connection:
        assert examine(connection).faults == ()


def test_the_page_of_a_table_shows_the_name_that_stays(played: Flask, client: FlaskClient) -> None:
    games = services_of(played).games
    (table,) = games.of_evening(services_of(played).club.evenings()[0].id)
    joined(client, played, "Uma A", "Uma B")
    assert "Uma A" in words(client.get(f"/tables/{table.id}"))
    assert "Uma B" not in words(client.get(f"/tables/{table.id}"))


def test_two_who_sat_at_one_table_are_two(played: Flask, client: FlaskClient) -> None:
    found = ids(played)
    form = {"other": found["Bob"]}
    refused = client.post(f"/players/{found['Uma A']}/join", data=form)
    assert refused.status_code == 400
    assert "sat at the same table on 5 Mar 2026" in words(refused)


def test_a_chain_of_joins_leads_to_the_last(played: Flask, client: FlaskClient) -> None:
    people = book_of(services_of(played).engine).people
    uma = people.add("Uma")
    joined(client, played, "Uma A", "Uma B")
    joined(client, played, "Uma", "Uma A")
    assert board(played)["Uma"] == (2, 42, 2)
    person = people.named("Uma B")
    assert person is not None
    assert person.id == uma.id
    with pytest.raises(NameRefused, match="already"):
        people.add("Uma B")


def test_erasing_erases_the_joined_entry_too(played: Flask, client: FlaskClient) -> None:
    uma = joined(client, played, "Uma A", "Uma B")
    engine = services_of(played).engine
    done = erase(engine, uma)
    assert done.tables == 2
    with engine.connect() as connection:
        for table in ("people", "seatings", "former_names", "game_revisions"):
            left = repr(connection.exec_driver_sql(f"SELECT * FROM {table}").fetchall())
            assert "Uma" not in left, table
        assert examine(connection).faults == ()
