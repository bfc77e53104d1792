"""The corrections of a deal's tiles: how they differ from what was read from the photo."""

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
    """One correction of a tile.

    Attributes:
        seat: the player whose tile it is.
        kind: another label by a person, another label by the joint decision on the deal, a tile
            removed, a tile added, or a tile moved to another place.
        was: the label before; None for a tile that was added.
        now: the label after; None for a tile that was removed.
        from_photo: whether the tile was read from the photo.
        who: the account that made the correction; None without a login or for a joint decision.
        at: when it was made.
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
    """A tile as it was read from the photo, and its label now; None if the tile was removed."""

    tile: Tile
    now: str | None

    @property
    def corrected(self) -> bool:
        """Whether the tile has another label now or was removed."""
        return self.now != self.tile.label


def tile_changes(entries: Sequence[DealEntry]) -> list[TileChange]:
    """The corrections of a deal's tiles in the order in which they were made.

    Entries taken back are left out. Tiles that are tapped in without a photo count as corrections
    only when they are changed.

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
    """What identifies a player when the winds pass on: the name, or the seat if there is none."""
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
    """The tiles of a photo in the order of the reading, each with its label now.

    Args:
        original: the player with the tiles as they were read.
        stands: the same player now.
    """
    now = {tile.id: tile.label for tile in stands.tiles if tile.quad is not None}
    return [ReadTile(tile, now.get(tile.id)) for tile in original.tiles]


def as_read(entries: Sequence[DealEntry], stands: Player) -> Player | None:
    """The player with the tiles of this one's photo as they were read; None if none ever were.

    On a photo of the whole table several players have tiles: it is the one with most of these.
    """
    ids = {tile.id for tile in stands.tiles}

    def fits(player: Player) -> tuple[int, bool]:
        return len(ids & {tile.id for tile in player.tiles}), player.seat == stands.seat

    for entry in entries:
        read = [it for it in entry.state.players if it.photo == stands.photo and it.tiles]
        if read and stands.photo is not None:
            return max(read, key=fits)
    return None
