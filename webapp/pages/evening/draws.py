"""The page on which the tables of an evening are drawn, changed by hand, and opened."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext, lazy_gettext, ngettext
from werkzeug.wrappers import Response

from scorer import GameError, GameSetup
from scorer.game.game import new_game
from scorer.tiles import SEAT_NAMES
from webapp.book.draws import LOOKED_BACK, Kept, Wish, asked
from webapp.draw.drawing import draw
from webapp.draw.entrants import DrawRefused, Odd
from webapp.draw.shortcomings import Shortcoming, shortcomings
from webapp.draw.words import refusal_words, shortcoming_words
from webapp.games.club import Evening
from webapp.games.forms import refusal_words as setup_words
from webapp.games.store import Book
from webapp.games.tables import TableAt
from webapp.language.numbers import whole_or_none
from webapp.pages.club.context import book
from webapp.pages.evening.evenings import evening_or_404, usual_opening
from webapp.services import services

pages = Blueprint("draws", __name__, url_prefix="/evenings/<evening_id>")

MAX_ROUNDS: Final = 12
"""Largest number of rounds that are drawn at once."""

MAX_PAIRS: Final = 5
"""Largest number of pairs who meet again that are told by name; where few play, it is most."""

MAX_TABLE: Final = 50
"""Largest number of a table at which somebody always sits."""

ODD_WORDS: Final = {
    Odd.FIVES: lazy_gettext("A table of five, where one sits out each hand in turn"),
    Odd.THREES: lazy_gettext("Tables of three"),
    Odd.REST: lazy_gettext("They sit out the round"),
}
"""What can be done with the players who are left over."""

WISH_WORDS: Final = {
    "apart": lazy_gettext("are to be kept apart"),
    "together": lazy_gettext("sit together"),
    "table": lazy_gettext("always sits at table"),
}
"""The kinds of a wish, between the names."""


class _Refused(ValueError):
    """What was sent cannot be done; the message says what to do instead."""


@pages.get("/draw")
def show(evening_id: str) -> str:
    """Show the tables that were drawn, or the form that draws them."""
    evening = evening_or_404(evening_id)
    draws = book().draws
    here, names, kept = draws.here(evening_id), draws.names(), draws.latest(evening_id)
    return render_template(
        "evening/draw.html",
        evening=evening,
        here=here,
        names=names,
        seat_names={seat: gettext(name) for seat, name in SEAT_NAMES.items()},
        kept=kept,
        lacking=[] if kept is None else _lacking(kept, names),
        missing=_missing(kept, here),
        odd_words=ODD_WORDS,
        wish_words=WISH_WORDS,
        wishes=draws.wishes(),
        max_rounds=MAX_ROUNDS,
        max_table=MAX_TABLE,
    )


def _lacking(kept: Kept, names: dict[str, str]) -> list[str]:
    """What the drawing could not give, in sentences."""
    drawing = kept.drawing
    people = frozenset().union(*(round_.everybody for round_ in drawing.rounds))
    known = {person: names.get(person, "?") for person in people}
    found = shortcomings(drawing, *asked(known, book().draws.wishes(), kept.odd))
    words = [(it.kind, shortcoming_words(_on_the_evening(it, kept, known))) for it in found]
    again = [told for kind, told in words if kind == "again"]
    if len(again) > MAX_PAIRS:
        many = gettext("%(count)s pairs meet more than once.", count=len(again))
        return [*(told for kind, told in words if kind != "again"), many]
    return [told for _, told in words]


def _on_the_evening(found: Shortcoming, kept: Kept, known: dict[str, str]) -> Shortcoming:
    """A shortcoming with the players' names, and the numbers that the rounds have."""
    names = tuple(known[name] for name in found.names)
    return replace(found, names=names, rounds=tuple(kept.first - 1 + n for n in found.rounds))


def _missing(kept: Kept | None, here: dict[str, str]) -> list[str]:
    """The names of those who came after the tables were drawn."""
    if kept is None:
        return []
    last = kept.drawing.rounds[-1].everybody
    return [name for person, name in here.items() if person not in last]


@pages.post("/draw")
def decide(evening_id: str) -> Response:
    """Draw the tables, let two change places, open a round, or bring the last draw back."""
    evening = evening_or_404(evening_id)
    draws, form = book().draws, request.form
    then = "open" if "open" in form else form.get("then", "draw")
    kept = draws.latest(evening_id)
    try:
        if then == "draw":
            _draw(evening)
        else:
            _CHANGES.get(then, _take_back)(evening, _as_shown(kept))
    except _Refused as refusal:
        flash(str(refusal))
    except DrawRefused as refusal:
        names = draws.names()
        told = DrawRefused(
            refusal.kind, (names.get(name, name) for name in refusal.names), refusal.round
        )
        flash(refusal_words(told))
    except GameError as error:
        flash(setup_words(error))
    return redirect(url_for("draws.show", evening_id=evening_id), 303)


def _as_shown(kept: Kept | None) -> Kept:
    """The drawing, if the form was made for it.

    Raises:
        _Refused: it was made for another.
    """
    if kept is None or request.form.get("kept", "") != str(kept.id):
        raise _Refused(gettext("Somebody else has changed the draw. Here it is as it is now."))
    return kept


