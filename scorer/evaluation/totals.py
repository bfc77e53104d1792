"""Totals that no hand can have: what a claimed one is checked against."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from scorer.evaluation.faults import Fault
from scorer.messages import Message, say
from scorer.rules.ruleset import Limit, Ruleset


def total_fault(ruleset: Ruleset, total: int) -> Message | None:
    """Why no hand can score this total, as a question what was meant; None where one may.

    Args:
        ruleset: the ruleset, changes applied.
        total: points above zero.
    """
    limit, rounding = ruleset.limit, ruleset.rounding
    if limit is not None and limit.caps_ordinary and limit.caps_special:
        most = _most(ruleset, limit)
        if total > most:
            return say(Fault.CLAIM_ABOVE_LIMIT, total=total, most=most, cite=limit.cite)
    if rounding is not None and rounding.to > 1:
        if total % rounding.to:
            rounded, to = ruleset.rounded(total), rounding.to
            return say(
                Fault.CLAIM_NOT_ROUNDED, total=total, to=to, rounded=rounded, cite=rounding.cite
            )
        return None
    step = gcd(*(rule.points or 0 for rule in ruleset.rule if rule.enabled))
    if not step or total % step == 0:
        return None
    step = gcd(step, *_awards(ruleset))
    if total % step:
        less = total // step * step
        return say(Fault.CLAIM_IN_BETWEEN, total=total, step=step, less=less, more=less + step)
    return None


def _most(ruleset: Ruleset, limit: Limit) -> int:
    """The most that a hand scores where the limit caps every one."""
    whole = (rule.doubles or 0 for rule in ruleset.rule if rule.enabled and rule.group == "whole")
    return ruleset.rounded(limit.value) << sum(whole)


def _awards(ruleset: Ruleset) -> Iterator[int]:
    """What a total may be beside a sum of points, doubled or not."""
    limit = ruleset.limit
    if limit is None:
        return
    if limit.caps_ordinary or limit.caps_special:
        yield limit.value
    for hand in ruleset.special_hand:
        for award in (hand.won, ruleset.fishing_award(hand)):
            if hand.enabled and award is not None:
                yield award.share_of(limit.value) or 0
