"""Walks a club's evening of three rounds and takes a picture of each page on the way.

``python -m tests.webapp.browser.evening_walk FOLDER de`` keeps the pictures, here in German.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from flask import Flask
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select

from tests.webapp.browser.browser import DESK, Page, chromium, serving
from tests.webapp.browser.screenshots import make_app
from tests.webapp.conftest import services_of
from tests.webapp.token_client import TokenClient
from webapp.draw import drawing
from webapp.evening.evenings import today
from webapp.games.store import StoredGame
from webapp.pages.display import cookie
from webapp.pages.evening import here

NARROW = (360, 780)
"""The narrowest phone that Kongbox is made for, in CSS pixels."""

PROJECTOR = (1280, 720)
"""What a projector in a village hall shows, in CSS pixels."""

FIRST = "Ann Ben Cat Dee Eve Fay Gus Hal Ida Jo Kit Lou Meg Ned Olive Pat Quentin Ros Sam"
LAST = "Archer Baker Carter Dean Ellis Fox Grant Hill Irwin Jones King Lowe Moss Nash Owen"
MEMBERS = tuple(
    f"{first} {last}"
    for first, last in zip(FIRST.split(), (LAST + " Archer Baker Cole Dean").split(), strict=True)
)
"""Nineteen names, some of which share their last one."""

TOTALS = {"E": "64", "S": "28", "W": "40", "N": "36"}
"""The totals of a hand that is typed at each table."""

ELSEWHERE = frozenset(
    {
        "home", "question", "our-club", "evenings", "evening-begun", "here-empty", "code",
        "by-phone", "here-person", "standing-before", "draw-before", "opened", "evening-opened",
        "totals", "hall-after-next", "home-after",
    }
)  # fmt: skip
"""Pages that the test of every page checks, or that are seen again with more on them."""

UNSEEN = """
const bell = document.querySelector('.bell').getBoundingClientRect();
return [...document.querySelectorAll('.hall section :is(p, li, .arriving img)')].filter(other => {
  const box = other.getBoundingClientRect();
  return (box.left < bell.right && bell.left < box.right
    && box.top < bell.bottom && bell.top < box.bottom) || box.bottom > innerHeight;
}).map(other => other.textContent);
"""
"""What of the display is under the button for the bell, or below the edge of the screen."""


class Walk:
    """A club's evening, walked by its organiser at a laptop and by players on their phones."""

    def __init__(self, page: Page, app: Flask, folder: Path | None) -> None:
        self.page, self.app, self.folder = page, app, folder
        self.client, self.taken = app.test_client(), 0
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def look(self, name: str, *sizes: tuple[int, int]) -> None:
        """Check the page at these sizes, a laptop's and a phone's unless told, and picture it.

        Without pictures the first of three rounds is enough, and what no other test looks at.
        """
        self.taken += 1
        if self.folder is None and (name[-1] in "23" or name in ELSEWHERE):
            return
        for width, height in sizes or (DESK, NARROW):
            self.page.size(width, height)
            self.page.assert_accessible()
            if self.folder is not None:
                high = self.page.driver.execute_script("return document.body.scrollHeight")
                self.page.size(width, max(height, high))
                file = self.folder / f"{self.taken:02}-{name}-{width}.png"
                self.page.driver.save_screenshot(str(file))
        self.page.size(*DESK)

    def css(self, css: str) -> WebElement:
        """The one element that this names, as soon as it is there."""
        return self.page.until(lambda: self.page.all(css))[0]

    def go(self, css: str) -> None:
        """Press what this names, and wait for the page it leads to."""
        self.page.press(self.css(css))

    def follow(self, address: str) -> None:
        """Press the link of this page that leads there; fails where there is none."""
        self.go(f"main a[href^='{address}']")

    def write(self, fields: Mapping[str, str], within: str = "main") -> None:
        """Type into fields of a form, or choose from them."""
        for name, text in fields.items():
            field = self.css(f"{within} [name='{name}']")
            if field.tag_name == "select":
                Select(field).select_by_visible_text(text)
            else:
                field.clear()
                field.send_keys(text)

    def send(self, address: str, **form: str) -> None:
        """Send a form without looking at its page."""
        assert self.client.post(address, data=form).status_code == 303, address

    def games(self, round_: int) -> list[StoredGame]:
        """The tables of a round of tonight."""
        return [it for it in services_of(self.app).tonight()[1] if it.round == round_]

    def decide(self) -> None:
        """The club answers its questions, found from the first page."""
        self.page.open("/")
        self.look("home")
        self.follow("/club/settings/")
        Select(self.css("select[name=ruleset]")).select_by_index(1)
        self.look("question")
        while self.page.all("main input[name=all]"):
            if self.page.all("input[name=number]"):
                self.write({"number": "10"})
            self.go("main form button.primary")
        self.look("our-club")

    def begin(self) -> str:
        """The evening begins, found from the first page; its address."""
        self.page.open("/")
        self.follow("/evenings")
        self.look("evenings")
        self.write({"place": "Village hall"})
        self.go("main form[action='/evenings'] button")
        address = self.page.driver.current_url.removeprefix(self.page.address)
        self.look("evening-begun")
        return address

    def check_in(self, evening: str) -> None:
        """Most are ticked, two come by phone, one of them a guest; one is late, one leaves."""
        self.follow(f"{evening}/here")
        self.look("here-empty")
        people = services_of(self.app).visits.members()
        ids = {name: person for person, name in people.items()}
        for name in MEMBERS[1:]:
            self.send(f"{evening}/here", **{"in": ids[name]})
        self.go("button[name=then][value=open]")
        code = services_of(self.app).code.of(evening.rsplit("/", 1)[1])
        self.page.open("/hall")
        self.look("hall-check-in", PROJECTOR)
        self.page.open("/in")
        self.look("code", NARROW)
        self.write({"code": str(code)})
        self.go("form.card button.primary")
        self.write({"q": MEMBERS[0].split()[0]})
        self.go("form.typed button")
        self.look("by-phone", NARROW)
        self.go("button[name=person]")
        self.look("by-phone-welcome", NARROW)
        self.css("details summary").click()
        self.write({"q": "Xaver Young"})
        self.go("form.typed button")
        self.go("button[name=name]")
        self.send(f"{evening}/here", name="Yvonne Zeller")
        self.page.open(f"{evening}/here")
        self.plan(evening, ids[MEMBERS[4]], first="2")
        self.plan(evening, ids[MEMBERS[7]], last="2")
        self.look("here")

    def plan(self, evening: str, person: str, **rounds: str) -> None:
        """Somebody comes later or leaves early, which is said on a page of its own."""
        self.follow(f"{evening}/here/{person}")
        for field, number in rounds.items():
            Select(self.css(f"select[name={field}]")).select_by_value(number)
        if "last" in rounds:
            self.look("here-person", NARROW)
        self.go("main form button.primary")

    def tournament(self, evening: str) -> None:
        """The evening becomes a tournament before a tile is laid."""
        self.page.open(evening)
        self.follow(f"{evening}/standings")
        self.look("standing-before")
        self.go("section[aria-labelledby=begin] form button.primary")

    def draw(self, evening: str) -> None:
        """Three rounds are drawn, with two who are kept apart."""
        self.page.open(f"{evening}/here")
        self.follow(f"{evening}/draw")
        self.look("draw-before")
        self.css("section[aria-labelledby=wishes] details summary").click()
        self.write({"one": MEMBERS[1], "other": MEMBERS[2]})
        self.go("section[aria-labelledby=wishes] details form button")
        self.go("button[name=then][value=draw]")
        self.look("drawn")
        self.page.open(self.by_phone(evening))
        self.look("by-phone-drawn", NARROW)
        self.page.open("/hall")
        self.look("hall-drawn", PROJECTOR)

    def by_phone(self, evening: str) -> str:
        """Where the phone looks that checked in."""
        return f"/in/{services_of(self.app).code.of(evening.rsplit('/', 1)[1])}"

    def round(self, evening: str, number: int) -> None:
        """A round is opened by a tap, timed, played and ended; the first is looked at closely."""
        self.page.open(f"{evening}/draw")
        self.go(f"button[name=open][value='{number - 1}']")
        if number == 1:
            self.look("opened")
            self.follow(evening)
            self.look("evening-opened")
            self.write({"minutes": "45"})
            self.go("button[name=then][value=start]")
            self.look("evening-clock")
        else:
            self.send(f"{evening}/clock", then="start", minutes="45", round=str(number))
        self.page.open("/at/3")
        self.hand(number)
        for stored in self.games(number):
            table, hand = f"/tables/{stored.id}", stored.game.next.number if stored.game.next else 9
            totals = {f"total_{seat}": total for seat, total in TOTALS.items()}
            seat = "ESWN"[(stored.number or 0) % 4]
            self.send(f"{table}/hands/{hand}/totals", winner=seat, source="wall", **totals)
        self.page.open("/hall")
        self.look(f"hall-round-{number}", PROJECTOR)
        self.page.size(*PROJECTOR)
        assert self.page.driver.execute_script(UNSEEN) == []
        self.page.open(self.by_phone(evening))
        self.look(f"by-phone-round-{number}", NARROW)
        for stored in self.games(number)[:-1]:
            self.send(f"/tables/{stored.id}/close", closed="yes")
        self.page.open(f"{evening}/standings")
        self.look(f"standing-round-{number}")
        self.send(f"/tables/{self.games(number)[-1].id}/close", closed="yes")
        self.send(f"{evening}/clock", then="stop")

    def hand(self, number: int) -> None:
        """A phone at the table enters a hand."""
        table = self.page.driver.current_url.removeprefix(self.page.address)
        assert table == f"/tables/{self.games(number)[2].id}"
        self.look(f"table-round-{number}", NARROW)
        self.follow(f"{table}/hands/1/totals")
        self.write({f"total_{seat}": total for seat, total in TOTALS.items()})
        self.css("label:has(#winner-E)").click()
        if number == 1:
            self.look("totals", NARROW)
        self.go("main form button.primary")

    def end(self, evening: str) -> None:
        """The evening is over: what is seen, and what is printed."""
        self.page.open("/")
        self.look("home-after")
        self.page.open("/hall")
        self.look("hall-after", PROJECTOR)
        self.page.open("/hall?turn=1")
        self.look("hall-after-next", PROJECTOR)
        self.page.open(evening)
        self.look("evening-after")
        for paper in ("page.pdf", "draw.pdf", "certificates.pdf", "cards.pdf?tables=5"):
            answer = self.client.get(f"{evening}/{paper}")
            assert answer.data.startswith(b"%PDF"), paper
            if self.folder is not None:
                (self.folder / paper.split("?")[0]).write_bytes(answer.data)


