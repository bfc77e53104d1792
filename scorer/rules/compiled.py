"""A ruleset made ready for counting: what each meld brings, and which rules look at what.

Worths are packed: points in the low bits, doubles above them, so that a reading is counted by
adding whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from scorer.deal import CLAIMED_SOURCES
from scorer.facts.shapes import SHAPES
from scorer.melds import JOKER, MELDS, MOST_JOKERS
from scorer.messages import own_words
from scorer.result import Line
from scorer.rules.conditions import TILE_CLASSES, Gate, Situation, Tests, gate_of, tests_of
from scorer.rules.fan_rules import FanRules, keep
from scorer.rules.rule import Rule, SpecialHand
from scorer.rules.ruleset import Ruleset

_DOUBLE: Final = 1 << 40
POINTS: Final = _DOUBLE - 1
"""The points of a packed worth: ``worth & POINTS``; its doubles are ``worth >> 40``."""


def doubles_of(worth: int) -> int:
    """The doubles of a packed worth."""
    return worth >> 40


Numbered = tuple[int, Line]
"""A line with the place of its rule in the ruleset."""


@dataclass(frozen=True, slots=True)
class CountedRule:
    """A rule that is paid at most once a hand, or once per bonus tile."""

    order: int
    rule: Rule
    worth: int
    line: Line
    gate: Gate
    tests: Tests | None


@dataclass(frozen=True, slots=True)
class CountedHand:
    """A special hand and its conditions; ``order`` is its place in the ruleset's table."""

    order: int
    hand: SpecialHand
    gate: Gate
    tests: Tests


@dataclass(frozen=True, slots=True)
class PossibleHands:
    """The special hands that are not ruled out: those with a shape of their own, and the others."""

    shaped: tuple[CountedHand, ...]
    others: tuple[CountedHand, ...]
    _by_traits: dict[int, tuple[CountedHand, ...]] = field(default_factory=dict)

    def with_traits(self, traits: int) -> tuple[CountedHand, ...]:
        """Those others whose conditions hold of a complete hand with these traits."""
        kept = self._by_traits.get(traits)
        if kept is not None:
            return kept
        found = tuple(counted for counted in self.others if counted.tests.hold(traits, 1))
        return keep(self._by_traits, traits, found)


@dataclass(frozen=True, slots=True)
class MeldTable:
    """What each meld brings a player in one seat, by the meld's number."""

    worth: tuple[int, ...]
    lines: tuple[tuple[Numbered, ...], ...]


Held = tuple[int, tuple[Numbered, ...]]
"""The packed worth of rules that hold, and their lines."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What one player's hand is paid whatever its reading, and which rules ask for the reading.

    Attributes:
        melds: what each meld brings.
        hand: packed worth of the rules that hold in any reading, bonus tiles left out.
        hand_lines: their lines.
        bonus: packed worth of the bonus tiles.
        bonus_lines: their lines.
        special_bonus: packed worth of what bonus tiles bring beside a special hand.
        special_lines: the lines of both, bonus tiles' own and those beside a special hand.
        whole: how often the whole score is doubled.
        whole_lines: the lines of these doubles.
        by_reading: the rules that look at the reading.
    """

    melds: MeldTable
    hand: int
    hand_lines: tuple[Numbered, ...]
    bonus: int
    bonus_lines: tuple[Numbered, ...]
    special_bonus: int
    special_lines: tuple[Numbered, ...]
    whole: int
    whole_lines: tuple[Numbered, ...]
    by_reading: tuple[CountedRule, ...]
    _by_traits: dict[tuple[int, bool], Held] = field(default_factory=dict)

    def with_traits(self, traits: int, *, scoreless: bool) -> Held:
        """What the rules of the reading bring a hand with these traits.

        Args:
            traits: those of its melds together.
            scoreless: whether its melds bring no points.
        """
        key = (traits, scoreless)
        kept = self._by_traits.get(key)
        if kept is not None:
            return kept
        held = [
            counted
            for counted in self.by_reading
            if counted.tests is not None and counted.tests.hold(traits, int(not scoreless))
        ]
        lines = tuple((counted.order, counted.line) for counted in held)
        return keep(self._by_traits, key, (sum(counted.worth for counted in held), lines))


