"""Who corrected what about a deal's tiles: the reading of the photo against what stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Literal

from webapp.deal.state import Player, Tile
from webapp.deal.store import DealEntry

Change = Literal["label", "decided", "removed", "added", "moved"]


@dataclass(frozen=True, slots=True)
class TileChange:
    """One tile that was put right.

    Attributes:
        seat: whose tile it is.
        kind: another label by a person, or decided by the program from all tiles of the deal; a
            tile taken away, one more, or one laid elsewhere.
        was: the label before; None for a tile that was added.
        now: the label after; None for a tile that was removed.
        from_photo: whether the tile was read from the photo.
        who: the account under which it was done, if any; None for what the program decided.
        at: when.
    """

    seat: str
    kind: Change
    was: str | None
    now: str | None
    from_photo: bool
    who: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class ReadTile:
    """A tile of the photo: the label it was read as, and the one that stands (None: removed)."""

    tile: Tile
    now: str | None

    @property
    def corrected(self) -> bool:
        """Whether a person changed it."""
        return self.now != self.tile.label


def tile_changes(entries: Sequence[DealEntry]) -> list[TileChange]:
    """What was changed about the tiles, step by step; entries taken back are left out.

    Tiles that are tapped in where there is no photo are no corrections until they are changed.

    Args:
        entries: all entries of a deal, in the order in which they were made.
    """
    standing = [entry for entry in entries if entry.stands]
    found: list[TileChange] = []
    for before, after in pairwise(standing):
        known = {_key(player): player for player in before.state.players}
        for player in after.state.players:
            was = known.get(_key(player))
            if was is not None and was.photo == player.photo:
                found += _changes(was, player, after)
    return found


def _key(player: Player) -> str:
    """Names go with the players when winds pass on; the seat has to do where there is none."""
    return player.name or player.seat


def _changes(was: Player, now: Player, entry: DealEntry) -> Iterator[TileChange]:
    old = {tile.id: tile for tile in was.tiles}
    new = {tile.id: tile for tile in now.tiles}

    def change(kind: Change, tile: Tile, before: str | None, after: str | None) -> TileChange:
        photo = tile.quad is not None
        who = None if kind == "decided" else entry.who
        return TileChange(now.seat, kind, before, after, photo, who, entry.at)

    for tile_id, tile in old.items():
        found = new.get(tile_id)
        if found is None:
            yield change("removed", tile, tile.label, None)
        elif found.label != tile.label:
            yield change("label" if found.checked else "decided", tile, tile.label, found.label)
        elif found.place != tile.place:
            yield change("moved", tile, tile.label, found.label)
    for tile_id, tile in new.items():
        if tile_id not in old and now.photo is not None:
            yield change("added", tile, None, tile.label)


def read_tiles(original: Player, stands: Player) -> list[ReadTile]:
    """The tiles of a photo with what became of each, in the order of the reading.

    Args:
        original: the player with the tiles as the photo was read.
        stands: the same player now.
    """
    now = {tile.id: tile.label for tile in stands.tiles if tile.quad is not None}
    return [ReadTile(tile, now.get(tile.id)) for tile in original.tiles]


def reading_of_photo(entries: Sequence[DealEntry], photo: str) -> Player | None:
    """The player as the photo was read, before anybody changed a tile; None if it never was."""
    for entry in entries:
        for player in entry.state.players:
            if player.photo == photo and player.tiles:
                return player
    return None
