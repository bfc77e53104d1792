"""Scoring a deal: the only place where the page calls the scorer for a result."""

from __future__ import annotations

from scorer import DealError, DealResult, score_deal
from webapp.deal.for_scorer import Problem, missing, to_deal
from webapp.deal.store import Store, StoredDeal


class ScoreRefused(ValueError):
    """The scorer does not accept the deal; ``problems``, at least one, say why and where."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(str(problems[0].message))
        self.problems = problems

    @property
    def problem(self) -> Problem:
        """The first of the problems."""
        return self.problems[0]


def score(store: Store, deal: StoredDeal) -> DealResult:
    """The result of a stored deal, which is kept in the database until the deal's next entry.

    Raises:
        ScoreRefused: something is missing, or the scorer does not accept the deal.
    """
    kept = None if deal.result is None else _brought_back(deal)
    if kept is not None:
        return kept
    if problems := missing(deal.state):
        raise ScoreRefused(problems)
    try:
        result = score_deal(to_deal(deal.state))
    except DealError as error:
        faults = (Problem(each.player, each.field, each.words) for each in error.errors)
        raise ScoreRefused(tuple(faults)) from error
    store.keep_result(deal.id, deal.head, result.to_json(whole=True))
    return result


def _brought_back(deal: StoredDeal) -> DealResult | None:
    """The result as it was kept; None if an early version kept it without what is paid for."""
    try:
        return DealResult.from_json(deal.result or {})
    except (KeyError, TypeError):
        return None


def check(store: Store, deal: StoredDeal) -> tuple[Problem, ...]:
    """All for which the deal cannot be scored; nothing if it can."""
    try:
        score(store, deal)
    except ScoreRefused as refusal:
        return refusal.problems
    return ()
