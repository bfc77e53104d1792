"""Every page there is, at the size of a phone: light, accessible, within the screen."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any, Final

import pytest
from flask import Flask
from flask.testing import FlaskClient
from selenium.webdriver.common.by import By

from tests.webapp.book_fixtures import book_of, two_evenings
from tests.webapp.browser.browser import Page
from tests.webapp.conftest import services_of, wait_for_photos
from tests.webapp.fakes import EMPTY_PHOTO, FakeReader
from tests.webapp.pages.club.test_tile_sets import look, teach
from tests.webapp.pages.deal.test_pages import demo
from tests.webapp.pages.deal.test_whole_table import photograph, table_reading
from tests.webapp.pages.table.test_games import open_table, totals
from tests.webapp.security.test_login import PASSWORD, club, kept, logged_in
from tests.webapp.serving.serving import letting_of, with_doors
from webapp.security.login import EXTENSION

__all__ = ["club", "kept", "look"]

pytestmark = pytest.mark.browser

NO_PAGES: Final = frozenset(
    {
        *("static", "home.sample_picture", "table.live", "here.live", "sheets.table_file"),
        *("sheets.evening_file", "capture.picture", "shares.picture"),
        *("standings.file", "leagues.file", "clock.show"),
        *("paper.evening_page", "paper.draw_page", "paper.cards", "paper.certificates"),
        *("paper.at_table", "boards.certificates", "cameras.picture"),
        *("cameras.show", "api.health", "api.ready", "boards.file", "players.chart"),
        "keeping.last_copy",
        *("players.export", "keeping.everything", "house_rules.download", "tile_sets.download"),
        *("offline.worker", "offline.token", "phones.code", "phones.now", "shares.code"),
        *("trust.enter", "trust.certificate", "trust.profile"),
    }
)
"""Files, pictures, parts of pages, and what programs read."""

LEAST_TARGET: Final = 24
LEAST_TEXT: Final = 16.0
SMALLEST_TEXT: Final = 12.0
MOST_BYTES: Final = 200_000
"""Of a page with all that it needs, as it is sent on a first visit; people's photos apart."""

NARROW: Final = (360, 740)
"""A narrow phone's screen in CSS pixels."""

HEADERS: Final = 300
"""Bytes that a browser counts for the headers of each answer."""

MEASURE: Final = r"""
const targets = [...document.querySelectorAll(
  'a[href], button, input:not([type=hidden]), select, textarea, summary, label:has(input)')];
const shown = (e) => e.checkVisibility({visibilityProperty: true}) && !e.closest('.sr, .skip');
const inText = (e) => e.tagName === 'A' && getComputedStyle(e).display === 'inline'
  && e.parentElement.textContent.trim() !== e.textContent.trim();
const covered = (e) => e.matches('input') && e.closest('label');
const drawn = (e) => e.closest('svg');
const small = targets.filter((e) => shown(e) && !inText(e) && !covered(e) && !drawn(e))
  .map((e) => [e.outerHTML.slice(0, 90), e.getBoundingClientRect()])
  .filter(([, box]) => Math.min(box.width, box.height) < arguments[0])
  .map(([html, box]) => `${html} ${box.width} x ${box.height}`);
const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const tiny = [];
while (words.nextNode()) {
  const holder = words.currentNode.parentElement;
  if (!words.currentNode.data.trim() || !shown(holder) || drawn(holder)) continue;
  if (parseFloat(getComputedStyle(holder).fontSize) < arguments[1]) tiny.push(holder.outerHTML);
}
const tooWide = () =>
  document.documentElement.scrollWidth - document.documentElement.clientWidth;
const NOT_WORDS = 'script, style, option, textarea, bdi, .address, .fingerprint';
function texts() {
  const found = [];
  const every = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (every.nextNode()) {
    const node = every.currentNode;
    const box = node.parentElement.getBoundingClientRect();
    const read = shown(node.parentElement) && !drawn(node.parentElement) && box.width > 2;
    if (node.data.trim() && read && !node.parentElement.closest(NOT_WORDS)) found.push(node);
  }
  return found;
}
function brokenWords() {
  const broken = [];
  for (const node of texts()) {
    for (const word of node.data.matchAll(/[\p{L}\p{N}.,\u2019']+/gu)) {
      if (word[0].length < 2 || word[0].length > 17) continue;
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const tops = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      if (tops.size > 1) broken.push(`${word[0]} in ${node.parentElement.outerHTML.slice(0, 70)}`);
    }
  }
  return broken;
}
const names = texts().filter((node) => /\bAnn\b/.test(node.data));
const short = names.map((node) => node.data);
names.forEach((node) => { node.data = node.data.replace(/\bAnn\b/g, 'Ann Featherstonehaugh'); });
const print = document.documentElement.dataset.print;
const printed = {};
for (const size of ['usual', 'large', 'largest']) {
  document.documentElement.dataset.print = size;
  printed[size] = { wide: tooWide(), broken: brokenWords() };
}
if (print) document.documentElement.dataset.print = print;
else delete document.documentElement.dataset.print;
names.forEach((node, index) => { node.data = short[index]; });
const headers = arguments[2];
const files = [...performance.getEntriesByType('navigation'),
  ...performance.getEntriesByType('resource')];
return {
  small, tiny,
  lang: document.documentElement.lang,
  title: document.title,
  viewport: document.querySelector('meta[name=viewport]')?.content ?? '',
  headings: document.querySelectorAll('h1').length,
  text: parseFloat(getComputedStyle(document.body).fontSize),
  printed,
  bytes: files.filter((f) => !/photos.*[.]jpg/.test(f.name))
    .reduce((sum, f) => sum + f.encodedBodySize + headers, 0),
  files: files.length,
};
"""


