"""Which special hands a complete hand is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from scorer.counting.hand import Hand
from scorer.deal import Win
from scorer.facts.shapes import Melds, fit, shapes_like
from scorer.melds import (
    ANY_SUIT,
    COPIES,
    EXPOSED,
    SUIT_TRAITS,
    Reading,
    ReadMeld,
    count_tiles,
    melds_of,
    traits_of_all,
    traits_of_reading,
)
from scorer.rules.compiled import Compiled, CountedHand
from scorer.rules.conditions import Situation
from scorer.rules.ruleset import Ruleset

_CLEAN: Final = frozenset((0, *SUIT_TRAITS.values()))

SpecialWin = tuple[CountedHand, Reading, Melds]
"""A special hand, its reading as numbered melds (empty where it has its own shape), its melds."""


def special_wins(
    compiled: Compiled,
    hand: Hand,
    win: Win,
    readings: Sequence[Reading],
    situation: Situation,
) -> list[SpecialWin]:
    """Every special hand that a complete hand is, with each reading of it, in the table's order.

    Args:
        compiled: the ruleset.
        hand: the complete hand, winning tile included.
        win: how it went out.
        readings: the hand's readings as four melds and a pair.
        situation: what all its readings share.
    """
    possible = compiled.possible_hands(
        situation, exposed=bool(traits_of_reading(hand.melds) & EXPOSED)
    )
    like = shapes_like(hand.tiles(), jokers=hand.wilds > 0)
    shaped = [
        (counted, (), melds)
        for counted in (possible.shaped if like else ())
        if counted.hand.shape in like and (melds := _shaped(counted, hand, win)) is not None
    ]
    if not readings and not shaped:
        return []
    found: list[SpecialWin] = list(shaped)
    traits = [traits_of_reading(reading) for reading in readings]
    if win.claimed_tile and compiled.ruleset.claimed_pair_exposes:
        traits = [
            held | (EXPOSED if pair_exposed(compiled.ruleset, hand, win, reading) else 0)
            for held, reading in zip(traits, readings, strict=True)
        ]
    for reading, held in zip(readings, traits, strict=True):
        lawful = may_go_out(compiled.ruleset, held)
        found += [
            (counted, reading, melds_of(reading))
            for counted in possible.with_traits(held)
            if _ends_right(counted, win) and (lawful or counted.hand.shape != "complete")
        ]
    for shape in dict.fromkeys(melds for _, _, melds in shaped):
        found += [
            (counted, (), shape)
            for counted in possible.with_traits(traits_of_all(shape))
            if _ends_right(counted, win) and counted.hand.shape == "complete"
        ]
    found.sort(key=_order)
    return found


def _ends_right(counted: CountedHand, win: Win) -> bool:
    """Whether the winning tile is the one that the special hand asks for, if it asks for one."""
    return counted.hand.winning_tile in (None, win.tile)


def may_be_shaped(compiled: Compiled, hand: Hand) -> bool:
    """Whether one more tile could make a special hand with a shape of its own of the hand.

    Never false where one does; a hand that lacks no more than a tile fits with one joker.
    """
    if hand.goulash:
        return True
    tiles = hand.tiles()
    like = shapes_like(tiles, lacking=1)
    return bool(like) and any(
        counted.hand.shape in like and fit(counted.hand.shape, tiles, 1, counted.hand.numbers)
        for counted in compiled.hands
        if not hand.melds or counted.hand.exposed == "any"
    )


def may_go_out(ruleset: Ruleset, traits: int) -> bool:
    """Whether a hand of melds with these traits may go out, be it no special hand."""
    return not ruleset.clean_only or traits & ANY_SUIT in _CLEAN


def pair_exposed(ruleset: Ruleset, hand: Hand, win: Win, reading: Reading) -> bool:
    """Whether a claimed tile completed the reading's pair and so breaks a concealed hand."""
    if not ruleset.claimed_pair_exposes or not win.claimed_tile:
        return False
    return not traits_of_reading(reading[len(hand.melds) :]) & EXPOSED


def _order(win: SpecialWin) -> int:
    return win[0].order


def _shaped(counted: CountedHand, hand: Hand, win: Win) -> Melds | None:
    """The melds of a hand that has the special hand's own shape; None when it has another."""
    special = counted.hand
    laid = melds_of(hand.melds)
    if any(group.kind == "kong" for group in laid):
        return None
    melded = sum(count_tiles(group.tiles) for group in laid)
    most = hand.goulash.wild_special if hand.goulash else 0
    for naturals, jokers in hand.splits(win):
        if jokers > most:
            continue
        melds = fit(special.shape, naturals + melded, jokers, special.numbers)
        if melds is not None and _hold(melds, laid):
            return _marked(melds, naturals + melded) if jokers else melds
    return None


def _marked(melds: Melds, naturals: int) -> Melds:
    """The melds with jokers in the places that natural tiles do not fill."""
    left = {code: naturals // unit & 7 for code, unit in COPIES.items()}
    marked: list[ReadMeld] = []
    for group in melds:
        places: list[int] = []
        for place, tile in enumerate(group.tiles):
            left[tile] -= 1
            if left[tile] < 0:
                places.append(place)
        marked.append(replace(group, jokers=tuple(places)))
    return tuple(marked)


def _hold(melds: Melds, laid: Melds) -> bool:
    """Whether the melds laid down can be part of the hand as it is read."""
    pungs = {group.tiles for group in melds if group.kind == "pung"}
    rest = Counter(tile for group in melds if group.kind != "pung" for tile in group.tiles)
    for group in laid:
        if group.kind == "pung" and group.tiles not in pungs:
            return False
        if group.kind == "chow":
            if Counter(group.tiles) - rest:
                return False
            rest -= Counter(group.tiles)
    return True
