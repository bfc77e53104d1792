"""A table of four players with photos drawn by code, and a reader that knows those photos."""

from __future__ import annotations

import hashlib
import json
import struct
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from scorer.tiles import BACK, is_bonus
from vision import NoTilesFound
from vision.messages import Message, verbatim
from vision.photo.decode import PhotoData, decode_photo, open_photo
from vision.vocabulary.reading_form import reading_from_json
from vision.vocabulary.readings import Reading

WIDTH, HEIGHT = 1200, 700
TILE_W, TILE_H = 66, 88

NOISE = np.random.default_rng(7).integers(0, 256, (200, 200, 3), np.uint8)
EMPTY_PHOTO: bytes = cv2.imencode(".jpg", NOISE)[1].tobytes()
"""A photo without tiles."""

DEAL: dict[str, Any] = {
    "ruleset": "bmja-u3a",
    "round_wind": "E",
    "dealer": "E",
    "goulash": False,
    "players": [
        {
            "seat": "E",
            "name": "Ann",
            "concealed": ["1m", "2m", "3m", "4p", "4p", "4p", "9s", "9s", "1z", "1z"],
            "melds": [{"kind": "pung", "tiles": ["5z", "5z", "5z"], "concealed": False}],
            "bonus": [],
        },
        {
            "seat": "S",
            "name": "Ben",
            "concealed": ["6s", "6s", "6s", "8s", "8s"],
            "melds": [
                {"kind": "pung", "tiles": ["1s", "1s", "1s"], "concealed": False},
                {"kind": "pung", "tiles": ["2z", "2z", "2z"], "concealed": False},
                {"kind": "kong", "tiles": ["7z", "7z", "7z", "7z"], "concealed": True},
            ],
            "bonus": ["2f"],
        },
        {
            "seat": "W",
            "name": "",
            "concealed": ["5m", "5m", "5m", "6p", "7p", "8p", "3s", "3s", "3z", "4z"],
            "melds": [{"kind": "pung", "tiles": ["9p", "9p", "9p"], "concealed": False}],
            "bonus": ["1y"],
        },
        {
            "seat": "N",
            "name": "",
            "concealed": [
                "1p", "2p", "3p", "7m", "8m", "9m", "2s", "3s", "4s", "4z", "4z", "6z", "5p",
            ],
            "melds": [],
            "bonus": ["4f", "4y"],
        },
    ],
    "win": {"seat": "S", "tile": "6s", "source": "discard", "from": "N"},
    "penalties": [],
}  # fmt: skip
"""A lawful deal that South won on North's discard."""


def read_as(form: dict[str, Any]) -> Reading:
    """The reading of this JSON form, whose warnings may be messages."""
    told = [verbatim(one) if isinstance(one, str) else one for one in form["warnings"]]
    return replace(reading_from_json({**form, "warnings": []}), warnings=tuple(told))


def _quad(column: float, row: int) -> list[list[float]]:
    x, y = 40 + column * (TILE_W + 4), 120 + row * 260
    return [[x, y], [x + TILE_W, y], [x + TILE_W, y + TILE_H], [x, y + TILE_H]]


def reading_of(player: dict[str, Any], doubtful: dict[int, tuple[str, str]]) -> dict[str, Any]:
    """What a reader would give for a player's tiles; the outer tiles of concealed kongs face down.

    ``doubtful`` maps a tile's index in the hand to (label read, true label).
    """
    tiles: list[dict[str, Any]] = []

    def put(label: str, column: float, row: int, confidence: float, other: str = "9p") -> None:
        second = (other, round(0.9 * (1 - confidence), 4))
        tiles.append(
            {
                "quad": _quad(column, row),
                "label": label,
                "confidence": confidence,
                "alternatives": [[label, confidence], list(second)],
                "row": row,
            }
        )

    column = 0.0
    for meld in player["melds"]:
        for i, label in enumerate(meld["tiles"]):
            hidden = meld["concealed"] and i in (0, 3)
            put(BACK if hidden else label, column, 0, 0.99)
            column += 1
        column += 0.6
    for label in player["bonus"]:
        put(label, column, 0, 0.98)
        column += 1
    hand = []
    for i, label in enumerate(player["concealed"]):
        read, truth = doubtful.get(i, (label, "9p"))
        put(read, i, 1, 0.55 if i in doubtful else 0.99, truth)
        hand.append(read)
    assert not any(is_bonus(label) for label in hand)
    melds = [dict(meld) for meld in player["melds"]]
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "tiles": tiles,
        "hands": [{"row": 1, "concealed": hand, "melds": melds, "bonus": player["bonus"]}],
        "warnings": [],
        "seconds": {"decode": 0.0, "detect": 0.0, "classify": 0.0, "layout": 0.0},
    }


