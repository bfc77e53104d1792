"""A copy of the database is whole while people write, and brings the same database back."""

from __future__ import annotations

import errno
import shutil
import sqlite3
import stat
import threading
from pathlib import Path

import pytest
from alembic import command
from click.testing import CliRunner
from sqlalchemy import create_engine

from tests.webapp.database.test_database import SEATS, add, labels
from webapp.backup.backup import BackupRefused, back_up, check, restore
from webapp.cli.main import main
from webapp.database.engine import known_versions, migrations, open_database
from webapp.deal.state import new_deal
from webapp.deal.store import Store


@pytest.fixture
def url(tmp_path: Path, empty_database: Path) -> str:
    path = tmp_path / "kongbox.sqlite3"
    shutil.copy(empty_database, path)
    return f"sqlite:///{path}"


def dump(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    try:
        return list(connection.iterdump())
    finally:
        connection.close()


def test_a_copy_made_while_people_write_is_whole_and_comes_back(url: str, tmp_path: Path) -> None:
    engine = open_database(url)
    store = Store(engine)
    deal_id = store.create(new_deal(SEATS))
    done = threading.Event()

    def write() -> None:
        while not done.is_set():
            store.edit(deal_id, add("1m"), "Added")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        back_up(url, tmp_path / "copy.sqlite3")
    finally:
        done.set()
        writer.join()
    before = dump(tmp_path / "copy.sqlite3")
    assert stat.S_IMODE((tmp_path / "copy.sqlite3").stat().st_mode) == 0o600
    store.edit(deal_id, add("9p"), "Added after the copy")
    kept = restore(url, tmp_path / "copy.sqlite3")

    deal = store.deal(deal_id)
    assert deal is not None
    assert "9p" not in labels(deal.state)
    assert "8s" in labels(store.edit(deal_id, add("8s"), "The page goes on").state)
    engine.dispose()
    restore(url, tmp_path / "copy.sqlite3")
    assert dump(tmp_path / "kongbox.sqlite3") == before
    assert kept is not None
    restore(url, kept)
    engine = open_database(url)
    old = Store(engine).deal(deal_id)
    engine.dispose()
    assert old is not None
    assert "9p" in labels(old.state)


def test_what_is_no_sound_copy_is_refused_and_nothing_changes(url: str, tmp_path: Path) -> None:
    database = tmp_path / "kongbox.sqlite3"
    copy = tmp_path / "copy.sqlite3"
    back_up(url, copy)
    before = dump(database)
    words = tmp_path / "words.sqlite3"
    words.write_text("no database, but long enough to have a header" * 20)
    damaged = tmp_path / "damaged.sqlite3"
    damaged.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])
    newer = tmp_path / "newer.sqlite3"
    shutil.copy(copy, newer)
    connection = sqlite3.connect(newer)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    for path, told in (
        (words, "no copy|damaged"),
        (damaged, "no copy|damaged"),
        (newer, "newer Kongbox"),
        (tmp_path / "nothing", "There is no file"),
    ):
        with pytest.raises(BackupRefused, match=told):
            restore(url, path)
    assert dump(database) == before
    assert list(tmp_path.glob("*-before-*")) == []


ENDLESS = """
    DROP TABLE alembic_version;
    CREATE VIEW alembic_version AS WITH RECURSIVE
        numbers (version_num) AS (SELECT 1 UNION ALL SELECT version_num + 1 FROM numbers)
        SELECT max(version_num) FROM numbers;
"""
LEFT_OPEN = """
    DROP TRIGGER revisions_no_update;
    CREATE TRIGGER revisions_no_update BEFORE UPDATE ON revisions BEGIN SELECT 1; END;
"""
FOREIGN, MISSING, OTHER = "Kongbox never makes", "a part of it is missing", "not as Kongbox makes"


