"""The scorer's explanations of a result: other readings, missing rules and other rulesets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scorer import Deal, DealError, DealResult, PlayerResult, parse_deal, score_deal
from scorer.evaluation.evaluate import readings
from scorer.explain.compare import Comparison, System, compare
from scorer.explain.why import WhyNot, all_why_not
from scorer.messages import Message
from scorer.result import Line, Part
from scorer.rules.rulebook import load_ruleset
from webapp.deal.for_scorer import deal_form, missing
from webapp.deal.scoring import ScoreRefused
from webapp.deal.state import DealState
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


def scored_deal(state: DealState) -> Deal:
    """The deal in the scorer's types.

    Raises:
        ScoreRefused: something is still missing.
        DealError: the scorer does not accept the deal.
    """
    if problems := missing(state):
        raise ScoreRefused(problems)
    return parse_deal(deal_form(state))


def scored_anew(state: DealState, result: dict[str, Any]) -> DealResult | None:
    """A deal's result with its words in any language, which its JSON form has not.

    It is None where the scorer would not give the same totals any more.

    Args:
        state: the deal.
        result: its result in JSON form, as it is kept.
    """
    try:
        found = score_deal(scored_deal(state))
    except (ScoreRefused, DealError):
        return None
    kept = [(part["seat"], part["total"]) for part in result["players"]]
    return found if kept == [(part.seat, part.total) for part in found.players] else None


def scored_lines(found: DealResult | None, result: dict[str, Any]) -> dict[str, tuple[Line, ...]]:
    """The lines of each player's score with their tiles and their words in any language.

    A player whose lines have another text by now is left out.

    Args:
        found: the deal as it is scored anew.
        result: its result, as it is kept.
    """
    told = {part["seat"]: [line["text"] for line in part["lines"]] for part in result["players"]}
    return {
        part.seat: part.lines
        for part in (() if found is None else found.players)
        if [line.text for line in part.lines] == told[part.seat]
    }


def causes(
    found: DealResult | None, result: dict[str, Any]
) -> dict[tuple[str, str], tuple[Part, ...]]:
    """For what each payment of a kept result is paid, by payer and receiver."""
    amounts = {(item["from"], item["to"]): item["amount"] for item in result["payments"]}
    return {
        (item.from_seat, item.to_seat): item.parts
        for item in (() if found is None else found.payments)
        if amounts.get((item.from_seat, item.to_seat)) == item.amount
    }


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
