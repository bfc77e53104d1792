"""Why a rule or a special hand does not count for a player, in words for the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from scorer.counting.arrange import winning_readings
from scorer.counting.count import HandScorer, Way
from scorer.counting.evaluate import hand_scorer
from scorer.deal import Deal, Win
from scorer.errors import DealError
from scorer.melds import EXPOSED, Reading, count_tiles, sets_of, traits_of_reading
from scorer.rules.compiled import POINTS
from scorer.rules.conditions import CONDITIONS, TILE_CLASSES
from scorer.rules.patterns import SHAPES, fit
from scorer.rules.rule import Rule, SpecialHand
from scorer.tiles import NAMES, PLAYING_TILES

_CLASSES: Final = {
    "any": "{sets}",
    "suit": "{sets} of a suit",
    "honour": "{sets} of winds or dragons",
    "minor": "{sets} of twos to eights",
    "major": "{sets} of ones, nines, winds or dragons",
    "dragon": "{sets} of dragons",
    "own_wind": "{sets} of the own wind",
    "round_wind": "{sets} of the wind of the round",
    "own_bonus": "{sets} of the own number",
}
"""The tile classes of ruleset files, as they are said of sets or of bonus tiles."""

_STATES: Final = {None: "{sets}", True: "concealed {sets}", False: "exposed {sets}"}

_NOT_PLAYED: Final = "it is not played under these rules"
_OPPOSITES: Final = {"no_honours": "some_honours"}
"""Conditions whose opposite is a condition too."""

_COPIES: Final = 4
_NO_SETS: Final = "four sets and a pair"


@dataclass(frozen=True, slots=True)
class WhyNot:
    """Whether a rule or special hand counts for a player, and what it lacks if not.

    Attributes:
        row: the id of the rule or special hand.
        name: what people call it.
        counts: whether the player's score holds it, by itself or in the line of the bonus tiles.
        reasons: why it cannot count however the tiles lie, or what counts in its place, in words.
        missing: the conditions that the hand does not meet, in words.
        cite: where it is written.
    """

    row: str
    name: str
    cite: str
    counts: bool
    reasons: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    def told(self) -> str:
        """The reasons and what is missing, as the end of a sentence."""
        needs = [f"needed: {'; '.join(self.missing)}"] if self.missing else []
        return "; ".join([*self.reasons, *needs])

    def to_json(self) -> dict[str, Any]:
        """The answer as a JSON value."""
        return {
            "row": self.row,
            "name": self.name,
            "cite": self.cite,
            "counts": self.counts,
            "reasons": list(self.reasons),
            "missing": list(self.missing),
        }


def why_not(deal: Deal, seat: str, row: str) -> WhyNot:
    """Why a rule or special hand does not count for one player.

    Args:
        deal: a deal in which the player's tiles are shown.
        seat: the player's seat.
        row: the id of a rule or special hand of the deal's ruleset.

    Raises:
        DealError: the deal cannot be, the player's tiles are not looked at, or the ruleset has no
            such row.
    """
    asked = _Asked(deal, seat)
    for rule in asked.scorer.ruleset.rule:
        if rule.id == row:
            return asked.rule(rule)
    for special in asked.scorer.ruleset.special_hand:
        if special.id == row:
            return asked.special(special)
    message = f"no rule or special hand of {deal.ruleset} is called {row[:40]!r}"
    raise DealError(seat, "row", message)


def all_why_not(deal: Deal, seat: str) -> tuple[WhyNot, ...]:
    """The same for every rule and special hand of the ruleset, in the order of its tables.

    Raises:
        DealError: the deal cannot be, or the player's tiles are not looked at.
    """
    asked = _Asked(deal, seat)
    ruleset = asked.scorer.ruleset
    rules = tuple(asked.rule(rule) for rule in ruleset.rule)
    return rules + tuple(asked.special(special) for special in ruleset.special_hand)


class _Asked:
    """One player's hand, as it is scored, about which people ask."""

    def __init__(self, deal: Deal, seat: str) -> None:
        self.deal = deal
        self.scorer = hand_scorer(deal, seat)
        if deal.win is None and not self.scorer.ruleset.settlement.after_draw:
            raise DealError(None, "win", "is null: a drawn hand is not scored")
        self.ways = list(self.scorer.ways())
        self.way = max(self.ways, key=_total, default=None)
        lines = () if self.way is None else self.scorer.result(self.way).lines
        self.paid = {line.rule for line in lines}
        self.completed: list[tuple[HandScorer, Win]] | None = None

    def rule(self, rule: Rule) -> WhyNot:
        """The answer for a rule."""
        name = rule.text.format(tile="...")
        if rule.id in self.paid:
            return WhyNot(rule.id, name, rule.cite, counts=True)
        reasons: list[str] = []
        missing: list[str] = []
        if self.way is None:
            reasons.append("the hand cannot go out")
        elif rule.who == "winner" and self.scorer.win is None:
            reasons.append("only the winner has it")
        else:
            reasons += self._out_of_place(rule, self.way)
            missing += _failing_situations(rule, self.scorer)
            missing += self._not_held(rule, self.way)
        beside = "bonus" in self.paid and not reasons and not missing
        return WhyNot(rule.id, name, rule.cite, beside, tuple(reasons), tuple(missing))

    def _out_of_place(self, rule: Rule, way: Way) -> Iterator[str]:
        """Why the rule does not belong to this hand or these rules at all."""
        ruleset = self.scorer.ruleset
        if not rule.enabled or not (rule.points or rule.doubles):
            yield _NOT_PLAYED
        if rule.group != "hand" and ruleset.bonus_tiles != "count":
            yield "flowers and seasons do not count under these rules"
        if rule.family is not None and not ruleset.families_add:
            yield "of several ways of going out only one is doubled"
        if way.special is None:
            if rule.group == "special_bonus":
                yield "it goes with the award of a special hand"
        elif rule.group == "hand":
            yield f"the hand counts as {way.special.name}, and its award is all that its sets bring"
        elif "bonus" not in self.paid:
            yield "flowers and seasons bring nothing beside this award"

    def _not_held(self, rule: Rule, way: Way) -> Iterator[str]:
        """What the sets or the bonus tiles lack."""
        scorer = self.scorer
        if rule.per_set is not None:
            yield from self._without_set(rule, way)
        elif rule.per_bonus is not None:
            in_class = TILE_CLASSES[rule.per_bonus]
            if not any(in_class(tile, scorer.situation) for tile in scorer.player.bonus):
                yield _CLASSES[rule.per_bonus].format(sets="a flower or season")
        elif way.special is None:
            points = sum(scorer.tally.sets.worth[number] & POINTS for number in way.reading)
            yield from _failing_tests(rule, self.scorer.traits(way.reading), points)

    def _without_set(self, rule: Rule, way: Way) -> Iterator[str]:
        paid = rule.per_set
        if paid is None or any(
            line.rule == rule.id
            for number in way.reading
            for _, line in self.scorer.tally.sets.lines[number]
        ):
            return
        sets = _STATES[paid.concealed].format(sets=" or ".join(paid.kinds))
        yield _CLASSES[paid.tiles].format(sets=sets)

    def special(self, special: SpecialHand) -> WhyNot:
        """The answer for a special hand, won or fished for."""
        win = self.scorer.win
        if (f"fishing:{special.id}" if win is None else special.id) in self.paid:
            return WhyNot(special.id, special.name, special.cite, counts=True)
        reasons = [] if special.enabled else [_NOT_PLAYED]
        missing: list[str] = []
        if win is not None:
            missing += _missing(special, self.scorer, win)
        elif self.scorer.ruleset.fishing_award(special) is None:
            reasons.append("nothing is paid for fishing for it")
        elif self.scorer.player.status != "live":
            reasons.append("a hand with the wrong number of tiles takes no award for fishing")
        else:
            if not self.scorer.player.fishing:
                reasons.append("fishing was not called")
            missing += self._nearest(special)
        if not reasons and not missing:
            reasons.append(self._beaten(special))
        told = {"reasons": tuple(reasons), "missing": tuple(missing)}
        return WhyNot(special.id, special.name, special.cite, counts=False, **told)

    def _nearest(self, special: SpecialHand) -> list[str]:
        """What the hand would lack with the tile, drawn from the wall, that brings it nearest."""
        if self.completed is None:
            self.completed = list(self._completions())
        found = (_missing(special, scorer, win) for scorer, win in self.completed)
        return min(found, key=_distance)

    def _completions(self) -> Iterator[tuple[HandScorer, Win]]:
        """The hand with each tile that could still come."""
        scorer, player = self.scorer, self.scorer.player
        held = [*player.concealed, *(tile for meld in player.melds for tile in meld.tiles)]
        for tile in PLAYING_TILES:
            if held.count(tile) < _COPIES:
                win = Win(player.seat, tile, "wall")
                complete = replace(player, concealed=(*player.concealed, tile))
                yield HandScorer(replace(self.deal, win=win), scorer.compiled, complete), win

    def _beaten(self, special: SpecialHand) -> str:
        """What is worth more than a special hand that the tiles make all the same."""
        own = [
            it.total for it in self.ways if it.special is not None and it.special.id == special.id
        ]
        way = self.way
        if way is None or not own:
            return f"the tiles are not: {special.description}"
        scored = "as it lies" if way.special is None else f"as {way.special.name}"
        more = "more" if way.total > max(own) else "as much"
        return f"{special.name} brings {max(own)}; {scored} the hand brings {way.total}, {more}"


