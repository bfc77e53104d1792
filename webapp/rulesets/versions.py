"""Versions of a club's rulesets: new deals are offered the newest, old deals keep theirs."""

from __future__ import annotations

import re
from typing import Final

from scorer.rules.files import shipped
from scorer.rules.rulebook import ruleset_ids

_VERSION: Final = re.compile(r"-v([1-9]\d{0,3})$")
"""The end of a ruleset's id that gives its version."""


def family(ruleset_id: str) -> str:
    """The id without its version, which all versions of a ruleset have in common."""
    return _VERSION.sub("", ruleset_id)


def version_of(ruleset_id: str) -> int:
    """The version that an id ends in, from 1; 1 for an id without one."""
    found = _VERSION.search(ruleset_id)
    return int(found[1]) if found else 1


def club_ids() -> list[str]:
    """The ids of the club's own rulesets, each in its newest version, sorted."""
    newest: dict[str, str] = {}
    for own in ruleset_ids():
        if own not in shipped():
            first = family(own)
            newest[first] = max(newest.get(first, own), own, key=version_of)
    return sorted(newest.values())


def superseded() -> frozenset[str]:
    """The ids of the club's rulesets of which there is a newer version."""
    kept = {*club_ids(), *shipped()}
    return frozenset(own for own in ruleset_ids() if own not in kept)
