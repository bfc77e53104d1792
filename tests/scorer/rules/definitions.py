"""The special hands told a second time: how to build each, and how to know one by its tiles alone.

Nothing here looks at a ruleset file or shares code with the scorer. A hand is its concealed tiles
and its melds; how it went out is left out, so hands that depend on that are not here.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

HONOURS = [f"{n}z" for n in range(1, 8)]
WINDS, DRAGONS = HONOURS[:4], HONOURS[4:]
GREENS = ["2s", "3s", "4s", "6s", "8s", "6z"]
MAJORS = [f"{n}{suit}" for suit in "mps" for n in (1, 9)] + HONOURS
ALL = [f"{n}{suit}" for suit in "mps" for n in range(1, 10)] + HONOURS

Melds = list[list[str]]


@dataclass(frozen=True)
class Hand:
    """Fourteen tiles' worth: those in hand, and the pungs and kongs laid down exposed."""

    held: list[str]
    melds: Melds

    @property
    def tiles(self) -> list[str]:
        return self.held + [tile for meld in self.melds for tile in meld]


@dataclass(frozen=True)
class Terms:
    """What rulesets define differently.

    ``gates_further`` are the numbers of the further tile of the Gates of Heaven, and
    ``gates_laid`` says whether its pungs may be laid down.
    """

    scholars_in_one_suit: bool = True
    treasure_claimed: bool = False
    gates_further: str = "123456789"
    gates_laid: bool = False


def _sets(hand: Hand) -> tuple[list[str], str] | None:
    """The tiles of the four pungs or kongs and of the pair, or None when it is no such hand."""
    counts = Counter(hand.held)
    pairs = [tile for tile, count in counts.items() if count == 2]
    pungs = [tile for tile, count in counts.items() if count == 3]
    if len(pairs) != 1 or len(pungs) + 1 != len(counts) or len(pungs) + len(hand.melds) != 4:
        return None
    return pungs + [meld[0] for meld in hand.melds], pairs[0]


def _suits(hand: Hand) -> set[str]:
    return {tile[1] for tile in hand.tiles} - {"z"}


def _purity(hand: Hand, _: Terms) -> bool:
    return (
        _sets(hand) is not None
        and len({tile[1] for tile in hand.tiles} & set("mps")) == 1
        and (not set(hand.tiles) & set(HONOURS))
    )


def _buried_treasure(hand: Hand, _: Terms) -> bool:
    sets = _sets(hand)
    honours = set(hand.tiles) & set(HONOURS)
    return sets is not None and not hand.melds and len(_suits(hand)) == 1 and bool(honours)


def _four_kongs(hand: Hand, _: Terms) -> bool:
    return [len(meld) for meld in hand.melds] == [4] * 4 and len(set(hand.held)) == 1


def _only(allowed: list[str]) -> Callable[[Hand, Terms], bool]:
    return lambda hand, _: _sets(hand) is not None and set(hand.tiles) <= set(allowed)


def _scholars(hand: Hand, terms: Terms) -> bool:
    sets = _sets(hand)
    if sets is None or not set(DRAGONS) <= set(sets[0]):
        return False
    (fourth,) = set(sets[0]) - set(DRAGONS)
    alike = fourth[1] == sets[1][1] and fourth[1] in "mps"
    return alike or not terms.scholars_in_one_suit


def _blessings(hand: Hand, _: Terms) -> bool:
    sets = _sets(hand)
    return sets is not None and set(sets[0]) == set(WINDS)


def _major_pairs(hand: Hand, _: Terms) -> bool:
    counts = Counter(hand.held)
    even = all(count % 2 == 0 for count in counts.values())
    return not hand.melds and even and set(counts) <= set(MAJORS)


def _wonders(hand: Hand, _: Terms) -> bool:
    return not hand.melds and set(hand.held) == set(MAJORS)


def _snake(hand: Hand, _: Terms) -> bool:
    return not hand.melds and any(
        sorted(hand.held) == sorted([*WINDS, *(f"{n}{suit}" for n in "1123456789")])
        for suit in "mps"
    )


def _knitting(hand: Hand, _: Terms) -> bool:
    numbers = {suit: sorted(t[0] for t in hand.held if t[1] == suit) for suit in "mps"}
    used = [row for row in numbers.values() if row]
    return not hand.melds and len(used) == 2 and used[0] == used[1] and len(used[0]) == 7


def _triple_knitting(hand: Hand, _: Terms) -> bool:
    rows = {suit: Counter(t[0] for t in hand.held if t[1] == suit) for suit in "mps"}
    if hand.melds or set(hand.tiles) & set(HONOURS):
        return False
    return any(
        rows[one] - Counter(number) == rows[other] - Counter(number) == rows[third]
        and rows[one][number]
        and rows[other][number]
        and rows[third].total() == 4
        for one, other, third in ("mps", "psm", "msp")
        for number in "123456789"
    )


def _gates(hand: Hand, terms: Terms) -> bool:
    if hand.melds and not terms.gates_laid:
        return False
    if any(len(meld) != 3 or meld[0][0] not in "19" or len(set(meld)) > 1 for meld in hand.melds):
        return False
    return any(
        sorted(hand.tiles) == sorted(f"{n}{suit}" for n in "1112345678999" + further)
        for suit in "mps"
        for further in terms.gates_further
    )


