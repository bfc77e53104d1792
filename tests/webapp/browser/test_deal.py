"""The page in a real browser, at the size of a phone and of a desk."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import randbytes

import pytest
from flask import Flask
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import scorer
from tests.webapp.browser.browser import DESK, Page
from tests.webapp.browser.test_evening import focus
from tests.webapp.conftest import wait_for_photos
from tests.webapp.fakes import DEAL, FakeReader, reading_of
from webapp.security.bodies import MAX_PHOTO_BYTES

pytestmark = pytest.mark.browser


def test_from_a_sample_photo_to_the_payments_on_a_phone(page: Page) -> None:
    page.open("/")
    page.check()
    page.tap("Score a deal")
    page.check()
    for number, player in enumerate(DEAL["players"]):
        page.press(page.all(".player .button.primary")[0])
        assert page.all(f".samples li:nth-child({number + 1}) button")
        page.press(page.all(".samples button")[number])
        page.wait("//h2[contains(., 'In hand')]")
        assert len(page.all(".overlay polygon")) == len(player["concealed"]) + len(
            player["bonus"]
        ) + sum(len(meld["tiles"]) for meld in player["melds"])
        if player["seat"] == "N":
            page.check()
            page.press(page.all(".tap.doubt")[0])
            page.check()
            page.press(page.all(".likely .key")[0])
            assert "Nothing doubtful" in page.text()
        page.tap("Done with")
    for answer in ("winner-S", "tile-6s", "source-discard"):
        page.choose(answer)
    page.check()
    page.tap("Show the score")
    page.check()
    expected = scorer.score_deal(scorer.parse_deal(DEAL)).to_json()
    words = page.text()
    seats = {"E": "East", "S": "South", "W": "West", "N": "North"}
    for payment in expected["payments"]:
        sentence = f"{seats[payment['from']]} pays {seats[payment['to']]} {payment['amount']:,}"
        assert sentence in words
    assert "add up to zero" in words
    page.driver.refresh()
    assert page.text() == words, "a reload loses nothing"
    page.open("/")
    page.press(page.all(".deals a")[0])
    assert page.text() == words, "and so does coming back from the list"


def test_the_result_on_a_desk(page: Page) -> None:
    page.size(*DESK)
    page.open("/")
    page.check()
    page.tap("Try the demo")
    page.wait("//main[not(.//*[contains(@class, 'spinner')])]")
    page.check()
    page.tap("Check North")
    page.check()
    page.tap("All tiles are right")
    page.tap("Done with North")
    page.tap("Show the score")
    page.check()


def test_quick_taps_on_the_keyboard_all_count(page: Page) -> None:
    page.open("/")
    page.tap("Score a deal")
    page.press(page.all(".player .button:not(.primary)")[0])
    for label in ("1m", "1m", "7z", "1f"):
        page.driver.execute_script(
            "arguments[0].click()", page.driver.find_element(By.CSS_SELECTOR, f"[value='{label}']")
        )
    page.wait("//section[h2[contains(., 'Flowers')]]")
    page.wait("//*[@id='tiles'][count(.//*[contains(concat(@class, ' '), 'tap ')]) = 4]")
    page.check()
    assert page.all(".keyboard"), "the keyboard stays"
    page.wait("//section[@class='keyboard']//button[@value='1f' and contains(@class, 'spent')]")
    key = page.all(".keyboard .key[value='9s']")[0]
    page.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", key)
    key.click()
    page.wait("//*[@id='added'][count(img) = 5]")
    assert page.driver.switch_to.active_element.get_attribute("value") == "9s"
    page.size(360, 740)
    rows = page.driver.execute_script(
        "return [...document.querySelectorAll('.keyboard .key')]"
        ".map(key => key.getBoundingClientRect()).map(box => [box.top, box.width, box.height])"
    )
    tops = sorted({round(top) for top, _, _ in rows})
    assert len(tops) == 5, "nine keys in a row"
    assert tops[-1] - tops[0] + rows[0][2] < 400, "all of them on one screen"
    assert min(width for _, width, _ in rows) >= 39


def test_a_wrong_chow_is_told_without_leaving_the_keyboard(page: Page) -> None:
    page.open("/")
    page.tap("Score a deal")
    page.press(page.all(".player .button:not(.primary)")[0])
    page.tap("Chow")
    page.driver.find_element(By.CSS_SELECTOR, "[value='9s']").click()
    page.wait("//*[@id='messages'][contains(., 'A chow starts with')]")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_colours_keep_their_contrast(page: Page, scheme: str) -> None:
    feature = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", feature)
    page.open("/")
    page.tap("Try the demo")
    page.wait("//main[not(.//*[contains(@class, 'spinner')])]")
    page.check()
    page.tap("Check North")
    page.check()
    page.tap("Who won")
    page.check()
    page.open("/no-such-page")
    assert any("404" in entry for entry in page.log())
    page.check()


@pytest.mark.parametrize("path", ["", "/players/S", "/players/S?add=tile", "/win", "/result"])
def test_nothing_is_cut_off_on_the_smallest_screen(page: Page, app: Flask, path: str) -> None:
    deal = app.test_client().post("/demo").headers["Location"]
    wait_for_photos(app, deal.rsplit("/", 1)[1])
    page.size(320, 640)
    page.open(deal + path)
    wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.driver.execute_script(wide) == 0


@pytest.mark.parametrize("size", [(360, 740), DESK])
@pytest.mark.parametrize("path", ["", "/win"])
def test_after_an_answer_the_next_question_is_in_view(
    page: Page, app: Flask, size: tuple[int, int], path: str
) -> None:
    deal = app.test_client().post("/demo").headers["Location"]
    wait_for_photos(app, deal.rsplit("/", 1)[1])
    page.size(*size)
    page.open(deal + path)
    for answer, following in (
        ("winner-nobody", "winner-nobody"),
        ("winner-E", "ask-tile"),
        ("winner-S", "ask-tile"),
        ("tile-6s", "ask-source"),
        ("source-discard", "source-discard"),
    ):
        centred = "const it = document.getElementById(arguments[0]).closest('label');"
        centred += "it.scrollIntoView({block: 'center'}); return it.getBoundingClientRect().top"
        before = page.driver.execute_script(centred, answer)
        page.choose(answer)
        page.until(partial(in_view, page, following))
        after = page.driver.execute_script(TOP, answer)
        assert abs(after - before) < size[1] / 2, "what was tapped stays near the finger"


TOP = "return document.getElementById(arguments[0]).closest('label').getBoundingClientRect().top"


def in_view(page: Page, name: str) -> bool:
    """Whether an element stands wholly on the screen, by its id; of a radio button its label."""
    shown: bool = page.driver.execute_script(
        "const it = document.getElementById(arguments[0]);"
        "const box = (it.closest('label') ?? it).getBoundingClientRect();"
        "return box.top >= 0 && box.bottom <= innerHeight",
        name,
    )
    return shown


def test_a_photo_is_sent_as_soon_as_it_is_chosen(
    page: Page, reader: FakeReader, tmp_path: Path
) -> None:
    photo = tmp_path / "west.jpg"
    photo.write_bytes(reader.learn(reading_of(DEAL["players"][2], {})))
    send_west(page, photo)
    assert len(page.all(".overlay polygon")) == 14


def test_a_photo_that_is_too_large_is_answered_in_words(page: Page, tmp_path: Path) -> None:
    photo = tmp_path / "huge.jpg"
    photo.write_bytes(randbytes(2 * MAX_PHOTO_BYTES))
    page.open("/")
    page.tap("Score a deal")
    page.press(page.all(".player .button.primary")[2])
    page.all("input[type=file]")[0].send_keys(str(photo))
    page.wait("//*[contains(., 'smaller picture size')]")


def send_west(page: Page, photo: Path) -> None:
    """Score a deal, of which West's tiles are photographed."""
    page.open("/")
    page.tap("Score a deal")
    page.press(page.all(".player .button.primary")[2])
    page.all("input[type=file]")[0].send_keys(str(photo))
    page.wait("//h1[contains(., 'West')]/following::h2[contains(., 'In hand')]")


