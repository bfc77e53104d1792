"""How a tournament or a league is counted: its rules, teams, penalties, and what was changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

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

from vision.messages import Message
from webapp.book.contests import ContestMoved, Decided
from webapp.contest.plan import Plan
from webapp.contest.results import Adjustment, Team
from webapp.contest.rules import MOST_PLACES, Count, Missed, Rules
from webapp.contest.tie_breaks import TIE_BREAKS
from webapp.contest.words import COUNTS, MISSED, TIES, figure, typed
from webapp.evening.evenings import Evening
from webapp.language.noted import note, noted
from webapp.language.numbers import part_or_none, whole_or_none
from webapp.pages.contest.leagues import LeagueRefused, league_facts
from webapp.people.names import name_key
from webapp.security.policy import SECRETARY, Policy
from webapp.services import services

pages = Blueprint("counting", __name__, url_prefix="/contests/<contest_id>")

MAX_POINTS: Final = 10_000
"""Greatest number of points for a place, or that the organiser gives or takes away at once."""

MAX_STAGES: Final = 200
"""Greatest number of rounds or evenings that can be asked for."""

MAX_TEXT: Final = 60
"""Maximum number of letters of a reason, or of the name of a team."""

MAX_LISTED: Final = 100
"""Maximum number of teams, and of penalties and bonuses, of a contest."""

TIES_ASKED: Final = 3
"""Number of tie-breaks that a club can choose, one after the other."""


class _Refused(ValueError):
    """What was sent cannot be kept; the message says what to do."""


Kept = tuple[Plan | None, Message | str]
"""What is decided from now on, and the change in a few words."""


@dataclass(frozen=True, slots=True)
class _Asked:
    decided: Decided
    plan: Plan


def _asked(contest_id: str) -> _Asked:
    found = services().book.contests.one(contest_id)
    if found is None or found.plan is None:
        abort(404, gettext("That tournament or league no longer exists."))
    return _Asked(found, found.plan)


def _page(asked: _Asked, message: str | None = None) -> str:
    plan = asked.plan
    return render_template(
        "contest/counting.html",
        decided=asked.decided,
        plan=plan,
        rules=plan.rules,
        counts=COUNTS,
        missed=MISSED,
        ties=TIES,
        most_places=MOST_PLACES,
        ties_asked=TIES_ASKED,
        max_text=MAX_TEXT,
        as_typed=typed,
        names=_names(plan),
        evenings=_evenings(plan),
        brought=services().book.contests.brought(plan) if plan.league else {},
        changes=services().book.contests.changes(asked.decided.id),
        form=request.form,
        message=message,
        address=address_of(asked.decided),
    )


def address_of(decided: Decided) -> str:
    """The address of a contest's standing."""
    if decided.plan is not None and decided.plan.evening is not None:
        return url_for("standings.show", evening_id=decided.plan.evening)
    return url_for("leagues.show", contest_id=decided.id)


def _names(plan: Plan) -> dict[str, str]:
    """The players who may be put into teams or given points, in alphabetical order.

    Anyone who has been, and is not of the evening any more, is among them.
    """
    if plan.evening is None:
        return {person.id: person.name for person in services().book.people.all()}
    draws = services().book.draws
    before = {one.player for one in plan.adjustments}.union(*(it.players for it in plan.teams))
    names = {player: name for player, name in draws.names().items() if player in before}
    return dict(sorted((names | draws.here(plan.evening)).items(), key=lambda it: name_key(it[1])))


def _evenings(plan: Plan) -> list[Evening]:
    """The evenings in the days of a league, those left out among them."""
    if not plan.league:
        return []
    every = replace(plan, left_out=())
    return [one for one in services().club.evenings() if every.holds(one.id, one.day)]


@pages.get("")
@Policy(SECRETARY)
def show(contest_id: str) -> str:
    """Show how a contest is counted, and the forms that change it."""
    return _page(_asked(contest_id))


def _change(contest_id: str, change: Callable[[Plan], Kept], anchor: str = "") -> Response:
    """Keep a change of a contest, unless it cannot be or someone else came first."""
    asked = _asked(contest_id)
    try:
        plan, what = change(asked.plan)
        head = request.form.get("head", -1, type=int)
        services().book.contests.change(contest_id, head, plan, what)
    except (_Refused, LeagueRefused) as refusal:
        return make_response(_page(asked, str(refusal)), 400)
    except ContestMoved:
        flash(gettext("Someone else has just changed this. This is the current version."))
        return redirect(url_for("counting.show", contest_id=contest_id), 303)
    if plan is None:
        return redirect(url_for("counting.gone", contest_id=contest_id), 303)
    flash(gettext("Saved. The standings have been recalculated."), "good")
    return redirect(url_for("counting.show", contest_id=contest_id) + anchor, 303)


@pages.post("/rules")
@Policy(SECRETARY)
def keep(contest_id: str) -> Response:
    """Keep how a contest is counted."""

    def changed(plan: Plan) -> Kept:
        plan = replace(plan, rules=_rules(plan.rules))
        if plan.league:
            name, first, last = league_facts()
            plan = replace(plan, name=name, first=first, last=last)
            counting = set(request.form.getlist("evening"))
            out = tuple(one.id for one in _evenings(plan) if one.id not in counting)
            asked = set(request.form.getlist("listed"))
            plan = replace(plan, left_out=tuple(one for one in out if one in asked))
        return plan, noted("How it is counted")

    return _change(contest_id, changed)


