"""From a drawn photo, read by the shipped models, to the payments at tables that count fan."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from datasets.designs.drawing.design import load_design
from datasets.props.backgrounds import draw_cloth
from datasets.props.camera import TileBox
from datasets.scenes.layouts import row_of
from datasets.scenes.scenes import render
from datasets.scenes.tables import phone_camera
from datasets.sets.faces import from_design
from scorer.tiles import parse_tiles
from tests.webapp.browser.browser import Page
from tests.webapp.fakes import FakeReader
from tests.webapp.pages.table.test_games import open_table
from vision import read_photo
from vision.photo.decode import PhotoData, open_photo
from vision.vocabulary.readings import Reading

pytestmark = pytest.mark.browser

DESIGN = Path(__file__).parents[3] / "datasets" / "samples" / "0900.npz"
SIZE = (1200, 1600)
NARROW = (360, 740)
TOUCH = 1.03
"""Distance between the centres of touching tiles, in tile widths."""

SCREENS = os.environ.get("KONGBOX_SCREENS")
"""A folder for a picture of each page, to be looked at."""


class RealReader(FakeReader):
    """Reads photos by the models that are shipped."""

    def __call__(self, photo: PhotoData) -> Reading:
        return read_photo(photo if isinstance(photo, bytes) else open_photo(photo).image)


@pytest.fixture
def reader() -> FakeReader:
    return RealReader()


def photograph(file: Path, hand: str, *melds: str, seed: int) -> Path:
    """A photo of a hand in a row, and of sets in front of it whose first tile lies across."""
    faces = from_design(load_design(DESIGN))
    height = 1 / faces.proportion
    tiles = row_of(tuple(parse_tiles(hand)), 0.0, 0.0)
    x, y, deeper = 1.0, -1.4 * height, (height - 1) / 2
    for meld in melds:
        first, *others = parse_tiles(meld)
        tiles.append(TileBox(first, x + deeper, y - deeper, np.pi / 2))
        tiles += row_of(tuple(others), x + 2 * deeper + TOUCH, y)
        x += 2 * deeper + len(others) * TOUCH + 1.8
    rng = np.random.default_rng(seed)
    table = draw_cloth(rng, SIZE, np.array((62, 104, 38), np.float32))
    scene = render(rng, faces, tiles, phone_camera(rng, tiles, SIZE), SIZE, table)
    cv2.imwrite(str(file), scene.image)
    return file


def check(page: Page, name: str) -> None:
    """What holds for every page; it is kept as a picture where somebody wants to look at it."""
    page.check()
    if SCREENS:
        page.driver.save_screenshot(f"{SCREENS}/{name}.png")


def photographed(page: Page, client: FlaskClient, ruleset: str, photo: Path) -> None:
    """Open a table, and have the tiles of South read from a photo."""
    page.size(*NARROW)
    page.open(open_table(client, ruleset=ruleset))
    page.tap("Score hand 1")
    check(page, f"{ruleset}-1-start")
    page.press(page.all(".player:nth-child(2) .button.primary")[0])
    page.all("input[type=file]")[0].send_keys(str(photo))
    page.wait("//h2[contains(., 'In hand')]")
    check(page, f"{ruleset}-2-tiles")


def test_a_riichi_hand_with_claimed_sets_from_photo_to_payments(
    page: Page, client: FlaskClient, tmp_path: Path
) -> None:
    photo = photograph(tmp_path / "riichi.jpg", "567m33888p", "777z", "234s", seed=1)
    photographed(page, client, "riichi", photo)
    words = page.text()
    assert "14 tiles" in words
    assert "too many" not in words
    melds = [element.text for element in page.all(".place h3, .place .set")]
    assert len(page.all("[data-place]")) >= 3, melds
    page.tap("Done with")
    for answer in ("tile-8p", "source-discard", "from-N", "declared-W"):
        page.choose(answer)
    page.unfold("Add an indicator")
    page.all("#ask-dora ~ details .key[value='2p']")[0].click()
    page.wait("//button[@name='dora_off']")
    check(page, "riichi-3-facts")
    page.tap("Show the score")
    check(page, "riichi-4-score")
    words = page.text()
    # Dragons 1, two threes of circles as dora 2: 3 han. 20 fu, 4 and 4 for pungs: 30.
    assert "3 han, 30 fu" in words
    assert "Dee pays Bob 3,900" in words
    assert "Cat pays Bob 1,000" in words
    page.tap("Keep this hand")
    assert "Bob East, dealer" in " ".join(words.split()) or "Bob" in page.text()
    check(page, "riichi-5-table")


def test_a_hand_of_hong_kong_from_photo_to_payments(
    page: Page, client: FlaskClient, tmp_path: Path
) -> None:
    photo = photograph(tmp_path / "hong-kong.jpg", "123456m22m999m", "555z", seed=2)
    photographed(page, client, "hong-kong", photo)
    page.tap("Done with")
    for answer in ("tile-9m", "source-wall"):
        page.choose(answer)
    check(page, "hong-kong-3-facts")
    page.tap("Show the score")
    check(page, "hong-kong-4-score")
    words = page.text()
    # One suit with honours 3, dragons 1, drawn 1, no flowers 1: 6 faan, 32 points, twice from all.
    assert "6 faan" in words
    for name in ("Ann", "Cat", "Dee"):
        assert f"{name} pays Bob 64" in words
    assert "goulash" not in words
    page.tap("Why not more?")
    check(page, "hong-kong-5-why")
