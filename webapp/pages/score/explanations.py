"""The scorer's explanations of a result: other readings, missing rules and other rulesets."""

from __future__ import annotations

from dataclasses import dataclass

from scorer import Deal, DealError, PlayerResult
from scorer.evaluation.evaluate import readings
from scorer.explain.compare import Comparison, System, alike, compare
from scorer.explain.why import WhyNot, all_why_not
from scorer.messages import Message
from scorer.rules.rulebook import load_ruleset
from webapp.language.translation import as_sentence
from webapp.rulesets.shown import Changes, rulesets
from webapp.rulesets.words import rule_row, titles

MAX_OTHERS = 3
"""Maximum number of other readings of a hand that are shown."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Why rules and special hands do not count for a hand, by what they are worth.

    Each is a pair of title and answer; those that are not played under these rules come last.

    Attributes:
        fan: the rules that are worth fan.
        limits: the rules that are worth whole limits.
        doubles: the rules that are worth doubles.
        hands: the special hands.
        points: the rules that are worth points, or fu.
    """

    fan: tuple[tuple[Message, WhyNot], ...]
    limits: tuple[tuple[Message, WhyNot], ...]
    doubles: tuple[tuple[Message, WhyNot], ...]
    hands: tuple[tuple[Message, WhyNot], ...]
    points: tuple[tuple[Message, WhyNot], ...]


def other_readings(deal: Deal, seat: str) -> tuple[PlayerResult, ...]:
    """The lawful readings of a hand other than the one that is scored, best first.

    Raises:
        DealError: the scorer does not accept the deal.
    """
    best, *others = readings(deal, seat)
    told = {_lies(best)}
    kept: list[PlayerResult] = []
    for other in others:
        if _lies(other) not in told:
            told.add(_lies(other))
            kept.append(other)
    return tuple(kept[:MAX_OTHERS])


def _lies(result: PlayerResult) -> tuple[object, ...]:
    """How a hand is read; counted in fan, where its winning tile lies makes no other reading."""
    if result.counted is None:
        return result.hand, result.melds
    return result.hand, *sorted(meld.tiles for meld in result.melds)


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

    def group(*wanted: str | None) -> tuple[tuple[Message, WhyNot], ...]:
        return tuple((named[a.row], a) for a in told if units.get(a.row) in wanted)

    kinds = ("fan",), ("limits",), ("doubles",), (None,), ("points", "fu")
    return Answers(*(group(*wanted) for wanted in kinds))


def under_all_rules(deal: Deal) -> Comparison:
    """A deal under its own rules, in the first column, compared with others of their kind."""
    own = System(deal.ruleset, dict(deal.changes))
    return compare(deal, [own, *map(System, comparable(deal.ruleset, deal.changes))])


def comparable(ruleset: str, changes: Changes) -> list[str]:
    """The rulesets whose hands are worth the same kind of thing, its own first if it is changed."""
    newest = {info.id for info in rulesets()}
    others = [own for own in alike(ruleset, changes) if own != ruleset and own in newest]
    return [ruleset, *others] if changes else others


def refusal(error: DealError) -> str:
    """The scorer's error as a sentence in the reader's language."""
    return as_sentence(error.words)
