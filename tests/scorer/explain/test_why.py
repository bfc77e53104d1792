"""Why a rule or special hand does not count: the conditions that are missing, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from scorer.errors import DealError
from scorer.explain.why import WhyNot, all_why_not, why_not
from scorer.messages import Message
from scorer.rules.rulebook import load_ruleset, ruleset_ids
from scorer.text.deal_json import parse_deal
from tests.scorer.builders import Json, claimed, deal, player, rules, score, win
from tests.scorer.builders import of as part_of
from tests.scorer.golden_cases import cases_of, deal_of


def _won(tiles: str, melds: str = "", bonus: str = "", *, how: str, **more: Any) -> Json:
    return deal(player("S", tiles, melds, bonus), won=win("S", how), **more)


def _lost(tiles: str, melds: str = "", *, fishing: bool = True, **more: Any) -> Json:
    south = player("S", tiles, melds, fishing=fishing)
    return deal(south, won=win("E", "- wall"), **more)


def _why(value: Json, row: str) -> WhyNot:
    return why_not(parse_deal(value), "S", row)


def _told(messages: Iterable[Message]) -> tuple[str, ...]:
    return tuple(map(str, messages))


PLAIN = _won("345m44p", "222m 555p 888s", how="5m discard N", ruleset="western")


@pytest.mark.parametrize(
    ("row", "missing"),
    [
        ("no_chows", ["no chow"]),
        ("pure_suit", ["all suit tiles are of one suit", "no chow"]),
        ("suit_and_honours", ["all suit tiles are of one suit", "some winds or dragons"]),
        ("tile_from_wall", ["winning tile from the wall"]),
        (
            "only_tile",
            [
                (
                    "only one kind of tile could complete the hand, but the two characters would "
                    "have done too"
                )
            ],
        ),
        ("tile_dealt", []),
        ("own_bonus", ["a flower or season of your own number"]),
        ("kong_minor_concealed", ["concealed kong of twos to eights"]),
        ("dragons", ["pung or kong of dragons"]),
        ("all_flowers", ["all four flowers"]),
        ("four_blessings", ["sets of all four winds"]),
        ("heavens_blessing", ["won with the tiles as dealt"]),
    ],
)
def test_what_the_plain_hand_lacks(row: str, missing: list[str]) -> None:
    answer = _why(PLAIN, row)
    assert not answer.counts
    assert list(_told(answer.missing)) == missing
    assert answer.cite.startswith("004 ")


def test_a_rule_that_counts_lacks_nothing() -> None:
    answer = _why(PLAIN, "mah_jong")
    assert (answer.counts, answer.reasons, answer.missing) == (True, (), ())
    assert answer.to_json() == {
        "row": "mah_jong",
        "name": "Going Mah Jong",
        "cite": "004 Scoring",
        "counts": True,
        "reasons": [],
        "missing": [],
    }


def test_a_loser_is_told_that_the_winner_has_it() -> None:
    assert _told(_why(_lost("34m44p", "222m 555p 888s"), "no_chows").reasons) == (
        "only the winner scores it",
    )


def test_a_special_hand_leaves_its_sets_unpaid() -> None:
    value = _won("55z", "111z 333z 444z 777z", how="5z discard N", ruleset="western")
    assert _why(value, "all_winds_and_dragons").counts
    told = _told(_why(value, "no_chows").reasons)
    assert told[0].startswith("the hand counts as All Winds and Dragons")


def test_exposure_and_claims_of_special_hands() -> None:
    open_gates = _won("23455678999m", "111m", how="5m wall", ruleset="western")
    assert _told(_why(open_gates, "gates_of_heaven").missing) == ("no exposed sets",)
    assert _told(_why(open_gates, "pure_suit").missing) == ("no chow",)
    treasure = _won("222555777m33344z", how="4z discard N")
    assert _told(_why(treasure, "buried_treasure").missing) == (
        "the winning tile is drawn, not claimed",
    )
    roof = _won("234p44s", "222m 555m 8888s", how="2p loose")
    assert _told(_why(roof, "plum_blossom").missing) == ("the winning tile is five circles",)


def test_a_clean_table_lets_no_mixed_hand_go_out_on_its_last_tile() -> None:
    changes = {"clean_only": True}
    value = _won("123p44s", "222m 555m 888s", how="1p wall", ruleset="western", changes=changes)
    value["win"]["last_tile"] = True
    (told,) = _told(_why(value, "moon_from_the_sea").reasons)
    assert told.startswith(
        "the tiles are not what it needs: The last tile of the wall is the one of circles"
    )


def test_shapes_are_told_by_their_description() -> None:
    told = _told(_why(PLAIN, "thirteen_unique_wonders").missing)
    assert "no exposed sets" in told
    assert any(text.startswith("One of each one, nine") for text in told)


def test_a_special_hand_without_four_sets() -> None:
    snake = _won("1123456789m1234z", how="4z discard N")
    assert _told(_why(snake, "four_blessings").missing) == ("four sets and a pair",)


def test_a_hand_that_cannot_go_out_may_be_asked_about_too() -> None:
    value = _won("23455678999m", "111m", how="5m wall")
    assert _told(_why(value, "gates_of_heaven").missing) == ("no exposed sets",)
    assert _told(_why(value, "clean").reasons) == ("the hand cannot go out",)


def test_the_better_of_two() -> None:
    winds = _won("55z", "111z 222z 333z 444z", how="5z discard N", ruleset="western")
    (told,) = _told(_why(winds, "four_blessings").reasons)
    assert "Four Blessings Hovering over the Door is worth 1000" in told
    assert told.endswith("as All Winds and Dragons the hand is worth 1000, which is just as much")


def test_fishing_that_was_not_called() -> None:
    value = _lost("19m19p19s1234567z", fishing=False)
    assert _told(_why(value, "thirteen_unique_wonders").reasons) == ("fishing was not called",)
    club = {**value, "changes": {"fishing_called": False}}
    assert _why(club, "thirteen_unique_wonders").counts
    value = _lost("19m19p19s1234567z")
    assert _why(value, "thirteen_unique_wonders").counts


def test_too_few_tiles_take_no_award() -> None:
    value = _lost("19m19p19s123456z")
    value["players"][0]["status"] = "too_few"
    (told,) = _told(_why(value, "thirteen_unique_wonders").reasons)
    assert told.startswith("a hand with the wrong number of tiles")


def test_fishing_from_further_away_tells_what_the_best_tile_would_leave() -> None:
    value = _lost("4p", "111z 222z 333z 555m")
    assert _told(_why(value, "four_blessings").missing) == ("sets of all four winds",)
    short = _lost("112345678m1234z")
    assert _why(short, "wriggling_snake").counts
    assert _told(_why(short, "heavens_blessing").reasons) == ("nothing is paid for fishing for it",)


def test_a_hand_worth_more_than_its_fishing_award() -> None:
    value = _lost("4p", "(5555z) (6666z) 777z 222m", ruleset="western")
    told = _told(_why(value, "three_great_scholars").reasons)
    assert told == (
        ("Three Great Scholars is worth 400; as it is the hand is worth 560, which is more"),
    )


@pytest.mark.parametrize(
    ("value", "field"),
    [
        (deal(claimed("S", 8), won=win("E", "- wall")), "claimed"),
        (deal(player("S", "1257m468p1379s25z"), won=None), "win"),
        (deal(player("S", "12m", status="dead"), won=win("E", "- wall")), "status"),
    ],
)
def test_hands_that_nobody_can_ask_about(value: Json, field: str) -> None:
    with pytest.raises(DealError) as caught:
        _why(value, "no_chows")
    assert caught.value.field == field


def test_rows_that_are_not_played() -> None:
    answer = _why(PLAIN, "tile_dealt")
    assert _told(answer.reasons) == (
        "it is not played under these rules, unless a club switches it on",
    )
    assert answer.told() == answer.reasons
    off = {**PLAIN, "changes": {"heavens_blessing": False}}
    assert _told(_why(off, "heavens_blessing").reasons) == (
        "it is not played under these rules, unless a club switches it on",
    )
    unused = {**PLAIN, "changes": {"flowers": "extra_turn"}}
    assert _told(_why(unused, "no_bonus").reasons) == (
        "flowers and seasons do not count under these rules",
    )


def test_bonus_tiles_beside_a_special_hand() -> None:
    tiles = ("19m19p19s12345677z", "", "2f")
    added = _won(*tiles, how="7z wall")
    assert _why(added, "own_flower").counts
    assert _told(_why(added, "own_season").missing) == ("your own season",)
    left_out = _won(*tiles, how="7z wall", ruleset="western")
    assert _told(_why(left_out, "own_bonus").reasons) == (
        "flowers and seasons add nothing to this award",
    )


def test_one_way_of_going_out_in_the_place_of_another() -> None:
    changes = {"ways_add": False}
    value = _won("345m44p", "(2222m) (5555p) (8888s)", how="5m loose", changes=changes)
    value["win"]["original_call"] = True
    counted = [_why(value, row).counts for row in ("loose_tile", "original_call")]
    assert sorted(counted) == [False, True]
    row = "original_call" if counted[0] else "loose_tile"
    assert _told(_why(value, row).reasons) == ("only one way of going out is doubled",)


def test_an_unknown_row() -> None:
    with pytest.raises(DealError, match="western has no rule or special hand called 'riichi'"):
        _why(PLAIN, "riichi")


ASKED = [(name, case) for name in ruleset_ids() for case in cases_of(name)[::16]]


@pytest.mark.parametrize(
    ("name", "case"), ASKED, ids=[f"{name}: {case['name']}" for name, case in ASKED]
)
def test_what_counts_is_what_is_paid_and_what_does_not_has_a_reason(name: str, case: Any) -> None:
    value = deal_of(case, name)
    seat = next((seat for seat in "ESWN" if "tiles" in case["deal"].get(seat, ())), "S")
    try:
        answers = all_why_not(parse_deal(value), seat)
    except DealError:
        return
    ruleset = load_ruleset(name, case["deal"].get("changes"))
    counted = {answer.row for answer in answers if answer.counts}
    assert [answer.row for answer in answers if answer.counts == bool(answer.told())] == []
    assert len(answers) == len(ruleset.rule) + len(ruleset.special_hand)
    if "refused" in case:
        assert counted == set()
        return
    paid = {row.removeprefix("fishing:") for row in rules(part_of(score(value), seat))}
    beside = (
        {rule.id for rule in ruleset.rule if rule.group != "hand"} if "bonus" in paid else set()
    )
    assert counted - beside == paid - {"bonus", "limit", "rounding", "going_out", "value"}


@pytest.mark.parametrize(
    ("value", "row", "missing"),
    [
        (
            _won("222s444s11s", "888s 666z", how="4s wall"),
            "imperial_jade",
            ("green tiles only (in the way: one bamboo)",),
        ),
        (_won("234s888s33s", "666s 666z", how="8s wall"), "imperial_jade", ("no chow",)),
        (
            _won("234m567p88s", "555m 222z", how="4m wall", ruleset="western"),
            "all_winds_and_dragons",
            ("winds and dragons only",),
        ),
        (
            _won("55z444m666p", "777s 111z", how="4m wall"),
            "all_concealed",
            ("no set exposed (exposed: seven bamboo, East wind)",),
        ),
        (
            _won(
                *("111222m777999p5s5s", ""),
                how="5s discard N",
                ruleset="bmja-mjbr",
                changes={"claimed_pair": True},
            ),
            "all_concealed",
            ("no set exposed", "some winds or dragons"),
        ),
        (
            _won("222m555m777m88m", "333z", how="7m wall", ruleset="uk-1924"),
            "concealed_hand",
            ("no set exposed (exposed: West wind)",),
        ),
        (
            _won("55z444m666p999p", "777s", how="4m wall", goulash=True),
            "no_chows",
            ("chows allowed in this hand, and in a goulash there are none",),
        ),
        (
            _won("11123456789999s", how="6s wall", ruleset="uk-1924"),
            "nine_chances",
            (
                (
                    "In one suit: three ones, three nines, and a run from two to eight with one of"
                    " its tiles twice; that would be two bamboo instead of nine bamboo"
                ),
            ),
        ),
        (
            _won("111234567s55s", "(9999s)", how="6s wall", ruleset="uk-1924"),
            "nine_chances",
            (
                (
                    "In one suit: three ones, three nines, and a run from two to eight with one of"
                    " its tiles twice; a kong that is laid down cannot be part of it"
                ),
            ),
        ),
    ],
)
def test_the_tiles_that_are_in_the_way_are_named(
    value: Json, row: str, missing: tuple[str, ...]
) -> None:
    assert _told(_why(value, row).missing) == missing


def test_a_shape_with_jokers_is_told_by_its_description() -> None:
    value = _won("223355m667788p2s5z", how="5m wall", goulash=True)
    (told,) = _told(_why(value, "thirteen_unique_wonders").missing)
    assert told == "One of each one, nine, wind and dragon, and a second of any one of them"


def test_in_a_goulash_too_many_tiles_would_do_to_be_named() -> None:
    value = _won(
        *("2s444m666p999p", "777s"),
        how="2s wall",
        goulash=True,
        changes={"only_tile": True},
    )
    value["players"][0]["concealed"] += ["2s"]
    assert _told(_why(value, "only_tile").missing) == (
        "only one kind of tile could complete the hand",
    )


def test_a_rule_worth_nothing_is_not_said_to_be_out_of_play() -> None:
    tiles = player("W", "22m333m444p555s666s")
    value = deal(tiles, won=win("W", "2m wall"), ruleset="ming-1876")
    answer = why_not(parse_deal(value), "W", "mah_jong")
    assert not answer.counts
    assert [str(reason) for reason in answer.told()] == [
        "it is worth nothing under these rules, unless a club gives it a value"
    ]
