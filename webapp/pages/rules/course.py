"""The course for newcomers: its contents, and a page for each sheet.

A phone checks an answer by itself and keeps what is done; nothing of it is sent or stored here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from flask import Blueprint, abort, render_template
from flask_babel import LazyString, gettext, lazy_gettext

from scorer.explain.examples import example
from scorer.melds import ReadMeld
from scorer.rules.rulebook import load_ruleset
from scorer.tiles import parse_tiles
from webapp.course.answers import tasks
from webapp.course.library import elsewhere, lacks_some, sheets
from webapp.course.sheet import Sheet
from webapp.language.chosen import chosen_language
from webapp.rulesets.shown import rules_of
from webapp.rulesets.words import rule_row
from webapp.security.policy import ANYBODY, Policy

pages = Blueprint("course", __name__, url_prefix="/course")

KINDS: Final = {1: "singles", 2: "pair", 3: "pung", 4: "kong"}
"""What so many equal tiles are called."""

CHAPTERS: Final = {
    "playing": lazy_gettext("How to play"),
    "counting": lazy_gettext("Counting and paying"),
    "special": lazy_gettext("Special hands"),
    "beyond": lazy_gettext("Mistakes, and playing elsewhere"),
    "": lazy_gettext("Other ways to play"),
}
"""The names of the chapters, by what their sheets call them."""


@pages.get("")
@Policy(ANYBODY)
def index() -> str:
    """Show the sheets of the course; the phone adds what is done."""
    language = chosen_language()
    return render_template(
        "rules/course.html",
        chapters=[*_chapters(sheets(language)), *_chapters(elsewhere(language))],
        lacking=lacks_some(language),
    )


def _chapters(shelf: Sequence[Sheet]) -> Iterator[tuple[LazyString, tuple[Sheet, ...]]]:
    """The sheets that stand together in the contents, with the name of each chapter."""
    for chapter, found in groupby(shelf, key=lambda each: each.chapter):
        yield CHAPTERS[chapter], tuple(found)


@pages.get("/<name>")
@Policy(ANYBODY)
def sheet(name: str) -> str:
    """Show a sheet of the course, or of other ways to play, with its exercises."""
    language = chosen_language()
    shelves = (sheets(language), elsewhere(language))
    places = ((every, place) for every in shelves for place in range(len(every)))
    every, place = next(
        ((every, place) for every, place in places if every[place].id == name), ((), 0)
    )
    if not every:
        abort(404, gettext("There is no such sheet. Choose one from the contents."))
    found = every[place]
    drawn = {part.special for part in found.part}
    ruleset, info = load_ruleset(found.ruleset), rules_of(found.ruleset)
    return render_template(
        "rules/course_sheet.html",
        sheet=found,
        other=every is shelves[1],
        lacking=found.language != language,
        before=every[place - 1] if place else None,
        after=every[place + 1] if place + 1 < len(every) else None,
        tasks=tasks(found),
        info=info,
        rows={rule.id: rule_row(rule) for rule in ruleset.rule},
        hands={
            hand.id: (hand, example(ruleset.id, hand.id))
            for hand in info.special_hands
            if hand.id in drawn
        },
        sources={source.id: gettext(source.name) for source in info.sources},
        melds_of=melds_of,
        tiles_of=parse_tiles,
    )


def melds_of(text: str) -> list[ReadMeld]:
    """The melds of a picture, pairs and single tiles among them; those in brackets concealed."""
    found = []
    for part in text.split():
        tiles = tuple(parse_tiles(part.strip("()")))
        kind = KINDS[len(tiles)] if len(set(tiles)) == 1 else "chow"
        found.append(ReadMeld(kind, tiles, concealed=part.startswith("(")))
    return found
