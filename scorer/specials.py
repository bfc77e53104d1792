"""Which special hands a complete hand is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from scorer.arrange import Hand, naturals_and_wilds
from scorer.conditions import Facts, TileSet, holds
from scorer.deal import Win
from scorer.patterns import SHAPES
from scorer.ruleset import Ruleset, SpecialHand

FactsOf = Callable[[tuple[TileSet, ...], Win | None], Facts]
"""From a reading, and the win if the hand went out, to what the conditions look at."""

SpecialWin = tuple[SpecialHand, tuple[TileSet, ...]]


def special_wins(
    ruleset: Ruleset,
    hand: Hand,
    win: Win,
    readings: Sequence[tuple[TileSet, ...]],
    facts_of: FactsOf,
) -> list[SpecialWin]:
    """Every special hand that a complete hand is, with each reading of it, in the table's order.

    Args:
        ruleset: the table of special hands.
        hand: the complete hand, winning tile included.
        win: how it went out.
        readings: the hand's readings as four sets and a pair.
        facts_of: gives what the conditions look at.
    """
    splits = [] if hand.melds else [naturals for naturals, _ in naturals_and_wilds(hand, win)]
    shaped = {
        special.id: sets
        for special in ruleset.special_hand
        if special.enabled
        and _exposure_allowed(special, hand, win)
        and (sets := _shaped(special, splits)) is not None
    }
    complete = [*readings, *shaped.values()]
    found: list[SpecialWin] = []
    for special in ruleset.special_hand:
        if not special.enabled or special.winning_tile not in (None, win.tile):
            continue
        if special.id in shaped:
            found.append((special, shaped[special.id]))
        elif special.shape not in SHAPES and _exposure_allowed(special, hand, win):
            candidates = readings if special.shape == "sets" else complete
            found += [
                (special, sets)
                for sets in candidates
                if holds(special.when, special.unless, facts_of(sets, win))
            ]
    return found


def _exposure_allowed(special: SpecialHand, hand: Hand, win: Win) -> bool:
    if special.exposed == "any":
        return True
    return not hand.melds and (special.exposed == "last_claimed" or not win.claimed_tile)


def _shaped(special: SpecialHand, splits: Sequence[Counter[str]]) -> tuple[TileSet, ...] | None:
    """The sets of a hand that is no four sets and a pair, or None when it has another shape."""
    shape = SHAPES.get(special.shape)
    if shape is not None:
        for naturals in splits:
            sets = shape(naturals, special.numbers)
            if sets is not None:
                return sets
    return None
