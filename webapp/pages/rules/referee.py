"""The referee's page: a situation, and the ruling of each system of rules side by side.

No rule is known here: what is ruled is in the rulesets and on the sheets, with its citation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from flask import Blueprint, abort, render_template, request, url_for
from flask_babel import gettext

from scorer import RulesetInfo
from scorer.rules.rulebook import load_ruleset
from scorer.rules.ruleset import Ruleset
from webapp.club_settings.words import rules_words
from webapp.course.library import lacks_some
from webapp.course.situations import Situation, asked_about, situations, told
from webapp.language.chosen import chosen_language
from webapp.pages.rules.finding import MAX_QUESTION
from webapp.pages.rules.passages import house_rules, of_ruleset, own_rulesets
from webapp.rulesets.shown import asks_under, house_rules_words, ruleset_name, rulesets
from webapp.security.policy import ANYBODY, Policy

pages = Blueprint("referee", __name__, url_prefix="/learn/referee")

MOST: Final = 5
"""Maximum number of other situations that are offered."""

_DOCUMENT: Final = re.compile(r"\d{3}(?= )")
"""The number of a document, with which a citation of one begins."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What one system says of a situation.

    Attributes:
        text: what it says.
        cite: where that is written.
        url: where more of it stands.
        taken_from: the name of the rules from which it is taken, if its own document does not say.
        title: what the rule is called, if it has a name.
    """

    text: str
    cite: tuple[str, ...]
    url: str
    taken_from: str = ""
    title: str = ""


@pages.get("")
@Policy(ANYBODY)
def index() -> str:
    """Show the situation that a question is about, or all of them."""
    language = chosen_language()
    asked = request.args.get("q", "")[:MAX_QUESTION].strip()
    if not asked:
        return _page(None, situations(language), asked)
    found = asked_about(asked, language)
    return _page(found[0], found[1:][:MOST], asked) if found else _page(None, [], asked)


@pages.get("/<name>")
@Policy(ANYBODY)
def situation(name: str) -> str:
    """Show one situation."""
    known = situations(chosen_language())
    found = next((each for each in known if each.id == name), None)
    if found is None:
        abort(404, gettext("There is no such situation. Choose one from the list."))
    return _page(found, [], "")


def _page(found: Situation | None, others: Sequence[Situation], asked: str) -> str:
    own, language = own_rulesets(), chosen_language()
    systems = sorted(rulesets(), key=lambda each: each.id not in own)
    rulings = [] if found is None else [(info, list(_rulings(found, info))) for info in systems]
    return render_template(
        "rules/referee.html",
        asked=asked,
        found=found,
        others=others,
        lacking=lacks_some(language) or any(it.language != language for it in situations(language)),
        rulings=[(info, told) for info, told in rulings if told or asks_under(info.id, {}).others],
        named={info.id: rules_words(info.id, house_rules(info.id)) for info in systems},
    )


def _rulings(found: Situation, info: RulesetInfo) -> Iterator[Ruling]:
    rules = load_ruleset(info.id, house_rules(info.id))
    told_here = list(_told(found, info.id))
    told_by = told_here or list(_by_rules(found.or_rules, info, rules))
    yield from told_by or _told_by_base(found, rules)
    yield from _by_rules(found.rules, info, rules)


def _told(found: Situation, ruleset: str, taken_from: str = "") -> Iterator[Ruling]:
    """What the sheets about a ruleset tell."""
    for reference in found.told:
        passage = told(reference, chosen_language())
        if passage.ruleset == ruleset:
            url = url_for("course.sheet", name=passage.sheet, _anchor=f"part-{passage.part}")
            yield Ruling(passage.text, passage.cite, url, taken_from)


def _told_by_base(found: Situation, rules: Ruleset) -> Iterator[Ruling]:
    """What is told of the rules on which these are built."""
    if rules.base is None:
        return
    base = load_ruleset(rules.base)
    yield from list(_told(found, base.id, ruleset_name(base))) or _told_by_base(found, base)


def _by_rules(ids: tuple[str, ...], info: RulesetInfo, rules: Ruleset) -> Iterator[Ruling]:
    """What the rules, penalties, statuses and house rules of a ruleset say."""
    by_key = {passage.key: passage for passage in of_ruleset(info)} if ids else {}
    options = {option.id: option for option in rules.option}
    for own in ids:
        passage, option = by_key.get(own), options.get(own)
        if passage is not None:
            lender = _borrowed(passage.cite, rules)
            yield Ruling(passage.text, passage.cite, passage.url, lender, passage.title)
        elif option is not None:
            words = house_rules_words(info.id, {own: rules.setting_of(option)})
            url = url_for("learning.rules", ruleset=info.id)
            yield Ruling(words, (option.cite,), url, _borrowed((option.cite,), rules))


def _borrowed(cites: tuple[str, ...], rules: Ruleset) -> str:
    """The name of the rules that are cited where none of the documents of these is; else empty."""
    numbers = {found[0] for cite in cites if (found := _DOCUMENT.match(cite))}
    if not numbers or not rules.documents or numbers & {*rules.documents}:
        return ""
    lenders = (info for info in rulesets() if numbers & {*load_ruleset(info.id).documents})
    lender = next(lenders, None)
    return "" if lender is None else ruleset_name(lender)
