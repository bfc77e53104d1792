"""The scorer's explanations of a result: other readings, missing rules and other rulesets."""

from __future__ import annotations

from dataclasses import dataclass

from scorer import Deal, DealError, PlayerResult
from scorer.evaluation.evaluate import readings
from scorer.explain.compare import Comparison, System, compare
from scorer.explain.why import WhyNot, all_why_not
from scorer.messages import Message
from scorer.rules.rulebook import load_ruleset
from webapp.language.translation import as_sentence
from webapp.rulesets.shown import rulesets
from webapp.rulesets.words import rule_row, titles

MAX_OTHERS = 3
"""Maximum number of other readings of a hand that are shown."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Why rules and special hands do not count for a hand, by what they are worth.

    Each is a pair of title and answer; those that are not played under these rules come last.

    Attributes:
        doubles: the rules that are worth doubles.
        hands: the special hands.
        points: the rules that are worth points.
    """

    doubles: tuple[tuple[Message, WhyNot], ...]
    hands: tuple[tuple[Message, WhyNot], ...]
    points: tuple[tuple[Message, WhyNot], ...]


def other_readings(deal: Deal, seat: str) -> tuple[PlayerResult, ...]:
    """The lawful readings of a hand other than the one that is scored, best first.

    Raises:
        DealError: the scorer does not accept the deal.
    """
    best, *others = readings(deal, seat)
    told = {(best.hand, best.melds)}
    kept: list[PlayerResult] = []
    for other in others:
        if (other.hand, other.melds) not in told:
            told.add((other.hand, other.melds))
            kept.append(other)
    return tuple(kept[:MAX_OTHERS])


def answers(deal: Deal, seat: str) -> Answers:
    """Why each rule and special hand that does not count for a hand does not count.

    Raises:
        DealError: the hand has no tiles, or nothing was scored.
    """
    ruleset = load_ruleset(deal.ruleset, deal.changes)
    named = titles(ruleset)
    units = {rule.id: rule_row(rule).unit for rule in ruleset.rule}
    played = {rule.id for rule in ruleset.rule if rule.enabled}
    played |= {hand.id for hand in ruleset.special_hand if hand.enabled}
    told = [answer for answer in all_why_not(deal, seat) if not answer.counts]
    told.sort(key=lambda answer: answer.row not in played)

    def group(unit: str | None) -> tuple[tuple[Message, WhyNot], ...]:
        return tuple((named[a.row], a) for a in told if units.get(a.row) == unit)

    return Answers(group("doubles"), group(None), group("points"))


def under_all_rules(deal: Deal) -> Comparison:
    """A deal under its own rules, in the first column, compared with all other rulesets."""
    own = System(deal.ruleset, dict(deal.changes))
    others = [System(rules.id) for rules in rulesets() if rules.id != deal.ruleset]
    if deal.changes:
        others.insert(0, System(deal.ruleset))
    return compare(deal, [own, *others])


def refusal(error: DealError) -> str:
    """The scorer's error as a sentence in the reader's language."""
    return as_sentence(error.words)
