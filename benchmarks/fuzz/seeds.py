"""Good inputs from which broken ones are made."""

from __future__ import annotations

import base64
import json
import tempfile
from importlib import resources
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.hostile.heics import PIECE, Heic, turned
from vision.runtime.opencv import cv2
from webapp.backup.archive import write_archive_file
from webapp.database.engine import open_database
from webapp.deal.state import new_deal
from webapp.deal.store import Store

_WIN: Final[dict[str, Any]] = {
    "ruleset": "bmja-u3a",
    "round_wind": "E",
    "dealer": "E",
    "goulash": False,
    "players": [
        {
            "seat": "E",
            "name": "Ann",
            "concealed": ["1m", "2m", "3m", "5p", "5p", "5p", "9s", "9s"],
            "melds": [
                {"kind": "pung", "tiles": ["1z", "1z", "1z"], "concealed": False},
                {"kind": "kong", "tiles": ["7z", "7z", "7z", "7z"], "concealed": True},
            ],
            "bonus": ["1f", "2y"],
        },
        {"seat": "S", "concealed": ["1p"] * 3 + ["2p"] * 3 + ["3p"] * 3 + ["4p"] * 3 + ["5z"],
         "fishing": True, "status": "live"},
        {"seat": "W", "claimed": 16},
        {"seat": "N", "claimed": 0},
    ],
    "win": {"seat": "E", "tile": "3m", "source": "discard", "from": "N", "last_tile": True},
    "penalties": [],
    "changes": {},
}  # fmt: skip
_CLUB: Final = """base = "western"
id = "club"
name = "Our club"

[[rule]]
id = "own"
text = "Pung of {tile}"
points = 2
per_set = { kinds = ["pung"], tiles = "minor", concealed = false }
cite = "p. 1"

[[rule]]
id = "dragons"
remove = true

[[special_hand]]
id = "own_hand"
name = "Own hand"
description = "Seven pairs of ones, nines, winds and dragons."
shape = "seven_major_pairs"
exposed = "last_claimed"
won = { limit = "1/2" }
fishing = { limit = "1/5" }
cite = "p. 2"
after = "knitting"

[[option]]
id = "own_limit"
name = "Limit"
help = "The award for a limit hand, in points."
kind = "integer"
target = "limit.value"
minimum = 10
cite = "p. 2"
"""


def deals() -> tuple[bytes, ...]:
    """Deals as JSON, and two on lines of their own."""
    east, *others = _WIN["players"]
    waiting = {**east, "concealed": east["concealed"][:-1]}
    drawn = {**_WIN, "win": None, "ruleset": "western", "players": [waiting, *others]}
    lines = json.dumps(_WIN) + "\n" + json.dumps(drawn)
    return json.dumps(_WIN).encode(), json.dumps(drawn).encode(), lines.encode()


def hands() -> tuple[bytes, ...]:
    """Hands and the melds laid down, on a line each."""
    return (
        b"123m55p 777z 1f3y\n(5555z) 345m",
        b"19m19p19s1234567z\n",
        b"back blank other 1m\n777z",
    )


def rulesets() -> tuple[bytes, ...]:
    """A ruleset of a club's own, and one that comes with the program under another id."""
    shipped = resources.files("scorer") / "rulesets" / "bmja-mjbr.toml"
    clarified = shipped.read_text("utf-8").replace('id = "bmja-mjbr"', 'id = "clarified"', 1)
    return _CLUB.encode(), clarified.encode()


def profiles() -> tuple[bytes, ...]:
    """A profile of a tile set with two small pictures."""
    embedding = np.full(16, 0.25, "<f2").tobytes()
    shot = {
        "jpeg": base64.b64encode(_picture(".jpg", 32, 48)).decode(),
        "embedding": base64.b64encode(embedding).decode(),
    }
    profile = {
        "kongbox_set": 1,
        "name": "Club set",
        "classifier": {"version": "1.0.1", "sha256": "0" * 64},
        "white_dragon": "blank",
        "copies": {"1f": 0},
        "shots": [{"label": "1m", **shot}, {"label": "5z", **shot}],
    }
    return (json.dumps(profile).encode(),)


def archives() -> tuple[bytes, ...]:
    """The archive of a database with a deal and a photo."""
    with tempfile.TemporaryDirectory() as folder:
        engine = open_database(f"sqlite:///{folder}/kongbox.sqlite3")
        store = Store(engine)
        store.add_photo(store.create(new_deal(("E", "S", "W"))), "E", "unread", b"\x00\xff")
        write_archive_file(engine, Path(folder) / "all.zip")
        engine.dispose()
        return ((Path(folder) / "all.zip").read_bytes(),)


def photos() -> tuple[bytes, ...]:
    """Small pictures in every format that is read."""
    progressive = [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]
    return (
        _picture(".jpg", 40, 64),
        _picture(".jpg", 40, 64, progressive),
        _picture(".png", 40, 64),
        _picture(".webp", 40, 64),
        _picture(".webp", 40, 64, [cv2.IMWRITE_WEBP_QUALITY, 101]),
        _picture(".avif", 40, 64),
        bytes(Heic(turns=turned(3))),
        bytes(Heic([PIECE] * 6, 3, (250, 100), turns=turned(1, mirrored=1))),
    )


def _picture(suffix: str, height: int, width: int, options: list[int] | None = None) -> bytes:
    column = np.arange(width, dtype=np.uint8) * 3
    image = np.broadcast_to(column[np.newaxis, :, np.newaxis], (height, width, 3))
    done, data = cv2.imencode(suffix, np.ascontiguousarray(image), options or [])
    if not done:
        raise RuntimeError(f"a picture could not be written as {suffix}")
    return data.tobytes()
