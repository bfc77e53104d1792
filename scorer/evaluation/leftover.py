"""What a winner's tiles lack to be a hand: the tiles that fit into no set and no pair."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from scorer.counting.count import HandScorer
from scorer.counting.hand import Hand
from scorer.deal import Deal
from scorer.evaluation.faults import Fault
from scorer.facts.shapes import SHAPES, fit
from scorer.melds import CHOW_STARTS, COPIES, count_tiles, is_chow, melds_of
from scorer.messages import Message, say
from scorer.rules.rule import Chows
from scorer.tiles import PLAYING_TILES


class Left(NamedTuple):
    """The fewest tiles that are left over when the others are laid out; best ones are least."""

    tiles: int
    chows: int
    codes: tuple[str, ...]
    sets: int


_MOST_TOLD: Final = 5
"""The most tiles left over, of 14, that are named: with more of them nothing like a hand is
there."""


def what_is_lacking(scorer: HandScorer) -> list[Message]:
    """The tiles that keep the hand from being one, where only few do.

    Where more chows than may be would leave fewer tiles over, those chows are told too.
    """
    laid = sum(map(is_chow, scorer.hand.melds))
    left = _left_over(scorer.hand, scorer.chows - laid)
    free = _left_over(scorer.hand, 4)
    told = [say(Fault.NO_WINNING_HAND, lack=_lack(scorer, min(left, free)))]
    if free.tiles < left.tiles:
        told.append(too_many_chows(scorer.deal, scorer.ruleset.chows, free.chows + laid))
    return told


def _lack(scorer: HandScorer, left: Left) -> Message:
    if left.tiles == 2 and left.sets == 4:
        return say("lacks_pair", tiles=left.codes)
    odd = _odd_one_out(scorer)
    if odd is not None:
        hand, tile = odd
        return say("lacks_one_tile", hand=hand, tile=tile)
    if left.tiles <= _MOST_TOLD:
        return say("lacks_sets", tiles=left.codes)
    return say("lacks_shape")


def too_many_chows(deal: Deal, chows: Chows, held: int) -> Message:
    """That a hand holds more chows than may be, and which rule says how many may be."""
    allowed = chows.allowed(len(deal.players), goulash=deal.goulash)
    if allowed:
        return say(Fault.SECOND_CHOW, laid=held, chows=allowed, cite=chows.cite)
    when = chows_barred(deal, chows)
    return say(Fault.NO_CHOW_ALLOWED, laid=held, when=when, cite=chows.cite)


def chows_barred(deal: Deal, chows: Chows) -> Message:
    """When no chow is allowed, of a deal in which none is."""
    when = "under_these_rules"
    if chows.per_hand:
        when = "in_a_goulash" if deal.goulash and not chows.goulash else "with_three_players"
    return say(when)


def _odd_one_out(scorer: HandScorer) -> tuple[str, str] | None:
    """A special hand of which one tile alone is not, and that tile."""
    hand = scorer.hand
    laid = sum(count_tiles(group.tiles) for group in melds_of(hand.melds))
    for counted in scorer.compiled.hands if not hand.wilds else ():
        special = counted.hand
        if special.shape not in SHAPES or (laid and special.exposed != "any"):
            continue
        for tile, unit in COPIES.items():
            held = hand.naturals // unit & 7
            if held and fit(special.shape, hand.naturals + laid - unit, 1, special.numbers):
                return special.name, tile
    return None


def _left_over(hand: Hand, chows: int) -> Left:
    """The fewest tiles left over by four sets, so many of them chows, and a pair."""
    counts = tuple(hand.naturals // COPIES[code] & 7 for code in PLAYING_TILES)
    laid = len(hand.melds)
    jokers = hand.wilds
    with_joker = hand.goulash.wild_per_set if hand.goulash else 0

    @cache
    def best(held: tuple[int, ...], sets: int, pairs: int, chows: int, jokers: int) -> Left:
        kind = next((kind for kind, count in enumerate(held) if count), None)
        if kind is None:
            return Left(jokers, 0, (hand.wild or "",) * jokers, laid)
        ways = [_with(PLAYING_TILES[kind], best(_less(held, (kind,)), sets, pairs, chows, jokers))]
        for wild in range(min(jokers, with_joker) + 1):
            if sets and held[kind] >= 3 - wild:
                taken = (kind,) * (3 - wild)
                ways.append(_set(best(_less(held, taken), sets - 1, pairs, chows, jokers - wild)))
        for wild in range(min(jokers, 1) + 1):
            if pairs and held[kind] >= 2 - wild:
                taken = (kind,) * (2 - wild)
                ways.append(best(_less(held, taken), sets, 0, chows, jokers - wild))
        row = (kind, kind + 1, kind + 2)
        if sets and chows and kind in CHOW_STARTS and all(held[each] for each in row):
            rest = _set(best(_less(held, row), sets - 1, pairs, chows - 1, jokers))
            ways.append(rest._replace(chows=rest.chows + 1))
        return min(ways)

    return best(counts, 4 - laid, 1, max(0, chows), jokers)


def _with(code: str, left: Left) -> Left:
    return left._replace(tiles=left.tiles + 1, codes=(code, *left.codes))


def _set(left: Left) -> Left:
    return left._replace(sets=left.sets + 1)


def _less(held: tuple[int, ...], taken: tuple[int, ...]) -> tuple[int, ...]:
    counts = list(held)
    for kind in taken:
        counts[kind] -= 1
    return tuple(counts)
