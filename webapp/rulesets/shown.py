"""The rulesets as the page shows them: which can be chosen, and what their results are called."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from flask_babel import gettext, ngettext

from scorer import DealError, RulesetInfo, list_rulesets
from scorer.deal import ChangeValue
from scorer.facts.value import COUNTED
from scorer.messages import say
from scorer.rules.folder import rulesets_folder
from scorer.rules.info import Asks, asks, settings_told
from scorer.rules.rulebook import load_ruleset
from scorer.rules.ruleset import Ruleset
from webapp.language.noted import note
from webapp.language.numbers import grouped
from webapp.language.translation import translated
from webapp.rulesets.versions import superseded, version_of

Changes = Mapping[str, ChangeValue]
"""House rules by the ids of their options."""


def _all() -> dict[str, RulesetInfo]:
    return _all_of(rulesets_folder())


@cache
def _all_of(_folder: Path | None) -> dict[str, RulesetInfo]:
    return {info.id: info for info in list_rulesets()}


def rulesets() -> tuple[RulesetInfo, ...]:
    """The rulesets that can be chosen, the default first; of a club's own the newest versions."""
    return _newest(rulesets_folder())


@cache
def _newest(_folder: Path | None) -> tuple[RulesetInfo, ...]:
    old = superseded()
    return tuple(info for info in _all().values() if info.id not in old)


def rules_of(ruleset: str) -> RulesetInfo:
    """The ruleset with this id; the default ruleset if the id is unknown."""
    return _all().get(ruleset) or rulesets()[0]


def forget_rulesets() -> None:
    """Clear the cached rulesets, so that a club's new file is seen at the next question."""
    _all_of.cache_clear()
    _newest.cache_clear()


def ruleset_name(rules: RulesetInfo | Ruleset) -> str:
    """The name of a ruleset; a later version of a club's own is called so."""
    number = version_of(rules.id)
    first = rules.name.removesuffix(f", version {number}")
    if first == rules.name:
        return translated(first)
    return translated(note("{name}, version {number}", name=translated(first), number=number))


def _changed(ruleset: str, changes: Changes) -> Ruleset | None:
    """The ruleset with house rules; None where it is known no more."""
    try:
        return load_ruleset(ruleset, changes)
    except DealError:
        return None


def asks_under(ruleset: str, changes: Changes) -> Asks:
    """What these rules ask about a deal; those of the default rules where they are not known."""
    return asks(_changed(ruleset, changes) or load_ruleset(rulesets()[0].id))


def came_to(ruleset: str, changes: Changes, part: Mapping[str, Any]) -> str:
    """What a player's score came to, as the table calls it: “3 faan”, or its points.

    Args:
        ruleset: the id of the ruleset.
        changes: house rules.
        part: the JSON form of the score.
    """
    rules = _changed(ruleset, changes)
    value = None if rules is None else rules.value
    if value is None or "base" not in part or part["hand"] == "claimed":
        return grouped(part["total"])
    return translated(value.told(part["fan"], part["fu"], part["limits"]))


def worth_told(ruleset: str, number: int, unit: str) -> str:
    """What a line is worth in its unit, a field of :class:`scorer.result.Line`."""
    told = {"count": grouped(number)}
    if unit == "doubles":
        return str(ngettext("%(num)s double", "%(num)s doubles", number))
    if unit == "fan":
        called = asks_under(ruleset, {}).unit or unit
        return translated(say(COUNTED[called], fan=number))
    if unit == "fu":
        return str(gettext("%(count)s fu", **told))
    if unit == "limits":
        return str(ngettext("%(count)s limit", "%(count)s limits", number, **told))
    rules = _changed(ruleset, {})
    if rules is not None and rules.value is not None and rules.value.kind != "sum":
        return str(ngettext("%(count)s base point", "%(count)s base points", number, **told))
    return str(ngettext("%(count)s point", "%(count)s points", number, **told))


def joker_of(ruleset: str, changes: Changes) -> str | None:
    """The tile that is the joker in a goulash by these rules; None where none is played."""
    rules = _changed(ruleset, changes)
    return None if rules is None or rules.goulash is None else rules.goulash.wild


def points_words(ruleset: str, changes: Changes, points: int) -> str:
    """Points of a hand as its rules count them: “5 1/2 x 4 = 22”, or the points alone."""
    rules = _changed(ruleset, changes)
    counted = None if rules is None else rules.counted(points)
    return (
        grouped(points) if counted is None else counted.replace(" x ", " \N{MULTIPLICATION SIGN} ")
    )


def house_rules_words(ruleset: str, changes: Changes) -> str:
    """House rules by the names of their options and settings."""
    return translated(settings_told(rules_of(ruleset), changes))


def hand_words(ruleset: str, hand: str) -> str:
    """The name of a result's ``hand``; ``fishing:<id>`` is an award for fishing for that hand."""
    fixed = {
        "ordinary": gettext("Ordinary hand"),
        "none": gettext("No score"),
        "claimed": gettext("Total as entered"),
    }
    if hand in fixed:
        return str(fixed[hand])
    fishing, _, name = hand.rpartition(":")
    names = {special.id: special.name for special in rules_of(ruleset).special_hands}
    title: str = gettext(names.get(name, name.replace("_", " ").capitalize()))
    return str(gettext("Fishing for %(hand)s", hand=title)) if fishing else title
