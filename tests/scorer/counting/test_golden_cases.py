"""Every ruleset against its golden cases, and every row of its tables against the cases."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import pytest

from scorer.errors import DealError
from scorer.rules.info import describe
from scorer.rules.rulebook import load_ruleset, ruleset_ids
from scorer.tiles import SEATS
from tests.scorer.builders import BY_POINTS, Json, of, score
from tests.scorer.golden_cases import Case, cases_of, deal_of, expected_lines, lines_of, met

CASES = {ruleset: cases_of(ruleset) for ruleset in BY_POINTS}
ALL = [(ruleset, case) for ruleset, cases in CASES.items() for case in cases]
NAMES = [f"{ruleset}: {case['name']}" for ruleset, case in ALL]
AT_LEAST = {"bmja-u3a": 150}


@cache
def _cites(ruleset: str) -> dict[str, str]:
    """The citation that each line must carry, by its rule."""
    rules = load_ruleset(ruleset)
    cites = {rule.id: rule.cite for rule in rules.rule}
    cites |= {status.id: status.scores_cite or status.cite for status in rules.status}
    for special in rules.special_hand:
        cites |= {special.id: special.cite, f"fishing:{special.id}": special.cite}
    cites |= {"bonus": rules.texts.bonus_cite, "claimed": rules.texts.claimed_cite}
    cites |= {"limit": rules.limit.cite} if rules.limit else {}
    return cites | ({"rounding": rules.rounding.cite} if rules.rounding else {})


def _check_hand(part: Json, wanted: Json) -> None:
    assert (part["total"], part["hand"]) == (wanted["total"], wanted.get("hand", "ordinary"))
    assert part["points"] == wanted.get("points", wanted["total"])
    assert part["doubles"] == wanted.get("doubles", 0)
    assert lines_of(part) == expected_lines(wanted.get("lines", ""))
    assert sum(line.get("points", 0) for line in part["lines"]) == part["points"]
    assert sum(line.get("doubles", 0) for line in part["lines"]) == part["doubles"]


@pytest.mark.parametrize(("ruleset", "case"), ALL, ids=NAMES)
def test_golden_case(ruleset: str, case: Case) -> None:
    value = deal_of(case, ruleset)
    if "refused" in case:
        seat, field = case["refused"].split()
        with pytest.raises(DealError) as caught:
            score(value)
        assert (caught.value.player or "-", caught.value.field) == (seat, field)
        return
    result, expect = score(value), case["expect"]
    assert set(expect) <= {*SEATS, "pay", "net"}
    for seat in expect.keys() & set(SEATS):
        _check_hand(of(result, seat), expect[seat])
        for line in of(result, seat)["lines"]:
            assert line["cite"] == _cites(ruleset)[line["rule"]]
            assert line["text"]
            assert not set("{}") & set(line["text"])
    if "pay" in expect:
        paid = {item["from"] + item["to"]: item["amount"] for item in result["payments"]}
        assert paid == expect["pay"]
    if "net" in expect:
        assert result["net"] == expect["net"]
    assert sum(result["net"].values()) == 0
    assert not met(case) & set(case.get("misses", ()))


@pytest.mark.parametrize("ruleset", CASES)
def test_every_case_has_a_name_of_its_own_and_a_source(ruleset: str) -> None:
    names = Counter(case["name"] for case in CASES[ruleset])
    assert [name for name, count in names.items() if count > 1] == []
    uncited = [case["name"] for case in CASES[ruleset] if not _is_citation(case["cite"])]
    assert uncited == []
    assert len(names) >= AT_LEAST.get(ruleset, 60)


def _is_citation(text: str) -> bool:
    return re.fullmatch(r"00[0-4] \S.+", text) is not None


def _rows(ruleset: str) -> set[str]:
    """All with lines of their own: rules, hands won and fished for, penalties, the limit's cut."""
    rules = load_ruleset(ruleset)
    rows = {rule.id for rule in rules.rule if rule.group != "special_bonus"}
    rows |= {special.id for special in rules.special_hand}
    rows |= {f"fishing:{special.id}" for special in rules.special_hand if special.fishing}
    rows |= {penalty.id for penalty in rules.penalty}
    return rows | ({"limit"} if rules.limit else set())


@pytest.mark.parametrize("ruleset", CASES)
def test_every_row_has_a_hand_that_meets_it_and_one_that_just_misses(ruleset: str) -> None:
    rows, cases = _rows(ruleset), CASES[ruleset]
    shown = set().union(*(met(case) for case in cases))
    missed = {rule for case in cases for rule in case.get("misses", ())}
    assert sorted(rows - shown) == []
    assert sorted(rows - missed) == []
    assert sorted(missed - rows) == []


@pytest.mark.parametrize("ruleset", CASES)
def test_every_row_is_cited(ruleset: str) -> None:
    rules = load_ruleset(ruleset)
    cited = [(item.id, item.cite) for item in rules.rule]
    cited += [(item.id, item.cite) for item in rules.special_hand]
    cited += [(item.id, item.cite) for item in rules.penalty]
    cited += [(item.id, item.cite) for item in rules.option]
    assert [(name, cite) for name, cite in cited if not _is_citation(cite)] == []


def _outcome(value: Json) -> Json | str:
    try:
        result = score(value)
    except DealError as error:
        return f"{error.player} {error.field}"
    paid = {(item["from"], item["to"]): item["amount"] for item in result["payments"]}
    return {"players": result["players"], "payments": paid}


@pytest.mark.no_cover
@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_every_house_rule_has_a_case_where_it_matters_and_one_where_it_does_not(
    ruleset: str,
) -> None:
    rules = load_ruleset(ruleset)
    inherited = load_ruleset(rules.base).option if rules.base else ()
    listed = {it.id for it in rules.option if it not in inherited and _scores(it.target)}
    listed |= {rule.id for rule in load_ruleset(ruleset).rule if rule.group == "special_bonus"}
    usual = {option.id: option.default for option in describe(rules).options}
    matters: set[str] = set()
    idle: set[str] = set()
    for case in cases_of(ruleset):
        value = deal_of(case, ruleset)
        changes = value.get("changes", {})
        for option in changes:
            assert changes[option] != usual[option], f"{case['name']}: {option} is not changed"
            rest = {name: changes[name] for name in changes if name != option}
            same = _outcome(value) == _outcome({**value, "changes": rest})
            (idle if same else matters).add(option)
    assert sorted(listed - matters) == []
    assert sorted(listed - idle) == []


def _scores(target: str) -> bool:
    """Whether an option reaches the score of a hand: the order of the hands does not."""
    return not target.startswith("game.")


@pytest.mark.no_cover
@pytest.mark.parametrize("ruleset", CASES)
def test_a_row_switched_off_brings_nothing(ruleset: str) -> None:
    rules = load_ruleset(ruleset)
    switched = {rule.id for rule in rules.rule} | {special.id for special in rules.special_hand}
    first: dict[str, Case] = {}
    for case in CASES[ruleset]:
        for row in met(case):
            if row.removeprefix("fishing:") in switched:
                first.setdefault(row, case)
    left: list[str] = []
    for row, case in first.items():
        value = deal_of(case, ruleset)
        changes = {**value.get("changes", {}), row.removeprefix("fishing:"): False}
        outcome = _outcome({**value, "changes": changes})
        players = [] if isinstance(outcome, str) else outcome["players"]
        if any(line["rule"] == row for part in players for line in part["lines"]):
            left.append(row)
    assert left == []
