"""Hands of the Chinese official rules as the records write them, and the names of their fan."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, Final

import scorer
from scorer.tiles import BONUS_TILES, SEATS

Json = dict[str, Any]

_HONOURS: Final = dict(zip("ESWNPFC", ("1z", "2z", "3z", "4z", "5z", "6z", "7z"), strict=True))

FAN: Final = {
    "DASIXI": "big_four_winds",
    "DASANYUAN": "big_three_dragons",
    "LVYISE": "all_green",
    "JIULIANBAODENG": "nine_gates",
    "SIGANG": "four_kongs",
    "LIANQIDUI": "seven_shifted_pairs",
    "SHISANYAO": "thirteen_orphans",
    "QINGYAOJIU": "all_terminals",
    "XIAOSIXI": "little_four_winds",
    "XIAOSANYUAN": "little_three_dragons",
    "ZIYISE": "all_honours",
    "SIANKE": "four_concealed_pungs",
    "YISESHUANGLONGHUI": "pure_terminal_chows",
    "YISESITONGSHUN": "quadruple_chow",
    "YISESIJIEGAO": "four_pure_shifted_pungs",
    "YISESIBUGAO": "four_pure_shifted_chows",
    "SANGANG": "three_kongs",
    "HUNYAOJIU": "all_terminals_and_honours",
    "QIDUI": "seven_pairs",
    "QIXINGBUKAO": "greater_honours_and_knitted_tiles",
    "QUANSHUANGKE": "all_even_pungs",
    "QINGYISE": "full_flush",
    "YISESANTONGSHUN": "pure_triple_chow",
    "YISESANJIEGAO": "pure_shifted_pungs",
    "QUANDA": "upper_tiles",
    "QUANZHONG": "middle_tiles",
    "QUANXIAO": "lower_tiles",
    "QINGLONG": "pure_straight",
    "SANSESHUANGLONGHUI": "three_suited_terminal_chows",
    "YISESANBUGAO": "pure_shifted_chows",
    "QUANDAIWU": "all_fives",
    "SANTONGKE": "triple_pung",
    "SANANKE": "three_concealed_pungs",
    "QUANBUKAO": "lesser_honours_and_knitted_tiles",
    "ZUHELONG": "knitted_straight",
    "DAYUWU": "upper_four",
    "XIAOYUWU": "lower_four",
    "SANFENGKE": "big_three_winds",
    "HUALONG": "mixed_straight",
    "TUIBUDAO": "reversible_tiles",
    "SANSESANTONGSHUN": "mixed_triple_chow",
    "SANSESANJIEGAO": "mixed_shifted_pungs",
    "WUFANHU": "chicken_hand",
    "MIAOSHOUHUICHUN": "last_tile_draw",
    "HAIDILAOYUE": "last_tile_claim",
    "GANGSHANGKAIHUA": "out_with_replacement_tile",
    "QIANGGANGHU": "robbing_the_kong",
    "PENGPENGHU": "all_pungs",
    "HUNYISE": "half_flush",
    "SANSESANBUGAO": "mixed_shifted_chows",
    "WUMENQI": "all_types",
    "QUANQIUREN": "melded_hand",
    "SHUANGANGANG": "two_concealed_kongs",
    "SHUANGJIANKE": "two_dragon_pungs",
    "QUANDAIYAO": "outside_hand",
    "BUQIUREN": "fully_concealed",
    "SHUANGMINGGANG": "two_melded_kongs",
    "HUJUEZHANG": "last_tile",
    "JIANKE": "dragon_pung",
    "QUANFENGKE": "prevalent_wind",
    "MENFENGKE": "seat_wind",
    "MENQIANQING": "concealed_hand",
    "PINGHU": "all_chows",
    "SIGUIYI": "tile_hog",
    "SHUANGTONGKE": "double_pung",
    "SHUANGANKE": "two_concealed_pungs",
    "ANGANG": "concealed_kong",
    "DUANYAO": "all_simples",
    "YIBANGAO": "pure_double_chow",
    "XIXIANGFENG": "mixed_double_chow",
    "LIANLIU": "short_straight",
    "LAOSHAOFU": "two_terminal_chows",
    "YAOJIUKE": "terminal_or_honour_pung",
    "MINGGANG": "melded_kong",
    "QUEYIMEN": "one_voided_suit",
    "WUZI": "no_honours",
    "BIANZHANG": "edge_wait",
    "KANZHANG": "closed_wait",
    "DANDIAOJIANG": "single_wait",
    "ZIMO": "self_drawn",
    "HUAPAI": "flower",
    "MINGANGANG": "melded_and_concealed_kong",
}
"""The id of each fan by the name in the records."""


def tiles_of(text: str) -> list[str]:
    """The tiles of a text such as ``123mEEN``."""
    found: list[str] = []
    for numbers, suit, honour in re.findall(r"([1-9]+)([mps])|([ESWNPFC])", text):
        found += [_HONOURS[honour]] if honour else [number + suit for number in numbers]
    return found


def deal_of(text: str, least: int = 0) -> tuple[Json, str]:
    """A hand as the deal in which it was won, and the winner's seat."""
    hand, situation, flowers = (*text.strip().split("|"), "", "")[:3]
    situation = situation or "EE0000"
    drawn, last_of_kind, last, kong = (flag == "1" for flag in situation[2:])
    seat = situation[1]
    source = ("loose" if kong else "wall") if drawn else "robbed_kong" if kong else "discard"
    concealed = tiles_of(re.sub(r"\[[^]]*]", "", hand))
    others = [other for other in SEATS if other != seat]
    win = {
        "seat": seat,
        "tile": concealed[-1],
        "source": source,
        "from": None if drawn else others[0],
        "last_tile": last,
        "last_of_kind": last_of_kind,
    }
    bonus = int(flowers) if flowers.isdigit() else len(flowers)
    winner = {
        "seat": seat,
        "concealed": concealed,
        "melds": [_meld(inner) for inner in re.findall(r"\[([^]]*)]", hand)],
        "bonus": list(BONUS_TILES[:bonus]),
    }
    players = [winner, *({"seat": other, "claimed": 0} for other in others)]
    changes = {"least": least}
    deal = {"ruleset": "chinese-official", "round_wind": situation[0], "players": players}
    return {**deal, "win": win, "changes": changes}, seat


def _meld(inner: str) -> Json:
    text, _, claimed = inner.partition(",")
    tiles = tiles_of(text)
    kind = "kong" if len(tiles) == 4 else "chow" if len(set(tiles)) == 3 else "pung"
    return {"kind": kind, "tiles": tiles, "concealed": kind == "kong" and not claimed}


def fan_of(text: str) -> Counter[str]:
    """How often each fan counts in a hand."""
    deal, seat = deal_of(text)
    lines = scorer.score_hand(scorer.parse_deal(deal), seat).lines
    return Counter(line.rule.removesuffix("_by_two") for line in lines if line.fan is not None)
