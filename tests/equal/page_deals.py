"""Single deals on the page: tiles that are tapped in, results, and what explains them."""

from __future__ import annotations

from typing import Final

from tests.equal import inside_page as inside
from tests.equal.browser import Browser, Form, led, links


def record(browser: Browser) -> None:
    """Record what happens to single deals."""
    _begin(browser)
    _demo(browser)


def _begin(browser: Browser) -> None:
    browser.get("/")
    named = {"name_E": "Ann", "name_S": "<b>Ben", "name_W": "x" * 40}
    browser.post("/deals", {"absent": "E"})
    browser.post("/deals", {**named, "absent": "N"})
    deal = led(browser.post("/deals", named))
    for path in ("", "/win", "/win?check=1", "/result", "/tiles", "/rules", "/why/E", "/dispute"):
        browser.get(f"{deal}{path}", "empty")
    browser.post(f"{deal}/share")
    for seat in ("E", "Q"):
        for path in ("", "?check=1", "?add=pung", "?sets=1", "/photo", "/tiles/t1", "/another"):
            browser.get(f"{deal}/players/{seat}{path}", "empty")
    for form in _ENTRIES:
        browser.post(f"{deal}/players/S/edit", form)
    for path in ("?sets=1", "?add=chow", "?check=1", "/tiles/t1", "/tiles/t99"):
        browser.get(f"{deal}/players/S{path}", "filled")
    browser.post(f"{deal}/undo", {"head": "4", "back": f"{deal}/players/S"})
    browser.post(f"{deal}/undo", {"head": "0", "back": "https://example.org/"})
    browser.get(f"{deal}/photos/none")
    browser.get(f"{deal}/photos/none.jpg")
    browser.post(f"{deal}/nothing", {})


_ENTRIES: Final[tuple[Form, ...]] = (
    {"action": "add", "mode": "tile", "label": "1m"},
    {"action": "add", "mode": "pung", "label": "7z"},
    {"action": "add", "mode": "chow", "label": "2s"},
    {"action": "add", "mode": "chow", "label": "9s"},
    {"action": "add", "mode": "concealed_kong", "label": "9p"},
    {"action": "add", "mode": "heap", "label": "9s"},
    {"action": "add", "label": "xx"},
    {"action": "add", "label": "1f"},
    {"action": "type", "codes": "55p 1m 7z 2f"},
    {"action": "type", "codes": "12q"},
    {"action": "type", "codes": "10m"},
    {"action": "type", "codes": ""},
    {"action": "group", "tiles": ["t1", "t2", "t3"]},
    {"action": "group", "tiles": ["t14", "t15"]},
    {"action": "toggle", "set": "s1"},
    {"action": "resize", "set": "s1"},
    {"action": "resize", "set": "s2"},
    {"action": "dissolve", "set": "s1"},
    {"action": "dissolve", "set": "s9"},
    {"action": "move", "tile": "t1", "place": "bonus"},
    {"action": "move", "tile": "t1", "place": "s2"},
    {"action": "move", "tile": "t1", "place": "nowhere"},
    {"action": "change", "tile": "t1", "label": "2m"},
    {"action": "change", "tile": "t1", "label": "zz"},
    {"action": "change", "tile": "t77", "label": "2m"},
    {"action": "confirm", "tile": "t1"},
    {"action": "confirm_all"},
    {"action": "remove", "tile": "t1"},
    {"action": "remove", "tile": "t7777"},
    {"action": "remove_ticked", "tiles": ["t2", "t3"]},
    {"action": "about", "name": "Zoë", "status": "dead", "claimed": ""},
    {"action": "about", "claimed": "many"},
    {"action": "about", "claimed": "1,024", "status": "live"},
    {"action": "about", "status": "odd"},
    {"action": "type", "codes": "1m" * 60},
    {"action": "fly"},
    {"action": "clear"},
)


