"""Many tabs of one browser follow tables; only those that somebody sees keep a connection."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

import pytest
from flask import Flask

from tests.webapp.browser.browser import Page
from tests.webapp.pages.table.test_games import open_table

pytestmark = pytest.mark.browser

TABS = 8
"""Two more than a browser keeps connections to one address."""


@pytest.fixture
def first(page: Page) -> Iterator[str]:
    """The first tab, which knows when it is hidden, and is shown again in the end."""
    tab = page.driver.current_window_handle
    page.driver.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": False})
    yield tab
    page.driver.switch_to.window(tab)
    page.driver.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})


def new_tab(page: Page, path: str) -> float:
    """Open a page in another tab and show it; the seconds that it took."""
    page.driver.switch_to.new_window("tab")
    begun = monotonic()
    page.driver.get(page.address + path)
    return monotonic() - begun


@pytest.mark.usefixtures("first")
def test_the_eighth_tab_opens_as_fast_as_the_first(page: Page, app: Flask) -> None:
    table = open_table(app.test_client())
    page.open(table)
    took = [new_tab(page, f"{table}?tab={number}") for number in range(2, TABS + 1)]
    assert max(took) < 3, took
    assert "Hand 1" in page.text()


def test_a_tab_that_is_shown_again_has_the_present_state(
    page: Page, first: str, app: Flask
) -> None:
    table = open_table(app.test_client())
    page.open(table)
    new_tab(page, table)
    page.tap("Drawn hand")
    page.wait("//h2[contains(., 'Hand 2')]")
    page.driver.switch_to.window(first)
    page.wait("//h2[contains(., 'Hand 2') and contains(., 'goulash')]")
    page.tap("Drawn hand")
    page.wait("//h2[contains(., 'Hand 3')]")
