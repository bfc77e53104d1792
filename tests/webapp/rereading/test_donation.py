"""Photos that a club gives away: only if it has agreed, and without a word of who it is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from zipfile import ZipFile

from click.testing import CliRunner, Result
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy.orm import Session

from datasets.sets.coco import load_photos
from tests.webapp.conftest import services_of
from tests.webapp.fakes import FakeReader
from tests.webapp.rereading.archive import keep
from webapp.cli.main import main
from webapp.database.tables.deals import PhotoRow


def donate(app: Flask, file: Path) -> Result:
    url = services_of(app).engine.url.render_as_string(hide_password=False)
    return CliRunner().invoke(main, ["photos", "donate", str(file), "--db", url])


def test_photos_are_given_without_names_once_the_club_agrees(
    app: Flask, client: FlaskClient, reader: FakeReader, tmp_path: Path
) -> None:
    store, file = services_of(app).store, tmp_path / "gift.zip"
    deal, photo = keep(store, reader, {3: ("7s", "6p")}, {}, {"7s": "6p"})
    with Session(services_of(app).engine) as session, session.begin():
        row = session.get_one(PhotoRow, photo)
        picture, metadata = row.picture or b"", b"Exif\0\0Ann's phone"
        length = (len(metadata) + 2).to_bytes(2, "big")
        row.picture = picture[:2] + b"\xff\xe1" + length + metadata + picture[2:]
    refused = donate(app, file)
    assert refused.exit_code == 1
    assert "“Our club”" in refused.output
    client.post("/club/settings/photo_giving", data={"given": "yes"})
    assert "Yes, without names" in client.get("/club/settings").get_data(as_text=True)
    given = donate(app, file)
    assert given.exit_code == 0, given.output
    assert donate(app, file).exit_code == 1, "an older file is not written over"
    with ZipFile(file) as packed:
        packed.extractall(tmp_path / "gift")
        assert {info.date_time[0] for info in packed.infolist()} == {1980}
        everything = b"".join(packed.read(name) for name in packed.namelist())
        told = json.loads(
            packed.read(next(n for n in packed.namelist() if "/" in n and "json" in n))
        )
    for word in ("Ann", "IMG_1", deal, photo, "Exif"):
        assert word.encode() not in everything
    right = next(tile for tile in told["tiles"] if tile["read"] == "7s")
    assert (right["label"], right["checked"]) == ("6p", True)
    (loaded,) = load_photos(tmp_path / "gift" / "photos.coco.json")
    assert len(loaded.labels) == 14
    assert loaded.labels.count("6p") == 1
    assert loaded.load_image().shape == (700, 1200, 3)
    assert loaded.quads.max() < 1200


def test_what_a_club_has_agreed_to_can_be_withdrawn(
    app: Flask, client: FlaskClient, reader: FakeReader, tmp_path: Path
) -> None:
    keep(services_of(app).store, reader, {}, {})
    client.post("/club/settings/photo_giving", data={"given": "yes"})
    page = client.get("/club/settings").get_data(as_text=True)
    (number,) = re.findall(r"/club/settings/back/(\d+)", page)
    client.post(f"/club/settings/back/{number}")
    assert donate(app, tmp_path / "gift.zip").exit_code == 1
    assert not (tmp_path / "gift.zip").exists()


def test_one_photo_can_be_left_out(
    app: Flask, client: FlaskClient, reader: FakeReader, tmp_path: Path
) -> None:
    store = services_of(app).store
    deal, photo = keep(store, reader, {}, {})
    keep(store, reader, {}, {})
    tiles = f"/deals/{deal}/players/W"
    assert "Leave this photo out" not in client.get(tiles).get_data(as_text=True)
    client.post("/club/settings/photo_giving", data={"given": "yes"})
    assert "Leave this photo out" in client.get(tiles).get_data(as_text=True)
    said = {"seat": "W", "stays": "yes"}
    client.post(f"/deals/{deal}/photos/{photo}/giving", data=said)
    page = client.get(tiles).get_data(as_text=True)
    assert "This photo stays with the club." in page
    assert ": 1 photos" in donate(app, tmp_path / "one.zip").output
    client.post(f"/deals/{deal}/photos/{photo}/giving", data={**said, "stays": "no"})
    assert ": 2 photos" in donate(app, tmp_path / "two.zip").output
