"""Random hands of riichi against the ``mahjong`` package: han, fu and payments."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import scorer
from scorer.errors import DealError
from scorer.tiles import PLAYING_TILES
from tests.scorer.records.packages import Riichi, riichi
from tests.scorer.records.random_hands import WonHand, random_hand

HANDS = 3000


def ours(hand: WonHand) -> Riichi | None:
    """The same of the scorer."""
    value = hand.deal("riichi", dora=list(hand.dora))
    value["players"][0]["riichi"] = "riichi" in hand.said
    try:
        result = scorer.score_deal(scorer.parse_deal(value))
    except DealError:
        return None
    counted = result.players[0].counted
    assert counted is not None
    paid = sorted({payment.amount for payment in result.payments}, reverse=True)
    others = paid[-1] if hand.source == "wall" and hand.seat != "E" else 0
    return Riichi(13 * counted.limits or counted.fan, counted.fu, paid[0], others)


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", range(4))
def test_the_package_counts_the_same(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(HANDS // 4):
        hand = random_hand(rng)
        shut = all(meld["concealed"] for meld in hand.melds)
        said = frozenset({"riichi"} if shut and rng.random() < 0.5 else ())
        hand = replace(hand, said=said, dora=(rng.choice(PLAYING_TILES),))
        mine, theirs = ours(hand), riichi(hand)
        if mine is not None and theirs is not None and theirs.han >= 13:
            mine, theirs = (it._replace(han=13, fu=0) for it in (mine, theirs))
        assert mine == theirs, hand
