from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.vision.fakes import models_that_see, reader_with
from tests.vision.table import lay
from tests.webapp.conftest import services_of, wait_for_photos
from tests.webapp.fakes import (
    DEAL,
    HEIGHT,
    WIDTH,
    FakeReader,
    layout_of,
    photo_of,
    read_as,
    reading_of,
)
from vision import PhotoRejected
from vision.messages import Message
from vision.multiview.photos import Together, together
from vision.photo.decode import decode_photo
from webapp.deal import edits
from webapp.deal.state import Player, Win, new_deal
from webapp.pages.deal.another_photo import EXTENSION, JoinDesk
from webapp.photos import desk
from webapp.photos.from_reading import tiles_from_reading
from webapp.photos.joined import _picture, join, keep_corrections
from webapp.photos.workers import PhotoRead, SameProcess

NORTH = DEAL["players"][3]
SHIFT = (60, 20)


def token(page: str) -> str:
    return page.partition('name="csrf_token" value="')[2].partition('"')[0]


class Joiner:
    """Reads as told, in a picture that is a little larger than the first photo."""

    def __init__(self, reading: dict[str, Any]) -> None:
        self.reading, self.error = reading, ""
        self.asked: list[tuple[Sequence[bytes], str]] = []

    def __call__(self, photos: Sequence[bytes], tile_set: str = "") -> PhotoRead:
        self.asked.append((photos, tile_set))
        if self.error:
            raise PhotoRejected(Message(self.error))
        tiles = [
            {**tile, "quad": [[x + SHIFT[0], y + SHIFT[1]] for x, y in tile["quad"]]}
            for tile in self.reading["tiles"]
        ]
        facts = {"tiles": tiles, "width": WIDTH + 60, "height": HEIGHT + 20}
        return PhotoRead(read_as(self.reading | facts), b"jpg", SHIFT)


@pytest.fixture
def joiner(app: Flask, reader: FakeReader) -> Joiner:
    made = Joiner(reading_of(NORTH, {}))
    app.extensions[EXTENSION] = JoinDesk(SameProcess(reader), lambda _: "Club set", made)
    return made


@pytest.fixture
def deal_id(app: Flask, client: FlaskClient, reader: FakeReader) -> str:
    """A deal in which North's photo was read, its last two tiles cut off."""
    seen = reading_of({**NORTH, "concealed": NORTH["concealed"][:-2]}, {0: ("9p", "1p")})
    found = services_of(app).store.create(new_deal(("E", "S", "W", "N")))
    page = client.get(f"/deals/{found}/players/N/photo").text
    data = {"photo": (io.BytesIO(reader.learn(seen)), "p.jpg"), "csrf_token": token(page)}
    client.post(f"/deals/{found}/players/N/photo", data=data)
    wait_for_photos(app, found)
    return found


def north(app: Flask, deal_id: str) -> Player:
    deal = services_of(app).store.deal(deal_id)
    assert deal is not None
    return deal.state.player("N")


def add(client: FlaskClient, deal_id: str, data: bytes = b"second") -> TestResponse:
    address = f"/deals/{deal_id}/players/N/another"
    page = client.get(address).text
    fields: dict[str, Any] = {"csrf_token": token(page)}
    if data:
        fields["photo"] = (io.BytesIO(data), "p.jpg")
    return client.post(address, data=fields, follow_redirects=True)


def test_another_photo_brings_the_tiles_that_were_cut_off(
    client: FlaskClient, app: Flask, deal_id: str, joiner: Joiner
) -> None:
    before = north(app, deal_id)
    assert "Add another photo" in client.get(f"/deals/{deal_id}/players/N").text
    page = add(client, deal_id)
    assert page.status_code == 200
    after = north(app, deal_id)
    assert len(after.tiles) == len(before.tiles) + 2
    assert before.photo is not None
    assert joiner.asked == [([services_of(app).store.picture(before.photo), b"second"], "Club set")]
    assert after.photo is not None
    kept = services_of(app).store.photo(after.photo)
    assert kept is not None
    assert kept.name == "2 photos"


@pytest.mark.usefixtures("joiner")
def test_what_was_corrected_stays_corrected(client: FlaskClient, app: Flask, deal_id: str) -> None:
    wrong = next(tile for tile in north(app, deal_id).tiles if tile.label == "9p")
    services_of(app).store.edit(
        deal_id,
        lambda state: edits.with_player(
            state, edits.change_tile(state.player("N"), wrong.id, "8p")
        ),
        "Tile changed",
    )
    add(client, deal_id)
    said = [tile for tile in north(app, deal_id).tiles if tile.checked]
    assert [tile.label for tile in said] == ["8p"]


