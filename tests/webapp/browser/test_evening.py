"""A whole evening in a real browser: five photographed hands, and whatever else it brings."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest
from flask import Flask
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.webapp.browser.browser import DESK, PHONE, Page
from tests.webapp.browser.test_games import write
from tests.webapp.pages.table.test_games import game_of

pytestmark = pytest.mark.browser

MOST_TABS = 100


@pytest.fixture
def worker() -> bool:
    return True


class Checked:
    """Checks each kind of page once at the size of a desk; every page is checked at a phone's."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.kinds: set[str] = set()

    def __call__(self) -> None:
        path = self.page.driver.current_url.removeprefix(self.page.address)
        kind = re.sub(r"[0-9a-f]{32}|\d+|\?.*|#.*", "", path)
        if kind in self.kinds:
            return
        self.kinds.add(kind)
        self.page.assert_large_targets()
        self.page.size(*DESK)
        self.page.assert_accessible()
        self.page.size(*PHONE)


def photograph(page: Page, photos: list[Path], check: Checked) -> None:
    """Open the next hand, send everybody's photos at once and wait until they are read."""
    page.tap("Score hand")
    page.tap("Photos of all players")
    check()
    chooser = page.driver.find_element(By.NAME, "photos")
    chooser.send_keys("\n".join(map(str, photos)))
    page.wait("//h1[starts-with(., 'The players')]")
    page.wait("//main[count(.//*[contains(@class, 'mini')]) = 4]")
    page.wait("//*[@id='table'][not(@hx-get)]")
    check()


def put_right(page: Page, check: Checked) -> None:
    """Look at North's tiles, of which one was read as another, and correct it."""
    page.tap("Check Dee")
    check()
    page.press(page.all("#tiles .tap.doubt, .tap.doubtful, #tiles .doubt a")[0])
    check()
    page.press(page.wait("//button[@name='label' and @value='5p']"))
    assert "Nothing doubtful" in page.text()
    page.tap("Done with")


def say_who_won(page: Page, check: Checked) -> None:
    """South, on the discard of North."""
    for answer in ("winner-S", "tile-6s", "source-discard"):
        page.choose(answer)
    check()
    page.tap("Show the score")
    check()
    page.tap("Keep this hand")


def focus(page: Page, words: str) -> None:
    """Go with the tabulator to what says this, or to the field of that name."""
    for _ in range(MOST_TABS):
        ActionChains(page.driver).send_keys(Keys.TAB).perform()
        told = page.driver.execute_script(
            "const here = document.activeElement; return [here.innerText, here.name, here.id]"
        )
        if any(word and words in word for word in told):
            return
    raise AssertionError(f"the keyboard does not lead to {words}")


def by_keyboard(page: Page, hand: int) -> None:
    """Enter a hand whose totals are known without touching the screen."""
    focus(page, "Type totals")
    page.enter()
    for seat, total in zip("ESWN", (20, 8, 64, 16), strict=True):
        focus(page, f"total_{seat}")
        page.driver.switch_to.active_element.send_keys(str(total))
    focus(page, "winner")
    for _ in range(2):
        page.driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
    assert page.driver.switch_to.active_element.get_attribute("id") == "winner-W"
    page.driver.switch_to.active_element.send_keys(Keys.SPACE)
    focus(page, f"Keep hand {hand}")
    page.enter()


def dispute(page: Page, table: str, check: Checked) -> None:
    """Somebody doubts the second hand; it stands."""
    page.open(f"{table}/hands/2")
    check()
    page.tap("Every point explained")
    check()
    page.unfold("Not sure about this hand?")
    page.tap("Dispute this hand")
    check()
    write(page, "text", "Was the kong of dragons concealed?")
    page.wait("//label[normalize-space(.)='Cat'][input]").click()
    page.tap("Open the dispute")
    check()
    page.open(table)
    assert "1 open dispute" in page.text()
    page.tap("Was the kong of dragons")
    check()
    page.wait("//label[normalize-space(.)='Bob'][input]").click()
    page.tap("The score is right")
    check()


def correct_the_first(page: Page, table: str, check: Checked) -> None:
    """The first hand was won by another player, as everybody agrees."""
    page.open(table)
    page.tap("1. Bob won")
    page.tap("Type the totals")
    check()
    for seat, total in zip("ESWN", (128, 20, 8, 16), strict=True):
        write(page, f"total_{seat}", str(total))
    page.wait("//label[input[@id='winner-E']]").click()
    page.tap("See what this changes")
    check()
    page.tap("Save this correction")


def test_a_whole_evening(app: Flask, page: Page, samples: Path) -> None:
    photos = [samples.parent / "static" / "samples" / f"{seat}.jpg" for seat in "ESWN"]
    check = Checked(page)
    page.open("/")
    check()
    page.tap("Open a table")
    check()
    for seat, name in zip("ESWN", ("Ann", "Bob", "Cat", "Dee"), strict=True):
        write(page, f"name_{seat}", name)
    page.press(page.all("button.primary")[0])
    table = page.driver.current_url.removeprefix(page.address).split("#")[0]
    check()
    first = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    second = page.driver.current_window_handle
    page.open(table)
    page.driver.switch_to.window(first)

    for hand in range(1, 6):
        photograph(page, photos, check)
        if hand == 1:
            put_right(page, check)
        say_who_won(page, check)
        page.wait(f"//h2[starts-with(normalize-space(.), 'Hand {hand + 1} ')]")
    assert len(game_of(app, table).game.hands) == 5
    page.driver.switch_to.window(second)
    page.wait("//h2[starts-with(normalize-space(.), 'Hand 6 ')]")
    page.driver.switch_to.window(first)

    dispute(page, table, check)
    page.open(table)
    page.tap("Drawn hand")
    assert "goulash" in page.text()
    by_keyboard(page, 7)
    correct_the_first(page, table, check)
    played = game_of(app, table).game
    assert played.hands[0].winner == "Ann"
    assert played.hands[5].winner is None
    assert len(played.hands) == 7

    page.open(table)
    page.tap("End the game")
    check()
    assert "Final standings" in page.text()
    page.tap("Score sheets")
    check()
    paper = page.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
    assert base64.b64decode(paper["data"]).startswith(b"%PDF")
    page.open(f"{table}/history")
    check()
    assert "Hand 6: drawn" in page.text()
    total = app.test_client().get(f"{table}/table.pdf")
    assert total.data.startswith(b"%PDF")
    assert len(check.kinds) >= 14
