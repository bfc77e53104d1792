"""Nothing that was entered is lost: durability, undo, repeated sends, restarts."""

from __future__ import annotations

import importlib
import pkgutil
import shutil
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from click.testing import CliRunner
from sqlalchemy import create_engine, event, text

import webapp.database
from tests.webapp.database.postgres import new_database
from tests.webapp.database.writer import ENTRIES, writing
from webapp.cli.main import main
from webapp.database.base import Base
from webapp.database.engine import DatabaseError, open_database
from webapp.deal import edits
from webapp.deal.photos import DONE, FAILED, READING, WAITING
from webapp.deal.state import HAND, DealState, new_deal
from webapp.deal.store import Store
from webapp.personal_data.photo_keeping import PhotoKeeping

SEATS = ("E", "S", "W", "N")


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def url(tmp_path: Path, request: pytest.FixtureRequest) -> str:
    if request.param == "SQLite":
        return f"sqlite:///{tmp_path / 'kongbox.sqlite3'}"
    return new_database(request.getfixturevalue("server"))


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'kongbox.sqlite3'}"


def add(label: str) -> Callable[[DealState], DealState]:
    def change(state: DealState) -> DealState:
        return edits.with_player(state, edits.add_tiles(state.player("E"), [label], HAND))

    return change


def labels(state: DealState) -> list[str]:
    return [t.label for t in state.player("E").tiles]


def test_the_database_is_durable(sqlite_url: str) -> None:
    told = {
        "journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5000,
        "fullfsync": 1,
    }  # fmt: skip
    engine = open_database(sqlite_url)
    with engine.connect() as connection:
        pragmas = {name: connection.execute(text(f"PRAGMA {name}")).scalar() for name in told}
    engine.dispose()
    assert pragmas == told


def test_postgresql_is_as_durable_and_counts_in_utc(server: str) -> None:
    engine = open_database(new_database(server))
    with engine.connect() as connection:
        settings = {
            name: connection.execute(text(f"SHOW {name}")).scalar()
            for name in ("synchronous_commit", "timezone")
        }
    engine.dispose()
    assert settings == {"synchronous_commit": "on", "timezone": "UTC"}


def test_a_connection_that_the_server_has_lost_is_made_anew(server: str) -> None:
    engine = open_database(new_database(server))
    with engine.connect() as connection:
        own = connection.execute(text("SELECT pg_backend_pid()")).scalar_one()
    other = create_engine(server, isolation_level="AUTOCOMMIT")
    with other.connect() as connection:
        connection.execute(text("SELECT pg_terminate_backend(:own)"), {"own": own})
    other.dispose()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("webapp.database.engine.RESTED_S", 0.0)
        with engine.connect() as connection:
            assert connection.execute(text("SELECT 1")).scalar_one() == 1
    engine.dispose()


def test_the_password_of_a_database_is_not_told() -> None:
    with pytest.raises(DatabaseError) as told:
        open_database("postgresql+psycopg://me:hush-hush@127.0.0.1:9/club")
    assert "hush-hush" not in str(told.value)
    assert "me:***@127.0.0.1" in str(told.value)


def test_the_migrations_make_the_schema_of_the_code(url: str) -> None:
    for module in pkgutil.walk_packages(webapp.database.__path__, "webapp.database."):
        importlib.import_module(module.name)
    engine = open_database(url)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    engine.dispose()


@pytest.mark.parametrize("url", ["nonsense", "sqlite:////nowhere/at/all/kongbox.sqlite3"])
def test_a_database_that_cannot_be_opened_is_told(url: str) -> None:
    with pytest.raises(DatabaseError, match="folder you can write"):
        open_database(url)


def test_entries_survive_a_restart_and_can_be_undone(url: str) -> None:
    engine = open_database(url)
    store = Store(engine)
    deal_id = store.create(new_deal(SEATS))
    for label in ("1m", "2m", "3m"):
        store.edit(deal_id, add(label), f"Added {label}")
    engine.dispose()

    engine = open_database(url)
    store = Store(engine)
    deal = store.deal(deal_id)
    assert deal is not None
    assert labels(deal.state) == ["1m", "2m", "3m"]
    assert deal.undo == "Added 3m"
    undone = store.undo(deal_id, deal.head)
    assert labels(undone.state) == ["1m", "2m"]
    assert labels(store.undo(deal_id, deal.head).state) == ["1m", "2m"], "an old undo is ignored"
    again = store.edit(deal_id, add("9p"), "Added 9p")
    assert labels(again.state) == ["1m", "2m", "9p"]
    assert labels(store.undo(deal_id, again.head).state) == ["1m", "2m"]
    engine.dispose()


def test_an_entry_sent_twice_counts_once(url: str) -> None:
    engine = open_database(url)
    store = Store(engine)
    deal_id = store.create(new_deal(SEATS))
    for _ in range(2):
        deal = store.edit(deal_id, add("1m"), "Added", entry="same")
    assert labels(deal.state) == ["1m"]
    engine.dispose()


