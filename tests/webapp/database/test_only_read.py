"""A book that can only be read is looked at where it lies, and nothing is written beside it."""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.webapp.book_fixtures import book_of, two_evenings
from tests.webapp.conftest import services_of
from tests.webapp.fakes import FakeReader
from tests.webapp.pages.table.test_games import words
from tests.webapp.token_client import TokenClient
from webapp import create_app
from webapp.backup.housekeeping import keep_house
from webapp.database.engine import DatabaseError, NewerDatabase, open_database

HOW = ("told", "locked")
"""The system only says that nothing may be written there, or keeps everybody from it."""


def _lock(place: Path) -> bool:
    """Keep everybody from writing in a folder, root too; whether that can be done here."""
    for path in (*place.iterdir(), place):
        path.chmod(0o555 if path.is_dir() else 0o444)
    if os.access(place, os.W_OK) and shutil.which("chattr"):
        paths = [*map(str, place.iterdir()), str(place)]
        subprocess.run(["chattr", "+i", *paths], check=False, capture_output=True)
    return not os.access(place, os.W_OK)


def _unlock(place: Path) -> None:
    if shutil.which("chattr"):
        paths = [str(place), *map(str, place.iterdir())]
        subprocess.run(["chattr", "-i", *paths], check=False, capture_output=True)
    place.chmod(0o755)
    for path in place.iterdir():
        path.chmod(0o644)


def close_to(patch: pytest.MonkeyPatch, place: Path) -> None:
    """Let the system say that nothing may be written in a folder."""
    asked = os.access
    patch.setattr(
        "os.access", lambda path, mode: not Path(path).is_relative_to(place) and asked(path, mode)
    )


@pytest.fixture
def place(tmp_path: Path, empty_database: Path) -> Path:
    """A folder with a book of two evenings."""
    folder = tmp_path / "stick"
    folder.mkdir()
    shutil.copy(empty_database, folder / "club.sqlite3")
    engine = open_database(f"sqlite:///{folder / 'club.sqlite3'}")
    two_evenings(engine)
    engine.dispose()
    return folder


@pytest.fixture(params=HOW)
def closed(
    request: pytest.FixtureRequest, place: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """The folder, in which nothing can be written any more."""
    if request.param == "told":
        close_to(monkeypatch, place)
        yield place
        return
    try:
        if not _lock(place):
            pytest.skip("nothing keeps this user from writing")
        yield place
    finally:
        _unlock(place)


def state(folder: Path) -> dict[str, tuple[str, int, int]]:
    return {
        path.name: (
            hashlib.sha256(path.read_bytes()).hexdigest(),
            path.stat().st_mtime_ns,
            path.stat().st_mode,
        )
        for path in folder.iterdir()
    }


def test_it_is_shown_and_an_entry_is_told_why_it_is_not_kept(
    closed: Path,
    tmp_path: Path,
    reader: FakeReader,
    caplog: pytest.LogCaptureFixture,
) -> None:
    before, own = state(closed), tmp_path / "own"
    own.mkdir()
    app = create_app(f"sqlite:///{closed / 'club.sqlite3'}", reader=reader, folder=own)
    app.test_client_class = TokenClient
    client: FlaskClient = app.test_client()
    for page in ("/", "/board", "/players", "/evenings", "/keeping", "/keeping/history"):
        assert client.get(page).status_code == 200, page
    assert "Ann" in words(client.get("/players"))
    refused = client.post("/deals")
    assert refused.status_code == 503
    assert "can read its data but is not allowed to change it" in words(refused)
    added = client.post("/players", data={"name": "Eve"})
    assert (added.status_code, "not saved" in words(added)) == (503, True)
    keep_house(book_of(services_of(app).engine))
    services_of(app).backups.round()
    assert services_of(app).backups.state() is None
    services_of(app).close()
    assert state(closed) == before, "nothing was changed, nor written beside it"
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_it_is_not_brought_up_where_it_cannot_be_written(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = place / "club.sqlite3"
    for version, told, kind in (
        ("0004", "by an older Kongbox and can only be read", DatabaseError),
        ("9999", "by a newer Kongbox", NewerDatabase),
    ):
        with sqlite3.connect(file) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
            connection.execute("UPDATE alembic_version SET version_num = ?", (version,))
        connection.close()
        before = state(place)
        with monkeypatch.context() as patch:
            close_to(patch, place)
            with pytest.raises(kind, match=told):
                open_database(f"sqlite:///{file}")
        assert state(place) == before


def test_the_last_entries_in_a_log_are_not_passed_over(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = place / "club.sqlite3"
    writer = sqlite3.connect(file)
    writer.execute("UPDATE people SET name = 'Anna' WHERE name = 'Ann'")
    writer.commit()
    assert (place / "club.sqlite3-wal").stat().st_size > 0
    close_to(monkeypatch, place)
    engine = open_database(f"sqlite:///{file}")
    assert "Anna" in {person.name for person in book_of(engine).people.all()}
    engine.dispose()
    writer.close()
