"""The page of a deal that is shared: to be looked at by its link, and by nobody else's."""

from __future__ import annotations

import re

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select
from sqlalchemy.orm import Session

from tests.webapp.conftest import services_of
from tests.webapp.pages.deal.test_pages import demo, edit, start, state_of
from tests.webapp.pages.table.test_games import words
from webapp.database.tables.disputes import ShareRow
from webapp.security.accounts import Accounts
from webapp.security.login import EXTENSION
from webapp.serving import addresses

PASSWORD = "teapot ladder moss"


@pytest.fixture
def sue(app: Flask) -> FlaskClient:
    """A secretary's browser, at a club with accounts."""
    kept: Accounts = app.extensions[EXTENSION]
    kept.add("Sue", "secretary", PASSWORD)
    client = app.test_client()
    client.post("/login", data={"name": "Sue", "password": PASSWORD})
    return client


def shared(client: FlaskClient, deal: str) -> str:
    link = client.post(f"{deal}/share").headers["Location"]
    assert re.fullmatch(r"/shared/[0-9a-f]{32}", link)
    return link


def test_whoever_has_the_link_sees_everything_and_can_change_nothing(
    app: Flask, sue: FlaskClient
) -> None:
    deal = demo(app, sue)
    deal_id = deal.rsplit("/", 1)[1]
    services_of(app).disputes.open(deal_id, "Ann", "Was it concealed?")
    link = shared(sue, deal)
    stranger = app.test_client()
    page = stranger.get(link)
    assert page.status_code == 200
    shown = words(page)
    for told in ("won", "Payments", "Going Mah Jong", "Together", "Was it concealed?"):
        assert told in shown
    assert "<form" not in page.text, "there is nothing to enter"
    assert "data-copy" not in page.text, "the person who was sent the link has it"
    assert deal_id not in page.text, "the address at which it is entered is not told"
    (picture, *_) = re.findall(rf"{link}/tiles/[ESWN]\.jpg", page.text)
    assert stranger.get(picture).mimetype == "image/jpeg"
    assert "Stop sharing it" in words(sue.get(link))


def test_a_link_that_was_ended_leads_nowhere(app: Flask, sue: FlaskClient) -> None:
    deal = demo(app, sue)
    link = shared(sue, deal)
    assert shared(sue, deal) == link, "a deal has one link"
    picture = re.findall(rf"{link}/tiles/[ESWN]\.jpg", sue.get(link).text)[0]
    sue.post(f"{deal}/unshare")
    assert sue.get(link).status_code == 404
    assert sue.get(picture).status_code == 404
    assert shared(sue, deal) != link


def test_ending_a_link_closes_the_deal_to_strangers_at_its_own_address_too(
    app: Flask, sue: FlaskClient
) -> None:
    deal = demo(app, sue)
    pages = [f"{deal}/{page}" for page in ("result", "why/E", "rules")]
    stranger = app.test_client()

    def seen(client: FlaskClient) -> list[int]:
        return [client.get(page).status_code for page in pages]

    shared(sue, deal)
    assert seen(stranger) == [200, 200, 200]
    sue.post(f"{deal}/unshare")
    assert seen(stranger) == [303, 303, 303], "they are asked to log in"
    assert seen(sue) == [200, 200, 200]
    shared(sue, deal)
    assert seen(stranger) == [200, 200, 200]


def test_the_link_to_send_leads_to_this_computer_whatever_a_header_says(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "own_address", lambda _version=4: "192.168.1.7")
    link = shared(client, demo(app, client))
    for host in ("10.6.6.6", "10.6.6.6:6666"):
        page = client.get(link, headers={"Host": host}, environ_overrides={"SERVER_PORT": "8000"})
        assert f'value="http://192.168.1.7:8000{link}"' in page.text
        assert "6666" not in page.text


def test_a_link_shows_of_its_own_photos_the_tiles_and_nothing_beside_them(
    app: Flask, sue: FlaskClient
) -> None:
    deal = demo(app, sue)
    link = shared(sue, deal)
    player = state_of(app, deal).player("E")
    whole = services_of(app).store.picture(str(player.photo))
    assert whole is not None
    photo = services_of(app).store.photo(str(player.photo))
    assert photo is not None
    assert photo.reading is not None
    scale = decoded(whole).shape[1] / photo.reading["width"]
    corners = np.array([tile.quad for tile in player.tiles if tile.quad]).reshape(-1, 2)
    width, height = scale * (corners.max(axis=0) - corners.min(axis=0))
    part = decoded(sue.get(f"{link}/tiles/E.jpg").data)
    assert width < part.shape[1] < decoded(whole).shape[1]
    assert height < part.shape[0] < decoded(whole).shape[0]
    page = sue.get(link).text
    assert str(player.photo) not in page, "the whole photo has no address here"
    assert sue.get(f"{link}/tiles/X.jpg").status_code == 404
    assert sue.get("/shared/0123").status_code == 404
    assert sue.get("/shared/0123/tiles/E.jpg").status_code == 404


def decoded(data: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image, np.uint8)


def test_the_link_is_copied_from_a_card_at_the_top_or_scanned(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "own_address", lambda _version=4: "192.168.1.7")
    link = shared(client, demo(app, client))
    here = client.get(link)
    assert "Only this computer can open this link" in words(here)
    assert "code.svg" not in here.text, "what nobody can open is not scanned"
    network = {"Host": "192.168.1.7"}
    page = client.get(link, headers=network)
    assert page.text.index("data-copy") < page.text.index("Payments")
    assert f'src="{link}/code.svg"' in page.text
    code = client.get(f"{link}/code.svg", headers=network)
    assert code.mimetype == "image/svg+xml"
    assert client.get("/shared/0123/code.svg").status_code == 404


def test_guests_and_strangers_make_no_links(app: Flask, sue: FlaskClient) -> None:
    deal = demo(app, sue)
    stranger = app.test_client()
    assert stranger.post(f"{deal}/share").headers["Location"].startswith("/login")
    with Session(services_of(app).engine) as database:
        assert database.scalars(select(ShareRow)).all() == []
    kept: Accounts = app.extensions[EXTENSION]
    kept.add("Gus", "guest", PASSWORD)
    guest = app.test_client()
    guest.post("/login", data={"name": "Gus", "password": PASSWORD})
    assert guest.post(f"{deal}/share").status_code == 403
    result = words(guest.get(f"{deal}/result"))
    assert "Dispute this hand" not in result
    assert "Share or print" not in result
    link = shared(sue, deal)
    assert "Stop sharing it" not in words(guest.get(link))


def test_what_is_not_scored_is_not_shared(app: Flask, client: FlaskClient) -> None:
    deal = start(client)
    assert client.post(f"{deal}/share").headers["Location"] == f"{deal}/players/E?check=1"
    scored = demo(app, client)
    link = shared(client, scored)
    edit(client, scored, "E", action="clear")
    being_corrected = client.get(link)
    assert being_corrected.status_code == 409
    assert "being corrected at the moment" in words(being_corrected)


def test_whoever_has_the_address_of_a_score_sees_its_explanations_and_no_photos(
    app: Flask, sue: FlaskClient
) -> None:
    deal = demo(app, sue)
    stranger = app.test_client()
    result = words(stranger.get(f"{deal}/result"))
    assert "The same hand under other rules" in result
    assert "Photos, and who corrected what" not in result
    assert stranger.get(f"{deal}/why/S").status_code == 200
    assert stranger.get(f"{deal}/rules").status_code == 200
    assert stranger.get(f"{deal}/tiles").headers["Location"].startswith("/login")
    assert stranger.get(f"{deal}/dispute").headers["Location"].startswith("/login")