def test_a_missing_tile_is_tapped_where_it_is_missed(
    page: Page, reader: FakeReader, tmp_path: Path
) -> None:
    west = DEAL["players"][2]
    photo = tmp_path / "west.jpg"
    photo.write_bytes(reader.learn(reading_of({**west, "concealed": west["concealed"][2:]}, {})))
    send_west(page, photo)
    assert "2 tiles are missing" in page.text()
    page.check()
    count = len(page.all("#tiles .tap"))
    for left in ("1 tile is missing", None):
        page.all("#missing .key")[0].click()
        count += 1
        page.wait(f"//*[@id='tiles'][count(.//a[contains(@class, 'tap')]) = {count}]")
        page.wait(f"//body[contains(., '{left}')]" if left else "//div[@id='missing'][not(*)]")
        focused = page.driver.switch_to.active_element
        assert focused.tag_name != "body", "what is pressed is exchanged, and still has the focus"
    assert page.all("#missing .key") == []


def test_tiles_read_like_one_put_right_are_asked_about_on_the_players_page(
    page: Page, reader: FakeReader, tmp_path: Path
) -> None:
    west = DEAL["players"][2]
    read = reading_of(west, {})
    alike = [tile for tile in read["tiles"] if tile["row"] == 1][:2]
    for tile in alike:
        tile |= {"label": "8s", "alternatives": [["8s", 0.99], ["6s", 0.009]]}
    photo = tmp_path / "west.jpg"
    photo.write_bytes(reader.learn(read))
    send_west(page, photo)
    page.press(page.all(".tap[aria-label^='eight bamboo']")[0])
    page.press(page.all(".key[value='6s']")[0])
    assert "as you said" in page.text()
    page.check()
    page.press(page.wait("//button[@name='number']"))
    page.wait("//main[not(.//*[@class='card question'])]")
    assert page.driver.current_url.endswith("/players/W")
    assert len(page.all(".tap[aria-label^='six bamboo']")) >= 2
    page.tap("Undo")
    assert "as you said" in page.text()
    page.tap("Next: North")
    page.wait("//h1[contains(., 'North')]")


