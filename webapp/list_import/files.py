"""What kind of file was sent, whatever it is called, and the sheets in it; CSV of every country."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from flask_babel import gettext, lazy_gettext

from webapp.language.kept import kept
from webapp.language.noted import note, noted
from webapp.list_import.columns import LOOKED_AT, known_headings
from webapp.list_import.sheet import FileRefused, Rows, Sheet
from webapp.list_import.xlsx_file import read_xlsx

_ZIP: Final = b"PK\x03\x04"
"""How a ZIP file begins, as which a workbook is stored."""

_OTHERS: Final = {
    b"%PDF": lazy_gettext(
        "Kongbox cannot read a list from a PDF. Choose the spreadsheet it was made "
        "from, saved as XLSX or CSV."
    ),
    b"\xd0\xcf\x11\xe0": lazy_gettext(
        "This is an old-style workbook (XLS), or it has a password. Open it in your "
        "spreadsheet program and save it as XLSX or CSV, without a password."
    ),
    b"\xff\xd8\xff": lazy_gettext(
        "Kongbox cannot read a list from a photo. Choose a spreadsheet, saved as XLSX or CSV."
    ),
    b"\x89PNG": lazy_gettext(
        "Kongbox cannot read a list from a picture. Choose a spreadsheet, saved as XLSX or CSV."
    ),
    b"{\\rtf": lazy_gettext(
        "This is a text document, not a spreadsheet. Copy the list into a spreadsheet "
        "and save it as XLSX or CSV."
    ),
}
"""How files of other kinds begin, and what is said of them."""

SEPARATORS: Final = (",", ";", "\t", "|")
"""The signs that may stand between two cells."""

_LOOKED_AT: Final = 50
"""Number of lines from which the separator is guessed."""

_MARKS: Final = {
    b"\xef\xbb\xbf": "utf-8-sig",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
"""The marks with which a file says how its letters are stored."""

_WESTERN: Final = "cp1252"
"""How Excel stores the letters of a CSV file in Western Europe."""

_LETTERS: Final = {
    _WESTERN: noted("Western European"),
    "gb18030": noted("Simplified Chinese"),
    "big5": noted("Traditional Chinese"),
    "cp932": noted("Japanese"),
    "cp949": noted("Korean"),
}
"""How Excel stores the letters of a CSV file in each part of the world, and what that is called."""

_APART: Final = 0.1
"""How much less chaos than any other a reading of letters must have to be the right one."""

_TOLD: Final = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)
"""The line with which a file tells Excel its separator."""

_AS_TEXT: Final = re.compile(r'="(.*)"')
"""How a file tells Excel that a number such as 007 is a text."""

_UNSEEN: Final = re.compile(r"[\x00-\x08\x0e-\x1f]")
"""What is in no text: the file holds something else."""

_AMID_LATIN: Final = re.compile(r"[A-Za-z][\u2e80-\uffef]|[\u2e80-\uffef][a-z]")
"""An eastern letter within a Latin word: an umlaut or accent that was read with its neighbour."""

_NOT_WESTERN: Final = re.compile(
    r"(?<![a-zA-Z])[^\W\d_a-zA-Z]{2,}(?![a-zA-Z])"
    r"|[^\W\d_](?![\u2019\u2013\u2014])[^\w\x00-\x7f]+[^\W\d_]"
)
"""A word of accents alone, or one with a sign in it: eastern letters that were read one by one."""


def read_file(path: Path) -> list[Sheet]:
    """The sheets of a file that hold something; at least one.

    Raises:
        FileRefused: it is not a list, is empty, or would cost too much to read.
    """
    data = path.read_bytes()
    for begin, words in _OTHERS.items():
        if data.startswith(begin):
            raise FileRefused(str(words))
    sheets = read_xlsx(path) if data.startswith(_ZIP) else [_read_csv(data)]
    found = [sheet for sheet in sheets if sheet.rows]
    if not found:
        raise FileRefused(gettext("The file is empty. Choose the one with the list."))
    return found


def _read_csv(data: bytes) -> Sheet:
    """The sheet of a CSV file.

    Raises:
        FileRefused: it is not text, or has too many rows or columns.
    """
    encoding = _told_encoding(data)
    if encoding is None:
        return _guessed(data)
    return _sheet(data.decode(encoding, errors="replace"))


def _told_encoding(data: bytes) -> str | None:
    """How the letters are stored, where that is sure; None where it must be guessed."""
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            return encoding
    sample = data[:1000]
    if sample.count(0) > len(sample) // 4:
        even, odd = sample[::2].count(0), sample[1::2].count(0)
        return "utf-16-le" if odd > even else "utf-16-be"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return "utf-8"


def _guessed(data: bytes) -> Sheet:
    """The sheet of a file that does not tell how its letters are stored, with a word about it.

    Raises:
        FileRefused: its letters can be read in several ways.
    """
    from charset_normalizer import from_bytes

    if _UNSEEN.search(data.decode("latin-1")):
        raise FileRefused(_no_text())
    matches = from_bytes(data, cp_isolation=list(_LETTERS))
    chaos = {_WESTERN: 1.0} | {it.encoding: it.chaos for it in matches if it.encoding in _LETTERS}
    texts = {encoding: data.decode(encoding, errors="replace") for encoding in chaos}
    sheets = {encoding: _sheet(text) for encoding, text in texts.items()}
    known = {it: sum(map(known_headings, sheet.rows[:LOOKED_AT])) for it, sheet in sheets.items()}
    most = [it for it in chaos if known[it] == max(known.values())]
    sure = most if len(most) == 1 and _WESTERN not in most else []
    able = sure or [it for it in most if _can_be(it, texts[it])]
    least = min((chaos[it] for it in able), default=0.0)
    best = [it for it in able if chaos[it] < least + _APART]
    if not best or (len(best) > 1 and _WESTERN not in best):
        raise FileRefused(
            gettext(
                "The letters in this file cannot be read reliably. Open it in your spreadsheet "
                "program and save it as XLSX or as “CSV UTF-8”."
            )
        )
    chosen = _WESTERN if _WESTERN in best else best[0]
    told = note(
        "This file does not say how its letters are stored, so Kongbox has read them as"
        " {kind}. Check that the names look right; if not, save the file as XLSX or as "
        "“CSV UTF-8”.",
        kind=note(_LETTERS[chosen]),
    )
    return replace(sheets[chosen], notes=(kept(told),))


def _no_text() -> str:
    return str(
        gettext(
            "This file is not a list. Open the list in your spreadsheet program and save it"
            " as CSV or XLSX."
        )
    )


def _can_be(encoding: str, text: str) -> bool:
    """Whether a text looks as texts do that are stored in this way."""
    return not (_NOT_WESTERN if encoding == _WESTERN else _AMID_LATIN).search(text)


def _sheet(text: str) -> Sheet:
    if _UNSEEN.search(text):
        raise FileRefused(_no_text())
    told = _TOLD.match(text)
    separator = told[1] if told and told[1] in SEPARATORS else _separator(text)
    rows = Rows()
    for line, cells in _records(text, separator):
        if not (line == 1 and told):
            rows.add(line, [_AS_TEXT.sub(r"\1", cell.strip()) for cell in cells])
    return rows.sheet("", {",": ".", ";": ","}.get(separator, ""))


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
                "Line %(line)s cannot be read. Open the file in your spreadsheet program and "
                "save it as CSV or XLSX.",
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