def members(app: Flask) -> None:
    """The club has played before, so that it knows its members."""
    club = services_of(app).club
    club.welcome(club.open_evening(today() - timedelta(days=7), "Village hall"), MEMBERS)


def walk(page: Page, app: Flask, folder: Path | None = None) -> None:
    """Walk a whole evening, from a club that has decided nothing to its certificates.

    Args:
        page: the browser.
        app: the application that it shows.
        folder: where pictures of all pages and the printed papers are kept.
    """
    steps = Walk(page, app, folder)
    steps.decide()
    members(app)
    evening = steps.begin()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(here, "address_for_phones", lambda: page.address)
        patch.setattr(drawing, "STEPS", 300)
        steps.check_in(evening)
        steps.tournament(evening)
        steps.draw(evening)
        for number in (1, 2, 3):
            steps.round(evening, number)
        steps.end(evening)


def main(folder: str, language: str = "en") -> None:
    """Walk it with the real recogniser at hand, in this language."""
    with TemporaryDirectory() as scratch:
        app = make_app(Path(scratch))
        app.test_client_class = TokenClient
        with serving(app) as address, chromium(Path(scratch) / "profile") as chrome:
            chrome.get(address)
            chrome.add_cookie({"name": cookie("language"), "value": language})
            walk(Page(chrome, address), app, Path(folder))
            chrome.get("about:blank")
        services_of(app).close()


if __name__ == "__main__":
    main(*sys.argv[1:3])
