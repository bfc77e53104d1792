"""The club's book in a real browser, on a phone and on a laptop."""

from __future__ import annotations

import pytest
from flask import Flask
from selenium.webdriver.common.by import By

from tests.webapp.book_fixtures import book_of, two_evenings
from tests.webapp.browser.browser import DESK, Page
from tests.webapp.conftest import services_of

pytestmark = pytest.mark.browser


def test_an_empty_book_on_a_phone(page: Page) -> None:
    for path in ("/book", "/board", "/players", "/records", "/seasons", "/search", "/keeping"):
        page.open(path)
        page.check()
    page.open("/accounts")
    page.check()


def test_the_book_from_the_first_page_on(page: Page, app: Flask) -> None:
    two_evenings(services_of(app).engine)
    page.open("/")
    page.tap("Seasons, records, search")
    page.check()
    page.tap("Seasons")
    for field, text in (("name", "Spring"), ("first", "01012026"), ("last", "30062026")):
        box = page.driver.find_element(By.NAME, field)
        if field == "name":
            box.send_keys(text)
        else:
            day = f"{text[4:]}-{text[2:4]}-{text[:2]}"
            page.driver.execute_script("arguments[0].value = arguments[1]", box, day)
    page.tap("Save this season")
    page.check()
    page.press(page.wait("//a[contains(., 'Spring')]"))
    assert "Leader board: Spring" in page.text()
    page.check()
    page.tap("All time")
    page.press(page.wait("//th//a[normalize-space(.) = 'Cat']"))
    page.check()
    shown = page.driver.execute_script(
        "return [...document.querySelectorAll('.chart img')]"
        ".map(image => image.complete && image.naturalWidth > 0)"
    )
    assert shown == [True, True, True]
    page.tap("table 1, hand 1")
    assert "Cat won" in page.text()
    page.open("/search?q=march")
    page.check()
    page.open("/records")
    page.check()


def test_the_book_on_a_laptop(page: Page, app: Flask) -> None:
    two_evenings(services_of(app).engine)
    people = book_of(services_of(app).engine).people
    ann = people.named("Ann")
    assert ann is not None
    people.rename(ann.id, "A" * 30)
    page.size(*DESK)
    for path in ("/book", "/board", "/records", f"/players/{ann.id}", f"/players/{ann.id}/erase"):
        page.open(path)
        page.check()
    page.size(320, 640)
    wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    for path in ("/book", "/board", "/records", f"/players/{ann.id}", "/seasons", "/keeping"):
        page.open(path)
        assert page.driver.execute_script(wide) == 0, path