def one_hand(client: FlaskClient) -> str:
    """A hand on its own, with its tiles."""
    deal = client.post("/worth").headers["Location"].split("/players/")[0]
    hand = {"action": "type", "codes": "234m 555p 666s 777z 99m 1f"}
    client.post(f"{deal}/players/S/edit", data=hand)
    return f"{deal}/worth"


def found(text: str, pattern: str) -> str:
    match = re.search(pattern, text)
    assert match is not None, pattern
    return match[0]


def a_dispute(client: FlaskClient, deal: str) -> str:
    form = {"who": "Ann", "text": "Was the kong concealed?"}
    client.post(f"{deal}/dispute", data=form)
    return found(client.get(f"{deal}/result").text, "/disputes/[0-9a-f]{32}")


def a_draw(client: FlaskClient, evening: str) -> str:
    page = client.get(f"{evening}/draw").text
    people = re.findall('name="person" value="([0-9a-f]+)"', page)
    client.post(f"{evening}/draw", data={"person": people, "rounds": "1"})
    return f"{evening}/draw"


def a_person_here(client: FlaskClient, evening: str) -> str:
    return found(client.get(f"{evening}/here").text, f"{evening}/here/[0-9a-f]{{32}}")


def check_in(app: Flask, client: FlaskClient) -> str:
    evening = services_of(app).club.evenings()[0].id
    client.post(f"/evenings/{evening}/here/code", data={"then": "open"})
    code = services_of(app).code.of(evening)
    client.post(f"/in/{code}", data={"name": "Zoe"})
    return f"/in/{code}?q=Zeb"


def a_tournament(client: FlaskClient, evening: str) -> str:
    client.post(f"{evening}/standings", data={"preset": "european"})
    contest = found(client.get(f"{evening}/standings").text, "/contests/[0-9a-f]{32}")
    page = client.get(contest).text
    head, person = re.findall('name="(?:head|player)" value="([0-9a-f]+)"', page)[:2]
    team = {"head": head, "team_name": "Winds", "player": person}
    client.post(f"{contest}/teams", data=team)
    return contest


def old_results(client: FlaskClient) -> str:
    """Results of an evening without hands."""
    data = {"file": (BytesIO(b"Name,Date,Points\nAnn,5/3/2019,4\n"), "older.csv")}
    address = client.post("/imports", data=data).headers["Location"]
    mark = found(client.get(address).text, '(?<=name="mark" value=")[0-9a-f]+')
    columns = {"heading": "1", "column-0": "name", "column-1": "day", "column-2": "points"}
    client.post(address, data={**columns, "mark": mark, "target": "results", "then": "take"})
    return "/results/2019-03-05"


def a_list(client: FlaskClient) -> str:
    """A list with a new player, two known ones, one asked about and a line that is left out."""
    data = b"Name;Member no;Date;Points;Table\nAnn;7;5/3/2020;40;1\nCat;;5/3/2020;-50;1\n"
    data += b"Bobb;;5/3/2020;10;1\nZoe;9;5/3/2020;x;2\nEve Sun;;12/3/2020;3;1\n"
    sent = client.post("/imports", data={"file": (BytesIO(data), "old results.csv")})
    return sent.headers["Location"]


