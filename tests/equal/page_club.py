"""The club's pages: its book, its people and accounts, what is kept, its sets and its rules."""

from __future__ import annotations

import io
import zipfile
from typing import Final

from tests.equal import inside_page as inside
from tests.equal.browser import Browser, Form, fields, file, led, links
from tests.webapp.fakes import EMPTY_PHOTO
from tests.webapp.pages.club.test_tile_sets import PHOTO, seen

_BOOK: Final = (
    *("/book", "/board", "/board?season=all", "/board?order=won", "/board?order=best"),
    *("/board?order=nonsense", "/board?season=gone", "/board.csv", "/board.xlsx", "/board.pdf"),
    *("/players", "/players?q=a", "/players/nobody", "/records", "/seasons", "/keeping"),
    *("/accounts", "/how-long", "/search", "/evenings", "/"),
)
_SEARCHES: Final = (
    *("bo", "march", "5/3/2026", "2026-09-10", "village", "2026-03", "zzz", "thirteen unique"),
    *("limit", "purity", "x" * 300, "<b>", "2026", "cat"),
)
_SEASONS: Final[tuple[Form, ...]] = (
    {"name": "Spring", "first": "2026-01-01", "last": "2026-06-30"},
    {"name": "Summer", "first": "2026-06-01", "last": "2026-08-31"},
    {"name": "Summer", "first": "soon", "last": "2026-08-31"},
    {"name": "", "first": "2026-07-01", "last": "2026-08-31"},
    {"name": "Autumn", "first": "2026-12-31", "last": "2026-09-01"},
    {},
    {"name": "Now", "first": "2026-10-01", "last": "2026-12-31"},
)
_PASSWORDS: Final = {"password": "window river spoon", "again": "window river spoon"}
_PEOPLE: Final[tuple[Form, ...]] = (
    {"name": "Eve", "role": "guest", **_PASSWORDS},
    {"name": "Eve", "role": "guest", **_PASSWORDS},
    {"name": "", "role": "guest", **_PASSWORDS},
    {"name": "Kim", "role": "king", **_PASSWORDS},
    {"name": "Kim", "role": "guest", **_PASSWORDS, "again": "different words"},
    {"name": "Kim", "role": "guest", "password": "short", "again": "short"},
)
_KEPT: Final[tuple[Form, ...]] = (
    {"keep": "evening"},
    {"keep": "days", "days": "14"},
    {"keep": "days", "days": "0"},
    {"keep": "days", "days": "x"},
    {"keep": ""},
    {"keep": "always"},
)


def record_book(browser: Browser) -> None:
    """The book while it is empty, with two evenings, and after changes to it."""
    for path in _BOOK:
        browser.get(path, "empty")
    inside.add_evenings(browser.club)
    for form in _SEASONS:
        browser.post("/seasons", form)
    for path in _BOOK:
        browser.get(path, "two evenings")
    for asked in _SEARCHES:
        browser.get("/search", asked, query_string={"q": asked})
    season = next(
        link for link in links(browser.get("/seasons").text) if link.startswith("/seasons/")
    )
    browser.get(season)
    for form in (*_SEASONS[1:4], {"remove": "yes"}):
        browser.post(season, form)
    _players(browser)
    for path in _BOOK:
        browser.get(path, "changed")


def _players(browser: Browser) -> None:
    for name in ("Eve", "eve", "", "=1", "y" * 40):
        browser.post("/players", {"name": name})
    for name in ("Ann", "Cat", "Eve"):
        where = inside.person(browser.club, name)
        for path in ("", "?season=all", "/form.svg", "/evenings.svg", "/rating.svg", "/other.svg"):
            browser.get(f"{where}{path}", name)
        browser.get(f"{where}/data.zip", name)
    ann, dee = (inside.person(browser.club, name) for name in ("Ann", "Dee"))
    for name in ("Bob", "", "ann", "A<script>alert(1)</script>", "Ann Brown"):
        browser.post(f"{ann}/name", {"name": name})
    browser.get("/search?q=ann")
    browser.get(f"{dee}/erase")
    for name in ("Dan", " dee "):
        browser.post(f"{dee}/erase", {"name": name})
    browser.get(dee, "erased")


def record_season(browser: Browser) -> None:
    """A season that was made up: boards, records, players and evenings with many figures."""
    inside.add_season(browser.club)
    paths = [*_BOOK, *links(browser.get("/players").text)[:12]]
    for path in dict.fromkeys([*paths, *links(browser.get("/evenings").text)[:12]]):
        browser.get(path, "season")
    for name in ("Ann", "Barbara"):
        for chart in ("form", "evenings", "rating"):
            browser.get(f"{inside.person(browser.club, name)}/{chart}.svg", name)


