"""Lists for the notice board as PDF on A4, printed as large as they fit on one page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flask_babel import gettext
from reportlab.lib.enums import TA_CENTER, TA_LEFT, TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import Flowable, Spacer, Table

from webapp.games.club import Evening
from webapp.games.store import StoredGame
from webapp.games.words import long_day, points, signed, standings
from webapp.printed.typeset import FONT, MARGIN, one_page, ruled, said


@dataclass(frozen=True, slots=True)
class Listed:
    """A list with its heading: the second column is the name, which gets the room that is left."""

    heading: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def poster(title: str, lists: Sequence[Listed]) -> bytes:
    """The lists under a title, on one page if that is possible in readable print."""
    return one_page(title, lambda size: _parts(title, lists, size))


def _parts(title: str, lists: Sequence[Listed], size: float) -> list[Flowable]:
    parts: list[Flowable] = [said(title, 1.3 * size), Spacer(0, 0.6 * size)]
    for listed in lists:
        if listed.heading:
            parts += [said(listed.heading, 1.1 * size, TA_LEFT), Spacer(0, 0.3 * size)]
        parts += [_table(listed, size), Spacer(0, size)]
    return parts


def _table(listed: Listed, size: float) -> Table:
    columns = zip(*listed.rows, strict=True) if listed.rows else [()] * len(listed.heads)
    widths = [_width(column, size) for column in columns]
    widths[1] = A4[0] - 2 * MARGIN - sum(widths) + widths[1]
    rows = [[said(head, 0.7 * size) for head in listed.heads]]
    rows += [
        [said(text, size, TA_LEFT if at == 1 else TA_RIGHT if at else TA_CENTER)
         for at, text in enumerate(row)]
        for row in listed.rows
    ]  # fmt: skip
    space = 0.2 * size
    return Table(
        rows,
        widths,
        style=ruled([("TOPPADDING", (0, 0), (-1, -1), space),
                     ("BOTTOMPADDING", (0, 0), (-1, -1), 2 * space)]),
        repeatRows=1,
    )  # fmt: skip


def _width(column: Sequence[str], size: float) -> float:
    """The width of a column in which no figure is broken into two lines."""
    widest = max((stringWidth(text, FONT, size) for text in column), default=0)
    return max(widest, 3 * size) + 14


def evening_page(
    evening: Evening,
    games: Sequence[StoredGame],
    results: Sequence[tuple[int | None, str, int, int]],
) -> bytes:
    """An evening on one page: the standings of each table, and what each player won or lost.

    Args:
        evening: the evening.
        games: its tables.
        results: place, name, total gain and number of tables of each player.
    """
    place, player = gettext("Place"), gettext("Player")
    lists = [
        Listed(
            stored.title,
            (place, player, gettext("Points"), gettext("Won or lost")),
            tuple((f"{at}.", n, points(total), signed(gain))
                  for at, n, total, gain in standings(stored.game)),
        )
        for stored in games
    ]  # fmt: skip
    if len(games) > 1:
        rows = tuple(
            ("" if at is None else f"{at}.", name, str(played), signed(gain))
            for at, name, gain, played in results
        )
        heads = (place, player, gettext("Tables"), gettext("Won or lost"))
        lists.insert(0, Listed(gettext("The evening"), heads, rows))
    where = f", {evening.place}" if evening.place else ""
    return poster(f"{long_day(evening.day)}{where}", lists)
