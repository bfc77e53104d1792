"""Takes the screenshots in docs: ``make pictures``, which runs this module.

They show the demo read by the real recogniser; where the models or the sample photos are missing,
the drawn table of the tests stands in.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from flask import Flask
from PIL import Image

from tests.webapp.browser.browser import PHONE, Page, chromium, serving
from tests.webapp.conftest import services_of, wait_for_photos
from tests.webapp.fakes import FakeReader, write_samples
from vision import ModelError, model_versions
from webapp import create_app
from webapp.language import chosen
from webapp.pages.display import cookie
from webapp.services import SAMPLES_FILE

FOLDER = Path(__file__).parents[3] / "docs"
SCALE = 2
COLOURS = 128
SECONDS = 180


def make_app(folder: Path) -> Flask:
    """The application on an empty database, with the best demo there is."""
    db = f"sqlite:///{folder / 'shots.sqlite3'}"
    try:
        if model_versions() and SAMPLES_FILE.exists():
            return create_app(db, folder=folder)
    except ModelError as error:
        sys.stderr.write(f"The drawn table stands in: {error}\n")
    reader = FakeReader()
    samples = write_samples(folder / "samples", reader)
    return create_app(db, folder=folder, reader=reader, samples_file=samples)


def shoot(page: Page, file: Path, width: int = PHONE[0], height: int = PHONE[1]) -> None:
    """Save what the screen shows as a PNG of few colours."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": SCALE, "mobile": width < 600}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    picture = Image.open(io.BytesIO(page.driver.get_screenshot_as_png())).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)


def take_all(page: Page, app: Flask, folder: Path) -> None:
    """Walk through the demo and save a picture of each step."""
    page.size(*PHONE)
    page.open("/")
    shoot(page, folder / "home.png")
    page.tap("Try the demo")
    deal = "/" + page.driver.current_url.split("/", 3)[3]
    wait_for_photos(app, deal.rsplit("/", 1)[1], SECONDS)
    stored = services_of(app).store.deal(deal.rsplit("/", 1)[1])
    if stored is None:
        raise SystemExit("the demo's deal is gone")
    player = max(stored.state.players, key=lambda p: (len(p.doubtful), len(p.melds)))
    tile = min(player.tiles, key=lambda t: t.confidence)
    steps = {
        "table.png": deal,
        "photo.png": f"{deal}/players/{player.seat}/photo",
        "review.png": f"{deal}/players/{player.seat}",
        "tile.png": f"{deal}/players/{player.seat}/tiles/{tile.id}",
        "keyboard.png": f"{deal}/players/{player.seat}?add=tile#keyboard",
        "win.png": f"{deal}/win",
        "result.png": f"{deal}/result",
    }
    for name, path in steps.items():
        page.open(path)
        shoot(page, folder / name)
    page.open(f"{deal}/result#score-{stored.state.win.seat or 'E'}")
    page.unfold("Why ")
    shoot(page, folder / "why.png")
    page.open(f"{deal}/players/{player.seat}")
    shoot(page, folder / "desk.png", 1180, 820)


def take_table(page: Page, folder: Path) -> None:
    """Open the demo table and save a picture of it."""
    page.size(*PHONE)
    page.open("/")
    page.tap("Try a demo table")
    shoot(page, folder / "game.png")
    page.tap("1. Ben won")
    page.tap("It was drawn")
    shoot(page, folder / "correction.png")


def take_explained(page: Page, app: Flask, folder: Path) -> None:
    """Score the demo, dispute it, and save pictures of what explains it and of the lessons."""
    page.size(*PHONE)
    page.open("/")
    page.tap("Try the demo")
    deal = "/" + page.driver.current_url.split("/", 3)[3]
    deal_id = deal.rsplit("/", 1)[1]
    wait_for_photos(app, deal_id, SECONDS)
    found = services_of(app)
    note = "I think the last pung was concealed: I drew all three tiles myself."
    found.disputes.open(deal_id, "North", note)
    steps = {
        "not-more.png": f"{deal}/why/E#missing",
        "other-rules.png": f"{deal}/rules",
        "dispute.png": f"/disputes/{found.disputes.of_deal(deal_id)[0].id}",
        "special-hands.png": "/learn/hands/bmja-mjbr",
        "quiz.png": "/learn/quiz/bmja-u3a/easy/7",
    }
    for name, path in steps.items():
        page.open(path)
        if name == "not-more.png":
            page.wait("//summary[contains(., 'Special hands')]").click()
        shoot(page, folder / name)


def take_club(page: Page, folder: Path) -> None:
    """Save pictures of the pages around the tables: evening, sheets, sets, rules, settings."""
    page.size(*PHONE)
    page.open("/")
    page.tap("This evening")
    shoot(page, folder / "evening.png")
    page.tap("Table 1")
    table = "/" + page.driver.current_url.split("/", 3)[3]
    steps = {
        "totals.png": f"{table}/hands/4/totals",
        "sheets.png": f"{table}/sheets",
        "new-table.png": "/tables/new",
        "laying.png": "/laying-tiles",
        "teach-set.png": "/sets/new",
        "house-rules.png": "/house-rules/bmja-mjbr/edit",
        "settings.png": "/settings",
        "learn.png": "/learn",
    }
    for name, path in steps.items():
        page.open(path)
        shoot(page, folder / name)
    page.driver.add_cookie({"name": chosen.COOKIE, "value": "zh_Hans"})
    page.open(table)
    shoot(page, folder / "chinese.png")
    page.driver.delete_cookie(chosen.COOKIE)
    page.driver.add_cookie({"name": cookie("print"), "value": "largest"})
    page.driver.add_cookie({"name": cookie("contrast"), "value": "high"})
    page.open(table)
    shoot(page, folder / "large-print.png")
    page.driver.delete_all_cookies()


def main(folder: Path = FOLDER) -> None:
    """Take them all."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch:
        app = make_app(Path(scratch))
        with serving(app) as address, chromium(Path(scratch) / "profile") as chrome:
            take_all(Page(chrome, address), app, folder)
            take_table(Page(chrome, address), folder)
            take_club(Page(chrome, address), folder)
            take_explained(Page(chrome, address), app, folder)
            chrome.get("about:blank")
        services_of(app).close()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