def record_accounts(browser: Browser) -> None:
    """The first secretary, then people who may log in, and others who may not."""
    browser.post("/accounts", {"name": "Sue", "role": "guest", **_PASSWORDS, "again": "x"})
    inside.add_accounts(browser.club)
    browser.get("/accounts", "as a stranger")
    browser.get("/login?next=/board")
    for name, password in (("Sue", "wrong"), ("Nobody", "wrong"), ("", "")):
        browser.post("/login", {"name": name, "password": password})
    told = {"name": "Sue", "password": inside.PASSWORD, "next": "//evil.example"}
    browser.post("/login", told)
    browser.post("/logout")
    browser.enter("Sue")
    for form in _PEOPLE:
        browser.post("/accounts", form)
    for name in ("Sue", "Sam", "Gus"):
        where = inside.account(browser.club, name)
        browser.get(f"{where}/remove", name)
        for role in ("king", "guest", "scorer"):
            browser.post(f"{where}/role", {"role": role}, name)
        browser.post(f"{where}/password", {"password": "a", "again": "b"}, name)
        browser.post(f"{where}/password", _PASSWORDS, name)
        browser.post(f"{where}/remove", {}, name)
        browser.get("/accounts", f"after {name}")
    browser.leave()
    for number in range(7):
        browser.post("/login", {"name": "Sue", "password": f"wrong {number}"})


