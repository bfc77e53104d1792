"""The buttons on an evening's page that start, lengthen and stop the common clock of a round."""

from __future__ import annotations

from flask import Blueprint, make_response, redirect, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from webapp.draw.round_clock import MAX_MINUTES
from webapp.language.numbers import whole_or_none
from webapp.pages.evening.evenings import evening_or_404, evening_page
from webapp.services import services

pages = Blueprint("clock", __name__)


@pages.post("/evenings/<evening_id>/clock")
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
            told = gettext("Write from 1 to %(most)s minutes.", most=MAX_MINUTES)
            return make_response(evening_page(evening, told), 400)
        clock.start(evening.id, minutes)
    return redirect(url_for("evenings.show", evening_id=evening.id), 303)
