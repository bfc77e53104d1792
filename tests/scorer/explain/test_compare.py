"""One deal under several rule systems, side by side."""

from __future__ import annotations

import pytest

from scorer import Deal, DealResult, score_deal
from scorer.explain.compare import Comparison, HandRows, System, Worth, compare
from scorer.text.deal_json import read_deal
from tests.scorer.builders import Json, claimed, deal, player, win

# Sheet 19's first hand of the course.
SOUTH = player("S", "666s11z", "111s 777z 9999s", "2f")
WON = deal(SOUTH, claimed("E", 20), won=win("S", "1z discard N"))


def _compare(value: Json, *systems: str | System) -> Comparison:
    asked = [System(it) if isinstance(it, str) else it for it in systems]
    return compare(read_deal(value), asked)


def _hand(found: Comparison, seat: str) -> HandRows:
    return next(hand for hand in found.hands if hand.seat == seat)


def _worths(hand: HandRows, rule: str) -> tuple[Worth | None, ...]:
    return next(row.worths for row in hand.rows if row.rule == rule)


def test_each_system_has_its_total() -> None:
    found = _compare(WON, "bmja-u3a", "western")
    south = _hand(found, "S")
    # 54 points and four doubles; 10 + 4 + 4 + 4 + 16 + 1 + 2 + 2 and three doubles.
    assert [part.total if part else None for part in south.parts] == [54 * 16, 43 * 8]
    assert south.differs
    assert not _hand(found, "E").differs


def test_lines_of_one_rule_stand_side_by_side() -> None:
    south = _hand(_compare(WON, "bmja-u3a", "western"), "S")
    assert _worths(south, "mah_jong") == (Worth(20), Worth(10))
    assert _worths(south, "pung_major_exposed") == (Worth(8), Worth(8))
    assert _worths(south, "own_flower") == (Worth(doubles=1), None)
    assert _worths(south, "own_bonus") == (None, Worth(1))
    differing = {row.rule for row in south.rows if row.differs}
    assert {"mah_jong", "own_flower", "own_bonus", "clean"} <= differing
    assert not differing & {"pung_major_exposed", "no_chows", "dragons"}


def test_lines_that_tell_two_sets_name_both() -> None:
    south = _hand(_compare(WON, "bmja-u3a"), "S")
    text = next(row.text for row in south.rows if row.rule == "pung_major_exposed")
    assert "one bamboo" in text
    assert "Red dragon" in text
    assert not any(row.differs for row in south.rows)


def test_a_house_rule_beside_its_ruleset() -> None:
    changed = System("western", {"going_out": 20, "clean_only": True})
    found = _compare(WON, "western", changed)
    assert changed.name == "western (going_out = 20, clean_only = true)"
    south = _hand(found, "S")
    assert {row.rule for row in south.rows if row.differs} == {"mah_jong"}


def test_the_deals_own_changes_count_for_no_other_column() -> None:
    value = {**WON, "changes": {"going_out": 30}}
    assert _worths(_hand(_compare(value, "bmja-u3a"), "S"), "mah_jong") == (Worth(20),)


def test_a_system_that_refuses_the_deal_keeps_its_column() -> None:
    south = player("S", "345m44p", "123m 456p 888s")
    value = deal(south, won=win("S", "5m discard N"))
    found = _compare(value, "western", "bmja-u3a", "nowhere")
    west, course, nowhere = found.columns
    assert west.error is None
    assert course.result is None
    assert (course.error.player, course.error.field) == ("S", "melds") if course.error else False
    assert nowhere.error is not None
    assert nowhere.error.field == "ruleset"
    hand = _hand(found, "S")
    assert [part is None for part in hand.parts] == [False, True, True]
    assert not hand.differs
    assert not any(row.differs for row in hand.rows)


def test_the_json_form() -> None:
    value = _compare(WON, "bmja-u3a", "nowhere").to_json()
    own, other = value["systems"]
    assert own["net"] == {"E": -1648, "S": 3456, "W": -904, "N": -904}
    assert own["error"] is None
    assert other["net"] is None
    assert other["error"]["field"] == "ruleset"
    south = next(hand for hand in value["players"] if hand["seat"] == "S")
    assert south["totals"] == [864, None]
    assert south["hands"] == ["ordinary", None]
    line = next(line for line in south["lines"] if line["rule"] == "mah_jong")
    assert line["worths"] == [{"points": 20, "doubles": 0}, None]


def test_a_fault_of_the_program_costs_its_own_column_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    real = score_deal

    def failing(asked: Deal) -> DealResult:
        if asked.ruleset == "western":
            raise RuntimeError("generator raised StopIteration")
        return real(asked)

    monkeypatch.setattr("scorer.explain.compare.score_deal", failing)
    good, bad = _compare(WON, "bmja-u3a", "western").columns
    assert good.result is not None
    assert bad.error is not None
    assert bad.error.code == "own_fault"
    assert "fault in the program, not your mistake (RuntimeError)" in bad.error.message
    assert "generator raised StopIteration" in caplog.text, "who runs the page can look it up"


def test_what_another_system_has_no_use_for_is_left_out_there() -> None:
    value = deal(player("S", "22m333m444p555s666s"), won=win("S", "2m wall", last_tile=True))
    found = compare(read_deal(value), [System("bmja-u3a"), System("ming-1876")])
    assert [column.error for column in found.columns] == [None, None]
    ming = read_deal({**value, "ruleset": "ming-1876"})
    own, other = compare(ming, [System("ming-1876"), System("bmja-u3a")]).columns
    assert own.error is not None
    assert own.error.code == "flag_not_known"
    assert other.result is not None
