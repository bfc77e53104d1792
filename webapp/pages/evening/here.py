"""The check-in page of an evening: who is here, for which rounds, and the code for phones."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from flask import (
    Blueprint,
    Response,
    abort,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask_babel import gettext, ngettext
from werkzeug.wrappers import Response as AnyResponse

from webapp.club_settings.groups import NameOrder
from webapp.draw.sizes import FULL
from webapp.evening.evenings import Evening
from webapp.evening.roll_call import found, place
from webapp.evening.visits import MAX_ROUND, Visit, VisitRefused
from webapp.language.numbers import whole_or_none
from webapp.pages.entry.phones import address_for_phones
from webapp.pages.evening.evenings import evening_or_404
from webapp.people.names import NameRefused, name_key
from webapp.security.policy import MEMBER, SCORER, Policy
from webapp.services import services
from webapp.serving.addresses import qr_svg

pages = Blueprint("here", __name__, url_prefix="/evenings/<evening_id>/here")

TAPPED: Final = "check-in"
"""The key of the session under which the last tap of this browser is kept, to be undone."""


@pages.get("")
@Policy(MEMBER)
def show(evening_id: str) -> str:
    """Show everybody who may be ticked, and how many are here."""
    return _page(evening_or_404(evening_id), None)


def _page(evening: Evening, message: str | None) -> str:
    found_, letters = services(), " ".join(request.values.get("q", "").split())
    here = {visit.person: visit for visit in found_.visits.here(evening.id)}
    round_ = round_now(evening.id)
    names = {**found_.visits.members(), **{visit.person: visit.name for visit in here.values()}}
    by_last = found_.decided.of(NameOrder).by_last
    return render_template(
        "evening/here.html",
        evening=evening,
        here=here,
        left={person for person, visit in here.items() if visit.gone(round_)},
        names=names,
        shown=_shown(names, here, letters, by_last=by_last),
        letters=letters,
        new=bool(letters) and name_key(letters) not in map(name_key, names.values()),
        by_last=by_last,
        count=count_words(list(here.values()), round_),
        tapped=_tapped(evening.id),
        latest=max((v for v in here.values() if v.phone), key=lambda v: v.at, default=None),
        open=found_.code.of(evening.id) is not None,
        way_in=way_in(evening.id),
        token=found_.check_in_token(evening.id),
        message=message,
        form=request.form,
    )


def _shown(
    names: Mapping[str, str], here: Mapping[str, Visit], letters: str, *, by_last: bool
) -> list[str]:
    """Who can be ticked, in the order of their names; guests come last, where they move nobody."""
    ids = [person for person, name in names.items() if found(name, letters)]
    ids.sort(key=lambda person: place(names[person], by_last=by_last))
    return sorted(ids, key=lambda person: person in here and here[person].guest)


def round_now(evening_id: str) -> int:
    """The round of the evening that is opened next, counted from 1."""
    kept = services().book.draws.latest(evening_id)
    return 1 if kept is None else kept.round_number(max(kept.opened, default=-1) + 1)


def count_words(here: Sequence[Visit], round_: int) -> str:
    """How many are here in a round, counted from 1, and what tables they make."""
    count = sum(visit.plays(round_) for visit in here)
    later = sum((visit.first or 1) > round_ for visit in here)
    gone = len(here) - count - later
    tables, over = divmod(count, FULL)
    sentence = ngettext("%(num)d is here", "%(num)d are here", count)
    if tables:
        made = ngettext("%(num)d table", "%(num)d tables", tables)
        if over:
            made = gettext("%(tables)s, with %(count)s left over", tables=made, count=over)
        sentence = gettext("%(here)s: %(tables)s", here=sentence, tables=made)
    told = [sentence]
    if later:
        told.append(ngettext("%(num)d arriving later", "%(num)d arriving later", later))
    if gone:
        told.append(ngettext("%(num)d has left", "%(num)d have left", gone))
    return " · ".join(told)


@dataclass(frozen=True, slots=True)
class WayIn:
    """How phones check in: the address where a code is typed, the code, and both as a QR code.

    The picture is an address that holds all of it.
    """

    address: str
    code: str
    picture: str


def way_in(evening_id: str) -> WayIn | None:
    """How phones check in to an evening; None if that is not open, or none reaches Kongbox."""
    code, root = services().code.of(evening_id), address_for_phones()
    if code is None or root is None:
        return None
    drawn = qr_svg(root.rstrip("/") + url_for("arriving.show", code=code))
    picture = "data:image/svg+xml;base64," + b64encode(drawn).decode()
    return WayIn(root.rstrip("/") + url_for("arriving.start"), code, picture)


@pages.get("/live")
@Policy(MEMBER)
def live(evening_id: str) -> Response:
    """Stream the token of the list and its changes as server-sent events."""
    evening_or_404(evening_id)
    found_ = services()
    events = found_.live.stream(lambda: found_.check_in_token(evening_id), evening_id)
    response = Response(events, mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    return response


@pages.post("")
@Policy(SCORER)
def decide(evening_id: str) -> AnyResponse:
    """Tick someone or take the tick away, add a guest, undo the last tap, or sort the list."""
    evening, form, visits = evening_or_404(evening_id), request.form, services().visits
    try:
        if "in" in form:
            _remember(evening_id, visits.enter(evening_id, form["in"]), came=True)
        elif "out" in form:
            left = visits.leave(evening_id, form["out"])
            if left is not None:
                _remember(evening_id, left, came=False)
        elif "back" in form:
            visits.come_back(evening_id, form["back"], round_now(evening_id))
        elif "undo" in form:
            _undo(evening_id)
        elif "order" in form:
            services().decided.decide(NameOrder(form["order"] == "last"))
        else:
            _remember(evening_id, visits.enter_named(evening_id, form.get("name", "")), came=True)
    except KeyError:
        flash(gettext("There is no such player. Choose one from the list."))
    except (NameRefused, VisitRefused) as refusal:
        return make_response(_page(evening, str(refusal)), 400)
    letters = form.get("q") or None
    return redirect(url_for("here.show", evening_id=evening_id, q=letters), 303)


def _remember(evening_id: str, visit: Visit, *, came: bool) -> None:
    session[TAPPED] = {"evening": evening_id, "came": came, "visit": visit.to_json()}


def _tapped(evening_id: str) -> tuple[Visit, bool] | None:
    """What this browser last tapped this evening: the visit, and whether it was an arrival."""
    kept = session.get(TAPPED)
    if kept is None or kept["evening"] != evening_id:
        return None
    return Visit.from_json(kept["visit"]), kept["came"]


def _undo(evening_id: str) -> None:
    """Take the last tap of this browser back.

    Raises:
        VisitRefused: the person who was ticked has a seat at a table.
    """
    tapped, visits = _tapped(evening_id), services().visits
    if tapped is not None:
        visit, came = tapped
        if came:
            visits.leave(evening_id, visit.person)
        else:
            visits.put_back(evening_id, visit)
    session.pop(TAPPED, None)


@pages.post("/code")
@Policy(SCORER)
def code(evening_id: str) -> AnyResponse:
    """Let phones check in by a new code, or no longer."""
    evening_or_404(evening_id)
    if request.form.get("then") == "open":
        services().code.open(evening_id)
    else:
        services().code.close(evening_id)
    return redirect(url_for("here.show", evening_id=evening_id) + "#phones", 303)


@pages.get("/<person_id>")
@Policy(MEMBER)
def person(evening_id: str, person_id: str) -> str:
    """Show for which rounds someone is here."""
    return _person_page(evening_id, person_id, None)


def _person_page(evening_id: str, person_id: str, message: str | None) -> str:
    evening = evening_or_404(evening_id)
    visit = next((v for v in services().visits.here(evening_id) if v.person == person_id), None)
    if visit is None:
        abort(404, gettext("Nobody with that name is here this evening. Tick the name first."))
    return render_template(
        "evening/here_person.html",
        evening=evening,
        visit=visit,
        most=MAX_ROUND,
        message=message,
        form=request.form,
    )


@pages.post("/<person_id>")
@Policy(SCORER)
def change(evening_id: str, person_id: str) -> AnyResponse:
    """Say for which rounds someone is here, and whether as a guest."""
    evening_or_404(evening_id)
    form = request.form
    first = whole_or_none(form.get("first", ""), 1, MAX_ROUND)
    last = whole_or_none(form.get("last", ""), 1, MAX_ROUND)
    try:
        services().visits.plan(evening_id, person_id, first, last, guest="guest" in form)
    except VisitRefused as refusal:
        return make_response(_person_page(evening_id, person_id, str(refusal)), 400)
    return redirect(url_for("here.show", evening_id=evening_id) + f"#p-{person_id}", 303)
