"""What a page asks follows from the rules of a ruleset, house rules among them."""

from __future__ import annotations

import pytest

from scorer.explain.compare import alike
from scorer.rules.info import asks
from scorer.rules.rulebook import load_ruleset


def test_a_table_is_asked_what_its_rules_look_at() -> None:
    british, riichi = asks(load_ruleset("bmja-u3a")), asks(load_ruleset("riichi"))
    assert (british.others, british.goulash, british.fishing, british.unit) == (True,) * 3 + (None,)
    assert (british.declared, british.indicators, british.winners) == ((), (), 1)
    assert not (british.counters)
    assert not (british.liable)
    assert not (british.reds)
    assert not (british.ready)
    assert (riichi.others, riichi.goulash, riichi.fishing, riichi.bonus) == (False,) * 4
    assert riichi.declared == ("riichi", "double_riichi")
    assert riichi.indicators == ("dora", "ura")
    assert (riichi.unit, riichi.winners) == ("han", 3)
    assert riichi.counters
    assert riichi.liable
    assert riichi.reds
    assert riichi.ready


@pytest.mark.parametrize(
    ("ruleset", "change", "asked"),
    [
        ("riichi", {"liability": False}, "liable"),
        ("riichi", {"noten": 0}, "ready"),
        ("riichi", {"red_fives": False}, "reds"),
        ("hong-kong", {"bonus_tiles": "unused"}, "bonus"),
    ],
)
def test_a_house_rule_may_leave_a_question_out(
    ruleset: str, change: dict[str, bool | int | str], asked: str
) -> None:
    assert getattr(asks(load_ruleset(ruleset)), asked)
    assert not getattr(asks(load_ruleset(ruleset, change)), asked)


def test_rulesets_are_alike_whose_hands_are_worth_the_same_kind_of_thing() -> None:
    assert "western" in alike("ming-1876")
    assert alike("riichi", {"honba": 0}) == ("riichi",)
