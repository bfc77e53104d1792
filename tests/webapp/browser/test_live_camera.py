"""The live picture of a camera that plays a film: what is taken by itself, and what is not."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask
from numpy.typing import NDArray
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.webapp.browser.browser import GROW_OLD, PHONE, Page, chromium, serving
from tests.webapp.conftest import services_of
from webapp import create_app
from webapp.deal.state import new_deal
from webapp.photos.workers import default_reader
from webapp.services import SAMPLES_FOLDER

pytestmark = pytest.mark.browser

THREE_LOOKS_S = 1.1
"""The page looks every 0.4 s, and the second look already says whether all is well."""

FRAMES_A_SECOND = 30

TOLD = "return document.querySelector('.live-say').textContent"
COUNTED = "return document.querySelectorAll('.live-found polygon').length"
LAMP = """
MediaStreamTrack.prototype.getCapabilities = () => ({torch: true});
MediaStreamTrack.prototype.applyConstraints = async ({advanced}) => { window.asked = advanced; };
"""
"""The camera has a lamp, which a film has not."""

FOCUSED = "return document.activeElement.id || document.activeElement.textContent.trim()"


def scene() -> NDArray[np.uint8]:
    """East's tiles of the demo."""
    image = cv2.imread(str(SAMPLES_FOLDER / "samples" / "east.jpg"))
    assert image is not None
    return np.asarray(cv2.resize(image, (960, 720), interpolation=cv2.INTER_AREA), np.uint8)


def passing(image: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """What a camera sees that is led past the tiles, an eighth of its picture in each second."""
    small = cv2.resize(image, None, fx=0.7, fy=0.7, interpolation=cv2.INTER_AREA)
    width, beside = small.shape[1], small.shape[1] // 2
    wide = cv2.copyMakeBorder(small, 0, 0, beside, beside, cv2.BORDER_REPLICATE)
    seen, step = width * 3 // 2, width * 3 // 2 // 8 // FRAMES_A_SECOND
    lefts = range(0, wide.shape[1] - seen, step)
    return [np.asarray(wide[:, left : left + seen], np.uint8) for left in lefts]


def play(film: Path, *pictures: NDArray[np.uint8]) -> None:
    """From its next start on, the camera sees these again and again."""
    film.write_bytes(b"".join(cv2.imencode(".jpg", each)[1].tobytes() for each in pictures * 2))


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    """The page with the project's own recogniser, in this process."""
    made = create_app(
        f"sqlite:///{tmp_path / 'live.sqlite3'}", folder=tmp_path, reader=default_reader
    )
    yield made
    services_of(made).close()


@pytest.fixture
def film(tmp_path: Path) -> Path:
    return tmp_path / "film.mjpeg"


@pytest.fixture
def page(app: Flask, film: Path, tmp_path: Path) -> Iterator[Page]:
    """A phone whose camera plays the film; the page may use it."""
    play(film, scene())
    flags = ("--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={film}")
    with serving(app) as address, chromium(tmp_path / "profile", *flags) as driver:
        opened = Page(driver, address)
        opened.size(*PHONE)
        yield opened


def allow(page: Page, setting: str) -> None:
    """Answer the browser's question whether the page may use the camera."""
    camera = {"permission": {"name": "camera"}, "setting": setting, "origin": page.address}
    page.driver.execute_cdp_cmd("Browser.setPermission", camera)


def aim(page: Page) -> None:
    page.driver.find_element(By.ID, "live-open").click()


def test_the_photo_is_taken_by_itself_once_it_is_sharp_still_and_counted(
    app: Flask, page: Page, film: Path
) -> None:
    store = services_of(app).store
    deal_id = store.create(new_deal(("E", "S", "W", "N")))
    page.open(f"/deals/{deal_id}/players/E/photo")
    page.until(lambda: page.driver.find_element(By.ID, "live-open").is_displayed())

    allow(page, "denied")
    aim(page)
    page.until(lambda: page.driver.execute_script(FOCUSED) == "live-refused")
    assert "does not let this page use the camera" in page.text()
    assert page.driver.find_element(By.CSS_SELECTOR, "input[capture]").is_enabled()

    allow(page, "granted")
    page.driver.execute_script(LAMP)
    play(film, np.asarray(cv2.GaussianBlur(scene(), (0, 0), 4.5), np.uint8))
    aim(page)
    page.until(lambda: page.driver.execute_script(COUNTED) == 14)
    time.sleep(THREE_LOOKS_S)
    assert page.driver.execute_script(TOLD) == "Hold still"
    assert store.latest_photos(deal_id) == {}, "a blurred picture is not taken"
    page.check()
    lamp = page.driver.find_element(By.XPATH, "//button[.='Lamp']")
    lamp.click()
    page.until(lambda: lamp.get_attribute("aria-pressed") == "true")
    assert page.driver.execute_script("return window.asked") == [{"torch": True}]
    seen = []
    page.driver.execute_script("document.querySelector('[data-now]').focus()")
    for _ in range(4):
        seen.append(page.driver.execute_script(FOCUSED))
        page.driver.switch_to.active_element.send_keys(Keys.TAB)
    assert seen == ["Take it now", "Lamp", "Use the ordinary camera", "Close"]
    page.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    page.until(lambda: page.driver.execute_script(FOCUSED) == "live-open")

    play(film, *passing(scene()))
    aim(page)
    page.until(lambda: page.driver.execute_script(TOLD) == "Hold still")
    time.sleep(THREE_LOOKS_S)
    assert page.driver.execute_script(TOLD) == "Hold still"
    assert store.latest_photos(deal_id) == {}, "a moving picture is not taken"
    page.driver.switch_to.active_element.send_keys(Keys.ESCAPE)

    play(film, scene())
    page.driver.execute_script(GROW_OLD)
    aim(page)
    page.wait_for_new_page()
    page.until(lambda: page.driver.current_url.endswith("/players/E"))
    demo = services_of(app).samples
    assert demo is not None
    east = demo["deal"]["players"][0]
    laid = [tile for meld in east["melds"] for tile in meld["tiles"]]
    stored = store.deal(deal_id)
    assert stored is not None
    read = Counter(tile.label for tile in stored.state.player("E").tiles)
    assert read == Counter(east["concealed"] + laid + east["bonus"])
