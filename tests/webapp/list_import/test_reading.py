"""Files as they come: every way of writing them is read, and what is no list is told so."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from webapp.list_import import sheet as sheets
from webapp.list_import import xlsx_file
from webapp.list_import.cells import CellRefused, decimal_sign, read_day, read_points
from webapp.list_import.columns import guess, target_of
from webapp.list_import.files import read_file
from webapp.list_import.sheet import FileRefused, Sheet

NOW = date(2026, 11, 28)
TEXT = "Name;Punkte\nZoë Müller;1.200\n\nBob;-40,0\n"


def read(folder: Path, data: bytes, name: str = "list.csv") -> list[Sheet]:
    path = folder / name
    path.write_bytes(data)
    return read_file(path)


def workbook(*rows: tuple[Any, ...], title: str = "List") -> bytes:
    book, file = Workbook(), io.BytesIO()
    book.worksheets[0].title = title
    for row in rows:
        book.worksheets[0].append(row)
    book.save(file)
    return file.getvalue()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_letters_and_separators_of_every_kind_are_read(
    tmp_path: Path, encoding: str, separator: str
) -> None:
    (found,) = read(tmp_path, TEXT.replace(";", separator).encode(encoding))
    assert [(row.line, row.cells) for row in found.rows] == [
        (1, ("Name", "Punkte")),
        (2, ("Zoë Müller", "1.200")),
        (4, ("Bob", "-40,0")),
    ]
    assert found.decimal == ("," if separator == ";" else "")


def test_cells_in_quotes_and_what_excel_is_told_are_read(tmp_path: Path) -> None:
    data = b'sep=,\r\n"Name","No","Note"\r\n"Lee, Ann","=""007""","two\r\nlines"\r\nBob,12,\r\n'
    (found,) = read(tmp_path, data)
    assert [(row.line, row.cells) for row in found.rows] == [
        (2, ("Name", "No", "Note")),
        (3, ("Lee, Ann", "007", "two lines")),
        (5, ("Bob", "12", "")),
    ]


def test_a_workbook_shows_days_numbers_and_sheets(tmp_path: Path) -> None:
    rows = (
        ("Day", "Player", "Points"),
        (date(2024, 3, 5), "Ann", 12.0),
        (None,),
        (1, "Bob", "=A1"),
    )
    (found,) = read(tmp_path, workbook(*rows), "list.xlsx")
    assert [(row.line, row.cells) for row in found.rows] == [
        (1, ("Day", "Player", "Points")),
        (2, ("2024-03-05", "Ann", "12")),
        (4, ("1", "Bob", "=A1")),
    ]
    with pytest.raises(CellRefused, match="formula with no result"):
        read_points("=A1", ".")


def bomb() -> bytes:
    """A workbook of which one part would be 20 MB."""
    file = io.BytesIO(workbook(("Name",)))
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/media/a.bin", bytes(20 * 1024**2))
    return file.getvalue()


def laughs() -> bytes:
    """A workbook whose sheet multiplies itself as it is read."""
    source, file = zipfile.ZipFile(io.BytesIO(workbook(("Name",)))), io.BytesIO()
    entities = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(12))
    with zipfile.ZipFile(file, "w") as packed:
        for name in source.namelist():
            data = source.read(name)
            if name.endswith("sheet1.xml"):
                data = f'<!DOCTYPE x [<!ENTITY e0 "ha">{entities}]><x>&e12;</x>'.encode()
            packed.writestr(name, data)
    return file.getvalue()


