"""The sample photos through the real recogniser: from the demo button to the payments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

import scorer
from tests.webapp.browser.browser import Page
from tests.webapp.conftest import services_of, wait_for_photos
from webapp import create_app
from webapp.deal.for_scorer import to_deal
from webapp.language.words import payments_told

pytestmark = pytest.mark.browser

MAX_CORRECTIONS = 2
"""Tiles of the four sample photos that a newcomer may have to put right."""

SECONDS_FOR_FOUR_PHOTOS = 120


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    made = create_app(f"sqlite:///{tmp_path / 'demo.sqlite3'}", folder=tmp_path)
    yield made
    services_of(made).close()


def flat(player: dict[str, Any]) -> Counter[str]:
    melds = [label for meld in player["melds"] for label in meld["tiles"]]
    return Counter(player["concealed"] + melds + player["bonus"])


def put_right(page: Page, deal: str, seat: str, true: dict[str, Any], read: Counter[str]) -> int:
    """Correct, on the page, what was read wrongly; gives the number of tiles touched."""
    wrong, lacking = read - flat(true), flat(true) - read
    pairs = list(zip(wrong.elements(), lacking.elements(), strict=False))
    for old, new in pairs:
        page.open(f"{deal}/players/{seat}")
        name = scorer.tiles.NAMES[old]
        page.press(page.all(f".tap[aria-label^='{name}']")[0])
        page.press(page.all(f".key[value='{new}']")[0])
    for label in list(lacking.elements())[len(pairs) :]:
        page.open(f"{deal}/players/{seat}?add=tile")
        page.driver.execute_script("arguments[0].click()", page.all(f".key[value='{label}']")[0])
        page.wait(f"//*[@id='tiles']//a[starts-with(@aria-label, '{scorer.tiles.NAMES[label]}')]")
    for old in list(wrong.elements())[len(pairs) :]:
        page.open(f"{deal}/players/{seat}")
        page.press(page.all(f".tap[aria-label^='{scorer.tiles.NAMES[old]}']")[0])
        page.tap("Remove this tile")
    return max(wrong.total(), lacking.total())


def test_the_demo_from_photos_to_payments(app: Flask, page: Page) -> None:
    found = services_of(app)
    assert found.samples is not None
    true = found.samples["deal"]
    page.open("/")
    page.tap("Try the demo")
    deal = "/" + page.driver.current_url.split("/", 3)[3]
    wait_for_photos(app, deal.rsplit("/", 1)[1], SECONDS_FOR_FOUR_PHOTOS)
    stored = found.store.deal(deal.rsplit("/", 1)[1])
    assert stored is not None
    read = {p["seat"]: flat(p) for p in to_deal(stored.state).to_json()["players"]}
    corrections = sum(put_right(page, deal, p["seat"], p, read[p["seat"]]) for p in true["players"])
    assert corrections <= MAX_CORRECTIONS
    page.open(f"{deal}/win")
    page.tap("Show the score")
    expected = scorer.score_deal(scorer.parse_deal(true))
    names = {p["seat"]: p.get("name", "") for p in true["players"]}
    words = page.text()
    for payment in payments_told(expected.payments, names):
        assert payment.told in words
    page.assert_accessible()
