"""Rulesets, their options and their differences as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import fill
from typing import Final

from scorer.deal import ChangeValue
from scorer.english.sources import cited
from scorer.explain.difference import Difference
from scorer.rules.info import OptionInfo, SpecialHandInfo, describe
from scorer.rules.rule import Rule
from scorer.rules.ruleset import Ruleset
from webapp.rulesets.words import rule_row

_WIDTH: Final = 96
"""Maximum number of characters of a line of running text."""

_TEXT_WIDTH: Final = 70
"""Characters of the column of the rules' texts."""

_EXPOSED: Final = {
    "any": "Sets may be exposed.",
    "last_claimed": "Only the last tile may be claimed.",
    "none": "Every tile must be drawn.",
}
"""The words for how much of a special hand may be exposed."""

_WHOSE: Final = {
    "everyone": "every player",
    "winner": "the winner",
    "winner_or_fishing": "the winner, and anyone who called fishing",
}
"""Whose points and doubles they are."""

_UNITS: Final = {
    "points": "Points",
    "doubles": "Doubles",
    "fan": "Fan",
    "limits": "Limit hands",
    "fu": "Fu",
}
"""The headings of what rules are worth."""

_PARTS: Final = {
    "ruleset": "The ruleset as a whole",
    "rule": "Points and doubles",
    "special_hand": "Special hands",
    "penalty": "Penalties",
    "source": "Ways of going out",
    "flag": "Questions about a win",
    "status": "Hands with a wrong number of tiles",
    "option": "House rules that a club may set",
}
"""The headings for the parts of a ruleset."""


def value_text(value: ChangeValue) -> str:
    """The value of an option as it is written in a deal or a ruleset file."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def ruleset_list(rulesets: Iterable[Ruleset]) -> str:
    """The rulesets one after another: id, name, description and what each is based on."""
    return "\n\n".join("\n".join(_heading(ruleset)) for ruleset in rulesets)


def option_table(options: Iterable[OptionInfo]) -> str:
    """The options of a ruleset: name, possible values and effect of each."""
    parts: list[str] = []
    for option in options:
        choices = "; ".join(f"{own}: {name}" for own, name in option.choices)
        span = f"{option.minimum} to {option.maximum}"
        taken = {"boolean": "true or false", "integer": span}.get(option.kind, choices)
        parts += [
            f"{option.id} = {value_text(option.default)}  ({taken})",
            f"    {_named(option)} [{cited(option.cite)}]",
        ]
    return "\n".join(parts)


def _named(option: OptionInfo) -> str:
    return f"{option.name}: {option.help}" if option.help else str(option.name)


def ruleset_text(ruleset: Ruleset) -> str:
    """A whole ruleset: points, doubles, special hands, settlement and penalties."""
    info = describe(ruleset)
    played = [rule for rule in ruleset.rule if rule.enabled]
    unplayed = [rule for rule in ruleset.rule if not rule.enabled]
    lines = list(_heading(ruleset))
    for unit, called in _UNITS.items():
        for who, words in _WHOSE.items():
            chosen = [
                rule
                for rule in played
                if rule.who == who
                and getattr(rule, unit) is not None
                and rule.group != "special_bonus"
            ]
            lines += _section(_heading_of(ruleset, unit, called, words), map(_rule, chosen))
    beside = [rule for rule in played if rule.group == "special_bonus"]
    lines += _section("Flowers and seasons with special hands", map(_rule, beside))
    shapes = {hand.id: hand.shape for hand in ruleset.special_hand}
    specials = (_special(hand, shapes[hand.id]) for hand in info.special_hands)
    lines += _section("Special hands", specials)
    idle = [hand for hand in ruleset.special_hand if not hand.enabled]
    hands = (_paragraph(hand.name, hand.description, hand.cite) for hand in idle)
    lines += _section("Not played unless a club switches it on", [*map(_rule, unplayed), *hands])
    lines += _section("How it is played", _terms(ruleset))
    penalties = (_paragraph(it.name, it.help, it.cite) for it in ruleset.penalty)
    lines += _section("Penalties", penalties if ruleset.penalties_apply else ())
    counts = (_paragraph(it.name, it.help, it.cite) for it in ruleset.status if it.cite)
    lines += _section("Wrong numbers of tiles", counts)
    count = len(info.options)
    lines += ["", f"{count} house rules: kongbox rules options --ruleset {ruleset.id}"]
    return "\n".join(lines)


def difference_table(one: Ruleset, other: Ruleset, found: Iterable[Difference]) -> str:
    """The differences between two rulesets, grouped by the parts of a ruleset."""
    lines = [f"{one.id}: {one.name}", f"{other.id}: {other.name}"]
    part = entry = ""
    for gap in found:
        if gap.part != part:
            part, entry = gap.part, ""
            lines += ["", _PARTS[part]]
        if gap.id and gap.id != entry:
            entry = gap.id
            lines.append(f"  {gap.id} ({_plain(gap.name)})")
        lines += _difference(gap, one.id, other.id)
    return "\n".join(lines if part else [*lines, "", "They do not differ."])


def _difference(gap: Difference, one: str, other: str) -> list[str]:
    if gap.one is None or gap.other is None:
        here = other if gap.one is None else one
        return [f"      only in {here}"]
    values = (_plain(cited(str(gap.one))), _plain(cited(str(gap.other))))
    told = f"{gap.label}: {values[0]} -> {values[1]}"
    if len(told) <= _WIDTH - 6:
        return [f"      {told}"]
    sides = zip((one, other), values, strict=True)
    return [f"      {gap.label}", *(_wrapped(f"{name}: {value}", 10) for name, value in sides)]


def _plain(text: str) -> str:
    return text.replace("{tile}", "...").replace("{", "").replace("}", "")


def _wrapped(text: str, indent: int) -> str:
    blanks = " " * indent
    return fill(text, _WIDTH, initial_indent=blanks, subsequent_indent=f"{blanks}  ")


def _heading(ruleset: Ruleset) -> Iterator[str]:
    usual = ", the usual one" if ruleset.default else ""
    yield f"{ruleset.id}: {ruleset.name}{usual}"
    yield _wrapped(ruleset.description, 4)
    if ruleset.base is not None:
        yield f"    Builds on {ruleset.base}."
    if ruleset.changes:
        changes = (f"{name} = {value_text(value)}" for name, value in ruleset.changes.items())
        yield _wrapped(f"House rules: {', '.join(changes)}", 4)


def _heading_of(ruleset: Ruleset, unit: str, called: str, words: str) -> str:
    """The heading of rules of a unit; fan and what goes with them are the winner's."""
    if ruleset.value is None:
        return f"{called}: {words}"
    return ruleset.value.unit.capitalize() if unit == "fan" else called


