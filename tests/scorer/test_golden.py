"""Every row of the ruleset's tables: one hand that meets it, one that just misses."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from scorer.errors import DealError
from tests.scorer.builders import deal, of, player, rules, score, win

Case = dict[str, Any]
_FILES = sorted((Path(__file__).parent / "golden").glob("bmja-u3a-*.toml"))
CASES: dict[str, Case] = {
    rule: case for file in _FILES for rule, case in tomllib.loads(file.read_text("utf-8")).items()
}


def _deal(case: Case) -> tuple[str, Case]:
    seat = case.get("seat", "S")
    won = win("N" if seat != "N" else "W", "- wall")
    if "won" in case:
        won = win(seat, case["won"], **dict.fromkeys(case.get("flags", ()), True))
    hand = player(
        seat,
        case["tiles"],
        case.get("melds", ""),
        case.get("bonus", ""),
        fishing=case.get("fishing", False),
    )
    more = {"round_wind": case.get("round", "E"), "goulash": case.get("goulash", False)}
    return seat, deal(hand, won=won, **more)


def _check(rule: str, case: Case, *, met: bool) -> None:
    seat, value = _deal(case)
    if "refused" in case:
        with pytest.raises(DealError) as caught:
            score(value)
        assert (caught.value.player, caught.value.field) == (seat, case["refused"])
        return
    part = of(score(value), seat)
    special = "doubles" not in case
    assert part["points"] == case["points"]
    assert part["doubles"] == case.get("doubles", 0)
    assert part["total"] == case["points"] * 2 ** case.get("doubles", 0)
    assert (rule in rules(part)) is met
    assert part["hand"] == (rule if special else "ordinary")


@pytest.mark.parametrize("rule", CASES)
def test_a_hand_that_meets_the_rule(rule: str) -> None:
    _check(rule, CASES[rule]["yes"], met=True)


@pytest.mark.parametrize("rule", CASES)
def test_a_hand_that_just_misses_it(rule: str) -> None:
    _check(rule, CASES[rule]["no"], met=False)


@pytest.mark.parametrize("rule", CASES)
def test_the_line_carries_the_citation(rule: str) -> None:
    seat, value = _deal(CASES[rule]["yes"])
    lines = of(score(value), seat)["lines"]
    assert {line["cite"] for line in lines if line["rule"] == rule} == {CASES[rule]["cite"]}