@dataclass(slots=True)
class Compiled:
    """A ruleset with its rules sorted by what they look at.

    Attributes:
        ruleset: the ruleset itself.
        once: the rules that are paid at most once a hand.
        per_bonus: the rules that are paid for each bonus tile.
        hands: the special hands that are played.
        asks_for_places: whether a rule looks at which tiles could have completed the hand.
        scoring_statuses: the statuses of a hand whose tiles are counted.
        fan: the rules that count fan, in a ruleset of such rules.
    """

    ruleset: Ruleset
    once: tuple[CountedRule, ...]
    per_bonus: tuple[CountedRule, ...]
    hands: tuple[CountedHand, ...]
    asks_for_places: bool
    scoring_statuses: frozenset[str]
    fan: FanRules | None = None
    _tables: dict[tuple[str, str, bool, bool], MeldTable] = field(default_factory=dict)
    _tallies: dict[Situation, Tally] = field(default_factory=dict)
    _possible: dict[tuple[Situation, bool], PossibleHands] = field(default_factory=dict)

    def hand_named(self, name: str) -> CountedHand:
        """The special hand with that id; it must be among those played."""
        return next(counted for counted in self.hands if counted.hand.id == name)

    def table(self, situation: Situation) -> MeldTable:
        """What each meld brings in a seat and round."""
        won, called = situation.source is not None, situation.called_fishing
        key = (situation.seat, situation.round_wind, won, called)
        kept = self._tables.get(key)
        return kept or keep(self._tables, key, _meld_table(self.ruleset, situation))

    def possible_hands(self, situation: Situation, *, exposed: bool) -> PossibleHands:
        """The special hands that a hand may be, as it went out, with an exposed meld or without."""
        key = (situation, exposed)
        kept = self._possible.get(key)
        if kept is not None:
            return kept
        claimed = situation.source in CLAIMED_SOURCES
        possible = [
            counted
            for counted in self.hands
            if counted.gate.open(situation)
            and (counted.hand.exposed == "any" or not exposed)
            and not (counted.hand.exposed == "none" and claimed)
        ]
        hands = PossibleHands(
            tuple(counted for counted in possible if counted.hand.shape in SHAPES),
            tuple(counted for counted in possible if counted.hand.shape not in SHAPES),
        )
        return keep(self._possible, key, hands)

    def tally(self, situation: Situation) -> Tally:
        """What the situation alone decides."""
        kept = self._tallies.get(situation)
        return kept or keep(self._tallies, situation, self._tally(situation))

    def _tally(self, situation: Situation) -> Tally:
        sums = {"hand": 0, "bonus": 0, "special_bonus": 0, "whole": 0}
        lines: dict[str, list[Numbered]] = {group: [] for group in sums}
        by_reading: list[CountedRule] = []
        families: set[str] = set()
        for counted in self.once:
            rule = counted.rule
            if not may_have(rule, situation):
                continue
            if not counted.gate.open(situation):
                continue
            if rule.family is not None and not self.ruleset.families_add:
                if rule.family in families:
                    continue
                families.add(rule.family)
            if counted.tests is not None:
                by_reading.append(counted)
                continue
            sums[rule.group] += counted.worth
            lines[rule.group].append((counted.order, counted.line))
        for counted in self.per_bonus if situation.bonus else ():
            for number_line in _bonus_lines(counted, situation):
                sums[counted.rule.group] += counted.worth
                lines[counted.rule.group].append(number_line)
        return Tally(
            self.table(situation),
            sums["hand"],
            tuple(lines["hand"]),
            sums["bonus"],
            tuple(lines["bonus"]),
            sums["bonus"] + sums["special_bonus"],
            tuple(sorted(lines["bonus"] + lines["special_bonus"], key=_order)),
            doubles_of(sums["whole"]),
            tuple(lines["whole"]),
            tuple(by_reading),
        )


def _order(line: Numbered) -> int:
    return line[0]


def compile_ruleset(ruleset: Ruleset) -> Compiled:
    """The ruleset ready for counting."""
    once: list[CountedRule] = []
    per_bonus: list[CountedRule] = []
    for order, rule in enumerate(ruleset.rule):
        unplayed = rule.of_bonus_tiles and ruleset.bonus_tiles != "count"
        if (
            not rule.enabled
            or unplayed
            or rule.is_fan
            or rule.per_set is not None
            or not _worth(rule)
        ):
            continue
        counted = CountedRule(
            order,
            rule,
            _worth(rule),
            line_of(rule),
            gate_of(rule.when, rule.unless),
            tests_of(rule.when, rule.unless),
        )
        (once if rule.per_bonus is None else per_bonus).append(counted)
    hands = tuple(
        CountedHand(
            order,
            hand,
            gate_of(hand.when, hand.unless),
            tests_of(hand.when, hand.unless) or Tests((), ()),
        )
        for order, hand in enumerate(ruleset.special_hand)
        if hand.enabled
    )
    asks = any("only_place" in (*rule.when, *rule.unless) for rule in ruleset.rule if rule.enabled)
    fan = None if ruleset.value is None else FanRules(ruleset, ruleset.value)
    statuses = ruleset.scoring_statuses()
    return Compiled(ruleset, tuple(once), tuple(per_bonus), hands, asks, statuses, fan)


def line_of(rule: Rule, tiles: tuple[str, ...] = ()) -> Line:
    """The line of a rule, for the tiles of a meld or a bonus tile where it is paid for them."""
    words = own_words(rule.text, tile=tiles[0] if tiles else "")
    return Line(rule.id, words, rule.cite, rule.points, rule.doubles, tiles)


def may_have(rule: Rule, situation: Situation) -> bool:
    """Whether the rule is for a player in that situation at all."""
    if rule.who == "everyone" or situation.source is not None:
        return True
    return rule.who == "winner_or_fishing" and situation.called_fishing


def _worth(rule: Rule) -> int:
    return (rule.points or 0) + (rule.doubles or 0) * _DOUBLE


def _meld_table(ruleset: Ruleset, situation: Situation) -> MeldTable:
    worth = [0] * JOKER
    lines: list[tuple[Numbered, ...]] = [()] * JOKER
    for order, rule in enumerate(ruleset.rule):
        paid = rule.per_set
        if paid is None or not rule.enabled:
            continue
        if not may_have(rule, situation):
            continue
        in_class = TILE_CLASSES[paid.tiles]
        for number, group in MELDS.items():
            if (
                not group.jokers
                and group.kind in paid.kinds
                and paid.concealed in (None, group.concealed)
                and in_class(group.tile, situation)
            ):
                worth[number] += _worth(rule)
                lines[number] += ((order, line_of(rule, group.tiles)),)
    return MeldTable((MOST_JOKERS + 1) * tuple(worth), (MOST_JOKERS + 1) * tuple(lines))


def _bonus_lines(counted: CountedRule, situation: Situation) -> list[Numbered]:
    rule = counted.rule
    if not may_have(rule, situation):
        return []
    if rule.per_bonus is None or not counted.gate.open(situation):
        return []
    in_class = TILE_CLASSES[rule.per_bonus]
    return [
        (counted.order, line_of(rule, (tile,)))
        for tile in situation.bonus
        if in_class(tile, situation)
    ]
