"""A photo is looked at on the phone before it is sent; nothing depends on it."""

from __future__ import annotations

import base64
import html
import io
import json
import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image
from selenium.webdriver.remote.webelement import WebElement

from benchmarks.hostile.heics import Heic
from tests.webapp.browser.browser import Page
from tests.webapp.conftest import services_of
from tests.webapp.fakes import DEAL, FakeReader, photo_of, reading_of
from vision.photo.decode import decode_photo
from vision.photo.glance import glance
from vision.photo.thresholds import glance_limits

GLANCE = (
    "const [input, done] = arguments;"
    "const limits = JSON.parse(document.getElementById('photo-check').dataset.limits);"
    "glanceAt(input.files[0], limits).then((seen) => done([seen, faultOf(seen, limits)]));"
)

SHRINK = (
    "const [input, done] = arguments; const before = input.files[0];"
    "shrink(input).then(() => { const reader = new FileReader();"
    " reader.onload = () => done([before === input.files[0], reader.result.split(',')[1]]);"
    " reader.readAsDataURL(input.files[0]); });"
)


def spoilt(photo: bytes) -> dict[str, bytes]:
    """The photo as it would be taken with care and without."""
    image = decode_photo(photo)
    small = cv2.resize(image, None, fx=0.3, fy=0.3)
    changed = {
        "dark": np.zeros_like(image),
        "blurred": cv2.GaussianBlur(image, (0, 0), 6),
        "blown": cv2.add(image, np.full_like(image, 200)),
        "small": np.asarray(small, np.uint8),
    }
    return {"": photo} | {
        name: cv2.imencode(".jpg", made)[1].tobytes() for name, made in changed.items()
    }


@pytest.fixture(scope="module")
def photos() -> dict[str, bytes]:
    return spoilt(photo_of(reading_of(DEAL["players"][2], {})))


@pytest.fixture
def files(photos: dict[str, bytes], reader: FakeReader, tmp_path: Path) -> dict[str, Path]:
    """West's tiles in files named by what is wrong; the dark and the good one are known."""
    west = reading_of(DEAL["players"][2], {})
    reader.learn(west)
    paths = {}
    for name, data in photos.items():
        paths[name] = tmp_path / f"{name or 'good'}.jpg"
        paths[name].write_bytes(data)
    return paths


def test_photos_of_iphones_can_be_chosen_on_every_system(client: FlaskClient) -> None:
    deal = client.post("/deals").headers["Location"]
    for address in (f"{deal}/players/W/photo", f"{deal}/table-photo", "/sets/new"):
        page = client.get(address).text
        found = re.findall(r'accept="(image[^"]*)"( capture)?', page)
        assert found
        for kinds, camera in found:
            assert {"image/jpeg", "image/heic", "image/avif"} <= set(kinds.split(","))
            assert (".heic" in kinds) == (not camera), "Windows goes by the name, cameras by kinds"
            assert (".hif" in kinds) == (not camera)


def test_the_page_has_the_limits_of_the_recogniser(client: FlaskClient) -> None:
    deal = client.post("/deals").headers["Location"]
    for address in (f"{deal}/players/W/photo", f"{deal}/table-photo"):
        found = re.search(r'data-limits="([^"]*)"', client.get(address).text)
        assert found is not None
        assert json.loads(html.unescape(found[1])) == dict(glance_limits())


def chooser(page: Page, app: Flask) -> WebElement:
    deal = app.test_client().post("/deals").headers["Location"]
    page.open(f"{deal}/players/W/photo")
    return page.all("input[type=file]")[0]


def sent(app: Flask, page: Page) -> list[Any]:
    deal_id = page.driver.current_url.split("/deals/")[1].split("/")[0]
    return list(services_of(app).store.latest_photos(deal_id).values())


@pytest.mark.browser
def test_the_phone_measures_what_the_recogniser_would(
    page: Page, app: Flask, files: dict[str, Path], photos: dict[str, bytes]
) -> None:
    for fault, path in files.items():
        field = chooser(page, app)
        page.driver.execute_script("window.photosAreFine = () => false")
        field.send_keys(str(path))
        found, told = page.driver.execute_async_script(GLANCE, field)
        wanted = glance(decode_photo(photos[fault]))
        assert told == wanted.fault == fault
        assert found["side"] == wanted.side
        assert found["light"] == pytest.approx(wanted.light, abs=4)
        assert found["blown"] == pytest.approx(wanted.blown, abs=0.02)
        if wanted.sharpness is None:
            assert found["sharpness"] is None
        else:
            assert found["sharpness"] == pytest.approx(wanted.sharpness, rel=0.7)


@pytest.mark.browser
def test_a_good_photo_is_sent_at_once(page: Page, app: Flask, files: dict[str, Path]) -> None:
    chooser(page, app).send_keys(str(files[""]))
    page.wait("//h1[contains(., 'West')]/following::h2[contains(., 'In hand')]")


