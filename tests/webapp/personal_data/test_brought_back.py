"""Whoever was erased and comes back with an older copy is named before and offered after."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.backup.test_restoring import copied, send, url_of, zipped
from tests.webapp.conftest import services_of
from tests.webapp.pages.club.test_members import ids, people
from tests.webapp.pages.table.test_games import words
from webapp.backup.backup import back_up
from webapp.cli.main import main
from webapp.personal_data.brought_back import still_back
from webapp.personal_data.profiles import People

__all__ = ["people"]

NAMED = "This backup was made before Ann was erased; restoring it brings them back."


def erase_player(client: FlaskClient, people: People, name: str) -> None:
    client.post(f"/players/{ids(people)[name]}/erase", data={"name": name})
    assert name not in ids(people)


def put_back(client: FlaskClient, data: bytes) -> str:
    address = send(client, data).headers["Location"]
    return words(client.post(address, data={"then": "replace"}, follow_redirects=True))


@pytest.mark.parametrize("kind", ["zip", "database"])
def test_who_was_erased_is_named_before_and_erased_again_after(
    app: Flask, client: FlaskClient, people: People, tmp_path: Path, kind: str
) -> None:
    data = zipped(client) if kind == "zip" else copied(app, tmp_path)
    asked = send(client, data).headers["Location"]
    assert "was erased" not in words(client.get(asked))
    for name in ("Ann", "Bob"):
        erase_player(client, people, name)
    told = words(client.get(asked))
    assert NAMED in told
    assert "before Bob was erased" in told
    assert "before Cat was erased" not in told
    client.post(asked, data={"then": "leave"})
    assert "Erased players, back" not in words(client.get("/keeping")), "nothing was brought back"

    back = put_back(client, data)
    assert {"Ann", "Bob"} <= set(ids(people))
    assert "Erase Ann again" in back
    assert "Erase all of them again" in back
    one = client.post("/keeping/erase-again", data={"who": ids(people)["Bob"]})
    assert (one.status_code, "Bob" in ids(people)) == (303, False)
    left = words(client.get("/keeping"))
    assert ("Erase Ann again" in left, "Erase Bob again" in left) == (True, False)
    client.post("/keeping/erase-again", data={"who": ids(people)["Cat"]})
    assert "Cat" in ids(people), "who was never erased stays"
    client.post("/keeping/erase-again", data={"who": "all"})
    assert set(ids(people)) == {"Cat", "Dee"}
    client.get("/keeping")
    assert "Erase" not in words(client.get("/keeping")), "nobody is left"


def test_a_promise_outlives_further_copies_and_holds_no_name(
    app: Flask, client: FlaskClient, people: People, tmp_path: Path
) -> None:
    data = copied(app, tmp_path)
    erase_player(client, people, "Ann")
    with sqlite3.connect(tmp_path / "test.sqlite3") as connection:
        assert not [line for line in connection.iterdump() if "'Ann'" in line]
    for _ in range(2):
        assert "Erase Ann again" in put_back(client, data)
    with sqlite3.connect(tmp_path / "test.sqlite3") as connection:
        (kept,) = connection.execute("SELECT value FROM club_settings").fetchone()
    assert kept == f'["{ids(people)["Ann"]}"]'
    later = zipped(client)
    assert "Erase Ann again" in put_back(client, later)


def test_nobody_is_erased_with_the_one_whose_name_they_are_under(
    app: Flask, client: FlaskClient, people: People, tmp_path: Path
) -> None:
    people.add("Eve")
    who = ids(people)
    people.join(who["Cat"], who["Eve"])
    data = copied(app, tmp_path)
    people.split(who["Cat"], who["Eve"])
    erase_player(client, people, "Eve")
    assert "In this backup Eve is joined with another player" in put_back(client, data)
    client.post("/keeping/erase-again", data={"who": "all"})
    assert "Cat" in ids(people)
    people.split(who["Cat"], who["Eve"])
    client.post("/keeping/erase-again", data={"who": "all"})
    assert set(ids(people)) == {"Ann", "Bob", "Cat", "Dee"}


def test_the_command_says_it_before_and_after(
    app: Flask, client: FlaskClient, people: People, tmp_path: Path
) -> None:
    copy, database = tmp_path / "copy.sqlite3", tmp_path / "test.sqlite3"
    back_up(url_of(app), copy)
    erase_player(client, people, "Ann")
    services_of(app).engine.dispose()
    command = ["restore", str(copy), "--db", f"sqlite:///{database}"]
    asked = CliRunner().invoke(main, command, input="n\n")
    assert (asked.exit_code, NAMED in asked.output) == (1, True)
    assert "Ann" not in ids(people)
    done = CliRunner().invoke(main, [*command, "--yes"])
    assert done.exit_code == 0, done.output
    assert 'kongbox players erase "Ann"' in done.output
    assert [one.name for one in still_back(services_of(app).engine)] == ["Ann"]
    assert "Erase Ann again" in words(client.get("/keeping"))

    services_of(app).engine.dispose()
    database.write_bytes(b"no longer a database" * 400)
    damaged = CliRunner().invoke(main, command, input="n\n")
    assert "Whom you erased cannot be read" in damaged.output
