"""A disk that is nearly full: photos and files are refused, what is entered is kept."""

from __future__ import annotations

from io import BytesIO

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.conftest import services_of, wait_for_photos
from tests.webapp.fakes import DEAL, FakeReader, reading_of
from tests.webapp.pages.table.test_games import game_of, open_table, words


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.security.disk.LEAST_FREE_BYTES", 1 << 62)


@pytest.fixture
def photo(reader: FakeReader) -> bytes:
    return reader.learn(reading_of(DEAL["players"][0], {}))


@pytest.mark.usefixtures("full")
@pytest.mark.parametrize(("path", "field"), [
    ("/players/E/photo", "photo"), ("/players/E/sample", None), ("/players/E/another", "photo"),
    ("/table-photo", "photo"), ("/table-photo/each", "photos"), ("/players/E/camera", None),
])  # fmt: skip
def test_no_photo_is_taken_in(
    app: Flask, client: FlaskClient, photo: bytes, path: str, field: str | None
) -> None:
    deal = client.post("/deals").headers["Location"]
    before = words(client.get(deal))
    form = {field: (BytesIO(photo), "p.jpg")} if field else {"number": "0"}
    refused = client.post(deal + path, data=form, content_type="multipart/form-data")
    assert refused.status_code == 507
    assert "nearly full" in refused.text
    assert "Nothing is lost" in refused.text
    assert services_of(app).store.latest_photos(deal.rsplit("/", 1)[1]) == {}
    assert words(client.get(deal)) == before


@pytest.mark.usefixtures("full")
@pytest.mark.parametrize("path", ["/sets", "/sets/file", "/house-rules", "/demo"])
def test_no_file_is_taken_in(client: FlaskClient, path: str) -> None:
    sent = client.post(path, data={"file": (BytesIO(b"x"), "x")})
    assert sent.status_code == 507


@pytest.mark.usefixtures("full")
@pytest.mark.parametrize("path", ["/api/v1/readings", "/api/v1/camera"])
def test_programs_are_told_in_their_own_form(client: FlaskClient, photo: bytes, path: str) -> None:
    refused = client.post(path, data={"camera": "c", "photo": (BytesIO(photo), "p.jpg")})
    assert refused.status_code == 507
    assert refused.mimetype == "application/problem+json"
    assert "nearly full" in (refused.get_json() or {})["detail"]


def test_entries_go_on_and_photos_follow_once_there_is_room(
    app: Flask, client: FlaskClient, photo: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.security.disk.LEAST_FREE_BYTES", 1 << 62)
    table = open_table(client)
    assert client.post(f"{table}/drawn").status_code == 303
    assert len(game_of(app, table).game.hands) == 1
    deal = client.post(f"{table}/next").headers["Location"]
    assert "nearly full" not in words(client.get(deal))
    monkeypatch.setattr("webapp.security.disk.LEAST_FREE_BYTES", 1)
    sent = client.post(f"{deal}/players/E/photo", data={"photo": (BytesIO(photo), "p.jpg")})
    assert sent.status_code == 303
    wait_for_photos(app, deal.rsplit("/", 1)[1])
    assert services_of(app).store.latest_photos(deal.rsplit("/", 1)[1])["E"].stage == "done"
