"""Tables, games and evenings on the page: hands, corrections, sheets and files."""

from __future__ import annotations

from typing import Any, Final

from tests.equal import inside_page as inside
from tests.equal.browser import Browser, Form, hidden, led, links

NAMES: Final = {"E": "Ann", "S": "Bob", "W": "Cat", "N": "Dee"}

_OPENED: Final = {f"name_{seat}": name for seat, name in NAMES.items()}
_TABLES: Final[tuple[Form, ...]] = (
    {},
    {"name_E": ""},
    {"name_E": "", "name_S": ""},
    {"name_S": "ANN", "name_E": "ann"},
    {"name_S": "=1+1"},
    {"name_S": "x" * 31},
    {"stake": "much"},
    {"ruleset": "ming-1876", "name_S": ""},
    {"change_limit": "3"},
    {"place": "p" * 61},
    {"then": "rules", "rule": "limit"},
    {"change_limit": "500", "stake": "10", "place": "Village hall"},
    {"name_W": "", "seats": "draw"},
    {"rounds": "2", "ruleset": "western"},
)
_EVENINGS: Final[tuple[Form, ...]] = (
    {"day": "2026-03-05", "place": "=Hall"},
    {"day": "soon"},
    {"day": "2027-01-01"},
    {"day": "", "place": "p" * 61},
)
_WRONG_TOTALS: Final[tuple[Form, ...]] = (
    {"total_E": "many"},
    {"winner": "X"},
    {"source": "luck"},
    {"fault": "false_win", "offender": "X"},
    {"total_S": "-4"},
)
_PAYMENTS: Final[tuple[Form, ...]] = (
    {},
    {"winner": "Ann", "amount_0": "5"},
    {"winner": "Ann", "amount_0": "5", "from_0": "Bob", "to_0": "Bob"},
    {"winner": "Ann", "amount_0": "-5"},
    {"winner": "Cat", "from_0": "Ann", "to_0": "Cat", "amount_0": "1,250"},
)


def record(browser: Browser) -> None:
    """Record what happens at tables."""
    for path in ("/evenings", "/tables/new", "/tables/none", "/evenings/none"):
        browser.get(path, "before")
    for form in _EVENINGS:
        browser.post("/evenings", form)
    for form in _TABLES:
        browser.post("/tables", {**_OPENED, "ruleset": "bmja-u3a", **form})
    browser.post("/tables?without=limit", {**_OPENED, "then": "rules", "change_limit": "500"})
    browser.post("/tables/demo")
    _evening(browser)
    _corrections(browser)
    for ruleset in ("western", "ming-1876", "uk-1924", "bmja-mjbr"):
        _game(browser, ruleset)
    _deals_of_a_game(browser)


def _open(browser: Browser, **more: str) -> str:
    return browser.send("/tables", {**_OPENED, "ruleset": "bmja-u3a", **more})


def _totals(winner: str, *told: int, **more: str) -> dict[str, str]:
    given = zip(NAMES, told, strict=True)
    totals = {f"total_{seat}": str(total) for seat, total in given}
    return {**totals, "winner": winner, "source": "wall", **more}


def _evening(browser: Browser) -> None:
    """An evening from the first hand to the standings and files."""
    table = _open(browser, stake="10", place="Village hall")
    browser.get(table, "begun")
    for form in _WRONG_TOTALS:
        browser.post(f"{table}/hands/1/totals", {**_totals("S", 1, 77, 0, 0), **form})
    for form in _PAYMENTS:
        browser.post(f"{table}/hands/1/payments", form)
    browser.post(f"{table}/undo", {})
    browser.post(f"{table}/hands/1/totals", _totals("S", 20, 128, 8, 16))
    browser.post(f"{table}/drawn", {"entry": "one", "head": "99"})
    browser.post(f"{table}/drawn", {"entry": "two"})
    browser.post(f"{table}/drawn", {"entry": "two"})
    fault = {"fault": "false_win", "offender": "S"}
    browser.post(f"{table}/hands/3/totals", _totals("E", 40, 0, 0, 0, **fault))
    browser.post(f"{table}/hands/4/totals", _totals("nobody", 0, 0, 0, 0))
    _look_round(browser, table, "played")
    evening = next(link for link in links(browser.get(table).text) if link.startswith("/evenings/"))
    for names in ("Eve, Fay", "=cmd", ""):
        browser.post(f"{evening}/people", {"names": names})
    for kind in ("csv", "xlsx", "pdf", "exe"):
        browser.get(f"{table}/table.{kind}")
        browser.get(f"{evening}/evening.{kind}")
    browser.post(f"{table}/close", {"closed": "yes"})
    browser.post(f"{table}/drawn", {})
    browser.get(f"{table}/history", "closed")
    browser.post(f"{table}/close", {"closed": "no"})
    browser.get("/")
    browser.get("/evenings")


def _look_round(browser: Browser, table: str, when: str) -> None:
    for path in (
        "",
        "/history",
        "/sheets",
        "/table.csv",
        "/hands/0",
        "/hands/9",
        "/hands/9/totals",
    ):
        browser.get(f"{table}{path}", when)
    for number in range(1, 6):
        browser.get(f"{table}/hands/{number}", when)
        browser.get(f"{table}/hands/{number}/totals", when)
        browser.get(f"{table}/hands/{number}/payments", when)


