"""The club's rules as they can be played now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scorer import DealError
from scorer.deal import ChangeValue
from scorer.rules.rulebook import load_ruleset
from webapp.club_settings.groups import ClubRules
from webapp.rulesets.shown import rules_of, rulesets
from webapp.rulesets.versions import family


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules that can be played.

    Attributes:
        ruleset: the id of the ruleset.
        changes: settings of the ruleset's options, by option id.
        rounds: the number of rounds of a game; None for as many as the rules say.
        season: the name of the season for which alone they were decided; empty otherwise.
    """

    ruleset: str
    changes: Mapping[str, ChangeValue]
    rounds: int | None = None
    season: str = ""

    def are(self, ruleset: str, changes: Mapping[str, ChangeValue]) -> bool:
        """Whether these are the rules of a table or a hand."""
        return self.ruleset == ruleset and dict(self.changes) == dict(changes)


def playable(decided: ClubRules) -> Rules | None:
    """The club's rules in their newest version, without house rules that it no longer has.

    None if the club has decided nothing, or if its ruleset is no longer here.
    """
    if decided.ruleset is None:
        return None
    first = family(decided.ruleset)
    newest = next((info.id for info in rulesets() if family(info.id) == first), None)
    if newest is None:
        return None
    known = {option.id for option in rules_of(newest).options}
    changes = {name: value for name, value in decided.changes.items() if name in known}
    try:
        load_ruleset(newest, changes)
    except DealError:
        changes = {}
    return Rules(newest, changes, decided.rounds)
