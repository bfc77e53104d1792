"""Random hands of Hong Kong and of Zung Jung, against a second opinion."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

import scorer
from scorer.errors import DealError
from tests.scorer.counting.brute_fan import hong_kong, zung_jung
from tests.scorer.records.random_hands import Json, WonHand, random_hand

HANDS = 1500


def ours(hand: WonHand, ruleset: str, changes: Json) -> tuple[int, int]:
    """The winner's total and what adds up to it; 0 where the hand is none that can win."""
    try:
        deal = scorer.parse_deal(hand.deal(ruleset, changes=changes))
        result = scorer.score_hand(deal, hand.seat)
    except DealError:
        return 0, 0
    return result.total, result.counted.fan if result.counted else 0


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("ruleset", "changes", "theirs"),
    [
        ("hong-kong", {"least": "none"}, hong_kong),
        ("zung-jung", {}, zung_jung),
        ("zung-jung", {"most": 1000}, zung_jung),
    ],
)
def test_no_reading_beats_the_chosen_one(
    ruleset: str,
    changes: Json,
    theirs: Callable[[WonHand, Json], tuple[int, int]],
    seed: int,
) -> None:
    rng = random.Random(seed)
    for _ in range(HANDS // 2):
        hand = random_hand(rng)
        assert ours(hand, ruleset, changes) == theirs(hand, changes), hand
