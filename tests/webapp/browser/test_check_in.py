"""A phone that scans the code of the evening checks in, and the organiser sees it at once."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.webapp.browser.browser import Page
from tests.webapp.conftest import services_of
from webapp.evening.evenings import today

pytestmark = pytest.mark.browser


def test_a_phone_checks_in_and_the_organiser_sees_it_without_reloading(
    app: Flask, page: Page
) -> None:
    found = services_of(app)
    evening = found.club.open_evening(today(), "Hall")
    found.visits.enter_named(evening, "Ann Hill")
    found.code.open(evening)
    page.open(f"/evenings/{evening}/here")
    page.wait("//p[@class='count' and contains(., '1 is here')]")
    organiser = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    page.open(f"/in/{found.code.of(evening)}?q=Xaver")
    page.tap("I am a guest, and my name is Xaver")
    page.wait("//h1[text()='Welcome!']")
    page.check()
    page.driver.close()
    page.driver.switch_to.window(organiser)
    page.wait("//p[contains(., 'Last to check in by phone: Xaver.')]")
    said = page.wait("//p[@id='live-said']").get_attribute("textContent")
    assert said is not None
    assert "2 are here" in said
    page.wait("//button[contains(., 'Undo it')]").click()
    page.wait("//p[@class='count' and contains(., '1 is here')]")
    page.check()
    assert [visit.name for visit in found.visits.here(evening)] == ["Ann Hill"]