@pytest.mark.parametrize(
    ("attack", "told"),
    [
        ("CREATE TRIGGER t AFTER INSERT ON revisions BEGIN DELETE FROM people; END", FOREIGN),
        ("CREATE VIEW v AS SELECT 1", FOREIGN),
        ("CREATE TABLE notes (id INTEGER)", FOREIGN),
        ("CREATE VIRTUAL TABLE v USING fts5(words)", FOREIGN),
        ("CREATE INDEX i ON people (hex(zeroblob(100)))", FOREIGN),
        (ENDLESS, FOREIGN),
        ("DROP TABLE photos", MISSING),
        ("DROP TABLE alembic_version", MISSING),
        ("DROP TRIGGER revisions_no_update", MISSING),
        ("DROP INDEX ix_photos_deal_id", MISSING),
        ("ALTER TABLE accounts DROP COLUMN created_at", OTHER),
        ("ALTER TABLE accounts ADD COLUMN more CHECK (length(zeroblob(1000)) > 0)", OTHER),
        (LEFT_OPEN, OTHER),
        ("DELETE FROM alembic_version", "does not tell the version"),
        (
            "INSERT INTO visits (evening_id, person_id, created_at) VALUES ('x', 'y', '2026')",
            "is damaged",
        ),
        ("UPDATE alembic_version SET version_num = '9999'", "newer Kongbox"),
    ],
)
def test_a_copy_with_other_tables_than_kongbox_makes_is_refused(
    url: str, tmp_path: Path, attack: str, told: str
) -> None:
    copy = tmp_path / "copy.sqlite3"
    back_up(url, copy)
    connection = sqlite3.connect(copy)
    connection.executescript(attack)
    connection.close()
    before = copy.read_bytes()
    for there in (tmp_path / "kongbox.sqlite3", tmp_path / "new.sqlite3"):
        unchanged = dump(there) if there.exists() else None
        with pytest.raises(BackupRefused, match=told) as refused:
            restore(f"sqlite:///{there}", copy)
        assert len(str(refused.value).replace(str(copy), "").splitlines()) == 1
        assert (dump(there) if there.exists() else None) == unchanged
    assert copy.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.sqlite3", "kongbox.sqlite3"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE alembic_version SET version_num = '9999'", "made by a newer Kongbox"),
        ("CREATE VIEW v AS SELECT 1", FOREIGN),
    ],
)
def test_who_makes_a_copy_is_told_that_it_could_not_be_put_back(
    url: str, tmp_path: Path, change: str, told: str
) -> None:
    connection = sqlite3.connect(tmp_path / "kongbox.sqlite3")
    connection.executescript(change)
    connection.close()
    made = CliRunner().invoke(main, ["backup", str(tmp_path / "copy.sqlite3"), "--db", url])
    assert made.exit_code == 1
    assert "The copy is made but cannot be put back" in made.output
    assert told in made.output
    assert dump(tmp_path / "copy.sqlite3") == dump(tmp_path / "kongbox.sqlite3")


def test_a_copy_of_every_earlier_version_comes_back(tmp_path: Path) -> None:
    versions = sorted(known_versions())
    growing = tmp_path / "growing.sqlite3"
    for version in versions:
        old = tmp_path / f"{version}.sqlite3"
        engine = create_engine(f"sqlite:///{growing}")
        with engine.begin() as connection:
            command.upgrade(migrations(connection), version)
        engine.dispose()
        shutil.copy(growing, old)
        restore(f"sqlite:///{tmp_path / 'kongbox.sqlite3'}", old)
    kept = list(tmp_path.glob("kongbox-before-*"))
    assert len(kept) == len(versions) - 1
    assert list(tmp_path.glob("*-ready-*")) == []


def test_a_copy_whose_entries_were_changed_needs_a_word(url: str, tmp_path: Path) -> None:
    engine = open_database(url)
    deal_id = Store(engine).create(new_deal(SEATS))
    copy = tmp_path / "copy.sqlite3"
    back_up(url, copy)
    Store(engine).edit(deal_id, add("9p"), "Added after the copy")
    engine.dispose()
    copy.write_bytes(copy.read_bytes().replace(b"New deal", b"Old deal"))
    before = dump(tmp_path / "kongbox.sqlite3")
    arguments = ["restore", str(copy), "--db", url, "--yes"]
    refused = CliRunner().invoke(main, arguments)
    assert refused.exit_code == 1
    assert "1 entry is not as entered" in refused.output
    assert dump(tmp_path / "kongbox.sqlite3") == before
    assert list(tmp_path.glob("*-before-*")) == []
    assert CliRunner().invoke(main, [*arguments, "--damaged"]).exit_code == 0
    assert "Old deal" in "".join(dump(tmp_path / "kongbox.sqlite3"))


def test_a_row_that_cannot_be_read_is_refused(url: str, tmp_path: Path) -> None:
    engine = open_database(url)
    Store(engine).create(new_deal(SEATS))
    engine.dispose()
    for number, damage in enumerate(
        (
            "UPDATE deals SET created_at = 'yesterday'",
            "UPDATE deals SET created_at = x'ff00'",
            "INSERT INTO club_settings VALUES ('photos', '[[')",
        )
    ):
        copy = tmp_path / f"copy{number}.sqlite3"
        back_up(url, copy)
        connection = sqlite3.connect(copy)
        connection.executescript(damage)
        connection.close()
        with pytest.raises(BackupRefused, match="is damaged"):
            restore(url, copy)


