"""The goulash: no chows, and the two bamboo stands for other tiles."""

from __future__ import annotations

from typing import Any

import pytest

import scorer
from scorer.counting.hand import hand_of
from scorer.deal import Player
from scorer.rules.rulebook import load_ruleset
from scorer.tiles import parse_tiles
from tests.scorer.builders import Json, deal, of, player, rules, score, win


def _south(tiles: str, melds: str = "", won: str = "4p wall", **more: Any) -> Json:
    value = deal(player("S", tiles, melds, **more), won=win("S", won), goulash=True)
    return of(score(value), "S")


def _sets(part: Json) -> list[tuple[str, str]]:
    return [(group["kind"], group["tiles"][0]) for group in part["sets"]]


def test_a_wild_tile_completes_a_pung_and_counts_as_what_it_stands_for() -> None:
    part = _south("77m44p2s", "222m 555p 888s")
    assert ("pung", "7m") in _sets(part)
    assert part["points"] == 20 + 2 + 2 + 2 + 2 + 4


def test_one_wild_tile_at_most_in_a_pung() -> None:
    with pytest.raises(scorer.DealError, match="do not make a winning hand"):
        _south("7m45p22s", "222m 555p 888s", "4p wall")


def test_two_wild_tiles_make_the_best_pair() -> None:
    part = _south("22s", "222m 555p 888s 777m", "2s wall")
    assert part["points"] == 20 + 2 + 8 + 2
    assert _sets(part)[-1] in {("pair", f"{n}z") for n in (1, 2, 5, 6, 7)}


def test_a_claimed_two_bamboo_is_itself() -> None:
    with pytest.raises(scorer.DealError, match="only be claimed as itself"):
        _south("5m2s", "222m 555p 888s 777m", "2s discard N")
    part = _south("5m2s", "222m 555p 888s 777m", "5m discard N")
    assert _sets(part)[-1] == ("pair", "5m")
    natural = _south("22s", "222m 555p 888s 777m", "2s discard N")
    assert _sets(natural)[-1] == ("pair", "2s")


def test_wild_tiles_laid_down() -> None:
    value = deal(player("S", "12m46p1379s25z", "552m"), won=win("E", "- wall"), goulash=True)
    value["players"][0]["melds"] = [{"kind": "pung", "tiles": ["5m", "2s", "5m"]}]
    part = of(score(value), "S")
    assert part["sets"][0]["tiles"] == ["5m", "5m", "5m"]
    value["goulash"] = False
    with pytest.raises(scorer.DealError, match="one kind"):
        score(value)
    value["goulash"] = True
    value["players"][0]["melds"] = [{"kind": "pung", "tiles": ["5m", "2s", "2s"]}]
    with pytest.raises(scorer.DealError, match="jokers allowed among them: 1"):
        score(value)


def test_two_bamboo_alone_is_a_pung_of_itself() -> None:
    value = deal(player("S", "12m46p1379s25z", "222s"), won=win("E", "- wall"), goulash=True)
    value["players"][0]["melds"] = [{"kind": "pung", "tiles": ["2s"] * 3}]
    assert of(score(value), "S")["sets"][0]["tiles"] == ["2s", "2s", "2s"]


@pytest.mark.parametrize(
    ("tiles", "points", "doubles"),
    [
        ("12555m46p1237s25z", 16, 0),
        ("126m46p1237s2777z", 32, 1),
        ("77z2s126m46p1379s2z", 8, 1),
        ("7z2s1267m46p1379s2z", 2, 0),
    ],
)
def test_a_losers_wild_tile_joins_the_best_group(tiles: str, points: int, doubles: int) -> None:
    value = deal(player("W", tiles), won=win("E", "- wall"), goulash=True)
    part = of(score(value), "W")
    assert (part["points"], part["doubles"]) == (points, doubles)


def test_no_double_for_no_chows() -> None:
    part = _south("77m44p2s", "222m 555p 888s")
    assert "no_chows" not in rules(part)


