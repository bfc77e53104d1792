"""What the scorer says beside the score itself: other readings, why not, other rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scorer import Deal, DealError, PlayerResult, parse_deal, score_hand
from scorer.counting.evaluate import readings
from scorer.counting.settle import dealer_times
from scorer.explain.compare import Comparison, System, compare
from scorer.explain.why import WhyNot, all_why_not
from scorer.rules.rulebook import load_ruleset
from webapp.deal.for_scorer import deal_form, missing
from webapp.deal.scoring import ScoreRefused
from webapp.deal.state import DealState
from webapp.language.translation import sentence
from webapp.language.words import DealerPay
from webapp.rulesets.shown import rulesets
from webapp.rulesets.words import rule_row, titles

MAX_OTHERS = 3
"""The most further readings of a hand that are shown."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Why the rules and special hands that a hand does not have do not count, by what they bring.

    Each is a title and the answer; those that are not played under these rules come last.
    """

    doubles: tuple[tuple[str, WhyNot], ...]
    hands: tuple[tuple[str, WhyNot], ...]
    points: tuple[tuple[str, WhyNot], ...]


def scored_deal(state: DealState) -> Deal:
    """The deal as the scorer takes it.

    Raises:
        ScoreRefused: something is still missing.
        DealError: the deal cannot be.
    """
    problem = missing(state)
    if problem is not None:
        raise ScoreRefused(problem)
    return parse_deal(deal_form(state))


def dealer_pay(state: DealState, result: dict[str, Any]) -> DealerPay | None:
    """What the dealer pays or receives more than others in a scored deal.

    None where the scorer does not know the deal's rules any more, so that it cannot be told.

    Args:
        state: the deal.
        result: its result, as the scorer gives it.
    """
    try:
        deal = scored_deal(state)
        ruleset = load_ruleset(deal.ruleset, deal.changes)
    except (ScoreRefused, DealError):
        return None
    totals = {part["seat"]: part["total"] for part in result["players"]}
    return DealerPay(deal.dealer, dealer_times(deal, ruleset, totals))


def tiles_of_lines(state: DealState, result: dict[str, Any]) -> dict[str, list[tuple[str, ...]]]:
    """For each line of each player's score the tiles that it counts for; none: the whole hand.

    Empty where the scorer does not know the deal's rules any more, so that it cannot be told; and
    so is a player's list whose lines have another text by now.

    Args:
        state: the deal.
        result: its result, as the scorer gives it.
    """
    try:
        deal = scored_deal(state)
        scored = {part["seat"]: score_hand(deal, part["seat"]) for part in result["players"]}
    except (ScoreRefused, DealError):
        return {}
    told = {part["seat"]: [line["text"] for line in part["lines"]] for part in result["players"]}
    return {
        seat: [line.tiles for line in part.lines]
        for seat, part in scored.items()
        if [line.text for line in part.lines] == told[seat]
    }


def other_readings(deal: Deal, seat: str) -> tuple[PlayerResult, ...]:
    """The lawful readings of a hand that are not the scored one, the best first.

    Raises:
        DealError: the deal cannot be.
    """
    best, *others = readings(deal, seat)
    told = {(best.hand, best.sets)}
    kept: list[PlayerResult] = []
    for other in others:
        if (other.hand, other.sets) not in told:
            told.add((other.hand, other.sets))
            kept.append(other)
    return tuple(kept[:MAX_OTHERS])


def answers(deal: Deal, seat: str) -> Answers:
    """Why each rule and special hand that a hand does not have does not count, sorted for people.

    Raises:
        DealError: the hand's tiles are not looked at, or nothing is scored.
    """
    ruleset = load_ruleset(deal.ruleset, deal.changes)
    named = titles(ruleset)
    units = {rule.id: rule_row(rule).unit for rule in ruleset.rule}
    played = {rule.id for rule in ruleset.rule if rule.enabled}
    played |= {hand.id for hand in ruleset.special_hand if hand.enabled}
    told = [answer for answer in all_why_not(deal, seat) if not answer.counts]
    told.sort(key=lambda answer: answer.row not in played)

    def group(unit: str | None) -> tuple[tuple[str, WhyNot], ...]:
        return tuple((named[a.row], a) for a in told if units.get(a.row) == unit)

    return Answers(group("doubles"), group(None), group("points"))


def under_all_rules(deal: Deal) -> Comparison:
    """The deal under its own rules, in the first column, and under every other ruleset."""
    own = System(deal.ruleset, dict(deal.changes))
    others = [System(rules.id) for rules in rulesets() if rules.id != deal.ruleset]
    if deal.changes:
        others.insert(0, System(deal.ruleset))
    return compare(deal, [own, *others])


def refusal(error: DealError) -> str:
    """What the scorer objects to, as a sentence."""
    return sentence(error.message)
