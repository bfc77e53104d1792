"""What kind of file was sent, whatever it is called, and the sheets in it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from flask_babel import gettext, lazy_gettext

from webapp.imports.csv_file import read_csv
from webapp.imports.sheet import FileRefused, Sheet
from webapp.imports.xlsx_file import read_xlsx

_ZIP: Final = b"PK\x03\x04"
"""How a ZIP file begins, as which a workbook is stored."""

_OTHERS: Final = {
    b"%PDF": lazy_gettext(
        "This is a PDF, from which no list can be read. Choose the spreadsheet it was made from, "
        "saved as XLSX or CSV."
    ),
    b"\xd0\xcf\x11\xe0": lazy_gettext(
        "This is a workbook of the old kind (XLS), or one with a password. Open it in the "
        "spreadsheet program, and save it without a password as XLSX or CSV."
    ),
    b"\xff\xd8\xff": lazy_gettext(
        "This is a photo, from which no list can be read. Choose a spreadsheet, saved as XLSX or "
        "CSV."
    ),
    b"\x89PNG": lazy_gettext(
        "This is a picture, from which no list can be read. Choose a spreadsheet, saved as XLSX or "
        "CSV."
    ),
    b"{\\rtf": lazy_gettext(
        "This is a letter, not a spreadsheet. Copy its list into a spreadsheet program, and save "
        "it as XLSX or CSV."
    ),
}
"""How files of other kinds begin, and what is said of them."""


def read_file(path: Path) -> list[Sheet]:
    """The sheets of a file that hold something; at least one.

    Raises:
        FileRefused: it is no list, is empty, or would cost too much to read.
    """
    data = path.read_bytes()
    for begin, words in _OTHERS.items():
        if data.startswith(begin):
            raise FileRefused(str(words))
    sheets = read_xlsx(path) if data.startswith(_ZIP) else [read_csv(data)]
    found = [sheet for sheet in sheets if sheet.rows]
    if not found:
        raise FileRefused(gettext("The file is empty. Choose the one with the list."))
    return found
