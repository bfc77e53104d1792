"""What must hold for every deal, whatever the tiles."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import scorer
from scorer.tiles import BONUS_TILES, READING_LABELS, format_tiles, parse_tiles, sort_tiles
from tests.scorer.builders import Json, claimed, deal, of, score
from tests.scorer.counting.brute import best_ordinary, in_hand, loser_total
from tests.scorer.tables import build, goulashes, tables

_FEW = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
_SUIT_BOUND = {"imperial_jade", "plum_blossom", "moon_from_the_sea"}


def _totals(result: Json) -> dict[str, int]:
    return {part["seat"]: part["total"] for part in result["players"]}


def _assert_explained(result: Json) -> None:
    for part in result["players"]:
        assert sum(line.get("points", 0) for line in part["lines"]) == part["points"]
        assert sum(line.get("doubles", 0) for line in part["lines"]) == part["doubles"]
        assert all(line["cite"].startswith("000 Sheet ") for line in part["lines"])
        assert all(line["text"] and "{" not in line["text"] for line in part["lines"])
        assert part["total"] == part["points"] * 2 ** part["doubles"]
        if part["hand"] not in ("ordinary", "none"):
            assert part["doubles"] == 0


@_FEW
@given(tables)
def test_lines_add_up_and_payments_sum_to_zero(value: Json) -> None:
    result = score(value)
    _assert_explained(result)
    assert sum(result["net"].values()) == 0
    winner = value["win"]["seat"]
    paid = {(item["from"], item["to"]): item["amount"] for item in result["payments"]}
    assert all(amount > 0 for amount in paid.values())
    for part in result["players"]:
        if part["seat"] != winner:
            factor = 2 if "E" in (part["seat"], winner) else 1
            assert paid[part["seat"], winner] == factor * of(result, winner)["total"]
    assert not any(payer == winner for payer, _ in paid)


@settings(_FEW, max_examples=15)
@given(goulashes)
def test_goulashes_are_explained_too(value: Json) -> None:
    result = score(value)
    _assert_explained(result)
    assert all(group["kind"] != "chow" for part in result["players"] for group in part["sets"])


@_FEW
@given(tables, st.randoms(use_true_random=False))
def test_order_does_not_matter(value: Json, rng: random.Random) -> None:
    shuffled = copy.deepcopy(value)
    rng.shuffle(shuffled["players"])
    for player in shuffled["players"]:
        for key in ("concealed", "melds", "bonus"):
            rng.shuffle(player[key])
        for meld in player["melds"]:
            rng.shuffle(meld["tiles"])
    before, after = score(value), score(shuffled)
    for part in before["players"]:
        other = of(after, part["seat"])
        assert {**part, "lines": None} == {**other, "lines": None}
        assert sorted(map(str, part["lines"])) == sorted(map(str, other["lines"]))
    assert before["payments"] == after["payments"]


def _renamed(value: Json, names: dict[str, str], seats: dict[str, str]) -> Json:
    renamed = copy.deepcopy(value)
    for player in renamed["players"]:
        player["seat"] = seats[player["seat"]]
        for tiles in (player["concealed"], player["bonus"], *(m["tiles"] for m in player["melds"])):
            tiles[:] = [names.get(tile, tile) for tile in tiles]
    renamed["round_wind"] = seats[renamed["round_wind"]]
    won = renamed["win"]
    won["seat"], won["tile"] = seats[won["seat"]], names.get(won["tile"], won["tile"])
    if won.get("from"):
        won["from"] = seats[won["from"]]
    return renamed


@_FEW
@given(tables, st.integers(1, 3))
def test_seats_winds_and_bonus_numbers_turn_together(value: Json, turn: int) -> None:
    order = "ESWN"
    seats = {seat: order[(i + turn) % 4] for i, seat in enumerate(order)}
    names = {f"{i + 1}{kind}": f"{(i + turn) % 4 + 1}{kind}" for i in range(4) for kind in "zfy"}
    turned = _renamed(value, names, seats)
    assume(any(player["seat"] == "E" for player in turned["players"]))
    before, after = _totals(score(value)), _totals(score(turned))
    assert {seats[seat]: total for seat, total in before.items()} == after


@_FEW
@given(tables, st.permutations("mps"))
def test_suits_are_alike_except_where_a_hand_names_one(value: Json, suits: list[str]) -> None:
    pairs = zip("mps", suits, strict=True)
    names = {f"{n}{old}": f"{n}{new}" for old, new in pairs for n in range(1, 10)}
    seats = {seat: seat for seat in "ESWN"}
    before, after = score(value), score(_renamed(value, names, seats))
    for part in before["players"]:
        other = of(after, part["seat"])
        hands = {part["hand"].removeprefix("fishing:"), other["hand"].removeprefix("fishing:")}
        if not hands & _SUIT_BOUND:
            assert (part["total"], part["hand"]) == (other["total"], other["hand"])


@_FEW
@given(tables, st.integers(0, 7), st.integers(0, 3))
def test_a_bonus_tile_never_lowers_a_score(value: Json, tile: int, seat: int) -> None:
    held = {code for player in value["players"] for code in player["bonus"]}
    spare = [code for code in BONUS_TILES if code not in held]
    assume(spare)
    more = copy.deepcopy(value)
    lucky = more["players"][seat % len(more["players"])]
    lucky["bonus"].append(spare[tile % len(spare)])
    before = of(score(value), lucky["seat"])
    assert of(score(more), lucky["seat"])["total"] >= before["total"]


@_FEW
@given(tables)
def test_no_reading_beats_the_one_that_is_scored(value: Json) -> None:
    best = best_ordinary(value)
    part = of(score(value), value["win"]["seat"])
    assert best is not None
    assert part["total"] >= best
    if part["hand"] == "ordinary":
        assert part["total"] == best


@settings(_FEW, max_examples=15)
@given(goulashes)
def test_no_use_of_wild_tiles_beats_the_one_that_is_scored(value: Json) -> None:
    winner = next(p for p in value["players"] if p["seat"] == value["win"]["seat"])
    assume(in_hand(winner)[0].count("2s") < 3)
    part = of(score(value), winner["seat"])
    best = best_ordinary(value)
    assert best is not None
    assert part["total"] >= best
    if part["hand"] == "ordinary":
        assert part["total"] == best


@_FEW
@given(tables)
def test_losers_score_all_their_sets_and_pairs(value: Json) -> None:
    result = score(value)
    for player in value["players"]:
        if player["seat"] != value["win"]["seat"]:
            part = of(result, player["seat"])
            expected = loser_total(value, player)
            assert part["total"] >= expected
            if part["hand"] == "ordinary":
                assert part["total"] == expected


@_FEW
@given(tables)
def test_deals_come_back_from_their_json(value: Json) -> None:
    value["players"][0]["name"] = "Ann"
    first = scorer.parse_deal(value)
    again = scorer.parse_deal(json.loads(json.dumps(first.to_json())))
    assert again == first
    assert scorer.score_deal(again) == scorer.score_deal(first)


def test_claims_and_draws_come_back_from_their_json() -> None:
    fine = {"kind": "false_naming_set", "offender": "W", "victim": "N"}
    value = deal(claimed("S", 12), won=None, changes={"limit": 500}, penalties=[fine])
    again = scorer.parse_deal(scorer.parse_deal(value).to_json())
    assert again == scorer.parse_deal(value)
    assert again.players[0].claimed == 12


_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=6)
    | st.sampled_from([*READING_LABELS, "E", "S", "discard", "wall", "pung", "kong", "chow"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=8,
)


def _scores_or_refuses(value: object) -> None:
    refusal = None
    try:
        result = scorer.score_deal(scorer.parse_deal(value))
        json.dumps(result.to_json())
    except scorer.DealError as error:
        refusal = error
    if refusal is not None:
        assert refusal.message
        assert refusal.field
        assert "\n" not in str(refusal)


@_FEW
@given(_JSON)
def test_any_json_gives_a_result_or_a_deal_error(value: object) -> None:
    _scores_or_refuses(value)


def _places(node: object) -> list[tuple[Any, Any]]:
    keys: list[Any] = []
    if isinstance(node, dict):
        keys = list(node)
    elif isinstance(node, list):
        keys = list(range(len(node)))
    found: list[tuple[Any, Any]] = []
    for key in keys:
        found += [(node, key), *_places(node[key])]  # type: ignore[index]
    return found


@settings(_FEW, max_examples=150)
@given(tables | goulashes, st.randoms(use_true_random=False), _JSON)
def test_a_deal_with_one_thing_broken_gives_a_result_or_a_deal_error(
    value: Json, rng: random.Random, junk: object
) -> None:
    node, key = rng.choice(_places(value))
    if rng.random() < 0.3:
        del node[key]
    else:
        node[key] = junk
    _scores_or_refuses(value)


@given(st.lists(st.sampled_from(READING_LABELS)))
def test_hand_strings_come_back(codes: list[str]) -> None:
    assert parse_tiles(format_tiles(codes)) == codes
    assert sort_tiles(codes) == sort_tiles(list(reversed(codes)))


@pytest.mark.parametrize("seed", range(3))
def test_tables_are_made_of_lawful_deals(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        scorer.parse_deal(build(rng))
