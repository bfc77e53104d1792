"""Totals that no hand can have are held against what the rules can add up to."""

from __future__ import annotations

import pytest

from scorer.evaluation.totals import total_fault
from scorer.rules.rulebook import load_ruleset


@pytest.mark.parametrize(
    ("ruleset", "changes", "total", "fault"),
    [
        ("uk-1924", {}, 3, "claim_in_between"),
        ("uk-1924", {}, 4, None),
        ("uk-1924", {}, 3001, "claim_above_limit"),
        ("bmja-mjbr", {"limit": 501}, 3, None),
        ("ming-1876", {}, 45, "claim_in_between"),
    ],
)
def test_a_total_is_a_sum_of_points_or_a_limit(
    ruleset: str, changes: dict[str, int], total: int, fault: str | None
) -> None:
    told = total_fault(load_ruleset(ruleset, changes), total)
    assert (None if told is None else told.id) == fault


def test_without_a_limit_only_points_add_up() -> None:
    unlimited = load_ruleset("uk-1924", {}).model_copy(update={"limit": None})
    told = total_fault(unlimited, 3)
    assert told is not None
    assert told.id == "claim_in_between"
    assert total_fault(unlimited, 5000) is None
