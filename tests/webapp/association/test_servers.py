"""Two servers of one association: what one was told, the other knows."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from tests.webapp.association.test_host import PASSWORD, Phone
from tests.webapp.book_fixtures import a_dealt_table, book_of, person_id
from tests.webapp.database.postgres import new_server_database
from tests.webapp.fakes import FakeReader
from vision.tilesets.folder import profiles_folder
from webapp.association.applications import close, create_host
from webapp.association.host import Host
from webapp.association.machines.bucket import Bucket
from webapp.association.machines.counts import SharedCounts
from webapp.association.machines.mirror import Mirror
from webapp.association.moving_in import bring_files
from webapp.association.places import PHOTOS, Places
from webapp.backup.archive import HEAD, write_archive
from webapp.database.pictures import move_out
from webapp.database.sessions import share, share_no_longer
from webapp.deal.store import Store
from webapp.exports.person_file import person_zip
from webapp.personal_data.erasure import erase
from webapp.runtime.data_folder import data_folder
from webapp.security.passwords import MAX_TRIES
from webapp.services import EXTENSION


@pytest.fixture(scope="module")
def hosts(server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Host, Host]]:
    """Two servers with one club, whose secretary is Sue."""
    address = new_server_database(server)
    one, other = (
        create_host(address, reader=FakeReader(), folder=tmp_path_factory.mktemp(name))
        for name in ("one", "other")
    )
    Phone(one).post(
        "/clubs",
        name="Whitby",
        address="whitby",
        secretary="Sue",
        password=PASSWORD,
        again=PASSWORD,
    )
    yield one, other
    close(one)
    close(other)


def test_who_logs_in_at_one_server_is_known_at_the_other(hosts: tuple[Host, Host]) -> None:
    one, other = hosts
    phone = Phone(one, "/whitby").login("Sue")
    cookie = phone.client.get_cookie("kongbox-whitby")
    assert cookie is not None
    elsewhere = Phone(other, "/whitby")
    assert elsewhere.get("/accounts").status_code == 303
    elsewhere.client.set_cookie("kongbox-whitby", cookie.value)
    assert elsewhere.get("/accounts").status_code == 200


def test_wrong_passwords_are_counted_by_all_servers_together(hosts: tuple[Host, Host]) -> None:
    def tried(host: Host) -> int:
        sent = Phone(host, "/whitby").post("/login", name="Nobody", password="wrong password")
        return sent.status_code

    codes = [tried(hosts[number % 2]) for number in range(MAX_TRIES + 1)]
    assert codes == [401] * MAX_TRIES + [429]


def test_what_counts_too_long_ago_counts_no_more(hosts: tuple[Host, Host]) -> None:
    with hosts[0].entered("whitby") as app:
        engine = app.extensions[EXTENSION].engine
    counts = SharedCounts(engine, "test", 60)
    first = counts.take({"a": 2})
    assert first is not None
    assert counts.take({"a": 2}) is not None
    assert counts.take({"a": 2}) is None
    counts.give_back(first)
    assert counts.take({"a": 2}) is not None
    counts.forgive("a")
    assert SharedCounts(engine, "test", 60).take({"a": 1}) is not None
    assert SharedCounts(engine, "test", 0).take({"a": 1}) is not None


def test_files_of_a_club_are_on_every_server(hosts: tuple[Host, Host]) -> None:
    one, other = hosts
    with one.entered("whitby") as app:
        mirror: Mirror = app.extensions["kongbox-mirror"]
        sets = profiles_folder()
        sets.mkdir(exist_ok=True)
        (sets / "Ours.kongset").write_bytes(b"a profile")
        assert mirror.push()
        assert not mirror.push(), "nothing is sent twice"
    with other.entered("whitby"):
        other.files_changed("whitby")
        assert (profiles_folder() / "Ours.kongset").read_bytes() == b"a profile"
        assert data_folder().name == "whitby"
    (sets / "Ours.kongset").unlink()
    with one.entered("whitby"):
        assert mirror.push()
    with other.entered("whitby"):
        other.files_changed("whitby")
        assert not (profiles_folder() / "Ours.kongset").exists()


def test_what_a_club_brings_from_a_machine_takes_the_place_of_nothing(
    hosts: tuple[Host, Host], tmp_path: Path
) -> None:
    one, _ = hosts
    with one.entered("whitby") as app:
        rules = data_folder() / "rulesets" / "ours.toml"
        rules.parent.mkdir(exist_ok=True)
        rules.write_text("as the club has them", "utf-8")
        app.extensions["kongbox-mirror"].push()
    source = tmp_path / "hall" / "rulesets"
    source.mkdir(parents=True)
    for name in ("ours.toml", "more.toml"):
        (source / name).write_text("as they were on a computer in the hall", "utf-8")
    assert bring_files(Places(one.places.engine, tmp_path / "third"), "whitby", source.parent) == 1
    one.files_changed("whitby")
    assert rules.read_text("utf-8") == "as the club has them"
    assert (rules.parent / "more.toml").exists()


def test_a_phone_at_one_server_hears_what_another_was_told(hosts: tuple[Host, Host]) -> None:
    streams = []
    for host in hosts:
        with host.entered("whitby") as app:
            streams.append(app.extensions[EXTENSION].live)
    told = iter(streams[1].stream(lambda: str(time.monotonic()), "a-table"))
    next(told)
    next(told)
    begun = time.monotonic()
    streams[0].wake("a-table")
    assert next(told).startswith("data: ")
    assert time.monotonic() - begun < 0.5


def test_pictures_lie_in_a_folder_that_all_servers_reach(
    hosts: tuple[Host, Host], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PHOTOS, tmp_path.as_uri())
    engine, other = (host.places.database_of("whitby") for host in hosts)
    _, _, photos = a_dealt_table(engine)
    before = archived(engine)
    assert move_out(engine) == 4
    assert {path.parent.name for path in tmp_path.rglob("*.jpg")} == {"whitby"}
    assert Store(other).picture(photos["E"]) == b"picture E"
    assert archived(other) == before
    book = book_of(other)
    erase(other, person_id(book, "Ann"))
    assert Store(engine).picture(photos["E"]) is None
    assert len([*tmp_path.rglob("*.jpg")]) == 3


def test_who_waits_for_a_bucket_holds_no_connection(
    hosts: tuple[Host, Host], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PHOTOS, tmp_path.as_uri())
    engine = hosts[0].places.database_of("whitby")
    _, _, photos = a_dealt_table(engine)
    move_out(engine)
    store, photo_id, held = Store(engine), photos["E"], []

    def get(_: Bucket, photo_id: str) -> bytes:
        held.append(engine.pool.checkedout())  # type: ignore[attr-defined]
        return photo_id.encode()

    def sizes(_: Bucket) -> dict[str, int]:
        held.append(engine.pool.checkedout())  # type: ignore[attr-defined]
        return {photo_id: 9}

    monkeypatch.setattr(Bucket, "get", get)
    monkeypatch.setattr(Bucket, "sizes", sizes)
    share()
    assert store.picture(photo_id) == photo_id.encode()
    book = book_of(engine)
    assert book.photos.stored()[1] >= 9
    person_zip(book, person_id(book, "Bob"))
    share_no_longer()
    assert len(held) > 2
    assert set(held) == {0}


def archived(engine: Engine) -> dict[str, bytes]:
    """What is in a club's archive, but for the moment when it was written."""
    file = io.BytesIO()
    write_archive(engine, file)
    with zipfile.ZipFile(file) as packed:
        return {name: packed.read(name) for name in packed.namelist() if name != HEAD}