def test_the_joined_tiles_lie_as_they_were_seen_and_are_decided_with_the_others(
    client: FlaskClient, app: Flask, deal_id: str, joiner: Joiner
) -> None:
    store = services_of(app).store
    store.edit(deal_id, lambda state: replace(state, win=Win(drawn=True)), "Nobody went out")
    west = {**NORTH, "melds": [{"kind": "pung", "tiles": ["9p"] * 3, "concealed": True}]}
    west["concealed"] = NORTH["concealed"][3:]
    reading = reading_of(west, {})
    reading["hands"] = []
    reading["layout"] = [{"position": "near", "parts": layout_of(west)}]
    reading["tiles"][2] |= {
        "label": "8p",
        "confidence": 0.6,
        "alternatives": [["8p", 0.6], ["9p", 0.39]],
    }
    reading["layout"][0]["parts"][0]["meld"] = None
    joiner.reading = reading
    add(client, deal_id)
    (laid,) = north(app, deal_id).melds
    shown = north(app, deal_id).in_place(laid.id)
    assert [tile.label for tile in shown] == ["9p"] * 3
    assert [tile.camera for tile in shown if tile.camera] == ["8p"]
    bonus = north(app, deal_id).in_place("bonus")
    assert [tile.label for tile in bonus] == sorted(NORTH["bonus"])


def test_photos_of_other_tiles_change_nothing(
    client: FlaskClient, app: Flask, deal_id: str, joiner: Joiner
) -> None:
    before = north(app, deal_id)
    joiner.error = "Photo 2 of 2 does not seem to show the same tiles."
    page = add(client, deal_id)
    assert page.status_code == 422
    assert joiner.error in page.text
    assert north(app, deal_id) == before


def test_a_form_without_a_photo_is_told(client: FlaskClient, deal_id: str, joiner: Joiner) -> None:
    page = add(client, deal_id, b"")
    assert page.status_code == 400
    assert "No photo was chosen" in page.text
    assert joiner.asked == []


def test_tiles_that_were_tapped_in_have_no_photo_to_add_to(
    client: FlaskClient, deal_id: str
) -> None:
    assert client.get(f"/deals/{deal_id}/players/E/another").status_code == 404
    assert "Add another photo" not in client.get(f"/deals/{deal_id}/players/E").text


@pytest.mark.usefixtures("joiner")
def test_too_many_at_a_time_are_asked_to_wait(
    client: FlaskClient, deal_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "MAX_QUEUE", 0)
    page = add(client, deal_id)
    assert page.status_code == 503
    assert page.headers["Retry-After"] == "5"


def test_a_correction_moves_a_tile_to_or_from_the_bonus_tiles() -> None:
    quad = ((0.0, 0.0), (60.0, 0.0), (60.0, 80.0), (0.0, 80.0))
    tile = edits.add_tiles(Player("N"), ["1m"], "hand").tiles[0]
    before = Player("N", tiles=(replace(tile, label="1f", place="bonus", quad=quad),))
    moved = tuple((2 * x + 10, 2 * y + 5) for x, y in quad)
    read = replace(tile, checked=False, quad=moved)
    far = replace(read, id="t2", quad=tuple((x + 300, y) for x, y in moved))
    after = keep_corrections(before, Player("N", tiles=(read, far)), 2.0, (10, 5))
    assert [(t.label, t.place, t.checked) for t in after.tiles] == [
        ("1f", "bonus", True),
        ("1m", "hand", False),
    ]


def test_photos_are_joined_into_one_picture() -> None:
    photo = photo_of(reading_of(NORTH, {}))
    image = decode_photo(photo)
    left, right = image[:, :900], image[:, 300:]
    view = np.array([[1.0, 0, 300], [0, 1, 0], [0, 0, 1]])
    picture = decode_photo(_picture([left, right], [np.eye(3), view], (0, 0), (WIDTH, HEIGHT)))
    assert picture.shape == image.shape
    assert np.abs(picture.astype(int) - image).mean() < 4


def test_what_was_joined_says_how_the_tiles_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    laid = lay("777z | 2f", "123m 456p 789s 1z")
    models = models_that_see(laid.quads, laid.labels)

    def read(photos: Sequence[bytes], _profile: object) -> Together:
        return together(reader_with(*models), photos)

    monkeypatch.setattr("vision.read_together", read)
    photo = photo_of({"tiles": []})
    read_again = tiles_from_reading(Player("N"), join([photo, photo]).reading, "p")
    assert [tile.label for tile in read_again.in_place("s1")] == ["7z"] * 3
    assert [tile.label for tile in read_again.in_place("bonus")] == ["2f"]
    assert len(read_again.in_place("hand")) == 10


def test_photos_of_nothing_cannot_be_joined() -> None:
    noise = photo_of({"tiles": []})
    with pytest.raises(ValueError, match="Photo 1 of 2"):
        join([noise, noise])
