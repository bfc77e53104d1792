"""Sheets of other shapes as plain lists: players across, games in a row, several tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise
from typing import Final

from webapp.language.kept import kept
from webapp.language.noted import note
from webapp.list_import.cells import day_within, sums_up
from webapp.list_import.columns import (
    ONLY_ONCE,
    field_of,
    heading_key,
    heading_of,
    kind_of,
    known_headings,
)
from webapp.list_import.sheet import MAX_ROWS, Row, Sheet

_NUMBERED: Final = re.compile(r"(?<=[^\W\d_])[\s_#.-]*\d{1,2}$")
"""The number of one among several at the end of a heading, such as Player 3."""

_ANYBODY: Final = ("name", "first", "last", "member")
"""What says who is meant."""


def plain_lists(sheet: Sheet, now: date) -> list[Sheet]:
    """A sheet in the shapes in which it can be taken in, the likeliest first.

    A plain list stays alone. What is laid out again keeps the numbers of its lines, and is followed
    by the sheet as it is.
    """
    tables = _tables(sheet, now)
    found: list[Sheet] = []
    for table in tables:
        laid = _in_groups(table, now) or _across(table, now)
        found += [table] if laid is None else [laid]
    if len(found) > 1:
        told = kept(note("This sheet has several tables. Choose each one under “Sheet”."))
        found = [replace(table, notes=(*table.notes, told)) for table in found]
    if found == [sheet]:
        return [_with_doubles(sheet, now)]
    return [*found, replace(sheet, shape=kept(note("as it is")))]


def _with_doubles(sheet: Sheet, now: date) -> Sheet:
    """A plain list with a word about headings of the same kind, of which only one can count."""
    line = heading_of(sheet, now)
    cells = next((row.cells for row in sheet.rows if row.line == line), ())
    twice = [cell for cell, times in Counter(cells).items()
             if times > 1 and field_of(cell, now)[1] in ONLY_ONCE]  # fmt: skip
    told = tuple(
        kept(note("Several columns are headed “{heading}”; the first one is used.", heading=cell))
        for cell in twice
    )
    return replace(sheet, notes=(*sheet.notes, *told)) if told else sheet


def _tables(sheet: Sheet, now: date) -> list[Sheet]:
    """The tables of a sheet: those below each other, as one where their headings are alike."""
    heads = [at for at, row in enumerate(sheet.rows) if known_headings(row, now) > 1]
    if len(heads) < 2:
        return _beside(sheet, now)
    starts = [_begin(sheet.rows, at, heads[number - 1] if number else -1)
              for number, at in enumerate(heads)]  # fmt: skip
    if len({tuple(map(heading_key, sheet.rows[at].cells)) for at in heads}) == 1:
        return [_joined(sheet, heads, starts, now)]
    ends = [*starts[1:], len(sheet.rows)]
    return [
        replace(
            sheet,
            rows=sheet.rows[start:end],
            shape=kept(note("from line {line}", line=sheet.rows[start].line)),
        )
        for start, end in zip(starts, ends, strict=True)
    ]


def _begin(rows: Sequence[Row], head: int, before: int) -> int:
    """Where a table begins: with the titles above its headings, which have but one cell."""
    start = head
    while start - 1 > before and sum(map(bool, rows[start - 1].cells)) == 1:
        start -= 1
    return start


def _joined(sheet: Sheet, heads: Sequence[int], starts: Sequence[int], now: date) -> Sheet:
    """The tables below each other as one list, with the days that their titles tell."""
    rows, ends = sheet.rows, [*starts[1:], len(sheet.rows)]
    titles = [" ".join(map(" ".join, (row.cells for row in rows[start:head])))
              for start, head in zip(starts, heads, strict=True)]  # fmt: skip
    days = [day_within(title, now) for title in titles]
    dated = None not in days and all(
        field_of(cell, now)[1] not in {"day", "day_points"} for cell in rows[heads[0]].cells
    )
    laid = [_with(rows[heads[0]], "Date" if dated else "")]
    for head, end, day in zip(heads, ends, days, strict=True):
        told = day.isoformat() if dated and day is not None else ""
        laid += [_with(row, told) for row in rows[head + 1 : end]]
    shape = note("{count} tables as one list", count=len(heads))
    return replace(sheet, rows=tuple(laid), shape=kept(shape))


def _with(row: Row, more: str) -> Row:
    return Row(row.line, (*row.cells, more))


def _beside(sheet: Sheet, now: date) -> list[Sheet]:
    """The tables beside each other, with an empty column between, unless they are groups alike."""
    line = heading_of(sheet, now)
    body = [row for row in sheet.rows if row.line >= line]
    empty = [at for at in range(sheet.width) if not any(row.cells[at] for row in body)]
    edges = [-1, *empty, sheet.width]
    blocks = [range(left + 1, right) for left, right in pairwise(edges)]
    head = body[0]
    told = [{field_of(head.cells[at], now)[1] for at in block} for block in blocks]
    named = [block for block, fields in zip(blocks, told, strict=True) if fields & {*_ANYBODY}]
    if not line or len(named) < 2 or _in_groups(sheet, now) is not None:
        return [sheet]
    return [
        replace(
            sheet,
            rows=tuple(_only(body, block)),
            hidden_columns=tuple(at - block[0] for at in sheet.hidden_columns if at in block),
            shape=kept(note("the table headed “{heading}”", heading=head.cells[block[0]])),
        )
        for block in named
    ]


def _only(rows: Sequence[Row], columns: Sequence[int]) -> Iterator[Row]:
    for row in rows:
        cells = tuple(row.cells[at] for at in columns)
        if any(cells):
            yield Row(row.line, cells)


def _in_groups(sheet: Sheet, now: date) -> Sheet | None:
    """A sheet with several players in a row as a list of them; None if it is none.

    The headings of each player are the same, but for a number behind them: player1, score1,
    player2, score2.
    """
    line = heading_of(sheet, now)
    head = next((row for row in sheet.rows if row.line == line), None)
    if head is None:
        return None
    plain = [_NUMBERED.sub("", cell) for cell in head.cells]
    kinds = [field_of(cell, now)[1] or heading_key(cell) for cell in plain]
    counts = Counter(kinds)
    number = next((counts[field] for field in _ANYBODY if counts[field] > 1), 0)
    if not number or counts["points"] != number:
        return None
    columns = [at for at, kind in enumerate(kinds) if kind and at not in sheet.hidden_columns]
    shared = [at for at in columns if counts[kinds[at]] == 1]
    repeated = [kind for kind in dict.fromkeys(kinds) if kind and counts[kind] == number]
    places = [[at for at in columns if kinds[at] == kind] for kind in repeated]
    if any(len(found) != number for found in places):
        return None
    groups = list(zip(*places, strict=True))
    return _laid_out(sheet, head, shared, groups, [plain[at] for at in groups[0]])


def _across(sheet: Sheet, now: date) -> Sheet | None:
    """A sheet with a column for each player and a line for each evening; None if it is none."""
    line = heading_of(sheet, now)
    head = next((row for row in sheet.rows if row.line == line), None)
    fields = [] if head is None else [field_of(cell, now)[1] for cell in head.cells]
    if head is None or "day" not in fields or {"points", "day_points", *_ANYBODY} & set(fields):
        return None
    body = [row for row in sheet.rows if row.line > line]
    players = [
        at
        for at, cell in enumerate(head.cells)
        if not fields[at] and at not in sheet.hidden_columns
        if any(map(str.isalpha, cell)) and not sums_up(cell)
        if kind_of([row.cells[at] for row in body], now) == "numbers"
    ]
    if len(players) < 2:
        return None
    shared = [at for at, field in enumerate(fields) if field in {"day", "table", "rules"}]
    return _laid_out(sheet, head, shared, [[at] for at in players], ["Points"], ["Player"])


def _laid_out(
    sheet: Sheet,
    head: Row,
    shared: Sequence[int],
    groups: Sequence[Sequence[int]],
    headings: Sequence[str],
    named: Sequence[str] = (),
) -> Sheet | None:
    """A list with a line for each group of columns, after those that all have in common.

    Args:
        sheet: the sheet.
        head: its headings.
        shared: the columns that all groups have in common.
        groups: the columns of each group.
        headings: what the columns of a group are called.
        named: what the headings of the groups are called, if they are cells of their lines.
    """
    rows = [Row(head.line, (*(head.cells[at] for at in shared), *named, *headings))]
    for row in (row for row in sheet.rows if row.line > head.line):
        for group in groups:
            cells = [row.cells[at] for at in group]
            if any(cells):
                whom = [head.cells[group[0]]] if named else []
                rows.append(Row(row.line, (*(row.cells[at] for at in shared), *whom, *cells)))
    if len(rows) > MAX_ROWS:
        return None
    shape = kept(note("a line for each player"))
    return replace(sheet, rows=tuple(rows), hidden_columns=(), shape=shape)
