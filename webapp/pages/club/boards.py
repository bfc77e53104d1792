"""The pages of leader boards, records and seasons."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
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

from webapp.book.seasons import Season, SeasonRefused
from webapp.book.statistics import BoardLine
from webapp.evening.evenings import today
from webapp.exports.board_files import board_csv, board_pdf, board_xlsx, placed, total_of
from webapp.language.days import short_day
from webapp.pages.seasons import ChosenSpan, chosen_span
from webapp.pages.sending import sent
from webapp.security.policy import MEMBER, SECRETARY, Policy
from webapp.services import services

pages = Blueprint("boards", __name__)

ORDERS: Final[dict[str, Callable[[BoardLine], float]]] = {
    "total": total_of,
    "won": lambda line: line.win_rate,
    "per_hand": lambda line: line.per_hand,
    "payment": lambda line: -line.payment,
    "best": lambda line: line.best or 0,
    "rating": lambda line: float("-inf") if line.rating is None else line.rating.cautious,
}
"""The figures by which a board can be ordered, highest first."""


def _ordered() -> tuple[str, list[BoardLine]]:
    """The order that was asked for, and the board in that order."""
    order = request.args.get("order", "total")
    if order not in ORDERS:
        order = "total"
    lines = services().book.statistics.board(_span().span)
    return order, sorted(lines, key=ORDERS[order], reverse=True)


def _span() -> ChosenSpan:
    return chosen_span(services().book.seasons.of_day(today()))


@pages.get("/book")
@Policy(MEMBER)
def contents() -> str:
    """Show what the club's book contains."""
    found = services().book
    now = found.seasons.of_day(today())
    return render_template(
        "club/contents.html",
        season=now,
        players=len(found.people.all()),
        evenings=services().club.any_evening(),
        seasons=found.seasons.all(),
    )


@pages.get("/board")
@Policy(MEMBER)
def show() -> str:
    """Show the leader board of a season or of all time."""
    order, lines = _ordered()
    return render_template(
        "club/board.html",
        chosen=_span(),
        order=order,
        lines=placed(lines, ORDERS[order]),
        today=today(),
    )


@pages.get("/board.<kind>")
@Policy(MEMBER)
def file(kind: str) -> Response:
    """Send the leader board as a PDF for the notice board, or as a CSV or XLSX file."""
    chosen = _span()
    order, lines = _ordered()
    if kind == "csv":
        data = board_csv(lines, ORDERS[order])
    elif kind == "xlsx":
        data = board_xlsx(chosen.title, lines, ORDERS[order])
    elif kind == "pdf":
        title = gettext("Leader board: %(season)s", season=chosen.title)
        dated = f"{title}, {short_day(today())}"
        data = board_pdf(dated, lines, ORDERS[order])
    else:
        abort(404, gettext("There is no such file. Boards end in pdf, csv or xlsx."))
    return sent(data, f"kongbox-board-{_span_name(chosen)}.{kind}")


@pages.get("/board/certificates.pdf")
@Policy(MEMBER)
def certificates() -> Response:
    """Send certificates for the first three places of the leader board."""
    from webapp.exports.certificate_pdf import LAST_PLACE, Award, certificates, honour, worth

    chosen = _span()
    order, lines = _ordered()
    awards = [
        Award(
            line.name,
            honour(place),
            chosen.title,
            worth(line.total),
            short_day(today()),
        )
        for place, line in placed(lines, ORDERS[order])
        if place <= LAST_PLACE
    ]
    if not awards:
        abort(404, gettext("No hands have been played yet, so there are no honours to give."))
    return sent(certificates(awards), f"kongbox-certificates-{_span_name(chosen)}.pdf")


def _span_name(chosen: ChosenSpan) -> str:
    """What a span is called in the name of a file."""
    return "all" if chosen.season is None else chosen.season.first_day.isoformat()


@pages.get("/records")
@Policy(MEMBER)
def records() -> str:
    """Show the club's records."""
    chosen = chosen_span()
    return render_template(
        "club/records.html", chosen=chosen, records=services().book.statistics.records(chosen.span)
    )


@pages.get("/seasons")
@Policy(MEMBER)
def seasons() -> str:
    """Show all seasons."""
    return _seasons_page(None, None)


def _seasons_page(season: Season | None, message: str | None) -> str:
    return render_template(
        "club/seasons.html",
        seasons=services().book.seasons.all(),
        season=season,
        form=request.form,
        message=message,
        today=today(),
    )


@pages.post("/seasons")
@Policy(SECRETARY)
def add_season() -> Response:
    """Add a season."""
    return _keep(None)


@pages.get("/seasons/<season_id>")
@Policy(SECRETARY)
def season(season_id: str) -> str:
    """Show the form that changes a season."""
    return _seasons_page(season_or_404(season_id), None)


@pages.post("/seasons/<season_id>")
@Policy(SECRETARY)
def change_season(season_id: str) -> Response:
    """Change a season's name and days, or remove the season."""
    found = season_or_404(season_id)
    if request.form.get("remove") == "yes":
        try:
            services().book.seasons.remove(season_id)
        except SeasonRefused as refusal:
            return make_response(_seasons_page(found, str(refusal)), 409)
        text = gettext(
            "The season “%(name)s” has been removed; its evenings stay.", name=found.name
        )
        flash(text, "good")
        return redirect(url_for("boards.seasons"), 303)
    return _keep(found)


def season_or_404(season_id: str) -> Season:
    """The season named in the address; ends the request with status 404 if there is none."""
    found = services().book.seasons.season(season_id)
    if found is None:
        abort(404, gettext("There is no such season. Choose one from the list."))
    return found


def _keep(found: Season | None) -> Response:
    form = request.form
    try:
        first, last = date.fromisoformat(form["first"]), date.fromisoformat(form["last"])
        services().book.seasons.keep(
            None if found is None else found.id, form.get("name", ""), first, last
        )
    except SeasonRefused as refusal:
        return make_response(_seasons_page(found, str(refusal)), 400)
    except (KeyError, ValueError):
        text = gettext("Enter both days, for example 2026-09-01.")
        return make_response(_seasons_page(found, text), 400)
    return redirect(url_for("boards.seasons"), 303)