def _rules(before: Rules) -> Rules:
    """The rules as they were sent.

    Raises:
        _Refused: a number is missing or none that can be.
    """
    form = request.form
    typed = [form.get(f"place{number}", "").strip() for number in range(1, MOST_PLACES + 1)]
    while typed and not typed[-1]:
        typed.pop()
    places = [part_or_none(text, MAX_POINTS) for text in typed]
    if not places or None in places:
        raise _Refused(
            gettext("Enter the points for each place as a number, starting with first place.")
        )
    ties = [form.get(f"tie{number}", "") for number in range(TIES_ASKED)]
    count = next((one for one in Count if one == form.get("count")), before.count)
    missed = next((one for one in Missed if one == form.get("missed")), before.missed)
    return Rules(
        count,
        tuple(place for place in places if place is not None),
        tuple(dict.fromkeys(tie for tie in ties if tie in TIE_BREAKS)),
        missed,
        _number("best"),
        _number("least") or 0,
        _number("of_team"),
    )


def _number(name: str) -> int | None:
    """A whole number that was sent; None if the field is empty."""
    text = request.form.get(name, "").strip()
    number = whole_or_none(text, 1, MAX_STAGES)
    if text and number is None:
        raise _Refused(
            gettext("Enter a number from 1 to %(most)s, or leave it empty.", most=MAX_STAGES)
        )
    return number


@pages.post("/lists")
@Policy(SECRETARY)
def brought(contest_id: str) -> Response:
    """Let the results that came in from lists count in a league, or no more."""

    def changed(plan: Plan) -> Kept:
        if request.form.get("then") != "count":
            return replace(plan, brought=False), noted("Imported results no longer count")
        if not plan.league or plan.rules.count is not Count.POINTS:
            raise _Refused(gettext("Imported results only count where game points are added up."))
        return replace(plan, brought=True), noted("Imported results now count")

    return _change(contest_id, changed, "#lists")


def _text(name: str) -> str:
    text = " ".join(request.form.get(name, "").split())
    return text if len(text) <= MAX_TEXT and text.isprintable() else ""


@pages.post("/points")
@Policy(SECRETARY)
def adjust(contest_id: str) -> Response:
    """Give a player points or take them away, or forget that this was done."""

    def changed(plan: Plan) -> Kept:
        forget, form = request.form.get("forget", ""), request.form
        if forget.isdecimal():
            left = [one for at, one in enumerate(plan.adjustments) if at != int(forget)]
            return replace(plan, adjustments=tuple(left)), noted("Penalty or bonus removed")
        points, reason = part_or_none(form.get("points", ""), MAX_POINTS), _text("reason")
        player = form.get("player", "")
        if player not in _names(plan) or not points:
            raise _Refused(gettext("Choose a player and enter how many points."))
        if not reason or len(plan.adjustments) >= MAX_LISTED:
            raise _Refused(gettext("Give the reason in a few words; everyone can read it."))
        points = -points if form.get("kind") == "penalty" else points
        one = Adjustment(player, Fraction(points), reason, _stage_now(plan))
        what = note("{points} points: {reason}", points=figure(points), reason=reason)
        return replace(plan, adjustments=(*plan.adjustments, one)), what

    return _change(contest_id, changed, "#points")


def _stage_now(plan: Plan) -> str:
    """The round or evening that was begun last, from which on points given now count."""
    stages = services().book.contests.contest(plan).stages
    return stages[-1].key if stages else ""


@pages.post("/teams")
@Policy(SECRETARY)
def team(contest_id: str) -> Response:
    """Add a team, change one, or remove it."""

    def changed(plan: Plan) -> Kept:
        form = request.form
        at = form.get("team", type=int)
        others = [one for number, one in enumerate(plan.teams) if number != at]
        if form.get("then") == "remove":
            return replace(plan, teams=tuple(others)), noted("Team removed")
        known = _names(plan)
        players = tuple(player for player in form.getlist("player") if player in known)
        name = _text("team_name")
        if not name or not players or len(others) >= MAX_LISTED:
            raise _Refused(gettext("Enter the team's name and tick its players."))
        if name in {one.name for one in others}:
            raise _Refused(gettext("There is already a team called %(name)s.", name=name))
        for one in others:
            if both := set(one.players) & set(players):
                names = ", ".join(sorted(known[player] for player in both))
                raise _Refused(
                    gettext("%(names)s: already in the team %(team)s.", names=names, team=one.name)
                )
        others.insert(len(others) if at is None else at, Team(name, players))
        return replace(plan, teams=tuple(others)), note("Team {name}", name=name)

    return _change(contest_id, changed, "#teams")


@pages.post("/undo")
@Policy(SECRETARY)
def undo(contest_id: str) -> Response:
    """Take the last change back, or remove the contest."""
    if request.form.get("then") == "remove":
        return _change(contest_id, lambda _: (None, noted("Removed")))
    try:
        services().book.contests.undo(contest_id, request.form.get("head", -1, type=int))
    except ContestMoved:
        flash(gettext("Someone else has just changed this. This is the current version."))
    else:
        flash(gettext("Undone. The standings have been recalculated."), "good")
    return redirect(url_for("counting.show", contest_id=contest_id), 303)


@pages.get("/gone")
@Policy(SECRETARY)
def gone(contest_id: str) -> str:
    """Show that a contest was removed, with the button that brings it back."""
    found = services().book.contests.one(contest_id)
    if found is None:
        abort(404, gettext("That tournament or league no longer exists."))
    return render_template("contest/gone.html", decided=found)
