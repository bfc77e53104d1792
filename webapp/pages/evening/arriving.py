"""The pages on which a phone checks people in by the code of the evening, without a login."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from flask import (
    Blueprint,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask_babel import gettext
from werkzeug.wrappers import Response

from scorer.tiles import SEAT_NAMES
from webapp.club_settings.groups import HallDisplay, NameOrder
from webapp.database.ids import new_id
from webapp.evening.roll_call import LETTERS, enough, found, place
from webapp.evening.visits import Visit, VisitRefused
from webapp.games.store import StoredGame
from webapp.pages.evening.hall import called
from webapp.pages.evening.here import round_now
from webapp.people.names import NameRefused, name_key
from webapp.security.limits import sender
from webapp.security.policy import ANYBODY, Policy
from webapp.services import services

pages = Blueprint("arriving", __name__, url_prefix="/in")

PHONE: Final = "phone"
"""The key of the session under which a phone keeps its id, by which it takes back its own."""

ARRIVED: Final = "arrived"
"""The key of the session under which a phone keeps the evening and the code by which it came."""

EVERY_S: Final = 15
"""Seconds after which a phone asks again where its people sit, as the display in the hall does."""

MATCHES: Final = 8
"""Maximum number of names that a phone is shown for the letters that were typed."""


@pages.app_template_global()
def check_in_is_open() -> bool:
    """Whether phones can check in to an evening now."""
    return services().code.is_open()


class _NotGood(Exception):
    """A code is not good; the page says why, and asks for another."""

    def __init__(self, page: Response) -> None:
        self.page = page


@pages.errorhandler(_NotGood)
def _ask_again(refusal: _NotGood) -> Response:
    return refusal.page


@pages.get("")
@Policy(ANYBODY)
def start() -> Response:
    """Show the form for the code, or go to the page of the code that was typed."""
    code = "".join(request.args.get("code", "").split())
    if not code:
        return make_response(render_template("evening/code.html", message=None, code=""))
    _evening(code)
    return redirect(url_for("arriving.show", code=code), 303)


def _evening(code: str) -> str:
    """The id of the evening for which a code is good.

    Raises:
        _NotGood: it is wrong, check-in is closed, or too many wrong ones were tried.
    """
    try:
        evening_id, status = services().arrivals.evening(code, sender()), 404
        told = gettext("That code is no longer valid. Enter the one shown in the hall.")
    except VisitRefused as refusal:
        evening_id, status, told = None, 429, str(refusal)
    if evening_id is None:
        page = render_template("evening/code.html", message=told, code=code)
        raise _NotGood(make_response(page, status))
    return evening_id


@pages.get("/<code>")
@Policy(ANYBODY)
def show(code: str) -> Response:
    """Show whom this phone has checked in, and the names that it may choose from."""
    came, by = session.get(ARRIVED, ("", ""))
    if by == code and services().code.of(came) != code and _own(came):
        return make_response(_page(came, None, "", None))
    evening_id = _evening(code)
    letters = " ".join(request.args.get("q", "").split())
    try:
        if letters:
            services().arrivals.look_up(sender())
    except VisitRefused as tried:
        return make_response(_page(evening_id, code, "", str(tried)), 429)
    return make_response(_page(evening_id, code, letters, None))


def _own(evening_id: str) -> list[Visit]:
    """Those whom this phone has checked in."""
    phone = session.get(PHONE)
    return [] if phone is None else services().arrivals.of_phone(evening_id, phone)


def _page(evening_id: str, code: str | None, letters: str, message: str | None) -> str:
    """The page of a phone; people who came before need no code once check-in is closed."""
    found_, own = services(), _own(evening_id)
    members, shown = found_.visits.members(), found_.decided.of(HallDisplay)
    names = called([*members.values(), *(visit.name for visit in own)], full=shown.full_names)
    round_ = round_now(evening_id)
    here = {it.person for it in found_.visits.here(evening_id) if not it.gone(round_)}
    by_last = found_.decided.of(NameOrder).by_last
    free = sorted(members.keys() - here, key=lambda person: place(members[person], by_last=by_last))
    looked = enough(letters)
    matches = [person for person in free if looked and found(members[person], letters)]
    listed = free if shown.open and not looked else matches[:MATCHES]
    return render_template(
        "evening/arriving.html",
        evening=found_.club.evening(evening_id),
        code=code,
        own=own,
        seats=_seats(evening_id, own),
        every=EVERY_S,
        names={person: names[members[person]] for person in listed},
        called=names,
        letters=letters,
        least=LETTERS,
        looked=looked,
        many=len(matches) > MATCHES,
        new=bool(letters) and name_key(letters) not in map(name_key, members.values()),
        open=shown.open,
        message=message,
    )


@dataclass(frozen=True, slots=True)
class Seat:
    """Where someone sits, in words, and the id of the game there; None until it is open."""

    words: str
    game: str | None = None


def _seats(evening_id: str, own: Iterable[Visit]) -> dict[str, Seat]:
    """Where each of these sits by their ids: at a table that plays, in the next round, or last."""
    games = services().games.of_evening(evening_id)
    last, drawn = _at_tables(games), _drawn_next(evening_id)
    playing = _at_tables([stored for stored in games if not stored.book.over])
    found = {
        visit.person: playing.get(visit.name) or drawn.get(visit.person) or last.get(visit.name)
        for visit in own
    }
    return {person: seat for person, seat in found.items() if seat is not None}


def _at_tables(games: Iterable[StoredGame]) -> dict[str, Seat]:
    """Where those sit who play at these tables, by their names; of several the last counts."""
    told = {}
    for stored in games:
        following = stored.game.next
        names = stored.game.setup.names if following is None else following.everybody
        for name in names:
            words = [stored.title]
            if stored.book.over or following is None:
                words.append(gettext("finished"))
            elif name in following.winds:
                words.append(gettext(SEAT_NAMES[following.wind_of(name)]))
            else:
                words.append(gettext("sits out"))
            told[name] = Seat(" · ".join(words), stored.id)
    return told


def _drawn_next(evening_id: str) -> dict[str, Seat]:
    """Where everybody sits in the first drawn round of which the tables are not open, by ids."""
    kept = services().book.draws.latest(evening_id)
    if kept is None:
        return {}
    told: dict[str, Seat] = {}
    waiting = (at for at in range(len(kept.drawing.rounds)) if at not in kept.opened)
    for at in [*waiting][:1]:
        for number, table in enumerate(kept.drawing.rounds[at].tables, 1):
            words = [
                gettext("Round %(number)s", number=kept.round_number(at)),
                gettext("Table %(number)s", number=number),
            ]
            seats = {person: gettext(SEAT_NAMES[wind]) for wind, person in table.seats.items()}
            if table.out is not None:
                seats[table.out] = gettext("sits out first")
            told |= {who: Seat(" · ".join([*words, seat])) for who, seat in seats.items()}
    return told


@pages.post("/<code>")
@Policy(ANYBODY)
def decide(code: str) -> Response:
    """Check someone in whose name was chosen or typed, or take someone back."""
    evening_id = _evening(code)
    form, arrivals = request.form, services().arrivals
    session.permanent = True
    phone = session.setdefault(PHONE, new_id())
    session[ARRIVED] = evening_id, code
    try:
        if "back" in form:
            arrivals.take_back(evening_id, form["back"], phone)
        elif "person" in form:
            _greet(evening_id, arrivals.known(evening_id, form["person"], phone, sender()), phone)
        else:
            name = form.get("name", "")
            _greet(evening_id, arrivals.named(evening_id, name, phone, sender()), phone)
    except KeyError:
        told = gettext("That name is no longer on the list. Please type it.")
        return make_response(_page(evening_id, code, "", told), 404)
    except (NameRefused, VisitRefused) as refused:
        return make_response(_page(evening_id, code, form.get("name", ""), str(refused)), 400)
    return redirect(url_for("arriving.show", code=code), 303)


def _greet(evening_id: str, visit: Visit, phone: str) -> None:
    """Say so where someone was here already; else the page itself shows who has come."""
    if services().visits.come_back(evening_id, visit.person, round_now(evening_id)):
        flash(gettext("Welcome back! You are on the list again for the next round."), "good")
    elif visit.phone != phone:
        flash(gettext("You are already on the list. Welcome!"), "good")