@pytest.mark.parametrize(
    ("tiles", "won", "hand"),
    [
        ("22s19m19p19s123456z", "1m wall", "thirteen_unique_wonders"),
        ("22s1199m1199p1199s", "1m wall", "all_pair_honours"),
        ("222s123456789m12z", "1m discard N", "wriggling_snake"),
        ("22s1335577m13355p", "1p wall", "knitting"),
        ("2222s1257m157p157s", "1p wall", "triple_knitting"),
        ("22s111345678999p", "1p wall", "gates_of_heaven"),
        ("112223456789s12z", "1s wall", "wriggling_snake"),
    ],
)
def test_special_hands_without_pungs_use_any_number_of_wild_tiles(
    tiles: str, won: str, hand: str
) -> None:
    assert _south(tiles, won=won)["hand"] == hand


def test_the_pungs_of_the_gates_hold_one_wild_tile_each_at_most() -> None:
    each = _south("11234567899m22s5m", won="5m wall")
    assert each["hand"] == "gates_of_heaven"
    with pytest.raises(scorer.DealError, match="chows are not allowed in a goulash"):
        _south("12345678999m22s5m", won="5m wall")
    value = deal(player("S", "12345556789m22s", fishing=True), won=win("E", "- wall"), goulash=True)
    assert of(score(value), "S")["hand"] == "ordinary"


def test_fishing_with_wild_tiles() -> None:
    value = deal(
        player("S", "22s19m19p19s12345z", fishing=True), won=win("E", "- wall"), goulash=True
    )
    assert of(score(value), "S")["hand"] == "fishing:thirteen_unique_wonders"
    purity = deal(
        player("S", "2s447m", "222m 555m 888m", fishing=True),
        won=win("E", "- wall"),
        goulash=True,
    )
    part = of(score(purity), "S")
    assert part["hand"] == "fishing:purity"
    assert part["points"] == 8 * (2 + 2 + 2 + 4)


def test_all_pairs_filled_with_wild_tiles_still_look_like_pairs() -> None:
    part = _south("22s1199m1199p1199s", won="1m wall")
    assert len(part["sets"]) == 7
    assert {group["kind"] for group in part["sets"]} == {"pair"}
    knitted = _south("2222s13355m13355p", won="1m wall")
    assert {group["kind"] for group in knitted["sets"]} == {"knitted_pair"}
    threes = _south("2222s157m157p157s1m", won="1m wall")
    assert sum(group["kind"] == "knitted_set" for group in threes["sets"]) == 4


def test_a_losers_two_jokers_do_not_join_one_tile() -> None:
    value = deal(player("S", "7z22s13579m13579p"), won=win("E", "- wall"), goulash=True)
    part = of(score(value), "S")
    assert "pung" not in [kind for kind, _ in _sets(part)]
    assert part["points"] == 2


def test_a_joker_makes_a_loser_fish_for_purity_by_the_readings_of_one_suit() -> None:
    value = deal(
        player("S", "33m5m2s", "111m 777m 999m", fishing=True), won=win("E", "- wall"), goulash=True
    )
    part = of(score(value), "S")
    assert part["hand"] == "fishing:purity"
    assert {tile[1] for group in part["sets"] for tile in group["tiles"]} == {"m"}
    assert part["points"] == 8 * (4 + 2 + 4 + 4)


def test_a_losers_pair_of_jokers_may_be_ruled_out() -> None:
    value = deal(player("S", "22s13579m135p159s"), won=win("E", "- wall"), goulash=True)
    assert of(score(value), "S")["points"] == 2
    value["changes"] = {"joker_pair": False}
    assert of(score(value), "S")["points"] == 0


@pytest.mark.parametrize("tile", ["2s", "5m"])
def test_a_tile_taken_and_given_back_leaves_the_hand_as_it_was(tile: str) -> None:
    hand = hand_of(Player("S", ("2s", "5m", "5m")), load_ruleset("bmja-u3a").goulash)
    less = hand.without_tile(tile)
    assert less.wilds == (0 if tile == "2s" else 1)
    assert less != hand
    assert less.with_tile(tile) == hand


def _laid(kind: str, tiles: str, **changes: Any) -> Json:
    """A winner whose one meld on the table is this, in a goulash with these house rules."""
    south = player("S", "777z333555p11z")
    south["melds"] = [{"kind": kind, "tiles": parse_tiles(tiles)}]
    value = deal(south, won=win("S", "1z wall"), goulash=True, changes=changes)
    return of(score(value), "S")


