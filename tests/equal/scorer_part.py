"""What the scorer says of deals: scores, payments, refusals, reasons, waits and claims."""

from __future__ import annotations

import random
from typing import Any, Final

from scorer import Deal, score_deal
from tests.equal import inside_scorer as inside
from tests.equal import scorer_games, scorer_rules
from tests.equal.canonical import outcome
from tests.equal.inside_scorer import Json
from tests.equal.records import Records
from tests.equal.spoiling import spoilt

RANDOM_DEALS: Final = 1500
"""Of each ruleset. Of every three one is a hand of the quiz, one a whole table, one spoilt."""

_ASKED: Final = 12
"""One of so many random deals is asked about in every way."""


def record(records: Records) -> None:
    """Record all that the scorer answers."""
    for ruleset in inside.rulesets():
        for number, (name, value) in enumerate(inside.golden_deals(ruleset)):
            records.add(f"golden {ruleset} {number} {name}", _scored(value))
            if not records.quick or number % 10 == 0:
                records.add(f"golden asked {ruleset} {number} {name}", _asked(value, number))
        for number in records.some(RANDOM_DEALS):
            value = _random_deal(ruleset, number)
            records.add(f"random {ruleset} {number}", {"deal": value, "score": _scored(value)})
            if number // (10 if records.quick else 1) % _ASKED == 0:
                records.add(f"random asked {ruleset} {number}", _asked(value, number))
    scorer_rules.record(records)
    scorer_games.record(records)


def _random_deal(ruleset: str, number: int) -> Json:
    rng = random.Random(f"{ruleset} {number}")
    if number % 3 == 0:
        return inside.practice_hand(ruleset, number, hard=number % 2 == 1)[0].to_json()
    goulash = ruleset.startswith("bmja") and rng.random() < 0.2
    value = inside.lawful_table(rng, ruleset, goulash=goulash)
    value["dealer"] = "E"
    return spoilt(rng, value) if number % 3 == 1 else value


def _scored(value: Json) -> Any:
    return outcome(lambda: score_deal(inside.deal_of_json(value)).to_json())


def _asked(value: Json, number: int) -> Any:
    """All further answers about the deal, or how it is refused."""
    return outcome(lambda: _answers(inside.deal_of_json(value), number))


def _answers(deal: Deal, number: int) -> Json:
    systems: list[tuple[str, Json]] = [(ruleset, {}) for ruleset in inside.rulesets()]
    seats = {
        seat: {
            "readings": outcome(inside.other_readings, deal, seat),
            "why": outcome(inside.reasons, deal, seat),
            "waits": outcome(inside.waits, deal, seat),
            "claims": _claims(deal, seat, number),
        }
        for seat in deal.seats
    }
    own = (deal.ruleset, dict(deal.changes))
    return {
        "json": deal.to_json(),
        "systems": outcome(inside.under_systems, deal, [own, *systems]),
        "seats": seats,
    }


def _claims(deal: Deal, seat: str, number: int) -> list[Any]:
    """Totals and readings that somebody might claim of a hand."""
    rng = random.Random(f"claims {seat} {number}")
    scored = outcome(inside.other_readings, deal, seat).get("gives", [])
    totals = {0, 8, 64, *(2 ** rng.randint(0, 4) * part["total"] // 4 for part in scored[:3])}
    found = [outcome(inside.total_claim, deal, seat, total) for total in sorted(totals)]
    texts = ["11m 234p 555z", "123q", ""]
    texts += [" ".join("".join(group["tiles"]) for group in part["sets"]) for part in scored[:3]]
    return found + [outcome(inside.reading_claim, deal, seat, text) for text in texts]
