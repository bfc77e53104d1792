"""A full disk, a held database, one that can only be read: told as that, and pages still read."""

from __future__ import annotations

import errno
import io
import logging
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine, event
from sqlalchemy.exc import TimeoutError as NoConnection

from tests.webapp.conftest import services_of
from tests.webapp.database.test_database import SEATS
from tests.webapp.language.walking import furnished, walked
from tests.webapp.pages.table.test_games import open_table
from webapp.cli.main import main
from webapp.database.trouble import Trouble, trouble_of
from webapp.deal.state import new_deal
from webapp.photos.desk import BROKEN, words_for
from webapp.security.errors import RETRY_S
from webapp.serving.log import start_log, stop_log

Begin = Callable[[], None]


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a database that another program holds."""
    for name in ("BUSY_TIMEOUT_MS", "NOTE_TIMEOUT_MS"):
        monkeypatch.setattr(f"webapp.database.engine.{name}", 1)


@pytest.fixture
def begin(
    request: pytest.FixtureRequest, app: Flask, client: FlaskClient, tmp_path: Path
) -> Iterator[Begin]:
    """Begins the trouble that the test is given as a parameter."""
    engine = services_of(app).engine
    other = sqlite3.connect(tmp_path / "test.sqlite3", isolation_level=None)

    def start() -> None:
        if request.param == "held":
            other.execute("BEGIN IMMEDIATE")
        pragma = {"full": "max_page_count=1", "held": "user_version", "read": "query_only=ON"}
        event.listen(
            engine, "connect", lambda raw, _: raw.execute(f"PRAGMA {pragma[request.param]}")
        )
        engine.dispose()
        while client.post("/deals").status_code == 303:
            pass

    yield start
    other.close()


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize(
    ("begin", "status", "title", "to_do"),
    [
        ("full", 507, "The disk is full", "free some space"),
        ("held", 503, "The book is in use", "wait five seconds"),
        ("read", 503, "Kongbox cannot save changes", "allow Kongbox to write"),
    ],
    indirect=["begin"],
)
def test_what_cannot_be_stored_is_told_as_what_it_is(
    app: Flask, client: FlaskClient, begin: Begin, status: int, title: str, to_do: str
) -> None:
    store = services_of(app).store
    app.add_url_rule("/api/v1/deal", "deal", lambda: store.create(new_deal(SEATS)))
    table = open_table(client)
    begin()
    refused = client.post("/deals")
    assert refused.status_code == status
    assert f"<h1>{title}</h1>" in refused.text
    assert to_do in refused.text
    assert "fault in the program" not in refused.text
    assert refused.headers.get("Retry-After") == (str(RETRY_S) if "in use" in title else None)
    program = client.get("/api/v1/deal")
    assert program.status_code == status
    assert program.mimetype == "application/problem+json"
    assert to_do in program.get_json()["detail"]
    if status == 503:
        assert to_do in client.get("/readyz").get_json()["detail"]
    assert client.get(table).status_code == 200
    assert client.get("/board").status_code == 200


@pytest.mark.parametrize("begin", ["read"], indirect=True)
def test_every_page_that_reads_goes_on_where_nothing_can_be_written(
    app: Flask, client: FlaskClient, begin: Begin
) -> None:
    starts = furnished(app, client)
    begin()
    pages = dict(walked(app, client, *starts))
    assert len(pages) > 60


@pytest.mark.usefixtures("hurried")
def test_where_not_even_a_page_can_be_made_the_words_come_alone(
    app: Flask, client: FlaskClient, tmp_path: Path
) -> None:
    services_of(app).engine.dispose()
    other = sqlite3.connect(tmp_path / "test.sqlite3", isolation_level=None)
    other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    told = client.get("/")
    assert (told.status_code, told.mimetype) == (503, "text/plain")
    assert "wait five seconds" in told.text
    other.close()
    assert client.get("/").status_code == 200


class FullFile(io.StringIO):
    """A file on a full disk."""

    def write(self, _text: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_log_that_cannot_be_written_keeps_no_page_from_being_shown(
    client: FlaskClient,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "kongbox.log").mkdir()
    handlers = list(logging.getLogger().handlers)
    stop_log(start_log(tmp_path))
    assert "kongbox.log cannot be written" in capsys.readouterr().err
    (tmp_path / "kongbox.log").rmdir()
    handler = start_log(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(handler, "stream", FullFile())
        logging.getLogger("webapp").error("nothing of this can be written")
        assert client.get("/").status_code == 200
    stop_log(handler)
    logging.getLogger().handlers = handlers


def kongbox(*words: str, db: Path) -> Result:
    return CliRunner().invoke(main, [*words, "--db", f"sqlite:///{db}"])


@pytest.mark.usefixtures("hurried")
def test_the_commands_tell_it_too(tmp_path: Path, empty_database: Path) -> None:
    db = tmp_path / "club.sqlite3"
    db.write_bytes(empty_database.read_bytes())
    other = sqlite3.connect(db, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    held = kongbox("board", db=db)
    assert held.exit_code == 1
    assert held.output.startswith("Error: sqlite:///")
    assert "Another program is using Kongbox's data" in held.output
    other.close()

    def fill(raw: sqlite3.Connection, _record: object) -> None:
        raw.execute("PRAGMA max_page_count=1")

    event.listen(Engine, "connect", fill)
    try:
        told = kongbox("demo", "season", "--evenings", "2", db=db)
    finally:
        event.remove(Engine, "connect", fill)
    assert told.exit_code == 1
    assert told.output.splitlines()[-1].startswith("Error: The disk of the Kongbox computer")


def test_a_folder_that_can_only_be_read_is_told_from_the_start(
    tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "club.sqlite3"
    db.write_bytes(empty_database.read_bytes())
    (tmp_path / "club.sqlite3-wal").mkdir()
    assert "Cannot open the database" in kongbox("board", db=db).output
    monkeypatch.setattr("os.access", lambda *_: False)
    cold = kongbox("board", db=db)
    assert cold.exit_code == 1
    assert "allow Kongbox to write to its file and folder" in cold.output


def test_what_is_no_trouble_of_the_disk_stays_a_fault() -> None:
    assert trouble_of(NoConnection()) is Trouble.BUSY
    assert trouble_of(OSError(errno.EDQUOT, "quota")) is Trouble.FULL
    assert trouble_of(FileNotFoundError(errno.ENOENT, "nothing there")) is None
    assert trouble_of(sqlite3.IntegrityError("told by no code")) is None
    assert trouble_of(ZeroDivisionError()) is None


def test_what_lies_beside_the_database_is_told_likewise(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device", "/club/rulesets/our-club.toml")

    def save(*_: object) -> str:
        raise full

    monkeypatch.setattr("webapp.rulesets.files.save", save)
    sent = {"file": (io.BytesIO(b'name = "Our club"'), "club.toml")}
    page = client.post("/house-rules", data=sent, follow_redirects=True).text
    assert "The disk of the Kongbox computer is full" in page
    assert "/club/rulesets" not in page
    assert words_for(full).startswith("The disk of the Kongbox computer is full")
    assert words_for(ZeroDivisionError()) == BROKEN
