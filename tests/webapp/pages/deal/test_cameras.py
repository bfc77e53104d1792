from __future__ import annotations

import copy
import io
import json
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.webapp.conftest import services_of
from tests.webapp.fakes import DEAL, layout_of, photo_of, read_as, reading_of
from webapp.deal.state import Win, new_deal
from webapp.pages.deal.cameras import EXTENSION, MAX_CAMERAS, SILENT_S, CameraDesk
from webapp.security.accounts import Accounts
from webapp.security.login import EXTENSION as ACCOUNTS

SOUTH = DEAL["players"][1]
READING: dict[str, Any] = read_as(reading_of(SOUTH, {})).to_json("camera 0")
PICTURE = photo_of(READING)


def tiles_that_lie(player: dict[str, Any]) -> dict[str, Any]:
    """What a camera sends of a player's tiles, with how they lie."""
    reading = read_as(reading_of(player, {})).to_json("camera 0")
    return reading | {"layout": [{"position": "near", "parts": layout_of(player)}]}


@pytest.fixture
def deal_id(app: Flask) -> str:
    return services_of(app).store.create(new_deal(("E", "S", "W", "N")))


def send(
    client: FlaskClient,
    state: str = "settled",
    reading: Any = None,
    picture: bytes | None = None,
    **fields: str,
) -> TestResponse:
    facts: dict[str, Any] = {"state": state}
    if reading is not None:
        facts["reading"] = reading
    data: dict[str, Any] = {"camera": "camera 0", "facts": json.dumps(facts), **fields}
    if picture is not None:
        data["photo"] = (io.BytesIO(picture), "camera.jpg")
    return client.post("/api/v1/camera", data=data)


def changed(**values: Any) -> dict[str, Any]:
    return {**READING, **values}


def photo_page(client: FlaskClient, deal_id: str, seat: str = "S") -> str:
    return client.get(f"/deals/{deal_id}/players/{seat}/photo").text


def offers_of(app: Flask) -> CameraDesk:
    found: CameraDesk = app.extensions[EXTENSION]
    return found


def take(client: FlaskClient, deal_id: str, offer: str) -> TestResponse:
    page = client.get(f"/deals/{deal_id}/players/S/camera").text
    token = page.partition('name="csrf_token" value="')[2].partition('"')[0]
    return client.post(
        f"/deals/{deal_id}/players/S/camera",
        data={"offer": offer, "csrf_token": token},
        follow_redirects=True,
    )


def test_without_a_camera_the_photo_page_says_nothing_of_one(
    client: FlaskClient, deal_id: str
) -> None:
    assert "camera above" not in photo_page(client, deal_id)


def test_what_a_camera_sees_is_offered_to_every_player(
    client: FlaskClient, app: Flask, deal_id: str
) -> None:
    assert send(client, reading=READING, picture=PICTURE).json == {"known": True}
    (offer,) = offers_of(app).offers()
    for seat in "ESWN":
        page = photo_page(client, deal_id, seat)
        assert f"{len(READING['tiles'])} tiles in view, lying still" in page
        assert f"/cameras/{offer.id}.jpg" in page
    shown = client.get(f"/cameras/{offer.id}.jpg")
    assert shown.data == PICTURE
    assert shown.mimetype == "image/jpeg"


def test_the_tiles_are_taken_over_as_they_were_shown(
    client: FlaskClient, app: Flask, deal_id: str
) -> None:
    send(client, reading=READING, picture=PICTURE)
    (offer,) = offers_of(app).offers()
    page = take(client, deal_id, offer.id)
    assert page.status_code == 200
    store = services_of(app).store
    deal = store.deal(deal_id)
    assert deal is not None
    player = deal.state.player("S")
    assert sorted(t.label for t in player.tiles if t.label != "back") == sorted(
        [*SOUTH["concealed"], *SOUTH["bonus"], *(t for m in SOUTH["melds"] for t in m["tiles"])]
    )
    assert sum(s.concealed for s in player.melds) == 1
    assert player.photo is not None
    assert store.picture(player.photo) == PICTURE
    kept = store.photo(player.photo)
    assert kept is not None
    assert (kept.name, kept.stage) == ("camera 0", "done")


WHOLE = tiles_that_lie(SOUTH)


