"""Photos on the page: readings with warnings, refusals, and tiles that are decided together."""

from __future__ import annotations

import copy
from typing import Any, Final

from tests.equal import inside_page as inside
from tests.equal.browser import Browser, Form, file, led
from tests.webapp.fakes import DEAL, EMPTY_PHOTO, layout_of, reading_of, white_png
from tests.webapp.pages.deal.test_whole_table import table_reading
from vision import ModelError, NoTilesFound, PhotoRejected, TooManyTiles
from vision.messages import Message, say

Reading = dict[str, Any]

PLAYERS: Final[dict[str, dict[str, Any]]] = {held["seat"]: held for held in DEAL["players"]}

_TOO_FEW: Final = say("hand.too_few", tiles_were=say("tiles.were", count=12))
_TOO_MANY: Final = say("hand.too_many", tiles_were=say("tiles.were", count=16))

WARNINGS: Final = (
    say("photo.mirrored"),
    say("photo.cut_short", share=0.94),
    Message("The file holds several pictures; only its first picture was read."),
    say("photo.dark"),
    say("photo.small_tiles"),
    say("photo.blurred"),
    say("photo.too_bright"),
    say("photo.glare"),
    say("reading.surplus", count=5, label="1m"),
    say("reading.strays", tiles=say("tiles.are", count=2), shown=("1m", "7z")),
    say("reading.doubtful", tiles=say("tiles.is")),
    say("reading.strange", tiles=say("tiles.are", count=3)),
    say("hand.hidden_kong"),
    say("hand.face_down", tiles=say("tiles.is")),
    _TOO_FEW,
    _TOO_MANY,
    Message("Something that nobody has translated."),
)
"""What a reading may warn of."""

ERRORS: Final = (
    NoTilesFound(say("photo.no_tiles")),
    TooManyTiles(say("photo.too_many_tiles", count=400)),
    PhotoRejected(Message("The photo has 1 x 1 pixels; each side needs at least 32.")),
    ModelError(Message("The model file detector.onnx is missing.")),
    RuntimeError("out of order"),
)
"""Why a photo may not be read."""

