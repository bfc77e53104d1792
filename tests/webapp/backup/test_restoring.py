"""A copy is put back from the page: told first, whole, and what was there before is kept."""

from __future__ import annotations

import re
import shutil
import sqlite3
import threading
import zipfile
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.webapp.backup.test_backup import dump
from tests.webapp.book_fixtures import book_of, two_evenings
from tests.webapp.conftest import services_of
from tests.webapp.pages.table.test_games import game_of, open_table, words
from tests.webapp.runtime.test_untrusted import listed
from tests.webapp.security.test_login import club, kept, logged_in
from webapp.backup.backup import back_up, exchange
from webapp.backup.restoring import NO_ROOM, Restorer
from webapp.book.seasons import Span
from webapp.photos.desk import PhotoDesk
from webapp.security.policy import policy_of

__all__ = ["club", "kept"]


def url_of(app: Flask) -> str:
    return str(services_of(app).engine.url)


def zipped(client: FlaskClient) -> bytes:
    with client.get("/keeping/everything.zip") as answer:
        data: bytes = answer.data
        return data


def copied(app: Flask, folder: Path) -> bytes:
    back_up(url_of(app), folder / "copy.sqlite3")
    return (folder / "copy.sqlite3").read_bytes()


def send(client: FlaskClient, data: bytes) -> TestResponse:
    form = {"file": (BytesIO(data), "copy")}
    return client.post("/keeping/restore", data=form, content_type="multipart/form-data")


def waiting(folder: Path) -> list[Path]:
    return list(folder.glob("*-ready-*"))


def before(folder: Path) -> list[Path]:
    return list(folder.glob("*-before-*"))


@pytest.mark.parametrize("kind", ["zip", "database"])
def test_a_copy_replaces_everything_once_it_is_confirmed(
    app: Flask, client: FlaskClient, tmp_path: Path, kind: str
) -> None:
    two_evenings(services_of(app).engine)
    data = zipped(client) if kind == "zip" else copied(app, tmp_path)
    wanted = sorted(dump(tmp_path / "test.sqlite3"))
    table = open_table(client)
    client.post(f"{table}/drawn")

    asked = send(client, data)
    assert asked.status_code == 303
    address = asked.headers["Location"]
    told = words(client.get(address))
    assert "Evenings 3 2" in told
    assert "Players 4 4" in told
    assert "first saves everything as a file" in told
    assert len(game_of(app, table).game.hands) == 1, "nothing is replaced before the answer"

    done = client.post(address, data={"then": "replace"}, follow_redirects=True)
    assert "Everything has been restored from the file" in done.text
    assert before(tmp_path)[0].name in done.text
    assert sorted(dump(tmp_path / "test.sqlite3")) == wanted
    assert client.get(table).status_code == 404
    assert len(book_of(services_of(app).engine).statistics.board(Span())) == 4
    assert waiting(tmp_path) == []
    assert client.get(address).status_code == 404

    send_back = send(client, before(tmp_path)[0].read_bytes()).headers["Location"]
    client.post(send_back, data={"then": "replace"})
    assert len(game_of(app, table).game.hands) == 1, "what was there before comes back"


def test_a_copy_may_be_left(app: Flask, client: FlaskClient, tmp_path: Path) -> None:
    table = open_table(client)
    address = send(client, zipped(client)).headers["Location"]
    client.post(f"{table}/drawn")
    told = client.post(address, data={"then": "leave"}, follow_redirects=True)
    assert "Nothing has been changed" in told.text
    assert len(game_of(app, table).game.hands) == 1
    assert (waiting(tmp_path), before(tmp_path)) == ([], [])


def test_a_second_file_leaves_the_first(app: Flask, client: FlaskClient, tmp_path: Path) -> None:
    data = copied(app, tmp_path)
    table = open_table(client)
    first, second = (send(client, data).headers["Location"] for _ in range(2))
    assert first != second
    client.post(second, data={"then": "leave"})
    assert client.get(second).status_code == 404
    done = client.post(first, data={"then": "replace"}, follow_redirects=True)
    assert "Everything has been restored from the file" in done.text
    assert client.get(table).status_code == 404
    again = client.post(first, data={"then": "replace"})
    assert (again.status_code, len(before(tmp_path))) == (404, 1)