HOSTILE = {
    "empty": (b"", "empty"),
    "blank": (b"\xef\xbb\xbf ; ;\n;;\n", "empty"),
    "a PDF": (b"%PDF-1.7\n...", "a PDF"),
    "old Excel": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "old-style workbook"),
    "a photo": (b"\xff\xd8\xff\xe0" + bytes(99), "a photo"),
    "a program": (b"MZ\x90\x00\x03" + bytes(range(256)), "is not a list"),
    "a letter": (b"PK\x03\x04" + b"not a zip at all", "damaged"),
    "a bomb": (bomb(), "far too large"),
    "laughter": (laughs(), "damaged"),
    "wide": (b",".join(b"%d" % n for n in range(2000)), "more than 60 columns"),
    "long": (b"Ann\n" * 5001, "more than 5000 lines"),
    "one endless cell": (b'Name\n"' + b"x" * 200_000, "cannot be read"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_is_no_list_is_told_so(tmp_path: Path, kind: str) -> None:
    data, words = HOSTILE[kind]
    with pytest.raises(FileRefused, match=words):
        read(tmp_path, data)


def test_a_workbook_may_hold_only_so_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = workbook(tuple(range(61)))
    with pytest.raises(FileRefused, match="more than 60 columns"):
        read(tmp_path, wide, "wide.xlsx")
    monkeypatch.setattr(sheets, "MAX_ROWS", 2)
    with pytest.raises(FileRefused, match="more than 2 lines"):
        read(tmp_path, workbook(("a",), ("b",), ("c",)), "long.xlsx")
    monkeypatch.setattr(xlsx_file, "MAX_UNPACKED_BYTES", 100)
    with pytest.raises(FileRefused, match="far too large"):
        read(tmp_path, workbook(("a",)), "large.xlsx")


@pytest.mark.parametrize(
    ("text", "decimal", "points"),
    [
        ("1,200", ".", 1200), ("1.200", ",", 1200), ("\N{MINUS SIGN}40", ".", -40),
        ("(40)", ".", -40),
        ("40-", ".", -40), ("+ 7", ".", 7), ("12.00", ".", 12), ("1 200", ",", 1200),
        ("1'200", ".", 1200), ("12.5", ".", None), ("12,5", ".", None), ("1,200", ",", None),
        ("ten", ".", None), ("", ".", None), ("99999999", ".", None),
        ("=cmd|'/C calc'!A0", ".", None),
    ],
)  # fmt: skip
def test_points_are_read_for_what_they_are_or_refused(
    text: str, decimal: str, points: int | None
) -> None:
    if points is None:
        with pytest.raises(CellRefused):
            read_points(text, decimal)
    else:
        assert read_points(text, decimal) == points


def test_a_column_tells_which_sign_its_decimals_have() -> None:
    assert decimal_sign(["12,50", "1.200"]) == ","
    assert decimal_sign(["12.50", "1,200"]) == "."
    assert decimal_sign(["1,200", "3"]) == "."
    assert decimal_sign(["1.200", "3"]) == ","
    assert decimal_sign(["1,200.000"]) == "."


@pytest.mark.parametrize(
    "text",
    ["5/3/2024", "05.03.24", "2024-03-05", "2024/3/5", "5 March 2024", "Tue 5th Mar 2024",
     "March 5, 2024", "5-Mar-24", "5. März 2024", "5 maart 2024", "2024年3月5日", "45356",
     "2024-03-05 00:00:00", "2024-03-05T19:42:10", "05/03/2024 7:42 pm", "45356.82",
     "2024. 3. 5 오후 7:42:10", "2024-03-05 19:42:10.5+01:00"],
)  # fmt: skip
def test_days_are_read_in_every_way_of_writing_them(text: str) -> None:
    assert read_day(text, NOW) == date(2024, 3, 5)


def test_days_that_cannot_be_are_refused() -> None:
    for text in ("31/2/2024", "soon", "5/3/2031", "12", "1/1/1900", ""):
        with pytest.raises(CellRefused):
            read_day(text, NOW)
    assert read_day("3/5/2024", NOW, "month") == date(2024, 3, 5)
    assert read_day("24-03-05", NOW, "year") == date(2024, 3, 5)


@pytest.mark.parametrize(
    ("text", "fields", "target"),
    [
        ("Pos,Member No.,Name,Total\n1,7,Ann,40", ",member,name,points", "standing"),
        ("Anytown MJ Club\n\nSurname,Forename\nLee,Ann", "last,first", "players"),
        ("Name;5.3.2024;12.3.2024;Gesamt\nAnn;5;-3;2", "name,day_points,day_points,", "results"),
        ("Date,Player,Gain,Total\n5/3/2024,Ann,5,9", "day,name,points,", "results"),
        ("Ann Lee,40\nBob Hill,-3", "name,points", "standing"),
        ("Ann Lee\nBob Hill", "name", "players"),
        ("姓名,总分\n安妮,40", "name,points", "standing"),
    ],
)
def test_columns_are_guessed(tmp_path: Path, text: str, fields: str, target: str) -> None:
    layout = guess(read(tmp_path, text.encode())[0], NOW)
    assert ",".join(layout.fields) == fields
    assert target_of(layout) == target
