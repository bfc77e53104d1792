"""The pages of an association, and of a club on its server, as a volunteer sees them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from selenium.webdriver.common.by import By

from tests.webapp.association.test_host import PASSWORD
from tests.webapp.association.test_national import AGREE, Association, association, empty
from tests.webapp.browser.browser import DESK, Page, Stage
from tests.webapp.browser.test_every_page import NARROW
from tests.webapp.conftest import services_of
from webapp.book.seasons import Seasons
from webapp.evening.evenings import today

__all__ = ["association", "empty"]

pytestmark = pytest.mark.browser


@pytest.fixture
def address(stage: Stage, association: Association) -> Iterator[str]:
    """Where the server of the association is."""
    with stage.shows(association.host.main, association.host) as found:
        yield found


def test_the_clubs_and_their_players_are_found_on_a_phone_and_a_large_screen(
    association: Association, page: Page
) -> None:
    association.post("whitby", "/club/settings/national", **AGREE)
    day = today()
    seasons = Seasons(services_of(association.host.main).engine)
    seasons.keep(None, "This year", day, day + timedelta(days=9))
    page.size(*NARROW)
    page.open("/login")
    page.driver.find_element(By.NAME, "name").send_keys("Boss")
    page.driver.find_element(By.NAME, "password").send_keys(PASSWORD)
    page.tap("Log in")
    for size in (NARROW, DESK):
        page.size(*size)
        page.open("/clubs")
        page.wait("//summary[text()='Whitby']").click()
        page.check()
        page.tap("Players of all clubs")
        page.wait("//a[text()='This year' and @aria-current='page']")
        page.check()
        page.tap("All time")
        page.wait("//th[text()='Ann']")
        page.check()
    page.tap("Ask all clubs now")
    page.tap("This year")
    page.wait("//th[text()='Ann']")
    page.size(*NARROW)
    page.open("/clubs")
    page.tap("Whitby")
    page.wait("//h2[@id='tonight']")
    page.check()
    assert page.all("a[href*='phones']") == []
