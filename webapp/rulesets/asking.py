"""What to ask at another table: the differences between two rulesets, as questions.

No rule is known here: what is asked follows from what differs, in the words of the rulesets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from flask_babel import gettext, lazy_gettext, ngettext

from scorer.explain.difference import Difference, differences
from scorer.messages import Message, plain_words, say
from scorer.rules.rule import Question, Rule, SpecialHand
from scorer.rules.ruleset import PenaltyRule, Ruleset
from webapp.language.translation import translated
from webapp.rulesets.words import FIGURE_NAMES, rule_row

TOPICS: Final = {
    "ruleset": lazy_gettext("How it is played"),
    "special_hand": lazy_gettext("Special hands"),
    "rule": lazy_gettext("Points and doubles"),
    "penalty": lazy_gettext("Mistakes and penalties"),
    "status": lazy_gettext("A wrong number of tiles"),
}
"""The headings of the questions, by the parts of a ruleset, in the order of an evening."""

TOLD_WHOLE: Final = {
    "limit": lazy_gettext("The limit"),
    "chows": lazy_gettext("Chows"),
    "goulash": lazy_gettext("Goulash"),
}
"""Keys of a ruleset that are asked about as a whole, where their own words differ."""

TOLD_OTHERWISE: Final = frozenset({"text", "name", "help", "description", "bonus", "family"})
"""The last words of keys that only word, or only order, what other keys say."""

NONE: Final = say("said_none")
"""What is said of a value that is none."""

Entry = Rule | SpecialHand | PenaltyRule | Question


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to the people at another table.

    Attributes:
        subject: the part of the ruleset and the id or key that it is about.
        question: the question.
        ours: the answer by the rules that are usual here.
        theirs: the answer by the other rules.
    """

    subject: tuple[str, str]
    question: str
    ours: str
    theirs: str


def questions(ours: Ruleset, theirs: Ruleset) -> dict[str, list[Asked]]:
    """What to ask where two rulesets differ, by topic; nothing where they do not."""
    found: dict[str, dict[tuple[str, str], list[Difference]]] = {part: {} for part in TOPICS}
    for gap in differences(ours, theirs):
        if matters(gap):
            found[gap.part].setdefault(subject_of(gap), []).append(gap)
    both = ours, theirs
    asked = {part: list(_asked(both, subjects)) for part, subjects in found.items()}
    return {part: listed for part, listed in asked.items() if listed}


def subject_of(gap: Difference) -> tuple[str, str]:
    """The part of the ruleset and the id or key under which a difference is asked about."""
    head = gap.key.partition(".")[0]
    own = head if head in TOLD_WHOLE else gap.key
    return gap.part, gap.id or own


def matters(gap: Difference) -> bool:
    """Whether a difference changes what is played, not only what it is called."""
    return gap.part in TOPICS and gap.key.rpartition(".")[2] not in TOLD_OTHERWISE


def _asked(
    both: tuple[Ruleset, Ruleset], subjects: Mapping[tuple[str, str], list[Difference]]
) -> Iterator[Asked]:
    yield from _special_hands(both, [own for part, own in subjects if part == "special_hand"])
    for subject, gaps in subjects.items():
        part, own = subject
        if part == "ruleset":
            yield from _own(subject, both, gaps)
            continue
        one, other = (_entry(rules, part, own) for rules in both)
        yield from _about(subject, one, other, gaps)


def _own(
    subject: tuple[str, str], both: tuple[Ruleset, Ruleset], gaps: list[Difference]
) -> Iterator[Asked]:
    """What differs in a ruleset as a whole: in its own words, or key by key."""
    key = subject[1]
    if key in TOLD_WHOLE:
        one, other = (_told(rules, key) for rules in both)
        if one != other:
            yield Asked(subject, f"{TOLD_WHOLE[key]}?", one, other)
            return
    for gap in gaps:
        yield Asked(subject, f"{translated(gap.label)}?", *_sides(gap))


def _told(rules: Ruleset, key: str) -> str:
    """What a ruleset says of one of its tables."""
    table = getattr(rules, key)
    if table is None or (key == "limit" and rules.limit_in_force() is None):
        return str(gettext("Not in these rules"))
    return translated(rules.limit_text if key == "limit" else table.text)