def test_the_hand_lies_as_the_camera_saw_it_and_is_decided_with_the_others(
    client: FlaskClient, app: Flask, deal_id: str
) -> None:
    misread = copy.deepcopy(WHOLE)
    tile = misread["tiles"][misread["layout"][0]["parts"][-1]["tiles"][0]]
    assert tile["label"] == "6s"
    tile |= {"label": "5s", "confidence": 0.6, "alternatives": [["5s", 0.6], ["6s", 0.39]]}
    misread["hands"] = []
    services_of(app).store.edit(
        deal_id, lambda state: replace(state, win=Win(seat="S")), "South went out"
    )
    send(client, reading=misread, picture=PICTURE)
    (offer,) = offers_of(app).offers()
    take(client, deal_id, offer.id)
    deal = services_of(app).store.deal(deal_id)
    assert deal is not None
    player = deal.state.player("S")
    sets = [sorted(t.label for t in player.in_place(s.id)) for s in player.melds]
    assert sets == [meld["tiles"] for meld in SOUTH["melds"]]
    assert [s.concealed for s in player.melds] == [False, False, True]
    assert [t.label for t in player.in_place("bonus")] == SOUTH["bonus"]
    (repaired,) = [t for t in player.tiles if t.camera]
    assert (repaired.camera, repaired.label) == ("5s", "6s")


def test_the_only_hand_of_fourteen_that_a_camera_saw_is_the_winners(
    client: FlaskClient, app: Flask, deal_id: str
) -> None:
    for player in (*DEAL["players"][:1], *DEAL["players"][2:], SOUTH):
        reading = tiles_that_lie(player)
        sent = send(
            client, reading=reading, picture=photo_of(reading), deal=deal_id, seat=player["seat"]
        )
        assert sent.json == {"laid": True}
    deal = services_of(app).store.deal(deal_id)
    assert deal is not None
    assert deal.state.win.seat == "S"


def lying(**values: Any) -> dict[str, Any]:
    """The reading with one part of its layout changed."""
    changed = copy.deepcopy(WHOLE)
    changed["layout"][0]["parts"][0] |= values
    return changed


@pytest.mark.parametrize(
    ("reading", "words"),
    [
        (lying(tiles=[0, 0, 1]), "one place at most"),
        (lying(tiles=[0, 1, 319]), "one place at most"),
        (lying(tiles=[0, 1, -1]), "greater than or equal to 0"),
        (lying(tiles=[]), "at least 1 item"),
        (lying(role="wall"), "role"),
        (lying(meld={"kind": "pung", "tiles": ["9p"] * 3, "concealed": False}), "does not hold"),
        (lying(meld={"kind": "kong", "tiles": ["1s"] * 4, "concealed": False}), "does not hold"),
        (WHOLE | {"layout": [{"position": "above", "parts": []}]}, "position"),
        (WHOLE | {"layout": [{"position": "near", "parts": []}] * 2}, "the same side"),
    ],
)
def test_tiles_that_cannot_lie_so_are_refused_in_words(
    client: FlaskClient, reading: dict[str, Any], words: str
) -> None:
    answer = send(client, reading=reading, picture=PICTURE)
    assert answer.status_code == 422
    assert answer.json is not None
    assert words in answer.json["detail"]


def test_tiles_that_moved_meanwhile_are_not_taken(
    client: FlaskClient, app: Flask, deal_id: str
) -> None:
    send(client, reading=READING, picture=PICTURE)
    (offer,) = offers_of(app).offers()
    send(client, "moving")
    page = take(client, deal_id, offer.id)
    assert "have moved since then" in page.text
    deal = services_of(app).store.deal(deal_id)
    assert deal is not None
    assert not deal.state.player("S").tiles


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("moving", "Something is moving"),
        ("empty", "sees no tiles"),
        ("reading", "Reading the tiles"),
    ],
)
def test_the_page_says_what_it_waits_for(
    client: FlaskClient, deal_id: str, state: str, words: str
) -> None:
    send(client, state)
    page = photo_page(client, deal_id)
    assert words in page
    assert "Use these tiles" not in page


def test_the_page_is_changed_only_when_the_camera_sees_something_else(
    client: FlaskClient, app: Flask, deal_id: str
) -> None:
    send(client, reading=READING, picture=PICTURE)
    (offer,) = offers_of(app).offers()
    address = f"/deals/{deal_id}/players/S/camera?seen={offer.id}"
    assert f"seen={offer.id}" in photo_page(client, deal_id)
    assert client.get(address).status_code == 204
    send(client, "moving")
    changed = client.get(address)
    assert changed.status_code == 200
    assert "Something is moving" in changed.text


