"""A walk through the page: what each page shows, where its links lead, and what its forms send."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any, Final

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.exceptions import HTTPException

from tests.webapp.games.test_disputes import dispute
from tests.webapp.pages.deal.test_pages import demo, edit
from tests.webapp.pages.score.test_explanations import put_right
from tests.webapp.pages.table.test_games import enter_deal, open_table, totals

SHOWN: Final = frozenset({"alt", "aria-label", "content", "placeholder", "title"})
OTHER_LINKS: Final = (".pdf", ".csv", ".xlsx", ".zip", ".toml", ".jpg", ".svg", "/live", "/static/")
MOST_OF_A_KIND: Final = 5
"""Pages of one route that are looked at; they differ in their data alone."""

Sent = tuple[str, dict[str, str]]
"""The address of a form, and what it sends as it stands."""


class Page(HTMLParser):
    """What a page shows and reads out, where its links lead, and its forms as they stand."""

    def __init__(self, page: Any) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.links: list[str] = []
        self.forms: list[Sent] = []
        self._silent = 0
        self._field = ""
        self._forms: list[Sent] = []
        self.feed(page.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = {name: value or "" for name, value in attrs}
        self._silent += tag in ("script", "style")
        self.texts += [text for name, text in held.items() if name in SHOWN and tag != "meta"]
        if tag == "a" and "href" in held:
            self.links.append(held["href"].partition("#")[0])
        if tag == "form":
            self._forms = [(held.get("action", ""), {})]
            if held.get("method", "").lower() == "post":
                self.forms += self._forms
        if self._forms:
            self._fill(tag, held)

    def _fill(self, tag: str, held: dict[str, str]) -> None:
        """Take a control of a form with its value: of several choices the last."""
        sent = self._forms[0][1]
        if tag == "select":
            self._field = held.get("name", "")
        elif tag == "option" and self._field:
            sent[self._field] = held.get("value", "")
        elif tag in ("input", "button", "textarea") and held.get("name"):
            sent[held["name"]] = held.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("script", "style")
        if tag == "form":
            self._forms = []

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.texts.append(" ".join(data.split()))


def kind_of(app: Flask, path: str, method: str = "GET") -> str | None:
    """The route of an address; None where it leads elsewhere or to a file."""
    plain = path.partition("?")[0]
    if not plain.startswith("/") or any(part in path for part in OTHER_LINKS):
        return None
    try:
        endpoint, _ = app.url_map.bind("localhost").match(plain, method)
    except HTTPException:
        return None
    return str(endpoint)


def walked(app: Flask, client: FlaskClient, *starts: str) -> Iterator[tuple[str, Any]]:
    """Every page that links lead to from these, with its address."""
    waiting, seen = list(starts), set(starts)
    kinds: Counter[str] = Counter()
    while waiting:
        path = waiting.pop(0)
        kind = kind_of(app, path)
        if kind is None or kinds[kind] == MOST_OF_A_KIND:
            continue
        kinds[kind] += 1
        page = client.get(path, follow_redirects=True)
        if page.mimetype == "text/html":
            yield path, page
            fresh = [link for link in Page(page).links if link not in seen]
            waiting += fresh
            seen.update(fresh)


def impossible(client: FlaskClient) -> str:
    """A deal that holds two chows, a fault without its victim, and a tile without its giver."""
    deal = str(client.post("/deals").headers["Location"])
    for seat in "EWN":
        edit(client, deal, seat, action="about", claimed="0")
    edit(client, deal, "S", action="type", codes="123m 456p 777s 99s 55z 5m")
    won = {"winner": "S", "asked": "S", "tile": "5z", "source": "discard"}
    client.post(f"{deal}/win", data={"winner": "S", "asked": "S"})
    client.post(f"{deal}/win", data=won)
    client.post(f"{deal}/penalties", data={"kind": "false_naming_set", "offender": "E"})
    return deal


def riichi_hand(client: FlaskClient) -> str:
    """A hand of which everything is told that only some rules ask."""
    table = open_table(client, ruleset="riichi")
    deal = str(client.post(f"{table}/next").headers["Location"])
    edit(client, deal, "S", action="type", codes="234567m345p678s55p")
    client.post(f"{deal}/win", data={"winner": "S"})
    facts = {"tile": "3p", "source": "discard", "from": "E", "declared": ["S", "W"]}
    client.post(f"{deal}/win", data={"winner": "S", "asked": "S", **facts})
    client.post(f"{deal}/win", data={"only": "indicators", "dora": "4p"})
    return deal


def furnished(app: Flask, client: FlaskClient) -> tuple[str, ...]:
    """A club with a scored deal, a dispute and a table; the addresses from which all is reached."""
    deal = demo(app, client)
    put_right(app, client, deal)
    dispute(client, deal.rsplit("/", 1)[1], who="West")
    dispute_at = re.search(r"/disputes/\w+", client.get(f"{deal}/result").text)
    shared_at = re.search(r"/shared/[\w-]+", client.post(f"{deal}/share").text)
    assert dispute_at is not None
    assert shared_at is not None
    table = open_table(client)
    totals(client, table, 1, "S", 20, 128, 8, 16)
    client.post(f"{table}/drawn")
    totals(client, table, 3, "E", 40, 4, 0, 12)
    ruled = open_table(client, change_chows_in_goulash="1", change_joker="blank")
    scored = client.post(f"{ruled}/next").headers["Location"]
    enter_deal(client, scored, "W", E=10, S=20, W=100, N=30)
    unfinished = str(client.post("/deals").headers["Location"])
    riichi = riichi_hand(client)
    return (
        "/", deal, dispute_at[0], shared_at[0], f"{deal}/result",
        f"{scored}/result", f"{unfinished}/win?check=1", f"{unfinished}/players/W?check=1",
        *(f"{impossible(client)}/{page}" for page in ("players/S?check=1", "win?check=1", "rules")),
        table, f"{table}/hands/1/check?drawn=1",
        f"{riichi}/win", f"{riichi}/result", f"{riichi}/why/S",
        "/learn", "/learn/quiz/bmja-u3a/hard/3", "/book", "/board?season=all", "/house-rules",
        "/how-long", "/search?q=zzz", "/offline", "/login", "/nothing", "/sets/new",
    )  # fmt: skip
