"""Scoring a deal: the only place where the page calls the scorer for a result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from webapp.deal.for_scorer import Problem, deal_form, missing
from webapp.deal.store import Store, StoredDeal

Scorer = Callable[[dict[str, Any]], dict[str, Any]]


class ScoreRefused(ValueError):
    """The scorer does not accept the deal; ``problems``, at least one, say why and where."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(str(problems[0].message))
        self.problems = problems

    @property
    def problem(self) -> Problem:
        """The first of the problems."""
        return self.problems[0]


def default_scorer(deal: dict[str, Any]) -> dict[str, Any]:
    """Score a deal with the project's own scorer; deal and result are in JSON form."""
    from scorer import parse_deal, score_deal

    return score_deal(parse_deal(deal)).to_json()


def ask(scorer: Scorer, deal: dict[str, Any]) -> dict[str, Any]:
    """The result of a deal, both in JSON form.

    Raises:
        ScoreRefused: the scorer does not accept the deal; its message is kept.
    """
    from scorer import DealError

    try:
        return scorer(deal)
    except DealError as error:
        problems = (Problem(each.player, each.field, each.words) for each in error.errors)
        raise ScoreRefused(tuple(problems)) from error


def score(scorer: Scorer, store: Store, deal: StoredDeal) -> dict[str, Any]:
    """The result of a stored deal, which is kept in the database until the deal's next entry.

    Raises:
        ScoreRefused: something is missing, or the scorer does not accept the deal.
    """
    if deal.result is not None:
        return deal.result
    if problems := missing(deal.state):
        raise ScoreRefused(problems)
    result = ask(scorer, deal_form(deal.state))
    store.keep_result(deal.id, deal.head, result)
    return result


def check(scorer: Scorer, store: Store, deal: StoredDeal) -> tuple[Problem, ...]:
    """All for which the deal cannot be scored; nothing if it can."""
    try:
        score(scorer, store, deal)
    except ScoreRefused as refusal:
        return refusal.problems
    return ()
