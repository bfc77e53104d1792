"""The page on which the tables of an evening are drawn, changed by hand, and opened."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext, lazy_gettext, ngettext
from werkzeug.wrappers import Response

from scorer import GameError, GameSetup
from scorer.game.game import new_game
from scorer.tiles import SEAT_NAMES
from webapp.book.draws import LOOKED_BACK, Kept, Wish, asked, entrants_of
from webapp.club_settings.groups import DrawStrength, NameOrder
from webapp.club_settings.words import STRENGTH_WORDS
from webapp.draw.drawing import draw
from webapp.draw.entrants import DrawRefused, Odd, Strength
from webapp.draw.tonight import after
from webapp.draw.words import refusal_words
from webapp.evening.evenings import Evening
from webapp.evening.roll_call import place
from webapp.games.forms import refusal_words as setup_words
from webapp.games.store import Book
from webapp.games.tables import TableAt
from webapp.games.words import drawn_line
from webapp.language.numbers import whole_or_none
from webapp.pages.evening.drawn import here_in, lacking, since
from webapp.pages.evening.evenings import evening_or_404, usual_opening
from webapp.security.policy import MEMBER, SCORER, Policy
from webapp.services import services

pages = Blueprint("draws", __name__, url_prefix="/evenings/<evening_id>")

MAX_ROUNDS: Final = 12
"""Largest number of rounds that are drawn at once."""

MAX_TABLE: Final = 50
"""Largest number of a table at which someone always sits."""

ODD_WORDS: Final = {
    Odd.FIVES: lazy_gettext("A table of five, where one sits out each hand in turn"),
    Odd.THREES: lazy_gettext("Tables of three"),
    Odd.REST: lazy_gettext("They sit out the round"),
}
"""What can be done with the players who are left over."""

WISH_WORDS: Final = {
    "apart": lazy_gettext("should sit apart"),
    "together": lazy_gettext("sit together"),
    "table": lazy_gettext("always sits at table"),
}
"""The kinds of a wish, between the names."""


class _Refused(ValueError):
    """What was sent cannot be done; the message says what to do instead."""


@pages.get("/draw")
@Policy(MEMBER)
def show(evening_id: str) -> str:
    """Show the tables that were drawn, or the form that draws them."""
    return _page(evening_or_404(evening_id), None)


def _page(evening: Evening, message: str | None) -> str:
    draws, found = services().book.draws, services()
    names, kept, visits = draws.names(), draws.latest(evening.id), found.visits.here(evening.id)
    first = 1 + max(draws.opened(evening.id), default=0)
    by_last = found.decided.of(NameOrder).by_last
    return render_template(
        "evening/draw.html",
        evening=evening,
        here=sorted(
            (visit for visit in visits if visit.last is None or visit.last >= first),
            key=lambda visit: place(visit.name, by_last=by_last),
        ),
        first=first,
        left=_rounds_left(kept),
        names=names,
        seat_names={seat: gettext(name) for seat, name in SEAT_NAMES.items()},
        kept=kept,
        lacking=[] if kept is None else lacking(evening.id, kept, names),
        since=since(kept, visits, names),
        odd_words=ODD_WORDS,
        strength_words=STRENGTH_WORDS,
        strength=found.decided.of(DrawStrength).strength,
        rated=bool(services().book.statistics.ratings()),
        wish_words=WISH_WORDS,
        wishes=draws.wishes(),
        max_rounds=MAX_ROUNDS,
        max_table=MAX_TABLE,
        message=message,
        form=request.form,
    )


def _rounds_left(kept: Kept | None) -> int:
    """How many drawn rounds come after the last one whose tables are open."""
    return 0 if kept is None else len(kept.drawing.rounds) - 1 - max(kept.opened, default=-1)


@pages.post("/draw")
@Policy(SCORER)
def decide(evening_id: str) -> Response:
    """Draw the tables, let two change places, open a round, or bring the last draw back."""
    evening, form = evening_or_404(evening_id), request.form
    then = "open" if "open" in form else form.get("then", "draw")
    try:
        if then == "draw":
            _draw(evening)
        else:
            kept = services().book.draws.latest(evening_id)
            _CHANGES.get(then, _take_back)(evening, _as_shown(kept))
    except _Refused as refusal:
        return make_response(_page(evening, str(refusal)), 400)
    except DrawRefused as refused:
        return make_response(_page(evening, refusal_words(refused)), 400)
    except GameError as error:
        return make_response(_page(evening, setup_words(error)), 400)
    return redirect(url_for("draws.show", evening_id=evening_id), 303)


def _as_shown(kept: Kept | None) -> Kept:
    """The drawing, if the form was made for it.

    Raises:
        _Refused: it was made for another.
    """
    if kept is None or request.form.get("kept", "") != str(kept.id):
        raise _Refused(
            gettext("Someone else has just changed the draw. This is the current version.")
        )
    return kept


def _take_back(evening: Evening, kept: Kept) -> None:
    """Bring back the draw before this one.

    Raises:
        _Refused: it has other tables than those that are open.
    """
    if not services().book.draws.take_back(evening.id, kept.id):
        raise _Refused(
            gettext("Tables from this draw are open. Remove them first, then undo the draw.")
        )


def _draw(evening: Evening) -> None:
    """Draw tables for those who were ticked.

    Raises:
        _Refused: the number of rounds is none.
        DrawRefused: they cannot be seated as the club wishes.
    """
    form, decided = request.form, services().decided
    rounds = whole_or_none(form.get("rounds", ""), 1, MAX_ROUNDS)
    if rounds is None:
        raise _Refused(gettext("Enter a number of rounds from 1 to %(most)s.", most=MAX_ROUNDS))
    odd = next((odd for odd in Odd if odd == form.get("odd")), Odd.FIVES)
    strength = next((it for it in Strength if it == form.get("strength")), None)
    if strength is not None:
        decided.decide(DrawStrength(strength))
    _keep_drawn(evening, set(form.getlist("person")), rounds, odd)


def _draw_rest(evening: Evening, kept: Kept) -> None:
    """Draw the rounds again whose tables are not open, for all who are here now.

    Raises:
        _Refused: the tables of all rounds are open.
        DrawRefused: they cannot be seated as the club wishes.
    """
    rounds = _rounds_left(kept)
    if not rounds:
        raise _Refused(gettext("The tables of all rounds are open. Draw further rounds below."))
    everybody = {visit.person for visit in services().visits.here(evening.id)}
    _keep_drawn(evening, everybody, rounds, kept.odd)


def _keep_drawn(evening: Evening, people: set[str], rounds: int, odd: Odd) -> None:
    """Draw the rounds after those whose tables are open, and let them count.

    Raises:
        DrawRefused: the people cannot be seated as the club wishes; it holds their names, and the
            round as the evening counts it.
    """
    draws, season = services().book.draws, services().book.seasons.of_day(evening.day)
    opened = draws.opened(evening.id)
    first = 1 + max(opened, default=0)
    visits = [visit for visit in services().visits.here(evening.id) if visit.person in people]
    strengths = {who: float(it.points) for who, it in services().book.statistics.ratings().items()}
    strength = services().decided.of(DrawStrength).strength
    entrants, wishes = asked(entrants_of(visits, first, strengths), draws.wishes(), odd, strength)
    since = evening.day - LOOKED_BACK if season is None else season.first_day
    past = after(draws.past(since, evening.id), opened.values())
    try:
        drawing = draw(entrants, rounds, wishes=wishes, past=past)
    except DrawRefused as refused:
        names, at = draws.names(), refused.round
        told = [names.get(name, name) for name in refused.names]
        raise DrawRefused(refused.kind, told, None if at is None else at + first - 1) from refused
    draws.keep(evening.id, drawing, odd)


def _exchange(evening: Evening, kept: Kept) -> None:
    """Let the two who were ticked change places.

    Raises:
        _Refused: not exactly two were ticked, or the tables of the round have been opened.
        DrawRefused: one of them does not play in that round.
    """
    chosen = [place.split(" ", 1) for place in request.form.getlist("place")]
    rounds = {int(place[0]) for place in chosen if place[0].isdecimal() and len(place) > 1}
    if len(chosen) != 2 or len(rounds) != 1:
        raise _Refused(gettext("Tick two names in the same round to swap their places."))
    round_ = _round(kept, rounds.pop())
    drawing = kept.drawing.exchanged(round_, chosen[0][1], chosen[1][1])
    services().book.draws.keep(evening.id, drawing, kept.odd, kept)


def _round(kept: Kept, round_: int) -> int:
    """The round, counted from 0.

    Raises:
        _Refused: there is no such round, or its tables have been opened.
    """
    if not 0 <= round_ < len(kept.drawing.rounds):
        raise _Refused(
            gettext("Someone else has just changed the draw. This is the current version.")
        )
    if round_ in kept.opened:
        raise _Refused(
            gettext("The tables for this round are open. Change places at the table instead.")
        )
    return round_


def _open(evening: Evening, kept: Kept) -> None:
    """Open the tables of a round with the club's rules, or those of the table opened last.

    Raises:
        _Refused: there is no such round, its tables have been opened, or someone is not here.
        GameError: these rules cannot be played by three.
    """
    asked_for = request.form.get("open", "")
    round_ = _round(kept, int(asked_for) if asked_for.isdecimal() else -1)
    _refuse_absent(evening, kept, round_)
    names, usual, found = services().book.draws.names(), usual_opening(), services()
    tables = kept.drawing.rounds[round_].tables
    games = [
        new_game(
            GameSetup(
                usual.ruleset,
                {wind: names[person] for wind, person in table.seats.items()},
                dict(usual.changes),
                usual.rounds,
                () if table.out is None else (names[table.out],),
            )
        )
        for table in tables
    ]
    number = kept.round_number(round_)
    taken = {it.number for it in found.games.of_evening(evening.id) if it.round == number}
    # Tables of which the number is taken come last, so that they take no number from another one.
    for drawn, game in sorted(enumerate(games, 1), key=lambda table: table[0] in taken):
        at = TableAt(number, drawn=drawn)
        found.games.create(evening.id, Book(game, stake=usual.stake), at)
    flash(_opened(len(games)), "good")
    _tell_moved(evening, number)


def _tell_moved(evening: Evening, round_: int) -> None:
    """Say which tables of a round have another number in the room than in the draw."""
    there = services().games.of_evening(evening.id)
    moved = [drawn_line(it.number, it.drawn) for it in there if it.round == round_]
    if any(moved):
        flash(
            " ".join(
                [
                    gettext("Some of the table numbers drawn are already in use."),
                    *filter(None, moved),
                ]
            )
        )


def _refuse_absent(evening: Evening, kept: Kept, round_: int) -> None:
    """Refuse to open tables at which someone sits who is not here.

    Raises:
        _Refused: someone does.
    """
    number, names = kept.round_number(round_), services().book.draws.names()
    here = here_in(services().visits.here(evening.id), number)
    tables = kept.drawing.rounds[round_].tables
    seated = {names.get(person, "?") for table in tables for person in table.players}
    if absent := sorted(seated - here):
        raise _Refused(
            gettext(
                "%(names)s: not here in round %(round)s. Redraw the "
                "remaining rounds, or tick who is here.",
                names=", ".join(absent),
                round=number,
            )
        )


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
            "%(num)d table is open, with the same rules as the last table.",
            "%(num)d tables are open, with the same rules as the last table.",
            tables,
        )
    return str(words)


_CHANGES: Final = {"exchange": _exchange, "open": _open, "rest": _draw_rest}
"""What the buttons below a drawing do."""


@pages.post("/wishes")
@Policy(SCORER)
def wish(evening_id: str) -> Response:
    """Keep a wish for every draw, or forget one."""
    evening = evening_or_404(evening_id)
    form, draws = request.form, services().book.draws
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
        told = gettext("Choose two players, or one player and a table number.")
        return make_response(_page(evening, told), 400)
    return redirect(url_for("draws.show", evening_id=evening_id) + "#wishes", 303)
