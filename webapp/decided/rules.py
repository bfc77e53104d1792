"""The club's rules as they can be played now."""

from __future__ import annotations

from dataclasses import replace

from scorer import DealError
from scorer.rules.rulebook import load_ruleset
from webapp.decided.groups import ClubRules
from webapp.rulesets.shown import rules_of, rulesets
from webapp.rulesets.versions import family


def playable(decided: ClubRules) -> ClubRules | None:
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
    return replace(decided, ruleset=newest, changes=changes)