def _section(title: str, lines: Iterable[str]) -> list[str]:
    found = list(lines)
    return ["", title, *found] if found else []


def _rule(rule: Rule) -> str:
    row = rule_row(rule)
    return f"  {row.worth:>4}  {row.text:<{_TEXT_WIDTH}} [{cited(row.cite)}]"


def _special(hand: SpecialHandInfo, shape: str) -> str:
    fishing = "" if hand.fishing is None else f", fishing {hand.fishing}"
    how = "" if shape == "complete" else f" {_EXPOSED[hand.exposed]}"
    text = f"{hand.description}{how}"
    return _paragraph(f"{hand.name}: {hand.won}{fishing}", text, hand.cite)


def _paragraph(title: str, text: str, cite: str) -> str:
    return f"  {title} [{cited(cite)}]\n{_wrapped(text, 6)}"


def _terms(ruleset: Ruleset) -> Iterator[str]:
    """The limit, chows, goulash, settlement and the course of a game."""
    limit, goulash, value = ruleset.limit, ruleset.goulash, ruleset.value
    if value is not None:
        yield _paragraph("What a hand comes to", value.text, value.cite)
    if limit is not None:
        yield _paragraph("Limit", str(ruleset.limit_text), limit.cite)
    yield _paragraph("Chows", ruleset.chows.text, ruleset.chows.cite)
    if goulash is not None:
        yield _paragraph("Goulash", goulash.text, goulash.cite)
    settlement = ruleset.settlement
    cites = [settlement.cite, settlement.losers_cite]
    both = "; ".join(cited(cite) for cite in cites if cite is not None)
    yield _paragraph("Settlement", settlement.text, both)
    game = ruleset.game
    drawn = f" {game.drawn_text}" if value is None else ""
    yield _paragraph("The game", f"{game.text}{drawn}", game.cite)
    if ruleset.counters is not None:
        yield _paragraph("Counters", ruleset.counters.text, ruleset.counters.cite)
