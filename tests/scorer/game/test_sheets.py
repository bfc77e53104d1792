"""The published worked examples: course sheets 14 to 21 and their answers, and the web rules."""

from __future__ import annotations

import pytest

from scorer.errors import DealError
from scorer.tiles import PLAYING_TILES
from tests.scorer.builders import Json, claimed, deal, of, player, rules, score, win

FILLER = "1257m468p1379s25z"
"""Thirteen tiles that score nothing for anybody."""


def _amounts(result: Json) -> dict[tuple[str, str], int]:
    return {(item["from"], item["to"]): item["amount"] for item in result["payments"]}


def _points(part: Json) -> dict[str, int]:
    return {line["rule"]: line["points"] for line in part["lines"] if "points" in line}


def _doubles(part: Json) -> list[str]:
    return [line["rule"] for line in part["lines"] if "doubles" in line]


def test_sheet_19_hand_1() -> None:
    south = player("S", "666s11z", "111s 777z 9999s", "2f")
    result = score(deal(south, won=win("S", "1z discard N")))
    part = of(result, "S")
    assert (part["points"], part["doubles"], part["total"]) == (54, 4, 864)
    assert _points(part) == {
        "mah_jong": 20,
        "pung_major_exposed": 4,
        "pung_minor_concealed": 4,
        "kong_major_exposed": 16,
        "bonus_tile": 4,
        "pair_round_wind": 2,
    }
    assert rules(part).count("pung_major_exposed") == 2
    assert sorted(_doubles(part)) == ["clean", "dragons", "no_chows", "own_flower"]
    assert _amounts(result) == {("N", "S"): 864, ("W", "S"): 864, ("E", "S"): 1728}
    assert result["net"] == {"E": -1728, "S": 3456, "W": -864, "N": -864}


def test_sheet_19_hand_2() -> None:
    north = player("N", "23499m222z", "888m 444z", "4f1y")
    result = score(deal(north, won=win("N", "9m wall")))
    part = of(result, "N")
    assert (part["points"], part["doubles"], part["total"]) == (44, 3, 352)
    assert sorted(_doubles(part)) == ["clean", "own_flower", "own_wind"]
    assert _amounts(result) == {("S", "N"): 352, ("W", "N"): 352, ("E", "N"): 704}


def test_sheet_19_hand_3() -> None:
    west = player("W", "66p", "444p 888p 333z (9999p)", "3f3y")
    value = deal(west, won=win("W", "6p discard S", last_tile=True), round_wind="W", goulash=True)
    result = score(value)
    part = of(result, "W")
    assert (part["points"], part["doubles"], part["total"]) == (68, 6, 4352)
    assert sorted(_doubles(part)) == [
        *("clean", "final_discard", "own_flower", "own_season", "own_wind", "round_wind"),
    ]
    assert _amounts(result) == {("S", "W"): 4352, ("N", "W"): 4352, ("E", "W"): 8704}


@pytest.mark.parametrize(
    ("question", "seat", "round_wind", "tiles", "melds", "bonus", "points"),
    [
        (1, "S", "E", "12m46p1379s25z", "777z", "", 4),
        (2, "S", "E", "12m46p1379s25z", "(5555s)", "", 16),
        (4, "S", "E", FILLER, "", "1f", 4),
        (5, "S", "E", "12m46p1379s25z", "345m", "", 0),
        (7, "S", "E", "1267m46p1379s225z", "", "", 2),
        (8, "N", "N", "1267m46p1379s445z", "", "", 4),
    ],
)
def test_sheet_15_quiz(
    question: int, seat: str, round_wind: str, tiles: str, melds: str, bonus: str, points: int
) -> None:
    other = "E" if seat != "E" else "S"
    value = deal(player(seat, tiles, melds, bonus), won=win(other, "- wall"), round_wind=round_wind)
    assert of(score(value), seat)["points"] == points, f"question {question}"


def test_sheet_15_question_3_going_out_is_20() -> None:
    value = deal(player("S", "345m44p", "222m 555p 888s"), won=win("S", "4p discard N"))
    assert _points(of(score(value), "S"))["mah_jong"] == 20


@pytest.mark.parametrize("tile", ["1m", "9m", "1p", "9s", *(f"{n}z" for n in range(1, 8))])
def test_sheet_15_question_9_majors_score_more_than_minors(tile: str) -> None:
    others = "246m46p13579s" if tile[1] == "z" else "246m46p357s25z"
    value = deal(player("S", others, tile[0] * 3 + tile[1]), won=win("E", "- wall"))
    assert of(score(value), "S")["points"] == 4


def test_sheet_15_question_10_all_hands_are_scored() -> None:
    result = score(
        deal(
            player("S", "345m44p", "222m 555p 888s"),
            player("W", "12m46p1379s25z", "777z"),
            player("N", "13m57p2468s34z", "999m"),
            won=win("S", "4p discard N"),
        )
    )
    assert [(p["seat"], p["total"]) for p in result["players"][:3]] == [
        *(("S", 26), ("W", 8), ("N", 4)),
    ]
    assert _amounts(result) == {
        ("E", "S"): 52,
        ("W", "S"): 26,
        ("N", "S"): 26,
        ("N", "W"): 4,
        ("E", "W"): 16,
        ("E", "N"): 8,
    }