@pytest.mark.browser
@pytest.mark.parametrize(
    ("fault", "words"), [("dark", "The photo is dark"), ("blurred", "The photo is blurred")]
)
def test_a_bad_photo_is_told_before_it_is_sent_and_may_be_used_all_the_same(
    page: Page, app: Flask, files: dict[str, Path], fault: str, words: str
) -> None:
    chooser(page, app).send_keys(str(files[fault]))
    hint = page.wait("//*[@id='photo-check'][not(@hidden)]")
    assert words in hint.text
    assert sent(app, page) == []
    page.check()
    page.tap("Use it anyway")
    assert len(sent(app, page)) == 1


@pytest.mark.browser
def test_another_photo_may_be_taken_instead(page: Page, app: Flask, files: dict[str, Path]) -> None:
    field = chooser(page, app)
    field.send_keys(str(files["dark"]))
    page.wait("//*[@id='photo-check'][not(@hidden)]")
    page.driver.execute_script(
        "window.chosen = 0; document.addEventListener('click', (event) => {"
        " if (event.target.type === 'file') { window.chosen += 1; event.preventDefault(); } })"
    )
    page.wait("//button[contains(., 'Take another')]").click()
    assert page.driver.execute_script("return window.chosen") == 1
    assert page.all("#photo-check[hidden]")
    assert sent(app, page) == []
    field.send_keys(str(files[""]))
    page.wait("//h1[contains(., 'West')]/following::h2[contains(., 'In hand')]")


@pytest.mark.browser
def test_of_several_photos_the_bad_ones_are_named(
    page: Page, app: Flask, files: dict[str, Path]
) -> None:
    deal = app.test_client().post("/deals").headers["Location"]
    page.open(f"{deal}/table-photo")
    field = page.all("input[name=photos]")[0]
    field.send_keys("\n".join(str(files[name]) for name in ("", "dark", "", "blurred")))
    hint = page.wait("//*[@id='photo-check'][not(@hidden)]")
    lines = [line.text for line in hint.find_elements("css selector", "li")]
    assert [line.split(":")[0] for line in lines] == ["Photo 2", "Photo 4"]


@pytest.mark.browser
@pytest.mark.parametrize(
    "broken",
    ["delete window.photosAreFine", "window.createImageBitmap = () => Promise.reject(new Error())"],
)
def test_where_the_phone_cannot_look_the_photo_is_sent(
    page: Page, app: Flask, files: dict[str, Path], broken: str
) -> None:
    field = chooser(page, app)
    page.driver.execute_script(broken)
    field.send_keys(str(files["dark"]))
    page.wait("//*[contains(., 'No tiles were found')]")


@pytest.mark.browser
def test_a_large_photo_is_made_smaller_upright_before_it_is_sent(
    page: Page, app: Flask, tmp_path: Path
) -> None:
    image = Image.new("RGB", (6000, 600), (20, 20, 200))
    image.paste((200, 20, 20), (0, 0, 3000, 600))
    turned = Image.Exif()
    turned[0x0112] = 6
    for size, exif in ((6000, turned), (3000, None)):
        file = tmp_path / f"{size}.jpg"
        small = io.BytesIO()
        image.crop((0, 0, size, 600)).save(small, "JPEG", **({"exif": exif} if exif else {}))
        file.write_bytes(small.getvalue())
        field = chooser(page, app)
        page.driver.execute_script("window.photosAreFine = () => false")
        page.driver.execute_script("window.shrink = shrinkPhotos; window.shrinkPhotos = null")
        field.send_keys(str(file))
        same, sent_photo = page.driver.execute_async_script(SHRINK, field)
        assert same == (exif is None), "what is small enough stays as it is"
        found = decode_photo(base64.b64decode(sent_photo))
        if exif is not None:
            assert found.shape == (4096, 410, 3)
            assert found[10, 200, 2] > 150 > found[-10, 200, 2], "red was at the left, now above"


@pytest.mark.browser
def test_what_only_some_computers_read_is_sent_as_jpeg_where_the_phone_can_open_it(
    page: Page, app: Flask, tmp_path: Path
) -> None:
    Image.new("RGB", (96, 64), (200, 20, 20)).save(tmp_path / "a.avif")
    (tmp_path / "b.heic").write_bytes(bytes(Heic()))
    field = chooser(page, app)
    page.driver.execute_script("window.photosAreFine = () => false")
    page.driver.execute_script("window.shrink = shrinkPhotos; window.shrinkPhotos = null")
    for name, opened in (("a.avif", True), ("b.heic", False)):
        field.send_keys(str(tmp_path / name))
        same, sent = page.driver.execute_async_script(SHRINK, field)
        assert same == (not opened)
        assert base64.b64decode(sent).startswith(b"\xff\xd8\xff") == opened
