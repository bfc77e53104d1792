"""What Kongbox keeps on the computer is for its own account's eyes alone."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Flask
from sqlalchemy import text

from webapp import server
from webapp.backup.backup import back_up
from webapp.database.engine import open_database
from webapp.database.sessions import writing
from webapp.runtime.data_folder import data_folder
from webapp.serving import log


def mode_of(path: Path) -> str:
    return oct(stat.S_IMODE(path.stat().st_mode))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of an account that has none yet."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    return tmp_path / "share" / "kongbox"


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_the_data_folder_is_private_also_one_from_before(folder: Path) -> None:
    assert mode_of(data_folder()) == "0o700"
    folder.chmod(0o755)
    assert mode_of(data_folder()) == "0o700"


@pytest.mark.parametrize("from_before", [False, True])
def test_the_database_and_what_lies_beside_it_are_private(
    tmp_path: Path, *, from_before: bool
) -> None:
    file = tmp_path / "club.sqlite3"
    url = f"sqlite:///{file}"
    if from_before:
        kept = open_database(url)
        with writing(kept).begin() as connection:
            connection.execute(text("DELETE FROM sent_forms"))
        for path in tmp_path.iterdir():
            path.chmod(0o644)
    engine = open_database(url)
    with writing(engine).begin() as connection:
        connection.execute(text("DELETE FROM sent_forms"))
    modes = {path.name: mode_of(path) for path in tmp_path.iterdir()}
    engine.dispose()
    assert modes.keys() >= {"club.sqlite3", "club.sqlite3-wal", "club.sqlite3-shm"}
    assert set(modes.values()) == {"0o600"}, modes
    back_up(url, tmp_path / "copy.sqlite3")
    assert mode_of(tmp_path / "copy.sqlite3") == "0o600"


def test_a_folder_that_is_not_kongboxs_own_stays_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    open_database(f"sqlite:///{tmp_path / 'club.sqlite3'}").dispose()
    assert mode_of(tmp_path) == "0o755"


def test_while_the_page_is_served_all_that_is_written_is_private(
    folder: Path, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "set-drafts" / "one").mkdir(parents=True)
    old = folder / "set-drafts" / "one" / "photo.jpg"
    old.write_bytes(b"from before")

    def serve(*_: object, **__: object) -> None:
        (folder / "new").write_text("written meanwhile")
        (folder / "inside").mkdir()
        for _line in range(3):
            logging.getLogger("webapp").warning("a line that begins a new file of the log")

    monkeypatch.setattr(log, "MAX_BYTES", 10)
    monkeypatch.setattr("webapp.server.create_app", lambda _db: app)
    server_of = SimpleNamespace(run=serve)
    monkeypatch.setattr("webapp.server.Listeners", lambda *_: server_of)
    server.serve()
    modes = {str(path.relative_to(folder)): mode_of(path) for path in folder.rglob("*")}
    folders = {"set-drafts", "set-drafts/one", "inside"}
    assert modes.keys() >= folders | {"new", "kongbox.log", "kongbox.log.1"}
    wanted = {name: "0o700" if name in folders else "0o600" for name in modes}
    assert modes == wanted
    assert os.umask(0o022) == 0o022, "commands go on as before"
