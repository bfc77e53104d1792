"""A list as it is read from a file: rows of texts, each with the number of its line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flask_babel import gettext

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
        decimal: the sign before decimals, as far as the kind of file tells.
    """

    title: str
    rows: tuple[Row, ...]
    decimal: str = "."

    @property
    def width(self) -> int:
        """Its number of columns."""
        return len(self.rows[0].cells) if self.rows else 0


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
                    "Line %(line)s has more than %(most)s columns. Choose the file in which each "
                    "player has a line, or take out the columns that are not needed.",
                    line=line,
                    most=MAX_COLUMNS,
                )
            )
        if texts and len(self._rows) == MAX_ROWS:
            raise FileRefused(
                gettext(
                    "The file has more than %(most)s lines. Divide it into several files.",
                    most=MAX_ROWS,
                )
            )
        if texts:
            self._rows.append((line, texts))

    def sheet(self, title: str, decimal: str) -> Sheet:
        """The sheet with all rows that were taken, each as wide as the widest."""
        width = max((len(texts) for _, texts in self._rows), default=0)
        rows = (Row(line, (*texts, *[""] * (width - len(texts)))) for line, texts in self._rows)
        return Sheet(title, tuple(rows), decimal)
