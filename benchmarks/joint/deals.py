"""Random deals of four shown hands, as the tiles that the classifier would see."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from scorer import Deal, DealError, Meld, Player, Win
from scorer.evaluation.evaluate import hand_scorer
from scorer.rules.rulebook import load_compiled
from scorer.tiles import BONUS_TILES, PLAYING_TILES
from vision.deal.options import CHOW_RUNS
from vision.vocabulary.readings import HandReading

RULESET: Final = "bmja-u3a"
SEATS: Final = ("E", "S", "W", "N")
SIZES: Final = {"E": 14, "S": 13, "W": 13, "N": 13}
"""Number of each seat's tiles without bonus tiles and the fourth tiles of kongs."""


@dataclass(frozen=True, slots=True)
class Laid:
    """One tile of a deal: its true face, its player, and its meld if that is laid apart."""

    face: str
    player: str
    group: str | None


def random_deal(rng: random.Random) -> list[Laid]:
    """East's winning hand of four melds, at most one a chow, and three players' other tiles."""
    while True:
        wall = Counter(dict.fromkeys(PLAYING_TILES, 4))
        melds = [_random_meld(rng, chow=k == 0 and rng.random() < 0.6) for k in range(4)]
        pair = (rng.choice(PLAYING_TILES),) * 2
        wall.subtract(tile for group in (*melds, pair) for tile in group)
        if min(wall.values()) >= 0:
            break
    tiles = [Laid(face, "E", None) for face in pair]
    for number, group in enumerate(melds):
        apart = str(number) if len(group) == 4 or rng.random() < 0.5 else None
        tiles += [Laid(face, "E", apart) for face in group]
    for player in SEATS[1:]:
        tiles += _losing(rng, player, wall)
    for bonus in BONUS_TILES:
        if rng.random() < 0.7:
            tiles.append(Laid(bonus, rng.choice(SEATS), None))
    return tiles


def _random_meld(rng: random.Random, *, chow: bool) -> tuple[str, ...]:
    if chow:
        return rng.choice(CHOW_RUNS)
    return (rng.choice(PLAYING_TILES),) * (4 if rng.random() < 0.15 else 3)


def _losing(rng: random.Random, player: str, wall: Counter[str]) -> list[Laid]:
    """Thirteen tiles taken from the wall: up to two pungs laid apart, the others at random."""
    tiles = []
    for number in range(rng.randrange(3)):
        face = rng.choice([face for face, left in wall.items() if left >= 3])
        wall[face] -= 3
        tiles += [Laid(face, player, str(number))] * 3
    for face in rng.sample(list(wall.elements()), 13 - len(tiles)):
        wall[face] -= 1
        tiles.append(Laid(face, player, None))
    return tiles


def legal_under(ruleset: str) -> Callable[[HandReading], bool]:
    """A test whether East may go out with a hand under these rules by a tile from the wall.

    The rules are loaded here, so that the time of the first decision does not include it.
    """
    load_compiled(ruleset)
    others = tuple(Player(seat, claimed=0) for seat in SEATS[1:])

    def is_legal(hand: HandReading) -> bool:
        if not hand.concealed:
            return False
        melds = tuple(Meld(meld.kind, meld.tiles, meld.concealed) for meld in hand.melds)
        east = Player("E", hand.concealed, melds, hand.bonus)
        deal = Deal(ruleset, (east, *others), Win("E", hand.concealed[0], "wall"))
        try:
            return next(iter(hand_scorer(deal, "E").ways()), None) is not None
        except DealError:
            return False

    return is_legal
