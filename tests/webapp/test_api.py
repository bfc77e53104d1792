"""Reading and scoring for other programs."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest
from flask.testing import FlaskClient

import scorer
from tests.webapp.fakes import DEAL, EMPTY_PHOTO, FakeReader, reading_of


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
        ({"photo": (b"words", "a.jpg")}, 422, "JPEG, PNG and WebP"),
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
    assert_problem(client.get("/api/v1/scores"), 405, "does not take")


def test_health_names_the_versions(client: FlaskClient) -> None:
    answer: Any = client.get("/healthz").json
    assert answer["status"] == "ok"
    assert answer["kongbox"]
    assert isinstance(answer["models"], dict)
