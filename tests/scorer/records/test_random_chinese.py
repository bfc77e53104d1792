"""Random hands of Chinese official rules against PyMahjongGB, where that is installed."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

import scorer
from scorer.errors import DealError
from tests.scorer.records.random_hands import Json, RandomHand, random_hand

HANDS = 3000
_SUITS = {"m": "W", "p": "B", "s": "T"}
_HONOURS = ("F1", "F2", "F3", "F4", "J3", "J2", "J1")


def _named(tile: str) -> str:
    return _HONOURS[int(tile[0]) - 1] if tile[1] == "z" else f"{_SUITS[tile[1]]}{tile[0]}"


def _meld(meld: Json) -> tuple[str, str, int]:
    kinds = {"chow": "CHI", "pung": "PENG", "kong": "GANG"}
    place = 1 if meld["kind"] == "chow" else 0
    return kinds[meld["kind"]], _named(meld["tiles"][place]), 0 if meld["concealed"] else 1


def asked_of_package(package: Any, hand: RandomHand) -> Callable[[], Any]:
    """The call that has the package count the hand."""
    rest = list(hand.concealed)
    rest.remove(hand.tile)
    return partial(
        package.MahjongFanCalculator,
        tuple(_meld(meld) for meld in hand.melds),
        tuple(map(_named, rest)),
        _named(hand.tile),
        0,
        hand.source == "wall",
        False,  # noqa: FBT003 - the package takes them by place
        False,  # noqa: FBT003
        hand.last_tile,
        "ESWN".index(hand.seat),
        "ESWN".index(hand.round_wind),
        verbose=True,
    )


def theirs(package: Any, hand: RandomHand) -> int:
    """The fan that the package finds."""
    return sum(fan * times for fan, times, *_ in asked_of_package(package, hand)())


def ours(hand: RandomHand) -> int:
    """The fan of the scorer."""
    deal = scorer.parse_deal(hand.deal("chinese-official", changes={"least": 0}))
    try:
        return scorer.score_hand(deal, hand.seat).total
    except DealError:
        return 0


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", range(4))
def test_the_package_counts_the_same(seed: int) -> None:
    package = pytest.importorskip("MahjongGB")
    rng = random.Random(seed)
    for _ in range(HANDS // 4):
        hand = random_hand(rng)
        assert ours(hand) == theirs(package, hand), hand