def _take_back(evening: Evening, kept: Kept) -> None:
    """Bring back the draw before this one.

    Raises:
        _Refused: it has other tables than those that are open.
    """
    if not book().draws.take_back(evening.id, kept.id):
        raise _Refused(
            gettext("Tables of this draw are open. Remove them first, then take the draw back.")
        )


def _draw(evening: Evening) -> None:
    """Draw tables for those who were ticked.

    Raises:
        _Refused: nobody was ticked, or the number of rounds is none.
        DrawRefused: they cannot be seated as the club wishes.
    """
    form, draws = request.form, book().draws
    ticked = set(form.getlist("person"))
    people = {p: name for p, name in draws.here(evening.id).items() if p in ticked}
    rounds = whole_or_none(form.get("rounds", ""), 1, MAX_ROUNDS)
    if rounds is None:
        raise _Refused(gettext("Write from 1 to %(most)s rounds.", most=MAX_ROUNDS))
    odd = next((odd for odd in Odd if odd == form.get("odd")), Odd.FIVES)
    season = book().seasons.of_day(evening.day)
    since = evening.day - LOOKED_BACK if season is None else season.first_day
    entrants, wishes = asked(people, draws.wishes(), odd)
    draws.keep(evening.id, draw(entrants, rounds, wishes=wishes, past=draws.past(since)), odd)


def _exchange(evening: Evening, kept: Kept) -> None:
    """Let the two who were ticked change places.

    Raises:
        _Refused: not exactly two were ticked, or the tables of the round have been opened.
        DrawRefused: one of them does not play in that round.
    """
    chosen = [place.split(" ", 1) for place in request.form.getlist("place")]
    rounds = {int(place[0]) for place in chosen if place[0].isdecimal() and len(place) > 1}
    if len(chosen) != 2 or len(rounds) != 1:
        raise _Refused(gettext("Tick two names of the same round, who change places."))
    round_ = _round(kept, rounds.pop())
    drawing = kept.drawing.exchanged(round_, chosen[0][1], chosen[1][1])
    book().draws.keep(evening.id, drawing, kept.odd, kept)


def _round(kept: Kept, round_: int) -> int:
    """The round, counted from 0.

    Raises:
        _Refused: there is no such round, or its tables have been opened.
    """
    if not 0 <= round_ < len(kept.drawing.rounds):
        raise _Refused(gettext("Somebody else has changed the draw. Here it is as it is now."))
    if round_ in kept.opened:
        raise _Refused(gettext("The tables of this round are open. Change places at the table."))
    return round_


def _open(evening: Evening, kept: Kept) -> None:
    """Open the tables of a round with the club's rules, or those of the table opened last.

    Raises:
        _Refused: there is no such round, or its tables have been opened.
        GameError: these rules cannot be played by three.
    """
    number = request.form.get("open", "")
    round_ = _round(kept, int(number) if number.isdecimal() else -1)
    names, usual, found = book().draws.names(), usual_opening(), services()
    tables = kept.drawing.rounds[round_].tables
    games = [
        new_game(
            GameSetup(
                usual.ruleset,
                {wind: names[person] for wind, person in table.seats.items()},
                dict(usual.changes),
                usual.rounds,
            )
        )
        for table in tables
    ]
    for drawn, game in enumerate(games, 1):
        at = TableAt(kept.round_number(round_), drawn=drawn)
        found.games.create(evening.id, Book(game, stake=usual.stake), at)
    flash(_opened(len(games)), "good")


def _opened(tables: int) -> str:
    """That tables are open, and whose rules they have."""
    if services().club_rules() is not None:
        words = ngettext(
            "%(num)d table is open, with the rules of the club.",
            "%(num)d tables are open, with the rules of the club.",
            tables,
        )
    else:
        words = ngettext(
            "%(num)d table is open, with the rules of the table opened last.",
            "%(num)d tables are open, with the rules of the table opened last.",
            tables,
        )
    return str(words)


_CHANGES: Final = {"exchange": _exchange, "open": _open}
"""What the buttons below a drawing do."""


@pages.post("/wishes")
def wish(evening_id: str) -> Response:
    """Keep a wish for every draw, or forget one."""
    evening_or_404(evening_id)
    form, draws = request.form, book().draws
    if form.get("forget", "").isdecimal():
        draws.forget(int(form["forget"]))
        return redirect(url_for("draws.show", evening_id=evening_id) + "#wishes", 303)
    kind, names = form.get("kind", ""), draws.names()
    people = tuple(p for p in (form.get("one", ""), form.get("other", "")) if p in names)
    table = whole_or_none(form.get("table", ""), 1, MAX_TABLE)
    if kind == "table" and people and table:
        draws.wish(Wish(kind, people[:1], table))
    elif kind in {"apart", "together"} and len(set(people)) == 2:
        draws.wish(Wish(kind, tuple(sorted(people))))
    else:
        flash(gettext("Choose two players, or one player and the number of a table."))
    return redirect(url_for("draws.show", evening_id=evening_id) + "#wishes", 303)