def test_the_whole_flow_needs_no_pointer(page: Page) -> None:
    """From the first page to the payments with the tabulator, the space bar and the enter key."""
    page.open("/")
    focus(page, "Score a deal")
    page.enter()
    hands = {"South": "111s 999s 555z 666s 22z", "West": "", "North": "", "East": ""}
    for seat, codes in hands.items():
        focus(page, f"Enter tiles\n{seat}")
        page.enter()
        if codes:
            focus(page, "Type the tiles instead")
            page.driver.switch_to.active_element.send_keys(Keys.ENTER)
            focus(page, "codes")
            page.driver.switch_to.active_element.send_keys(codes)
            page.enter()
            focus(page, "Done adding")
        else:
            focus(page, "Done adding")
            page.enter()
            focus(page, "Not shown: count 0")
        page.enter()
        focus(page, f"Done with {seat}")
        page.enter()
    for group, downs in (("winner", 1), ("tile", 1), ("source", 0)):
        focus(page, group)
        if downs:
            for _ in range(downs):
                page.driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
        else:
            page.driver.switch_to.active_element.send_keys(Keys.SPACE)
        chosen = page.driver.execute_script("return document.activeElement.id")
        page.wait(f"//input[@id='{chosen}' and @checked]")
        page.wait("//body[not(.//*[contains(@class, 'htmx-request')])]")
        assert page.driver.switch_to.active_element.get_attribute("id") == chosen
    focus(page, "Show the score")
    page.enter()
    assert "South won" in page.text()
    assert "add up to zero" in page.text()


def test_a_tile_is_dragged_from_the_hand_to_a_set_and_put_back_without_dragging(page: Page) -> None:
    page.open("/")
    page.tap("Score a deal")
    page.press(page.all(".player .button.primary")[0])
    page.tap("Tap the tiles in instead")
    for mode, tiles in (("pung", 3), ("tile", 4)):
        page.driver.get(page.driver.current_url.split("?")[0] + f"?add={mode}")
        key = page.all(".keyboard .key")[0]
        page.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", key)
        key.click()
        page.wait(f"//main[count(.//*[@data-place]/li) = {tiles}]")
    page.tap("Done adding")
    hand, laid = page.all("[data-place]")
    assert (len(hand.find_elements(By.TAG_NAME, "li")), len(page.all(".set .tiles li"))) == (1, 3)
    tile = hand.find_element(By.CSS_SELECTOR, "li")
    goal = laid.find_element(By.CSS_SELECTOR, "li")
    drag = ActionChains(page.driver).click_and_hold(tile).pause(0.3).move_by_offset(6, 6)
    drag.move_to_element(goal).pause(0.2).move_by_offset(4, 2).pause(0.3).release().perform()
    page.wait("//main[count(.//li[contains(@class, 'set')]//li) = 4]")
    page.check()
    page.press(page.all(".set li a")[0])
    page.check()
    page.tap("It is in hand")
    page.wait("//main[count(.//li[contains(@class, 'set')]//li) = 3]")
