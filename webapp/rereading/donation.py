"""Photos of a club's tiles for those who improve the reading: a ZIP file without names."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from sqlalchemy import Engine

from scorer.tiles import BACK, READING_LABELS
from vision.errors import PhotoError
from vision.photo.decode import decode_photo
from vision.photo.headers import read_header
from webapp.club_settings.decisions import Decisions
from webapp.club_settings.groups import PhotoGiving
from webapp.deal.state import Player, Quad, Tile
from webapp.photos.pictures import shown_copy
from webapp.rereading.choosing import Kept, KeptPhotos, Where
from webapp.rereading.comparison import same_tiles, scaled
from webapp.rereading.left_out import LeftOut

FOLDER: Final = "photos"
"""The folder of the file in which the photos are; what is known of all is in a file beside it."""

README: Final = """\
Photos of mahjong tiles, with what lies on them as the players left it.

photos/ID.jpg      a photo, at most 2048 pixels wide or high
photos/ID.json     its tiles: label, the four corners in pixels, what was read, and whether
                   somebody looked at it; "unlabelled" are places of which nobody said anything,
                   "tapped_in" tiles of the hand that were entered without a place on the photo
photos.coco.json   the same of all photos in the form of COCO, which datasets.sets.coco loads

Labels: 1m to 9m characters, 1p to 9p circles, 1s to 9s bamboo, 1z to 4z winds from East,
5z 6z 7z dragons, 1f to 4f flowers, 1y to 4y seasons, back, blank, other.

The numbers are made up anew for each such file. It says nothing of who played, where and when;
the pictures were encoded anew and hold nothing but pixels. The club has agreed to give them.
"""
"""What the file says of itself."""


class GiftRefused(ValueError):
    """No file is made; the message says why."""


@dataclass
class _Gift:
    """What has been put into the file: the tile sets by made-up names, and the rows of COCO."""

    sets: dict[str, str] = field(default_factory=dict)
    images: list[dict[str, Any]] = field(default_factory=list)
    annotations: list[dict[str, Any]] = field(default_factory=list)


def write_gift(engine: Engine, path: Path) -> int:
    """Write the photos that may be given into a new ZIP file; gives their number.

    Args:
        engine: the club's database.
        path: the file.

    Raises:
        GiftRefused: the club has not agreed, there is no photo, or the file exists.
    """
    if not Decisions(engine).of(PhotoGiving).given:
        raise GiftRefused(
            "The club has not decided that photos of its tiles may be given away. A secretary "
            "decides it on the page “Our club”, under “Photos for the project”."
        )
    photos = KeptPhotos(engine)
    stay = LeftOut(engine).all()
    may = [photo_id for photo_id in photos.taken(Where()) if photo_id not in stay]
    ids = {secrets.token_hex(8): photo_id for photo_id in may}
    if not ids:
        raise GiftRefused("No photo is kept here that could be given.")
    try:
        file = path.open("xb")
    except FileExistsError as error:
        raise GiftRefused(f"{path} exists already. Name a new file.") from error
    gift = _Gift()
    try:
        with file, ZipFile(file, "w", ZIP_DEFLATED) as packed:
            for name, photo_id in sorted(ids.items()):
                kept = photos.photo(photo_id)
                if kept is not None:
                    _put(packed, gift, name, kept)
            _write(packed, f"{FOLDER}.coco.json", _json(_coco(gift)))
            _write(packed, "README.txt", README.encode())
    except BaseException:
        path.unlink()
        raise
    return len(gift.images)


def _put(packed: ZipFile, gift: _Gift, name: str, kept: Kept) -> None:
    """Add a photo and its tiles, if any of them stand in a deal and the picture can be opened."""
    try:
        picture = shown_copy(decode_photo(kept.picture))
    except PhotoError:
        return
    header = read_header(picture)
    told = _tiles(kept, header.width / kept.reading["width"])
    if not told["tiles"]:
        return
    set_name = gift.sets.setdefault(kept.tile_set, secrets.token_hex(4))
    facts = {"width": header.width, "height": header.height, "set": set_name}
    _write(packed, f"{FOLDER}/{name}.jpg", picture)
    _write(packed, f"{FOLDER}/{name}.json", _json({"photo": f"{name}.jpg", **facts, **told}))
    number = len(gift.images) + 1
    unlabelled = [{"quad": quad} for quad in told["unlabelled"]]
    gift.images.append(
        {
            "id": number, "file_name": f"{FOLDER}/{name}.jpg", **facts,
            "unlabelled_quads": unlabelled, "backs_complete": False,
        }
    )  # fmt: skip
    for tile in told["tiles"]:
        row = {"id": len(gift.annotations) + 1, "image_id": number, "checked": tile["checked"]}
        corners = [number for corner in tile["quad"] for number in corner]
        category = READING_LABELS.index(tile["label"]) + 1
        gift.annotations.append({**row, "category_id": category, "segmentation": [corners]})


def _coco(gift: _Gift) -> dict[str, Any]:
    categories = [{"id": at + 1, "name": label} for at, label in enumerate(READING_LABELS)]
    return {"images": gift.images, "annotations": gift.annotations, "categories": categories}


def _tiles(kept: Kept, scale: float) -> dict[str, list[Any]]:
    """What the deal says of the tiles of a photo, in pixels of the picture."""
    players = [p for p in kept.state.players if p.photo == kept.id and p.claimed is None]
    tiles = [(player, tile) for player in players for tile in player.tiles]
    named = [tile for _, tile in tiles]
    read = [Tile("", it["label"], quad=scaled(it["quad"], 1.0)) for it in kept.reading["tiles"]]
    unsaid = [there.quad for one, there in same_tiles(named, read) if one is None and there]
    return {
        "tiles": [
            {
                "label": _seen(player, tile),
                "quad": _rounded(tile.quad, scale),
                "read": tile.alternatives[0][0] if tile.alternatives else None,
                "checked": tile.checked,
            }
            for player, tile in tiles
            if tile.quad
        ],
        "unlabelled": [_rounded(quad, scale) for quad in unsaid if quad],
        "tapped_in": [tile.label for tile in named if not tile.quad],
    }


def _seen(player: Player, tile: Tile) -> str:
    """What a tile shows: of a concealed meld those that were read as face down are its backs."""
    concealed = {meld.id for meld in player.melds if meld.concealed}
    face_down = bool(tile.alternatives) and tile.alternatives[0][0] == BACK
    return BACK if face_down and tile.place in concealed else tile.label


def _rounded(quad: Quad, scale: float) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in scaled(quad, scale)]


def _write(packed: ZipFile, name: str, data: bytes) -> None:
    """Add a file without the time and the rights that it would have here."""
    packed.writestr(ZipInfo(name), data, ZIP_DEFLATED)


def _json(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
