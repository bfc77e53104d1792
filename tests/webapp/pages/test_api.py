"""Reading and scoring for other programs."""

from __future__ import annotations

import html
import json
import re
import zlib
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event, text

import scorer
from tests.webapp.conftest import services_of
from tests.webapp.fakes import DEAL, EMPTY_PHOTO, FakeReader, reading_of
from webapp.database.sessions import writing


def assert_problem(response: Any, status: int, words: str) -> None:
    assert response.status_code == status
    assert response.mimetype == "application/problem+json"
    assert response.json["status"] == status
    assert words in response.json["detail"]


def test_a_photo_is_read(client: FlaskClient, reader: FakeReader) -> None:
    reading = reading_of(DEAL["players"][0], {})
    photo = (BytesIO(reader.learn(reading)), "east.jpg")
    response: Any = client.post("/api/v1/readings", data={"photo": photo})
    assert response.json == {"photo": "east.jpg", **reading}


@pytest.mark.parametrize(
    ("form", "status", "words"),
    [
        ({}, 400, "multipart form field"),
        ({"photo": (b"", "a.jpg")}, 400, "multipart form field"),
        ({"photo": (b"words", "a.jpg")}, 422, "JPEG, PNG, WebP and AVIF"),
        ({"photo": (EMPTY_PHOTO, "a.jpg")}, 422, "No tiles"),
    ],
)
def test_photos_that_cannot_be_read(
    client: FlaskClient, form: dict[str, tuple[bytes, str]], status: int, words: str
) -> None:
    files = {key: (BytesIO(data), name) for key, (data, name) in form.items()}
    assert_problem(client.post("/api/v1/readings", data=files), status, words)


def test_a_deal_is_scored(client: FlaskClient) -> None:
    response: Any = client.post("/api/v1/scores", json=DEAL)
    assert response.json == scorer.score_deal(scorer.parse_deal(DEAL)).to_json()


def test_a_deal_that_cannot_be_names_the_player_and_the_field(client: FlaskClient) -> None:
    deal = json.loads(json.dumps(DEAL))
    deal["players"][3]["concealed"].pop()
    response: Any = client.post("/api/v1/scores", json=deal)
    assert_problem(response, 422, "12")
    assert (response.json["player"], response.json["field"]) == ("N", "concealed")
    assert "player N, concealed: 12 tiles" in response.json["detail"]


def test_all_faults_of_a_deal_are_listed(client: FlaskClient) -> None:
    deal = json.loads(json.dumps(DEAL))
    deal["players"][3]["concealed"].pop()
    deal["dealer"] = "S"
    response: Any = client.post("/api/v1/scores", json=deal)
    assert_problem(response, 422, "must be E")
    told = [(each["player"], each["field"], each["code"]) for each in response.json["errors"]]
    assert told == [
        (None, "dealer", "dealer_not_east"),
        ("N", "concealed", "wrong_tile_count"),
    ]
    assert response.json["errors"][1]["values"] == {"count": 12, "wanted": 13}
    unread: Any = client.post("/api/v1/scores", data=b"{", content_type="application/json")
    assert [each["code"] for each in unread.json["errors"]] == ["not_json"]


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{}", "text/plain", 415),
        (b"{", "application/json", 400),
        (b"", "application/json", 400),
        (b"\xff", "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b'{"win": null, "win": null}', "application/json", 400),
        (b'{"ruleset": NaN}', "application/json", 400),
        (b"[]", "application/json", 400),
        (b"{}", "application/json", 422),
    ],
)
def test_bodies_that_are_no_deal(client: FlaskClient, body: bytes, kind: str, status: int) -> None:
    response: Any = client.post("/api/v1/scores", data=body, content_type=kind)
    assert_problem(response, status, "")
    assert response.json["detail"]


def test_other_errors_have_the_same_shape(client: FlaskClient) -> None:
    assert_problem(client.get("/api/v1/nothing"), 404, "no such page")
    assert_problem(client.get("/api/v1/scores"), 405, "does not accept")


def test_health_names_the_versions(client: FlaskClient) -> None:
    answer: Any = client.get("/healthz").json
    assert answer["status"] == "ok"
    assert answer["kongbox"]
    assert isinstance(answer["models"], dict)


def test_ready_means_that_entries_are_kept_and_photos_read(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get("/readyz").get_json() == {"status": "ready"}
    monkeypatch.setattr("webapp.security.disk.LEAST_FREE_BYTES", 1 << 62)
    full = client.get("/readyz")
    assert full.status_code == 503
    assert "free on the disk" in full.get_json()["detail"]
    monkeypatch.setattr("webapp.security.disk.LEAST_FREE_BYTES", 1)
    engine = services_of(app).engine
    event.listen(engine, "connect", lambda raw, _: raw.execute("PRAGMA busy_timeout=1"))
    engine.dispose()
    with writing(engine).begin() as held:
        held.execute(text("SELECT 1"))
        assert "cannot be written" in client.get("/readyz").get_json()["detail"]


PACKED = {"Accept-Encoding": "gzip, deflate"}
"""What browsers ask for where the connection is not encrypted."""


@pytest.mark.parametrize("path", ["/", "/tables/demo"])
def test_a_page_and_all_that_it_needs_is_light(client: FlaskClient, path: str) -> None:
    page = client.get(path) if path == "/" else client.post(path, follow_redirects=True)
    needed = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text))
    assert len(needed) > 5
    weight = len(page.data)
    for file in needed:
        with client.get(html.unescape(file), headers=PACKED) as answer:
            weight += len(answer.data)
    assert weight < 100_000


def test_files_are_sent_compressed_but_pages_with_secrets_are_not(client: FlaskClient) -> None:
    with client.get("/static/kongbox.css", headers=PACKED) as style:
        assert style.headers["Content-Encoding"] == "gzip"
        packed = style.data
    with client.get("/static/kongbox.css") as style:
        assert zlib.decompress(packed, wbits=31) == style.data
    assert "Content-Encoding" not in client.get("/", headers=PACKED).headers
