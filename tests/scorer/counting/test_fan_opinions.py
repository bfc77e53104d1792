"""The golden cases of rulesets that count fan, against programs that share no code with the scorer.

They are ``mahjong`` for riichi, ``PyMahjongGB`` for Chinese official where that is installed, and
the tables of ``brute_fan`` for Hong Kong and Zung Jung. Where a case is refused because the hand
cannot go out, they find none that can.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import pytest

from scorer.rules.rulebook import load_ruleset
from tests.scorer.counting.brute_fan import hong_kong, zung_jung
from tests.scorer.counting.test_fan_cases import CASES, wanted_lines, winners
from tests.scorer.golden_cases import Case, deal_of
from tests.scorer.records.packages import Riichi, chinese, riichi
from tests.scorer.records.random_hands import Json, WonHand, hand_of

UNTOLD: Final = {"hong-kong": 4, "zung-jung": 3, "chinese-official": 1, "riichi": 14}
"""Cases without a hand to count: nobody won, or what is said of the win is not possible."""

_LEAST: Final = {"none": 0, "one": 1, "three": 3}

Both = tuple[object, object]
"""What a case says of a hand, and what the other program says; None where it cannot go out."""


def _hong_kong(hand: WonHand, wanted: Json | None, changes: Json) -> Both:
    total, faan = hong_kong(hand, changes)
    goes_out = total and faan >= _LEAST[changes.get("least", "three")]
    return _summed(wanted), (total, faan) if goes_out else None


def _zung_jung(hand: WonHand, wanted: Json | None, changes: Json) -> Both:
    total, points = zung_jung(hand, changes)
    return _summed(wanted), (total, points) if total else None


def _summed(wanted: Json | None) -> object:
    if wanted is None:
        return None
    return wanted["total"], sum(worth for _, worth in wanted_lines(wanted["lines"]).elements())


def _chinese(hand: WonHand, wanted: Json | None, changes: Json) -> Both:
    found = chinese(pytest.importorskip("MahjongGB"), hand)
    total = sum(found.elements())
    theirs = (total, found) if total - len(hand.bonus) >= max(changes.get("least", 8), 1) else None
    if wanted is None:
        return None, theirs
    lines = wanted_lines(wanted["lines"]).elements()
    return (wanted["total"], Counter(worth for _, worth in lines)), theirs


def _riichi(hand: WonHand, wanted: Json | None, _: Json) -> Both:
    found = riichi(hand)
    if wanted is None:
        return None, found
    rules = {rule.id: rule for rule in load_ruleset("riichi").rule}
    lines = [(rules[rule], worth) for rule, worth in wanted_lines(wanted["lines"]).elements()]
    han = sum(worth * (13 if rule.limits else 1) for rule, worth in lines if not rule.fu)
    fu = 20 + sum(worth for rule, worth in lines if rule.fu)
    fu = 25 if any(rule.fixed for rule, _ in lines) else -(-fu // 10) * 10
    drawn, dealer = hand.source not in ("discard", "robbed_kong"), hand.seat == "E"
    times = (2, 0 if dealer else 1) if drawn else (6 if dealer else 4, 0)
    paid, others = (-(-each * wanted["total"] // 100) * 100 for each in times)
    if found is not None and any(rule.limits for rule, _ in lines):
        fu = found.fu
    return Riichi(han, fu, paid, others), found


OPINIONS: Final[dict[str, Callable[[WonHand, Json | None, Json], Both]]] = {
    "hong-kong": _hong_kong,
    "zung-jung": _zung_jung,
    "chinese-official": _chinese,
    "riichi": _riichi,
}


def _hands(case: Case, ruleset: str) -> list[tuple[WonHand, Json | None]]:
    """The winners' hands with what the case expects of them, None where they cannot go out."""
    value = deal_of(case, ruleset)
    wins: list[Any] = value.get("wins") or [value["win"]]
    expected = dict(winners(case))
    if "refused" in case:
        no_hand = [it for it in wins if case["refused"] == f"{it['seat']} concealed"]
        return [(hand_of(value, it), None) for it in no_hand]
    return [(hand_of(value, it), expected[it["seat"]]) for it in wins if it]


@pytest.mark.parametrize("ruleset", OPINIONS)
def test_another_program_counts_each_case_the_same(ruleset: str) -> None:
    untold = 0
    for case in CASES[ruleset]:
        hands = _hands(case, ruleset)
        untold += not hands
        for hand, wanted in hands:
            said, found = OPINIONS[ruleset](hand, wanted, case["deal"].get("changes", {}))
            assert said == found, case["name"]
    assert untold == UNTOLD[ruleset]
