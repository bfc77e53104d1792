"""A warning of a photo's reading stands until what it warns of is mended."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.webapp.joint.test_decision import whole_deal
from vision.messages import Message, say
from webapp.deal.edits import add_tiles, change_tile, confirm_all, remove_tile, with_player
from webapp.deal.photos import DONE, StoredPhoto
from webapp.deal.state import HAND, DealState
from webapp.language.kept import kept
from webapp.photos.photo_warnings import warnings_left


def photo_with(*warnings: Message) -> StoredPhoto:
    reading = {"warnings": [kept(warning) for warning in warnings]}
    return StoredPhoto("p", "d", "W", "photo", DONE, reading, None)


def left(state: DealState, warning: Message) -> bool:
    return warnings_left(photo_with(warning), state, state.player("W")) != []


def test_too_many_tiles_are_told_until_the_surplus_is_removed() -> None:
    state = whole_deal()
    west = add_tiles(state.player("W"), ["9s", "9s"], HAND)
    warning = say("hand.too_many", tiles_were=say("tiles.were", count=15))
    assert left(with_player(state, west), warning)
    extra = [tile.id for tile in west.tiles if tile.quad is None]
    mended = remove_tile(remove_tile(west, extra[0]), extra[1])
    assert not left(with_player(state, mended), warning)


@pytest.mark.parametrize(
    "warning",
    [
        say("reading.doubtful", tiles=say("tiles.is")),
        say("photo.dark"),
        say("reading.strays", tiles=say("tiles.is"), shown=("9p",)),
    ],
)
def test_a_doubt_is_told_until_somebody_has_looked(warning: Message) -> None:
    state = whole_deal(W={0: ("9s", "8s", 0.6)})
    assert left(state, warning)
    assert not left(with_player(state, confirm_all(state.player("W"))), warning)


def test_a_face_down_tile_is_told_until_it_is_named() -> None:
    state = whole_deal()
    west = state.player("W")
    tile = west.in_place(HAND)[0]
    hidden = with_player(state, change_tile(west, tile.id, "back"))
    warning = say("hand.face_down", tiles=say("tiles.is"))
    assert left(hidden, warning)
    assert not left(state, warning)


def test_on_a_photo_of_the_table_only_a_players_own_faults_are_told() -> None:
    state = replace(whole_deal(W={0: ("9s", "8s", 0.6)}), sides={"W": "far", "E": "near"})
    west = add_tiles(state.player("W"), ["9s", "9s"], HAND)
    state = with_player(state, west)
    fault = say("hand.too_many", tiles_were=say("tiles.were", count=15))
    assert left(state, say("reading.of_player", player=say("player.far"), fault=fault))
    assert not left(state, say("reading.of_player", player=say("player.near"), fault=fault))
