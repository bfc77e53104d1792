"""From what was read to a player's tiles."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.tiles import sort_tiles
from tests.webapp.fakes import DEAL, read_as, reading_of
from webapp.deal.edits import with_player
from webapp.deal.for_scorer import table_facts, to_deal
from webapp.deal.state import Player
from webapp.photos.from_reading import tiles_from_reading

PLAYERS = {p["seat"]: p for p in DEAL["players"]}


def read(seat: str, doubtful: dict[int, tuple[str, str]] | None = None) -> Player:
    reading = reading_of(PLAYERS[seat], doubtful or {})
    return tiles_from_reading(Player(seat), read_as(reading), "photo")


@pytest.mark.parametrize("seat", list(PLAYERS))
def test_every_tile_lands_in_its_place(seat: str) -> None:
    form = to_deal(with_player(table_facts(DEAL), read(seat))).to_json()
    player = next(p for p in form["players"] if p["seat"] == seat)
    true = PLAYERS[seat]
    assert player["concealed"] == sort_tiles(true["concealed"])
    assert player["melds"] == true["melds"]
    assert player["bonus"] == sort_tiles(true["bonus"])


def test_face_down_tiles_of_a_kong_are_named_by_its_face() -> None:
    kong = read("S").in_place("s3")
    assert [t.label for t in kong] == ["7z"] * 4
    assert not any(t.unresolved for t in kong)


def test_a_set_apart_is_preferred_to_the_same_tiles_in_hand() -> None:
    player: dict[str, Any] = {
        "concealed": ["1m", "2m", "3m"],
        "melds": [{"kind": "chow", "tiles": ["1m", "2m", "3m"], "concealed": False}],
        "bonus": [],
    }
    read_player = tiles_from_reading(Player("S"), read_as(reading_of(player, {})), "photo")
    apart = read_player.in_place("s1")
    assert {t.quad[0][1] for t in apart if t.quad} == {120}


def test_a_set_of_tiles_that_are_not_there_is_left_out() -> None:
    reading = reading_of(PLAYERS["E"], {})
    reading["hands"][0]["melds"] = [{"kind": "kong", "tiles": ["6z"] * 4, "concealed": False}]
    player = tiles_from_reading(Player("E"), read_as(reading), "photo")
    assert player.melds == ()
    assert len(player.tiles) == len(reading["tiles"])


def test_where_no_hand_is_laid_out_the_player_gets_no_tiles() -> None:
    pond = {**reading_of(PLAYERS["E"], {}), "hands": [], "layout": []}
    player = tiles_from_reading(Player("E"), read_as(pond), "photo")
    assert (player.tiles, player.melds, player.photo) == ((), (), "photo")


def test_low_confidence_is_marked_until_somebody_looks() -> None:
    doubtful = read("N", {12: ("6p", "5p")}).doubtful
    assert [(t.label, t.alternatives[1][0]) for t in doubtful] == [("6p", "5p")]