def _total(way: Way) -> int:
    return way.total


def _missing(special: SpecialHand, scorer: HandScorer, win: Win) -> list[str]:
    """What a complete hand lacks to be the special hand; nothing when it is."""
    missing = list(_failing_situations(special, scorer))
    if special.winning_tile not in (None, win.tile):
        missing.append(f"the winning tile is {NAMES[special.winning_tile or '']}")
    if special.exposed != "any" and traits_of_reading(scorer.hand.melds) & EXPOSED:
        missing.append("no exposed set laid down")
    if special.exposed == "none" and win.claimed_tile:
        missing.append("the winning tile is drawn, not claimed")
    if special.shape in SHAPES:
        if not _has_shape(special, scorer, win):
            missing.append(special.description.rstrip("."))
        return missing
    if special.shape == "complete":
        return missing
    readings = _four_sets(scorer, win)
    if not readings:
        return [*missing, _NO_SETS]
    return missing + min((_failed(special, reading) for reading in readings), key=len)


def _four_sets(scorer: HandScorer, win: Win) -> list[Reading]:
    ruleset = scorer.ruleset
    robbed = ruleset.robbed_special or ruleset.robbed_completes
    return winning_readings(scorer.hand, scorer.chows, win, robbed=robbed)


def _failed(special: SpecialHand, reading: Reading) -> list[str]:
    return list(_failing_tests(special, traits_of_reading(reading), 1))


