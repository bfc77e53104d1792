"""The five rule systems, and a table of players under each to be walked through."""

from __future__ import annotations

from typing import Any, Final

from scorer.game.winds import Table
from scorer.rules.rulebook import load_ruleset

U3A: Final = "bmja-u3a"
MJBR: Final = "bmja-mjbr"
MING: Final = "ming-1876"
UK: Final = "uk-1924"
WESTERN: Final = "western"


def table_of(system: str, places: tuple[str | None, ...], **changes: Any) -> Table:
    """The table of a game under that system, with house rules."""
    ruleset = load_ruleset(system, changes)
    rules = ruleset.game
    rounds = rules.rounds_three_players if None in places else rules.rounds
    return Table(places, rules, ruleset.dealer_moves, rounds)
