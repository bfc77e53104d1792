"""The pages of what a season begins with, and of taking back what was brought in together."""

from __future__ import annotations

from datetime import date

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

from webapp.book.balances import MAX_POINTS
from webapp.book.seasons import Season
from webapp.language.numbers import whole_or_none
from webapp.pages.club.boards import season_or_404
from webapp.pages.club.players import person_or_404
from webapp.security.policy import MEMBER, SECRETARY, Policy
from webapp.services import services

pages = Blueprint("balances", __name__)


@pages.get("/seasons/<season_id>/opening")
@Policy(MEMBER)
def show(season_id: str) -> str:
    """Show what the players begin a season with, and how it can be changed."""
    return _page(season_or_404(season_id), None)


def _page(season: Season, message: str | None) -> str:
    found = services().book
    opening = found.balances.opening(season)
    people = found.people.all()
    brought = [it for it in found.balances.brought_in() if it.rows and not it.undone_at]
    return render_template(
        "club/balances.html",
        season=season,
        lines=[(person, opening[person.id]) for person in people if person.id in opening],
        people=people,
        others=[other for other in found.seasons.all() if other.first_day < season.first_day],
        brought=[it for it in brought if season.id in found.balances.seasons(it.id)],
        message=message,
        form=request.form,
    )


@pages.post("/seasons/<season_id>/opening")
@Policy(SECRETARY)
def keep(season_id: str) -> Response:
    """Let a player begin a season with so many points."""
    season, form = season_or_404(season_id), request.form
    points = whole_or_none(form.get("points", ""), -MAX_POINTS, MAX_POINTS)
    person = services().book.people.person(form.get("person", ""))
    if person is None or points is None:
        text = gettext(
            "Choose a player and enter the points as a whole number, such as -120 or 40."
        )
        return make_response(_page(season, text), 400)
    services().book.balances.keep(season, person_or_404(person.id).id, points)
    flash(gettext("%(name)s begins with %(points)s.", name=person.name, points=points), "good")
    return redirect(url_for("balances.show", season_id=season_id), 303)


@pages.post("/seasons/<season_id>/opening/from")
@Policy(SECRETARY)
def take_over(season_id: str) -> Response:
    """Let all players begin a season with what they had at the end of an earlier one."""
    season = season_or_404(season_id)
    other = services().book.seasons.season(request.form.get("other", ""))
    if other is None or other.first_day >= season.first_day:
        return make_response(_page(season, gettext("Choose an earlier season.")), 400)
    totals = {line.person_id: line.total for line in services().book.statistics.board(other.span)}
    if not totals:
        text = gettext("Nobody has points in “%(name)s”.", name=other.name)
        return make_response(_page(season, text), 400)
    services().book.balances.take_over(season, other, totals)
    text = ngettext(
        "%(num)d player begins with the points from the end of “%(name)s”.",
        "%(num)d players begin with the points from the end of “%(name)s”.",
        len(totals),
        name=other.name,
    )
    flash(text, "good")
    return redirect(url_for("balances.show", season_id=season_id), 303)


@pages.get("/results/<day>")
@Policy(MEMBER)
def day(day: str) -> str:
    """Show the results of a day of which the book has no hands."""
    try:
        found = date.fromisoformat(day)
        told = services().book.balances.of_day(found)
    except ValueError:
        told = {}
    if not told:
        abort(
            404, gettext("There are no results for this day. Choose one from the list of evenings.")
        )
    people = {person.id: person for person in services().book.people.all()}
    return render_template(
        "club/results.html",
        day=found,
        lines=[(people[who], told[who]) for who in told if who in people],
    )


@pages.post("/brought-in/<brought_in_id>/undo")
@Policy(SECRETARY)
def undo(brought_in_id: str) -> Response:
    """Take back what was brought in together."""
    try:
        gone, stay = services().book.balances.undo(brought_in_id)
    except KeyError:
        abort(404, gettext("That has already been removed."))
    text = [gettext("Undone: its points no longer count.")]
    if gone:
        text += [
            ngettext(
                "%(num)d player was removed with it.", "%(num)d players were removed with it.", gone
            )
        ]
    if stay:
        text += [
            ngettext(
                "%(num)d player was kept, because other results have been added since.",
                "%(num)d players were kept, because other results have been added since.",
                stay,
            )
        ]
    flash(" ".join(text), "good")
    season = services().book.seasons.season(request.form.get("season", ""))
    if season is None:
        return redirect(url_for("imports.index"), 303)
    return redirect(url_for("balances.show", season_id=season.id), 303)
