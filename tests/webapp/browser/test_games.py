"""An evening in a real browser at the size of a phone, and two phones at one table."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.webapp.browser.browser import PHONE, Page, chromium
from tests.webapp.pages.table.test_games import open_table, totals

pytestmark = pytest.mark.browser


def write(page: Page, field: str, text: str) -> None:
    box = page.driver.find_element(By.NAME, field)
    box.clear()
    box.send_keys(text)


def type_totals(page: Page, hand: int, winner: str, *told: int) -> None:
    page.tap("Type totals")
    page.check()
    for seat, total in zip("ESWN", told, strict=True):
        write(page, f"total_{seat}", str(total))
    page.wait(f"//label[input[@id='winner-{winner}']]").click()
    page.tap(f"Keep hand {hand}")


def test_an_evening_on_a_phone(page: Page) -> None:
    page.open("/")
    page.tap("Open a table")
    page.check()
    for seat, name in zip("ESWN", ("Ann", "Bob", "Cat", "Dee"), strict=True):
        write(page, f"name_{seat}", name)
    page.press(page.all("button.primary")[0])
    page.check()
    assert "Hand 1 · East round" in page.text()
    type_totals(page, 1, "S", 20, 128, 8, 16)
    type_totals(page, 2, "W", 10, 0, 60, 0)
    page.tap("Drawn hand")
    assert "play a goulash" in page.text()
    page.check()
    page.tap("1. Bob won")
    page.check()
    page.tap("Type the totals")
    for seat, total in zip("ESWN", (128, 20, 8, 16), strict=True):
        write(page, f"total_{seat}", str(total))
    page.wait("//label[input[@id='winner-E']]").click()
    page.tap("See what this changes")
    page.check()
    assert "Hand 1: won by Ann, not by Bob." in page.text()
    page.tap("Save this correction")
    assert "1. Ann won" in page.text()
    page.tap("End the game")
    page.check()
    assert "Final standings" in page.text()
    page.tap("Score sheets")
    page.check()
    page.open("/")
    page.tap("This evening")
    page.check()
    assert "Table 1, finished" in page.text()


def test_two_phones_at_one_table(page: Page, address: str, app: Flask, tmp_path: Path) -> None:
    table = open_table(app.test_client())
    with chromium(tmp_path / "second") as second:
        other = Page(second, address)
        other.size(*PHONE)
        page.open(table)
        other.open(table)
        page.tap("Drawn hand")
        other.wait("//h2[contains(., 'Hand 2') and contains(., 'goulash')]")
        other.wait("//*[@id='live-said'][contains(., 'Hand 1: Drawn')]")
        other.check()
        other.tap("Score hand 2")
        page.wait("//button[contains(., 'Go on with hand 2')]")
        page.tap("Go on with hand 2")
        assert page.driver.current_url == other.driver.current_url, "both enter the same deal"
        app.test_client().post(
            f"{page.driver.current_url.split(address)[1]}/players/E/edit",
            data={"action": "about", "name": "Ann", "status": "live", "claimed": "36"},
        )
        for phone in (page, other):
            phone.wait("//li[contains(., 'Ann')]//strong[. = '36']")
        second.get("about:blank")


def test_a_table_needs_no_pointer_and_no_wide_screen(page: Page, app: Flask) -> None:
    table = open_table(app.test_client())
    totals(app.test_client(), table, 1, "S", 20, 960, 8, 16)
    page.size(320, 640)
    wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    for path in ("", "/hands/2/totals", "/hands/2/payments", "/hands/1", "/sheets"):
        page.open(table + path)
        assert page.driver.execute_script(wide) == 0
    page.open(table)
    page.driver.execute_script("document.getElementById('drawn').focus()")
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    page.wait("//h2[contains(., 'Hand 3')]")
