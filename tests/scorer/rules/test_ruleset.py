"""Ruleset files: what they must hold, and what a faulty one is told."""

from __future__ import annotations

import copy
import time
import tomllib
from collections.abc import Callable
from importlib import resources
from typing import Any

import pytest

import scorer
from scorer.deal import (
    FURTHER_FLAGS,
    PENALTIES,
    SOURCES,
    STATUSES,
    WIN_FLAGS,
    Deal,
    Penalty,
    Player,
)
from scorer.evaluation.checks import check_deal
from scorer.rules.files import MAX_DEPTH, decode, validate
from scorer.rules.info import describe, settings_told
from scorer.rules.rulebook import load_ruleset, ruleset_ids
from scorer.tiles import NAMES
from tests.scorer.builders import Json, claimed, deal, of, player, rules, score, win

FILES = [
    file
    for file in (resources.files("scorer") / "rulesets").iterdir()
    if file.name.endswith(".toml")
]
RAW = {file.name: tomllib.loads(file.read_text("utf-8")) for file in FILES}


CLEAN, BONUS = (
    next(place for place, rule in enumerate(RAW["bmja-u3a.toml"]["rule"]) if rule["id"] == own)
    for own in ("clean", "bonus_tile")
)


@pytest.mark.parametrize("name", RAW)
def test_every_file_is_sound_and_named_after_its_id(name: str) -> None:
    ruleset = load_ruleset(name.removesuffix(".toml"))
    assert f"{ruleset.id}.toml" == name
    asked = (ruleset.source, ruleset.status, ruleset.flag)
    for questions, known in zip(
        asked, (SOURCES, STATUSES, (*WIN_FLAGS, *FURTHER_FLAGS)), strict=True
    ):
        ids = [item.id for item in questions]
        assert ids == [name for name in known if name in ids]
    assert {item.id for item in ruleset.penalty} <= set(PENALTIES)


def test_the_default_comes_first() -> None:
    assert ruleset_ids()[0] == "bmja-u3a"
    assert sum(bool(raw.get("default")) for raw in RAW.values()) == 1


def _drop(path: str) -> Callable[[Json], None]:
    def change(raw: Json) -> None:
        *parts, last = path.split(".")
        node: Any = raw
        for part in parts:
            node = node[int(part)] if isinstance(node, list) else node[part]
        del node[last]

    return change


def _put(path: str, value: object) -> Callable[[Json], None]:
    def change(raw: Json) -> None:
        *parts, last = path.split(".")
        node: Any = raw
        for part in parts:
            node = node[int(part)] if isinstance(node, list) else node[part]
        node[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "key", "reason"),
    [
        (_drop("limit.value"), "limit.value", "required"),
        (_drop("id"), "id", "required"),
        (_put("limit.value", "1000"), "limit.value", "integer"),
        (_put("colour", 1), "colour", "not permitted"),
        (_put("rule.0.cite", ""), "rule.pung_minor_exposed.cite", "at least 1"),
        (_drop("rule.0.points"), "rule.pung_minor_exposed", "points or doubles"),
        (_put("rule.0.doubles", 1), "rule.pung_minor_exposed", "points or doubles"),
        (_put("rule.0.per_bonus", "any"), "rule.pung_minor_exposed", "not both"),
        (_put("rule.0.when", ["raining"]), "rule.pung_minor_exposed", "unknown condition"),
        (_put("rule.0.unless", ["raining"]), "rule.pung_minor_exposed", "unknown condition"),
        (_put("rule.0.per_set.tiles", "blue"), "rule.pung_minor_exposed.per_set", "tile class"),
        (_put("rule.1.id", "pung_minor_exposed"), "the whole file", "used twice"),
        (_put("rule.0.group", "bonus"), "rule.pung_minor_exposed", "cannot depend on the sets"),
        (_put("rule.12.group", "whole"), "rule.mah_jong", "must give doubles, once a hand"),
        (_put("rule.0.when", ["one_suit"]), "rule.pung_minor_exposed", "without conditions"),
        (_put(f"rule.{CLEAN}.family", "x"), "rule.clean", "not by its sets"),
        (_put(f"rule.{BONUS}.per_bonus", "blue"), "rule.bonus_tile", "tile class 'blue'"),
        (_put("name", "Our\nclub"), "name", "on one line"),
        (_put("special_hand.0.shape", "blob"), "special_hand.all_pair_honours", "unknown shape"),
        (_put("special_hand.0.numbers", [1]), "special_hand.all_pair_honours", "numbers are only"),
        (_put("special_hand.0.when", ["one_suit"]), "special_hand.all_pair_honours", "conditions"),
        (_put("special_hand.0.winning_tile", "0m"), "special_hand.all_pair_honours", "'0m'"),
        (_put("special_hand.0.won", {}), "special_hand.all_pair_honours.won", "times_points"),
        (
            _put("special_hand.0.won", {"limit": "half"}),
            *("special_hand.all_pair_honours.won.limit", "pattern"),
        ),
        (_put("special_hand.3.numbers", [10]), "special_hand.wriggling_snake.numbers.0", "9"),
        (_put("goulash.wild", "10s"), "goulash", "'10s'"),
        (_drop("penalty.0.points"), "penalty.false_naming_set", "need points or limit"),
        (_put("penalty.1.points", 5), "penalty.false_naming_win", "the others neither"),
        (_put("players", [2]), "players.0", "3 or 4"),
        (_put("option.0.target", "limit.colour"), "the whole file", "'limit.colour'"),
        (_put("option.0.target", "rule.none.points"), "the whole file", "'rule.none.points'"),
        (_put("option.0.kind", "choice"), "option.limit", "must list its choices"),
        (_put("option.0.id", "purity"), "the whole file", "'purity' is used twice"),
    ],
)
def test_a_faulty_file_is_told_where_and_why(
    change: Callable[[Json], None], key: str, reason: str
) -> None:
    raw = copy.deepcopy(RAW["bmja-u3a.toml"])
    change(raw)
    with pytest.raises(scorer.RulesetError) as caught:
        validate(raw, "club.toml")
    assert str(caught.value).startswith(f"club.toml: {key}: ")
    assert reason in str(caught.value)


