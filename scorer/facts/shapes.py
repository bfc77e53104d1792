"""The shapes of special hands that are not four melds and a pair, recognised in 14 tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import combinations
from typing import Final

from scorer.melds import COPIES, ReadMeld
from scorer.tiles import (
    ORDER,
    PLAYING_TILES,
    SUITS,
    WINDS,
    is_honour,
    is_major,
    is_minor,
    sort_tiles,
)

Melds = tuple[ReadMeld, ...]
Shape = Callable[[Counter[str], tuple[int, ...]], Melds | None]
"""Natural tiles (any missing to 14 are wild) and the shape's numbers to the melds, or None."""

_MAJORS: Final = tuple(code for code in PLAYING_TILES if is_major(code))
_NUMBERS: Final = tuple(range(1, 10))


def _concealed(kind: str, tiles: Iterable[str]) -> ReadMeld:
    return ReadMeld(kind, tuple(sort_tiles(tiles)))


def _grouped(tiles: Counter[str]) -> Melds:
    """Pungs and pairs as melds of their own, single tiles together."""
    melds: list[ReadMeld] = []
    singles: list[str] = []
    for code in sorted(tiles, key=ORDER.__getitem__):
        count = tiles[code]
        if count >= 3:
            melds.append(_concealed("pung", (code,) * 3))
        elif count == 2:
            melds.append(_concealed("pair", (code,) * 2))
        singles.extend((code,) * (count % 3 if count != 2 else 0))
    return (*melds, _concealed("singles", singles))


def _first_fit(naturals: Counter[str], targets: tuple[Counter[str], ...]) -> Melds | None:
    for target in targets:
        if all(count <= target[code] for code, count in naturals.items()):
            return _grouped(target)
    return None


_THIRTEEN_AND_ONE: Final = tuple(Counter((*_MAJORS, again)) for again in _MAJORS)


def one_of_each_major(naturals: Counter[str], _: tuple[int, ...]) -> Melds | None:
    """One of each of the 13 majors and one of them again."""
    return _first_fit(naturals, _THIRTEEN_AND_ONE)


@lru_cache(maxsize=16)
def _snakes(numbers: tuple[int, ...]) -> tuple[Counter[str], ...]:
    return tuple(
        Counter((*WINDS, *(f"{n}{suit}" for n in (*_NUMBERS, paired))))
        for suit in SUITS
        for paired in numbers
    )


def winds_and_run(naturals: Counter[str], numbers: tuple[int, ...]) -> Melds | None:
    """One of each wind and a run from 1 to 9 in one suit, one of ``numbers`` paired."""
    return _first_fit(naturals, _snakes(numbers))


@lru_cache(maxsize=16)
def _gates(numbers: tuple[int, ...]) -> tuple[Counter[str], ...]:
    return tuple(
        Counter(f"{n}{suit}" for n in (1, 1, *_NUMBERS, 9, 9, further))
        for suit in SUITS
        for further in numbers
    )


def gates(naturals: Counter[str], numbers: tuple[int, ...]) -> Melds | None:
    """Three 1s, three 9s, a run from 2 to 8 and one of ``numbers``, all in one suit.

    A wild tile may stand anywhere, but the pungs of 1s and of 9s hold one of them at most.
    """
    for suit in SUITS:
        if naturals[f"1{suit}"] >= 2 and naturals[f"9{suit}"] >= 2:
            return _first_fit(naturals, _gates(numbers))
    return None


def seven_major_pairs(naturals: Counter[str], _: tuple[int, ...]) -> Melds | None:
    """Seven pairs of majors, the same pair allowed twice."""
    return seven_pairs(naturals, _) if all(map(is_major, naturals)) else None


def knitted_pairs(naturals: Counter[str], _: tuple[int, ...]) -> Melds | None:
    """Seven times one number in the same two suits."""
    for first, second in combinations(SUITS, 2):
        if not all(code[1] in (first, second) for code in naturals):
            continue
        numbers = [
            n for n in _NUMBERS for _ in range(max(naturals[f"{n}{s}"] for s in (first, second)))
        ]
        if len(numbers) <= 7:
            numbers += [1] * (7 - len(numbers))
            return tuple(
                _concealed("knitted_pair", (f"{n}{first}", f"{n}{second}")) for n in sorted(numbers)
            )
    return None


