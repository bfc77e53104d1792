"""The pages of the club's players: the list, and a page for each with figures and charts."""

from __future__ import annotations

from flask import (
    Blueprint,
    abort,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_babel import gettext, ngettext
from werkzeug.wrappers import Response

from webapp.book.seasons import Span
from webapp.book.statistics import PersonalFigures
from webapp.exports.person_file import person_zip
from webapp.pages.club.imports import drafts
from webapp.pages.seasons import ChosenSpan, chosen_span
from webapp.pages.sending import sent
from webapp.people.names import NameRefused, name_key, search_key
from webapp.personal_data.erasure import erase
from webapp.personal_data.profiles import Person
from webapp.security.policy import MEMBER, SCORER, SECRETARY, Policy
from webapp.services import services

pages = Blueprint("players", __name__, url_prefix="/players")

NAMES_TO_FILTER = 12
"""Number of players from which the list has a field to filter it."""


@pages.get("")
@Policy(MEMBER)
def index() -> str:
    """Show all players, and how much they have played."""
    return _list_page(None)


def _list_page(message: str | None) -> str:
    found = services().book
    played = {line.person_id: line for line in found.statistics.board(Span())}
    wanted = search_key(" ".join(request.args.get("q", "").split()))
    people = found.people.all()
    return render_template(
        "club/players.html",
        people=[person for person in people if _meant(person, wanted)],
        played=played,
        everybody=len(people),
        filtered=len(people) >= NAMES_TO_FILTER,
        message=message,
        form=request.form,
    )


def _meant(person: Person, wanted: str) -> bool:
    """Whether a name holds what was typed, or a member number begins with it."""
    numbers = (search_key(number) for number in person.members)
    return wanted in search_key(person.name) or any(n.startswith(wanted) for n in numbers)


@pages.post("")
@Policy(SCORER, files=True)
def add() -> Response:
    """Add a player before the player's first evening."""
    try:
        person = services().book.people.add(request.form.get("name", ""))
    except NameRefused as refusal:
        return make_response(_list_page(str(refusal)), 400)
    flash(gettext("%(name)s has been added.", name=person.name), "good")
    return redirect(url_for("players.show", person_id=person.id), 303)


def person_or_404(person_id: str) -> Person:
    """The player named in the address; ends the request with status 404 if there is none."""
    person = services().book.people.person(person_id)
    if person is None:
        abort(404, gettext("There is no such player. Choose one from the list."))
    return person


@pages.get("/<person_id>")
@Policy(MEMBER)
def show(person_id: str) -> str:
    """Show a player's figures, charts, best hands and names."""
    return _page(person_id, None)


def _figures(person_id: str) -> tuple[ChosenSpan, PersonalFigures]:
    chosen = chosen_span()
    return chosen, services().book.statistics.person(person_id, chosen.span)


def _page(person_id: str, message: str | None) -> str:
    person = person_or_404(person_id)
    chosen, figures = _figures(person_id)
    return render_template(
        "club/player.html",
        person=person,
        chosen=chosen,
        figures=figures,
        message=message,
        form=request.form,
        others=_others(person),
    )


def _others(person: Person) -> list[Person]:
    """The other players, those first who are called alike."""
    own = {search_key(word) for name in person.names for word in name.split()}

    def unlike(other: Person) -> bool:
        return not own & {search_key(word) for word in other.name.split()}

    return sorted((p for p in services().book.people.all() if p.id != person.id), key=unlike)


@pages.get("/<person_id>/<chart>.svg")
@Policy(MEMBER)
def chart(person_id: str, chart: str) -> Response:
    """Send a chart of a player's evenings as SVG."""
    from webapp.book.charts import evenings_chart, form_chart, rating_chart

    person_or_404(person_id)
    _, figures = _figures(person_id)
    if chart == "form" and figures.evenings:
        data = form_chart(figures.evenings)
    elif chart == "evenings" and figures.evenings:
        data = evenings_chart(figures.evenings)
    elif chart == "rating" and figures.ratings:
        data = rating_chart(figures.ratings)
    else:
        abort(404, gettext("There is no such chart."))
    response = make_response(data)
    response.headers["Content-Type"] = "image/svg+xml"
    response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    return response


@pages.post("/<person_id>/name")
@Policy(SCORER, files=True)
def rename(person_id: str) -> Response:
    """Give a player another name."""
    person = person_or_404(person_id)
    try:
        renamed = services().book.people.rename(person_id, request.form.get("name", ""))
    except NameRefused as refusal:
        return make_response(_page(person_id, str(refusal)), 400)
    if renamed.name != person.name:
        text = gettext("%(old)s is now called %(new)s.", old=person.name, new=renamed.name)
        flash(text, "good")
    return redirect(url_for("players.show", person_id=person_id), 303)


@pages.post("/<person_id>/member")
@Policy(SECRETARY, files=True)
def give_number(person_id: str) -> Response:
    """Give a player a member number, or none."""
    person_or_404(person_id)
    try:
        person = services().book.people.give_number(person_id, request.form.get("member", ""))
    except NameRefused as refusal:
        return make_response(_page(person_id, str(refusal)), 400)
    told = gettext(
        "%(name)s now has member number %(number)s.", name=person.name, number=person.member
    )
    none = gettext("%(name)s no longer has a member number.", name=person.name)
    flash(told if person.member else none, "good")
    return redirect(url_for("players.show", person_id=person_id), 303)


@pages.get("/<person_id>/join")
@Policy(MEMBER)
def ask_join(person_id: str) -> Response:
    """Show what joining another player to this one would change."""
    return _join_page(person_id, None)


def _join_page(person_id: str, message: str | None) -> Response:
    person = person_or_404(person_id)
    other = person_or_404(request.values.get("other", ""))
    played = {line.person_id: line for line in services().book.statistics.board(Span())}
    page = render_template(
        "club/join.html", person=person, other=other, played=played, message=message
    )
    return make_response(page, 400 if message else 200)


@pages.post("/<person_id>/join")
@Policy(SCORER, files=True)
def join(person_id: str) -> Response:
    """Join another player to this one."""
    person, other = person_or_404(person_id), person_or_404(request.form.get("other", ""))
    try:
        services().book.people.join(person_id, other.id)
    except NameRefused as refusal:
        return _join_page(person_id, str(refusal))
    text = gettext("%(other)s and %(name)s have been joined.", other=other.name, name=person.name)
    flash(text, "good")
    return redirect(url_for("players.show", person_id=person_id) + "#joined", 303)


@pages.post("/<person_id>/split")
@Policy(SCORER, files=True)
def split(person_id: str) -> Response:
    """Make two players again of those who were joined."""
    person_or_404(person_id)
    services().book.people.split(person_id, request.form.get("other", ""))
    flash(gettext("They are two separate players again."), "good")
    return redirect(url_for("players.show", person_id=person_id) + "#joined", 303)


@pages.get("/<person_id>/data.zip")
@Policy(SECRETARY)
def export(person_id: str) -> Response:
    """Send everything that is stored about a player as a ZIP file."""
    person_or_404(person_id)
    return sent(person_zip(services().book, person_id), "kongbox-player.zip")


@pages.get("/<person_id>/erase")
@Policy(SECRETARY)
def ask_erase(person_id: str) -> str:
    """Show what erasing a player means and ask for confirmation."""
    return render_template("club/erase.html", person=person_or_404(person_id), message=None)


@pages.post("/<person_id>/erase")
@Policy(SECRETARY, retracts=True, files=True)
def erase_for_good(person_id: str) -> Response:
    """Erase a player if the player's name was typed to confirm it."""
    person = person_or_404(person_id)
    if name_key(request.form.get("name", "")) != name_key(person.name):
        text = gettext("Nothing was erased. Type the name “%(name)s” to confirm.", name=person.name)
        page = render_template("club/erase.html", person=person, message=text)
        return make_response(page, 400)
    done = erase(services().book.engine, person_id)
    drafts().forget_named(person.names)
    photos = ngettext("%(num)d photo was deleted", "%(num)d photos were deleted", done.photos)
    text = gettext(
        "Erased. At the tables the player is now called “%(name)s”; %(photos)s. Earlier"
        " backups still contain the name.",
        name=done.now_called,
        photos=photos,
    )
    flash(text, "good")
    return redirect(url_for("players.index"), 303)