def _has_shape(special: SpecialHand, scorer: HandScorer, win: Win) -> bool:
    hand = scorer.hand
    laid = sets_of(hand.melds)
    if any(group.kind == "kong" for group in laid):
        return False
    melded = sum(count_tiles(group.tiles) for group in laid)
    return any(
        fit(special.shape, naturals + melded, jokers, special.numbers) is not None
        for naturals, jokers in hand.splits(win)
    )


def _distance(missing: list[str]) -> tuple[bool, int]:
    return _NO_SETS in missing, len(missing)


def _failing_situations(item: Rule | SpecialHand, scorer: HandScorer) -> Iterator[str]:
    for name in item.when:
        test = CONDITIONS[name].situation
        if test is not None and not test(scorer.situation):
            yield CONDITIONS[name].text
    for name in item.unless:
        test = CONDITIONS[name].situation
        if test is not None and test(scorer.situation):
            yield _opposite(name)


def _failing_tests(item: Rule | SpecialHand, traits: int, points: int) -> Iterator[str]:
    for name in item.when:
        test = CONDITIONS[name].reading
        if test is not None and not test(traits, points):
            yield CONDITIONS[name].text
    for name in item.unless:
        test = CONDITIONS[name].reading
        if test is not None and test(traits, points):
            yield _opposite(name)


def _opposite(name: str) -> str:
    other = _OPPOSITES.get(name)
    return f"not: {CONDITIONS[name].text}" if other is None else CONDITIONS[other].text
