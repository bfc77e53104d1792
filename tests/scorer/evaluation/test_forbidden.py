"""A refused hand is told which rule forbids it, or which of its tiles make no set and no pair."""

from __future__ import annotations

from typing import Any

import pytest

import scorer
from scorer.errors import DealError
from tests.scorer.builders import Json, deal, player, win


def refused(value: Json) -> list[DealError]:
    """Everything for which a deal is refused."""
    with pytest.raises(DealError) as caught:
        scorer.score_deal(scorer.parse_deal(value))
    return list(caught.value.errors)


def _hand(tiles: str, melds: str = "", how: str = "5z wall", **more: Any) -> Json:
    bonus = more.pop("bonus", "")
    return deal(player("S", tiles, melds, bonus), won=win("S", how), **more)


TWO_CHOWS = _hand("123m456p777s55z", "999s")
ONE_CHOW = ("123m777s55z", "999s 666p")

FORBIDDEN: dict[str, tuple[Json, str, str]] = {
    "fewer faan than are needed": (
        _hand("123m456p789s123s55z", ruleset="hong-kong", how="5z discard N", bonus="1f"),
        *("too_few_fan", "the hand has 2 faan; 3 faan are needed to go out"),
    ),
    "second chow in hand": (TWO_CHOWS, "second_chow", "2 chows; at most 1 may be held"),
    "under the clarified rules": (
        {**TWO_CHOWS, "ruleset": "bmja-mjbr"},
        *("second_chow", "2 chows; at most 1 may be held"),
    ),
    "second chow beside one laid down": (
        _hand("456p777s55z", "123m 999s"),
        *("second_chow", "2 chows"),
    ),
    "chows read as pungs and a rest": (
        _hand("33345567s", "777m 999p", "5s discard N"),
        *("second_chow", "2 chows"),
    ),
    "chow in a goulash": (
        _hand(*ONE_CHOW, goulash=True),
        *("no_chow_allowed", "chows are not allowed in a goulash; this hand has 1"),
    ),
    "chow with three players": (
        _hand(*ONE_CHOW, seats="ESW"),
        *("no_chow_allowed", "chows are not allowed with three players"),
    ),
    "chow in a goulash of three": (
        _hand(*ONE_CHOW, seats="ESW", goulash=True, changes={"chows_in_goulash": 1}),
        *("no_chow_allowed", "chows are not allowed with three players"),
    ),
    "chow in Ming": (
        _hand(*ONE_CHOW, ruleset="ming-1876"),
        *("no_chow_allowed", "chows are not allowed under these rules"),
    ),
    "two suits": (
        _hand("222m555p55z", "888s 999s", changes={"clean_only": True}),
        *("not_clean", "only clean hands may go out"),
    ),
    "joker claimed as another tile": (
        _hand("555m66m2s777p55z", "999s", "2s discard N", goulash=True),
        *("joker_claimed", "two bamboo may only be claimed as itself"),
    ),
    "a joker in a pung": (
        _hand("555m66m2s777p55z", "999s", goulash=True, changes={"jokers_in_a_set": 0}),
        *("too_many_jokers", "at most 0"),
    ),
    "two jokers as the pair": (
        deal(
            {**player("S", melds="999s 555m 666m 777p"), "concealed": ["blank"] * 2},
            won=win("S", "blank wall"),
            goulash=True,
            changes={"joker_pair": False, "joker": "blank"},
        ),
        *("joker_pair", "the pair cannot be two jokers"),
    ),
    "jokers in a special hand": (
        _hand(
            "19m19p19s1234566z2s",
            how="6z wall",
            goulash=True,
            changes={"jokers_in_special_hands": 0},
        ),
        *("jokers_in_special_hand", "at most 0"),
    ),
    "Gates of Heaven with a set laid down": (
        _hand("23456785s999s", "111s", "5s discard N"),
        *("set_exposed", "Gates of Heaven may not have exposed sets"),
    ),
    "a last tile that must be drawn": (
        _hand("11123445678999p", how="4p discard N", changes={"gates_claim": "drawn"}),
        *("last_tile_claimed", "the last tile of Gates of Heaven must be drawn"),
    ),
    "a special hand that is not played": (
        _hand("19m19p19s12345677z", how="7z wall", changes={"thirteen_unique_wonders": False}),
        *("hand_not_played", "this is Thirteen Unique Wonders, which is not played"),
    ),
    "a snake of another pair": (
        _hand("1234556789m1234z", how="5m wall"),
        *("rule_forbids", 'Snake: for "Pair of the Wriggling Snake" these rules say'),
    ),
    "a robbed kong that makes a pung": (
        _hand("555m44p", "222m 888s 111p", "5m robbed_kong N"),
        *("robbed_kong_completes_not", "only a chow or a pair"),
    ),
}