def test_a_book_that_is_in_use_is_not_blamed_on_the_file(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = send(client, zipped(client)).headers["Location"]
    monkeypatch.setattr("webapp.backup.backup.BUSY_TIMEOUT_MS", 1)
    other = sqlite3.connect(tmp_path / "test.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    told = client.post(address, data={"then": "replace"})
    other.close()
    assert (told.status_code, before(tmp_path)) == (409, [])
    assert "Another program is using Kongbox's data" in words(told)
    assert client.post(address, data={"then": "replace"}).status_code == 303


def test_only_so_many_files_wait_and_only_so_long(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.backup.restoring.MAX_WAITING", 1)
    data = zipped(client)
    address = send(client, data).headers["Location"]
    assert send(client, data).headers["Location"] == "/keeping"
    assert "Several files are already waiting" in words(client.get("/keeping"))
    assert client.get(address).status_code == 200
    monkeypatch.setattr("webapp.backup.restoring.KEPT_S", -60.0)
    assert send(client, data).headers["Location"] != "/keeping"
    assert client.get(address).status_code == 404
    assert len(waiting(tmp_path)) == 1


def with_part(data: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    """An archive of which one file is changed."""
    changed = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, change(content) if name == part else content)
    return changed.getvalue()


def newer_archive(data: bytes) -> bytes:
    version = rb'("tables_version": ")[^"]+'
    return with_part(data, "kongbox.json", lambda head: re.sub(version, rb"\g<1>9999", head))


def deep(data: bytes) -> bytes:
    return with_part(data, "kongbox.json", lambda _: b"[" * 60_000)


def without_a_row(data: bytes) -> bytes:
    return with_part(data, "tables/people.jsonl", lambda rows: rows.split(b"\n", 1)[1])


def after(statement: str, data: bytes, folder: Path) -> bytes:
    """A database after a statement that Kongbox never makes."""
    path = folder / "changed.sqlite3"
    path.write_bytes(data)
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()
    return path.read_bytes()


def test_other_files_are_refused_in_one_sentence(
    app: Flask, client: FlaskClient, tmp_path: Path
) -> None:
    two_evenings(services_of(app).engine)
    archive, database = zipped(client), copied(app, tmp_path)
    unchanged = dump(tmp_path / "test.sqlite3")
    newer = "UPDATE alembic_version SET version_num = '9999'"
    words_only, picture = BytesIO(), b"\xff\xd8\xff\xe0" + bytes(2000)
    with zipfile.ZipFile(words_only, "w") as made:
        made.writestr("letter.txt", "dear club")
    for data, told in (
        (b"dear club", "not a Kongbox backup"),
        (picture, "not a Kongbox backup"),
        (words_only.getvalue(), "not a Kongbox backup"),
        (archive[: len(archive) // 2], "not a Kongbox backup"),
        (database[: len(database) // 2], "not a Kongbox backup"),
        (without_a_row(archive), "not a Kongbox backup"),
        (listed(archive, 8, b"\1\0"), "not a Kongbox backup"),
        (deep(archive), "not a Kongbox backup"),
        (after("CREATE VIEW endless AS SELECT 1", database, tmp_path), "not a Kongbox backup"),
        (newer_archive(archive), "made by a newer version of Kongbox"),
        (after(newer, database, tmp_path), "made by a newer version of Kongbox"),
        (b"", "not a Kongbox backup"),
    ):
        refused = send(client, data)
        assert refused.headers["Location"] == "/keeping"
        page = words(client.get("/keeping"))
        assert told in page, data[:20]
        assert "Nothing was changed" in page
        assert (waiting(tmp_path), before(tmp_path)) == ([], [])
    client.post("/keeping/restore", data={})
    assert "First choose a file" in words(client.get("/keeping"))
    assert dump(tmp_path / "test.sqlite3") == unchanged


def test_a_file_that_is_too_large_is_told(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = app.view_functions["restoring.upload"]
    policy = policy_of(view)
    assert policy is not None
    assert policy.body is not None
    small = replace(policy, body=replace(policy.body, size=1000))
    monkeypatch.setitem(view.__dict__, "policy", small)
    refused = send(client, bytes(5000))
    assert refused.status_code == 413
    assert "looks after Kongbox" in refused.text
    assert send(client, bytes(200)).status_code == 303


def test_a_file_larger_than_a_photo_may_be_is_taken(client: FlaskClient) -> None:
    sent = send(client, bytes(17 * 1024**2))
    assert sent.status_code == 303
    sent.request.input_stream.close()
    assert "not a Kongbox backup" in words(client.get("/keeping"))


def test_without_room_for_it_nothing_is_unpacked(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("kongbox.json", bytes(40_000_000))
    free = shutil.disk_usage(tmp_path)._replace(free=600_000_000)
    monkeypatch.setattr("webapp.backup.restoring.shutil.disk_usage", lambda _path: free)
    assert send(client, bomb.getvalue()).headers["Location"] == "/keeping"
    assert str(NO_ROOM)[:40] in words(client.get("/keeping"))
    assert waiting(tmp_path) == []


def test_while_photos_are_read_it_waits(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = send(client, zipped(client)).headers["Location"]
    monkeypatch.setattr(PhotoDesk, "busy", True)
    told = client.post(address, data={"then": "replace"})
    assert told.status_code == 409
    assert "Wait a few seconds" in told.text
    assert before(tmp_path) == []


def test_only_the_secretary_may_and_a_club_is_never_left_without_one(
    club: Flask, tmp_path: Path
) -> None:
    sue, sam = logged_in(club, "Sue"), logged_in(club, "Sam")
    data = copied(club, tmp_path)
    assert send(sam, data).status_code == 403
    open_to_all = after("DELETE FROM accounts WHERE role = 'secretary'", data, tmp_path)
    address = send(sue, open_to_all).headers["Location"]
    assert sam.get(address).status_code == 403
    assert sam.post(address, data={"then": "replace"}).status_code == 403
    refused = sue.post(address, data={"then": "replace"})
    assert refused.status_code == 409
    assert "no secretary with a password" in refused.text
    assert before(tmp_path) == []

    address = send(sue, data).headers["Location"]
    done = sue.post(address, data={"then": "replace"}, follow_redirects=True)
    assert "Everything has been restored" in done.text, "Sue is in the copy and stays logged in"


def test_every_entry_is_kept_or_comes_after(
    app: Flask, client: FlaskClient, tmp_path: Path
) -> None:
    """Entries while a copy takes over: in the kept file, or in the new database."""
    copied(app, tmp_path)
    table = open_table(client)
    taken: list[int] = []
    stop = threading.Event()

    def play() -> None:
        phone = app.test_client()
        while not stop.is_set():
            entered = phone.post(f"{table}/drawn")
            if entered.status_code != 303:
                return
            taken.append(1)

    phone = threading.Thread(target=play)
    phone.start()
    while len(taken) < 3:
        stop.wait(0.01)
    saved = exchange(url_of(app), tmp_path / "copy.sqlite3")
    phone.join(20)
    stop.set()
    connection = sqlite3.connect(saved)
    (entries,) = connection.execute("SELECT count(*) FROM game_revisions").fetchone()
    connection.close()
    assert entries == len(taken) + 1, "all that was acknowledged, and the table's opening"


def test_a_table_is_read_anew_after_a_copy_was_put_back(
    app: Flask, client: FlaskClient, tmp_path: Path
) -> None:
    table = open_table(client)
    data = copied(app, tmp_path)
    client.post(f"{table}/drawn")
    assert "drawn" in words(client.get(table))
    client.post(send(client, data).headers["Location"], data={"then": "replace"})
    assert game_of(app, table).game.hands == ()
    form = {"winner": "W", "source": "wall"} | {f"total_{seat}": "20" for seat in "ESWN"}
    assert client.post(f"{table}/hands/1/totals", data=form).status_code == 303
    (played,) = game_of(app, table).game.hands
    assert played.winner == "Cat", "not the drawn hand that once had the same number"


def test_a_server_of_its_own_is_left_to_its_tools(app: Flask) -> None:
    engine = services_of(app).engine
    elsewhere = Restorer(engine)
    elsewhere._url = "postgresql+psycopg://localhost/club"
    assert not elsewhere.possible
    assert Restorer(engine).possible
