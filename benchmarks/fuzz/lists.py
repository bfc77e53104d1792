"""Reads lists from outside as far as can be told without the book, and makes two to start from."""

from __future__ import annotations

import io
import tempfile
from datetime import date
from pathlib import Path
from typing import Final

from webapp.list_import.columns import guess, target_of
from webapp.list_import.files import read_file
from webapp.list_import.reading import Reader
from webapp.list_import.tables import plain_lists

_NOW: Final = date(2026, 11, 28)
"""The day on which the lists are read, so that the same input always does the same."""

_CSV: Final = """Results\n\nNo;Player;Date;Points;Won
7;"Lee, Ann";5/3/2024;1.200,0;3\n;Bob;2024-03-05;-40;0\n;Total;;;\n"""


def read_list(data: bytes) -> None:
    """Read all lines of a list.

    Raises:
        FileRefused: it is none.
    """
    with tempfile.TemporaryDirectory(prefix="kongbox-fuzz-") as folder:
        path = Path(folder) / "sent"
        path.write_bytes(data)
        for sheet in (it for found in read_file(path) for it in plain_lists(found, _NOW)):
            layout = guess(sheet, _NOW)
            reader = Reader(sheet, layout, target_of(layout), _NOW)
            reader.doubts()
            list(reader.entries())


def lists() -> tuple[bytes, ...]:
    """A list as CSV in two encodings, and one as a workbook."""
    from openpyxl import Workbook

    book, file = Workbook(), io.BytesIO()
    book.worksheets[0].append(["Name", date(2024, 3, 5), date(2024, 3, 12)])
    book.worksheets[0].append(["Ann", 12.0, "=B2*2"])
    book.save(file)
    return _CSV.encode("cp1252"), _CSV.encode("utf-16"), file.getvalue()
