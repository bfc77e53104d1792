"""The tile sets that Kongbox was taught, and which of them is on the table."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from webapp.deal.store import Store, StoredDeal
from webapp.games.store import GameStore

_LOOKED_BACK: Final = 3
"""Maximum number of earlier hands that are searched for the tile set on the table."""


@dataclass(frozen=True, slots=True)
class Face:
    """A picture of a face of a tile set: its label, and the picture as a JPEG in base64."""

    label: str
    jpeg: str


@dataclass(frozen=True, slots=True)
class KnownSet:
    """A tile set as its profile describes it.

    Attributes:
        name: the name of the set.
        faces: the pictures of its faces, in the order of the labels.
        missing: the labels of the faces of which there is no picture.
        blank_white: whether its white dragon is a tile with nothing on it.
    """

    name: str
    faces: tuple[Face, ...]
    missing: tuple[str, ...]
    blank_white: bool


def drafts_folder() -> Path:
    """The folder of the tile sets that are being taught, beside the profiles."""
    from vision.tilesets.folder import profiles_folder

    return profiles_folder() / ".drafts"


def set_names() -> list[str]:
    """The names of the known tile sets, sorted."""
    from vision.tilesets.profile_file import list_profiles

    return list_profiles()


def known_set(name: str) -> KnownSet | None:
    """The tile set with this name; None if there is none or its file is damaged."""
    from scorer.tiles import READING_LABELS, TILES
    from vision.tilesets.profile import ProfileError
    from vision.tilesets.profile_file import profile_path

    try:
        held: dict[str, Any] = json.loads(profile_path(name).read_text("utf-8"))
        faces = [Face(shot["label"], shot["jpeg"]) for shot in held["shots"]]
        faces.sort(key=lambda face: READING_LABELS.index(face.label))
        blank = held["white_dragon"] == "blank"
    except (ProfileError, OSError, ValueError, KeyError, TypeError):
        return None
    seen = {face.label for face in faces}
    return KnownSet(name, tuple(faces), tuple(t for t in TILES if t not in seen), blank)


def set_on_table(store: Store, games: GameStore, deal_id: str) -> str:
    """The name of the tile set with which a deal's photos are read.

    It is the set chosen for the deal, else the one used last at its table; empty for none.
    """
    deal = store.deal(deal_id)
    return "" if deal is None else set_of(store, games, deal)


def set_of(store: Store, games: GameStore, deal: StoredDeal) -> str:
    """As :func:`set_on_table`, for a deal that is at hand."""
    if deal.state.tile_set is not None or deal.place is None:
        return deal.state.tile_set or ""
    return set_used(store, games, deal.place[0], deal.id) or ""


def set_used(store: Store, games: GameStore, game_id: str, but: str = "") -> str | None:
    """The name of the tile set used last at a table, empty for none; None if nobody chose.

    Args:
        store: the deals.
        games: the games.
        game_id: the table.
        but: the id of a deal that is not looked at.
    """
    game = games.game(game_id)
    earlier = [] if game is None else [d for d in game.book.deals if d and d != but]
    for other in reversed(earlier[-_LOOKED_BACK:]):
        before = store.deal(other)
        if before is not None and before.state.tile_set is not None:
            return before.state.tile_set
    return None
