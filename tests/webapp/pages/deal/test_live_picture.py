"""The frames of a phone's live picture: looked at, never stored, and after everything else."""

from __future__ import annotations

import io
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.webapp.conftest import services_of
from tests.webapp.fakes import EMPTY_PHOTO, white_png
from tests.webapp.security.test_login import LAN
from vision import View
from webapp.database.sessions import writing
from webapp.security.bodies import FRAME
from webapp.security.policy import SCORER, Policy, Rate

ONE = View((64, 48), (((1.0, 2.0), (3.0, 2.0), (3.0, 4.0), (1.0, 4.0)),), "nearer")


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The frames that were looked at; each shows one tile."""
    frames: list[bytes] = []

    def count(frame: bytes) -> View:
        frames.append(frame)
        return ONE

    monkeypatch.setattr("webapp.photos.desk.count_tiles", count)
    return frames


def send(client: FlaskClient, frame: bytes = EMPTY_PHOTO, **more: Any) -> TestResponse:
    data = {"photo": (io.BytesIO(frame), "frame.jpg")}
    return client.post("/camera/look", data=data, **more)


def kept(app: Flask) -> list[tuple[Any, ...]]:
    """Every row of every table."""
    with writing(services_of(app).engine).connect() as connection:
        names = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'")
        return [
            tuple(row)
            for (name,) in names.all()
            for row in connection.exec_driver_sql(f'SELECT * FROM "{name}"')
        ]


def test_the_tiles_of_a_frame_are_told_and_nothing_is_stored(
    app: Flask, client: FlaskClient, seen: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    client.get("/")
    before, woken = kept(app), []
    monkeypatch.setattr(services_of(app).live, "wake", lambda *_: woken.append(1))
    answer = send(client)
    assert answer.status_code == 200
    corners = [[1, 2], [3, 2], [3, 4], [1, 4]]
    assert answer.get_json() == {"size": [64, 48], "tiles": [corners], "advice": "nearer"}
    assert seen == [EMPTY_PHOTO]
    assert kept(app) == before
    assert woken == [], "no phone looks for changes"


def test_photos_that_wait_go_first(app: Flask, client: FlaskClient, seen: list[bytes]) -> None:
    queue = services_of(app).desk.queue
    queue.enter()
    refused = send(client)
    assert refused.status_code == 503
    assert "Other photos" in refused.get_json()["detail"]
    queue.leave()
    assert send(client).status_code == 200
    assert len(seen) == 1


def test_one_frame_is_looked_at_at_a_time(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    meanwhile: list[int] = []

    def count(_frame: bytes) -> View:
        meanwhile.append(send(app.test_client()).status_code)
        return ONE

    monkeypatch.setattr("webapp.photos.desk.count_tiles", count)
    assert send(client).status_code == 200
    assert meanwhile == [503]
    assert send(client).status_code == 200, "and the next one afterwards"


def test_looking_has_a_limit_of_its_own(
    client: FlaskClient, seen: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed = Policy(SCORER, body=FRAME, rate=Rate(2, is_entry=False))
    monkeypatch.setitem(
        client.application.view_functions["cameras.look"].__dict__, "policy", allowed
    )
    monkeypatch.setattr("webapp.security.limits.ENTRIES", 1)
    answers = [send(client, environ_base=LAN).status_code for _ in range(3)]
    assert answers == [200, 200, 429]
    assert client.post("/deals", environ_base=LAN).status_code == 303, "entries go on"
    assert len(seen) == 2


@pytest.mark.parametrize("frame", [b"", b"no picture", white_png(4000, 4000)])
def test_what_is_no_frame_is_refused_in_words(client: FlaskClient, frame: bytes) -> None:
    refused = send(client, frame)
    assert refused.status_code == 422
    assert len(refused.get_json()["detail"]) > 20


def test_a_full_disk_hinders_no_look(
    client: FlaskClient, seen: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.security.disk.nearly_full", lambda _engine: True)
    assert send(client).status_code == 200
    assert len(seen) == 1