@pytest.mark.parametrize(("value", "code", "words"), FORBIDDEN.values(), ids=FORBIDDEN.keys())
def test_the_rule_that_forbids_a_hand_is_named(value: Json, code: str, words: str) -> None:
    first = refused(value)[0]
    assert (first.player, first.code, first.field) == ("S", code, "concealed")
    assert words in first.message


LACKING: dict[str, tuple[Json, str]] = {
    "a pair that is none": (
        _hand("222m555m777p5z6z", "999s"),
        "the last two, White dragon and Green dragon, are not a pair",
    ),
    "a joker beside no pair": (
        _hand("222m555m77p2s5z6z", "999s", goulash=True),
        "the last two, White dragon and Green dragon, are not a pair",
    ),
    "jokers that help nothing": (
        _hand("26m147p22s12z55z", "999s", changes={"jokers_in_a_set": 0}, goulash=True),
        "neither four sets and a pair nor a special hand",
    ),
    "tiles of no set": (
        _hand("222m555m147p55z", "999s"),
        "one circle, four circles, seven circles do not fit into a set or a pair",
    ),
    "a special hand but for one tile": (
        _hand("19m19p19s1234567z5m", how="7z wall"),
        "everything fits Thirteen Unique Wonders except the five characters",
    ),
    "nothing like a hand": (
        _hand("147m258p369s12345z", how="1z wall"),
        "neither four sets and a pair nor a special hand",
    ),
    "nothing like a hand, with a set laid down": (
        _hand("147m258p369s55z", "888p"),
        "neither four sets and a pair nor a special hand",
    ),
}


@pytest.mark.parametrize(("value", "words"), LACKING.values(), ids=LACKING.keys())
def test_what_a_hand_lacks_is_named(value: Json, words: str) -> None:
    (only,) = refused(value)
    assert (only.player, only.code, only.field) == ("S", "no_winning_hand", "concealed")
    assert words in only.message


def test_a_hand_that_one_of_two_rules_would_let_pass_is_told_both_the_dearer_first() -> None:
    found = refused(_hand("23456785s999s", "111s", "5s discard N"))
    assert [each.code for each in found] == ["set_exposed", "second_chow"]


def test_a_hand_that_two_rules_forbid_is_told_both() -> None:
    found = refused({**TWO_CHOWS, "changes": {"clean_only": True}})
    assert [each.code for each in found] == ["second_chow", "not_clean"]


def test_chows_beyond_those_allowed_are_told_beside_the_tiles_of_no_set() -> None:
    found = refused(_hand("123m456p777s5z6z", "999s"))
    assert [each.code for each in found] == ["no_winning_hand", "second_chow"]
    assert "White dragon and Green dragon, are not a pair" in found[0].message


def test_why_a_hand_is_none_stands_beside_other_faults_of_the_deal() -> None:
    found = refused({**TWO_CHOWS, "penalties": [{"kind": "cannon", "offender": "N"}]})
    assert [each.code for each in found] == ["penalty_without_discard", "second_chow"]
    whole = _hand("123m999p777s55z", "999s", dealer="S")
    assert [each.code for each in refused(whole)] == ["dealer_not_east"]
    claimed = {**deal(won=win("S", "- wall")), "dealer": "S"}
    assert [each.code for each in refused(claimed)] == ["dealer_not_east"]


def test_where_any_number_of_chows_may_be_none_is_one_too_many() -> None:
    (only,) = refused(_hand("123m456p777s5z6z", "999s", ruleset="uk-1924"))
    assert "White dragon and Green dragon, are not a pair" in only.message
