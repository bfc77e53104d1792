"""The rows of a ruleset as lists for people: what each is called, what it brings, where it says so.

Nothing here knows a rule: the words and figures are the ruleset's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from scorer.rules.rule import Rule
from scorer.rules.ruleset import Ruleset
from webapp.language.noted import noted

_CLASSES: Final = {
    "any": noted("any kind"),
    "suit": noted("suit tiles"),
    "honour": noted("honours"),
    "minor": noted("minors"),
    "major": noted("majors"),
    "dragon": noted("dragons"),
    "own_wind": noted("the own wind"),
    "round_wind": noted("the wind of the round"),
    "own_bonus": noted("the own number"),
}
"""What stands for the tile in the text of a rule that is paid per set or bonus tile."""

Unit = Literal["points", "doubles"]
Who = Literal["everyone", "winner"]


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One rule: its id, words, the points or doubles that it brings, and its citation."""

    id: str
    text: str
    worth: int
    unit: Unit
    cite: str


@dataclass(frozen=True, slots=True)
class RuleSection:
    """The rules of one unit that every player has, or the winner alone."""

    unit: Unit
    who: Who
    beside_special: bool
    rows: tuple[RuleRow, ...]


def rule_title(rule: Rule) -> str:
    """The text of a rule, the class of its tiles in words."""
    tiles = rule.per_set.tiles if rule.per_set is not None else rule.per_bonus
    return rule.text.replace(": {tile}", "").replace("{tile}", _CLASSES.get(tiles or "", "..."))


def rule_row(rule: Rule) -> RuleRow:
    """A rule as a row of a list."""
    if rule.doubles is not None:
        return RuleRow(rule.id, rule_title(rule), rule.doubles, "doubles", rule.cite)
    return RuleRow(rule.id, rule_title(rule), rule.points or 0, "points", rule.cite)


def titles(ruleset: Ruleset) -> dict[str, str]:
    """What each rule and special hand is called, by its id."""
    named = {rule.id: rule_title(rule) for rule in ruleset.rule}
    return named | {hand.id: hand.name for hand in ruleset.special_hand}


def rule_sections(ruleset: Ruleset) -> Iterator[RuleSection]:
    """The rules that are played: points, then doubles, then what goes with special hands."""
    played = [rule for rule in ruleset.rule if rule.enabled and (rule.points or rule.doubles)]
    units: tuple[Unit, ...] = ("points", "doubles")
    whose: tuple[Who, ...] = ("everyone", "winner")
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
