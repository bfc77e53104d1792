"""XLSX workbooks, opened within the limits for files from outside; no formula is worked out."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from itertools import repeat, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile, ZipFile

from flask_babel import gettext

from webapp.list_import.sheet import MAX_COLUMNS, MAX_ROWS, MAX_SHEETS, FileRefused, Rows, Sheet
from webapp.runtime.untrusted import Unusable, opened_zip

if TYPE_CHECKING:
    from openpyxl import Workbook

MAX_UNPACKED_BYTES: Final = 6 * 1024**2
"""Maximum size in bytes of all parts of a workbook, as they are unpacked; 5000 rows have 3 MB."""

_BROKEN: Final = (
    LookupError, ValueError, TypeError, AttributeError, ArithmeticError, OSError, EOFError,
    RuntimeError, AssertionError, ParseError, BadZipFile, zlib.error,
)  # fmt: skip
"""What openpyxl raises about a workbook that is damaged or made by hand."""


@dataclass
class _Marks:
    """What a sheet says of its rows, columns and cells besides what is in them.

    Attributes:
        lines: the lines that are hidden.
        columns: the columns that are hidden, counted from 0.
        merged: the cells that are merged, each as column, first and last line, the column from 0.
        formulas: whether there is a formula.
    """

    lines: set[int] = field(default_factory=set)
    columns: set[int] = field(default_factory=set)
    merged: list[tuple[int, int, int]] = field(default_factory=list)
    formulas: bool = False


def read_xlsx(path: Path) -> list[Sheet]:
    """The sheets of a workbook that hold something, those that are shown before hidden ones.

    Raises:
        FileRefused: it is not a workbook, is damaged, or would cost too much to read.
    """
    _refuse_unbearable(path)
    try:
        return sorted(_sheets(path), key=lambda sheet: sheet.hidden)
    except FileRefused:
        raise
    except _BROKEN as error:
        raise FileRefused(
            gettext(
                "This workbook is damaged. Open it in your spreadsheet program and save it "
                "again as XLSX or CSV."
            )
        ) from error


def _refuse_unbearable(path: Path) -> None:
    """Raise :class:`FileRefused` for a ZIP file that is not a workbook, or one that is a trap."""
    try:
        with opened_zip(path, MAX_UNPACKED_BYTES) as packed:
            if "xl/workbook.xml" in packed:
                return
            ours = "kongbox.json" in packed
    except Unusable as error:
        raise FileRefused(
            gettext(
                "This workbook is damaged, locked, or far too large for a list. Save only the "
                "sheet with the list, as XLSX or CSV."
            )
        ) from error
    if ours:
        raise FileRefused(
            gettext(
                "This is a backup of a whole club. You can restore it under “Photos and files”."
            )
        )
    raise FileRefused(
        gettext(
            "Kongbox cannot read this workbook. Open it in your spreadsheet program and "
            "save it as XLSX or CSV."
        )
    )


def _sheets(path: Path) -> Iterator[Sheet]:
    from openpyxl.reader.excel import ExcelReader

    # By name, openpyxl opens only files whose name ends as it likes.
    with path.open("rb") as first, path.open("rb") as second:
        shown = ExcelReader(first, read_only=True, data_only=True)
        shown.read()
        parts = {page.name: relation.target for page, relation in shown.parser.find_sheets()}
        names = shown.wb.sheetnames[:MAX_SHEETS]
        marks = {name: _marks(shown.archive, parts[name]) for name in names}
        typed = ExcelReader(second, read_only=True, data_only=False)
        if any(it.formulas for it in marks.values()):
            typed.read()
        for name in names:
            entries = typed.wb if marks[name].formulas else None
            yield from _sheet(shown.wb, entries, name, marks[name])


def _sheet(shown: Workbook, typed: Workbook | None, name: str, marks: _Marks) -> Iterator[Sheet]:
    rows = Rows()
    entries = repeat(()) if typed is None else _values(typed, name)
    for number, both in enumerate(zip(_values(shown, name), entries, strict=False), 1):
        rows.add(number, _cells(*both))
    rows.fill_down(marks.merged)
    sheet = rows.sheet(name, ".")
    if sheet.rows:
        lines = tuple(row.line for row in sheet.rows if row.line in marks.lines)
        columns = tuple(sorted(marks.columns & set(range(sheet.width))))
        hidden = shown[name].sheet_state != "visible"
        yield replace(sheet, hidden=hidden, hidden_lines=lines, hidden_columns=columns)


def _marks(packed: ZipFile, part: str) -> _Marks:
    """What a sheet says besides the values of its cells; openpyxl tells none of it row by row."""
    from openpyxl.utils.cell import range_boundaries
    from openpyxl.xml.functions import iterparse

    found, line = _Marks(), 0
    with packed.open(part) as file:
        for event, element in iterparse(file, ("start", "end")):
            if event == "end":
                element.clear()
                continue
            tag, told = element.tag.rpartition("}")[2], element.attrib
            hidden = told.get("hidden") in {"1", "true"}
            if tag == "row":
                line = int(told.get("r", line + 1))
                found.lines |= {line} if hidden else set()
            elif tag == "col" and hidden:
                last = min(int(told["max"]), MAX_COLUMNS)
                found.columns |= set(range(int(told["min"]) - 1, last))
            elif tag == "mergeCell" and len(found.merged) < MAX_ROWS:
                left, top, _, bottom = (int(it or 1) for it in range_boundaries(told["ref"]))
                found.merged.append((left - 1, top, bottom))
            found.formulas |= tag == "f"
    return found


def _cells(values: tuple[Any, ...], entries: tuple[Any, ...]) -> list[str]:
    """What cells show; a formula of which nobody worked out the result stays as it was typed."""
    told = zip_longest(values, entries)
    return [_text(entry if value is None else value) for value, entry in told]


def _values(book: Workbook, title: str) -> Iterator[tuple[Any, ...]]:
    page: Any = book[title]
    if not hasattr(page, "reset_dimensions"):  # A sheet that is but a chart has no cells.
        return iter(())
    page.reset_dimensions()
    found: Iterator[tuple[Any, ...]] = page.iter_rows(values_only=True, max_col=MAX_COLUMNS + 1)
    return found


def _text(value: object) -> str:
    """What a cell shows, with days as 2026-03-05 and numbers without signs between thousands."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    text = str(value)
    # Three decimals would look like thousands, as which they are read in a text.
    return f"{text}0" if isinstance(value, float) and re.search(r"\.\d{3}$", text) else text
