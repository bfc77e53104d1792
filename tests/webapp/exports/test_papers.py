"""The draw, the cards of the tables and certificates on paper."""

from __future__ import annotations

import re
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from reportlab import rl_config
from reportlab.platypus import Flowable

from tests.webapp.exports.test_sheets import heights
from tests.webapp.pages.evening.test_draws import an_evening, drawn, kept
from tests.webapp.pages.table.test_games import game_of, open_table, totals, words
from webapp.draw import drawing
from webapp.exports.card_pdf import qr_code
from webapp.exports.typeset import said


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rl_config, "pageCompression", 0)
    monkeypatch.setattr(drawing, "STEPS", 500)


def sheets(data: bytes) -> int:
    """The number of pages of a PDF."""
    return len(re.findall(rb"/Type /Page\b", data))


def test_the_draw_is_printed_on_one_page(client: FlaskClient) -> None:
    evening = an_evening(client)
    assert client.get(f"{evening}/draw.pdf").status_code == 404, "nothing is drawn yet"
    drawn(client, evening, rounds="1")
    one = client.get(f"{evening}/draw.pdf")
    assert one.mimetype == "application/pdf"
    assert max(heights(one.data)) == pytest.approx(24)
    drawn(client, evening, rounds="12")
    many = client.get(f"{evening}/draw.pdf")
    assert sheets(one.data) == sheets(many.data) == 1
    assert max(heights(many.data)) < 24


def test_a_later_draw_is_printed_under_the_numbers_of_its_rounds(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed: list[str] = []

    def saying(text: str, *more: Any) -> Flowable:
        printed.append(text)
        return said(text, *more)

    monkeypatch.setattr("webapp.exports.draw_pdf.said", saying)
    evening = an_evening(client)
    page = drawn(client, evening, rounds="1")
    client.post(f"{evening}/draw", data={"kept": kept(page), "open": "0"})
    drawn(client, evening, rounds="1")
    assert client.get(f"{evening}/draw.pdf").status_code == 200
    assert "Round 2" in printed
    assert "Round 1" not in printed


def test_each_table_has_a_card_and_two_fit_a_page(app: Flask, client: FlaskClient) -> None:
    evening = game_of(app, open_table(client)).evening_id
    cards = client.get(f"/evenings/{evening}/cards.pdf?tables=5").data
    assert sheets(cards) == 3
    assert sheets(client.get(f"/evenings/{evening}/cards.pdf?tables=x").data) == 1


def test_phones_read_the_square_of_a_card() -> None:
    address = "https://kongbox.local:8000/at/12"
    code: Any = qr_code(address, 200).contents[0]
    code.draw()
    modules = np.array(code.qr.modules, dtype=np.uint8)
    picture = np.pad(255 - 255 * modules, 4, constant_values=255).repeat(6, 0).repeat(6, 1)
    told, _, _ = cv2.QRCodeDetector().detectAndDecode(picture)
    assert told == address


def test_a_card_leads_to_the_game_that_is_played_at_its_table(client: FlaskClient) -> None:
    first = client.get("/at/1")
    assert first.headers["Location"].endswith("/tables/new?at_table=1")
    table = open_table(client)
    assert client.get("/at/1").headers["Location"].endswith(table)
    page = words(client.get("/at/7", follow_redirects=True))
    assert "There is no game at table 7 yet." in page
    assert re.search(r'name="at_table"[^>]* value="7"', client.get("/tables/new?at_table=7").text)


def test_the_first_three_and_the_biggest_hand_are_honoured(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    evening = game_of(app, table).evening_id
    assert client.get("/board/certificates.pdf").status_code == 404
    totals(client, table, 1, "S", 20, 128, 8, 16)
    assert sheets(client.get("/board/certificates.pdf").data) == 3
    assert sheets(client.get(f"/evenings/{evening}/certificates.pdf").data) == 4
