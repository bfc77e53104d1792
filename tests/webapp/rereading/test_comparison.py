"""A new reading of a photo that shows several players, held against the deal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.webapp.fakes import DEAL, layout_of, read_as, reading_of
from tests.webapp.rereading.archive import Misread, reading
from webapp.deal.edits import exchange_tiles, remove_tile, with_player
from webapp.deal.state import DealState, new_deal
from webapp.photos.from_reading import tiles_from_reading
from webapp.rereading.choosing import Kept
from webapp.rereading.comparison import compare

EAST = DEAL["players"][0]
"""A player who lies at the far side of the photo."""


def of_table(misread: Misread | None = None) -> dict[str, Any]:
    """West's tiles near, East's far; some of East's are read wrongly."""
    near, far = reading(), reading_of(EAST, misread or {})
    tiles = [{**t, "quad": [[x, y + 600] for x, y in t["quad"]]} for t in far["tiles"]]
    parts = layout_of(EAST, len(near["tiles"]))
    return {
        **near, "height": 1400, "tiles": [*near["tiles"], *tiles],
        "hands": [*near["hands"], {**far["hands"][0], "position": "far"}],
        "layout": [*near["layout"], {"position": "far", "parts": parts}],
    }  # fmt: skip


def as_read(read: dict[str, Any]) -> DealState:
    state = new_deal(("E", "S", "W", "N"))
    for seat, side in (("W", "near"), ("E", "far")):
        state = with_player(state, tiles_from_reading(state.player(seat), read_as(read), "p", side))
    return state


def test_each_player_is_held_against_the_hand_at_their_side_also_after_an_exchange() -> None:
    read = of_table()
    state = exchange_tiles(as_read(read), "E", "W")
    kept = Kept("p", b"", read, state, "")
    held = compare(kept, read_as(of_table())).held
    assert held is not None
    assert (held.corrected, held.wrong_before, held.wrong_now) == (False, 0, 0)
    assert held.stood == len(read["tiles"])
    now = compare(kept, read_as(of_table({0: ("9m", "1m")})))
    assert now.held is not None
    assert now.held.wrong_now == 1
    assert now.held.read_otherwise == [("1m", "9m")]
    assert now.changes == [("1m", "9m")]


def test_a_tile_that_somebody_took_away_counts_as_put_right() -> None:
    read = of_table()
    state = as_read(read)
    west = state.player("W")
    state = with_player(state, remove_tile(west, west.tiles[0].id))
    held = compare(Kept("p", b"", read, state, ""), read_as(read)).held
    assert held is not None
    assert (held.corrected, held.wrong_before, held.wrong_now) == (True, 1, 1)


def test_a_photo_whose_tiles_are_not_in_the_deal_is_held_against_its_reading_alone() -> None:
    read = of_table()
    state = as_read(read)
    others = tuple(replace(player, photo="another") for player in state.players)
    found = compare(Kept("p", b"", read, replace(state, players=others), ""), None)
    assert found.held is None
    assert len(found.changes) == found.tiles == len(read["tiles"])
