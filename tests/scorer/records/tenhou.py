"""Games of riichi as Tenhou writes them: each hand that was won, as a deal and as it was paid."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scorer.tiles import PLAYING_TILES, SEATS

Json = dict[str, Any]
Won = Mapping[str, str]
"""The attributes of one AGARI tag."""

_RED: Final = {16: "0m", 52: "0p", 88: "0s"}
_IPPATSU, _ROBBED, _REPLACED, _DOUBLE_RIICHI, _DEALT, _FIRST_TURN = 2, 3, 4, 21, 37, 38
_LAST: Final = (5, 6)

YAKU: Final = {
    0: "fully_concealed",
    1: "riichi",
    2: "ippatsu",
    3: "robbing_a_kong",
    4: "after_a_kong",
    5: "last_tile_drawn",
    6: "last_tile_claimed",
    7: "pinfu",
    8: "all_simples",
    9: "pure_double_chow",
    10: "own_wind",
    11: "own_wind",
    12: "own_wind",
    13: "own_wind",
    14: "round_wind",
    15: "round_wind",
    16: "round_wind",
    17: "round_wind",
    18: "dragons",
    19: "dragons",
    20: "dragons",
    21: "double_riichi",
    22: "seven_pairs",
    23: "outside_hand",
    24: "pure_straight",
    25: "mixed_triple_chow",
    26: "triple_pung",
    27: "three_kongs",
    28: "all_pungs",
    29: "three_concealed_pungs",
    30: "little_dragons",
    31: "all_terminals_and_honours",
    32: "twice_pure_double_chow",
    33: "terminals_in_each",
    34: "half_flush",
    35: "full_flush",
    37: "heavenly_hand",
    38: "earthly_hand",
    39: "big_dragons",
    40: "four_concealed_pungs",
    41: "four_concealed_pungs",
    42: "all_honours",
    43: "all_green",
    44: "all_terminals",
    45: "nine_gates",
    46: "nine_gates",
    47: "thirteen_orphans",
    48: "thirteen_orphans",
    49: "big_winds",
    50: "little_winds",
    51: "four_kongs",
    52: "dora",
    53: "ura_dora",
    54: "red_fives",
}
"""The id of each yaku by Tenhou's number."""


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand that was won.

    Attributes:
        deal: as the scorer reads it.
        yaku: han of each yaku by the seat of the winner; a limit counts 13.
        fu: of each winner; None for limit hands.
        net: what each seat gained, the sticks of this hand among it.
    """

    deal: Json
    yaku: Mapping[str, Counter[str]]
    fu: Mapping[str, int | None]
    net: Mapping[str, int]


def hands_of(path: Path) -> Iterator[Hand]:
    """The hands of a game that were won."""
    dealer, moved, riichi, won = 0, -1, set[int](), list[Won]()
    for tag in (*ET.parse(path).getroot(), ET.Element("END")):
        if tag.tag != "AGARI" and won:
            yield _hand(moved // 4, dealer, riichi, won)
            won = []
        if tag.tag == "INIT":
            now = int(tag.attrib["oya"])
            moved += moved < 0 or now != dealer
            dealer, riichi = now, set()
        elif tag.tag == "REACH" and tag.attrib["step"] == "2":
            riichi.add(int(tag.attrib["who"]))
        elif tag.tag == "AGARI":
            won.append(tag.attrib)


def _hand(round_: int, dealer: int, riichi: set[int], won: list[Won]) -> Hand:
    seats = [SEATS[(place - dealer) % 4] for place in range(4)]
    winners = [seats[int(it["who"])] for it in won]
    net = dict.fromkeys(SEATS, 0)
    for it in won:
        for place, change in enumerate(_numbers(it, "sc")[1::2]):
            net[seats[place]] += 100 * change
    for place in riichi:
        net[seats[place]] -= 1000
    fu = [None if "yakuman" in it else _numbers(it, "ten")[0] for it in won]
    return Hand(
        _deal(SEATS[round_], seats, riichi, won),
        dict(zip(winners, map(_yaku, won), strict=True)),
        dict(zip(winners, fu, strict=True)),
        net,
    )


def _deal(round_wind: str, seats: list[str], riichi: set[int], won: list[Won]) -> Json:
    robbed = any(_ROBBED in _numbers(it, "yaku")[::2] for it in won)
    players: dict[str, Json] = {seat: {"seat": seat, "claimed": 0} for seat in seats}
    for it in won:
        seat = seats[int(it["who"])]
        players[seat] = {
            "seat": seat,
            "concealed": [_code(tile) for tile in _numbers(it, "hai")],
            "melds": [_meld(number) for number in _numbers(it, "m")],
            "double_riichi": _DOUBLE_RIICHI in _numbers(it, "yaku")[::2],
        }
    for place in riichi:
        players[seats[place]]["riichi"] = True
    honba, sticks = _numbers(won[0], "ba")
    ura: Won = next((it for it in won if "doraHaiUra" in it), {})
    return {
        "ruleset": "riichi",
        "round_wind": round_wind,
        "players": list(players.values()),
        "wins": [_win(it, seats, robbed=robbed) for it in won],
        "dora": [PLAYING_TILES[tile // 4] for tile in _numbers(won[0], "doraHai")],
        "ura": [PLAYING_TILES[tile // 4] for tile in _numbers(ura, "doraHaiUra")],
        "honba": honba,
        "sticks": sticks - len(riichi),
    }


def _win(it: Won, seats: list[str], *, robbed: bool) -> Json:
    yaku = {*_numbers(it, "yaku")[::2], *_numbers(it, "yakuman")}
    drawn = it["who"] == it["fromWho"]
    source = "wall" if drawn else "robbed_kong" if robbed else "discard"
    source = "loose" if _REPLACED in yaku else "dealt" if _DEALT in yaku else source
    win: Json = {
        "seat": seats[int(it["who"])],
        "tile": _code(int(it["machi"])),
        "source": source,
        "from": None if drawn else seats[int(it["fromWho"])],
        "last_tile": not yaku.isdisjoint(_LAST),
        "first_turn": _FIRST_TURN in yaku,
        "ippatsu": _IPPATSU in yaku,
    }
    return win | ({"liable": seats[int(it["paoWho"])]} if "paoWho" in it else {})


def _yaku(it: Won) -> Counter[str]:
    numbers = _numbers(it, "yaku")
    found = Counter[str]()
    for yaku, han in zip(numbers[::2], numbers[1::2], strict=True):
        found[YAKU[yaku]] += han
    for yaku in _numbers(it, "yakuman"):
        found[YAKU[yaku]] += 13
    return +found


def _numbers(it: Won, key: str) -> list[int]:
    return [int(number) for number in it.get(key, "").split(",") if number]


def _code(tile: int) -> str:
    return _RED.get(tile) or PLAYING_TILES[tile // 4]


def _meld(number: int) -> Json:
    """A meld that was called, from the bits in which Tenhou packs it."""
    if number & 4:
        kind = (number >> 10) // 3
        first = kind // 7 * 9 + kind % 7
        tiles = [4 * (first + n) + (number >> (3 + 2 * n) & 3) for n in range(3)]
        return {"kind": "chow", "tiles": [_code(tile) for tile in tiles]}
    if number & 0x18:
        tiles = [4 * ((number >> 9) // 3) + n for n in range(4)]
        if number & 8:
            tiles.pop(number >> 5 & 3)
        form = "pung" if number & 8 else "kong"
        return {"kind": form, "tiles": [_code(tile) for tile in tiles]}
    tiles = [4 * (number >> 10) + n for n in range(4)]
    concealed = number & 3 == 0
    return {"kind": "kong", "tiles": [_code(tile) for tile in tiles], "concealed": concealed}
