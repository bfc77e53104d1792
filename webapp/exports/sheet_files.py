"""Games as CSV and XLSX files for other programs, of one table or of a whole evening."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from flask_babel import gettext

from scorer.game.scoresheet import TableRow, table_sheet
from scorer.tiles import SEAT_NAMES
from webapp.evening.evenings import Evening
from webapp.games.store import StoredGame
from webapp.games.words import NOTE_WORDS

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

CSV_TYPE: Final = "text/csv; charset=utf-8"
"""The MIME type of a CSV file."""

PDF_TYPE: Final = "application/pdf"
"""The MIME type of a PDF file."""

XLSX_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
"""The MIME type of an XLSX workbook."""

Cell = str | int | float

NOBODY: Final[Mapping[str, str]] = MappingProxyType({})
"""The member numbers where nobody has one."""


def _head() -> tuple[str, ...]:
    """The headings of the columns of :func:`long_rows`."""
    return (
        gettext("Day"),
        gettext("Venue"),
        gettext("Table"),
        gettext("Rules"),
        gettext("Hand"),
        gettext("Round"),
        gettext("Winner"),
        gettext("Note"),
        gettext("Player"),
        gettext("Wind"),
        gettext("Gain"),
        gettext("Total"),
        gettext("Member number"),
        gettext("Round of the evening"),
    )


def _wind(seat: str) -> str:
    return str(gettext(SEAT_NAMES[seat]))


def note_text(note: Iterable[str]) -> str:
    """The remarks on a hand, in the reader's language."""
    return ", ".join(str(NOTE_WORDS[word]) for word in note)


def long_rows(
    evening: Evening, games: Iterable[StoredGame], members: Mapping[str, str]
) -> Iterator[tuple[Cell, ...]]:
    """One row for each player of each hand, with the columns of the file."""
    for stored in games:
        before = (evening.day.isoformat(), plain_text(evening.place), stored.number)
        for row in table_sheet(stored.game).rows:
            hand = (
                stored.game.setup.ruleset,
                row.number,
                _wind(row.round_wind),
                row.winner or "",
                note_text(row.note),
            )
            for name, gain in row.gained.items():
                member = members.get(name, "")
                more = (row.totals[name], member, stored.round)
                wind = _wind(row.winds[name]) if name in row.winds else ""
                yield (*before, *hand, name, wind, gain, *more)


def csv_file(
    evening: Evening, games: Iterable[StoredGame], members: Mapping[str, str] = NOBODY
) -> bytes:
    """The rows as CSV for spreadsheets.

    Args:
        evening: the evening.
        games: its tables.
        members: the member numbers of players by their names.
    """
    return csv_of_rows([_head(), *long_rows(evening, games, members)])


def xlsx_file(
    evening: Evening, games: Sequence[StoredGame], members: Mapping[str, str] = NOBODY
) -> bytes:
    """A workbook with a sheet for each table and one with all rows, as :func:`csv_file` has."""
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.worksheets[0])
    for stored in games:
        _table(book.create_sheet(stored.title), stored)
    fill_sheet(
        book.create_sheet(gettext("All hands")), [_head(), *long_rows(evening, games, members)]
    )
    return saved(book)


def _table(page: Worksheet, stored: StoredGame) -> None:
    sheet = table_sheet(stored.game)
    head = (gettext("Hand"), gettext("Round"), gettext("Dealer"), gettext("Winner"))
    start, gain, total = gettext("Start"), gettext("Gain"), gettext("Total")
    rows: list[Sequence[Cell]] = [
        (*head, *sheet.players, gettext("Note")),
        ("", "", "", start, *[sheet.start_points] * len(sheet.players), ""),
        *(_table_row(row, sheet.players) for row in sheet.rows),
        ("", "", "", gain, *(sheet.gains[name] for name in sheet.players), ""),
        ("", "", "", total, *(sheet.totals[name] for name in sheet.players), ""),
    ]
    fill_sheet(page, rows)


def _table_row(row: TableRow, players: Sequence[str]) -> tuple[Cell, ...]:
    return (
        row.number,
        _wind(row.round_wind),
        row.dealer,
        row.winner or "",
        *(row.gained.get(name, "") for name in players),
        note_text(row.note),
    )


def csv_of_rows(rows: Iterable[Sequence[Cell]]) -> bytes:
    """CSV in UTF-8 of the rows, the first of which is the heading.

    It begins with a byte order mark because spreadsheets expect one.
    """
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode("utf-8-sig")


def fill_sheet(page: Worksheet, rows: Iterable[Sequence[Cell]]) -> None:
    """Write the rows, the first of which is the heading, on an empty sheet."""
    for row in rows:
        _append_row(page, row)
    _finish_sheet(page)


def saved(book: Workbook) -> bytes:
    """The workbook as a file."""
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _append_row(page: Worksheet, row: Sequence[Cell]) -> None:
    """Add a row; texts are stored as texts, also those that begin like a formula."""
    number = page.max_row + 1 if page.max_row > 1 or page.cell(1, 1).value is not None else 1
    for column, value in enumerate(row, 1):
        cell = page.cell(number, column, value)
        if isinstance(value, str):
            cell.data_type = "s"


def _finish_sheet(page: Worksheet) -> None:
    """Make the first row the heading, and each column as wide as its longest text."""
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    for cell in page[1]:
        cell.font = Font(bold=True)
    page.freeze_panes = "A2"
    for number, column in enumerate(page.iter_cols(), 1):
        widest = max(len(str(cell.value or "")) for cell in column)
        page.column_dimensions[get_column_letter(number)].width = widest + 2


def plain_text(text: str) -> str:
    """A text in a form that no spreadsheet runs as a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text
