"""Hands are decided together, whether they were read from photos or put right by people."""

from __future__ import annotations

import pytest

from vision.deal.from_hands import PlayerTiles, decide_hands, player_tiles, with_labels
from vision.messages import verbatim
from vision.vocabulary.readings import HandReading, Part, Quad, TileReading

QUAD: Quad = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def certain(*labels: str) -> tuple[tuple[tuple[str, float], ...], ...]:
    return tuple(((label, 1.0),) for label in labels)


def test_tiles_laid_apart_make_a_meld_and_others_do_not() -> None:
    doubtful = (("8s", 0.6), ("9s", 0.39))
    apart = PlayerTiles("E", (*certain("9s", "9s"), doubtful), ("s1", "s1", "s1"))
    assert decide_hands([apart]).labels == ("9s", "9s", "9s")
    for group in ((None,) * 3, ("s1", "s1", None)):
        loose = PlayerTiles("E", apart.tiles, group)
        assert decide_hands([loose]).labels == ("9s", "9s", "8s")


def test_a_group_of_five_is_no_meld() -> None:
    five = PlayerTiles("E", certain("9s", "9s", "1p", "2p", "3p"), ("s1",) * 5)
    assert {tile.group for tile in five.joint_tiles()} == {None}


def test_groups_of_the_same_name_belong_to_their_players() -> None:
    hands = [PlayerTiles(who, certain("9s", "9s"), ("s1", "s1")) for who in "EW"]
    assert {tile.group for hand in hands for tile in hand.joint_tiles()} == {None}
    assert decide_hands(hands).labels == ("9s",) * 4


def test_labels_that_are_given_twice_count_once_and_the_likeliest_comes_first() -> None:
    tile = (("8s", 0.2), ("9s", 0.5), ("8s", 0.3))
    (joint,) = PlayerTiles("E", (tile,), (None,)).joint_tiles()
    assert joint.alternatives == (("9s", 0.5), ("8s", 0.3))


def test_hands_of_a_known_size_are_held_to_it() -> None:
    bonus = (("1m", 0.5), ("1f", 0.49))
    hand = PlayerTiles("E", (*certain(*["2p"] * 3), bonus), (None,) * 4, size=3)
    assert decide_hands([hand]).labels == ("2p", "2p", "2p", "1f")
    unknown = PlayerTiles("E", hand.tiles, hand.groups)
    assert decide_hands([unknown]).labels == ("2p", "2p", "2p", "1m")


def test_the_numbers_of_the_tile_set_are_kept_to() -> None:
    flower = (("1f", 0.6), ("2f", 0.39))
    hand = PlayerTiles("E", (flower,), (None,))
    assert decide_hands([hand]).labels == ("1f",)
    assert decide_hands([hand], copies={"1f": 0}).labels == ("2f",)


@pytest.mark.parametrize("size", [None, 4])
def test_a_hand_that_was_read_is_decided_and_made_anew(size: int | None) -> None:
    labels = ("9s", "9s", "8s", "1m")
    tiles = [
        TileReading(QUAD, label, 0.6, ((label, 0.6), ("9s" if label == "8s" else "2m", 0.39)), 0)
        for label in labels
    ]
    why = verbatim("")
    parts = (Part("set", (0, 1, 2), None, 1.0, why), Part("hand", (3,), None, 1.0, why))
    hand = HandReading(0, labels, (), (), parts=parts)
    found = player_tiles(tiles, hand, "near 0", size)
    assert (found.player, found.size) == ("near 0", size)
    decided = with_labels(hand, decide_hands([found]).labels)
    assert [meld.tiles for meld in decided.melds] == [("9s",) * 3]
    assert decided.concealed == ("1m",)