KNOWN: dict[str, Callable[[Hand, Terms], bool]] = {
    "all_pair_honours": _major_pairs,
    "thirteen_unique_wonders": _wonders,
    "purity": _purity,
    "wriggling_snake": _snake,
    "knitting": _knitting,
    "triple_knitting": _triple_knitting,
    "buried_treasure": _buried_treasure,
    "fourfold_plenty": _four_kongs,
    "imperial_jade": _only(GREENS),
    "all_winds_and_dragons": _only(HONOURS),
    "heads_and_tails": _only([f"{n}{suit}" for suit in "mps" for n in (1, 9)]),
    "gates_of_heaven": _gates,
    "three_great_scholars": _scholars,
    "four_blessings": _blessings,
}
"""Whether a complete hand, its last tile drawn, is the special hand."""


def _pungs(rng: random.Random, kinds: list[str], *, laid: bool = True, kongs: bool = True) -> Hand:
    """Four sets and a pair of these kinds, some of the sets laid down."""
    *sets, pair = rng.sample(kinds, 5)
    held, melds = [pair] * 2, []
    for tile in sets:
        if laid and rng.random() < 0.4:
            melds.append([tile] * (4 if kongs and rng.random() < 0.4 else 3))
        else:
            held += [tile] * 3
    return Hand(held, melds)


def _suit(rng: random.Random) -> str:
    return rng.choice("mps")


def _of_suit(suit: str) -> list[str]:
    return [f"{n}{suit}" for n in range(1, 10)]


def _build_treasure(rng: random.Random) -> Hand:
    honours, suited = rng.sample(HONOURS, 2), rng.sample(_of_suit(_suit(rng)), 3)
    kinds = [*honours, *suited]
    rng.shuffle(kinds)
    return Hand([tile for tile in kinds for _ in range(3)][:-1], [])


def _build_kongs(rng: random.Random) -> Hand:
    *kongs, pair = rng.sample(ALL, 5)
    return Hand([pair] * 2, [[tile] * 4 for tile in kongs])


def _fixed_sets(rng: random.Random, fixed: list[str], rest: list[str]) -> Hand:
    """Sets of the fixed kinds, filled up to four sets and a pair."""
    others = [tile for tile in rest if tile not in fixed]
    *sets, pair = [*fixed, *rng.sample(others, 5 - len(fixed))]
    held, melds = [pair] * 2, []
    for tile in sets:
        if rng.random() < 0.5:
            melds.append([tile] * rng.choice((3, 4)))
        else:
            held += [tile] * 3
    return Hand(held, melds)


def _build_pairs(rng: random.Random) -> Hand:
    kinds = rng.sample(MAJORS * 2, 7)
    return Hand([tile for tile in kinds for _ in range(2)], [])


def _build_snake(rng: random.Random) -> Hand:
    suit = _suit(rng)
    return Hand([*WINDS, *_of_suit(suit), f"1{suit}"], [])


def _numbers(rng: random.Random, count: int) -> list[str]:
    return rng.sample([n for n in "123456789" for _ in range(3)], count)


def _build_knitting(rng: random.Random) -> Hand:
    suits = rng.sample("mps", 2)
    return Hand([n + suit for n in _numbers(rng, 7) for suit in suits], [])


def _build_triple(rng: random.Random) -> Hand:
    *sets, pair = _numbers(rng, 5)
    held = [n + suit for n in sets for suit in "mps"]
    return Hand(held + [pair + suit for suit in rng.sample("mps", 2)], [])


def _build_gates(rng: random.Random) -> Hand:
    suit = _suit(rng)
    return Hand([n + suit for n in "1112345678999" + rng.choice("2345678")], [])


BUILD: dict[str, Callable[[random.Random], Hand]] = {
    "all_pair_honours": _build_pairs,
    "thirteen_unique_wonders": lambda rng: Hand([*MAJORS, rng.choice(MAJORS)], []),
    "purity": lambda rng: _pungs(rng, _of_suit(_suit(rng))),
    "wriggling_snake": _build_snake,
    "knitting": _build_knitting,
    "triple_knitting": _build_triple,
    "buried_treasure": _build_treasure,
    "fourfold_plenty": _build_kongs,
    "imperial_jade": lambda rng: _pungs(rng, GREENS),
    "all_winds_and_dragons": lambda rng: _pungs(rng, HONOURS),
    "heads_and_tails": lambda rng: _pungs(rng, [t for t in MAJORS if t not in HONOURS]),
    "gates_of_heaven": _build_gates,
    "three_great_scholars": lambda rng: _fixed_sets(rng, DRAGONS, _of_suit(_suit(rng))),
    "four_blessings": lambda rng: _fixed_sets(rng, WINDS, ALL),
}
"""One random hand of each kind, its last tile drawn."""


def changed(rng: random.Random, hand: Hand) -> Hand:
    """The hand with one of its concealed tiles changed for another that is still to be had."""
    held = hand.held.copy()
    counts = Counter(hand.tiles)
    index = rng.randrange(len(held))
    near = [tile for tile in {*held, *rng.sample(ALL, 6)} if tile != held[index]]
    free = sorted(tile for tile in near if counts[tile] < 4)
    held[index] = rng.choice(free)
    return Hand(held, hand.melds)


def hands_known(hand: Hand, terms: Terms) -> set[str]:
    """The special hands that these tiles are."""
    return {name for name, known in KNOWN.items() if known(hand, terms)}
