"""What comes in from the tables of an evening, round by round, and the standing after each."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from webapp.contest.plan import Plan
from webapp.contest.presets import PRESETS
from webapp.contest.words import PRESET_WORDS
from webapp.games.store import StoredGame
from webapp.games.words import long_day
from webapp.language.noted import noted
from webapp.pages.contest_shown import as_file, of_evening, unless_seen
from webapp.pages.evening.evenings import evening_or_404
from webapp.pages.evening.hall import best_hand
from webapp.security.policy import MEMBER, SECRETARY, Policy
from webapp.services import services

pages = Blueprint("standings", __name__, url_prefix="/evenings/<evening_id>")


@dataclass(frozen=True, slots=True)
class RoundNow:
    """The tables of a round, those that have finished first."""

    number: int
    finished: tuple[StoredGame, ...]
    playing: tuple[StoredGame, ...]


def rounds_now(games: list[StoredGame], rounds: dict[str, int]) -> list[RoundNow]:
    """The rounds of an evening as they are, the latest first.

    Args:
        games: the tables of the evening.
        rounds: the round of each game, by its id.
    """
    return [
        RoundNow(
            number,
            tuple(it for it in games if rounds.get(it.id) == number and it.book.over),
            tuple(it for it in games if rounds.get(it.id) == number and not it.book.over),
        )
        for number in sorted(set(rounds.values()), reverse=True)
    ]


@pages.get("/standings")
@Policy(MEMBER)
def show(evening_id: str) -> Response:
    """Show who has finished and who still plays, and the standing."""
    evening, games = evening_or_404(evening_id), services().games.of_evening(evening_id)
    found = of_evening(evening.id)
    page = render_template(
        "contest/standings.html",
        evening=evening,
        shown=found,
        rounds=rounds_now(games, services().book.contests.rounds(evening_id)),
        best=best_hand(games),
        presets=PRESET_WORDS,
    )
    return unless_seen(found, page)


@pages.get("/standings.<kind>")
@Policy(MEMBER)
def file(evening_id: str, kind: str) -> Response:
    """Send the standing as a PDF for the notice board, or as a CSV, XLSX or JSON file."""
    evening = evening_or_404(evening_id)
    name = f"kongbox-standing-{evening.day.isoformat()}"
    return as_file(of_evening(evening.id), long_day(evening.day), kind, name)


@pages.post("/standings")
@Policy(SECRETARY)
def begin(evening_id: str) -> Response:
    """Make the evening a tournament."""
    evening_or_404(evening_id)
    if services().book.contests.of_evening(evening_id) is None:
        wanted = request.form.get("preset", "")
        preset = next((one for one in PRESETS if one.id == wanted), PRESETS[0])
        plan = Plan(evening=evening_id, rules=preset.rules)
        services().book.contests.add(plan, noted("Tournament begun"))
        flash(gettext("This evening is now a tournament. See below how it is counted."), "good")
    return redirect(url_for("standings.show", evening_id=evening_id), 303)
