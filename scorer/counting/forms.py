"""Every way in which a complete hand may lie, the winning tile's place told, for rules of fan."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import permutations
from typing import Final, NamedTuple

from scorer.counting.arrange import arrangements, completing_kinds
from scorer.counting.hand import Hand
from scorer.deal import Win
from scorer.facts.asked import Form, WaitKind
from scorer.facts.classes import MASKS
from scorer.facts.shapes import Melds, fit
from scorer.facts.waits import wait_of
from scorer.melds import COPIES, EXPOSE, FIRST_PAIR, MELDS, Reading, ReadMeld, is_pair
from scorer.tiles import HONOURS, PLAYING_TILES, SUITS, is_suit, sort_tiles

_RUNS: Final = ((1, 4, 7), (2, 5, 8), (3, 6, 9))

_KNITTED: Final = tuple(
    tuple(f"{number}{suit}" for run, suit in zip(_RUNS, suits, strict=True) for number in run)
    for suits in permutations(SUITS)
)
"""The nine tiles of three knitted runs, in each way to share them among the suits."""

_KNITTED_COUNTS: Final = tuple(sum(COPIES[tile] for tile in tiles) for tiles in _KNITTED)
_ODD: Final = sum(COPIES.values())
_UNRELATED: Final = 3
"""Tiles of knitted runs that single tiles may lack, from which one more makes unrelated ones."""


class Lie(NamedTuple):
    """One way in which a complete hand lies.

    Attributes:
        form: its form.
        reading: the numbers of its melds, the pair among them.
        wait: where the winning tile lies; None where that is not known.
        shape: the sets that have no number.
    """

    form: Form
    reading: Reading
    wait: WaitKind | None
    shape: Melds = ()

    @property
    def melds(self) -> Melds:
        """All that it is read as."""
        return (*self.shape, *(MELDS[number] for number in self.reading))


def lies(hand: Hand, win: Win, forms: frozenset[Form], robbed: tuple[str, ...]) -> Iterator[Lie]:
    """The ways in which a complete hand may lie, of those that the rules know.

    Args:
        hand: the complete hand, without wild tiles.
        win: how it went out.
        forms: the forms that are played.
        robbed: the kinds of meld that a robbed tile may complete.
    """
    sets = 4 - len(hand.melds)
    for groups in arrangements(hand.naturals, sets, sets):
        yield from _placed("sets", hand.melds, groups, win, robbed, ())
    if "knitted_straight" in forms and sets >= 3:
        yield from _knitted_straight(hand, win, robbed)
    if hand.melds:
        return
    if "pairs" in forms and not hand.naturals & _ODD:
        pairs = fit("seven_pairs", hand.naturals, 0, ()) or ()
        numbers = tuple(FIRST_PAIR + PLAYING_TILES.index(pair.tile) for pair in pairs)
        alike: Form = "pairs_alike" if len(set(numbers)) < len(numbers) else "pairs"
        if alike in forms:
            yield Lie(alike, numbers, "pair")
    if "orphans" in forms:
        orphans = fit("one_of_each_major", hand.naturals, 0, ())
        if orphans is not None:
            yield Lie("orphans", (), None, orphans)
    if "unrelated" in forms and unrelated(hand.naturals):
        tiles = [tile for tile, unit in COPIES.items() if hand.naturals // unit & 7]
        straight = sum(is_suit(tile) for tile in tiles) == len(_KNITTED[0])
        form: Form = "unrelated_straight" if straight else "unrelated"
        yield Lie(form, (), None, (ReadMeld("singles", tuple(tiles)),))


def places_of(hand: Hand, forms: frozenset[Form]) -> Iterator[str]:
    """The kinds of tile that complete a hand one tile short, in any of the forms."""
    completing = completing_kinds(hand, 4)
    draw, tried = Win("E", None, "wall"), _may_form(hand)
    for tile in PLAYING_TILES if tried else completing:
        complete = hand.with_tile(tile) if tried & COPIES[tile] else None
        if tile in completing or (complete and next(lies(complete, draw, forms, ()), None)):
            yield tile


def _may_form(hand: Hand) -> int:
    """The tiles that may make pairs, orphans, knitted runs or unrelated tiles, one of each."""
    tiles = hand.naturals
    some = (tiles | tiles >> 1 | tiles >> 2) & _ODD
    lacking = min((count & ~some).bit_count() for count in _KNITTED_COUNTS)
    if lacking <= 1 or (tiles == some and not hand.melds and lacking <= _UNRELATED):
        return _ODD
    odd = tiles & _ODD
    pairs = odd if not hand.melds and odd.bit_count() == 1 else 0
    majors = MASKS["major"] & _ODD
    missing = majors & ~some
    return pairs | (missing or majors if missing.bit_count() <= 1 else 0)


def _placed(
    form: Form, laid: Reading, groups: Reading, win: Win, robbed: tuple[str, ...], shape: Melds
) -> Iterator[Lie]:
    """The ways to say in which set the winning tile lies."""
    tile = win.tile
    if tile is None:
        yield Lie(form, laid + groups, None, shape)
        return
    for index, number in enumerate(groups):
        if tile not in MELDS[number].tiles or number in groups[:index]:
            continue
        if win.source == "robbed_kong" and MELDS[number].kind not in robbed:
            continue
        wait = wait_of(number, tile)
        if win.claimed_tile and not is_pair(number):
            read = (*groups[:index], number + EXPOSE, *groups[index + 1 :])
            yield Lie(form, laid + read, wait, shape)
        else:
            yield Lie(form, laid + groups, wait, shape)


def _knitted_straight(hand: Hand, win: Win, robbed: tuple[str, ...]) -> Iterator[Lie]:
    sets = 1 - len(hand.melds)
    for tiles, count in zip(_KNITTED, _KNITTED_COUNTS, strict=True):
        if not _holds(hand.naturals, count):
            continue
        shape = (ReadMeld("knitted_set", tuple(sort_tiles(tiles))),)
        for groups in arrangements(hand.naturals - count, sets, sets):
            yield from _placed("knitted_straight", hand.melds, groups, win, robbed, shape)
            if win.tile in tiles:
                yield Lie("knitted_straight", hand.melds + groups, None, shape)


def _holds(tiles: int, wanted: int) -> bool:
    """Whether a packed count holds each tile of another, which has one of each at most."""
    some = tiles | tiles >> 1 | tiles >> 2
    return some & wanted == wanted


@lru_cache(maxsize=4096)
def unrelated(tiles: int) -> bool:
    """Whether 14 tiles are single honours and tiles of three knitted runs."""
    held = [tile for tile, unit in COPIES.items() for _ in range(tiles // unit & 7)]
    return len(set(held)) == 14 and any({*knitted, *HONOURS} >= set(held) for knitted in _KNITTED)
