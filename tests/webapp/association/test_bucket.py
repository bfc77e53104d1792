"""Pictures outside the database: nobody notices, nothing is lost, and what is deleted is gone."""

from __future__ import annotations

import io
import os
import shutil
import socket
import sys
import time
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine

from tests.webapp.book_fixtures import a_dealt_table, book_of, person_id, rows
from tests.webapp.conftest import hasten, migrated, services_of
from tests.webapp.database.postgres import new_server_database
from tests.webapp.fakes import FakeReader
from webapp.app import create_app
from webapp.association.applications import create_host
from webapp.association.machines.bucket import CUT_SHORT, Bucket
from webapp.association.places import PHOTOS, Places
from webapp.backup.housekeeping import keep_house
from webapp.database.engine import DatabaseError, open_database
from webapp.database.pictures import OUTSIDE, move_out, sweep, with_pictures
from webapp.database.trouble import PicturesAway
from webapp.deal.state import new_deal
from webapp.deal.store import Store
from webapp.exports.person_file import person_zip
from webapp.personal_data.erasure import erase
from webapp.rereading.choosing import KeptPhotos, Where
from webapp.security.errors import HOSTED


class Killed(BaseException):
    """The program ends here."""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The folder in which the pictures of all clubs lie."""
    folder = tmp_path / "photos"
    folder.mkdir()
    return folder


@pytest.fixture
def engine(place: Path, tmp_path: Path, empty_database: Path) -> Iterator[Engine]:
    """The database of the club Alpha, whose pictures lie outside."""
    shutil.copy(empty_database, tmp_path / "alpha.sqlite3")
    with migrated():
        own = open_database(f"sqlite:///{tmp_path / 'alpha.sqlite3'}")
    hasten(own)
    yield with_pictures(own, Bucket(place.as_uri(), "alpha"))
    own.dispose()


def lying(place: Path) -> set[str]:
    """What lies in the folder."""
    return {str(path.relative_to(place)) for path in place.rglob("*") if path.is_file()}


def unpacked(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def told(engine: Engine) -> list[object]:
    """What people and programs are told of the photos of a club."""
    book, kept = book_of(engine), KeptPhotos(engine)
    ids = kept.taken(Where())
    return [
        [Store(engine).picture(photo_id) for photo_id in ids],
        [kept.photo(photo_id) for photo_id in ids],
        unpacked(person_zip(book, person_id(book, "Ann"))),
        book.photos.stored(),
    ]


def test_a_picture_outside_is_the_same_and_leaves_the_database(engine: Engine, place: Path) -> None:
    _, _, photos = a_dealt_table(engine)
    before = told(engine)
    assert lying(place) == set()
    assert move_out(engine) == 4
    assert lying(place) == {f"alpha/{photo_id}.jpg" for photo_id in photos.values()}
    assert {row[7] for row in rows(engine)["photos"]} == {OUTSIDE}
    assert told(engine) == before
    assert move_out(engine) == 0


def test_what_is_deleted_is_gone_outside_too(engine: Engine, place: Path) -> None:
    _, _, photos = a_dealt_table(engine)
    move_out(engine)
    book, left = book_of(engine), {f"alpha/{photo_id}.jpg" for photo_id in photos.values()}
    erase(engine, person_id(book, "Ann"))
    assert lying(place) == left - {f"alpha/{photos['E']}.jpg"}
    book.photos.delete(photos["S"])
    assert len(lying(place)) == 2
    assert Store(engine).picture(photos["S"]) is None
    book.photos.decide(30)
    assert book.photos.clean(datetime.now(UTC) + timedelta(days=31)) == 2
    assert lying(place) == set()


def test_a_kill_between_two_steps_loses_no_picture(
    engine: Engine, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_dealt_table(engine)
    before, really = told(engine), Bucket.put

    def put(self: Bucket, photo_id: str, picture: bytes) -> None:
        really(self, photo_id, picture)
        if len(lying(place)) == 2:
            raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(Bucket, "put", put)
        with pytest.raises(Killed):
            move_out(engine)
    assert len(lying(place)) == 2
    assert told(engine)[:3] == before[:3]
    assert sweep(engine) == 0
    assert move_out(engine) == 3
    assert told(engine) == before


def test_what_a_kill_leaves_of_a_deleted_picture_is_swept(
    engine: Engine, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, _, photos = a_dealt_table(engine)
    move_out(engine)
    book, really = book_of(engine), Bucket.put

    def kill(*_: Any) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(Bucket, "delete", kill)
        with pytest.raises(Killed):
            book.photos.delete(photos["E"])
    assert Store(engine).picture(photos["E"]) is None
    assert len(lying(place)) == 4
    other = Store(engine).create(new_deal(("E", "S", "W")))
    late = Store(engine).add_photo(other, "E", "late.jpg", b"raw")
    Store(engine).finish_photo(late, {"tiles": []}, b"late")

    def deleted_meanwhile(self: Bucket, photo_id: str, picture: bytes) -> None:
        assert book.photos.delete(photo_id)
        really(self, photo_id, picture)

    with monkeypatch.context() as patch:
        patch.setattr(Bucket, "put", deleted_meanwhile)
        move_out(engine)
    assert Store(engine).picture(late) is None
    assert f"alpha/{late}.jpg" in lying(place)
    keep_house(book)
    assert lying(place) == {f"alpha/{photos[seat]}.jpg" for seat in "SWN"}


def test_what_another_database_may_have_is_let_be(
    engine: Engine, place: Path, caplog: pytest.LogCaptureFixture
) -> None:
    names = ("alpha/its.jpg", "alpha/cut.jpg#1", "alpha/now.jpg#1", "beta/its.jpg")
    for name in names:
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_bytes(b"a picture")
    before = datetime.now(UTC) - CUT_SHORT - timedelta(minutes=1)
    os.utime(place / "alpha" / "cut.jpg#1", (before.timestamp(),) * 2)
    assert sweep(engine) == 0
    assert lying(place) == {"alpha/its.jpg", "alpha/now.jpg#1", "beta/its.jpg"}
    assert "1 pictures lie outside" in caplog.text


def test_what_cannot_be_reached_stops_nothing_else(engine: Engine, place: Path) -> None:
    _, _, photos = a_dealt_table(engine)
    move_out(engine)
    place.rename(place.with_name("away"))
    store, book = Store(engine), book_of(engine)
    with pytest.raises(PicturesAway):
        store.picture(photos["E"])
    new = store.add_photo(store.create(new_deal(("E", "S", "W"))), "E", "new.jpg", b"raw")
    store.finish_photo(new, {"tiles": []}, b"new")
    assert store.picture(new) == b"new"
    erase(engine, person_id(book, "Ann"))
    place.with_name("away").rename(place)
    keep_house(book)
    assert lying(place) == {f"alpha/{each}.jpg" for each in (*(photos[s] for s in "SWN"), new)}


def test_pictures_that_lie_where_nobody_says_are_not_taken_for_lost(engine: Engine) -> None:
    _, _, photos = a_dealt_table(engine)
    move_out(engine)
    with pytest.raises(PicturesAway, match="not said where"):
        Store(with_pictures(engine, None)).picture(photos["E"])  # type: ignore[arg-type]


def test_a_bucket_that_does_not_answer_is_told_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.association.machines.bucket.WAIT", timedelta(seconds=0.1))
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "of nobody")
    bucket = Bucket("s3://nobody/silent", "alpha")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{silent.getsockname()[1]}")
        for ask in (bucket.sizes, lambda: bucket.get("a"), lambda: bucket.put("a", b"")):
            begun = time.monotonic()
            with pytest.raises(PicturesAway):
                ask()
            assert time.monotonic() - begun < 5


def test_a_wrong_place_is_told_at_the_start(
    tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = Places(create_engine("postgresql+psycopg://nobody@nowhere/nothing"), tmp_path)
    for address in ("photos", "ftp://there/photos", "file:///not/there"):
        monkeypatch.setenv(PHOTOS, address)
        with pytest.raises(DatabaseError, match="Name a folder that is there"):
            shared.require_pictures()
    monkeypatch.setenv(PHOTOS, tmp_path.as_uri())
    shared.require_pictures()
    with migrated(), pytest.raises(DatabaseError, match="needs PostgreSQL"):
        create_host(f"sqlite:///{empty_database}", folder=tmp_path)


@pytest.mark.parametrize("missing", ["obstore", "procrastinate"])
def test_what_is_not_installed_is_told_in_a_sentence(
    missing: str, server: str, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("machines.bucket", "queue.tasks"):
        monkeypatch.delitem(sys.modules, f"webapp.association.{name}", raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.setenv(PHOTOS, place.as_uri())
    with pytest.raises(DatabaseError, match="install kongbox"):
        create_host(new_server_database(server), folder=tmp_path, queued=True)


def test_a_page_whose_picture_cannot_be_reached_says_so(
    engine: Engine, place: Path, tmp_path: Path
) -> None:
    _, deal_id, photos = a_dealt_table(engine)
    move_out(engine)
    app = create_app(engine, reader=FakeReader(), folder=tmp_path)
    path = f"/deals/{deal_id}/photos/{photos['E']}.jpg"
    assert app.test_client().get(path).data == b"picture E"
    place.rename(place.with_name("away"))
    told = "photo storage does not answer"
    for hosted in (False, True):
        app.config[HOSTED] = hosted
        answer = app.test_client().get(path)
        assert (answer.status_code, told in answer.text) == (503, True)
    services_of(app).close()
