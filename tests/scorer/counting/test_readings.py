"""Which reading of the same tiles is scored, and what a set, a wait or a special hand may be."""

from __future__ import annotations

import pytest

import scorer
from scorer.counting.arrange import winning_readings
from scorer.counting.hand import Hand
from scorer.deal import Win
from scorer.evaluation.evaluate import readings
from scorer.melds import MELDS, NUMBERS, ReadMeld, count_tiles
from scorer.rules.rulebook import load_ruleset
from tests.scorer.builders import Json, claimed, deal, of, player, rules, score, win


def _south(tiles: str, melds: str = "", won: str | None = None, bonus: str = "") -> Json:
    south = player("S", tiles, melds, bonus, fishing=won is None)
    how = win("S", won) if won else win("E", "- wall")
    return of(score(deal(south, won=how)), "S")


def _exposed(part: Json) -> set[str]:
    return {group["tiles"][0] for group in part["sets"] if not group["concealed"]}


def test_the_claimed_tile_goes_where_it_costs_least() -> None:
    part = _south("333345m222p888s11z", won="3m discard N")
    assert [group["kind"] for group in part["sets"] if not group["concealed"]] == ["chow"]
    assert part["points"] == 20 + 4 + 4 + 4 + 2


def test_the_claimed_tile_in_a_pair_leaves_the_hand_concealed() -> None:
    assert "all_concealed" in rules(_south("333m22555p888s444s", won="2p discard N"))


def test_three_runs_alike_are_read_as_pungs_where_chows_are_few() -> None:
    part = _south("333444555m22p888s", won="2p wall")
    assert {group["kind"] for group in part["sets"]} == {"pung", "pair"}


def test_the_pung_that_scores_more_is_taken() -> None:
    part = _south("11123444m", "555p 888s", won="4m wall")
    assert [group["tiles"][0] for group in part["sets"]] == ["2m", "1m", "5p", "8s", "4m"]
    assert part["points"] == 20 + 2 + 8 + 2 + 2


def test_a_concealed_pung_may_be_taken_apart_again() -> None:
    gates = _south("2345678m5m", "(111m) (999m)", won="5m discard N")
    assert gates["hand"] == "gates_of_heaven"
    kong = _south("512m46p1379s2z", "(555m)")
    assert rules(kong) == ["kong_minor_concealed"]


def test_an_exposed_pung_and_its_fourth_tile_stay_a_pung() -> None:
    assert _south("512m46p1379s2z", "555m")["points"] == 2


@pytest.mark.parametrize(
    ("tiles", "melds", "hand"),
    [
        ("1199m1199p1199s11z", "", "all_pair_honours"),
        ("1111m1199p1199s11z", "", "all_pair_honours"),
        ("99m1199p1199s11z", "(1111m)", None),
        ("99m1199p1199s11z", "111m", None),
    ],
)
def test_pairs_that_were_declared_as_a_kong_are_gone(
    tiles: str, melds: str, hand: str | None
) -> None:
    if hand:
        assert _south(tiles, melds, "1z wall")["hand"] == hand
    else:
        with pytest.raises(scorer.DealError):
            _south(tiles, melds, "1z wall")


@pytest.mark.parametrize("further", range(1, 10))
def test_the_further_tile_of_the_gates_may_be_any_of_the_suit(further: int) -> None:
    tiles = "".join(sorted(f"1112345678999{further}")) + "s"
    assert _south(tiles, won=f"{further}s discard N")["hand"] == "gates_of_heaven"


def test_a_laid_down_set_spoils_what_must_stay_in_hand() -> None:
    assert _south("23455678999m", "(111m)", "5m discard N")["hand"] == "gates_of_heaven"
    with pytest.raises(scorer.DealError, match="may not have exposed sets"):
        _south("23455678999m", "111m", "5m discard N")


def test_buried_treasure_needs_honours_and_no_kong() -> None:
    assert _south("11122233355577m", won="7m wall")["hand"] == "purity"
    kong = _south("333555m22277z", "(1111m)", won="7z wall")
    assert kong["hand"] == "ordinary"
    loose = _south("111333555m33377z", won="7z loose", bonus="3f")
    assert loose["hand"] == "buried_treasure"
    shown = _south("333555m22277z", "(111m)", won="7z wall")
    assert shown["hand"] == "buried_treasure"


def test_an_ordinary_value_above_the_award_is_taken() -> None:
    part = _south("44m", "555z 666z 777z 222m", "4m discard N")
    assert (part["hand"], part["total"]) == ("ordinary", 34 * 2**5)


def test_of_equal_values_the_special_hand_and_the_earlier_one_are_taken() -> None:
    both = player("S", "55z", "111z 222z 333z 444z")
    value = deal(both, won=win("S", "5z discard N"), round_wind="W", goulash=True)
    assert of(score(value), "S")["hand"] == "all_winds_and_dragons"


def test_a_wait_for_tiles_all_held_is_no_wait() -> None:
    melds = "111m 999m 111p 999s"
    assert _south("1s", melds)["hand"] == "fishing:heads_and_tails"
    assert _south("9s", melds)["hand"] == "ordinary"