def test_the_file_of_a_database_is_a_copy_too_and_nothing_is_left_beside_it(
    url: str, tmp_path: Path
) -> None:
    engine = open_database(url)
    Store(engine).create(new_deal(SEATS))
    engine.dispose()
    (tmp_path / "stick").mkdir()
    shutil.copy(tmp_path / "kongbox.sqlite3", tmp_path / "stick")
    copy = tmp_path / "stick" / "kongbox.sqlite3"
    before = copy.read_bytes()
    assert CliRunner().invoke(main, ["check", str(copy)]).exit_code == 0
    restore(f"sqlite:///{tmp_path / 'new.sqlite3'}", copy)
    assert dump(tmp_path / "new.sqlite3") == dump(tmp_path / "kongbox.sqlite3")
    assert list(copy.parent.iterdir()) == [copy]
    assert copy.read_bytes() == before


def test_a_row_that_is_too_large_is_refused(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(url)
    Store(engine).add_photo(Store(engine).create(new_deal(SEATS)), "E", "unread", bytes(90_000))
    engine.dispose()
    back_up(url, tmp_path / "copy.sqlite3")
    monkeypatch.setattr("webapp.backup.schema_check.MAX_ROW_BYTES", 80_000)
    check(tmp_path / "copy.sqlite3")
    monkeypatch.setattr("webapp.backup.schema_check.MAX_ROW_BYTES", 200)
    with pytest.raises(BackupRefused, match="a row in it is too large"):
        check(tmp_path / "copy.sqlite3")


def test_an_archive_comes_back_as_a_copy_does(url: str, tmp_path: Path) -> None:
    engine = open_database(url)
    Store(engine).create(new_deal(SEATS))
    engine.dispose()
    run = CliRunner().invoke
    assert run(main, ["export", str(tmp_path / "all.zip"), "--db", url]).exit_code == 0
    fresh = f"sqlite:///{tmp_path / 'fresh.sqlite3'}"
    assert run(main, ["restore", str(tmp_path / "all.zip"), "--db", fresh]).exit_code == 0
    assert sorted(dump(tmp_path / "fresh.sqlite3")) == sorted(dump(tmp_path / "kongbox.sqlite3"))


def without_room(path: Path, _mode: int) -> None:
    if path.name == "kongbox.sqlite3":
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_damaged_database_is_moved_aside_for_its_copy(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, copy = tmp_path / "kongbox.sqlite3", tmp_path / "copy.sqlite3"
    engine = open_database(url)
    Store(engine).create(new_deal(SEATS))
    engine.dispose()
    back_up(url, copy)
    broken = bytearray(database.read_bytes())
    broken[8192:] = b"\xff" * (len(broken) - 8192)
    database.write_bytes(broken)
    with pytest.raises(BackupRefused):
        back_up(url, tmp_path / "other.sqlite3")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "chmod", without_room)
        with pytest.raises(BackupRefused, match="in the place of"):
            restore(url, copy)
    assert database.read_bytes() == broken, "it is there until the copy is"
    kept = restore(url, copy)
    assert kept is not None
    assert kept.read_bytes() == broken
    assert dump(database) == dump(copy)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("postgresql+psycopg://localhost/club", "pg_dump"),
        ("sqlite://", "pg_dump"),
        ("nonsense", "no database address"),
        ("sqlite:////nowhere/at/all.sqlite3", "no database"),
    ],
)
def test_databases_that_cannot_be_copied(tmp_path: Path, address: str, words: str) -> None:
    with pytest.raises(BackupRefused, match=words):
        back_up(address, tmp_path / "copy.sqlite3")
    assert not (tmp_path / "copy.sqlite3").exists()


def test_a_copy_replaces_no_file(url: str, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear club")
    with pytest.raises(BackupRefused, match="there already"):
        back_up(url, tmp_path / "letter.txt")
    with pytest.raises(BackupRefused, match="cannot be written"):
        back_up(url, tmp_path / "nowhere" / "copy.sqlite3")
    assert (tmp_path / "letter.txt").read_text() == "dear club"


def test_the_commands(url: str, tmp_path: Path) -> None:
    copy = str(tmp_path / "copy.sqlite3")
    run = CliRunner().invoke
    assert "checked" in run(main, ["backup", copy, "--db", url]).output
    assert run(main, ["backup", copy, "--db", url]).exit_code == 1
    assert run(main, ["restore", copy, "--db", url], input="n\n").exit_code == 1
    assert list(tmp_path.glob("*-before-*")) == []
    assert "kept in" in run(main, ["restore", copy, "--db", url, "--yes"]).output
    fresh = f"sqlite:///{tmp_path / 'fresh.sqlite3'}"
    told = run(main, ["restore", copy, "--db", fresh])
    assert told.exit_code == 0
    assert "kept in" not in told.output