def test_without_a_limit_nothing_can_be_a_share_of_it() -> None:
    raw = copy.deepcopy(RAW["bmja-u3a.toml"])
    del raw["limit"]
    raw["option"] = [item for item in raw["option"] if not item["target"].startswith("limit.")]
    with pytest.raises(scorer.RulesetError, match="share of the limit, but there is no limit"):
        validate(raw, "club.toml")


def test_changes_are_part_of_the_result() -> None:
    result = score(deal(claimed("S", 4), won=win("E", "- wall"), changes={"limit": 500}))
    assert (result["ruleset"], result["changes"]) == ("bmja-u3a", {"limit": 500})


def test_a_lower_limit_lowers_the_awards() -> None:
    south = player("S", "1335577m1335577p")
    value = deal(south, won=win("S", "7p wall"), changes={"limit": 500})
    assert of(score(value), "S")["total"] == 250


def test_a_cap_on_ordinary_hands_keeps_their_points_and_doubles() -> None:
    west = player("W", "66p", "444p 888p 333z (9999p)", "3f3y")
    value = deal(west, won=win("W", "6p discard S"), round_wind="W", goulash=True)
    assert of(score(value), "W")["total"] == 68 * 32
    part = of(score({**value, "changes": {"limit_caps_ordinary": True}}), "W")
    assert (part["points"], part["doubles"], part["total"]) == (68, 5, 1000)
    assert part["lines"][-1]["rule"] == "limit"
    assert sum(line.get("points", 0) for line in part["lines"]) == 68


def test_a_cap_on_special_hands_is_a_negative_line() -> None:
    south = player("S", "19m19p19s12345677z", bonus="23f")
    value = deal(south, won=win("S", "7z wall"), changes={"limit_caps_special": True})
    part = of(score(value), "S")
    assert part["total"] == part["points"] == 1000
    assert [line["points"] for line in part["lines"]] == [1000, 16, -16]
    assert part["lines"][-1]["rule"] == "limit"


def test_going_out_for_less() -> None:
    south = player("S", "345m44p", "222m 555p 888s")
    value = deal(south, won=win("S", "4p discard N"), changes={"going_out": 10})
    assert of(score(value), "S")["total"] == 16


def test_any_number_of_chows() -> None:
    south = player("S", "345678m44p", "234p 888s")
    value = deal(south, won=win("S", "4p discard N"), changes={"chows": 4})
    part = of(score(value), "S")
    assert [group["kind"] for group in part["sets"]].count("chow") == 3


def test_four_alike_in_hand_may_count_as_a_pung_only() -> None:
    south = player("S", "555512m46p1379s2z")
    value = deal(south, won=win("E", "- wall"), changes={"undeclared_kongs": False})
    assert rules(of(score(value), "S")) == ["pung_minor_concealed"]


def test_text_that_is_no_toml_is_told_the_line() -> None:
    with pytest.raises(scorer.RulesetError, match=r"^club.toml: .*line 2"):
        decode(b"id = 'x'\n[limit\n", "club.toml")


