"""Score sheets as PDF on A4: the table's, and those of the players, two on a page.

The players' sheets are ruled like the paper sheet of the U3A course. They are in the language of
the request.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final

from flask_babel import gettext
from reportlab.lib.enums import TA_LEFT, TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.platypus import (
    Flowable,
    KeepTogether,
    PageBreak,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

from scorer.game.game import Game
from scorer.game.scoresheet import (
    Columns,
    PlayerRow,
    PlayerSheet,
    TableRow,
    player_sheets,
    table_sheet,
)
from scorer.tiles import SEAT_NAMES
from webapp.evening.evenings import Evening
from webapp.exports.causes import paid_by_hand, sources_of_payments
from webapp.exports.sheet_files import note_text
from webapp.exports.typeset import MARGIN, SHADE, a4, ruled, said
from webapp.games.handovers import handover_lines
from webapp.games.store import StoredGame
from webapp.games.words import day_of_month, end_line, long_day, money, points, signed, standings

ROW: Final = 6.4 * mm
"""Height of a row of a score sheet of which two stand on a page."""

LARGEST_ROW: Final = 12.4 * mm
"""Height of a row of the only sheet of a player, which fills its page."""

ROOM: Final = 245 * mm
"""Height of a page that the rows of a sheet may take."""

ROWS: Final = 12
"""Minimum number of rows of a score sheet; missing ones are drawn empty."""

GAP: Final = "\N{NO-BREAK SPACE}" * 8
"""The gap between two facts in the heading of a sheet."""


def table_pdf(evening: Evening, games: Sequence[StoredGame]) -> bytes:
    """The score sheets of these games as a PDF: for each table its own, then its players'."""
    file = io.BytesIO()
    document = a4(file, gettext("Score sheets, %(day)s", day=long_day(evening.day)))
    parts: list[Flowable] = []
    for stored in games:
        if parts:
            parts.append(PageBreak())
        parts += _table_parts(evening, stored)
        for name in stored.game.setup.names:
            sheets = player_sheets(stored.game, name)
            parts += [PageBreak()] if sheets else []
            most = LARGEST_ROW if len(sheets) == 1 else ROW
            for sheet in sheets:
                parts.append(KeepTogether(_player_parts(sheet, evening.day, most)))
                parts.append(Spacer(0, 7 * mm))
    document.build(parts or [said(gettext("No table was opened."), 12)])
    return file.getvalue()


def _table_parts(evening: Evening, stored: StoredGame) -> list[Flowable]:
    sheet = table_sheet(stored.game)
    where = f", {evening.place}" if evening.place else ""
    title = f"{stored.title}, {long_day(evening.day)}{where}"
    heads = (gettext("Hand"), gettext("Round"), gettext("Won"), *sheet.players, gettext("Note"))
    start = said(gettext("Start"))
    rows: list[list[Any]] = [
        [said(word) for word in heads],
        ["", "", "", *(points(sheet.start_points) for _ in sheet.players), start],
    ]
    for row in sheet.rows:
        gains = (_gain(row, name) for name in sheet.players)
        wind, note = _wind(row.round_wind), said(note_text(row.note), 7)
        rows.append([row.number, wind, said(row.winner or "\N{EN DASH}"), *gains, note])
    total = said(gettext("Total"))
    rows.append(["", "", "", *(points(sheet.totals[n]) for n in sheet.players), total])
    width = (A4[0] - 2 * MARGIN - 79 * mm) / len(sheet.players)
    widths = [12 * mm, 15 * mm, 26 * mm, *[width] * len(sheet.players), 26 * mm]
    style = ruled([("ALIGN", (3, 1), (-2, -1), "RIGHT"), ("BACKGROUND", (0, -1), (-1, -1), SHADE)])
    table = Table(rows, widths, style=style, repeatRows=1)
    left = [end_line(stored.game)] if stored.game.left else []
    told = (*_standing_lines(stored), *left, *handover_lines(stored.book.handovers))
    final = [said(line, 10, 0) for line in told]
    whole = [said(title, 13, 0), Spacer(0, 4 * mm), table, Spacer(0, 5 * mm), *final]
    return [*whole, *_paid_parts(stored.game)]


def _gain(row: TableRow, name: str) -> Flowable | str:
    """A player's gain with the wind; empty where the player sat out and got nothing."""
    if name not in row.gained:
        return ""
    wind = f"{gettext(row.winds[name])} " if name in row.winds else ""
    return said(f"{wind}{signed(row.gained[name])}", 8, TA_RIGHT)


def _paid_parts(game: Game) -> Iterable[Flowable]:
    """For what each payment was made, hand by hand, and where that is written."""
    joint = gettext("; ")
    hands = [
        f"{gettext('Hand %(number)s', number=hand.number)}: {joint.join(hand.payments)}"
        for hand in paid_by_hand(game)
    ]
    if not hands:
        return
    yield Spacer(0, 5 * mm)
    yield said(gettext("Who paid whom, and for what"), 10, TA_LEFT)
    told = (
        gettext("%(cause)s: %(source)s", cause=cause, source=source)
        for cause, source in sources_of_payments(game).items()
    )
    for line in (*hands, *told):
        yield Spacer(0, 1 * mm)
        yield said(line, 7, TA_LEFT)