def record_keeping(browser: Browser) -> None:
    """Photos that are kept or not, copies of everything that go out and come back."""
    inside.add_evenings(browser.club)
    for form in _KEPT:
        browser.post("/keeping/photos", form)
    browser.get("/keeping/everything.zip")
    with browser.client.get("/keeping/everything.zip") as answer:
        whole = answer.data
    letter = io.BytesIO()
    with zipfile.ZipFile(letter, "w") as made:
        made.writestr(zipfile.ZipInfo("letter.txt"), "dear club")
    copies = {
        "words": b"dear club",
        "letter": letter.getvalue(),
        "half": whole[: len(whole) // 2],
        "nothing": b"",
    }
    browser.post("/keeping/restore", {})
    for name, data in copies.items():
        browser.post("/keeping/restore", {"file": (io.BytesIO(data), name)}, name)
    for then in ("leave", "fly", "replace"):
        where = browser.send("/keeping/restore", {"file": (io.BytesIO(whole), "all.zip")})
        browser.get(where, then)
        browser.post(where, {"then": then})
    browser.get("/keeping/restore/none")
    browser.get("/board?season=all", "restored")


def record_sets(browser: Browser) -> None:
    """Sets that are taught, corrected, kept, shared and chosen."""
    look = browser.club.look
    for path in ("/sets", "/sets/new", "/sets/new?name=Jade", "/sets/none", "/sets/none/file"):
        browser.get(path)
    for name in ("", "../etc", "a" * 41, "<b>"):
        browser.post("/sets", {"name": name, "photo": file(PHOTO)})
    browser.post("/sets", {"name": "Club set"})
    browser.post("/sets", {"name": "Club set", "photo": [file(PHOTO) for _ in range(7)]})
    bad = led(browser.post("/sets", {"name": "Club set", "photo": file(EMPTY_PHOTO)}))
    for then in ("keep", "drop"):
        browser.post(bad, {"then": then})
    draft = led(browser.post("/sets", {"name": "Club set", "photo": file(PHOTO)}))
    browser.get(draft)
    for place, label in (("0/3", "4m"), ("0/40", "-"), ("0/0", "2m"), ("0/0", "xx"), ("7/0", "1m")):
        browser.get(f"{draft}/{place}", label)
        browser.post(f"{draft}/{place}", {"label": label})
    browser.get(draft, "corrected")
    browser.post(draft, {"then": "keep", "none.1f": "on"})
    look.found[b"dragons"] = seen(["5z", "6z", "7z", "1f"])
    more = led(browser.post("/sets", {"name": "Club set", "photo": file(b"dragons")}))
    browser.get(more)
    browser.post(more, {"then": "keep"})
    with browser.client.get("/sets/Club set/file") as answer:
        data = answer.data
    browser.get("/sets/Club set/file")
    for name, content in (("twice", data), ("empty", b""), ("no set", b"{}")):
        browser.post("/sets/file", {"file": file(content, name)})
    deal = browser.send("/deals")
    for name in ("Club set", "No set", ""):
        browser.post(f"{deal}/players/E/set", {"tile_set": name})
    for _ in range(2):
        browser.post("/sets/Club set/remove")
    browser.post("/sets/file", {"file": file(data, "back")})
    browser.get("/sets")


def record_rules(browser: Browser) -> None:
    """House rules that are written, refused, kept, changed, and sent as files."""
    for path in ("/house-rules", "/house-rules/no-such", "/house-rules/no-such/edit"):
        browser.get(path)
    for ruleset in ("bmja-u3a", "bmja-mjbr", "western", "uk-1924", "ming-1876"):
        browser.get(f"/house-rules/{ruleset}")
        browser.get(f"/house-rules/{ruleset}/edit")
        browser.get(f"/learn/rules/{ruleset}")
        browser.get(f"/learn/hands/{ruleset}")
        _write(browser, ruleset, {}, "check")
    for name, text in _WRONG_RULES:
        _write(browser, "bmja-u3a", {name: text}, "keep")
    own = _write(
        browser, "bmja-u3a", {"option.limit": "500", "rule.pair_dragons.points": "4"}, "keep"
    )
    browser.get(own, "kept")
    browser.get(f"{own}.toml")
    browser.get(f"{own}/edit", "kept")
    name = own.rsplit("/", 1)[1]
    browser.get(f"/learn/rules/{name}")
    second = _write(browser, name, {"option.limit": "800"}, "keep")
    browser.get(second, "second")
    with browser.client.get(f"{own}.toml") as answer:
        data = answer.data
    for note, content in (
        ("back", data),
        ("empty", b""),
        ("not UTF-8 text", b"\xff\xfe"),
        ("no base", b"base = 7"),
        ("nowhere", b'name = "x"\nbase = "nowhere"'),
        ("too long", b"x" * 300_000),
        ("control", data.replace(b'"Our club"', b'"Our\\u0007club"')),
    ):
        browser.post("/house-rules", {"file": file(content, "club.toml")}, note)
    browser.post("/house-rules", {})
    browser.get("/tables/new", "with own rules")


_WRONG_RULES: Final = (
    ("option.limit", "9"),
    ("option.limit", "many"),
    ("rule.pair_dragons.points", "two"),
    ("special_hand.wriggling_snake.won.limit", "half"),
    ("rule.pair_dragons.cite", ""),
    ("name", ""),
    ("name", "Our\tclub"),
)


def _write(browser: Browser, ruleset: str, changes: dict[str, str], then: str) -> str:
    """Send the form of a ruleset with changes; gives where it leads."""
    where = f"/house-rules/{ruleset}/edit"
    form = fields(browser.client.get(where).text)
    form["name"] = form.get("name") or "Our club"
    note = ", ".join(f"{name} = {text}" for name, text in changes.items())
    return led(browser.post(where, {**form, **changes, "then": then}, f"{then} {note}"))


def record_learning(browser: Browser) -> None:
    """What is to be learnt, the quiz, and the settings of the device."""
    for path in ("", "/tiles", "/hand", "/rules", "/hands", "/quiz", "/rules/x", "/hands/x"):
        browser.get(f"/learn{path}")
    course = (
        "/course",
        *(f"/course/{name}" for name in ("fishing-hands", "rare-luck", "words", "x")),
    )
    samples = ("/samples/0.jpg", "/samples/99.jpg")
    for path in (*course, "/laying-tiles", "/phones", "/phones.svg", *samples):
        browser.get(path)
    for query in ("?ruleset=western&level=hard", "?ruleset=x", "?level=cruel"):
        browser.get(f"/learn/quiz/new{query}")
    for ruleset in ("bmja-u3a", "bmja-mjbr", "western", "uk-1924", "ming-1876"):
        for level in ("easy", "hard"):
            for seed in range(4):
                where = f"/learn/quiz/{ruleset}/{level}/{seed}"
                browser.get(where)
                browser.post(where, {"total": str(16 << seed), "points": "16", "doubles": "1"})
    where = "/learn/quiz/bmja-u3a/easy/7"
    for form in (
        {"total": ""},
        {"total": "twelve"},
        {"total": "-4"},
        {"total": "4", "points": "9" * 30},
    ):
        browser.post(where, form)
    for path in ("snap/easy/1", "bmja-u3a/cruel/1", "bmja-u3a/easy/9999999", "bmja-u3a/easy/x"):
        browser.get(f"/learn/quiz/{path}")
    browser.get("/learn/quiz", "answered")
    for form in _SETTINGS:
        browser.post("/settings", form)
        browser.get("/", f"with {sorted(form)}")


_SETTINGS: Final[tuple[dict[str, str], ...]] = (
    {"print": "largest", "colours": "dark"},
    {"contrast": "high", "colours": "light"},
    {"print": "x" * 500, "language": "tlh", "contrast": '"><b>', "colours": "pink"},
    {"language": "zh_Hans"},
    {"language": "en"},
)