def a_removal(client: FlaskClient) -> str:
    deal = client.post("/deals").headers["Location"]
    client.post(f"/removed/deal/{deal.rsplit('/', 1)[1]}")
    return "/removed"


def addresses(app: Flask, client: FlaskClient, reader: FakeReader) -> dict[str, str]:
    """Where each page is found, by its endpoint, in a club that has a bit of everything."""
    two_evenings(services_of(app).engine)
    ann = book_of(services_of(app).engine).people.named("Ann")
    assert ann is not None
    table = open_table(client)
    evening = found(client.get(table).text, "/evenings/[0-9a-f]{32}")
    totals(client, table, 1, "S", 20, 128, 8, 16)
    check = totals(client, table, 1, "E", 128, 20, 8, 16)
    deal = demo(app, client)
    stored = services_of(app).store.deal(deal.rsplit("/", 1)[1])
    assert stored is not None
    tile = stored.state.player("N").tiles[0].id
    other = client.post("/deals").headers["Location"]
    failed = client.post(f"{other}/players/E/photo", data={"photo": (BytesIO(EMPTY_PHOTO), "e")})
    wait_for_photos(app, other.rsplit("/", 1)[1])
    third = client.post("/deals").headers["Location"]
    day = {"name": "Spring", "first": "2026-01-01", "last": "2026-06-30"}
    client.post("/seasons", data=day)
    evening = found(client.get(table).text, "/evenings/[0-9a-f]{32}")
    contest = a_tournament(client, evening)
    draft = teach(client, "Other set")
    client.post(teach(client), data={"then": "keep"})
    services_of(app).backups.round()
    with client.get("/keeping/everything.zip") as everything:
        copy = {"file": (BytesIO(everything.data), "all.zip")}
    accounts = app.extensions[EXTENSION].all()
    return {
        "home.index": "/", "home.laying": "/laying-tiles", "display.show": "/settings",
        "evenings.index": "/evenings", "hall.show": "/hall", "evenings.new_table": "/tables/new",
        "evenings.show": evening, "draws.show": a_draw(client, evening),
        "here.show": f"{evening}/here", "here.person": a_person_here(client, evening),
        "arriving.start": "/in", "arriving.show": check_in(app, client),
        "standings.show": f"{evening}/standings", "counting.show": contest,
        "counting.gone": f"{contest}/gone", "leagues.index": "/leagues",
        "leagues.show": client.post("/leagues", data=day | {"last": "2027-01-01"}).location,
        "table.show": table, "table.history": f"{table}/history",
        "removals.ask": f"/removed/table/{table.rsplit('/', 1)[1]}",
        "removals.index": a_removal(client), "places.show": f"{table}/places",
        "places.check": f"{table}/places/check?player=Dee&name=Eve&hand=2",
        "hands.show": f"{table}/hands/1", "hands.totals": f"{table}/hands/2/totals",
        "hands.payments": f"{table}/hands/2/payments", "hands.check": check.headers["Location"],
        "sheets.show": f"{table}/sheets", "deal.show": deal, "table.show, empty": third,
        "capture.show": f"{deal}/players/E/photo", "capture.progress": failed.headers["Location"],
        "tiles.show": f"{deal}/players/N", "tiles.show, keyboard": f"{deal}/players/N?add=tile",
        "tiles.one": f"{deal}/players/N/tiles/{tile}", "winning.show": f"{deal}/win",
        "worth.show": one_hand(client), "result.show": f"{deal}/result", "why.why": f"{deal}/why/S",
        "why.rules": f"{deal}/rules", "why.trail": f"{deal}/tiles",
        "disputes.new": f"{deal}/dispute", "disputes.show": a_dispute(client, deal),
        "shares.show": client.post(f"{deal}/share").headers["Location"],
        "another_photo.show": f"{deal}/players/N/another",
        "whole_table.show": f"{third}/table-photo",
        "whole_table.seats": photograph(client, app, third, reader.learn(table_reading())),
        "learning.index": "/learn", "learning.tiles": "/learn/tiles",
        "learning.hand": "/learn/hand", "learning.any_rules": "/learn/rules",
        "learning.rules": "/learn/rules/western", "learning.any_hands": "/learn/hands",
        "learning.hands": "/learn/hands/western", "quiz.start": "/learn/quiz",
        "learning.ask": "/learn/ask?theirs=uk-1924",
        "referee.index": "/learn/referee", "referee.situation": "/learn/referee/two_want",
        "quiz.begin": "/learn/quiz/new", "quiz.ask": "/learn/quiz/western/hard/2",
        "course.index": "/course", "course.sheet": "/course/tiles",
        "finding.words": "/course/words", "finding.search": "/course/search?q=robbing+a+kong",
        "timing.show": "/how-long", "boards.contents": "/book", "boards.show": "/board?season=all",
        "boards.records": "/records", "boards.seasons": "/seasons",
        "boards.season": found(client.get("/seasons").text, "/seasons/[0-9a-f]{32}"),
        "balances.show": found(client.get("/seasons").text, "/seasons/[0-9a-f]{32}/opening"),
        "balances.day": old_results(client),
        "imports.index": "/imports", "imports.show": a_list(client),
        "players.index": "/players", "players.show": f"/players/{ann.id}",
        "players.ask_erase": f"/players/{ann.id}/erase",
        "players.ask_join": f"/players/{ann.id}/join?other={ann.id}",
        "keeping.history": "/keeping/history", "search.show": "/search?q=ann",
        "keeping.show": "/keeping",
        "our_club.show": "/club/settings", "our_club.ask": "/club/settings/rules?all=yes",
        "restoring.ask": client.post("/keeping/restore", data=copy).headers["Location"],
        "accounts.index": "/accounts",
        "accounts.ask_remove": f"/accounts/{accounts[-1].id}/remove",
        "house_rules.index": "/house-rules", "house_rules.show": "/house-rules/western",
        "house_rules.edit": "/house-rules/western/edit", "tile_sets.index": "/sets",
        "tile_sets.new": "/sets/new", "tile_sets.check": draft, "tile_sets.ask": f"{draft}/0/3",
        "tile_sets.show": "/sets/Club%20set", "offline.page": "/offline", "login.show": "/login",
        "phones.show": "/phones", "phones.ask_stop": "/stop", "trust.show": "/trust",
    }  # fmt: skip


