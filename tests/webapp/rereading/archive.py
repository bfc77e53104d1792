"""Kept photos of deals, of which people have put some right, and a reader that reads them anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.webapp.fakes import DEAL, FakeReader, layout_of, read_as, reading_of
from webapp.database.ids import new_id
from webapp.deal.edits import change_tile, with_player
from webapp.deal.state import DealState, new_deal
from webapp.deal.store import Store
from webapp.photos.from_reading import tiles_from_reading

WEST = DEAL["players"][2]
"""A player whose hand has 5m 5m 5m 6p 7p 8p 3s 3s 3z 4z."""

Misread = dict[int, tuple[str, str]]


def reading(misread: Misread | None = None) -> dict[str, Any]:
    """West's tiles as they are read, some of them wrongly."""
    read = reading_of(WEST, misread or {})
    hand = {**read["hands"][0], "position": "near"}
    return {
        "photo": "IMG_1.jpg", **read, "hands": [hand],
        "layout": [{"position": "near", "parts": layout_of(WEST)}],
    }  # fmt: skip


def smaller(read: dict[str, Any]) -> dict[str, Any]:
    """The same reading of a photo of half the size."""
    tiles = [{**t, "quad": [[x / 2, y / 2] for x, y in t["quad"]]} for t in read["tiles"]]
    return {**read, "width": read["width"] // 2, "height": read["height"] // 2, "tiles": tiles}


def keep(
    store: Store,
    reader: FakeReader,
    before: Misread,
    now: Misread | None,
    put_right: dict[str, str] | None = None,
) -> tuple[str, str]:
    """Keep a photo of a deal; gives the ids of the deal and the photo.

    Args:
        store: where it is kept.
        reader: learns how it is read now.
        before: what was read wrongly.
        now: what is read wrongly now; None if nothing at all is read.
        put_right: what people said of tiles by the label that was read.
    """
    read = reading(before)
    deal_id, photo_id = store.create(new_deal(("E", "S", "W", "N"), {"W": "Ann Lee"})), new_id()
    picture = reader.learn({**read, "tiles": [*read["tiles"], _mark(len(reader.known))]})
    new = next(reversed(reader.known))
    if now is None:
        del reader.known[new]
    else:
        reader.known[new] = smaller(reading(now))
    store.add_read_photo(photo_id, deal_id, "W", "IMG_1.jpg", read, picture)
    store.edit(deal_id, _putting(read, photo_id, put_right or {}), "Photo read")
    return deal_id, photo_id


def _mark(number: int) -> dict[str, Any]:
    """A drawn tile that tells apart photos of the same tiles."""
    x = 10 * number
    return {"label": "1m", "quad": [[x, 0], [x + 9, 0], [x + 9, 20], [x, 20]]}


def _putting(
    read: dict[str, Any], photo_id: str, put_right: dict[str, str]
) -> Callable[[DealState], DealState]:
    def put(state: DealState) -> DealState:
        player = tiles_from_reading(state.player("W"), read_as(read), photo_id)
        for label, true in put_right.items():
            tile = next(tile for tile in player.tiles if tile.label == label)
            player = change_tile(player, tile.id, true)
        return with_player(state, player)

    return put
