"""What programs ask the page: readings, scores, cameras, entries made without a connection."""

from __future__ import annotations

import copy
import io
import json
import random
from typing import Any, Final

from tests.equal import inside_page as inside
from tests.equal.browser import Browser, file, links
from tests.equal.page_photos import PLAYERS
from tests.equal.spoiling import spoilt
from tests.webapp.fakes import DEAL, EMPTY_PHOTO, layout_of, photo_of, read_as, reading_of

_SCORES: Final = "/api/v1/scores"
_READINGS: Final = "/api/v1/readings"
_BODIES: Final[tuple[tuple[bytes, str], ...]] = (
    (b"{}", "text/plain"),
    (b"{", "application/json"),
    (b"", "application/json"),
    (b"\xff", "application/json"),
    (b"[" * 100_000, "application/json"),
    (b'{"win": null, "win": null}', "application/json"),
    (b'{"ruleset": NaN}', "application/json"),
    (b"[]", "application/json"),
    (b"{}", "application/json"),
)


def record(browser: Browser) -> None:
    """Record what programs are answered."""
    _scores(browser)
    _readings(browser)
    _cameras(browser)
    _entries(browser)
    for path in ("/healthz", "/readyz", "/worker.js", "/offline", "/offline/token", "/nothing"):
        browser.get(path)
    for path in ("/api/v1/nothing", _SCORES, _READINGS, "/static/nothing.css"):
        browser.get(path)
    for path in ("/", "/healthz", "/board", "/nothing"):
        browser.post(path)
    browser.post("/deals", {}, "of another site", headers={"Origin": "http://evil.example"})
    browser.get("/", "for another host", headers={"Host": "evil.example"})
    inside.add_accounts(browser.club)
    for who in (None, ("Sam", inside.PASSWORD), ("Sam", "wrong"), ("Gus", inside.PASSWORD)):
        more: dict[str, Any] = {} if who is None else {"auth": who}
        browser.post(_SCORES, None, f"by {who}", json=DEAL, **more)


def _scores(browser: Browser) -> None:
    for number, (body, kind) in enumerate(_BODIES):
        browser.post(
            _SCORES,
            None,
            f"body {number}",
            input_stream=io.BytesIO(body),
            content_type=kind,
            content_length=len(body),
        )
    rng = random.Random("scores of the page")
    for number in range(60):
        deal = DEAL if number == 0 else spoilt(rng, {**copy.deepcopy(DEAL)})
        browser.post(_SCORES, None, f"deal {number}", json=deal)


def _readings(browser: Browser) -> None:
    for seat in "ESWN":
        reading = reading_of(PLAYERS[seat], {2: ("1p", "9p")})
        browser.post(_READINGS, {"photo": file(browser.club.reader.learn(reading), f"{seat}.jpg")})
    browser.post(_READINGS, {})
    for name, data in (("empty", b""), ("words", b"words"), ("no tiles", EMPTY_PHOTO)):
        browser.post(_READINGS, {"photo": file(data, name)}, name)


def _cameras(browser: Browser) -> None:
    "What a camera sees, offered on the page, with taken left over, or refused."
    deal = browser.send("/deals")
    browser.get(f"{deal}/players/S/camera")
    south = PLAYERS["S"]
    plain = read_as(reading_of(south, {})).to_json("camera 0")
    lying = {**plain, "layout": [{"position": "near", "parts": layout_of(south)}]}
    picture = photo_of(plain)
    for number, reading in enumerate(_odd_readings(lying)):
        _send(browser, reading, picture, f"odd {number}")
    _send(browser, plain, None, "no picture")
    _send(browser, plain, b"words", "no photo")
    _send(browser, lying, picture, "lying still")
    browser.get(f"{deal}/players/S/photo", "offered")
    page = browser.get(f"{deal}/players/S/camera", "offered").text
    offer = page.partition('name="offer" value="')[2].partition('"')[0]
    browser.get(f"/cameras/{offer or 'none'}.jpg")
    for given in ("none", offer, offer):
        browser.post(f"{deal}/players/S/camera", {"offer": given})
    for state in ("moving", "empty", "reading", "asleep"):
        facts = json.dumps({"state": state})
        browser.post("/api/v1/camera", {"camera": "camera 0", "facts": facts})
    for seat in ("E", "Q"):
        _send(browser, lying, picture, f"at {seat}", deal=deal.rsplit("/", 1)[1], seat=seat)
    _send(browser, lying, picture, "at no deal", deal="none", seat="E")
    for facts in ("", "{", "[]", '{"state": "settled"}'):
        browser.post("/api/v1/camera", {"camera": "", "facts": facts})