def faults(page: Page, endpoint: str) -> list[str]:
    """What is wrong with the page that is open."""
    measured: dict[str, Any] = page.driver.execute_script(
        MEASURE, LEAST_TARGET, SMALLEST_TEXT, HEADERS
    )
    wrong = {
        "no language": not measured["lang"],
        "no title of its own": not measured["title"].endswith("Kongbox"),
        "no viewport": "width=device-width" not in measured["viewport"],
        "zoom is forbidden": "scalable" in measured["viewport"],
        f"{measured['headings']} main headings": measured["headings"] != 1,
        f"text of {measured['text']} px": measured["text"] < LEAST_TEXT,
        f"{measured['bytes']} bytes": not 0 < measured["bytes"] < MOST_BYTES,
    }
    found = [what for what, is_so in wrong.items() if is_so]
    for size, seen in measured["printed"].items():
        found += [f"{seen['wide']} px too wide in {size} print"] if seen["wide"] > 0 else []
        found += [f"broken in {size} print: {word}" for word in seen["broken"]]
    found += [f"small target: {target}" for target in measured["small"]]
    found += [f"tiny text: {text[:90]}" for text in measured["tiny"]]
    found += [f"console: {entry}" for entry in page.log()]
    return [f"{endpoint}: {what}" for what in found]


def test_every_page_is_light_accessible_and_within_the_screen(
    page: Page, club: Flask, reader: FakeReader
) -> None:
    with_doors(club)
    letting_of(club).open()
    where = addresses(club, logged_in(club, "Sue"), reader)
    there = {
        rule.endpoint for rule in club.url_map.iter_rules() if "GET" in (rule.methods or set())
    }
    named = {endpoint.partition(",")[0] for endpoint in where}
    assert named | NO_PAGES == there, "say in this file where the new page is found"
    page.size(*NARROW)
    page.open("/login")
    page.driver.find_element(By.NAME, "name").send_keys("Sue")
    page.driver.find_element(By.NAME, "password").send_keys(PASSWORD)
    page.tap("Log in")
    wrong: list[str] = []
    titles: dict[str, str] = {}
    with page.with_axe():
        for endpoint, address in where.items():
            page.open(address)
            wrong += faults(page, endpoint)
            page.assert_accessible()
            titles[endpoint] = page.driver.title
    assert not wrong, "\n".join(wrong)
    assert len(set(titles.values())) >= len(named) - 8, "pages are told apart by their titles"
