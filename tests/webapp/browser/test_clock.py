"""The display in the hall counts the round down by itself and rings once when the time is up."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.webapp.browser.browser import DESK, Page
from tests.webapp.conftest import services_of
from webapp.evening import round_clock
from webapp.evening.evenings import today
from webapp.runtime.steady_clock import steady_now

pytestmark = pytest.mark.browser

COUNTED = """
window.struck = 0;
const made = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () { struck += 1; return made.call(this); };
const { now } = Date;
Date.now = () => now() - 86400000 + (window.ahead ?? 0);
"""
"""Tones are counted, and the screen's clock is a day slow."""


def test_the_bell_rings_once_when_the_time_is_up(
    app: Flask, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, now = services_of(app), steady_now()
    monkeypatch.setattr(round_clock, "steady_now", lambda: now)
    evening = found.club.open_evening(today(), "Hall")
    found.clock.start(evening, 2)
    run = page.driver.execute_script
    added = page.driver.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": COUNTED}
    )
    page.size(*DESK)
    page.open("/hall")
    page.wait("//*[@role='timer' and text()='2 min left']")
    page.check()
    page.wait("//button[@id='bell']").click()
    page.wait("//div[@class='bell' and @hidden]")
    pressed = run("return struck")
    run("window.ahead = 61000; showTime()")
    assert page.wait("//*[@role='timer']").text == "1 min left"
    assert run("return struck") == pressed > 0
    run("window.ahead = 121000; showTime(); showTime()")
    assert page.wait("//*[@role='timer']").text == "Last hand: finish this one"
    assert run("return struck") == 4 * pressed, "three strokes after the one for trying"
    page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
    page.open(f"/evenings/{evening}")
    page.check()