def _send(browser: Browser, reading: Any, picture: bytes | None, note: str, **more: str) -> None:
    facts = json.dumps({"state": "settled", "reading": reading})
    form: dict[str, Any] = {"camera": "camera 0", "facts": facts, **more}
    if picture is not None:
        form["photo"] = file(picture, "camera.jpg")
    browser.post("/api/v1/camera", form, note)


def _odd_readings(lying: dict[str, Any]) -> list[dict[str, Any]]:
    """Readings in which something cannot be."""
    parts: tuple[dict[str, Any], ...] = (
        {"tiles": [0, 0, 1]},
        {"tiles": [0, 1, 319]},
        {"tiles": []},
        {"role": "wall"},
        {"meld": {"kind": "pung", "tiles": ["9p"] * 3, "concealed": False}},
    )
    found = []
    for part in parts:
        odd = copy.deepcopy(lying)
        odd["layout"][0]["parts"][0] |= part
        found.append(odd)
    return [*found, {**lying, "width": 0}, {**lying, "tiles": 3}, {**lying, "layout": "near"}]


def _entries(browser: Browser) -> None:
    """Entries of a phone that was without a connection."""
    names = {"name_E": "Ann", "name_S": "Bob", "name_W": "Cat", "name_N": "Dee"}
    table = browser.send("/tables", {**names, "ruleset": "bmja-u3a"})
    for number, change in enumerate(_ENTERED):
        told = {"entry": f"{number + 1:032x}", "game": table.rsplit("/", 1)[1], "number": 1}
        sent = {**told, **change}
        for _ in range(2):
            browser.post("/offline/entries", None, f"entry {number}", json=sent)
    browser.get(table, "with entries")
    deals = [link for link in links(browser.get(table).text) if "/deals/" in link]
    for deal in deals[:2]:
        browser.get(deal, "with entries")
    browser.post(f"{table}/close", {"closed": "yes"})
    sent = {"entry": "f" * 32, "game": table.rsplit("/", 1)[1], "number": 9, "kind": "drawn"}
    browser.post("/offline/entries", None, "closed", json=sent)
    browser.post(
        "/offline/entries", None, "no JSON", input_stream=io.BytesIO(b"{"), content_length=1
    )


_TOTALS: Final = {
    "kind": "totals",
    "totals": {"Ann": "20", "Bob": "40", "Cat": "128", "Dee": "8"},
    "winner": "Cat",
    "source": "discard",
    "giver": "Bob",
}
_ENTERED: Final[tuple[dict[str, Any], ...]] = (
    {**_TOTALS, "totals": {"Ann": "many"}},
    {**_TOTALS, "winner": "Nobody here"},
    {**_TOTALS, "source": "luck"},
    {**_TOTALS, "entry": "short"},
    {**_TOTALS, "number": "1"},
    {**_TOTALS, "surprise": 1},
    {**_TOTALS, "game": "0" * 32},
    _TOTALS,
    {"kind": "drawn", "number": 2},
    {"kind": "drawn", "number": 1},
    {**_TOTALS, "number": 1, "as_next": True},
    {"kind": "tiles", "number": 4, "tiles": {"Ann": "123m 55p", "Bob": "777z 1f"}},
    {"kind": "tiles", "number": 4, "tiles": {"Ann": "9s"}},
    {"kind": "tiles", "number": 4, "tiles": {"Ann": "9s"}, "replace": True},
    {"kind": "tiles", "number": 4, "tiles": {"Ann": "12x"}},
)