DEEP = {
    "lists": b"[" * 5_000 + b"]" * 5_000,
    "lists that the parser reads": b"[" * MAX_DEPTH + b"]" * MAX_DEPTH,
    "a key": b"1\n" + b".".join([b"a"] * 20_000) + b" = 1",
    "a key in quotes": b"1\n" + b" . ".join([b"'a b'", b'"c d"'] * MAX_DEPTH) + b" = 1",
    "a table": b"1\n[" + b".".join([b"a"] * (MAX_DEPTH + 1)) + b"]",
}


@pytest.mark.parametrize("value", DEEP.values(), ids=DEEP)
def test_what_lies_too_deep_is_refused_before_it_costs_much(value: bytes) -> None:
    costs = []
    for _ in range(3):
        before = time.process_time()
        with pytest.raises(scorer.RulesetError) as refused:
            decode(b"id = " + value, "club.toml")
        costs.append(time.process_time() - before)
        told = "club.toml: the whole file: it has too many tables and lists inside one another"
        assert str(refused.value) == told
    assert min(costs) < 0.1, "once memory may be swept in between"


def test_what_only_looks_deep_is_read() -> None:
    words = "See p. 1.2.3 of the book, e.g. there. " * 99
    nested = b"[" * (MAX_DEPTH - 1) + b"]" * (MAX_DEPTH - 1)
    table = decode(b"id = " + nested + f"\nname = '{words}'".encode(), "club.toml")
    assert table["name"] == words


def test_a_number_without_end_is_refused() -> None:
    with pytest.raises(scorer.RulesetError, match="a number with too many digits"):
        decode(b"id = " + b"9" * 5_000, "club.toml")


