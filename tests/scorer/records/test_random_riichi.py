"""Random hands of riichi against the ``mahjong`` package: han, fu and payments."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from mahjong.constants import EAST, NORTH, SOUTH, WEST
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld

import scorer
from scorer.errors import DealError
from scorer.tiles import PLAYING_TILES
from tests.scorer.records.random_hands import Json, RandomHand, random_hand

HANDS = 3000
WINDS = {"E": EAST, "S": SOUTH, "W": WEST, "N": NORTH}


class _Copies:
    """The numbers that the package gives the four copies of each tile; no five is red."""

    def __init__(self) -> None:
        self.left = {tile: [4 * place + n for n in range(4)] for place, tile in _PLACES}

    def take(self, tiles: list[str] | tuple[str, ...]) -> list[int]:
        return [self.left[tile].pop() for tile in tiles]


_PLACES = [*enumerate(PLAYING_TILES)]


def asked_of_package(
    hand: RandomHand, *, riichi: bool = False, dora: Sequence[str] = ()
) -> Callable[[], Any]:
    """The call that has the package count the hand."""
    copies = _Copies()
    concealed = copies.take(hand.concealed)
    win = concealed[hand.concealed.index(hand.tile)]
    melds = [_meld(meld, copies.take(meld["tiles"])) for meld in hand.melds]
    indicators = [4 * PLAYING_TILES.index(tile) for tile in dora]
    drawn = hand.source == "wall"
    config = HandConfig(
        is_tsumo=drawn,
        is_riichi=riichi,
        is_haitei=hand.last_tile and drawn,
        is_houtei=hand.last_tile and not drawn,
        player_wind=WINDS[hand.seat],
        round_wind=WINDS[hand.round_wind],
        options=OptionalRules(has_open_tanyao=True, has_double_yakuman=False, has_aka_dora=False),
    )
    tiles = concealed + [tile for meld in melds for tile in meld.tiles]
    count = HandCalculator().estimate_hand_value
    return partial(count, tiles, win, melds, indicators, config=config)


def theirs(hand: RandomHand, *, riichi: bool, dora: list[str]) -> tuple[int, int, int] | None:
    """Han, fu and the points paid altogether; None where the hand has no yaku."""
    found = asked_of_package(hand, riichi=riichi, dora=dora)()
    if found.error is not None or found.cost is None:
        assert found.error == "no_yaku", found.error
        return None
    return found.han or 0, found.fu or 0, found.cost["total"]


def _meld(meld: Json, tiles: list[int]) -> Meld:
    kinds = {"chow": Meld.CHI, "pung": Meld.PON, "kong": Meld.KAN}
    return Meld(kinds[meld["kind"]], sorted(tiles), opened=not meld["concealed"])


def ours(hand: RandomHand, *, riichi: bool, dora: list[str]) -> tuple[int, int, int] | None:
    """The same of the scorer."""
    value = hand.deal("riichi", dora=dora)
    value["players"][0]["riichi"] = riichi
    try:
        result = scorer.score_deal(scorer.parse_deal(value))
    except DealError:
        return None
    counted = result.players[0].counted
    assert counted is not None
    han = 13 * counted.limits or counted.fan
    return han, counted.fu, sum(payment.amount for payment in result.payments)


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", range(4))
def test_the_package_counts_the_same(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(HANDS // 4):
        hand = random_hand(rng)
        shut = all(meld["concealed"] for meld in hand.melds)
        riichi = shut and rng.random() < 0.5
        dora = [rng.choice(PLAYING_TILES)]
        mine, given = ours(hand, riichi=riichi, dora=dora), theirs(hand, riichi=riichi, dora=dora)
        assert mine is None or given is None or mine[2] == given[2], hand
        assert (mine is None) == (given is None), hand
        if mine is not None and given is not None and mine[0] < 13:
            assert mine[:2] == given[:2], hand
