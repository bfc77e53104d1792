"""A list as it is read from a file: rows of texts, each with the number of its line."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from flask_babel import gettext

from webapp.language.translation import translated

MAX_FILE_BYTES: Final = 2 * 1024**2
"""Maximum size of a file in bytes; a list of 300 players has about 30 kB."""

MAX_ROWS: Final = 5000
"""Maximum number of rows of a sheet that hold something: a year of a large club's evenings."""

MAX_COLUMNS: Final = 60
"""Maximum number of columns of a sheet: a year of weekly evenings, with room for names."""

MAX_SHEETS: Final = 20
"""Maximum number of sheets of a workbook that are read; an evening has one for each table."""

MAX_CELL: Final = 200
"""Number of characters of a cell that are kept; a name has at most 30."""


_NUMBER: Final = re.compile(r"[-+(]?[\d.,]+\)?")
"""What is in a cell of numbers."""


class FileRefused(ValueError):
    """The file cannot be read; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a sheet that holds something, and the number of its line in the file."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of a file.

    Attributes:
        title: its name; empty in a file that has but one.
        rows: its rows, without empty ones; all have the same number of cells.
        decimal: the sign before decimals, as far as the kind of file tells; empty if it does not.
        hidden: whether the spreadsheet program hides it.
        hidden_lines: the lines that the spreadsheet program hides.
        hidden_columns: the columns that it hides, counted from 0.
        shape: how the rows were laid out again, as a kept message; empty if they were not.
        notes: what is to be said of it, as kept messages.
    """

    title: str
    rows: tuple[Row, ...]
    decimal: str = "."
    hidden: bool = False
    hidden_lines: tuple[int, ...] = ()
    hidden_columns: tuple[int, ...] = ()
    shape: str = ""
    notes: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        """Its number of columns."""
        return len(self.rows[0].cells) if self.rows else 0

    @property
    def label(self) -> str:
        """What tells it from the other sheets of its file, in the language of the request."""
        hidden = gettext("hidden") if self.hidden else ""
        return " · ".join(filter(None, (self.title, translated(self.shape), hidden)))

    def to_json(self) -> list[object]:
        """The sheet as a JSON value, which :meth:`from_json` reads."""
        told = [getattr(self, name) for name in self.__slots__ if name != "rows"]
        return [told, [[row.line, *row.cells] for row in self.rows]]

    @classmethod
    def from_json(cls, value: list[Any]) -> Sheet:
        """The sheet of a JSON value of :meth:`to_json`."""
        told, rows = value
        title: Any
        others: list[Any]
        title, *others = [tuple(it) if isinstance(it, list) else it for it in told]
        return cls(title, tuple(Row(line, tuple(cells)) for line, *cells in rows), *others)


class Rows:
    """Takes the rows of a sheet one by one, and refuses it as soon as it is too large."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, list[str]]] = []

    def add(self, line: int, cells: list[str]) -> None:
        """Take a row.

        Raises:
            FileRefused: it is one row too many, or too wide.
        """
        texts = [" ".join(cell.split())[:MAX_CELL] for cell in cells]
        while texts and not texts[-1]:
            texts.pop()
        if len(texts) > MAX_COLUMNS:
            raise FileRefused(
                gettext(
                    "Line %(line)s has more than %(most)s columns. Choose a file with one line for "
                    "each player, or remove the columns you do not need.",
                    line=line,
                    most=MAX_COLUMNS,
                )
            )
        if texts and len(self._rows) == MAX_ROWS:
            raise FileRefused(
                gettext(
                    "The file has more than %(most)s lines. Split it into several files.",
                    most=MAX_ROWS,
                )
            )
        if texts:
            self._rows.append((line, texts))

    def fill_down(self, merged: Iterable[tuple[int, int, int]]) -> None:
        """Write the text of merged cells into each of their lines; a number counts only once.

        Args:
            merged: of each its column, counted from 0, and its first and last line.
        """
        by_line = dict(self._rows)
        numbers = [line for line, _ in self._rows]
        done = (-1, -1)
        for column, first, last in sorted(merged):
            texts = by_line.get(first, [])
            told = texts[column] if column < len(texts) else ""
            if (column, first) <= done or not told or _NUMBER.fullmatch(told):
                continue
            done = (column, last)
            for line in numbers[bisect_right(numbers, first) : bisect_right(numbers, last)]:
                cells = by_line[line]
                cells += [""] * (column + 1 - len(cells))
                cells[column] = cells[column] or told

    def sheet(self, title: str, decimal: str) -> Sheet:
        """The sheet with all rows that were taken, each as wide as the widest."""
        width = max((len(texts) for _, texts in self._rows), default=0)
        rows = (Row(line, (*texts, *[""] * (width - len(texts)))) for line, texts in self._rows)
        return Sheet(title, tuple(rows), decimal)
