"""From four photos to the payments in a browser, as the tap benchmark does it with more deals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask
from sqlalchemy import event

from benchmarks.page.played import Played, won_deals
from benchmarks.page.tapping import Person
from benchmarks.page.taps import AIM
from datasets.photographs.benchmark import TrueHand
from scorer.tiles import BACK
from tests.webapp.browser.browser import Page
from tests.webapp.conftest import services_of
from tests.webapp.fakes import FakeReader, reading_of
from tests.webapp.pages.deal.test_whole_table import table_reading

pytestmark = pytest.mark.browser

EMPTY_TABLE: bytes = cv2.imencode(".jpg", np.full((600, 900, 3), 110, np.uint8))[1].tobytes()


def as_read(hand: TrueHand, misread: dict[int, tuple[str, str]]) -> dict[str, object]:
    player = {
        "concealed": list(hand.concealed),
        "melds": [
            {"kind": m.kind, "tiles": list(m.tiles), "concealed": m.concealed} for m in hand.melds
        ],
        "bonus": list(hand.bonus),
    }
    return reading_of(player, misread)


def played() -> Played:
    """A deal whose fourth hand can have its last tile misread."""
    return next(deal for deal in won_deals() if all(h.concealed for h in deal.hands.values()))


def photograph_the_table(page: Page, reader: FakeReader, photo: Path) -> None:
    """One photo, one tap for East, one for the doubtful tile; every page fits everybody."""
    photo.write_bytes(reader.learn(table_reading(doubtful=True)))
    page.open("/")
    page.tap("Score a deal")
    page.tap("Photos of all players")
    page.assert_accessible()
    page.assert_large_targets()
    page.all("input[name='photo']")[1].send_keys(str(photo))
    page.wait("//h1[contains(., 'Who is East')]")
    page.assert_accessible()
    page.assert_large_targets()
    page.tap("In front")
    page.wait("//h2[contains(., 'Please check these')]")
    page.assert_accessible()
    page.assert_large_targets()
    page.press(page.wait("//button[@name='label' and @value='5p']"))
    assert "Please check these" not in page.text()


def test_a_hand_of_which_no_photo_can_be_read_is_tapped_in(
    page: Page, app: Flask, reader: FakeReader, tmp_path: Path
) -> None:
    deal = played()
    unread = next(s for s in "ESWN" if s != deal.winner and len(deal.hands[s].melds) > 0)
    photos = []
    for seat in "ESWN":
        photos.append(tmp_path / f"{seat}.jpg")
        read = reader.learn(as_read(deal.hands[seat], {}))
        photos[-1].write_bytes(read if seat != unread else EMPTY_TABLE)
    person = Person(page, app)
    person.play(deal, photos)
    hand = deal.hands[unread]
    assert person.corrections >= len(hand.concealed) + len(hand.bonus) + 2 * len(hand.melds)


def test_somebody_who_knows_the_tiles_names_the_kong_that_none_is_yet(
    page: Page, app: Flask, reader: FakeReader, tmp_path: Path
) -> None:
    seat, deal = next(
        (seat, deal)
        for deal in won_deals()
        for seat, hand in deal.hands.items()
        if sum(meld.concealed and meld.kind == "kong" for meld in hand.melds) > 1
    )
    photos = []
    for each in "ESWN":
        hand = deal.hands[each]
        reading = as_read(hand, {})
        if each == seat:
            hidden = [m.tiles[0] for m in hand.melds if m.concealed and m.kind == "kong"][-1]
            down = [replace(m, tiles=(BACK,) * 4) if hidden in m.tiles else m for m in hand.melds]
            doubtful = {0: (hand.concealed[0], hidden)}
            reading = as_read(replace(hand, melds=tuple(down)), doubtful)
        photos.append(tmp_path / f"{each}.jpg")
        photos[-1].write_bytes(reader.learn(reading))
    person = Person(page, app)
    person.play(deal, photos)
    assert person.corrections == 2, "a tile of the kong, straight from the table, and its name"


def test_from_four_photos_to_the_payments_in_few_taps(
    page: Page, app: Flask, reader: FakeReader, tmp_path: Path
) -> None:
    deal = played()
    loser = next(seat for seat in "ESWN" if seat != deal.winner)
    photos = []
    for seat in "ESWN":
        hand = deal.hands[seat]
        last = len(hand.concealed) - 1
        truth = hand.concealed[last]
        other = "9p" if truth != "9p" else "8p"
        reading = as_read(hand, {last: (other, truth)} if seat == loser else {})
        photos.append(tmp_path / f"{seat}.jpg")
        photos[-1].write_bytes(reader.learn(reading))
        assert cv2.imread(str(photos[-1])) is not None
    person = Person(page, app)
    person.play(deal, photos)
    assert page.log() == []
    page.open("/laying-tiles")
    page.assert_accessible()
    photograph_the_table(page, reader, tmp_path / "table.jpg")
    assert person.corrections >= 1, "the misread tile was put right"
    assert person.taps <= AIM


def test_a_tap_that_cannot_be_stored_is_told_on_the_page(page: Page, app: Flask) -> None:
    page.open("/")
    page.tap("Score a deal")
    page.press(page.all(".player .button:not(.primary)")[0])
    engine = services_of(app).engine
    event.listen(engine, "connect", lambda raw, _: raw.execute("PRAGMA query_only=ON"))
    engine.dispose()
    key = page.all(".keyboard .key[value='9s']")[0]
    page.driver.execute_script("arguments[0].click()", key)
    page.wait("//*[@id='messages']//*[@role='alert'][contains(., 'allow Kongbox to write')]")
    assert page.all(".keyboard"), "the keyboard stays"
