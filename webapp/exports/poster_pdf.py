"""Lists for the notice board as PDF on A4, printed as large as they fit on one page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from flask_babel import gettext
from reportlab.lib.enums import TA_CENTER, TA_LEFT, TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.platypus import Flowable, KeepTogether, Spacer, Table

from webapp.evening.evenings import Evening
from webapp.exports.typeset import MARGIN, SIZES, in_columns, measured, ruled, said
from webapp.games.store import StoredGame
from webapp.games.words import long_day, points, signed, standings

WIDE: Final = (A4[0] - 2 * MARGIN) * 0.9
"""Width in points from which on a column is the only one on its page."""

NAME: Final = 7.0
"""Least width for a name in a narrow column, in sizes of print: some thirteen letters."""

WHOLE: Final = 6
"""Number of rows up to which a list is not broken at the end of a narrow column."""

DENSE: Final = 5.0
"""Room on both sides of a figure in a narrow column, in points."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A list with its heading: the second column is the name, which gets the room that is left."""

    heading: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def poster(title: str, lists: Sequence[Listed]) -> bytes:
    """The lists under a title, on one page if that is possible in readable print."""

    def least(size: float, width: float) -> float:
        row = 1.2 * size + 3 * _space(size, dense=width < WIDE)
        return sum(row * (len(listed.rows) + 0.5) for listed in lists)

    return in_columns(title, lambda size, width: _parts(lists, size, width), least)


def _space(size: float, *, dense: bool) -> float:
    """The room above a row of a list; there is twice as much below it."""
    return 0.1 * size if dense else 0.2 * size


def _small(size: float) -> float:
    """The print of the heads of a list."""
    return max(0.7 * size, SIZES[-1])


def _parts(lists: Sequence[Listed], size: float, width: float) -> list[Flowable]:
    """The lists in a column; none where a name would not have enough room in it."""
    parts: list[Flowable] = []
    dense = width < WIDE
    before: tuple[str, ...] = ()
    for listed in lists:
        widths = _widths(listed, size, width, dense=dense)
        if dense and widths[1] < NAME * size:
            return []
        if listed.heading and not dense:
            parts += [said(listed.heading, 1.1 * size, TA_LEFT), Spacer(0, 0.3 * size)]
        table = _table(listed, size, widths, before if dense else None)
        whole = dense and len(listed.rows) <= WHOLE
        parts += [KeepTogether([table]) if whole else table]
        parts += [Spacer(0, 0.5 * size if dense else size)]
        before = listed.heads
    return parts


def _table(
    listed: Listed, size: float, widths: Sequence[float], before: tuple[str, ...] | None
) -> Table:
    """A list with its heads.

    In a narrow column, for which the heads of the list ``before`` it are given, the heading stands
    above the names, places have no head, and heads that are the same are not told once more.
    """
    heads, dense = list(listed.heads), before is not None
    if dense:
        heads = [""] * len(heads) if listed.heads == before else ["", *heads[1:]]
        heads[1] = listed.heading or heads[1]
    rows = [[said(head, _small(size)) for head in heads]]
    rows += [
        [said(text, size, TA_LEFT if at == 1 else TA_RIGHT if at else TA_CENTER)
         for at, text in enumerate(row)]
        for row in listed.rows
    ]  # fmt: skip
    space = _space(size, dense=dense)
    sides = [(f"{side}PADDING", (0, 0), (-1, -1), DENSE / 2) for side in ("LEFT", "RIGHT")]
    above = [
        ("TOPPADDING", (0, 0), (-1, -1), space),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2 * space),
    ]
    return Table(rows, widths, style=ruled([*above, *(sides if dense else ())]), repeatRows=1)


def _widths(listed: Listed, size: float, width: float, *, dense: bool) -> list[float]:
    """The widths of the columns of a list, in which no figure is broken into two lines."""
    columns = zip(*listed.rows, strict=True) if listed.rows else [()] * len(listed.heads)
    told = [max((measured(text, size) for text in column), default=0) for column in columns]
    if dense:
        words = [head.split() for head in ("", *listed.heads[1:])]
        heads = [max((measured(word, _small(size)) for word in told), default=0) for told in words]
        widths = [max(pair) + DENSE for pair in zip(told, heads, strict=True)]
    else:
        widths = [max(one, 3 * size) + 14 for one in told]
    widths[1] = width - sum(widths) + widths[1]
    return widths


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
