"""CSV files as spreadsheet programs of every kind and country write them."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from flask_babel import gettext

from webapp.imports.sheet import FileRefused, Rows, Sheet

SEPARATORS: Final = (",", ";", "\t", "|")
"""The signs that may stand between two cells."""

_LOOKED_AT: Final = 50
"""Number of lines from which the separator is guessed."""

_MARKS: Final = {
    b"\xef\xbb\xbf": "utf-8-sig",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
"""The marks with which a file tells how its letters are stored."""

_TOLD: Final = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)
"""The line with which a file tells Excel its separator."""

_AS_TEXT: Final = re.compile(r'="(.*)"')
"""How a file tells Excel that a number such as 007 is a text."""

_UNSEEN: Final = re.compile(r"[\x00-\x08\x0e-\x1f]")
"""What is in no text: the file holds something else."""


def read_csv(data: bytes) -> Sheet:
    """The sheet of a CSV file.

    Raises:
        FileRefused: it is no text, or has too many rows or columns.
    """
    text = _decoded(data)
    if _UNSEEN.search(text):
        raise FileRefused(
            gettext(
                "This is no list but another kind of file. Open the list in the spreadsheet "
                "program, and save it as CSV or XLSX."
            )
        )
    told = _TOLD.match(text)
    separator = told[1] if told and told[1] in SEPARATORS else _separator(text)
    rows = Rows()
    for line, cells in _records(text, separator):
        if not (line == 1 and told):
            rows.add(line, [_AS_TEXT.sub(r"\1", cell.strip()) for cell in cells])
    return rows.sheet("", "." if separator == "," else ",")


def _decoded(data: bytes) -> str:
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    sample = data[:1000]
    if sample.count(0) > len(sample) // 4:
        even, odd = sample[::2].count(0), sample[1::2].count(0)
        return data.decode("utf-16-le" if odd > even else "utf-16-be", errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _records(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """The records, each with the number of the line in which it begins."""
    reader = csv.reader(text.splitlines(keepends=True), delimiter=separator)
    line = 1
    try:
        for cells in reader:
            yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise FileRefused(
            gettext(
                "Line %(line)s cannot be read as a line of a list. Open the file in the "
                "spreadsheet program, and save it as CSV or XLSX.",
                line=line,
            )
        ) from error


def _separator(text: str) -> str:
    """The sign that divides most lines into the same number of cells, of at least two."""

    def agreeing(separator: str) -> tuple[int, int]:
        reader = csv.reader(text.splitlines(keepends=True)[:_LOOKED_AT], delimiter=separator)
        try:
            widths = Counter(len(cells) for cells in reader if len(cells) > 1)
        except csv.Error:
            return 0, 0
        return max(((lines, width) for width, lines in widths.items()), default=(0, 0))

    return max(SEPARATORS, key=agreeing)
