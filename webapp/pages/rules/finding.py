"""The glossary, and the search over the course, the glossary and the rules of every ruleset."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, render_template, request

from scorer.tiles import parse_tiles
from webapp.course.glossary import glossary
from webapp.course.library import lacks_some
from webapp.course.search import find
from webapp.language.chosen import chosen_language
from webapp.pages.rules.passages import ruled, told
from webapp.security.policy import ANYBODY, Policy

pages = Blueprint("finding", __name__, url_prefix="/course")

MOST: Final = 12
"""Maximum number of answers that are shown."""

MAX_QUESTION: Final = 120
"""Maximum number of characters of a question; the rest is left out."""


@pages.get("/words")
@Policy(ANYBODY)
def words() -> str:
    """Show the words of the table."""
    language = chosen_language()
    found = glossary(language)
    return render_template(
        "rules/course_words.html",
        words=sorted(found.words, key=lambda each: each.word.casefold()),
        tiles_of=parse_tiles,
        lacking=found.language != language,
    )


@pages.get("/search")
@Policy(ANYBODY)
def search() -> str:
    """Show what answers a question."""
    asked = request.args.get("q", "")[:MAX_QUESTION].strip()
    language = chosen_language()
    found = find(asked, [*told(language), *ruled()], language) if asked else []
    lacking = lacks_some(language) or glossary(language).language != language
    return render_template(
        "rules/course_search.html", asked=asked, found=found[:MOST], lacking=lacking
    )
