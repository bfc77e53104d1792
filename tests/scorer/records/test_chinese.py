"""Every hand of the records of Chinese official rules: its fan, and what hands wait for."""

from __future__ import annotations

import json
from collections import Counter

import pytest

import scorer
from tests.scorer.records.chinese import FAN, Json, deal_of, fan_of, tiles_of
from tests.scorer.records.files import needed, records

FILES = records("mcr*.json")
CASES: list[Json] = [case for path in FILES for case in json.loads(path.read_text())["fanCases"]]
WAITS: list[Json] = [case for path in FILES for case in json.loads(path.read_text())["tingCases"]]


@needed
def test_there_are_records() -> None:
    assert CASES
    assert WAITS


@needed
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["input"])
def test_each_hand_is_counted_as_it_was(case: Json) -> None:
    given = (case["expectedNames"], case.get("altExpectedNames"))
    wanted = [Counter(FAN[name.removeprefix("FAN_")] for name in names) for names in given if names]
    assert fan_of(case["input"]) in wanted


@needed
@pytest.mark.parametrize("case", WAITS, ids=lambda case: case["input"])
def test_each_hand_waits_for_the_same(case: Json) -> None:
    value, seat = deal_of(case["input"].strip() + "|EE1000")
    value["win"] = {"seat": "S", "source": "wall"}
    found = scorer.find_waits(scorer.parse_deal(value), seat)
    wanted = [tiles_of(name.removeprefix("TILE_"))[0] for name in case["expectedNames"]]
    assert sorted(wait.tile for wait in found.waits if wait.left) == sorted(wanted)
