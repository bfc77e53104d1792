"""Leader boards as CSV and XLSX files for other programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from flask_babel import gettext
from openpyxl import Workbook

from webapp.book.statistics import BoardLine
from webapp.games.sheet_files import Cell, append_row, finish_sheet


def _head() -> tuple[str, ...]:
    return (
        gettext("Place"),
        gettext("Player"),
        gettext("Points"),
        gettext("Evenings"),
        gettext("Tables"),
        gettext("Hands"),
        gettext("Hands won"),
        gettext("Share of hands won"),
        gettext("Points per hand"),
        gettext("Average payment"),
        gettext("Best hand"),
        gettext("Rating"),
        gettext("Rating, doubt"),
        gettext("Rated tables"),
    )


def _rows(lines: Iterable[BoardLine]) -> Iterator[tuple[Cell, ...]]:
    for place, line in enumerate(lines, 1):
        rating = line.rating
        yield (
            place,
            line.name,
            line.total,
            line.evenings,
            line.tables,
            line.hands,
            line.won,
            round(line.win_rate, 3),
            round(line.per_hand, 1),
            round(line.payment, 1),
            "" if line.best is None else line.best,
            "" if rating is None else rating.points,
            "" if rating is None else rating.doubt,
            "" if rating is None else rating.tables,
        )


def board_csv(lines: Iterable[BoardLine]) -> bytes:
    """The board as CSV in UTF-8, with a byte order mark because spreadsheets expect one."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(_head())
    writer.writerows(_rows(lines))
    return text.getvalue().encode("utf-8-sig")


def board_xlsx(title: str, lines: Iterable[BoardLine]) -> bytes:
    """The board as a workbook of one sheet.

    Args:
        title: the name of the season, which becomes the name of the sheet.
        lines: the players in the order of the board.
    """
    book = Workbook()
    page = book.worksheets[0]
    page.title = "".join(sign for sign in title if sign not in "[]:*?/\\'")[:31] or "Board"
    append_row(page, _head())
    for row in _rows(lines):
        append_row(page, row)
    finish_sheet(page)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()
