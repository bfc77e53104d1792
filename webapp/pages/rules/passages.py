"""What can be found: the passages of the course, of the glossary and of every ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from flask import url_for
from flask_babel import gettext, ngettext

from scorer import RulesetInfo
from scorer.deal import ChangeValue
from scorer.rules.rule import Question
from scorer.rules.rulebook import load_ruleset
from scorer.rules.ruleset import PenaltyRule
from webapp.course.glossary import Word, glossary, questions
from webapp.course.library import elsewhere, sheets
from webapp.course.search import Passage
from webapp.course.sheet import Sheet
from webapp.language.translation import translated
from webapp.rulesets.shown import ruleset_name, rulesets
from webapp.rulesets.versions import club_ids
from webapp.rulesets.words import RuleRow, rule_sections
from webapp.services import services


def told(language: str) -> Iterator[Passage]:
    """The passages of the sheets and of the glossary, and what beginners ask about them."""
    asked = questions(language)
    for passage in _told(language):
        yield replace(passage, asked=asked.get(passage.url.rpartition("/")[2], ()))


def _told(language: str) -> Iterator[Passage]:
    for sheet in sheets(language):
        yield from _read(sheet, gettext("Sheet %(number)s", number=sheet.number))
    played = _played()
    for sheet in elsewhere(language):
        away = sheet.ruleset not in played
        yield from _read(sheet, gettext("Other ways to play"), away=away)
    for word in glossary(language).words:
        url = url_for("finding.words", _anchor=word.id)
        text = " ".join((word.text, *_also(word)))
        yield Passage(url, word.word, text, gettext("The words of the table"), url, word.cite)


def _played() -> set[str]:
    """The rulesets that are played here and what they build on."""
    own = own_rulesets()
    return {*own, *(str(load_ruleset(name).base) for name in own)} if own else {rulesets()[0].id}


def own_rulesets() -> list[str]:
    """The ruleset that the club has chosen, or else all its own rulesets."""
    ours = services().club_rules()
    return club_ids() if ours is None else [ours.ruleset]


def house_rules(ruleset: str) -> Mapping[str, ChangeValue]:
    """The house rules on which the club has decided, if it plays by this ruleset."""
    ours = services().club_rules()
    return ours.changes if ours is not None and ours.ruleset == ruleset else {}


def _read(sheet: Sheet, shelf: str, *, away: bool = False) -> Iterator[Passage]:
    where = f"{shelf}: {sheet.title}"
    address = url_for("course.sheet", name=sheet.id)
    for number, part in enumerate(sheet.part, 1):
        if text := "\n\n".join(filter(None, (part.text.strip(), *part.list))):
            url = f"{address}#part-{number}"
            title = part.heading or sheet.title
            cites = part.cite or sheet.cite
            yield Passage(url, title, text, where, url, cites, away=away)


def _also(word: Word) -> Iterator[str]:
    if word.also:
        yield gettext("Also: %(names)s.", names=", ".join(word.also))


def ruled() -> Iterator[Passage]:
    """The rules of every ruleset, those of the club first, then the default."""
    own, played = own_rulesets(), _played()
    for place, info in enumerate(sorted(rulesets(), key=lambda each: each.id not in own)):
        for passage in of_ruleset(info, place):
            yield replace(passage, away=info.id not in played)


def of_ruleset(info: RulesetInfo, place: int = 0) -> Iterator[Passage]:
    """The rules of one ruleset."""
    name = ruleset_name(info)
    address = url_for("learning.rules", ruleset=info.id)

    def passage(key: str, title: str, text: str, *cites: str) -> Passage:
        return Passage(key, title, text, name, f"{address}#{key}", cites, place)

    for hand in info.special_hands:
        url = url_for("learning.hands", ruleset=info.id, _anchor=hand.id)
        text = f"{translated(hand.description)} {_worth(translated(hand.won))}"
        yield Passage(hand.id, translated(hand.name), text, name, url, (hand.cite,), place)
    rules = load_ruleset(info.id, house_rules(info.id))
    for section in rule_sections(rules):
        for row in section.rows:
            yield passage(row.id, translated(row.text), _row_worth(row), row.cite)
    if rules.limit:
        yield passage("limit", gettext("Limit"), translated(rules.limit_text), rules.limit.cite)
    yield passage("chows", gettext("Chows"), translated(rules.chows.text), rules.chows.cite)
    if rules.goulash:
        text = translated(rules.goulash.text)
        yield passage("goulash", gettext("Goulash"), text, rules.goulash.cite)
    settled = rules.settlement
    cites = filter(None, (settled.cite, settled.losers_cite))
    yield passage("settlement", gettext("Settlement"), translated(settled.text), *cites)
    game = f"{translated(rules.game.text)} {translated(rules.game.drawn_text)}"
    yield passage("game", gettext("The game"), game, rules.game.cite)
    faults: list[PenaltyRule | Question] = [each for each in rules.status if each.cite]
    faults += rules.penalty if rules.penalties_apply else ()
    for item in faults:
        rights = item.rights if isinstance(item, Question) else ()
        text = " ".join(map(translated, (item.help, *rights)))
        yield passage(item.id, translated(item.name), text, item.cite)


def _worth(worth: str) -> str:
    return str(gettext("Won: %(worth)s", worth=worth))


def _row_worth(row: RuleRow) -> str:
    if row.unit == "doubles":
        return str(ngettext("%(num)s double", "%(num)s doubles", row.worth))
    return str(ngettext("%(num)s point", "%(num)s points", row.worth))
