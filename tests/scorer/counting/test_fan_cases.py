"""The golden cases of rulesets that count fan, and every row of their tables against the cases."""

from __future__ import annotations

from collections import Counter

import pytest

from scorer.errors import DealError
from scorer.rules.rulebook import load_ruleset
from scorer.tiles import SEATS
from tests.scorer.builders import Json, of, score
from tests.scorer.golden_cases import Case, cases_of, deal_of

IDS = ("hong-kong", "zung-jung", "chinese-official", "riichi")
CASES = {ruleset: cases_of(ruleset) for ruleset in IDS}
ALL = [(ruleset, case) for ruleset, cases in CASES.items() for case in cases]
AT_LEAST = 120
OF_FORM = frozenset({"value", "going_out", "rounding"})
"""Lines that come from the value of a ruleset, not from a rule."""


def wanted_lines(text: str) -> Counter[tuple[str, int]]:
    """The rules that a text names, each with the worth of each of its lines."""
    found = Counter[tuple[str, int]]()
    for part in filter(None, (part.strip() for part in text.split(","))):
        rule, *worths = part.split()
        if not worths:
            raise ValueError(f"the line {part!r} has no worth")
        found.update((rule, int(worth)) for worth in worths)
    return found


def _shown(part: Json) -> Counter[tuple[str, int]]:
    units = ("fan", "fu", "limits")
    return Counter(
        (line["rule"], next(line[unit] for unit in units if unit in line))
        for line in part["lines"]
        if line["rule"] not in OF_FORM
    )


def winners(case: Case) -> list[tuple[str, Json]]:
    """The seats whose hands a case expects to be counted, and what it expects of them."""
    return [(seat, case["expect"][seat]) for seat in SEATS if seat in case.get("expect", ())]


@pytest.mark.parametrize(("ruleset", "case"), ALL, ids=[f"{r}: {c['name']}" for r, c in ALL])
def test_golden_case(ruleset: str, case: Case) -> None:
    value = deal_of(case, ruleset)
    if "refused" in case:
        with pytest.raises(DealError) as caught:
            score(value)
        assert f"{caught.value.player or '-'} {caught.value.field}" == case["refused"]
        return
    result = score(value)
    for seat, wanted in winners(case):
        part = of(result, seat)
        assert _shown(part) == wanted_lines(wanted["lines"])
        assert part["total"] == wanted["total"]
        assert sum(line.get("points", 0) for line in part["lines"]) == part["points"]
        assert sum(line.get("fan", 0) for line in part["lines"]) == part["fan"]
        assert not {rule for rule, _ in _shown(part)} & set(case.get("misses", ()))
    if "pay" in case["expect"]:
        paid = {item["from"] + item["to"]: item["amount"] for item in result["payments"]}
        assert paid == case["expect"]["pay"]
    if "net" in case["expect"]:
        assert result["net"] == case["expect"]["net"]
    assert sum(result["net"].values()) + result.get("table", 0) == 0


@pytest.mark.parametrize("ruleset", IDS)
def test_every_case_has_a_name_of_its_own_and_a_source(ruleset: str) -> None:
    names = Counter(case["name"] for case in CASES[ruleset])
    assert [name for name, count in names.items() if count > 1] == []
    cites = {rule.cite[:4] for rule in load_ruleset(ruleset).rule}
    assert {case["cite"][:4] for case in CASES[ruleset]} == cites
    assert len(names) >= AT_LEAST


@pytest.mark.parametrize("ruleset", IDS)
def test_every_row_has_a_hand_that_meets_it(ruleset: str) -> None:
    met: set[str] = set()
    for case in CASES[ruleset]:
        for _, wanted in winners(case):
            met |= {rule for rule, _ in wanted_lines(wanted["lines"])}
    assert sorted({rule.id for rule in load_ruleset(ruleset).rule} - met) == []


@pytest.mark.parametrize("ruleset", IDS)
def test_every_row_has_a_hand_that_just_misses_it(ruleset: str) -> None:
    missed = {rule for case in CASES[ruleset] for rule in case.get("misses", ())}
    assert sorted({rule.id for rule in load_ruleset(ruleset).rule} ^ missed) == []
