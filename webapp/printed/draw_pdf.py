"""The tables that were drawn for an evening as PDF: every round on one page for the wall."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flask_babel import gettext
from reportlab.lib.enums import TA_LEFT
from reportlab.lib.pagesizes import A4
from reportlab.platypus import Flowable, KeepTogether, Spacer, Table

from scorer.tiles import SEAT_NAMES
from webapp.draw.drawing import Drawing, Round
from webapp.draw.drawing import Table as Drawn
from webapp.games.club import Evening
from webapp.games.words import long_day
from webapp.printed.typeset import GRID, MARGIN, one_page, said

LETTERS: Final = 14
"""The width of a table on the page, in letters: a wind and a name of usual length side by side."""


def draw_page(evening: Evening, drawing: Drawing, names: Mapping[str, str]) -> bytes:
    """The rounds of a drawing on one page, in the largest print with which they fit.

    Args:
        evening: the evening.
        drawing: its tables, with the players' ids.
        names: the players' names by their ids.
    """
    where = f", {evening.place}" if evening.place else ""
    title = gettext("Who sits where, %(day)s", day=f"{long_day(evening.day)}{where}")
    several = len(drawing.rounds) > 1

    def parts(size: float) -> list[Flowable]:
        found: list[Flowable] = [said(title, 1.2 * size), Spacer(0, 0.5 * size)]
        for number, round_ in enumerate(drawing.rounds, 1):
            heading = gettext("Round %(number)s", number=number) if several else ""
            found.append(KeepTogether(_round_parts(heading, round_, names, size)))
        return found

    return one_page(title, parts)


def _round_parts(
    heading: str, round_: Round, names: Mapping[str, str], size: float
) -> list[Flowable]:
    parts: list[Flowable] = []
    if heading:
        parts += [said(heading, 1.1 * size, TA_LEFT), Spacer(0, 0.3 * size)]
    parts.append(_grid(round_, names, size))
    if round_.resting:
        resting = gettext(", ").join(names.get(person, "?") for person in round_.resting)
        parts.append(said(gettext("Sits out: %(names)s", names=resting), size, TA_LEFT))
    return [*parts, Spacer(0, 0.8 * size)]


def _grid(round_: Round, names: Mapping[str, str], size: float) -> Table:
    """The tables of a round beside and below each other."""
    room = A4[0] - 2 * MARGIN
    columns = max(1, min(len(round_.tables), int(room // (LETTERS * 0.6 * size))))
    cells: list[Any] = [
        _cell(number, table, names, size) for number, table in enumerate(round_.tables, 1)
    ]
    cells += [""] * (-len(cells) % columns)
    rows = [cells[at : at + columns] for at in range(0, len(cells), columns)]
    style: list[tuple[Any, ...]] = [
        ("GRID", (0, 0), (-1, -1), 0.5, GRID),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ]
    return Table(rows, room / columns, style=style)


def _cell(number: int, table: Drawn, names: Mapping[str, str], size: float) -> list[Flowable]:
    lines: list[Flowable] = [said(gettext("Table %(number)s", number=number), 1.1 * size)]
    for wind, person in table.seats.items():
        seat = gettext(SEAT_NAMES[wind])
        lines.append(said(f"{seat}  {names.get(person, '?')}", size, TA_LEFT))
    if table.out is not None:
        out = gettext("Sits out first: %(name)s", name=names.get(table.out, "?"))
        lines.append(said(out, 0.8 * size, TA_LEFT))
    return lines