def _numbers_of(tiles: Counter[str]) -> list[int]:
    """Each number as often as its melds in all three suits must be begun to hold the tiles."""
    return [n for n in _NUMBERS for _ in range(max(tiles[f"{n}{suit}"] for suit in SUITS))]


def knitted_sets(naturals: Counter[str], _: tuple[int, ...]) -> Melds | None:
    """Four times one number in all three suits, and one number in two suits."""
    if not all(code[1] in SUITS for code in naturals) or len(_numbers_of(naturals)) > 5:
        return None
    # Five melds hold 15 tiles: with 14 at most, one of them lacks a tile and serves as the pair.
    pair, numbers = next(
        (pair, rest)
        for number in _NUMBERS
        for pair in combinations([f"{number}{suit}" for suit in SUITS], 2)
        if len(rest := _numbers_of(naturals - Counter(pair))) <= 4
    )
    numbers += [1] * (4 - len(numbers))
    melds = (_concealed("knitted_set", (f"{n}{suit}" for suit in SUITS)) for n in sorted(numbers))
    return (*melds, _concealed("knitted_pair", pair))


def seven_pairs(naturals: Counter[str], _: tuple[int, ...]) -> Melds | None:
    """Seven pairs of any tiles, the same pair allowed twice."""
    pairs = [code for code, count in naturals.items() for _ in range((count + 1) // 2)]
    if len(pairs) > 7:
        return None
    pairs += ["5z"] * (7 - len(pairs))
    return tuple(_concealed("pair", (code,) * 2) for code in sort_tiles(pairs))


def two_suit_pairs(naturals: Counter[str], _: tuple[int, ...]) -> Melds | None:
    """Seven pairs of equal tiles, all of the same two suits."""
    suits = {code[1] for code in naturals}
    return seven_pairs(naturals, _) if len(suits) == 2 and suits < set(SUITS) else None


SHAPES: Final[dict[str, Shape]] = {
    "one_of_each_major": one_of_each_major,
    "winds_and_run": winds_and_run,
    "gates": gates,
    "seven_major_pairs": seven_major_pairs,
    "seven_pairs": seven_pairs,
    "two_suit_pairs": two_suit_pairs,
    "knitted_pairs": knitted_pairs,
    "knitted_sets": knitted_sets,
}
"""Shapes by the name that ruleset files use."""

NUMBERED_SHAPES: Final = ("winds_and_run", "gates")
"""The shapes that need ``numbers``."""


def _bits(codes: Iterable[str]) -> int:
    return sum(7 * COPIES[code] for code in codes)


_SUIT_BITS: Final = tuple(_bits(f"{n}{suit}" for n in _NUMBERS) for suit in SUITS)
_HONOUR_BITS: Final = _bits(code for code in PLAYING_TILES if is_honour(code))
_MINOR_BITS: Final = _bits(code for code in PLAYING_TILES if is_minor(code))
_ODD_BITS: Final = sum(COPIES.values())


def _suits_in(tiles: int) -> int:
    characters, circles, bamboo = _SUIT_BITS
    return (tiles & characters != 0) + (tiles & circles != 0) + (tiles & bamboo != 0)


@lru_cache(maxsize=32)
def _by_kinds(minors: bool, honours: bool, suits: int) -> frozenset[str]:  # noqa: FBT001 - what a hand holds, as a key
    """The shapes of hands with such tiles; no look deeper than which kinds there are."""
    held = {
        "one_of_each_major": not minors,
        "winds_and_run": suits == 1,
        "gates": not honours and suits == 1,
        "seven_major_pairs": not minors,
        "seven_pairs": True,
        "two_suit_pairs": not honours,
        "knitted_pairs": not honours and suits <= 2,
        "knitted_sets": not honours and suits >= 2,
    }
    return frozenset(shape for shape, may_be in held.items() if may_be)


_TARGETS: Final[dict[str, Callable[[tuple[int, ...]], tuple[Counter[str], ...]]]] = {
    "one_of_each_major": lambda _: _THIRTEEN_AND_ONE,
    "winds_and_run": _snakes,
    "gates": _gates,
}
"""All hands of those shapes that are given by their tiles."""


def can_hold(shape: str, tile: str, numbers: tuple[int, ...]) -> bool:
    """Whether some hand of a shape holds a playing tile."""
    if shape in _TARGETS:
        return any(tile in target for target in _TARGETS[shape](numbers))
    return shape in _by_kinds(is_minor(tile), is_honour(tile), 2)


def changes_to(
    shape: str, tiles: int, numbers: tuple[int, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The tiles that 14 lack for the nearest hand of a shape, and those that they have instead.

    None where the shape is not given by its tiles. ``tiles`` are packed as
    :data:`scorer.melds.COPIES` says.
    """
    if shape not in _TARGETS:
        return None
    held = Counter({code: tiles // unit & 7 for code, unit in COPIES.items()})
    nearest = min(_TARGETS[shape](numbers), key=lambda target: (target - held).total())
    lacking, instead = nearest - held, held - nearest
    return tuple(sort_tiles(lacking.elements())), tuple(sort_tiles(instead.elements()))


_ALL_PAIRS: Final = frozenset(("seven_pairs", "seven_major_pairs", "two_suit_pairs"))
_KNITTED: Final[dict[str, tuple[tuple[list[int], ...], ...]]] = {
    "knitted_pairs": (([0, 7, 7],), ([0, 6, 7],)),
    "knitted_sets": (([4, 5, 5],), ([3, 5, 5], [4, 4, 5])),
}
"""How many tiles knitted hands have of each suit: complete, and with one tile lacking."""


def shapes_like(tiles: int, *, lacking: int = 0, jokers: bool = False) -> frozenset[str]:
    """The shapes that tiles may have, at a quick look that none of them fails.

    Args:
        tiles: fourteen tiles, packed as :data:`scorer.melds.COPIES` says.
        lacking: 1 where there are thirteen, and the shapes are those of which they lack one.
        jokers: whether up to four wild tiles come to them, so that they are fewer.
    """
    minors, honours = tiles & _MINOR_BITS != 0, tiles & _HONOUR_BITS != 0
    found = _by_kinds(minors, honours, _suits_in(tiles))
    if jokers:
        return found
    if (tiles & _ODD_BITS).bit_count() != lacking:
        found -= _ALL_PAIRS
    if not found.isdisjoint(_KNITTED):
        sizes = _sizes(tiles)
        found -= {shape for shape, wanted in _KNITTED.items() if sizes not in wanted[lacking]}
    return found


def _sizes(tiles: int) -> list[int]:
    """How many tiles there are of each suit, fewest first."""
    return sorted(_size(tiles & bits) for bits in _SUIT_BITS)


def _size(tiles: int) -> int:
    ones, twos, fours = tiles & _ODD_BITS, tiles & 2 * _ODD_BITS, tiles & 4 * _ODD_BITS
    return ones.bit_count() + 2 * twos.bit_count() + 4 * fours.bit_count()


def fit(shape: str, tiles: int, jokers: int, numbers: tuple[int, ...]) -> Melds | None:
    """The melds formed by the 14 tiles, or None if they do not have the shape.

    Args:
        shape: a name of :data:`SHAPES`.
        tiles: the natural tiles, packed as :data:`scorer.melds.COPIES` says.
        jokers: how many wild tiles there are besides.
        numbers: the shape's numbers, where it needs some.
    """
    if shape not in shapes_like(tiles, jokers=jokers > 0):
        return None
    naturals = Counter({code: tiles // unit & 7 for code, unit in COPIES.items()})
    return SHAPES[shape](+naturals, numbers)