def _demo(browser: Browser) -> None:
    """The sample deal: corrected, scored, explained, disputed, shared and gone on from."""
    deal = led(browser.post("/demo"))
    _look_round(browser, deal, "read")
    tile = next(t.id for t in inside.tiles_of(browser.club, deal, "N") if t.label == "6p")
    browser.get(f"{deal}/players/N/tiles/{tile}")
    browser.post(f"{deal}/players/N/edit", {"action": "change", "tile": tile, "label": "5p"})
    _look_round(browser, deal, "corrected")
    for form in _FACTS:
        browser.post(f"{deal}/win", form)
        browser.get(f"{deal}/result", f"after {sorted(form.items())}")
    for form in _NOTES:
        browser.post(f"{deal}/dispute", form)
    found = next(link for link in links(browser.get(f"{deal}/result").text) if "/disputes/" in link)
    browser.get(found)
    for form in _ANSWERS:
        browser.post(found, form)
    for form in _FAULTS:
        browser.post(f"{deal}/penalties", form)
    _look_round(browser, deal, "with faults")
    shared = led(browser.post(f"{deal}/share"))
    browser.get(shared, "by its link")
    photo = inside.photo_address(browser.club, deal, "N")
    browser.get(photo)
    browser.get(f"{photo}.jpg")
    browser.post(f"{photo}/delete", {"seat": "N"})
    browser.post(f"{inside.photo_address(browser.club, deal, 'E')}/delete")
    _look_round(browser, deal, "without photos")
    browser.post(f"{deal}/unshare")
    browser.get(shared, "after its end")
    for winds in ("stay", "pass", "fly"):
        browser.post(f"{deal}/next", {"winds": winds})
    edit = {"action": "type", "codes": "1111m"}
    browser.post(f"{deal}/players/E/edit", edit)
    _look_round(browser, deal, "with too many")


def _look_round(browser: Browser, deal: str, when: str) -> None:
    for seat in "ESWN":
        browser.get(f"{deal}/players/{seat}?check=1", when)
        browser.get(f"{deal}/why/{seat}", when)
    for path in ("", "/win?check=1", "/result", "/tiles", "/rules", "/rules?with=western"):
        browser.get(f"{deal}{path}", when)


_WON: Final = {"winner": "S", "asked": "S", "round_wind": "E"}
_FACTS: Final[tuple[Form, ...]] = (
    {"winner": "nobody", "round_wind": "E"},
    {"winner": "X"},
    {"winner": "S", "asked": "", "round_wind": "E"},
    {**_WON, "fishing": ["E", "N"]},
    {**_WON, "tile": "6s", "source": "wall", "last_tile": "on", "first_turn": "on"},
    {**_WON, "tile": "6s", "source": "loose", "after_two_kongs": "on"},
    {**_WON, "tile": "9m", "source": "discard", "from": "N"},
    {**_WON, "tile": "6s", "source": "robbed_kong", "from": "S"},
    {**_WON, "tile": "6s", "source": "discard", "from": "E", "original_call": "on"},
    {**_WON, "tile": "6s", "source": "discard", "from": "N", "ruleset": "western"},
    {**_WON, "tile": "6s", "source": "discard", "from": "N", "ruleset": "ming-1876"},
    {**_WON, "tile": "6s", "source": "discard", "from": "N", "ruleset": "uk-1924"},
    {**_WON, "tile": "6s", "source": "wall", "ruleset": "bmja-mjbr", "goulash": "on"},
    {"winner": "E", "asked": "E", "source": "dealt", "ruleset": "bmja-u3a"},
    {**_WON, "tile": "6s", "source": "discard", "from": "N", "then": "score"},
)
_FAULTS: Final[tuple[Form, ...]] = (
    {"kind": "x"},
    {"kind": "false_naming_set"},
    {"kind": "false_naming_set", "offender": "W", "victim": "N"},
    {"kind": "cannon", "offender": "N"},
    {"kind": "cannon", "offender": "N", "victim": "S"},
    {"number": "1"},
    {"number": "9"},
)
_NOTES: Final[tuple[Form, ...]] = (
    {"who": "Ann", "text": "  "},
    {"who": "", "text": "Why?"},
    {"who": "Mallory", "text": "Why?"},
    {"who": "*", "other": "", "text": "Why?"},
    {"who": "*", "other": "=cmd", "text": "Why?"},
    {"who": "*", "other": "  Eve   Stone ", "text": "<i>Why</i>?"},
    {"who": "Ann", "text": "Was the kong concealed?"},
)
_ANSWERS: Final[tuple[Form, ...]] = (
    {"answer": "burnt", "who": "Ben"},
    {"answer": "stands", "who": "Nobody"},
    {"answer": "correct", "who": "Ben", "text": "It was not."},
    {"answer": "corrected", "who": "Ann"},
    {"answer": "stands", "who": "Ann"},
)
