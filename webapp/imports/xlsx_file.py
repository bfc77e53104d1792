"""XLSX workbooks, opened within the limits for files from outside; no formula is worked out."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile

from flask_babel import gettext

from webapp.imports.sheet import MAX_COLUMNS, MAX_SHEETS, FileRefused, Rows, Sheet
from webapp.outside import Unusable, opened_zip

if TYPE_CHECKING:
    from openpyxl import Workbook

MAX_UNPACKED_BYTES: Final = 12 * 1024**2
"""Maximum size in bytes of all parts of a workbook, as they are unpacked; 5000 rows have 3 MB."""

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
    _refuse_other(path)
    try:
        return list(_sheets(path))
    except FileRefused:
        raise
    except _BROKEN as error:
        raise FileRefused(
            gettext(
                "This workbook is damaged. Open it in the spreadsheet program, and save it again "
                "as XLSX or CSV."
            )
        ) from error


def _refuse_other(path: Path) -> None:
    """Raise :class:`FileRefused` for a ZIP file that is no workbook, or one that is a trap."""
    try:
        with opened_zip(path, MAX_UNPACKED_BYTES) as packed:
            if "xl/workbook.xml" in packed:
                return
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


def _sheets(path: Path) -> Iterator[Sheet]:
    from openpyxl import load_workbook

    # By name, openpyxl opens only files whose name ends as it likes.
    with path.open("rb") as first, path.open("rb") as second:
        shown = load_workbook(first, read_only=True, data_only=True)
        typed = load_workbook(second, read_only=True, data_only=False)
        for title in shown.sheetnames[:MAX_SHEETS]:
            sheet = _read(shown, typed, title)
            if sheet.rows:
                yield sheet


def _read(shown: Workbook, typed: Workbook, title: str) -> Sheet:
    """A sheet with what its cells show; a formula of which nobody worked out the result stays."""
    rows = Rows()
    for number, (values, entries) in enumerate(
        zip(_values(shown, title), _values(typed, title), strict=False), 1
    ):
        rows.add(
            number,
            [
                _text(entry if value is None else value)
                for value, entry in zip(values, entries, strict=False)
            ],
        )
    return rows.sheet(title, ".")


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