def test_sheet_16_west_holding_west_in_the_west_round_has_two_doubles() -> None:
    west = player("W", "12m46p1379s25z", "333z")
    part = of(score(deal(west, won=win("E", "- wall"), round_wind="W")), "W")
    assert (part["points"], part["doubles"]) == (4, 2)


def test_sheet_21_bonus_tiles_on_top_of_a_special_hand_with_their_own_doubles_only() -> None:
    south = player("S", "19m19p19s12345677z", bonus="23f")
    part = of(score(deal(south, won=win("S", "7z wall", last_tile=True))), "S")
    assert part["total"] == 1000 + (4 + 4) * 2
    assert (part["points"], part["doubles"]) == (part["total"], 0)
    assert [(line["rule"], line["text"]) for line in part["lines"]] == [
        ("thirteen_unique_wonders", "Thirteen Unique Wonders: the limit of 1000"),
        ("bonus", "Flowers and seasons: 8 points x 2 (Own flower)"),
    ]


def test_the_line_of_the_bonus_tiles_names_all_that_doubles_them() -> None:
    south = player("S", "13579m13579p1357s", bonus="123f2y")
    value = deal(south, won=win("S", "9p discard N", last_tile=True), ruleset="bmja-mjbr")
    assert of(score(value), "S")["lines"][1] == {
        "rule": "bonus",
        "text": "Flowers and seasons: 16 points x 8 (Own flower; Own season; "
        "Special hand with the final discard: bonus tiles are doubled again)",
        "points": 128,
        "cite": "001 Special hands: And bonus tiles",
    }
    other = deal(player("S", "13579m13579p1357s", bonus="3f"), won=win("S", "9p discard N"))
    assert of(score(other), "S")["lines"][1]["text"] == "Flowers and seasons: 4 points x 1"


def test_sheet_21_east_is_paid_double_for_a_special_hand() -> None:
    east = player("E", "19m19p19s12345677z")
    result = score(deal(east, won=win("E", "7z wall")))
    assert _amounts(result) == dict.fromkeys([("S", "E"), ("W", "E"), ("N", "E")], 2000)


def test_sheet_20_a_chow_in_the_suit_keeps_a_hand_clean() -> None:
    value = deal(player("S", "345m44m", "222m 777m 888m"), won=win("S", "4m discard N"))
    assert _doubles(of(score(value), "S")) == ["clean"]


@pytest.mark.parametrize(
    ("tiles", "melds", "bonus", "won", "total"),
    [
        ("1335577m1335577p", "", "23f", "7p discard N", 516),
        ("112345678m1234z", "", "23f", None, 416),
        ("4m", "222m 555m 888m 333m", "12f2y", None, 8 * 8 + 48),
    ],
)
def test_bonus_sums_of_the_clarified_rules(
    tiles: str, melds: str, bonus: str, won: str | None, total: int
) -> None:
    south = player("S", tiles, melds, bonus, fishing=won is None)
    value = deal(south, won=win("S", won) if won else win("E", "- wall"))
    assert of(score(value), "S")["total"] == total


def test_the_ordinary_value_is_taken_when_fishing_is_worth_less() -> None:
    north = player("N", "6667775z", "(2222z) (3333z)", "4f", fishing=True)
    part = of(score(deal(north, won=win("E", "- wall"))), "N")
    assert (part["hand"], part["total"]) == ("ordinary", 672)


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("tiles", "melds", "waits"),
    [
        ("9p", "222m 555m 888m 333z", {"9p"}),
        ("4477p", "222m 555p 888m", {"4p", "7p"}),
        ("1133s", "222m 555s 888s", {"1s", "3s"}),
        ("1188m", "222m 555m 777m", {"1m", "8m"}),
        ("4z", "222m 555m 888m 333z", {"4z"}),
        ("6z", "222m 555m 888m 333z", {"6z"}),
        ("66s55z", "222s 555s 888s", {"6s", "5z"}),
        ("3555m", "222m 555p 888s", {"3m", "4m"}),
    ],
)
def test_sheet_8_hands_go_out_on_the_printed_tiles_alone(
    tiles: str, melds: str, waits: set[str]
) -> None:
    found = set()
    for tile in PLAYING_TILES:
        value = deal(player("S", tiles + tile, melds), won=win("S", f"{tile} discard N"))
        try:
            score(value)
        except DealError:
            continue
        found.add(tile)
    assert found == waits


def test_drawn_hand_scores_and_pays_nothing() -> None:
    value = deal(player("S", FILLER), claimed("E", 40), won=None)
    result = score(value)
    assert result["payments"] == []
    assert {(part["total"], part["hand"]) for part in result["players"]} == {(0, "none")}
    assert set(result["net"].values()) == {0}
