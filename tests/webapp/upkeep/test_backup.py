"""A copy of the database is whole while people write, and brings the same database back."""

from __future__ import annotations

import shutil
import sqlite3
import stat
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.webapp.database.test_database import SEATS, add, labels
from webapp.cli.main import main
from webapp.database.engine import open_database
from webapp.deal.state import new_deal
from webapp.deal.store import Store
from webapp.upkeep.backup import BackupRefused, back_up, restore


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


def test_a_damaged_database_is_moved_aside_for_its_copy(url: str, tmp_path: Path) -> None:
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