def _standing_lines(stored: StoredGame) -> Iterable[str]:
    for place, name, total, gain in standings(stored.game):
        worth = f", {money(gain, stored.book.stake)}" if stored.book.stake else ""
        yield f"{place}. {name}: {points(total)} ({signed(gain)}{worth})"


def _player_parts(sheet: PlayerSheet, day: date, most: float) -> list[Flowable]:
    count = max(ROWS, len(sheet.rows))
    height = max(ROW, min(most, ROOM / (count + 6)))
    letters = 8 * (height / ROW) ** 0.6
    words = min(letters, 10)
    names = list(sheet.totals)
    opponents = [""] * (2 * len(names) - 1)
    blank = [""] * (2 * len(names) + 4)
    wind, number, others = gettext("Wind"), gettext("Number of hand"), gettext("Opponents")
    result = (said(gettext("Win"), words), said(gettext("Lose"), words))
    paid = (said(gettext("Receive")), said(gettext("Pay")))
    rows: list[list[Any]] = [
        [said(wind, words), said(number, 7), said(others, words), *opponents, *result],
        ["", "", *_pairs(names, words), "", ""],
        ["", "", *paid * len(names), "", ""],
        *(_player_row(row, names, words) for row in sheet.rows),
        *([blank] * (count - len(sheet.rows))),
        *_closing_rows(sheet, names, words),
    ]
    small = 17 * mm
    width = (A4[0] - 2 * MARGIN - 2 * small - 36 * mm) / (2 * len(names))
    widths = [small, small, *[width] * (2 * len(names)), 18 * mm, 18 * mm]
    table = Table(rows, widths, rowHeights=height, style=_player_style(len(names), letters))
    head, foot = GAP.join(_head(sheet, day)), GAP.join(_foot(sheet))
    return [
        said(head, max(10, 1.05 * letters), 0),
        Spacer(0, 2 * mm),
        table,
        Spacer(0, 1 * mm),
        said(foot, 1.15 * letters, 0),
    ]


def _player_style(opponents: int, letters: float) -> TableStyle:
    return ruled(
        [
            ("SPAN", (2, 0), (-3, 0)),
            *(("SPAN", (2 + 2 * i, 1), (3 + 2 * i, 1)) for i in range(opponents)),
            *(("SPAN", (column, 0), (column, 2)) for column in (0, 1, -2, -1)),
            ("BACKGROUND", (0, 1), (-1, 2), SHADE),
            ("BACKGROUND", (0, -3), (-1, -1), SHADE),
            ("ALIGN", (2, 3), (-1, -1), "RIGHT"),
            *(("SPAN", (0, last), (1, last)) for last in (-3, -2, -1)),
            ("FONTSIZE", (0, 3), (-1, -1), letters),
            ("ALIGN", (0, -3), (1, -1), "LEFT"),
        ]
    )


def _head(sheet: PlayerSheet, day: date) -> Iterable[str]:
    wind = gettext(SEAT_NAMES[sheet.round_wind])
    yield gettext("Name: %(name)s", name=sheet.player)
    yield gettext("Date: %(day)s", day=day_of_month(day))
    yield gettext("Wind of the round: %(wind)s", wind=wind)


def _foot(sheet: PlayerSheet) -> Iterable[str]:
    yield gettext("Brought forward: %(points)s", points=points(sheet.brought_forward))
    yield gettext("Carried forward: %(points)s", points=points(sheet.carried_forward))


def _wind(seat: str, size: float = 8) -> Paragraph:
    return said(gettext(SEAT_NAMES[seat]), size)


def _pairs(names: Sequence[str], size: float) -> Iterable[Any]:
    for name in names:
        yield said(name, size)
        yield ""


def _player_row(row: PlayerRow, names: Sequence[str], size: float) -> list[Any]:
    cells = _cells(row.opponents, row.result, names)
    return [_wind(row.wind, size), row.number, *cells]


def _cells(opponents: Mapping[str, Columns], result: Columns, names: Sequence[str]) -> list[str]:
    pairs = [(opponents[name].plus, opponents[name].minus) for name in names]
    numbers = [number for pair in (*pairs, (result.plus, result.minus)) for number in pair]
    return [points(number) if number else "" for number in numbers]


def _closing_rows(sheet: PlayerSheet, names: Sequence[str], size: float) -> list[list[Any]]:
    taken = {n: Columns(c.subtract, c.subtract) for n, c in sheet.totals.items()}
    final = {n: c.final for n, c in sheet.totals.items()}
    result = sheet.result
    closing = (
        (gettext("Totals:"), sheet.totals, result),
        (gettext("Subtract:"), taken, Columns(result.subtract, result.subtract)),
        (gettext("Final totals:"), final, result.final),
    )
    return [
        [said(title, size, TA_LEFT), "", *_cells(columns, own, names)]
        for title, columns, own in closing
    ]
