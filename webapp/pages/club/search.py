"""The search for players, evenings, tables and special hands."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Final

from flask import Blueprint, render_template, request
from flask_babel import format_date

from webapp.book.statistics import PlayerHand
from webapp.evening.evenings import Evening
from webapp.people.names import search_key
from webapp.personal_data.profiles import Person
from webapp.rulesets.shown import hand_words, rulesets
from webapp.security.policy import MEMBER, Policy
from webapp.services import services

pages = Blueprint("search", __name__)

MOST: Final = 20
"""Maximum number of results of each kind."""

MAX_QUERY: Final = 80
"""Maximum number of characters that are searched for."""


def _words(text: str) -> list[str]:
    return [word for part in search_key(text).split() if (word := part.strip(',.;:!?()“”"'))]


def _holds(text: str, words: Iterable[str]) -> bool:
    """Whether each of the words begins a word of the text, or lies in it if not Latin letters."""
    found = _words(text)
    return all(
        any(word.startswith(wanted) or (not wanted.isascii() and wanted in word) for word in found)
        for wanted in words
    )


def find_people(words: list[str]) -> list[Person]:
    """The players whose names, now or earlier, or member numbers have words that begin so."""
    return [
        person
        for person in services().book.people.all()
        if any(_holds(told, words) for told in (*person.names, *person.members))
    ][:MOST]


def _day_words(day: date) -> str:
    """A day in all the ways in which people may write it."""
    numbers = f"{day.isoformat()} {day.day}/{day.month}/{day.year} {day:%d/%m/%Y %d/%m/%y}"
    return f"{format_date(day, 'EEEE d MMMM yyyy')} {numbers}"


def find_evenings(words: list[str]) -> list[Evening]:
    """The evenings whose day, month, year or place matches, latest first."""
    return [
        evening
        for evening in services().club.evenings(None)
        if _holds(f"{_day_words(evening.day)} {evening.place}", words)
    ][:MOST]


def find_specials(words: list[str]) -> list[PlayerHand]:
    """The latest hands won as a special hand whose name matches."""
    kinds = {
        special.id
        for rules in rulesets()
        for special in rules.special_hands
        if _holds(hand_words(rules.id, special.id), words)
    }
    return services().book.statistics.specials(kinds, MOST) if kinds else []


@pages.get("/search")
@Policy(MEMBER)
def show() -> str:
    """Show what was found, each kind under a heading."""
    asked = request.args.get("q", "")[:MAX_QUERY].strip()
    words = _words(asked)
    evenings = find_evenings(words) if words else []
    games = services().games
    return render_template(
        "club/search.html",
        asked=asked,
        people=find_people(words) if words else [],
        evenings=[(evening, games.of_evening(evening.id)) for evening in evenings],
        specials=find_specials(words) if words else [],
    )
