"""The draw for an evening as a PDF, in which players find their names and seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from flask_babel import gettext
from reportlab.lib.enums import TA_LEFT
from reportlab.lib.pagesizes import A4
from reportlab.platypus import Flowable, Spacer, Table

from scorer.tiles import SEAT_NAMES
from webapp.book.draws import Kept
from webapp.evening.evenings import Evening
from webapp.exports.typeset import MARGIN, SHADE, one_page, ruled, said
from webapp.games.words import long_day

ONE_LIST: Final = 28
"""Number of names up to which they stand in one list; more stand in two beside each other."""

FEW_ROUNDS: Final = 4
"""Number of rounds up to which two lists fit beside each other, and winds are written out."""


def draw_page(evening: Evening, kept: Kept, names: Mapping[str, str]) -> bytes:
    """All players by name, with table and wind of each round, on one page as large as it fits.

    Args:
        evening: the evening.
        kept: its tables, with the players' ids.
        names: the players' names by their ids, in the order of the list.
    """
    where = f", {evening.place}" if evening.place else ""
    title = gettext("Who sits where, %(day)s", day=f"{long_day(evening.day)}{where}")
    rows = _rows(kept, names)
    numbers = [kept.round_number(at) for at in range(len(kept.drawing.rounds))]

    def parts(size: float) -> list[Flowable]:
        space = Spacer(0, 0.5 * size)
        return [said(title, 1.2 * size), space, _list(rows, numbers, size)]

    return one_page(title, parts)


def _rows(kept: Kept, names: Mapping[str, str]) -> list[tuple[str, ...]]:
    """For each player the name and the place of each round."""
    rounds = kept.drawing.rounds
    letters = None if len(rounds) <= FEW_ROUNDS else 1
    winds = {wind: gettext(name)[:letters] for wind, name in SEAT_NAMES.items()}
    places = [_places(kept, at, winds) for at in range(len(rounds))]
    everybody = frozenset().union(*(round_.everybody for round_ in rounds))
    known = [person for person in names if person in everybody]
    return [(names[person], *(place.get(person, "") for place in places)) for person in known]


def _places(kept: Kept, at: int, winds: Mapping[str, str]) -> dict[str, str]:
    """Table and wind of all who are here in a round, in words."""
    round_ = kept.drawing.rounds[at]
    found = dict.fromkeys(round_.resting, gettext("sits out"))
    for drawn, table in enumerate(round_.tables, 1):
        number = kept.table_number(at, drawn)
        for wind, person in table.seats.items():
            found[person] = f"{number} {winds[wind]}"
        if table.out is not None:
            found[table.out] = gettext("%(number)s, sits out first", number=number)
    return found


def _list(rows: Sequence[tuple[str, ...]], numbers: Sequence[int], size: float) -> Table:
    rounds = len(numbers)
    lists = 2 if len(rows) > ONE_LIST and rounds <= FEW_ROUNDS else 1
    length = -(-len(rows) // lists)
    empty = ("",) * (rounds + 1)
    heads = (gettext("Player"), *(gettext("Round %(number)s", number=number) for number in numbers))
    lines: list[list[Any]] = [[said(head, 0.7 * size) for head in heads * lists]]
    for at in range(length):
        both = [rows[i] if i < len(rows) else empty for i in range(at, lists * length, length)]
        lines.append([said(text, size, TA_LEFT) for row in both for text in row])
    room = (A4[0] - 2 * MARGIN) / lists
    name = room / (1 + 0.6 * rounds)
    widths = [name, *[(room - name) / rounds] * rounds] * lists
    shaded = [("BACKGROUND", (0, at), (-1, at), SHADE) for at in range(2, length + 1, 2)]
    space = [("TOPPADDING", (0, 0), (-1, -1), 0.15 * size),
             ("BOTTOMPADDING", (0, 0), (-1, -1), 0.3 * size)]  # fmt: skip
    return Table(lines, widths, style=ruled([*space, *shaded]), repeatRows=1)
