"""Versions of a club's rules: the newest is offered, the earlier ones count for what was scored."""

from __future__ import annotations

import re
from typing import Final

from scorer.rules.files import shipped
from scorer.rules.rulebook import ruleset_ids

_VERSION: Final = re.compile(r"-v([1-9]\d{0,3})$")


def family(ruleset_id: str) -> str:
    """What all versions of a ruleset have in common in their ids."""
    return _VERSION.sub("", ruleset_id)


def version_of(ruleset_id: str) -> int:
    """The number of a version; 1 for an id without one."""
    found = _VERSION.search(ruleset_id)
    return int(found[1]) if found else 1


def club_ids() -> list[str]:
    """The club's own rulesets in their newest versions."""
    newest: dict[str, str] = {}
    for own in ruleset_ids():
        if own not in shipped():
            first = family(own)
            newest[first] = max(newest.get(first, own), own, key=version_of)
    return sorted(newest.values())


def superseded() -> frozenset[str]:
    """The rulesets of which there is a newer version."""
    kept = {*club_ids(), *shipped()}
    return frozenset(own for own in ruleset_ids() if own not in kept)
