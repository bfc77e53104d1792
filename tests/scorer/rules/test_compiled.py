"""Rulesets made ready for counting: what is kept from one deal to the next."""

from __future__ import annotations

import pytest

from scorer.rules import fan_rules
from scorer.rules.compiled import compile_ruleset
from scorer.rules.conditions import Situation
from scorer.rules.rulebook import load_ruleset


def test_what_is_kept_makes_room_and_is_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fan_rules, "_MOST_KEPT", 1)
    ready = compile_ruleset(load_ruleset("bmja-u3a"))
    south, east = Situation("S", "E"), Situation("E", "E", is_dealer=True)
    first = ready.tally(south)
    assert ready.tally(south) is first
    assert ready.tally(east) != first
    again = ready.tally(south)
    assert again is not first
    assert again == first