def layout_of(player: dict[str, Any], start: int = 0) -> list[dict[str, Any]]:
    """How the tiles of :func:`reading_of` lie, the first of them numbered ``start``."""
    laid = [("set", len(meld["tiles"]), meld) for meld in player["melds"]]
    laid += [("bonus", len(player["bonus"]), None), ("hand", len(player["concealed"]), None)]
    parts = []
    for role, count, meld in laid:
        if count:
            tiles = list(range(start, start + count))
            parts.append({"role": role, "tiles": tiles, "meld": meld})
        start += count
    return parts


def photo_of(reading: dict[str, Any]) -> bytes:
    """A JPEG that shows pale tiles where the reading has them."""
    return _drawn(
        tuple((tile["label"], tuple(map(tuple, tile["quad"]))) for tile in reading["tiles"])
    )


@lru_cache(maxsize=64)
def _drawn(tiles: tuple[tuple[str, tuple[tuple[float, float], ...]], ...]) -> bytes:
    image = np.full((HEIGHT, WIDTH, 3), (60, 110, 60), np.uint8)
    for label, quad in tiles:
        face = np.asarray(quad, np.int32)
        colour = (70, 140, 60) if label == BACK else (235, 245, 250)
        cv2.fillPoly(image, [face], colour)
        at = (int(face[0][0]) + 14, int(face[0][1]) + 56)
        cv2.putText(image, label[:2], at, cv2.FONT_HERSHEY_SIMPLEX, 0.9, (40, 40, 40), 2)
    encoded: bytes = cv2.imencode(".jpg", image)[1].tobytes()
    return encoded


@dataclass
class FakeReader:
    """Knows a few photos by their bytes or pixels; the others must be photos, but show no tiles."""

    known: dict[str, dict[str, Any]] = field(default_factory=dict)
    seconds: float = 0.0
    hook: Callable[[], object] | None = None

    def learn(self, reading: dict[str, Any]) -> bytes:
        """A photo that will be read as this."""
        photo = photo_of(reading)
        for data in (photo, decode_photo(photo).tobytes()):
            self.known[hashlib.sha256(data).hexdigest()] = reading
        return photo

    def __call__(self, photo: PhotoData) -> Reading:
        time.sleep(self.seconds)
        if self.hook is not None:
            self.hook()
        data = photo if isinstance(photo, bytes) else open_photo(photo).image.tobytes()
        reading = self.known.get(hashlib.sha256(data).hexdigest())
        if reading is not None:
            return read_as(reading)
        decode_photo(photo)
        raise NoTilesFound(Message("No tiles were found on this photo."))


def write_samples(folder: Path, reader: FakeReader) -> Path:
    """Sample photos of :data:`DEAL` and their description; North's last tile is read wrongly."""
    pictures = folder / "static" / "samples"
    pictures.mkdir(parents=True)
    listed = []
    for player in DEAL["players"]:
        doubtful = {12: ("6p", "5p")} if player["seat"] == "N" else {}
        photo = reader.learn(reading_of(player, doubtful))
        name = f"{player['seat']}.jpg"
        (pictures / name).write_bytes(photo)
        listed.append(
            {"seat": player["seat"], "photo": name, "title": f"Tiles of seat {player['seat']}"}
        )
    description = folder / "samples.json"
    description.write_text(json.dumps({"photos": listed, "deal": DEAL}), "utf-8")
    return description


def white_png(width: int, height: int) -> bytes:
    """A whole PNG of this size in black and white; small as a file, huge when unpacked."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    rows = (b"\0" + b"\xff" * (width // 8)) * height
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    parts = chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(rows, 1)), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)
