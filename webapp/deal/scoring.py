"""Asking the scorer: the one place where the page and the rules meet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from webapp.deal.for_scorer import Problem, deal_form, missing
from webapp.deal.store import Store, StoredDeal

Scorer = Callable[[dict[str, Any]], dict[str, Any]]


class ScoreRefused(ValueError):
    """The scorer does not accept the deal; ``problem`` says where and why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def default_scorer(deal: dict[str, Any]) -> dict[str, Any]:
    """The project's own scorer, from JSON form to JSON form."""
    from scorer import parse_deal, score_deal

    return score_deal(parse_deal(deal)).to_json()


def ask(scorer: Scorer, deal: dict[str, Any]) -> dict[str, Any]:
    """The result of a deal in JSON form.

    Raises:
        ScoreRefused: the deal cannot be; the scorer's words are kept.
    """
    from scorer import DealError

    try:
        return scorer(deal)
    except DealError as error:
        raise ScoreRefused(Problem(error.player, error.field, error.message)) from error


def score(scorer: Scorer, store: Store, deal: StoredDeal) -> dict[str, Any]:
    """The result of a stored deal, remembered until the next entry.

    Raises:
        ScoreRefused: something is missing or the scorer does not accept the deal.
    """
    if deal.result is not None:
        return deal.result
    problem = missing(deal.state)
    if problem is not None:
        raise ScoreRefused(problem)
    result = ask(scorer, deal_form(deal.state))
    store.keep_result(deal.id, deal.head, result)
    return result


def check(scorer: Scorer, store: Store, deal: StoredDeal) -> Problem | None:
    """What keeps the deal from being scored, or None."""
    try:
        score(scorer, store, deal)
    except ScoreRefused as refusal:
        return refusal.problem
    return None