def test_too_few_tiles_bring_no_fishing_award() -> None:
    value = deal(
        player("S", "19m19p19s123456z", fishing=True, status="too_few"), won=win("E", "- wall")
    )
    assert of(score(value), "S")["hand"] == "ordinary"


def test_with_three_players_the_absent_winds_bonus_tiles_are_nobodys_own() -> None:
    south = player("S", "1257m468p1379s25z", bonus="4f4y")
    part = of(score(deal(south, won=win("E", "- wall"), seats="ESW")), "S")
    assert (part["points"], part["doubles"]) == (8, 0)


def test_east_holding_a_pair_of_both_winds_has_four() -> None:
    east = player("E", "1267m46p1379s115z")
    assert of(score(deal(east, won=win("S", "- wall"))), "E")["points"] == 4


def test_every_scoring_pair_counts_for_a_loser() -> None:
    assert _south("126m46p13s112255z")["points"] == 6


def test_a_dealt_hand_can_be_a_special_one_too() -> None:
    east = player("E", "1335577m1335577p")
    part = of(score(deal(east, won=win("E", "- dealt"))), "E")
    assert (part["hand"], part["total"]) == ("heavens_blessing", 1000)


def test_robbing_a_kong_for_a_special_hand() -> None:
    part = _south("19m19p19s12345677z", won="7z robbed_kong N")
    assert part["hand"] == "thirteen_unique_wonders"


def test_sets_are_shown_chows_first_and_the_pair_last() -> None:
    part = _south("345m44p", "(8888s) 555p 222m", "4p discard N")
    shown = [(group["kind"], group["tiles"][0]) for group in part["sets"]]
    assert shown == [
        *(("chow", "3m"), ("pung", "2m"), ("pung", "5p"), ("kong", "8s"), ("pair", "4p")),
    ]


@pytest.mark.parametrize(
    ("tiles", "melds", "won", "total"),
    [
        ("44m345m", "222m 777m 888m", "4m discard N", 26 * 2),
        ("111333m555p22277z", "", "7z wall", 48 * 2**3),
        ("111345555m22277z", "", "7z wall", 44 * 2**3),
        ("23444s", "666s 888s 666z", "4s discard N", 28 * 2**2),
        ("23444m", "555z 666z 777z", "4m discard N", 32 * 2**4),
    ],
)
def test_one_flaw_makes_a_special_hand_ordinary(
    tiles: str, melds: str, won: str, total: int
) -> None:
    part = _south(tiles, melds, won)
    assert (part["hand"], part["total"]) == ("ordinary", total)


def test_where_special_hands_bind_others_still_score() -> None:
    value = deal(
        player("S", "111m555p13579s1z5z"),
        won=win("E", "- wall"),
        changes={"special_or_ordinary": "special"},
    )
    part = of(score(value), "S")
    assert (part["hand"], part["total"]) == ("ordinary", 8 + 4)


def test_a_chow_laid_down_must_leave_the_nine_chances_their_pungs() -> None:
    whole = player("S", "1112678999m5m", "345m")
    value = deal(whole, won=win("S", "5m wall")) | {"ruleset": "uk-1924"}
    assert of(score(value), "S")["hand"] == "nine_chances"
    spoilt = deal(player("S", "1145678999m5m", "123m"), won=win("S", "5m wall"))
    with pytest.raises(scorer.DealError, match="do not make a winning hand"):
        score(spoilt | {"ruleset": "uk-1924"})


@pytest.mark.parametrize("won", ["1m wall", "1m robbed_kong N"])
def test_tiles_that_make_no_hand_have_no_reading(won: str) -> None:
    value = deal(player("S", "1257m468p13579s25z"), won=win("S", won))
    with pytest.raises(scorer.DealError, match="do not make a winning hand") as caught:
        readings(scorer.parse_deal(value), "S")
    assert (caught.value.player, caught.value.field) == ("S", "concealed")


def test_tiles_that_make_no_winning_hand_have_no_reading() -> None:
    south = player("S", "111m159p159s12345z")
    with pytest.raises(scorer.DealError) as refused:
        readings(scorer.parse_deal(deal(south, won=win("S", "1m wall"))), "S")
    assert refused.value.field == "concealed"


def test_every_reading_with_jokers_has_four_melds_and_a_pair() -> None:
    goulash = load_ruleset("bmja-u3a").goulash
    pungs = [ReadMeld("pung", (tile,) * 3, concealed=False) for tile in ("1p", "2p", "3p")]
    laid = tuple(NUMBERS[pung] for pung in pungs)
    hand = Hand(count_tiles(("7m", "7m")), 3, laid, goulash)
    found = winning_readings(hand, 0, Win("S", None, "wall"))
    kinds = [sorted(MELDS[number].kind for number in reading) for reading in found]
    assert kinds
    assert all(kind == ["pair", "pung", "pung", "pung", "pung"] for kind in kinds)


def test_a_claimed_hand_has_one_reading() -> None:
    claims = scorer.parse_deal(deal(claimed("S", 120), won=win("E", "- wall")))
    assert [result.total for result in readings(claims, "S")] == [120]
