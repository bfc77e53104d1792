"""Explanations, disputes, lessons and the quiz in a real browser, at the size of a phone."""

from __future__ import annotations

import base64
import re

import pytest
from flask import Flask
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from scorer.explain.practice import question
from tests.webapp.browser.browser import Page
from tests.webapp.conftest import services_of
from tests.webapp.deal.test_timing import put
from tests.webapp.pages.deal.test_pages import demo
from tests.webapp.pages.table.test_games import open_table, totals

pytestmark = pytest.mark.browser

A4_POINTS = (595, 842)


def write(page: Page, field: str, text: str) -> None:
    box = page.driver.find_element(By.NAME, field)
    box.clear()
    box.send_keys(text)


def choose(page: Page, words: str) -> None:
    page.wait(f"//label[normalize-space(.)='{words}'][input]").click()


def test_a_dispute_on_a_phone_from_the_note_to_the_correction(page: Page, app: Flask) -> None:
    table = open_table(app.test_client())
    totals(app.test_client(), table, 1, "S", 20, 128, 8, 16)
    page.open(f"{table}/hands/1")
    page.tap("Every point explained")
    page.check()
    page.unfold("Not sure about this hand?")
    page.tap("Dispute this hand")
    page.check()
    write(page, "text", "Bob had a kong of nines.")
    choose(page, "Cat")
    page.tap("Open the dispute")
    page.check()
    page.open(table)
    assert "1 open dispute" in page.text()
    page.check()
    page.tap("Bob had a kong of nines.")
    page.check()
    choose(page, "Bob")
    page.tap("Correct the hand now")
    page.tap("Type the totals")
    for seat, total in zip("ESWN", (20, 256, 8, 16), strict=True):
        write(page, f"total_{seat}", str(total))
    page.wait("//label[input[@id='winner-S']]").click()
    page.tap("See what this changes")
    page.tap("Save this correction")
    assert "open dispute" not in page.text()
    page.tap("Everything entered at this table")
    page.check()
    assert "Dispute about hand 1: corrected" in page.text()


def test_everything_that_explains_a_hand_is_fit_for_a_phone(page: Page, app: Flask) -> None:
    deal = demo(app, app.test_client())
    services_of(app).disputes.open(deal.rsplit("/", 1)[1], "Ann", "Was the kong concealed?")
    page.open(f"{deal}/result")
    page.check()
    page.tap("Why not more?")
    page.driver.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
    page.check()
    page.tap("Back to the score")
    page.tap("The same hand under other rules")
    page.check()
    page.tap("Western web rules")
    assert "★" in page.text()
    page.check()
    page.tap("Back to the score")
    page.tap("Photos, and who corrected what")
    page.check()
    page.tap("Back to the score")
    page.tap("Share or print this hand")
    page.check()
    paper = page.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
    sheets = base64.b64decode(paper["data"])
    sizes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", sheets)
    assert {(round(float(w)), round(float(h))) for w, h in sizes} == {A4_POINTS}
    assert len(sizes) <= 4


def test_lessons_and_quiz_on_a_phone(page: Page) -> None:
    page.open("/")
    page.tap("Learn to play and to score")
    page.check()
    for lesson in ("The tiles", "How a hand is built", "Points and doubles", "Special hands"):
        page.tap(lesson)
        page.check()
        page.tap("More to learn")
    page.tap("A scoring quiz")
    page.check()
    page.tap("Show me a hand")
    page.check()
    page.open("/learn/quiz/bmja-u3a/hard/3")
    asked = question("bmja-u3a", "hard", 3)
    write(page, "total", str(asked.result.total + 1))
    page.tap("Check my answer")
    assert "Not quite" in page.text()
    page.check()
    page.tap("The next hand")
    assert "0 of 1 right" in page.text()


def test_how_long_it_takes_on_a_phone(page: Page, app: Flask) -> None:
    for number in range(1, 12):
        put(app, f"a{number}", ("opened", 0), ("photo", 5), ("confirmed", 9 * number))
    page.open("/")
    page.tap("How long it takes")
    assert "11 hands so far" in page.text()
    page.check()


def test_nothing_is_cut_off_on_the_smallest_screen_in_the_dark(page: Page, app: Flask) -> None:
    feature = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", feature)
    client = app.test_client()
    deal = demo(app, client)
    opened = services_of(app).disputes.open(deal.rsplit("/", 1)[1], "Ann", "x" * 400)
    shared = client.post(f"{deal}/share").headers["Location"]
    page.size(320, 640)
    for path in (
        f"{deal}/why/S", f"{deal}/rules", f"{deal}/tiles", shared, f"/disputes/{opened}",
        "/learn/hands/ming-1876", "/learn/quiz/western/hard/2",
    ):  # fmt: skip
        page.open(path)
        page.assert_accessible()


def test_a_focused_line_marks_its_tiles_and_says_so(page: Page, app: Flask) -> None:
    deal = demo(app, app.test_client())
    state = services_of(app).store.deal(deal.rsplit("/", 1)[1])
    assert state is not None
    wrong = next(tile for tile in state.state.player("N").tiles if tile.label == "6p")
    form = {"action": "change", "tile": wrong.id, "label": "5p"}
    app.test_client().post(f"{deal}/players/N/edit", data=form)
    page.open(f"{deal}/result")
    page.unfold("Why ")
    line = page.wait("//button[@data-lights='7z 7z 7z 7z']")
    page.driver.execute_script("arguments[0].focus()", line)
    page.check()
    card = page.wait("//details[contains(@class, 'lit')]")
    (marked,) = card.find_elements(By.CSS_SELECTOR, ".marked")
    assert marked.get_attribute("data-tiles") == "7z 7z 7z 7z"
    assert line.get_attribute("aria-pressed") == "true"
    told = card.find_element(By.CSS_SELECTOR, "[data-told]")
    assert told.get_attribute("textContent") == line.get_attribute("data-said")
    line.send_keys(Keys.ESCAPE)
    assert not page.driver.find_elements(By.CSS_SELECTOR, ".marked, .lit")
    line.click()
    assert page.driver.find_elements(By.CSS_SELECTOR, ".marked")
    page.driver.find_element(By.TAG_NAME, "h1").click()
    assert not page.driver.find_elements(By.CSS_SELECTOR, ".marked, .lit")