@pytest.mark.parametrize("sign", [b"a", b'"', b"'", b"a'", b'"a', b"a.", b"'.", b" ."])
def test_looking_for_deep_keys_takes_no_time_of_its_own(sign: bytes) -> None:
    before = time.process_time()
    with pytest.raises(scorer.RulesetError):
        decode(b"x = " + sign * (200_000 // len(sign)), "club.toml")
    assert time.process_time() - before < 0.5


def test_an_option_without_its_usual_value_among_the_choices() -> None:
    raw = copy.deepcopy(RAW["bmja-u3a.toml"])
    snake = next(item for item in raw["option"] if item["id"] == "snake_pair")
    del snake["choices"][0]
    with pytest.raises(scorer.RulesetError, match=r"option\.snake_pair"):
        describe(validate(raw, "club.toml"))


@pytest.mark.parametrize("paired", range(1, 10))
def test_any_number_may_be_paired_in_the_snake(paired: int) -> None:
    tiles = "".join(sorted(f"123456789{paired}")) + "p1234z"
    value = deal(player("S", tiles), won=win("S", "1z discard N"), changes={"snake_pair": "any"})
    assert of(score(value), "S")["hand"] == "wriggling_snake"


def test_imperial_jade_may_need_green_dragons() -> None:
    changes = {"jade_dragons": "needed"}
    without = player("S", "66z", "222s 333s 444s 888s")
    value = deal(without, won=win("S", "6z discard N"), changes=changes)
    assert of(score(value), "S")["hand"] == "ordinary"
    green = player("S", "22s", "666z 333s 444s 888s")
    value = deal(green, won=win("S", "2s discard N"), changes=changes)
    assert of(score(value), "S")["hand"] == "imperial_jade"


def test_special_hands_may_be_left_out_one_by_one() -> None:
    south = player("S", "44m", "222m 555m 888m 333m")
    value = deal(south, won=win("S", "4m discard N"))
    assert of(score(value), "S")["hand"] == "purity"
    value["changes"] = {"purity": False}
    assert of(score(value), "S")["hand"] == "ordinary"
    wonders = player("S", "119m19p19s1234567z")
    value = deal(wonders, won=win("S", "1m dealt"), changes={"thirteen_unique_wonders": False})
    value["win"]["source"] = "wall"
    with pytest.raises(scorer.DealError, match="not played under these rules"):
        score(value)


def test_a_ruleset_whose_dealer_moves_and_that_knows_no_penalty() -> None:
    ruleset = load_ruleset("bmja-u3a").model_copy(update={"dealer_moves": True, "penalty": ()})
    seats = tuple(Player(seat, claimed=0) for seat in "ESW")
    check_deal(Deal("bmja-u3a", seats, None, dealer="W"), ruleset)
    with pytest.raises(scorer.DealError, match="nobody sits as North"):
        check_deal(Deal("bmja-u3a", seats, None, dealer="N"), ruleset)
    fined = Deal("bmja-u3a", seats, None, penalties=(Penalty("false_win", "E"),))
    with pytest.raises(
        scorer.DealError, match="these rules have no such penalty; choose from none"
    ):
        check_deal(fined, ruleset)


def test_changes_do_not_leak_into_the_next_deal() -> None:
    limits = [load_ruleset("bmja-u3a", changes).limit for changes in ({"limit": 500}, {})]
    assert [limit and limit.value for limit in limits] == [500, 1000]


def test_what_a_page_needs_to_ask() -> None:
    info = scorer.list_rulesets()[0]
    assert (info.id, info.default, info.players, info.limit) == ("bmja-u3a", True, (3, 4), 1000)
    assert info.wild in NAMES
    assert [info.chows_allowed(n, goulash=g) for n, g in ((4, False), (4, True), (3, False))] == [
        *(1, 0, 0),
    ]
    needs = {source.id: (source.needs_from, source.needs_tile) for source in info.sources}
    assert needs["discard"] == (True, True)
    assert needs["wall"] == (False, True)
    assert needs["dealt"] == (False, False)
    flags = {flag.id: flag for flag in info.flags}
    assert flags["first_turn"].from_seat == "E"
    assert flags["after_two_kongs"].kongs == 2
    hands = {hand.id: hand for hand in info.special_hands}
    assert len(hands) == 19
    told = {name: (str(hand.won), str(hand.fishing)) for name, hand in hands.items()}
    assert told["purity"] == ("points x 8", "points x 8")
    assert told["knitting"] == ("500", "200")
    assert hands["heavens_blessing"].fishing is None
    fatal = {penalty.id for penalty in info.penalties if penalty.fatal_discard}
    assert fatal == {"cannon", "false_naming_win"}
    defaults = {option.id: option.default for option in info.options}
    assert defaults["limit"] == 1000
    assert defaults["going_out"] == 20
    assert defaults["limit_caps_ordinary"] is False
    assert defaults["snake_pair"] == "ones"
    assert defaults["knitting"] is True


def test_every_option_takes_its_own_usual_value() -> None:
    info = scorer.list_rulesets()[0]
    value = deal(player("S", "345m44p", "222m 555p 888s"), won=win("S", "4p discard N"))
    usual = {option.id: option.default for option in info.options}
    assert score({**value, "changes": usual})["players"] == score(value)["players"]


@pytest.mark.parametrize(
    ("played", "told"),
    [
        (False, "A hand is drawn when the wall is used up; the kong box is not played."),
        (True, "A hand is drawn when the wall and the kong box are used up."),
    ],
)
def test_people_are_told_when_a_hand_is_drawn(*, played: bool, told: str) -> None:
    ruleset = load_ruleset("bmja-u3a", {"kong_box_played": played})
    assert str(describe(ruleset).drawn_text) == told


@pytest.mark.parametrize(
    ("ruleset", "changes", "least", "most", "paid", "draws"),
    [
        ("bmja-u3a", {}, 20, 1000, 6000, False),
        ("bmja-u3a", {"limit": 500, "going_out": 10}, 10, 500, 3000, False),
        ("western", {}, 10, 1000, 6000, False),
        ("ming-1876", {}, 0, 2000, 12000, True),
    ],
)
def test_what_a_typed_total_is_held_against(
    ruleset: str,
    changes: dict[str, int],
    least: int,
    most: int,
    paid: int,
    *,
    draws: bool,
) -> None:
    info = describe(load_ruleset(ruleset, changes))
    assert (info.least_win, info.usual_most, info.usual_payment) == (least, most, paid)
    assert info.settles_draws is draws


def test_rules_without_a_limit_find_no_total_unusual() -> None:
    raw = {**copy.deepcopy(RAW["ming-1876.toml"]), "option": []}
    del raw["limit"]
    info = describe(validate(raw, "club.toml"))
    assert (info.usual_most, info.usual_payment) == (None, None)


def test_house_rules_are_told_by_the_names_of_their_options() -> None:
    rules = describe(load_ruleset("bmja-u3a"))
    changes: dict[str, bool | int | str] = {
        "limit": 500,
        "joker": "blank",
        "losers_settle": False,
        "gone": 3,
    }
    assert str(settings_told(rules, changes)) == (
        "gone: 3, Joker of a goulash: Blank tiles, Limit: 500, Losers settle with each other: no"
    )
    assert str(settings_told(rules, {})) == "no house rules"
