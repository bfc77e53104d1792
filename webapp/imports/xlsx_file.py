"""XLSX workbooks, opened within the limits for files from outside; no formula is worked out."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from datetime import date, datetime
from itertools import repeat, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile

from flask_babel import gettext

from webapp.imports.sheet import MAX_COLUMNS, MAX_SHEETS, FileRefused, Rows, Sheet
from webapp.outside import Unusable, opened_zip

if TYPE_CHECKING:
    from openpyxl import Workbook

MAX_UNPACKED_BYTES: Final = 6 * 1024**2
"""Maximum size in bytes of all parts of a workbook, as they are unpacked; 5000 rows have 3 MB."""

_FORMULA: Final = re.compile(rb"<f[ />]")
"""How a formula begins in a sheet."""

_BROKEN: Final = (
    LookupError, ValueError, TypeError, AttributeError, ArithmeticError, OSError, EOFError,
    RuntimeError, AssertionError, ParseError, BadZipFile, zlib.error,
)  # fmt: skip
"""What openpyxl raises about a workbook that is damaged or made by hand."""


def read_xlsx(path: Path) -> list[Sheet]:
    """The sheets of a workbook that hold something.

    Raises:
        FileRefused: it is no workbook, is damaged, or would cost too much to read.
    """
    formulas = _has_formulas(path)
    try:
        return list(_sheets(path, formulas=formulas))
    except FileRefused:
        raise
    except _BROKEN as error:
        raise FileRefused(
            gettext(
                "This workbook is damaged. Open it in the spreadsheet program, and save it again "
                "as XLSX or CSV."
            )
        ) from error


def _has_formulas(path: Path) -> bool:
    """Whether there is a formula in a workbook.

    Raises:
        FileRefused: it is a ZIP file that is no workbook, or one that is a trap.
    """
    try:
        with opened_zip(path, MAX_UNPACKED_BYTES) as packed:
            if "xl/workbook.xml" in packed:
                sheets = [name for name in packed.names if name.startswith("xl/worksheets/")]
                parts = (packed.read(name, MAX_UNPACKED_BYTES) for name in sheets)
                return any(map(_FORMULA.search, parts))
            ours = "kongbox.json" in packed
    except Unusable as error:
        raise FileRefused(
            gettext(
                "This workbook is damaged, locked, or far too large for a list. Save the sheet "
                "with the list alone, as XLSX or CSV."
            )
        ) from error
    if ours:
        raise FileRefused(
            gettext("This is a copy of a whole book. It is put back under “Photos and files”.")
        )
    raise FileRefused(
        gettext(
            "This is no workbook that Kongbox can read. Open it in the spreadsheet program, and "
            "save it as XLSX or CSV."
        )
    )


def _sheets(path: Path, *, formulas: bool) -> Iterator[Sheet]:
    from openpyxl import load_workbook

    # By name, openpyxl opens only files whose name ends as it likes.
    with path.open("rb") as first, path.open("rb") as second:
        shown = load_workbook(first, read_only=True, data_only=True)
        typed = load_workbook(second, read_only=True, data_only=False) if formulas else None
        for title in shown.sheetnames[:MAX_SHEETS]:
            rows = Rows()
            entries = repeat(()) if typed is None else _values(typed, title)
            for number, both in enumerate(zip(_values(shown, title), entries, strict=False), 1):
                rows.add(number, _cells(*both))
            if (sheet := rows.sheet(title, ".")).rows:
                yield sheet


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
    return str(value)
