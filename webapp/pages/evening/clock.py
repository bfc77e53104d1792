"""The common clock of a round: its buttons on an evening's page, and what every phone shows."""

from __future__ import annotations

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from webapp.club_settings.groups import LastHand
from webapp.evening.round_clock import MAX_MINUTES, MAX_ROUND, Left
from webapp.language.numbers import whole_or_none
from webapp.pages.evening.evenings import evening_or_404, evening_page
from webapp.security.policy import LINK, SCORER, Policy
from webapp.services import services

pages = Blueprint("clock", __name__)


@pages.app_template_global()
def clock_here() -> tuple[str, Left] | None:
    """What is left of the round at the table that a page of a hand is about, and its evening."""
    named, found = request.view_args or {}, services()
    evening = found.clock.evening()
    if evening is None:
        return None
    game = named.get("game_id")
    if "deal_id" in named and (place := found.games.game_of(str(named["deal_id"]))) is not None:
        game = place[0]
    if game is None or found.games.evening_of(str(game)) != evening:
        return None
    left = found.clock.left(evening)
    return None if left is None else (evening, left)


@pages.get("/evenings/<evening_id>/clock")
@Policy(LINK)
def show(evening_id: str) -> str:
    """Show the time left, for pages that have a small clock."""
    evening = evening_or_404(evening_id)
    left = services().clock.left(evening.id)
    return render_template("evening/clock_small.html", evening=evening.id, left=left)


@pages.post("/evenings/<evening_id>/clock")
@Policy(SCORER)
def decide(evening_id: str) -> Response:
    """Start the clock, give the round more time, or stop the clock."""
    evening, clock = evening_or_404(evening_id), services().clock
    then = request.form.get("then")
    if then == "more":
        clock.more(evening.id)
    elif then == "stop":
        clock.stop(evening.id)
    else:
        minutes = whole_or_none(request.form.get("minutes", ""), 1, MAX_MINUTES)
        if minutes is None:
            told = gettext("Enter a number of minutes from 1 to %(most)s.", most=MAX_MINUTES)
            return make_response(evening_page(evening, told), 400)
        round_ = whole_or_none(request.form.get("round", ""), 1, MAX_ROUND)
        how = services().decided.of(LastHand)
        clock.start(evening.id, minutes, round_, how.ending, how.early)
    return redirect(url_for("evenings.show", evening_id=evening.id), 303)
