"""The rules of a ruleset as lists for people: the text, the worth and the citation of each.

No rule is known here: the words and figures are the ruleset's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, get_args

from flask_babel import lazy_gettext

from scorer.messages import Message, plain_words
from scorer.rules.rule import Rule, Who
from scorer.rules.ruleset import Ruleset

Unit = Literal["points", "doubles", "fan", "fu", "limits"]

FIGURE_NAMES: Final = {
    "points": lazy_gettext("Points"),
    "doubles": lazy_gettext("Doubles"),
    "fan": lazy_gettext("Fan"),
    "fan_exposed": lazy_gettext("Fan of an exposed hand"),
    "fu": lazy_gettext("Fu"),
    "limits": lazy_gettext("Limits"),
    "limit": lazy_gettext("Part of the limit"),
    "won.limit": lazy_gettext("Won: part of the limit"),
    "won.times_points": lazy_gettext("Won: times its points"),
    "fishing.limit": lazy_gettext("Fishing: part of the limit"),
    "fishing.times_points": lazy_gettext("Fishing: times its points"),
    "cite": lazy_gettext("Source"),
    "enabled": lazy_gettext("It counts"),
}
"""The words for the figures of an entry, by their keys."""


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One rule: its id and text, its worth and the unit, and its citation.

    ``exposed`` is its worth in a hand with an exposed meld, where that is another.
    """

    id: str
    text: Message
    worth: int
    unit: Unit
    cite: str
    exposed: int | None = None


@dataclass(frozen=True, slots=True)
class RuleSection:
    """Rules under one heading.

    Attributes:
        unit: what they are worth.
        who: whether every player can score them, or the winner only.
        beside_special: whether they count beside a special hand.
        rows: the rules, in the order of the ruleset.
    """

    unit: Unit
    who: Who
    beside_special: bool
    rows: tuple[RuleRow, ...]


def rule_row(rule: Rule) -> RuleRow:
    """A rule as a row of a list."""
    units: tuple[Unit, ...] = get_args(Unit)
    unit = next((each for each in units if getattr(rule, each) is not None), units[0])
    worth = getattr(rule, unit) or 0
    return RuleRow(rule.id, rule.title, worth, unit, rule.cite, rule.fan_exposed)


def titles(ruleset: Ruleset) -> dict[str, Message]:
    """The names of all rules and special hands, by id."""
    named = {rule.id: rule.title for rule in ruleset.rule}
    return named | {hand.id: plain_words(hand.name) for hand in ruleset.special_hand}


def rule_sections(ruleset: Ruleset) -> Iterator[RuleSection]:
    """The rules that are played, by what they are worth, then those beside special hands."""
    played = [rule for rule in ruleset.rule if rule.enabled and rule_row(rule).worth]
    units: tuple[Unit, ...] = get_args(Unit)
    whose: tuple[Who, ...] = get_args(Who)
    usual = [rule for rule in played if rule.group != "special_bonus"]
    for unit in units:
        for who in whose:
            chosen = (r for r in usual if r.who == who and getattr(r, unit) is not None)
            yield from _section(unit, who, chosen, beside_special=False)
    beside = [rule for rule in played if rule.group == "special_bonus"]
    for unit in units:
        chosen = (rule for rule in beside if getattr(rule, unit) is not None)
        yield from _section(unit, "everyone", chosen, beside_special=True)


def _section(
    unit: Unit, who: Who, rules: Iterable[Rule], *, beside_special: bool
) -> Iterator[RuleSection]:
    rows = tuple(rule_row(rule) for rule in rules)
    if rows:
        yield RuleSection(unit, who, beside_special, rows)
