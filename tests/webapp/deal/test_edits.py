"""What a person can do to a player's tiles."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.tiles import READING_LABELS, TILES, is_bonus, sort_tiles
from webapp.deal import edits
from webapp.deal.edits import EditError
from webapp.deal.state import (
    BONUS,
    HAND,
    DealState,
    Penalty,
    Player,
    Tile,
    Win,
    from_json,
    new_deal,
    to_json,
)


def player_with(*labels: str) -> Player:
    return edits.add_tiles(Player("S"), labels, HAND)


@given(st.lists(st.sampled_from(READING_LABELS), max_size=30))
def test_added_tiles_are_kept_sorted_with_bonus_tiles_apart(labels: list[str]) -> None:
    player = player_with(*labels)
    assert [t.label for t in player.tiles] == sort_tiles(labels)
    assert {t.id for t in player.tiles} == {f"t{n + 1}" for n in range(len(labels))}
    assert all((t.place == BONUS) == is_bonus(t.label) for t in player.tiles)


def test_no_more_tiles_than_anybody_can_hold() -> None:
    full = player_with(*["1m"] * edits.MAX_TILES)
    with pytest.raises(EditError, match="more tiles than one player"):
        edits.add_tiles(full, ["2m"], HAND)


@pytest.mark.parametrize("label", ["", "0m", "1x", "<b>"])
def test_unknown_tiles_are_refused(label: str) -> None:
    with pytest.raises(EditError, match="There is no tile"):
        player_with(label)


@pytest.mark.parametrize(
    ("kind", "label", "labels", "concealed"),
    [
        ("pung", "7z", ["7z"] * 3, False),
        ("kong", "1s", ["1s"] * 4, False),
        ("concealed_kong", "9p", ["9p"] * 4, True),
        ("chow", "7m", ["7m", "8m", "9m"], False),
    ],
)
def test_a_whole_set_at_one_tap(kind: str, label: str, labels: list[str], concealed: int) -> None:
    player = edits.add_meld(Player("S"), kind, label)
    assert [s.concealed for s in player.melds] == [bool(concealed)]
    assert [t.label for t in player.in_place(player.melds[0].id)] == labels


@pytest.mark.parametrize(
    ("kind", "label", "words"),
    [
        ("chow", "8p", "starts with a 1 to 7"),
        ("chow", "1z", "starts with"),
        ("pung", "1f", "cannot form sets"),
    ],
)
def test_sets_that_do_not_exist(kind: str, label: str, words: str) -> None:
    with pytest.raises(EditError, match=words):
        edits.add_meld(Player("S"), kind, label)


def test_changing_a_tile_moves_it_between_hand_and_bonus() -> None:
    player = player_with("1m", "2m")
    flower = edits.change_tile(player, "t1", "3f")
    assert edits.tile_of(flower, "t1").place == BONUS
    back = edits.change_tile(flower, "t1", "9s")
    assert edits.tile_of(back, "t1").place == HAND


def test_a_person_who_looked_settles_a_doubt() -> None:
    doubtful = Player("S", tiles=(Tile("t1", "5p", confidence=0.4, checked=False),))
    assert doubtful.doubtful
    assert not edits.confirm_tile(doubtful, "t1").doubtful
    assert not edits.confirm_all(doubtful).doubtful


def test_a_face_down_tile_stays_open_until_it_is_named() -> None:
    player = player_with("back")
    assert edits.confirm_all(player).doubtful
    assert not edits.change_tile(player, "t1", "5m").doubtful


def test_a_tile_is_moved_between_the_hand_and_the_sets() -> None:
    player = edits.group_tiles(player_with("1m", "1m", "1m", "1m", "2m", "1f"), ["t1", "t2", "t3"])
    (laid,) = player.melds
    kong = edits.move_tile(player, "t4", laid.id)
    assert [t.label for t in kong.in_place(laid.id)] == ["1m"] * 4
    back = edits.move_tile(kong, "t4", HAND)
    assert back == player
    with pytest.raises(EditError, match="already has four tiles"):
        edits.move_tile(kong, "t5", laid.id)
    with pytest.raises(EditError, match="no longer there"):
        edits.move_tile(player, "t5", "s9")
    for tile, place in (("t6", HAND), ("t6", laid.id), ("t5", BONUS)):
        with pytest.raises(EditError, match="Flowers and seasons are always bonus"):
            edits.move_tile(player, tile, place)
    emptied = player
    for tile in ("t1", "t2", "t3"):
        emptied = edits.move_tile(emptied, tile, HAND)
    assert emptied.melds == ()


def test_sets_are_laid_apart_turned_and_taken_back() -> None:
    player = player_with("1m", "2m", "3m", "7z")
    apart = edits.group_tiles(player, ["t1", "t2", "t3"])
    assert [t.label for t in apart.in_place("s1")] == ["1m", "2m", "3m"]
    assert not apart.melds[0].concealed
    assert edits.toggle_meld(apart, "s1").melds[0].concealed
    assert edits.dissolve_meld(apart, "s1") == player


def test_a_set_whose_tiles_are_gone_is_gone() -> None:
    player = edits.add_meld(Player("S"), "pung", "7z")
    for tile_id in ("t1", "t2", "t3"):
        player = edits.remove_tile(player, tile_id)
    assert player.melds == ()


@pytest.mark.parametrize("chosen", [[], ["t1", "t2"], ["t1", "t2", "t3", "t4", "t5"]])
def test_sets_of_another_size_are_refused(chosen: list[str]) -> None:
    with pytest.raises(EditError, match="three or four"):
        edits.group_tiles(player_with("1m", "1m", "1m", "1m", "2m"), chosen)


@pytest.mark.parametrize("edit", [edits.remove_tile, edits.confirm_tile])
def test_a_tile_that_is_gone_is_told(edit: Callable[[Player, str], Player]) -> None:
    with pytest.raises(EditError, match="already been removed"):
        edit(player_with("1m"), "t9")


@given(st.lists(st.sampled_from(TILES), max_size=14), st.sampled_from("ESWN"))
@settings(deadline=None)
def test_a_stored_deal_comes_back_as_it_was(labels: list[str], seat: str) -> None:
    state = edits.with_player(new_deal(("E", "S", "W", "N")), player_with(*labels))
    state = DealState(
        players=state.players,
        goulash=len(labels) > 7,
        win=Win(seat=seat, source="wall", last_tile=seat == "W"),
        penalties=(Penalty("cannon", seat),),
    )
    assert from_json(to_json(state)) == state


def test_a_pung_whose_fourth_tile_was_not_seen_becomes_a_kong_and_back() -> None:
    pung = edits.add_meld(Player("E"), "pung", "6z")
    kong = edits.resize_meld(pung, "s1")
    assert [tile.label for tile in kong.in_place("s1")] == ["6z"] * 4
    assert len(edits.resize_meld(kong, "s1").in_place("s1")) == 3
    chow = edits.add_meld(Player("E"), "chow", "1m")
    with pytest.raises(EditError, match="Only a pung"):
        edits.resize_meld(chow, "s1")
