"""What the page answers, in English and in Chinese, on databases of its own."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.equal import (
    inside_page,
    page_club,
    page_deals,
    page_games,
    page_photos,
    page_programs,
)
from tests.equal.browser import LANGUAGES, Browser, links
from tests.equal.records import Records

MOST_OF_A_KIND: Final = 8
"""Pages of one route that links are followed to,"""
_UNENDING: Final = "/live"
"""all but streams of events."""

_PLACES: Final = {
    **dict.fromkeys(("deal_id", "game_id", "evening_id", "account_id", "person_id"), "0" * 32),
    **dict.fromkeys(("number", "photo", "tile", "seed"), 1),
    **dict.fromkeys(("ruleset", "ruleset_id"), "western"),
    "filename": "kongbox.css",
    "kind": "csv",
    "level": "easy",
    "seat": "E",
}
"""What stands in the addresses of routes that are tried."""


def record(records: Records) -> None:
    """Record all that the page answers; in a hurry each scene in one of the languages."""
    for turn, language in enumerate(LANGUAGES):
        for number, (name, scene) in enumerate(SCENES.items()):
            if not records.quick or number % len(LANGUAGES) == turn:
                _play(records, name, scene, language)


def _play(records: Records, name: str, scene: Callable[[Browser], None], language: str) -> None:
    with tempfile.TemporaryDirectory() as folder, inside_page.open_club(Path(folder)) as club:
        scene(Browser(records, club, name, language))


def _every_page(browser: Browser) -> None:
    """Every page of a club that has a bit of everything, and where their links lead."""
    inside_page.add_accounts(browser.club)
    browser.enter("Sue")
    pages = inside_page.every_page(browser.club, browser.client)
    found: list[str] = []
    for name, path in pages.items():
        found += links(browser.get(path, name).text)
    _follow(browser, [link for link in found if link not in pages.values()])


def _follow(browser: Browser, waiting: list[str]) -> None:
    """Ask once for each page that a link leads to, a few of each kind."""
    seen = set[str]()
    kinds = Counter[str]()
    while waiting:
        path = waiting.pop(0)
        kind = inside_page.kind_of(browser.club.app, path)
        if path in seen or kind is None or kinds[kind] == MOST_OF_A_KIND or _UNENDING in path:
            continue
        seen.add(path)
        kinds[kind] += 1
        page = browser.get(path, "by a link")
        if page.mimetype == "text/html":
            waiting += links(page.text)


def _everybody(browser: Browser) -> None:
    """Every route as a stranger, a guest, a scorer and a secretary reach it."""
    inside_page.add_accounts(browser.club)
    for who in ("", *reversed(inside_page.ROLES)):
        if who:
            browser.enter(who)
        for method, rule, address in inside_page.rules(browser.club.app):
            path = address(_PLACES)
            note = f"of {rule} as {who or 'a stranger'}"
            if rule in ("/login", "/logout"):
                continue
            if method == "GET":
                browser.get(path, note)
            else:
                browser.post(path, {}, note)
    browser.post("/deals", {}, "forged", forged=True)


SCENES: Final[dict[str, Callable[[Browser], None]]] = {
    "every page": _every_page,
    "everybody": _everybody,
    "deals": page_deals.record,
    "photos": page_photos.record,
    "games": page_games.record,
    "book": page_club.record_book,
    "season": page_club.record_season,
    "accounts": page_club.record_accounts,
    "keeping": page_club.record_keeping,
    "sets": page_club.record_sets,
    "rules": page_club.record_rules,
    "learning": page_club.record_learning,
    "programs": page_programs.record,
}
