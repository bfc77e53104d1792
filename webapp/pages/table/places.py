"""The pages on which wrong players and wrong seats at a running table are corrected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from flask import Blueprint, flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from scorer import GameError
from scorer.game.corrections import come_back, exchange, join, leave, seat
from scorer.game.game import Game
from vision.messages import Message
from webapp.games.forms import MAX_PLACE_NUMBER, FormRefused, refusal_words
from webapp.games.handovers import Handover, handed_over, who_went
from webapp.games.store import Book, StoredGame
from webapp.games.words import correction_lines, points, signed, waiting_line
from webapp.language.noted import note, noted
from webapp.language.numbers import whole_or_none
from webapp.pages.table.table import enter, follow_in_deals, game_or_404, refuse_removed, to_table
from webapp.people.names import NameRefused, name_key
from webapp.security.policy import MEMBER, SCORER, Policy
from webapp.services import services

pages = Blueprint("places", __name__, url_prefix="/tables/<game_id>/places")


@dataclass(frozen=True, slots=True)
class Change:
    """A change of who sits where.

    Attributes:
        book: the table after it.
        what: the entry in a few words.
        lines: what it changes, in sentences.
        was: for each player then the one whose points those were.
    """

    book: Book
    what: Message | str
    lines: list[str]
    was: Mapping[str, str]


@pages.get("")
@Policy(MEMBER)
def show(game_id: str) -> str:
    """Show who sits where, and the forms that put it right."""
    return _page(game_or_404(game_id), None)


def _page(stored: StoredGame, message: str | None) -> str:
    return render_template(
        "table/places.html",
        stored=stored,
        people=services().club.people(),
        went=who_went(stored.book.handovers, stored.game),
        form=request.values,
        message=message,
    )


@pages.get("/check")
@Policy(MEMBER)
def check(game_id: str) -> Response:
    """Show what a change of players or seats would change."""
    stored = game_or_404(game_id)
    try:
        change = _change(stored)
    except (FormRefused, NameRefused) as refusal:
        return make_response(_page(stored, str(refusal)), 400)
    except GameError as error:
        return make_response(_page(stored, refusal_words(error)), 400)
    page = render_template(
        "table/places_check.html", stored=stored, change=change, fields=request.args.items()
    )
    return make_response(page)


@pages.post("")
@Policy(SCORER)
def keep(game_id: str) -> Response:
    """Store a change of players or seats."""
    stored = game_or_404(game_id)
    try:
        change = _change(stored)
        services().club.welcome(stored.evening_id, change.book.game.setup.names)
    except (FormRefused, NameRefused) as refusal:
        flash(str(refusal))
        return redirect(url_for("places.show", game_id=game_id), 303)
    except GameError as error:
        flash(refusal_words(error))
        return redirect(url_for("places.show", game_id=game_id), 303)
    if enter(stored, lambda _book: change.book, change.what):
        follow_in_deals(stored)
    return to_table(game_id)


@pages.post("/number")
@Policy(SCORER)
def renumber(game_id: str) -> Response:
    """Give the table another number in the room, which may be that of another table."""
    stored = game_or_404(game_id)
    number = whole_or_none(request.form.get("number", ""), 1, MAX_PLACE_NUMBER)
    if refuse_removed(stored):
        return to_table(game_id)
    if number is None:
        told = gettext("Enter a table number from 1 to %(most)s.", most=MAX_PLACE_NUMBER)
        return make_response(_page(stored, told), 400)
    other = services().removals.renumber(game_id, number)
    if other is not None:
        flash(gettext("The table that had this number is now table %(other)s.", other=other))
    return to_table(game_id)


@pages.post("/out")
@Policy(SCORER)
def sit_out(game_id: str) -> Response:
    """Let a different player sit out a hand, either the next one or one already played."""
    stored = game_or_404(game_id)
    number = request.form.get("hand", 0, type=int)
    out, come = request.form.get("out", ""), request.form.get("come", "")
    what = note("{out} sits out hand {hand}, {come} plays", out=out, come=come, hand=number)
    if enter(stored, lambda book: _with_exchange(book, number, out, come), what):
        follow_in_deals(stored)
    return to_table(game_id)


def _with_exchange(book: Book, number: int, out: str, come: str) -> Book:
    """The table at which one sits out a hand that the other plays.

    Raises:
        GameError: there is no such hand, or they do not play and sit out as it is now.
    """
    return replace(book, game=exchange(book.game, number, out, come).game)


def _change(stored: StoredGame) -> Change:
    """The change that the form asks for.

    Raises:
        FormRefused: the form is not complete.
        NameRefused: the name cannot be stored.
        GameError: the game cannot be played so.
    """
    if "joins" in request.values:
        return _one_more(stored, request.values["joins"])
    if "back" in request.values:
        return _back(stored, request.values["back"], request.values.get("instead") or None)
    if "leaves" in request.values:
        return _one_less(stored, request.values["leaves"])
    if "player" not in request.values:
        return _other_seats(stored)
    hand = request.values.get("hand", 1, type=int)
    return _other_player(stored, request.values["player"], request.values.get("name", ""), hand)


def _one_more(stored: StoredGame, name: str) -> Change:
    book, new = stored.book, services().club.spelled(name)
    if name_key(new) in map(name_key, stored.game.setup.names):
        raise FormRefused(gettext("%(name)s already plays at this table.", name=new))
    after = join(book.game, new)
    lines = [
        gettext("%(name)s begins with %(points)s.", name=new, points=points(after.totals[new])),
        waiting_line(after.next) if after.next is not None else "",
    ]
    was = {name: name for name in stored.game.setup.names}
    return Change(
        replace(book, game=after),
        note("{name} joins this table, taking turns", name=new),
        lines,
        was,
    )


def _one_less(stored: StoredGame, name: str) -> Change:
    book = stored.book
    after = leave(book.game, name)
    total = points(after.totals.get(name, 0))
    lines = [gettext("%(name)s stays on the list with %(points)s.", name=name, points=total)]
    if after.next is not None:
        lines.append(waiting_line(after.next) or gettext("Nobody sits out now."))
    what = note("{name} no longer plays at this table", name=name)
    return Change(replace(book, game=after), what, lines, {n: n for n in after.totals})


def _back(stored: StoredGame, name: str, instead: str | None) -> Change:
    """Someone who had gone plays again, at once for another one or when it is their turn."""
    book = stored.book
    if who_went(book.handovers, book.game).get(name) is not None:
        if instead is None:
            return _one_more(stored, name)
        return _other_player(stored, instead, name, len(book.game.hands) + 1)
    after = come_back(book.game, name, instead)
    total = points(after.totals[name])
    lines = [gettext("%(name)s carries on with %(points)s.", name=name, points=total)]
    if after.next is not None:
        lines.append(waiting_line(after.next))
    what = note("{name} is back at this table", name=name)
    return Change(replace(book, game=after), what, lines, {n: n for n in after.totals})


def _other_player(stored: StoredGame, old: str, name: str, hand: int) -> Change:
    book, names = stored.book, stored.game.setup.names
    new = services().club.spelled(name)
    if old not in names:
        raise FormRefused(gettext("Choose whose seat it is."))
    if name_key(new) in map(name_key, names):
        raise FormRefused(gettext("%(name)s already plays at this table.", name=new))
    if not 1 <= hand <= len(book.game.hands) + 1:
        raise FormRefused(gettext("Choose the first hand for the change."))
    handover = Handover(hand, {old: new})
    after = replace(book, game=handed_over(book.game, handover))
    if hand == 1:
        what = note("{new} plays at this table, not {old}", old=old, new=new)
    else:
        what = note("{new} plays for {old} from hand {hand} on", old=old, new=new, hand=hand)
    return Change(
        replace(after, handovers=(*book.handovers, handover)),
        what,
        _player_lines(book.game, hand, old, new),
        {new if name == old else name: name for name in names},
    )


def _player_lines(game: Game, hand: int, old: str, new: str) -> list[str]:
    before, since = game.hands[: hand - 1], game.hands[hand - 1 :]
    moved, stays = (signed(sum(s.gains[old] for s in part)) for part in (since, before))
    names = {"old": old, "new": new}
    if hand == 1:
        told = gettext(
            "All hands of %(old)s here count for %(new)s: %(points)s.", points=moved, **names
        )
        return [
            told,
            gettext("%(old)s is then recorded as not having played at this table.", old=old),
        ]
    total = points(game.totals[old])
    return [
        gettext("%(new)s takes over that seat and its %(total)s points.", total=total, new=new),
        gettext("The hands before that count for %(old)s: %(was)s.", was=stays, old=old),
        gettext("The hands since then count for %(new)s: %(now)s.", now=moved, new=new),
    ]


def _other_seats(stored: StoredGame) -> Change:
    book, setup = stored.book, stored.game.setup
    players = {wind: request.values.get(f"seat_{wind}", "") for wind in setup.players}
    if sorted(players.values()) != sorted(setup.players.values()):
        raise FormRefused(gettext("Give each player one seat."))
    what = noted("Seats in the first hand corrected")
    if request.values.get("belongs") == "seat":
        names = {setup.players[wind]: name for wind, name in players.items()}
        handover = Handover(1, names)
        game = handed_over(stored.game, handover)
        after = replace(book, game=game, handovers=(*book.handovers, handover))
        lines = [
            gettext("Entries for %(old)s now count for %(new)s.", old=old, new=new)
            for old, new in names.items()
            if old != new
        ]
        return Change(after, what, lines, {name: name for name in setup.names})
    correction = seat(book.game, players)
    lines = correction_lines(book.game, 0, correction)
    return Change(
        replace(book, game=correction.game), what, lines, {name: name for name in setup.names}
    )
