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

Unit = Literal["points", "doubles"]

FIGURE_NAMES: Final = {
    "points": lazy_gettext("Points"),
    "doubles": lazy_gettext("Doubles"),
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
    """One rule: its id and text, how many points or doubles it is worth, and its citation."""

    id: str
    text: Message
    worth: int
    unit: Unit
    cite: str


@dataclass(frozen=True, slots=True)
class RuleSection:
    """Rules under one heading.

    Attributes:
        unit: what they are worth, points or doubles.
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
    if rule.doubles is not None:
        return RuleRow(rule.id, rule.title, rule.doubles, "doubles", rule.cite)
    return RuleRow(rule.id, rule.title, rule.points or 0, "points", rule.cite)


def titles(ruleset: Ruleset) -> dict[str, Message]:
    """The names of all rules and special hands, by id."""
    named = {rule.id: rule.title for rule in ruleset.rule}
    return named | {hand.id: plain_words(hand.name) for hand in ruleset.special_hand}


def rule_sections(ruleset: Ruleset) -> Iterator[RuleSection]:
    """The rules that are played: points, doubles, then those that count beside special hands."""
    played = [rule for rule in ruleset.rule if rule.enabled and (rule.points or rule.doubles)]
    units: tuple[Unit, ...] = ("points", "doubles")
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
