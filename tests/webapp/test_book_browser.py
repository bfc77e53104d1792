"""The club's book in a real browser, on a phone and on a laptop."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.webapp.book_fixtures import book_of, two_evenings
from tests.webapp.browser import DESK, PHONE, Page, chromium, serving
from tests.webapp.conftest import services_of

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


@pytest.fixture
def page(app: Flask, chrome: webdriver.Chrome) -> Iterator[Page]:
    with serving(app) as address:
        opened = Page(chrome, address)
        opened.size(*PHONE)
        yield opened
        chrome.get("about:blank")


def check(page: Page) -> None:
    page.assert_accessible()
    page.assert_large_targets()


def test_an_empty_book_on_a_phone(page: Page) -> None:
    for path in ("/book", "/board", "/players", "/records", "/seasons", "/search", "/keeping"):
        page.open(path)
        check(page)
    page.open("/accounts")
    check(page)


def test_the_book_from_the_first_page_on(page: Page, app: Flask) -> None:
    two_evenings(services_of(app).engine)
    page.open("/")
    page.tap("Seasons, records, search")
    check(page)
    page.tap("Seasons")
    for field, text in (("name", "Spring"), ("first", "01012026"), ("last", "30062026")):
        box = page.driver.find_element(By.NAME, field)
        if field == "name":
            box.send_keys(text)
        else:
            day = f"{text[4:]}-{text[2:4]}-{text[:2]}"
            page.driver.execute_script("arguments[0].value = arguments[1]", box, day)
    page.tap("Keep this season")
    check(page)
    page.press(page.wait("//a[contains(., 'Spring')]"))
    assert "Leader board: Spring" in page.text()
    check(page)
    page.tap("All time")
    page.press(page.wait("//th//a[normalize-space(.) = 'Cat']"))
    check(page)
    shown = page.driver.execute_script(
        "return [...document.querySelectorAll('.chart img')]"
        ".map(image => image.complete && image.naturalWidth > 0)"
    )
    assert shown == [True, True, True]
    page.tap("table 1, hand 1")
    assert "Cat won" in page.text()
    page.open("/search?q=march")
    check(page)
    page.open("/records")
    check(page)


def test_the_book_on_a_laptop(page: Page, app: Flask) -> None:
    two_evenings(services_of(app).engine)
    people = book_of(services_of(app).engine).people
    ann = people.named("Ann")
    assert ann is not None
    people.rename(ann.id, "A" * 30)
    page.size(*DESK)
    for path in ("/book", "/board", "/records", f"/players/{ann.id}", f"/players/{ann.id}/erase"):
        page.open(path)
        check(page)
    page.size(320, 640)
    wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    for path in ("/book", "/board", "/records", f"/players/{ann.id}", "/seasons", "/keeping"):
        page.open(path)
        assert page.driver.execute_script(wide) == 0, path
