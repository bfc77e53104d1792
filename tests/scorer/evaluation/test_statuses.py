"""A hand with the wrong number of tiles, or a dead one, under every ruleset."""

from __future__ import annotations

import itertools

import pytest

import scorer
from scorer.deal import STATUSES
from scorer.errors import DealError
from scorer.explain.compare import System, compare
from scorer.explain.why import all_why_not
from scorer.rules.rulebook import load_ruleset
from tests.scorer.builders import BY_POINTS, Json, claimed, deal, of, player, win

TILES = {
    "live": ("147p258s369s4z", "999m"),
    "too_few": ("147p258s369s", "999m"),
    "too_many": ("147p258s369s44z", "999m"),
    "dead": ("147p258s369s4z", "999m"),
}
"""What North holds, by the status."""

HANDS = [
    *((status, "tiles") for status in STATUSES),
    *((status, "claimed") for status in STATUSES),
]


def _value(ruleset: str, status: str, shown: str, *, won: bool, three: bool) -> Json:
    """A deal of three or four in which North's hand has that status."""
    north = claimed("N") | {"status": status}
    if shown == "tiles":
        north = player("N", *TILES[status], status=status)
    winner = player("W", "22m", "333m 444p 555s 666s") if won else claimed("W")
    return deal(
        winner,
        north,
        won=win("W", "2m discard E") if won else None,
        seats="EWN" if three else "ESWN",
        ruleset=ruleset,
    )


@pytest.mark.parametrize("ruleset", BY_POINTS)
@pytest.mark.parametrize(("status", "shown"), HANDS)
def test_every_status_is_scored_under_every_ruleset(ruleset: str, status: str, shown: str) -> None:
    scores = {item.id for item in load_ruleset(ruleset).status if item.scores}
    for won, three in itertools.product((True, False), repeat=2):
        if three and 3 not in load_ruleset(ruleset).players:
            continue
        found = scorer.parse_deal(_value(ruleset, status, shown, won=won, three=three))
        result = scorer.score_deal(found).to_json()
        assert sum(result["net"].values()) == 0
        part = of(result, "N")
        if status not in scores:
            assert (part["total"], part["hand"]) == (0, "none")
        if status == "dead" and (won or load_ruleset(ruleset).settlement.after_draw):
            assert "nothing" in part["lines"][0]["text"]
        if status not in scores and shown == "tiles":
            with pytest.raises(DealError):
                all_why_not(found, "N")


@pytest.mark.parametrize("ruleset", BY_POINTS)
@pytest.mark.parametrize(("status", "shown"), HANDS)
def test_every_status_is_compared_under_all_rulesets(ruleset: str, status: str, shown: str) -> None:
    found = scorer.parse_deal(_value(ruleset, status, shown, won=True, three=False))
    columns = compare(found, [System(name) for name in BY_POINTS]).columns
    for column in columns:
        assert column.result is not None, column.error
        alone = scorer.score_deal(
            scorer.parse_deal(_value(column.system.ruleset, status, shown, won=True, three=False))
        )
        assert column.result == alone


def test_a_status_that_the_rules_lack_is_told_so() -> None:
    result = scorer.score_deal(
        scorer.parse_deal(_value("ming-1876", "dead", "tiles", won=True, three=False))
    )
    (line,) = of(result.to_json(), "N")["lines"]
    assert line["text"] == 'Scores nothing: these rules do not mention "a dead hand"'
    assert (line["rule"], line["points"]) == ("dead", 0)