def test_a_sign_of_life_keeps_an_offer(client: FlaskClient, app: Flask) -> None:
    now = [100.0]
    desk = app.extensions[EXTENSION] = CameraDesk(lambda: now[0])
    assert send(client, "alive").json == {"known": False}
    send(client, reading=READING, picture=PICTURE)
    (offer,) = desk.offers()
    now[0] += SILENT_S - 1
    assert send(client, "alive").json == {"known": True}
    now[0] += SILENT_S - 1
    assert [o.id for o in desk.offers()] == [offer.id]
    now[0] += 2
    assert desk.offers() == []
    assert send(client, "alive").json == {"known": False}


def test_only_so_many_cameras_are_remembered() -> None:
    now = [0.0]
    desk = CameraDesk(lambda: now[0])
    for number in range(MAX_CAMERAS + 2):
        now[0] += 0.1
        desk.hear(f"camera {number:02}", "empty")
    names = [offer.camera for offer in desk.offers()]
    assert names == [f"camera {number:02}" for number in range(2, MAX_CAMERAS + 2)]


def small() -> bytes:
    return cv2.imencode(".jpg", np.zeros((64, 64, 3), np.uint8))[1].tobytes()


def png() -> bytes:
    return cv2.imencode(".png", np.zeros((700, 1200, 3), np.uint8))[1].tobytes()


BAD_TILE = READING["tiles"][0]


@pytest.mark.parametrize(
    ("state", "reading", "picture", "words"),
    [
        ("settled", None, None, "comes with the state"),
        ("moving", READING, PICTURE, "comes with the state"),
        ("asleep", None, None, "state"),
        ("settled", READING, None, "comes with the picture"),
        ("settled", READING, b"no picture", "picture cannot be used"),
        ("settled", READING, small(), "of the size that its reading says"),
        ("settled", READING, png(), "must be a JPEG"),
        ("settled", changed(tiles=[]), PICTURE, "reading.tiles"),
        ("settled", changed(width=0), PICTURE, "reading.width"),
        ("settled", changed(tiles=[{**BAD_TILE, "label": "0m"}]), PICTURE, "no tile '0m'"),
        ("settled", changed(tiles=[{**BAD_TILE, "confidence": 2}]), PICTURE, "confidence"),
        ("settled", changed(tiles=[{**BAD_TILE, "quad": [[0, 0]]}]), PICTURE, "quad"),
        ("settled", changed(tiles=[BAD_TILE] * 321), PICTURE, "reading.tiles"),
        ("settled", {"tiles": 7}, PICTURE, "reading"),
    ],
)
def test_what_is_no_reading_is_refused_in_words(
    client: FlaskClient, app: Flask, state: str, reading: Any, picture: bytes | None, words: str
) -> None:
    answer = send(client, state, reading, picture)
    assert answer.status_code == 422
    assert answer.mimetype == "application/problem+json"
    assert answer.json is not None
    assert words in answer.json["detail"]
    assert offers_of(app).offers() == []


@pytest.mark.parametrize("facts", ["", "{", "[]", '"settled"', "null"])
def test_facts_that_are_no_json_object_are_refused(client: FlaskClient, facts: str) -> None:
    answer = client.post("/api/v1/camera", data={"camera": "x", "facts": facts})
    assert answer.status_code == 422


def test_a_camera_has_a_name(client: FlaskClient) -> None:
    answer = client.post("/api/v1/camera", data={"camera": " ", "facts": "{}"})
    assert answer.status_code == 400


def test_a_reading_goes_to_a_seat_that_is_taken(client: FlaskClient, deal_id: str) -> None:
    nobody = send(client, reading=READING, picture=PICTURE, deal="f" * 32, seat="S")
    assert nobody.status_code == 404
    missing = send(client, reading=READING, picture=PICTURE, deal=deal_id, seat="X")
    assert missing.status_code == 422
    laid = send(client, reading=READING, picture=PICTURE, deal=deal_id, seat="S")
    assert laid.json == {"laid": True}
    assert send(client, "empty", deal=deal_id, seat="S").json == {"laid": False}


def test_where_there_are_accounts_a_camera_logs_in(client: FlaskClient, app: Flask) -> None:
    accounts: Accounts = app.extensions[ACCOUNTS]
    accounts.add("Sue", "secretary", "a long password")
    accounts.add("Gus", "guest", "another password")
    assert send(client, "empty").status_code == 401
    data = {"camera": "camera 0", "facts": '{"state": "empty"}'}
    guest = client.post("/api/v1/camera", data=data, auth=("Gus", "another password"))
    assert guest.status_code == 403
    let_in = client.post("/api/v1/camera", data=data, auth=("Sue", "a long password"))
    assert let_in.json == {"known": True}


def test_a_picture_that_is_gone_is_told(client: FlaskClient) -> None:
    assert client.get(f"/cameras/{'0' * 32}.jpg").status_code == 404