@pytest.mark.parametrize(
    ("kind", "tiles", "allowed", "points"),
    [
        ("pung", "9m2s2s", 2, 44),
        ("kong", "9m9m2s2s", 2, 56),
        ("pung", "9m9m2s", 1, 44),
        ("pung", "2s2s2s", 0, 42),
    ],
)
def test_sets_laid_down_hold_as_many_jokers_as_those_in_hand(
    kind: str, tiles: str, allowed: int, points: int
) -> None:
    part = _laid(kind, tiles, jokers_in_a_set=allowed)
    assert (part["points"], part["doubles"], part["total"]) == (points, 1, 2 * points)
    (laid,) = [group for group in part["sets"] if not group["concealed"]]
    jokers = 0 if tiles == "2s2s2s" else tiles.count("2s")
    assert len(laid.get("jokers", ())) == jokers
    assert len(set(laid["tiles"])) == 1


@pytest.mark.parametrize(
    ("kind", "tiles", "allowed"),
    [("pung", "9m2s2s", 1), ("pung", "9m9m2s", 0), ("kong", "9m2s2s2s", 2), ("pung", "9m8m2s", 2)],
)
def test_no_set_laid_down_holds_more_jokers(kind: str, tiles: str, allowed: int) -> None:
    with pytest.raises(scorer.DealError, match=f"jokers allowed among them: {allowed}"):
        _laid(kind, tiles, jokers_in_a_set=allowed)


def test_a_loser_pairs_a_joker_with_a_tile_where_no_set_holds_one() -> None:
    value = deal(player("W", "77z2s126m46p1379s2z"), won=win("E", "- wall"), goulash=True)
    value["changes"] = {"jokers_in_a_set": 0}
    assert of(score(value), "W")["points"] == 2
    single = deal(player("W", "7z2s126m46p11379s2z"), won=win("E", "- wall"), goulash=True)
    single["changes"] = {"jokers_in_a_set": 0}
    assert of(score(single), "W")["points"] == 2


def test_the_places_of_jokers_are_told() -> None:
    part = _south("77m44p2s", "222m 555p 888s")
    assert {group["tiles"][0]: group.get("jokers") for group in part["sets"]} == {
        **dict.fromkeys(("2m", "5p", "8s", "4p")),
        "7m": [2],
    }
    wonders = _south("22s19m19p19s123456z", won="1m wall")
    (singles,) = [group for group in wonders["sets"] if group["kind"] == "singles"]
    (pair,) = [group for group in wonders["sets"] if group["kind"] == "pair"]
    jokers = [singles["tiles"][place] for place in singles["jokers"]]
    assert sorted([*jokers, *(pair["tiles"][place] for place in pair.get("jokers", ()))]) == [
        "1m",
        "7z",
    ]


def _fishes(tiles: str, melds: str = "", **changes: Any) -> Json:
    value = deal(
        player("N", tiles, melds, fishing=True),
        won=win("E", "- wall"),
        goulash=True,
        changes=changes,
    )
    return of(score(value), "N")


def test_the_joker_of_a_fishing_award_stands_for_one_tile() -> None:
    """(2 + 2 + 4 + 8) x 8: with the joker as a fourth nine the hand would lack two tiles."""
    part = _fishes("33p2s9991p", "555p 777p")
    assert (part["hand"], part["total"]) == ("fishing:purity", 128)
    assert ("pung", "3p") in _sets(part)
    part = _fishes("3335557799p2s91p")
    assert (part["hand"], part["total"]) == ("fishing:purity", 160)


def test_a_joker_that_waits_for_its_own_kind_counts_with_it() -> None:
    """The joker is the fourth nine, its pair still to come: (2 + 4 + 4 + 32) x 8."""
    part = _fishes("555777999p2s", "333p")
    assert (part["hand"], part["total"]) == ("fishing:purity", 336)
    part = _fishes("555777999p2s", "333p", joker_kongs=False)
    assert (part["hand"], part["total"]) == ("fishing:purity", 144)


def test_one_two_bamboo_may_be_a_joker_while_the_others_are_themselves() -> None:
    """One is the fourth nine, the other two wait for their third: (2 + 4 + 32) x 8."""
    part = _fishes("222777999s4s", "555s")
    assert (part["hand"], part["total"]) == ("fishing:purity", 304)
