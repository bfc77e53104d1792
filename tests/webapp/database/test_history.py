"""Entries are never changed, and whatever changes one shows: in the database and in its copies."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine, text
from sqlalchemy.exc import DatabaseError as Refused

from tests.webapp.book_fixtures import book_of, two_evenings
from tests.webapp.conftest import hasten, migrated, services_of
from tests.webapp.database.postgres import new_database
from tests.webapp.database.test_first_database import first
from tests.webapp.pages.table.test_games import open_table, words
from webapp.backup.backup import back_up
from webapp.backup.integrity import examine_database
from webapp.cli.main import main
from webapp.club_settings.decisions import Decisions
from webapp.club_settings.groups import Stake
from webapp.database.engine import open_database
from webapp.database.examination import examine
from webapp.database.history import statements
from webapp.database.sessions import writing
from webapp.deal.state import new_deal
from webapp.deal.store import Store
from webapp.games.disputes import Disputes
from webapp.personal_data.erasure import erase

__all__ = ["first"]

COPY = (
    "SELECT 99, game_id, 9, NULL, NULL, 'new', what, book, created_at, who FROM game_revisions "
    "LIMIT 1"
)
"""An entry that looks like another one but was not entered."""


@pytest.fixture
def database(tmp_path: Path, empty_database: Path) -> Iterator[Engine]:
    """A database that is a file, ``kongbox.sqlite3``."""
    shutil.copy(empty_database, tmp_path / "kongbox.sqlite3")
    with migrated():
        opened = open_database(f"sqlite:///{tmp_path / 'kongbox.sqlite3'}")
    hasten(opened)
    yield opened
    opened.dispose()


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def engine(database: Engine, request: pytest.FixtureRequest) -> Iterator[Engine]:
    if request.param == "SQLite":
        yield database
        return
    opened = open_database(new_database(request.getfixturevalue("server")))
    yield opened
    opened.dispose()


def filled(engine: Engine) -> str:
    """Two evenings, and a deal of the first about which somebody disputes; gives its game."""
    spring, _ = two_evenings(engine)
    state = new_deal(("E", "S", "W", "N"), {"E": "Ann", "S": "Bob"})
    deal = Store(engine).create(state, (spring, 1))
    Disputes(engine).open(deal, "Bob", "The pung of Ann was concealed.")
    return spring


def faults(engine: Engine) -> list[tuple[str, str]]:
    found = examine_database(engine)
    assert found is not None
    return [(fault.kind, fault.table) for fault in found.verdict.faults]


def flip(path: Path, before: str, after: str) -> None:
    """Change bytes of a file behind the back of the database."""
    data = path.read_bytes()
    assert before.encode() in data
    path.write_bytes(data.replace(before.encode(), after.encode()))


def tamper(path: Path, statement: str) -> None:
    """Change a database with another program, which drops what would refuse it."""
    connection = sqlite3.connect(path)
    triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    for (name,) in triggers.fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_the_database_refuses_to_change_or_delete_an_entry(engine: Engine) -> None:
    filled(engine)
    Decisions(engine).decide(Stake(10))
    columns = {"links": "row_id", "decisions": "key"}
    for table in ("revisions", "game_revisions", "dispute_events", "decisions", "links"):
        column = columns.get(table, "number")
        for change in (f"UPDATE {table} SET {column} = 7", f"DELETE FROM {table}"):
            with (
                pytest.raises(Refused, match="never changed or deleted"),
                writing(engine).begin() as connection,
            ):
                connection.execute(text(change))
    assert faults(engine) == []


def test_every_entry_gets_its_link(engine: Engine) -> None:
    filled(engine)
    with engine.connect() as connection:
        verdict = examine(connection)
    assert (verdict.entries, verdict.rewritten, verdict.faults) == (9, 0, ())
    two_evenings(engine)
    with engine.connect() as connection:
        again = examine(connection)
    assert again.entries == 16
    assert again.short != verdict.short


def test_erasing_is_told_and_leaves_no_trace_that_a_guess_could_confirm(engine: Engine) -> None:
    filled(engine)
    person = book_of(engine).people.named("Ann")
    assert person is not None
    erase(engine, person.id)
    with engine.connect() as connection:
        verdict = examine(connection)
        salts = connection.execute(text("SELECT reason, salt IS NULL FROM links")).all()
    assert verdict.faults == ()
    assert verdict.rewritten == 9, "every entry named her"
    assert sorted(salts, key=str) == sorted([(None, True), ("erased", False)] * 9, key=str)
    with pytest.raises(Refused), engine.begin() as connection:
        connection.execute(text("DELETE FROM links"))


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE game_revisions SET book = replace(book, '400', '900')", "changed"),
        ("UPDATE game_revisions SET who = 'Bob' WHERE number = 1", "changed"),
        ("UPDATE game_revisions SET created_at = 'noon' WHERE number = 2", "changed"),
        ("UPDATE game_revisions SET book = x'7bff' WHERE number = 2", "changed"),
        ("DELETE FROM game_revisions WHERE number = 2", "missing"),
        (f"INSERT INTO game_revisions {COPY}", "foreign"),
    ],
)
def test_whatever_is_changed_from_outside_shows(
    database: Engine, tmp_path: Path, statement: str, found: str
) -> None:
    filled(database)
    database.dispose()
    tamper(tmp_path / "kongbox.sqlite3", statement)
    told = faults(database)
    assert told
    assert set(told) == {(found, "game_revisions")}


def test_a_link_that_was_changed_or_taken_out_shows(tmp_path: Path, database: Engine) -> None:
    filled(database)
    database.dispose()
    tamper(tmp_path / "kongbox.sqlite3", "UPDATE links SET reason = 'erased' WHERE number = 3")
    assert faults(database) == [("link", "game_revisions")]
    tamper(tmp_path / "kongbox.sqlite3", "DELETE FROM links WHERE number = 3")
    assert set(faults(database)) == {("link", "game_revisions"), ("foreign", "game_revisions")}


def test_erasing_does_not_hide_what_was_damaged_before(database: Engine) -> None:
    filled(database)
    database.dispose()
    with database.begin() as connection:
        for statement in statements("sqlite", "unlock"):
            connection.exec_driver_sql(statement)
        connection.execute(text("UPDATE game_revisions SET book = replace(book, '400', '900')"))
    before = faults(database)
    person = book_of(database).people.named("Ann")
    assert person is not None
    erase(database, person.id)
    assert faults(database) == before != []


def test_an_old_database_starts_its_chain(first: Path) -> None:
    engine = open_database(f"sqlite:///{first}")
    assert faults(engine) == []
    with engine.connect() as connection:
        assert examine(connection).entries == 9
    engine.dispose()
    tamper(
        first, "UPDATE revisions SET state = replace(state, 'Ann', 'Pam') WHERE what = 'New deal'"
    )
    assert faults(engine) == [("changed", "revisions")] * 2
    engine.dispose()


def test_the_commands_find_a_flipped_byte_in_a_copy(database: Engine, tmp_path: Path) -> None:
    filled(database)
    url, copy = str(database.url), tmp_path / "copy.sqlite3"
    run = CliRunner().invoke
    whole = run(main, ["backup", str(copy), "--db", url])
    assert "History: 9 entries, each as it was entered (" in whole.output
    here = run(main, ["check", "--db", url]).output
    assert here.splitlines()[-1] == whole.output.splitlines()[-1], "the same fingerprint"
    assert run(main, ["check", str(copy)]).exit_code == 0
    flip(copy, "Hand 3: played", "Hand 3: payed!")
    found = run(main, ["check", str(copy)])
    assert found.exit_code == 1
    assert "1 entry is not as entered" in found.output
    assert "2026-03-05, table 1: entry 4 was changed after it was entered" in found.output
    asked = run(main, ["restore", str(copy), "--db", url], input="n\n")
    assert "1 entry is not as entered" in asked.output
    flip(copy, "SQLite format", "SQLite farmat")
    assert "no copy of a Kongbox database" in run(main, ["check", str(copy)]).output


def test_no_more_is_looked_for_after_many_damaged_entries(
    tmp_path: Path, database: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(database)
    database.dispose()
    for number, (statement, most) in enumerate(
        (("UPDATE game_revisions SET what = 'x'", 2), ("UPDATE links SET digest = ''", 3))
    ):
        tamper(tmp_path / "kongbox.sqlite3", statement)
        monkeypatch.setattr("webapp.backup.integrity.MAX_FAULTS", most)
        told = CliRunner().invoke(main, ["check", "--db", str(database.url)]).output
        assert f"{most} entries or more are not as entered" in told, number


def test_the_pages_tell_it(app: Flask, client: FlaskClient, tmp_path: Path) -> None:
    table = open_table(client)
    client.post(f"{table}/drawn")
    page = words(client.get("/keeping/history"))
    assert "2 entries checked: none has been altered" in page
    assert "none of the entries has been altered" in words(client.get(f"{table}/history"))
    back_up(str(services_of(app).engine.url), tmp_path / "copy.sqlite3")
    flip(tmp_path / "copy.sqlite3", '"hands": [{"drawn": true}]', '"hands": [{"drawn": fals}]')
    form = {"file": ((tmp_path / "copy.sqlite3").open("rb"), "copy")}
    sent = client.post("/keeping/restore", data=form, content_type="multipart/form-data")
    assert "1 entry in this file has been altered" in words(client.get(sent.headers["Location"]))
    services_of(app).engine.dispose()
    tamper(tmp_path / "test.sqlite3", "UPDATE game_revisions SET what = 'Hand 7' WHERE number = 1")
    page = words(client.get("/keeping/history"))
    assert "1 entry has been altered" in page
    assert "table 1 , entry 2: an entry was changed after it was made" in page
    assert "1 entry at this table has been altered" in words(client.get(f"{table}/history"))
