"""The pages of score sheets, and the files of a table or an evening."""

from __future__ import annotations

from flask import Blueprint, abort, make_response, render_template
from flask_babel import lazy_gettext
from werkzeug.wrappers import Response

from scorer.game.scoresheet import player_sheets, table_sheet
from webapp.games.club import Evening
from webapp.games.store import StoredGame
from webapp.pages.club.context import book
from webapp.pages.evening.evenings import evening_or_404
from webapp.pages.game.table import game_or_404
from webapp.printed.causes import paid_by_hand, sources_of_payments
from webapp.printed.sheet_files import CSV_TYPE, PDF_TYPE, XLSX_TYPE, csv_file, note_text, xlsx_file
from webapp.services import services

pages = Blueprint("sheets", __name__)

NO_FILE = lazy_gettext("There is no such file. Files end in pdf, csv or xlsx.")
"""The message for a kind of file that does not exist."""


@pages.get("/tables/<game_id>/sheets")
def show(game_id: str) -> str:
    """Show the sheet of a table and those of its players."""
    stored = game_or_404(game_id)
    return render_template(
        "game/sheets.html",
        stored=stored,
        evening=evening_or_404(stored.evening_id),
        sheet=table_sheet(stored.game),
        players={name: player_sheets(stored.game, name) for name in stored.game.setup.names},
        note_text=note_text,
        paid=list(paid_by_hand(stored.game)),
        sources=sources_of_payments(stored.game),
    )


@pages.get("/tables/<game_id>/table.<kind>")
def table_file(game_id: str, kind: str) -> Response:
    """Send a table as a file: its score sheets as PDF, or its hands as CSV or XLSX."""
    stored = game_or_404(game_id)
    evening = evening_or_404(stored.evening_id)
    round_ = f"-round-{stored.round}" if stored.several else ""
    name = f"kongbox-{evening.day.isoformat()}{round_}-table-{stored.number}"
    return _file(evening, [stored], name, kind)


@pages.get("/evenings/<evening_id>/evening.<kind>")
def evening_file(evening_id: str, kind: str) -> Response:
    """Send all tables of an evening as one file."""
    evening = evening_or_404(evening_id)
    games = services().games.of_evening(evening_id)
    return _file(evening, games, f"kongbox-{evening.day.isoformat()}", kind)


def _sent(data: bytes, content_type: str, name: str) -> Response:
    response = make_response(data)
    response.headers["Content-Type"] = content_type
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _file(evening: Evening, games: list[StoredGame], name: str, kind: str) -> Response:
    if kind == "pdf":
        from webapp.printed.sheet_pdf import table_pdf

        data, content_type = table_pdf(evening, games), PDF_TYPE
    elif kind == "csv":
        data, content_type = csv_file(evening, games, book().people.numbers()), CSV_TYPE
    elif kind == "xlsx":
        data, content_type = xlsx_file(evening, games, book().people.numbers()), XLSX_TYPE
    else:
        abort(404, str(NO_FILE))
    return _sent(data, content_type, f"{name}.{kind}")