def _sides(gap: Difference) -> tuple[str, str]:
    one, other = (_capital(_said(told)) for told in (gap.one, gap.other))
    return one, other


def _said(value: Message | None) -> str:
    """A value in which two rulesets differ."""
    return str(gettext("Nothing")) if value == NONE else translated(value or "")


def _entry(rules: Ruleset, part: str, own: str) -> Entry | None:
    """An entry that is played; None if there is none."""
    entries: Iterable[Entry] = getattr(rules, part)
    found = next((entry for entry in entries if entry.id == own), None)
    if part == "penalty" and not rules.penalties_apply:
        return None
    return found if found is None or getattr(found, "enabled", True) else None


def _about(
    subject: tuple[str, str], one: Entry | None, other: Entry | None, gaps: list[Difference]
) -> Iterator[Asked]:
    """The question about an entry; its answers, or the house rules in which it differs."""
    known = one or other
    if known is None or (subject[0] == "special_hand" and not (one and other)):
        return
    answers = _answer(one), _answer(other)
    if answers[0] != answers[1]:
        yield Asked(subject, _question(known), *answers)
        return
    for gap in gaps:
        yield Asked(subject, _detail(known, gap), *_sides(gap))


def _detail(entry: Entry, gap: Difference) -> str:
    """The question about one key of an entry that both have."""
    if gap.label != gap.key:
        return f"{translated(gap.label)}?"
    if gap.key in FIGURE_NAMES:
        return f"{_name(entry)}: {FIGURE_NAMES[gap.key]}?"
    if gap.key == "unless":
        return str(gettext("When does “%(what)s” not count?", what=_name(entry)))
    return str(gettext("When does “%(what)s” count?", what=_name(entry)))


def _special_hands(both: tuple[Ruleset, Ruleset], differing: list[str]) -> Iterator[Asked]:
    """One question about all special hands that only one of the rulesets has."""
    played = [{own for own in differing if _entry(rules, "special_hand", own)} for rules in both]
    lists = []
    for rules, mine, others in zip(both, played, reversed(played), strict=True):
        entries = (hand for hand in rules.special_hand if hand.id in mine - others)
        lists.append([translated(hand.name) for hand in entries])
    if any(lists):
        question = gettext("Which special hands do you play?")
        told = (gettext("; ").join(names) or gettext("No others") for names in lists)
        yield Asked(("special_hand", ""), str(question), *map(str, told))


def _question(entry: Entry) -> str:
    name = _name(entry)
    if isinstance(entry, Rule):
        return str(gettext("What is “%(what)s” worth?", what=name))
    if isinstance(entry, SpecialHand):
        return str(gettext("%(hand)s: which tiles?", hand=name))
    return str(gettext("%(fault)s: what happens then?", fault=name))


def _name(entry: Entry) -> str:
    return translated(entry.title if isinstance(entry, Rule) else plain_words(entry.name))


def _answer(entry: Entry | None) -> str:
    """What a ruleset says about an entry of its own, or that it has none."""
    if entry is None:
        return str(gettext("Nothing"))
    if isinstance(entry, Rule):
        return _worth(entry)
    if isinstance(entry, SpecialHand):
        return translated(entry.description)
    rights = entry.rights if isinstance(entry, Question) else ()
    return " ".join(translated(told) for told in (entry.help, *rights))


def _worth(rule: Rule) -> str:
    row = rule_row(rule)
    if not row.worth:
        return str(gettext("Nothing"))
    if row.unit == "points":
        worth = ngettext("%(num)s point", "%(num)s points", row.worth)
    else:
        worth = ngettext("%(num)s double", "%(num)s doubles", row.worth)
    if rule.who == "winner":
        return str(gettext("%(worth)s for the winner", worth=worth))
    if rule.who == "winner_or_fishing":
        return str(gettext("%(worth)s for the winner and anyone who called fishing", worth=worth))
    return str(gettext("%(worth)s for everybody", worth=worth))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