def test_a_result_is_forgotten_with_the_next_entry(url: str) -> None:
    engine = open_database(url)
    store = Store(engine)
    deal_id = store.create(new_deal(SEATS))
    store.keep_result(deal_id, 0, {"net": {}})
    deal = store.deal(deal_id)
    assert deal is not None
    assert deal.result == {"net": {}}
    edited = store.edit(deal_id, add("1m"), "Added")
    assert edited.result is None
    engine.dispose()


def test_a_photo_keeps_its_bytes_only_until_it_is_read(url: str) -> None:
    engine = open_database(url)
    store = Store(engine)
    deal_id = store.create(new_deal(SEATS))
    good, bad = (store.add_photo(deal_id, seat, "photo", b"bytes") for seat in "ES")
    assert store.unread() == [good, bad]
    stages = [p.stage for p in store.latest_photos(deal_id).values()]
    assert stages == [WAITING, WAITING]
    assert store.start_reading(good) == b"bytes"
    started = store.photo(good)
    assert started is not None
    assert started.stage == READING
    store.finish_photo(good, {"tiles": []}, b"jpeg")
    store.fail_photo(bad, "No tiles.")
    assert store.picture(good) == b"jpeg"
    assert store.start_reading(good) is None
    assert store.start_reading(bad) is None
    photos = store.latest_photos(deal_id)
    assert [(p.stage, p.error) for p in photos.values()] == [(DONE, None), (FAILED, "No tiles.")]
    assert store.unread() == []
    engine.dispose()


def test_whoever_asks_about_a_photo_fetches_none_of_its_bytes(url: str) -> None:
    engine = open_database(url)
    store, asked = Store(engine), list[str]()
    deal_id = store.create(new_deal(SEATS))
    photo_id = store.add_photo(deal_id, "E", "photo", b"bytes")
    event.listen(engine, "before_cursor_execute", lambda *sent: asked.append(sent[2]))
    assert store.photo(photo_id) == store.latest_photos(deal_id)["E"]
    store.finish_photo(photo_id, {"tiles": []}, b"jpeg")
    read = [words.partition("FROM")[0] for words in asked if words.startswith("SELECT")]
    assert any("photos.stage" in words for words in read)
    assert not any("photos.original" in words or "photos.picture" in words for words in read)
    engine.dispose()


def test_whoever_counts_photos_only_asks_how_long_they_are(url: str) -> None:
    engine = open_database(url)
    store, asked = Store(engine), list[str]()
    photo_id = store.add_photo(store.create(new_deal(SEATS)), "E", "photo", b"bytes")
    store.finish_photo(photo_id, {"tiles": []}, b"a picture")
    event.listen(engine, "before_cursor_execute", lambda *sent: asked.append(sent[2]))
    assert PhotoKeeping(engine).stored() == (1, 9)
    (words,) = (words for words in asked if "photos" in words)
    assert "length(photos.picture)" in words, "to compare them takes 30 times as long"
    engine.dispose()


def test_entries_from_several_phones_at_once_all_count(url: str) -> None:
    engine = open_database(url)
    store = Store(engine)
    deal_id = store.create(new_deal(SEATS))
    with ThreadPoolExecutor(4) as phones:
        sent = [phones.submit(store.edit, deal_id, add("1m"), "Added") for _ in range(24)]
    assert [entry.exception() for entry in sent] == [None] * 24
    deal = store.deal(deal_id)
    assert deal is not None
    assert labels(deal.state) == ["1m"] * 24
    engine.dispose()


@pytest.mark.parametrize("killed_after", [1, 7, ENTRIES])
def test_a_killed_program_loses_no_acknowledged_entry(url: str, killed_after: int) -> None:
    with writing(url) as told:
        deal_id = told.recv()
        acknowledged = [told.recv() for _ in range(killed_after)][-1]
    engine = open_database(url)
    deal = Store(engine).deal(deal_id)
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            assert connection.execute(text("PRAGMA integrity_check")).scalar() == "ok"
    engine.dispose()
    assert deal is not None
    assert acknowledged <= len(labels(deal.state)) <= ENTRIES


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        ("UPDATE alembic_version SET version_num = '9999'", "written by a newer Kongbox"),
        ("INSERT INTO alembic_version VALUES ('9999')", "written by a newer Kongbox"),
        ("DROP TABLE photos", "a part of its tables is missing"),
        ("ALTER TABLE accounts DROP COLUMN created_at", "a part of its tables is missing"),
        ("DELETE FROM alembic_version", "already exists"),
    ],
)
def test_a_database_that_this_program_does_not_know_is_told_in_a_sentence(
    tmp_path: Path, empty_database: Path, damage: str, why: str
) -> None:
    path = tmp_path / "kongbox.sqlite3"
    shutil.copy(empty_database, path)
    connection = sqlite3.connect(path)
    connection.execute(damage)
    connection.commit()
    before = list(connection.iterdump())
    with pytest.raises(DatabaseError, match=why) as refused:
        open_database(f"sqlite:///{path}")
    assert "SQL:" not in str(refused.value)
    assert list(connection.iterdump()) == before
    connection.close()
    told = CliRunner().invoke(main, ["users", "list", "--db", f"sqlite:///{path}"])
    assert (told.exit_code, told.output) == (1, f"Error: {refused.value}\n")
