"""Leader boards as CSV and XLSX files for other programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from flask_babel import gettext

from webapp.book.statistics import BoardLine
from webapp.exports.sheet_files import Cell, csv_of_rows, fill_sheet, saved
from webapp.games.words import places, points, signed

Figure = Callable[[BoardLine], float]
"""The figure by which a board is ordered."""


def total_of(line: BoardLine) -> float:
    """The points that a player won or lost."""
    return line.total


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
        gettext("Member number"),
        gettext("Carried over"),
        gettext("From earlier records"),
    )


def placed(lines: Sequence[BoardLine], figure: Figure = total_of) -> list[tuple[int, BoardLine]]:
    """The lines in their order, each with its place: equal figures share one."""
    return list(zip(places([figure(line) for line in lines]), lines, strict=True))


def _rows(lines: Sequence[BoardLine], figure: Figure) -> Iterator[tuple[Cell, ...]]:
    for place, line in placed(lines, figure):
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
            line.member,
            line.carried,
            line.brought,
        )


def board_csv(lines: Sequence[BoardLine], figure: Figure = total_of) -> bytes:
    """The board as CSV for spreadsheets."""
    return csv_of_rows([_head(), *_rows(lines, figure)])


def board_xlsx(title: str, lines: Sequence[BoardLine], figure: Figure = total_of) -> bytes:
    """The board as a workbook of one sheet.

    Args:
        title: the name of the season, which becomes the name of the sheet.
        lines: the players in the order of the board.
        figure: the figure by which they are ordered.
    """
    from openpyxl import Workbook

    book = Workbook()
    page = book.worksheets[0]
    page.title = "".join(sign for sign in title if sign not in "[]:*?/\\'")[:31] or "Board"
    fill_sheet(page, [_head(), *_rows(lines, figure)])
    return saved(book)


def board_pdf(title: str, lines: Sequence[BoardLine], figure: Figure = total_of) -> bytes:
    """The board for the notice board, as large as it fits on a page.

    Args:
        title: its title, with the season and the day.
        lines: the players in the order of the board.
        figure: the figure by which they are ordered.
    """
    from webapp.exports.poster_pdf import Listed, poster

    heads = (gettext("Place"), gettext("Player"), gettext("Points"), gettext("Won"))
    told: list[tuple[str, Figure]] = [
        (gettext("Carried over"), lambda line: line.carried),
        (gettext("From earlier records"), lambda line: line.brought),
    ]
    told = [(head, figure) for head, figure in told if any(map(figure, lines))]
    rows = tuple(
        (f"{place}.", line.name, signed(line.total), f"{line.won}/{line.hands}",
         "" if line.rating is None else points(line.rating.points),
         *(signed(int(extra(line))) for _, extra in told))
        for place, line in placed(lines, figure)
    )  # fmt: skip
    return poster(
        title, [Listed("", (*heads, gettext("Rating"), *(head for head, _ in told)), rows)]
    )
