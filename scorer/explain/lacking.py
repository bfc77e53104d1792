"""What a hand lacks for a rule or a special hand, with the tiles that are in its way."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from scorer.counting.arrange import winning_readings
from scorer.counting.count import HandScorer
from scorer.counting.hand import Hand
from scorer.deal import Win
from scorer.evaluation.leftover import chows_barred
from scorer.explain.effort import go_on
from scorer.facts.shapes import SHAPES, Melds, changes_to, fit
from scorer.melds import (
    EXPOSED,
    Reading,
    count_tiles,
    melds_of,
    tile_traits,
    traits_of_reading,
)
from scorer.messages import Message, plain_words, say
from scorer.rules.conditions import CONDITIONS, Test, condition_words
from scorer.rules.rule import Kind, Rule, SpecialHand

_OPPOSITES: Final = {"no_honours": "some_honours"}
"""Conditions whose opposite is a condition too."""

_OF_EACH_TILE: Final = ("all_green", "all_majors", "all_honours", "all_terminals", "no_honours")
"""Conditions that a hand meets where each of its tiles does."""

_FOUR_MELDS: Final = say("needs_four_melds")
_MOST_NAMED: Final = 6
"""Maximum number of kinds of tile that are named as being in the way."""

_MOST_CHANGED: Final = 3
"""Maximum number of tiles that are named as lacking for a shape."""


def missing_of(special: SpecialHand, scorer: HandScorer, win: Win) -> list[Message]:
    """What a complete hand lacks to be the special hand; nothing when it is.

    Raises:
        OutOfTime: the time of the answer that asks for it is used up.
    """
    go_on()
    missing = list(failing_situations(special, scorer))
    if special.winning_tile not in (None, win.tile):
        missing.append(say("needs_winning_tile", tile=special.winning_tile or ""))
    laid_exposed = traits_of_reading(scorer.hand.melds) & EXPOSED
    if special.exposed != "any" and laid_exposed and "all_concealed" not in special.when:
        missing.append(say("needs_no_exposed_meld"))
    if special.exposed == "none" and win.claimed_tile:
        missing.append(say("needs_drawn_tile"))
    if special.shape in SHAPES:
        if not _has_shape(special, scorer, win):
            missing.append(_shape_words(special, scorer, win))
        return missing
    if special.shape == "complete":
        return missing
    readings = _four_sets(scorer, win)
    if not readings:
        return [*missing, _FOUR_MELDS]
    return missing + min((_failed(special, reading) for reading in readings), key=len)


def _four_sets(scorer: HandScorer, win: Win) -> tuple[Reading, ...]:
    ruleset = scorer.ruleset
    robbed = ruleset.robbed_special or ruleset.robbed_completes
    return _readings(scorer.hand, scorer.chows, win, robbed)


@lru_cache(maxsize=64)
def _readings(hand: Hand, chows: int, win: Win, robbed: tuple[Kind, ...]) -> tuple[Reading, ...]:
    """The readings of a complete hand, about which every special hand asks in turn."""
    return tuple(winning_readings(hand, chows, win, robbed=robbed))


def _failed(special: SpecialHand, reading: Reading) -> list[Message]:
    return list(failing_tests(special, traits_of_reading(reading), 1, melds_of(reading)))


def _has_shape(special: SpecialHand, scorer: HandScorer, win: Win) -> bool:
    hand = scorer.hand
    laid = melds_of(hand.melds)
    if any(group.kind == "kong" for group in laid):
        return False
    melded = sum(count_tiles(group.tiles) for group in laid)
    return any(
        fit(special.shape, naturals + melded, jokers, special.numbers) is not None
        for naturals, jokers in hand.splits(win)
    )


def _shape_words(special: SpecialHand, scorer: HandScorer, win: Win) -> Message:
    """The shape that a hand has not, with the tiles that it lacks where these are few."""
    words = plain_words(special.description.rstrip("."))
    laid = melds_of(scorer.hand.melds)
    if any(group.kind == "kong" for group in laid):
        return say("shape_without_kong", shape=words)
    naturals, jokers = next(scorer.hand.splits(win))
    tiles = naturals + sum(count_tiles(group.tiles) for group in laid)
    found = None if jokers else changes_to(special.shape, tiles, special.numbers)
    if found is None or len(found[0]) > _MOST_CHANGED:
        return words
    return say("shape_lacks", shape=words, lacking=found[0], instead=found[1])


def distance(missing: list[Message]) -> tuple[bool, int]:
    """How far a hand is from what it lacks: fewest conditions last, four sets and a pair first."""
    return _FOUR_MELDS in missing, len(missing)


def failing_situations(item: Rule | SpecialHand, scorer: HandScorer) -> Iterator[Message]:
    """What the seat, the bonus tiles and the win lack for a rule or special hand."""
    for name in item.when:
        test = CONDITIONS[name].situation
        if test is not None and not test(scorer.situation):
            yield _situation_words(name, scorer)
    for name in item.unless:
        test = CONDITIONS[name].situation
        if test is not None and test(scorer.situation):
            yield _opposite(name)


def _situation_words(name: str, scorer: HandScorer) -> Message:
    """A condition that the situation does not meet, with the reason where it has one."""
    words, win = condition_words(name), scorer.win
    if name == "chows_allowed":
        chows = scorer.ruleset.chows
        return say("chows_needed", condition=words, when=chows_barred(scorer.deal, chows))
    if name == "only_place" and win is not None and win.tile is not None and win.source != "dealt":
        before = scorer.hand.without_tile(win.tile)
        others = tuple(tile for tile in scorer.places(before) if tile != win.tile)
        if 0 < len(others) <= _MOST_NAMED:
            return say("other_places", condition=words, tiles=others)
    return words


def failing_tests(
    item: Rule | SpecialHand, traits: int, points: int, melds: Melds
) -> Iterator[Message]:
    """What a reading of the hand lacks for a rule or special hand.

    Args:
        item: the rule or special hand.
        traits: what conditions see of the reading.
        points: the points of its melds.
        melds: its melds.
    """
    for name in item.when:
        test = CONDITIONS[name].reading
        if test is not None and not test(traits, points):
            yield _reading_words(name, test, melds)
    for name in item.unless:
        test = CONDITIONS[name].reading
        if test is not None and test(traits, points):
            yield _opposite(name)


def _reading_words(name: str, test: Test, melds: Melds) -> Message:
    """A condition that a reading does not meet, with the tiles that are in its way."""
    words = condition_words(name)
    if name in _OF_EACH_TILE:
        tiles = dict.fromkeys(tile for group in melds for tile in group.tiles)
        wrong = tuple(tile for tile in tiles if not test(tile_traits(tile), 0))
        if 0 < len(wrong) <= _MOST_NAMED:
            return say("wrong_tiles", condition=words, tiles=wrong)
    if name == "all_concealed":
        shown = tuple(group.tile for group in melds if not group.concealed)
        if shown:
            return say("shown_melds", condition=words, tiles=shown)
    return words


def _opposite(name: str) -> Message:
    other = _OPPOSITES.get(name)
    if other is None:
        return say("not_condition", condition=condition_words(name))
    return condition_words(other)