_FILES: Final = {
    "words": b"just some words",
    "no tiles": EMPTY_PHOTO,
    "cut short": EMPTY_PHOTO[: len(EMPTY_PHOTO) // 8],
    "huge": white_png(20_000, 10_000),
    "large": white_png(14_000, 14_000),
    "heic": b"\0\0\0\x1cftypheic" + bytes(64),
}


def record(browser: Browser) -> None:
    """Record what comes of photos."""
    _photos(browser)
    _table_photos(browser)
    _decided_together(browser)
    _another_photo(browser)


def misread(seat: str, **read: tuple[str, str, float]) -> Reading:
    """A reading of a player's tiles; tiles of the hand ``t0``, ``t1``, ... are read otherwise."""
    reading = reading_of(PLAYERS[seat], {})
    shown = [tile for tile in reading["tiles"] if tile["row"] == 1]
    for name, (label, other, confidence) in read.items():
        chances = [[label, confidence], [other, round(0.999 - confidence, 4)]]
        shown[int(name[1:])] |= {
            "label": label,
            "confidence": confidence,
            "alternatives": chances,
        }
    return reading


def photograph(browser: Browser, deal: str, seat: str, reading: Reading) -> None:
    """Send a photo that is read so."""
    photo = file(browser.club.reader.learn(copy.deepcopy(reading)))
    browser.post(f"{deal}/players/{seat}/photo", {"photo": photo})


def _photos(browser: Browser) -> None:
    """Photos that cannot be read, and readings with warnings."""
    deal = browser.send("/deals")
    browser.post(f"{deal}/players/E/photo")
    for name, data in _FILES.items():
        browser.post(f"{deal}/players/E/photo", {"photo": file(data, name)}, name)
    reader = browser.club.reader
    for error in ERRORS:

        def refuse(error: Exception = error) -> None:
            raise error

        reader.hook = refuse
        browser.post(f"{deal}/players/W/photo", {"photo": file(EMPTY_PHOTO)}, repr(error))
        browser.get(f"{deal}/players/W", repr(error))
    reader.hook = None
    for number, warning in enumerate(WARNINGS):
        told = [warning, WARNINGS[0]] if number % 3 == 2 else [warning]
        photograph(browser, deal, "S", {**reading_of(PLAYERS["S"], {}), "warnings": told})
    many = {index: (label, "9p") for index, label in enumerate(PLAYERS["E"]["concealed"][:6])}
    photograph(browser, deal, "E", reading_of(PLAYERS["E"], many))
    for sample in ("0", "1", "9", "x"):
        browser.post(f"{deal}/players/N/sample", {"number": sample})
    for seat in "ESWN":
        browser.get(f"{deal}/players/{seat}/photo", "after photos")


def _table_photos(browser: Browser) -> None:
    """One photo of the whole table, and photos of all players at once."""
    reader = browser.club.reader
    for seats, east, doubtful in (
        ("WNES", "far", False),
        ("ES", "right", False),
        ("ESWN", "near", True),
    ):
        deal = browser.send("/deals")
        browser.get(f"{deal}/table-photo")
        photo = reader.learn(table_reading(seats, doubtful=doubtful))
        place = led(browser.post(f"{deal}/table-photo", {"photo": file(photo, "t.jpg")}))
        where = led(browser.client.get(place))
        for given in ("above", east):
            browser.post(where, {"east": given})
        browser.get(where, "afterwards")
        browser.get(deal, f"with {seats}")
    doubted = next(t for t in inside.tiles_of(browser.club, deal, "N") if not t.checked)
    named = {"action": "name", "seat": "N", "tile": doubted.id, "label": "5p"}
    forms: tuple[Form, ...] = (
        {**named, "tile": "t999"},
        {**named, "seat": "Q"},
        named,
        {"action": "fly"},
        {"action": "version", "number": "7"},
        {"action": "all_right"},
    )
    for form in forms:
        browser.post(f"{deal}/answers", form)
    deal = browser.send("/deals")
    browser.post(f"{deal}/table-photo")
    photos = [file(reader.learn(reading_of(PLAYERS[seat], {})), f"{seat}.jpg") for seat in "ESWN"]
    browser.post(f"{deal}/table-photo/each", {"photos": photos})
    browser.post(f"{deal}/table-photo/each", {"photos": [file(b"x", "x.jpg")]})
    browser.get(f"{deal}/result", "of four photos")


def _decided_together(browser: Browser) -> None:
    """Tiles that are read otherwise because of the others, and what is asked about."""
    hidden_kong = reading_of(PLAYERS["S"], {})
    for tile in hidden_kong["tiles"][6:10]:
        tile |= {"label": "back", "alternatives": [["back", 0.99]]}
    hidden_kong["hands"][0]["melds"][2]["tiles"] = ["back"] * 4
    readings: dict[str, dict[str, Reading]] = {
        "as they are": {},
        "winner misread": {"S": misread("S", t2=("5s", "6s", 0.6))},
        "a fifth copy": {
            "N": misread("N", t5=("2z", "9m", 0.55)),
            "W": misread("W", t9=("2z", "4z", 0.9)),
        },
        "doubtful": {"N": misread("N", t3=("7m", "8m", 0.8), t9=("4z", "3z", 0.6))},
        "two alike": {
            "E": misread("E", t0=("1z", "9m", 0.6), t1=("1z", "9p", 0.6), t2=("1z", "3s", 0.6))
        },
        "read alike": {
            "E": misread("E", t3=("9p", "4p", 0.95), t4=("9p", "4p", 0.95)),
            "N": misread("N", t2=("9p", "4p", 0.95)),
        },
        "a hidden kong": {"S": hidden_kong},
    }
    for name, others in readings.items():
        deal = browser.send("/deals")
        for seat in "ESWN":
            reading = copy.deepcopy(others.get(seat, reading_of(PLAYERS[seat], {})))
            photo = file(browser.club.reader.learn(reading))
            browser.send(f"{deal}/players/{seat}/photo", {"photo": photo})
        _answered(browser, deal, name)


def _answered(browser: Browser, deal: str, name: str) -> None:
    """The pages of a deal, and an answer to whatever is asked on them."""
    browser.get(deal, name)
    for seat in "ESWN":
        browser.get(f"{deal}/players/{seat}", name)
        browser.get(f"{deal}/players/{seat}?check=1", name)
    browser.get(f"{deal}/tiles", name)
    for tile in inside.tiles_of(browser.club, deal, "E"):
        if tile.label == "9p" and not tile.checked:
            told = {"action": "change", "tile": tile.id, "label": "4p"}
            browser.post(f"{deal}/players/E/edit", told, name)
    for form in (
        {"action": "version", "number": "0", "back": "S"},
        {"action": "version", "keep": "0 1"},
        {"action": "version", "number": "0"},
    ):
        browser.post(f"{deal}/answers", form, name)
    facts = {"winner": "S", "asked": "S", "tile": "6s", "source": "discard", "from": "N"}
    browser.post(f"{deal}/win", {**facts, "then": "score"}, name)
    browser.get(f"{deal}/tiles", f"{name}, answered")


def _another_photo(browser: Browser) -> None:
    """One more photo of a player's tiles."""
    deal = browser.send("/deals")
    north = PLAYERS["N"]
    cut = reading_of({**north, "concealed": north["concealed"][:-2]}, {0: ("9p", "1p")})
    photograph(browser, deal, "N", cut)
    whole = reading_of(north, {})
    joiner = inside.join_photos_as(
        browser.club, {**whole, "layout": [{"position": "near", "parts": layout_of(north)}]}
    )
    where = f"{deal}/players/N/another"
    browser.get(where)
    browser.post(where)
    joiner.error = "Photo 2 of 2 does not seem to show the same tiles as photo 1."
    browser.post(where, {"photo": file(b"second")}, "strangers")
    joiner.error = ""
    browser.post(where, {"photo": file(b"second")})
    browser.get(f"{deal}/players/E/another")
    browser.get(f"{deal}/players/N", "joined")
