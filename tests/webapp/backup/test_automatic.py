"""Copies are made by themselves, proven, thinned out by a ladder, and told of to people."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from tests.webapp.backup.test_backup import dump
from tests.webapp.conftest import services_of
from tests.webapp.database.test_database import SEATS, add, labels
from webapp import server
from webapp.backup.automatic import EVERY_S, LATE_AFTER, Backups
from webapp.backup.backup import restore
from webapp.backup.retention import LADDER, LEAST_KEPT, Copy, superfluous
from webapp.cli.main import main
from webapp.database.engine import open_database
from webapp.database.history import statements
from webapp.database.sessions import writing
from webapp.deal.state import new_deal
from webapp.deal.store import Store

NOW = datetime(2026, 11, 28, 21, 7, tzinfo=UTC)


@pytest.fixture
def club(tmp_path: Path, empty_database: Path) -> Path:
    path = tmp_path / "club.sqlite3"
    shutil.copy(empty_database, path)
    return path


def url_of(path: Path) -> str:
    return f"sqlite:///{path}"


def enter(club: Path, label: str) -> str:
    """Enter a deal with a tile in it, and return its id."""
    engine = open_database(url_of(club))
    store = Store(engine)
    deal_id = store.create(new_deal(SEATS))
    store.edit(deal_id, add(label), "Added")
    engine.dispose()
    return deal_id


def copies_of(club: Path) -> list[Path]:
    return sorted(club.with_name("club-copies").glob("club-2*.sqlite3"))


def test_a_copy_is_made_only_if_something_changed_and_the_newest_comes_back(club: Path) -> None:
    enter(club, "1m")
    backups = Backups(url_of(club))
    backups.round()
    backups.round()
    Backups(url_of(club)).round()
    assert len(copies_of(club)) == 1
    deal_id = enter(club, "5m")
    backups.round()
    _, newest = copies_of(club)
    assert stat.S_IMODE(newest.stat().st_mode) == 0o600
    assert stat.S_IMODE(newest.parent.stat().st_mode) == 0o700
    state = backups.state()
    assert state is not None
    assert state.newest is not None
    assert (state.newest.path, state.count, state.failure, state.late) == (newest, 2, None, False)
    before = dump(newest)
    enter(club, "9m")
    restore(url_of(club), newest)
    assert dump(club) == before
    engine = open_database(url_of(club))
    deal = Store(engine).deal(deal_id)
    engine.dispose()
    assert deal is not None
    assert "5m" in labels(deal.state)


def alter(club: Path) -> None:
    """Change an entry from outside."""
    connection = sqlite3.connect(club, isolation_level=None)
    for statement in statements("sqlite", "unlock"):
        connection.execute(statement)
    connection.execute("UPDATE revisions SET who = 'Forged'")
    for statement in statements("sqlite", "lock"):
        connection.execute(statement)
    connection.close()


def test_a_copy_that_is_not_proven_gets_no_name_and_replaces_none(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.backup.retention.LEAST_KEPT", 1)
    monkeypatch.setattr("webapp.backup.retention.MAX_BYTES", 0)
    enter(club, "1m")
    backups = Backups(url_of(club))
    backups.round()
    kept = copies_of(club)
    alter(club)
    backups.round()
    state = backups.state()
    assert state is not None
    assert state.failure is not None
    assert state.failure.reason == "history"
    assert copies_of(club) == kept
    assert [path.name for path in kept[0].parent.glob("*-damaged.sqlite3")] == [
        "club-damaged.sqlite3"
    ]
    told = CliRunner().invoke(main, ["check", "--db", url_of(club)]).output
    assert "Copies: 1, the last of " in told
    assert "have been altered" in told


def test_a_disk_with_little_room_is_left_to_entries(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    enter(club, "1m")
    backups = Backups(url_of(club))
    with monkeypatch.context() as patch:
        patch.setattr("webapp.security.disk.LEAST_FREE_BYTES", 1 << 62)
        backups.round()
        assert copies_of(club) == []
        state = Backups(url_of(club)).state()
        assert state is not None
        assert state.failure is not None
        assert state.failure.reason == "full"
        assert state.late
    backups.round()
    assert len(copies_of(club)) == 1
    after = Backups(url_of(club)).state()
    assert after is not None
    assert after.failure is None


KILLED = """
import os, signal, sys
from webapp.backup import automatic
automatic.check = lambda path: os.kill(os.getpid(), signal.SIGKILL)
automatic.Backups(sys.argv[1]).round()
"""


def test_a_kill_leaves_no_half_copy_and_the_next_round_clears_up(club: Path) -> None:
    enter(club, "1m")
    done = subprocess.run([sys.executable, "-c", KILLED, url_of(club)], check=False)
    assert done.returncode == -signal.SIGKILL
    folder = club.with_name("club-copies")
    assert [path.name for path in folder.iterdir()] == ["club.new"]
    (folder / "club.new.part").write_bytes(b"half")
    assert copies_of(club) == []
    Backups(url_of(club)).round()
    assert [path.name for path in folder.iterdir()] == [copies_of(club)[0].name]


def ladder_after(days: int) -> list[Copy]:
    """The copies that are kept after copies were made every quarter of an hour for days."""
    kept: list[Copy] = []
    for quarter in range(days * 96):
        at = NOW + timedelta(minutes=15) * quarter
        kept.append(Copy(at, Path(f"{at:%Y%m%d-%H%M%S}"), 1))
        gone = superfluous(kept)
        kept = [copy for copy in kept if copy not in gone]
    return kept


def test_the_ladder_keeps_hours_days_and_weeks() -> None:
    kept = ladder_after(40)
    now = kept[-1].at
    ages = [now - copy.at for copy in kept]
    for rung in LADDER:
        within = [age for age in ages if age <= min(rung.during, timedelta(days=39))]
        gaps = [old - new for old, new in pairwise(within)]
        assert max(gaps) <= 2 * rung.every
    assert len(kept) <= sum(rung.during // rung.every + 1 for rung in LADDER)
    assert len(kept) > 24 + 40 + 28


def test_the_newest_copies_stay_whatever_the_clock_says_and_the_oldest_go_for_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    old = [Copy(NOW + timedelta(minutes=n), Path(str(n)), 10) for n in range(20)]
    late = Copy(NOW + timedelta(days=4000), Path("late"), 10)
    assert len(superfluous([*old, late])) == 20 - (LEAST_KEPT - 1)
    spread = [Copy(NOW + timedelta(hours=n), Path(str(n)), 10) for n in range(20)]
    monkeypatch.setattr("webapp.backup.retention.MAX_BYTES", 75)
    assert superfluous(spread) == spread[12::-1]


def test_a_copy_that_windows_keeps_for_who_reads_it_is_deleted_the_next_time(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "used by another process", str(path))

    monkeypatch.setattr("webapp.backup.retention.LEAST_KEPT", 1)
    monkeypatch.setattr("webapp.backup.retention.MAX_BYTES", 0)
    backups = Backups(url_of(club))
    for label in ("1m", "2m", "3m"):
        enter(club, label)
        with monkeypatch.context() as windows:
            if label == "2m":
                windows.setattr("webapp.backup.automatic.delete", refuse)
            backups.round()
        assert backups.failing is False
        assert len(copies_of(club)) == (2 if label == "2m" else 1)


def test_a_clock_that_was_set_back_does_not_hide_the_newest(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backups = Backups(url_of(club))
    for year, label in ((2027, "1m"), (2020, "9m")):
        moment = datetime(year, 1, 1, tzinfo=UTC)
        monkeypatch.setattr("webapp.backup.automatic.steady_now", lambda at=moment: at)
        enter(club, label)
        backups.round()
    assert len(copies_of(club)) == 2
    assert dump(copies_of(club)[-1]) == dump(club)


def test_the_page_tells_of_the_copies_and_gives_the_last_one(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "There is no backup yet" in client.get("/keeping").text
    assert client.get("/keeping/copy.sqlite3").status_code == 404
    client.post("/deals")
    backups = services_of(app).backups
    backups.round()
    state = backups.state()
    assert state is not None
    assert state.newest is not None
    page = client.get("/keeping").text
    assert "The last backup was made on" in page
    assert str(state.folder) in page
    with client.get("/keeping/copy.sqlite3") as copy:
        day = f"{state.newest.at.astimezone():%Y-%m-%d}"
        assert f"kongbox-{day}.sqlite3" in copy.headers["Content-Disposition"]
        assert copy.data == state.newest.path.read_bytes()
    monkeypatch.setattr("webapp.security.disk.LEAST_FREE_BYTES", 1 << 62)
    with writing(services_of(app).engine).begin() as connection:
        connection.execute(text("DELETE FROM sent_forms"))
    client.post("/deals")
    backups.round()
    assert "Free some space" in client.get("/keeping").text
    assert "The last good backup" not in client.get("/").text
    later = state.newest.at + LATE_AFTER + timedelta(minutes=1)
    monkeypatch.setattr("webapp.backup.automatic.steady_now", lambda: later)
    assert "The last good backup was made on" in client.get("/").text


def test_the_commands_tell_of_the_copies(club: Path, tmp_path: Path) -> None:
    told = CliRunner().invoke(main, ["backup", str(tmp_path / "a"), "--db", url_of(club)]).output
    assert "Copies: none yet" in told
    Backups(url_of(club)).round()
    told = CliRunner().invoke(main, ["backup", str(tmp_path / "b"), "--db", url_of(club)]).output
    assert f"in {tmp_path / 'club-copies'}" in told


def test_copies_are_made_while_the_page_is_served(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setattr("webapp.server.create_app", lambda _db: app)
    made: list[Path] = []

    def serve() -> None:
        for _ in range(1000):
            made[:] = tmp_path.glob("test-copies/test-2*.sqlite3")
            if made:
                return
            time.sleep(0.01)

    listening = SimpleNamespace(run=serve)
    monkeypatch.setattr("webapp.server.Listeners", lambda *_: listening)
    server.serve()
    assert len(made) == 1
    assert timedelta(seconds=EVERY_S) == LADDER[0].every == timedelta(minutes=15)
