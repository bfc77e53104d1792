"""The pages of score sheets, and the files of a table or an evening."""

from __future__ import annotations

from flask import Blueprint, abort, render_template
from flask_babel import lazy_gettext
from werkzeug.wrappers import Response

from scorer.game.scoresheet import player_sheets, table_sheet
from webapp.evening.evenings import Evening
from webapp.exports.causes import paid_by_hand, sources_of_payments
from webapp.exports.sheet_files import csv_file, note_text, xlsx_file
from webapp.games.store import StoredGame
from webapp.pages.evening.evenings import evening_or_404
from webapp.pages.sending import sent
from webapp.pages.table.table import game_or_404
from webapp.security.policy import MEMBER, Policy
from webapp.services import services

pages = Blueprint("sheets", __name__)

NO_FILE = lazy_gettext("There is no such file. Files end in pdf, csv or xlsx.")
"""The message for a kind of file that does not exist."""


@pages.get("/tables/<game_id>/sheets")
@Policy(MEMBER)
def show(game_id: str) -> str:
    """Show the sheet of a table and those of its players."""
    stored = game_or_404(game_id)
    return render_template(
        "table/sheets.html",
        stored=stored,
        evening=evening_or_404(stored.evening_id),
        sheet=table_sheet(stored.game),
        players={name: player_sheets(stored.game, name) for name in stored.game.setup.names},
        note_text=note_text,
        paid=list(paid_by_hand(stored.game)),
        sources=sources_of_payments(stored.game),
    )


@pages.get("/tables/<game_id>/table.<kind>")
@Policy(MEMBER)
def table_file(game_id: str, kind: str) -> Response:
    """Send a table as a file: its score sheets as PDF, or its hands as CSV or XLSX."""
    stored = game_or_404(game_id)
    evening = evening_or_404(stored.evening_id)
    round_ = f"-round-{stored.round}" if stored.several else ""
    name = f"kongbox-{evening.day.isoformat()}{round_}-table-{stored.number}"
    return _file(evening, [stored], name, kind)


@pages.get("/evenings/<evening_id>/evening.<kind>")
@Policy(MEMBER)
def evening_file(evening_id: str, kind: str) -> Response:
    """Send all tables of an evening as one file."""
    evening = evening_or_404(evening_id)
    games = services().games.of_evening(evening_id)
    return _file(evening, games, f"kongbox-{evening.day.isoformat()}", kind)


def _file(evening: Evening, games: list[StoredGame], name: str, kind: str) -> Response:
    if kind == "pdf":
        from webapp.exports.sheet_pdf import table_pdf

        data = table_pdf(evening, games)
    elif kind == "csv":
        data = csv_file(evening, games, services().book.people.numbers())
    elif kind == "xlsx":
        data = xlsx_file(evening, games, services().book.people.numbers())
    else:
        abort(404, str(NO_FILE))
    return sent(data, f"{name}.{kind}")
