"""The leagues of the club: each counts the evenings of some weeks or months."""

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
from flask_babel import gettext
from werkzeug.wrappers import Response

from webapp.book.contests import Decided
from webapp.book.seasons import MAX_NAME
from webapp.contest.plan import Plan
from webapp.contest.presets import PRESETS
from webapp.contest.words import PRESET_WORDS
from webapp.evening.evenings import today
from webapp.language.noted import noted
from webapp.pages.contest_shown import as_file, shown, unless_seen
from webapp.security.policy import MEMBER, SECRETARY, Policy
from webapp.services import services

pages = Blueprint("leagues", __name__, url_prefix="/leagues")


class LeagueRefused(ValueError):
    """The league cannot be kept; the message says why."""


@pages.get("")
@Policy(MEMBER)
def index() -> str:
    """Show the leagues, and the form that begins one."""
    return _page(None)


def _page(message: str | None) -> str:
    return render_template(
        "contest/leagues.html",
        leagues=services().book.contests.leagues(),
        season=services().book.seasons.of_day(today()),
        presets=PRESET_WORDS,
        form=request.form,
        message=message,
        today=today(),
    )


@pages.post("")
@Policy(SECRETARY)
def begin() -> Response:
    """Begin a league."""
    try:
        name, first, last = league_facts()
    except LeagueRefused as refusal:
        return make_response(_page(str(refusal)), 400)
    wanted = request.form.get("preset", "")
    preset = next((one for one in PRESETS if one.id == wanted), PRESETS[0])
    plan = Plan(name, first=first, last=last, rules=preset.rules)
    contest = services().book.contests.add(plan, noted("League begun"))
    flash(gettext("The league has started. See below how it is counted."), "good")
    return redirect(url_for("leagues.show", contest_id=contest), 303)


def league_facts() -> tuple[str, date, date]:
    """The name, the first and the last day of a league, as they were sent.

    Raises:
        LeagueRefused: one is missing, or the last day is before the first.
    """
    form = request.form
    name = " ".join(form.get("name", "").split())
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise LeagueRefused(
            gettext("The name of a league has 1 to %(most)s letters.", most=MAX_NAME)
        )
    try:
        first, last = date.fromisoformat(form["first"]), date.fromisoformat(form["last"])
    except (KeyError, ValueError):
        raise LeagueRefused(gettext("Enter both days, for example 2026-09-01.")) from None
    if last < first:
        raise LeagueRefused(gettext("The league ends before it starts. Change one of the days."))
    return name, first, last


def _league_or_404(contest_id: str) -> tuple[Decided, Plan]:
    found = services().book.contests.one(contest_id)
    if found is None or found.plan is None or not found.plan.league:
        abort(404, gettext("There is no such league. Choose one from the list."))
    return found, found.plan


@pages.get("/<contest_id>")
@Policy(MEMBER)
def show(contest_id: str) -> Response:
    """Show the standing of a league."""
    decided, plan = _league_or_404(contest_id)
    found = shown(plan, decided)
    return unless_seen(found, render_template("contest/league.html", shown=found, today=today()))


@pages.get("/<contest_id>/standing.<kind>")
@Policy(MEMBER)
def file(contest_id: str, kind: str) -> Response:
    """Send the standing as a PDF for the notice board, or as a CSV, XLSX or JSON file."""
    decided, plan = _league_or_404(contest_id)
    name = f"kongbox-league-{plan.last.isoformat()}" if plan.last else "kongbox-league"
    return as_file(shown(plan, decided), plan.name, kind, name)
