"""Winning hands as two packages count them: ``mahjong`` for riichi, ``PyMahjongGB`` for Chinese."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

from mahjong.constants import EAST, NORTH, SOUTH, WEST
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld

from scorer.tiles import PLAYING_TILES
from tests.scorer.records.random_hands import Json, WonHand

_WINDS: Final = {"E": EAST, "S": SOUTH, "W": WEST, "N": NORTH}
_SUITS: Final = {"m": "W", "p": "B", "s": "T"}
_HONOURS: Final = ("F1", "F2", "F3", "F4", "J3", "J2", "J1")
_DRAWN: Final = ("wall", "loose", "dealt")


class Riichi(NamedTuple):
    """What ``mahjong`` finds: han and fu, and what the payers pay.

    Attributes:
        han: 13 and more for limit hands.
        fu: rounded.
        paid: what the discarder pays, or the dealer or each for a drawn tile.
        others: what the others pay for a tile drawn by another than the dealer.
    """

    han: int
    fu: int
    paid: int
    others: int


class _Copies:
    """The numbers that the package gives the four copies of each tile; the lowest five is red."""

    def __init__(self) -> None:
        self.left = {tile: [4 * place + n for n in range(4)] for place, tile in _PLACES}

    def take(self, tiles: list[str] | tuple[str, ...]) -> list[int]:
        return [
            self.left[f"5{tile[1]}"].pop(0) if tile[0] == "0" else self.left[tile].pop()
            for tile in tiles
        ]


_PLACES: Final = [*enumerate(PLAYING_TILES)]


def asked_of_mahjong(hand: WonHand) -> Callable[[], Any]:
    """The call that has ``mahjong`` count a hand of riichi."""
    copies = _Copies()
    concealed = copies.take(hand.concealed)
    win = concealed[hand.concealed.index(hand.tile)]
    melds = [_meld(meld, copies.take(meld["tiles"])) for meld in hand.melds]
    tiles = concealed + [tile for meld in melds for tile in meld.tiles]
    return partial(
        HandCalculator().estimate_hand_value,
        tiles,
        win,
        melds,
        _numbers(hand.dora),
        config=_config(hand),
        ura_dora_indicators=_numbers(hand.ura) if {"riichi", "double_riichi"} & hand.said else [],
    )


def riichi(hand: WonHand) -> Riichi | None:
    """How ``mahjong`` counts a hand of riichi; None where it cannot win."""
    found = asked_of_mahjong(hand)()
    if found.error is not None or found.cost is None:
        assert found.error in ("no_yaku", "hand_not_winning"), found.error
        return None
    others = found.cost["additional"] if hand.source in _DRAWN and hand.seat != "E" else 0
    return Riichi(found.han or 0, found.fu or 0, found.cost["main"], others)


def _numbers(indicators: tuple[str, ...]) -> list[int]:
    return [4 * PLAYING_TILES.index(tile) for tile in indicators]


def _config(hand: WonHand) -> HandConfig:
    drawn = hand.source in _DRAWN
    return HandConfig(
        is_tsumo=drawn,
        is_riichi="riichi" in hand.said,
        is_daburu_riichi="double_riichi" in hand.said,
        is_ippatsu="ippatsu" in hand.said,
        is_rinshan=hand.source == "loose",
        is_chankan=hand.source == "robbed_kong",
        is_haitei=hand.last_tile and drawn,
        is_houtei=hand.last_tile and not drawn,
        is_tenhou=hand.source == "dealt",
        is_chiihou="first_turn" in hand.said,
        player_wind=_WINDS[hand.seat],
        round_wind=_WINDS[hand.round_wind],
        options=OptionalRules(
            has_open_tanyao=True,
            has_double_yakuman=False,
            has_aka_dora=any(tile[0] == "0" for tile in hand.concealed),
        ),
    )


def _meld(meld: Json, tiles: list[int]) -> Meld:
    kinds = {"chow": Meld.CHI, "pung": Meld.PON, "kong": Meld.KAN}
    return Meld(kinds[meld["kind"]], sorted(tiles), opened=not meld["concealed"])


def asked_of_chinese(package: Any, hand: WonHand) -> Callable[[], Any]:
    """The call that has ``PyMahjongGB`` count a hand."""
    rest = list(hand.concealed)
    rest.remove(hand.tile)
    return partial(
        package.MahjongFanCalculator,
        tuple(_named_meld(meld) for meld in hand.melds),
        tuple(map(_named, rest)),
        _named(hand.tile),
        len(hand.bonus),
        hand.source in _DRAWN,
        "last_of_kind" in hand.said,
        hand.source in ("loose", "robbed_kong"),
        hand.last_tile,
        "ESWN".index(hand.seat),
        "ESWN".index(hand.round_wind),
        verbose=True,
    )


def chinese(package: Any, hand: WonHand) -> Counter[int]:
    """How often each number of fan counts as ``PyMahjongGB`` finds it; none where it is no hand."""
    try:
        found = asked_of_chinese(package, hand)()
    except TypeError as error:
        if str(error) != "ERROR_NOT_WIN":
            raise
        return Counter()
    counted = Counter[int]()
    for fan, times, *_ in found:
        counted[fan] += times
    return counted


def _named(tile: str) -> str:
    return _HONOURS[int(tile[0]) - 1] if tile[1] == "z" else f"{_SUITS[tile[1]]}{tile[0]}"


def _named_meld(meld: Json) -> tuple[str, str, int]:
    kinds = {"chow": "CHI", "pung": "PENG", "kong": "GANG"}
    place = 1 if meld["kind"] == "chow" else 0
    return kinds[meld["kind"]], _named(meld["tiles"][place]), 0 if meld["concealed"] else 1
