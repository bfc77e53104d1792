"""A newcomer answers a question of the course; the phone says whether it is right, and keeps it."""

from __future__ import annotations

import pytest

from tests.webapp.browser.browser import Page

pytestmark = pytest.mark.browser


def answer(page: Page, task: int, *tiles: str) -> str:
    """Tap the tiles of an exercise anew, have them checked, and read the verdict."""
    form = f"//form[@data-task='{task}']"
    for tapped in page.driver.find_elements("xpath", f"{form}//input[@type='checkbox']"):
        wanted = tapped.get_attribute("value") in tiles
        if wanted != tapped.is_selected():
            tapped.find_element("xpath", "..").click()
    page.wait(f"{form}//button[@data-check]").click()
    return page.wait(f"{form}//*[@data-verdict]").text


def test_an_answer_is_checked_on_the_phone_and_kept_there(page: Page) -> None:
    page.open("/course/tiles")
    assert answer(page, 2, "3z", "5z") == "Not quite. Try again, or look at the answer."
    assert answer(page, 2, "3z", "5z", "7z", "1z") == "✓ Right!"
    page.open("/course")
    sheet = page.wait("//a[@data-sheet='tiles']")
    assert "1 of 3 right" in sheet.text
    assert "right" not in page.wait("//a[@data-sheet='first-steps']").text
    assert page.wait("//*[@id='go-on']").text == "Go on: The tiles"


def test_a_phone_looks_through_what_it_keeps(page: Page) -> None:
    page.open("/course/search")
    asked = "what is robbing a kong?"
    keep = "const [asked, done] = arguments; caches.open('kongbox-page').then((kept) =>"
    keep += " kept.addAll(['/course/words', '/course/precedence-and-kongs', '/course/tiles']))"
    look = ".then(() => lookHere(place, asked)).then(done)"
    page.driver.execute_async_script(keep + look, asked)
    first, *others = page.driver.find_elements("css selector", "#kept-found h2 a")
    assert first.text == "Robbing a kong"
    assert others
    assert "at the moment it is declared" in page.text()
    assert page.wait("//input[@name='q']").get_property("value") == asked
    page.check()
