"""The sample photos on the page where a player's tiles are photographed."""

from __future__ import annotations

from flask.testing import FlaskClient

from tests.webapp.pages.table.test_games import open_table
from vision.photo.decode import decode_photo
from webapp.photos.samples import PREVIEW_SIDE


def test_sample_photos_are_small_pictures_and_stand_at_no_table(client: FlaskClient) -> None:
    deal = client.post("/deals").headers["Location"]
    assert 'src="/samples/1.jpg"' in client.get(f"{deal}/players/W/photo").text
    preview = decode_photo(client.get("/samples/1.jpg").data)
    assert max(preview.shape) == PREVIEW_SIDE
    table = open_table(client)
    played = client.post(f"{table}/next").headers["Location"]
    assert "/samples/" not in client.get(f"{played}/players/W/photo").text
