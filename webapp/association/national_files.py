"""The list of the players of all clubs that agree, as files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flask_babel import gettext

from webapp.association.national import NationalLine, placed
from webapp.exports.sheet_files import Cell, csv_of_rows, fill_sheet, saved
from webapp.games.words import signed


def _head() -> tuple[str, ...]:
    return (
        gettext("Place"),
        gettext("Player"),
        gettext("Member number"),
        gettext("Clubs"),
        gettext("Points"),
        gettext("Tables"),
        gettext("Hands"),
        gettext("Hands won"),
    )


def _cells(lines: Sequence[NationalLine]) -> Iterator[tuple[Cell, ...]]:
    for place, line in placed(lines):
        clubs = ", ".join(line.clubs)
        figures = line.points, line.tables, line.hands, line.won
        yield place, line.name, line.member, clubs, *figures


def as_csv(lines: Sequence[NationalLine]) -> bytes:
    """The list as CSV for spreadsheets."""
    return csv_of_rows([_head(), *_cells(lines)])


def as_xlsx(lines: Sequence[NationalLine]) -> bytes:
    """The list as a workbook of one sheet."""
    from openpyxl import Workbook

    book = Workbook()
    fill_sheet(book.worksheets[0], [_head(), *_cells(lines)])
    return saved(book)


def as_pdf(title: str, lines: Sequence[NationalLine]) -> bytes:
    """The list for a notice board, as large as it fits on a page."""
    from webapp.exports.poster_pdf import Listed, poster

    heads = gettext("Place"), gettext("Player"), gettext("Clubs"), gettext("Points")
    rows = tuple(
        (f"{place}.", line.name, ", ".join(line.clubs), signed(line.points), str(line.hands))
        for place, line in placed(lines)
    )
    return poster(title, [Listed("", (*heads, gettext("Hands")), rows)])
