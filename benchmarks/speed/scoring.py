"""Measures the time of scoring and explaining hands: ``python -m benchmarks.speed.scoring``.

Random ordinary winning hands are scored with every line of explanation on one core, and in the same
run the hand calculator of the ``mahjong`` package (Japanese rules) scores as many random hands of
its own. Hands of the rulesets that count fan have melds laid down and are often of few suits; the
package counts the same hands of riichi, and PyMahjongGB, where it is installed, those of Chinese
official rules. Then follow whole deals of four shown hands, and the slowest goulash hands (four
wild tiles among fourteen concealed ones). All times are processor times.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig

import scorer
from scorer.rules.rulebook import load_ruleset, ruleset_ids
from scorer.tiles import PLAYING_TILES
from tests.scorer.records.packages import asked_of_chinese, asked_of_mahjong
from tests.scorer.records.random_hands import WonHand
from tests.scorer.records.random_hands import random_hand as random_winning_hand
from tests.scorer.tables import build

Json = dict[str, Any]


def random_hand(rng: random.Random, chows: int) -> list[int]:
    """Four melds with a limited number of chows, and a pair, as indices of playing tiles."""
    while True:
        tiles: list[int] = []
        for index in range(4):
            if index < chows and rng.random() < 0.6:
                first = 9 * rng.randrange(3) + rng.randrange(7)
                tiles += [first, first + 1, first + 2]
            else:
                tiles += [rng.randrange(34)] * 3
        tiles += [rng.randrange(34)] * 2
        if max(Counter(tiles).values()) <= 4:
            return tiles


def deal_of(tiles: Sequence[int], rng: random.Random, ruleset: str) -> scorer.Deal:
    """A deal won with a hand; the other players claim totals, so that one hand is counted."""
    concealed = [PLAYING_TILES[index] for index in tiles]
    source = rng.choice(("wall", "discard"))
    players: list[Json] = [{"seat": seat, "claimed": 0} for seat in "ESN"]
    players.append(
        {"seat": "W", "concealed": concealed, "bonus": rng.sample(["1f", "3f", "2y"], 1)}
    )
    win = {"seat": "W", "tile": rng.choice(concealed), "source": source}
    if source == "discard":
        win["from"] = "E"
    return scorer.parse_deal({"ruleset": ruleset, "players": players, "win": win})


def seconds_each(work: Callable[[Any], object], items: Sequence[Any]) -> list[float]:
    """Processor seconds of each item, after a first pass over all of them."""
    for item in items:
        work(item)
    seconds = []
    for item in items:
        start = time.process_time()
        work(item)
        seconds.append(time.process_time() - start)
    return seconds


def _row(name: str, seconds: Sequence[float], reference: float) -> str:
    ordered = sorted(seconds)
    rate = len(seconds) / sum(seconds)
    late = ordered[len(ordered) * 99 // 100]
    return (
        f"{name:<44}{rate:>9.0f}/s{rate / reference:>8.2f}{1e6 * ordered[len(ordered) // 2]:>9.0f}"
        f"{1e6 * late:>9.0f}{1e6 * ordered[-1]:>9.0f}\n"
    )


def _mahjong_package(rng: random.Random, count: int) -> list[float]:
    calculator = HandCalculator()

    def calculate(hand: tuple[list[int], int, HandConfig]) -> object:
        return calculator.estimate_hand_value(hand[0], hand[1], config=hand[2])

    hands = []
    for _ in range(count):
        seen: Counter[int] = Counter()
        tiles = []
        for index in sorted(random_hand(rng, 4)):
            tiles.append(4 * index + seen[index])
            seen[index] += 1
        hands.append((tiles, rng.choice(tiles), HandConfig(is_tsumo=rng.random() < 0.5)))
    return seconds_each(calculate, hands)


def _in_fan(
    ruleset: str, rng: random.Random, count: int
) -> tuple[list[WonHand], list[scorer.Deal]]:
    """Winning hands under a ruleset that counts fan, worth enough to go out, and their deals."""
    hands: list[WonHand] = []
    deals: list[scorer.Deal] = []
    while len(deals) < count:
        hand = random_winning_hand(rng)
        deal = scorer.parse_deal(hand.deal(ruleset))
        try:
            scorer.score_deal(deal)
        except scorer.DealError:
            continue
        hands.append(hand)
        deals.append(deal)
    return hands, deals


def _winners_hand(deal: scorer.Deal) -> object:
    return scorer.score_hand(deal, deal.win.seat if deal.win is not None else "E")


def _by_package(ruleset: str, hands: Sequence[WonHand]) -> tuple[str, list[float]] | None:
    """The package that counts by such rules, and its seconds for the same hands."""
    if ruleset == "riichi":
        calls = [asked_of_mahjong(hand) for hand in hands]
        return "mahjong package, the same hands", seconds_each(lambda call: call(), calls)
    if ruleset == "chinese-official" and find_spec("MahjongGB") is not None:
        package = import_module("MahjongGB")
        calls = [asked_of_chinese(package, hand) for hand in hands]
        return "PyMahjongGB, the same hands", seconds_each(lambda call: call(), calls)
    return None


def _of_fan(ruleset: str, rng: random.Random, count: int, reference: float) -> None:
    """The rows of a ruleset that counts fan, beside those of a package that does."""
    hands, deals = _in_fan(ruleset, rng, count)
    package = _by_package(ruleset, hands)
    if package is not None:
        name, theirs = package
        reference = len(theirs) / sum(theirs)
        sys.stdout.write(_row(name, theirs, reference))
    for name, work in (
        ("winning hands", _winners_hand),
        ("the same with payments", scorer.score_deal),
    ):
        sys.stdout.write(_row(f"{ruleset}, {name}", seconds_each(work, deals), reference))


def _heavy_goulash(rng: random.Random) -> scorer.Deal:
    singles = rng.sample([code for code in PLAYING_TILES if code != "2s"], 5)
    concealed = ["2s"] * 4 + [code for code in singles for _ in range(2)]
    players: list[Json] = [{"seat": seat, "claimed": 0} for seat in "ESN"]
    players.append({"seat": "W", "concealed": concealed})
    win = {"seat": "W", "tile": concealed[-1], "source": "wall"}
    return scorer.parse_deal(
        {"ruleset": "bmja-u3a", "goulash": True, "players": players, "win": win}
    )


def main(count: int) -> None:
    """Measure and print."""
    rng = random.Random(2026)
    theirs = _mahjong_package(rng, count)
    reference = count / sum(theirs)
    sys.stdout.write(f"{'':44}{'rate':>11}{'ratio':>8}{'median':>9}{'p99':>9}{'worst':>9}  (us)\n")
    sys.stdout.write(_row("mahjong package, winning hands", theirs, reference))
    for ruleset in ruleset_ids():
        rules = load_ruleset(ruleset)
        if rules.value is not None:
            _of_fan(ruleset, rng, count // 4, reference)
            continue
        deals = [
            deal_of(random_hand(rng, rules.chows.per_hand), rng, ruleset) for _ in range(count)
        ]
        hands = seconds_each(lambda deal: scorer.score_hand(deal, "W"), deals)
        sys.stdout.write(_row(f"{ruleset}, winning hands", hands, reference))
        whole = seconds_each(scorer.score_deal, deals)
        sys.stdout.write(_row(f"{ruleset}, the same with payments", whole, reference))
    tables = [scorer.parse_deal(build(rng)) for _ in range(count // 4)]
    sys.stdout.write(
        _row("bmja-u3a, deals of four hands", seconds_each(scorer.score_deal, tables), reference)
    )
    heavy = [_heavy_goulash(rng) for _ in range(50)]
    sys.stdout.write(
        _row("bmja-u3a, four jokers", seconds_each(scorer.score_deal, heavy), reference)
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
