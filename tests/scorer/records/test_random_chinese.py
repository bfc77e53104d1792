"""Random hands of Chinese official rules against PyMahjongGB, where that is installed."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import scorer
from scorer.errors import DealError
from tests.scorer.records.packages import chinese
from tests.scorer.records.random_hands import WonHand, random_hand

HANDS = 3000


def ours(hand: WonHand) -> Counter[int]:
    """How often each number of fan counts as the scorer finds it."""
    deal = scorer.parse_deal(hand.deal("chinese-official", changes={"least": 0}))
    try:
        lines = scorer.score_hand(deal, hand.seat).lines
    except DealError:
        return Counter()
    return Counter(line.fan for line in lines if line.fan is not None)


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", range(4))
def test_the_package_counts_the_same(seed: int) -> None:
    package = pytest.importorskip("MahjongGB")
    rng = random.Random(seed)
    for _ in range(HANDS // 4):
        hand = random_hand(rng)
        assert ours(hand) == chinese(package, hand), hand
