"""The goulash: no chows, and the two bamboo stands for other tiles."""

from __future__ import annotations

from typing import Any

import pytest

import scorer
from scorer.counting.hand import hand_of
from scorer.deal import Player
from scorer.rules.rulebook import load_ruleset
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
    with pytest.raises(scorer.DealError, match="no winning hand"):
        _south("7m45p22s", "222m 555p 888s", "4p wall")


def test_two_wild_tiles_make_the_best_pair() -> None:
    part = _south("22s", "222m 555p 888s 777m", "2s wall")
    assert part["points"] == 20 + 2 + 8 + 2
    assert _sets(part)[-1] in {("pair", f"{n}z") for n in (1, 2, 5, 6, 7)}


def test_a_claimed_two_bamboo_is_itself() -> None:
    with pytest.raises(scorer.DealError, match="only as itself"):
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
    with pytest.raises(scorer.DealError, match="one 2s as a joker at most"):
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
    with pytest.raises(scorer.DealError, match="no chow is allowed in a goulash"):
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