def _corrections(browser: Browser) -> None:
    """Hands that are corrected, put in, taken out and disputed."""
    table = _open(browser)
    for winner, told in (("S", (20, 128, 8, 16)), ("S", (10, 60, 0, 0)), ("E", (90, 4, 12, 0))):
        browser.send(f"{table}/hands/{_next(browser, table)}/totals", _totals(winner, *told))
    where = browser.post(f"{table}/hands/1/totals", _totals("E", 128, 20, 8, 16))
    browser.post(f"{table}/hands/1/keep", _kept(browser, led(where)))
    for query in ("drawn=1", "delete=1", "hand=%7B", "deal=none", ""):
        browser.get(f"{table}/hands/2/check?{query}")
    browser.get(f"{table}/hands/1/totals?insert=1")
    where = browser.post(f"{table}/hands/1/totals", _totals("E", 50, 0, 0, 0, insert="1"))
    browser.post(f"{table}/hands/1/keep", _kept(browser, led(where)))
    for form in (
        {"hand": "{"},
        {"hand": '{"deal": {}}'},
        {"hand": '{"winner": "Zoe", "payments": []}'},
        {"hand": '{"winner": "Ann", "payments": [{"from": "Bob", "to": "Ann", "amount": 7}]}'},
        {"drawn": "1", "insert": "1"},
        {"delete": "1"},
        {"deal": "none"},
    ):
        browser.post(f"{table}/hands/2/keep", form)
    for _ in range(3):
        browser.post(f"{table}/undo", {})
    _look_round(browser, table, "corrected")
    deal = led(browser.post(f"{table}/hands/1/deal", {}))
    if "/deals/" in deal:
        browser.post(f"{deal}/dispute", {"who": "Cat", "text": "The pung was concealed."})
        found = [
            link for link in links(browser.get(table, "disputed").text) if "/disputes/" in link
        ]
        for answer in ("correct", "stands"):
            browser.post(found[0], {"answer": answer, "who": "Bob", "text": "So it was."})
    _look_round(browser, table, "settled")


def _kept(browser: Browser, where: str) -> dict[str, str]:
    """What is sent to keep a correction that is told there."""
    return hidden(browser.client.get(where).text)


def _next(browser: Browser, table: str) -> int:
    """The number of the next hand."""
    numbers = [
        int(link.split("/hands/")[1].split("/")[0])
        for link in links(browser.client.get(table).text)
        if "/hands/" in link
    ]
    return max(numbers, default=1)


def _game(browser: Browser, ruleset: str) -> None:
    """A few hands by other rules."""
    table = _open(browser, ruleset=ruleset)
    browser.post(f"{table}/hands/1/totals", _totals("S", 20, 128, 8, 16))
    browser.post(f"{table}/drawn", {})
    browser.post(f"{table}/hands/2/totals", _totals("nobody", 10, 0, 0, 30))
    browser.post(f"{table}/hands/3/totals", _totals("W", 30, 4, 0, 12))
    for path in ("", "/sheets", "/history", "/hands/2", "/table.csv"):
        browser.get(f"{table}{path}", ruleset)


def _deals_of_a_game(browser: Browser) -> None:
    """Deals that are entered tile by tile, and taken over into their game."""
    table = _open(browser)
    browser.post(f"{table}/drawn", {})
    deal = led(browser.post(f"{table}/next", {}))
    browser.post(f"{table}/next", {}, "again")
    browser.post(f"{table}/take", {"deal": deal.rsplit("/", 1)[1]}, "unfinished")
    browser.post(f"{table}/take", {"deal": "none"})
    _enter(browser, deal, "W", {"E": 10, "S": 20, "W": 100, "N": 30})
    browser.get(f"{deal}/result", "to be taken")
    browser.get(table, "to be taken")
    for _ in range(2):
        browser.post(f"{table}/take", {"deal": deal.rsplit("/", 1)[1]})
    _enter(browser, deal, "W", {"W": 200})
    where = browser.post(f"{table}/take", {"deal": deal.rsplit("/", 1)[1]}, "changed")
    browser.post(f"{table}/hands/2/keep", _kept(browser, led(where)))
    browser.get(deal, "taken")
    browser.get(f"{deal}/win", "taken")
    browser.get(f"{deal}/result", "taken")
    inside.let_win(browser.club, deal, "S", "6s", "wall")
    browser.get(f"{deal}/result", "moved meanwhile")
    _look_round(browser, table, "with deals")


def _enter(browser: Browser, deal: str, winner: str, told: dict[str, int]) -> None:
    for seat, total in told.items():
        page = browser.client.get(f"{deal}/players/{seat}").text
        form: dict[str, Any] = {"action": "about", "status": "live", "claimed": str(total)}
        browser.send(f"{deal}/players/{seat}/edit", {**form, "name": hidden(page).get("name", "")})
    browser.send(f"{deal}/win", {"winner": winner})
    browser.post(f"{deal}/win", {"winner": winner, "asked": winner, "source": "wall"})
