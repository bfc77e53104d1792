"""A phone loses its connection at the table, enters a hand, and is back."""

from __future__ import annotations

import pytest
from flask import Flask
from selenium.webdriver.support.ui import Select

from tests.webapp.browser.browser import ONLINE, Page
from tests.webapp.pages.table.test_games import game_of, open_table

pytestmark = pytest.mark.browser


@pytest.fixture
def worker() -> bool:
    return True


def connect(page: Page, *, there: bool) -> None:
    """Give the phone its connection, or take it away."""
    page.driver.execute_cdp_cmd("Network.enable", {})
    conditions = {**ONLINE, "offline": not there}
    page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)


def fill(page: Page, field: str, text: str) -> None:
    page.wait(f"//*[@id='offline-form']//*[@name='{field}']").send_keys(text)


def test_a_hand_is_entered_without_a_connection_and_sent_when_it_is_back(
    app: Flask, page: Page
) -> None:
    table = open_table(app.test_client())
    page.open(table)
    page.driver.execute_async_script(
        "const done = arguments[0]; navigator.serviceWorker.ready.then(() => done())"
    )
    assert not page.driver.find_element("id", "offline-entry").is_displayed()
    connect(page, there=False)
    page.wait("//*[@id='waiting'][not(@hidden)]")
    page.wait("//*[@id='offline-entry'][not(@hidden)]")
    for number, total in enumerate((20, 40, 128, 8)):
        fill(page, f"total_{number}", str(total))
    Select(page.wait("//select[@name='winner']")).select_by_value("Cat")
    Select(page.wait("//select[@name='source']")).select_by_value("wall")
    page.wait("//*[@id='offline-form']/button").click()
    assert "One entry is waiting to be sent" in page.driver.find_element("id", "waiting").text
    page.log()

    kept = page.driver.execute_async_script(
        "const done = arguments[0];caches.match('/offline').then((page) => page.text()).then(done)"
    )
    assert "Without a connection" in kept
    page.open("/offline")
    page.wait("//h1[contains(., 'Without a connection')]")
    assert "Table 1 · Hand 1: totals" in page.text()
    page.wait("//label[contains(., 'Tiles')]").click()
    page.wait("//*[@id='offline-form']//button[@data-code='7z']").click()
    assert page.driver.find_element("name", "codes").get_property("value") == "7z"
    page.log()
    page.assert_accessible()
    page.assert_large_targets()
    assert not game_of(app, table).game.hands

    connect(page, there=True)
    page.driver.execute_script("window.dispatchEvent(new Event('online'))")
    page.until(lambda: game_of(app, table).game.hands)
    page.wait("//*[@id='waiting'][@hidden]")
    page.log()
    page.open(table)
    assert "1. Cat won" in page.text()
    assert [state.winner for state in game_of(app, table).game.hands] == ["Cat"]


def test_a_conflict_is_shown_and_decided_by_hand(app: Flask, page: Page) -> None:
    client = app.test_client()
    table = open_table(client)
    page.open(table)
    connect(page, there=False)
    page.wait("//*[@id='offline-entry'][not(@hidden)]")
    page.wait("//label[contains(., 'Drawn hand')]").click()
    page.wait("//*[@id='offline-form']/button").click()
    client.post(f"{table}/drawn")
    connect(page, there=True)
    page.driver.execute_script("window.dispatchEvent(new Event('online'))")
    page.wait("//*[@id='offline-list']//p[contains(., 'Another phone has since entered hand 1')]")
    assert len(game_of(app, table).game.hands) == 1
    page.log()
    page.assert_accessible()
    page.wait("//*[@id='offline-list']//button[contains(., 'next hand')]").click()
    page.until(lambda: len(game_of(app, table).game.hands) == 2)
    page.wait("//*[@id='waiting'][@hidden]")
    page.log()


def test_at_a_table_that_counts_fan_only_tiles_are_entered(app: Flask, page: Page) -> None:
    page.size(360, 740)
    page.open(open_table(app.test_client(), ruleset="riichi"))
    page.open("/offline")
    page.wait("//*[@id='offline-entry'][not(@hidden)]")
    shown = [it.text for it in page.all("#offline-form .choices label") if it.is_displayed()]
    assert shown == ["Tiles"]
    assert page.all("[name=codes]")[0].is_displayed()
    assert not page.all(".by-totals")[0].is_displayed()
    page.check()
