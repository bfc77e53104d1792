"""Lists of every shape that clubs and spreadsheet programs make: taken right, or asked about."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from webapp.list_import.cells import day_orders, decimal_sign, read_points, sums_up
from webapp.list_import.columns import fullest, guess, target_of
from webapp.list_import.files import read_file
from webapp.list_import.reading import Entry, Reader
from webapp.list_import.sheet import FileRefused, Sheet
from webapp.list_import.tables import plain_lists

NOW = date(2026, 11, 28)
MARCH = {5: date(2026, 3, 5), 12: date(2026, 3, 12), 14: date(2026, 3, 14)}


def sheets_of(folder: Path, data: bytes) -> list[Sheet]:
    """The sheets of a file as they are offered."""
    path = folder / "list"
    path.write_bytes(data)
    return [it for sheet in read_file(path) for it in plain_lists(sheet, NOW)]


def reader(sheet: Sheet, **said: str) -> Reader:
    layout = guess(sheet, NOW)
    return Reader(sheet, layout, target_of(layout), NOW, said)


def chosen(folder: Path, data: bytes, **said: str) -> Reader:
    """Reads the sheet of a file that is taken where nothing is said of it."""
    sheets = sheets_of(folder, data)
    return reader(sheets[fullest(sheets, NOW)], **said)


def told(entries: list[Entry]) -> list[tuple[Any, ...]]:
    """The name, points and day of each line, as far as there are any."""
    found = [(it.who.name, it.points, it.day) for it in entries]
    return [tuple(part for part in one if part is not None) for one in found]


def book(fill: Callable[[Worksheet], None], *more: Callable[[Worksheet], None]) -> bytes:
    """A workbook whose sheets are filled so."""
    made, file = Workbook(), io.BytesIO()
    fill(made.worksheets[0])
    for number, one in enumerate(more):
        one(made.create_sheet(f"More {number}"))
    made.save(file)
    return file.getvalue()


def rows(*told: tuple[Any, ...]) -> Callable[[Worksheet], None]:
    def fill(page: Worksheet) -> None:
        for row in told:
            page.append(row)

    return fill


def merged(*told: tuple[Any, ...]) -> Callable[[Worksheet], None]:
    def fill(page: Worksheet) -> None:
        rows(*told)(page)
        page.merge_cells("A2:A3")
        page.merge_cells("A4:A5")

    return fill


ANN, BOB = ("Ann Lee", 12, MARCH[14]), ("Bob", -12, MARCH[14])
EVENINGS = [
    ("Ann", 12, MARCH[5]), ("Bob", -12, MARCH[5]), ("Ann", -4, MARCH[12]), ("Bob", 4, MARCH[12]),
]  # fmt: skip
YEARS = [(2024, 5, 11), (2024, 6, 8), (2025, 1, 18)]
SUMS = "Subtotal,8\nTotal points,8\nTOTAL (2 players),8\nGesamtsumme,8\nEindtotaal,8\nAVG,4\nMax,8"

LISTS: dict[str, tuple[str | bytes, list[tuple[Any, ...]]]] = {
    "thousands with commas": (
        "Name\tPoints\nAnn\t25,000\nBob\t40,000\nCat\t-5,000",
        [("Ann", 25000), ("Bob", 40000), ("Cat", -5000)],
    ),
    "thousands, one of them not even": (
        "Name\tPoints\nAnn\t25,000\nBob\t40,500\nCat\t-5,000",
        [("Ann", 25000), ("Bob", 40500), ("Cat", -5000)],
    ),
    "thousands as in Germany": (
        "Name;Punkte\nAnn;25.000\nBob;-5.000",
        [("Ann", 25000), ("Bob", -5000)],
    ),
    "Excel in China": (
        "姓名,积分\n王小明,120\n李雨桐,-40\n张伟,-80\n".encode("gbk"),
        [("王小明", 120), ("李雨桐", -40), ("张伟", -80)],
    ),
    "Excel in Taiwan": (
        "姓名,積分\n陳大文,120\n黃小美,-40\n".encode("big5"),
        [("陳大文", 120), ("黃小美", -40)],
    ),
    "Excel in Japan": (
        "氏名,ポイント\n山田一郎,120\n佐藤花子,-40\n".encode("cp932"),
        [("山田一郎", 120), ("佐藤花子", -40)],
    ),
    "Excel in Korea": (
        "이름,점수\n김철수,120\n이영희,-40\n".encode("cp949"),
        [("김철수", 120), ("이영희", -40)],
    ),
    "Excel in Germany": (
        "Name;Punkte\nJörg Müller;12\nZoë Öztürk;-12\n".encode("cp1252"),
        [("Jörg Müller", 12), ("Zoë Öztürk", -12)],
    ),
    "years of two digits in front": (
        "Date,Player,Score\n24-05-11,Ann,12\n24-06-08,Ann,8\n25-01-18,Ann,-4",
        [("Ann", 12, date(*YEARS[0])), ("Ann", 8, date(*YEARS[1])), ("Ann", -4, date(*YEARS[2]))],
    ),
    "times of a program": (
        "Date,Player,Score\n2026-03-14T19:42:10,Ann Lee,12\n2026-03-14T19:42:10,Bob,-12",
        [ANN, BOB],
    ),
    "times of a form": (
        "Timestamp,Name,Points\n3/14/2026 19:42:10,Ann Lee,12\n3/14/2026 19:43:00,Bob,-12",
        [ANN, BOB],
    ),
    "a sum of all": ("Name,Points\nAnn,120\nBob,-40\nGrand Total,80", [("Ann", 120), ("Bob", -40)]),
    "sums in many words": (
        f"Name,Points\nAnn,120\nMax,-40\n{SUMS}\nChecksum: 0,0",
        [("Ann", 120), ("Max", -40)],
    ),
    "traditional headings": (
        "姓名,分數\n陳大文,120\n黃小美,-120\n總計,0",
        [("陳大文", 120), ("黃小美", -120)],
    ),
    "traditional headings and days": (
        "玩家,日期,積分\n陳大文,2026-03-05,120\n合計,2026-03-05,0",
        [("陳大文", 120, MARCH[5])],
    ),
    "players across": (
        "Date,Ann,Bob,Check\n2026-03-05,12,-12,0\n2026-03-12,-4,4,0\nTotal,8,-8,0",
        EVENINGS,
    ),
    "a game in a row": (
        "date,player1,score1,player2,score2\n2026-03-05,Ann,12,Bob,-12\n2026-03-12,Ann,-4,Bob,4",
        EVENINGS,
    ),
    "tables below each other": (
        "Evening of 5 March 2026,\nName,Points\nAnn,12\nBob,-12\n,\n\
Evening of 12 March 2026,\nName,Points\nAnn,-4\nBob,4",
        EVENINGS,
    ),
    "tables beside each other": (
        "Table 1,,,Table 2,\nName,Points,,Name,Points\nAnn,120,,Eve,10\nBob,-120,,Finn,9\n,,,Gus,3",
        [("Ann", 120), ("Eve", 10), ("Bob", -120), ("Finn", 9), ("Gus", 3)],
    ),
    "minus signs": (
        "Name,Points\nA,−1\nB,2-\nC,(3)\nD,–4\nE,- 5\nF,—6\nG,－7\nH,‐ 8\nI,+9\nJ,-0",  # noqa: RUF001
        [("A", -1), ("B", -2), ("C", -3), ("D", -4), ("E", -5), ("F", -6), ("G", -7), ("H", -8),
         ("I", 9), ("J", 0)],
    ),
    "ranks": (
        "Rank,Name,Points\n1,Ann,12\n2=,Bob,4\n2=,Cat,-16",
        [("Ann", 12), ("Bob", 4), ("Cat", -16)],
    ),
    "triangles, which mean less in Japan and more in Korea": (
        "Name,Points\nAnn,120\nBob,▲40\nCat,△80", [("Ann", 120)],
    ),
    "tenths": ("Name,Points\nAnn,54.2\nBob,-12.5", []),
    "merged days": (
        book(merged(("Day", "Name", "Points"), (MARCH[5], "Ann", 12), (None, "Bob", -12),
                    (MARCH[12], "Ann", -4), (None, "Bob", 4))),
        EVENINGS,
    ),
    "merged names": (
        book(merged(("Name", "Day", "Points"), ("Ann", MARCH[5], 12), (None, MARCH[12], -4),
                    ("Bob", MARCH[5], -12), (None, MARCH[12], 4))),
        [EVENINGS[0], EVENINGS[2], EVENINGS[1], EVENINGS[3]],
    ),
    "a merged number, which counts once": (
        book(merged(("Points", "Name"), (12, "Ann"), (None, "Bob"), (-4, "Cat"), (None, "Dan"))),
        [("Ann", 12), ("Cat", -4)],
    ),
    "numbers of a workbook with three decimals": (
        book(rows(("Name", "Points"), ("Ann", 12.345), ("Bob", 12.0))), [("Bob", 12)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", LISTS)
def test_a_list_of_this_kind_is_taken_right(tmp_path: Path, kind: str) -> None:
    data, expected = LISTS[kind]
    reading = chosen(tmp_path, data if isinstance(data, bytes) else data.encode())
    entries = list(reading.entries())
    assert (reading.doubts(), told(entries)) == ([], expected)
    lines = {row.line for row in reading.sheet.rows if row.line > reading.layout.heading}
    spoken = {entry.row.line for entry in entries} | {it.line for it in reading.problems}
    assert spoken == lines, "no line is skipped without a word"


def test_only_the_shown_sheet_and_its_shown_lines_and_columns_are_taken(tmp_path: Path) -> None:
    def shown(page: Worksheet) -> None:
        rows(("Score", "Name", "Points"), (1, "Ann", 120), (2, "Old", 999), (3, "Bob", -120))(page)
        page.row_dimensions[3].hidden = True
        page.column_dimensions["A"].hidden = True

    def hidden(page: Worksheet) -> None:
        rows(("Name", "Points", "Hands", "Hands won"), ("Ann", -5, 8, 1))(page)
        page.sheet_state = "hidden"

    sheets = sheets_of(tmp_path, book(hidden, shown))
    assert [sheet.hidden for sheet in sheets] == [False, True]
    reading = reader(sheets[fullest(sheets, NOW)])
    assert told(list(reading.entries())) == [("Ann", 120), ("Bob", -120)]
    (problem,) = reading.problems
    assert (problem.line, "is hidden" in problem.why) == (3, True)


@pytest.mark.parametrize("data", [
    b"Name,Punkte\nAnn,25.000\nBob,40.000\nCat,-5.000",
    book(rows(("Name", "Punkte"), ("Ann", "25.000"), ("Bob", "40.000"), ("Cat", "-5.000"))),
])  # fmt: skip
def test_thousands_or_three_decimals_are_asked_about(tmp_path: Path, data: bytes) -> None:
    (doubt,) = chosen(tmp_path, data).doubts()
    assert (doubt.text, dict(doubt.readings)) == ("25.000", {"thousands": 25000, "decimals": 25})
    for said, points in (("thousands", [25000, 40000, -5000]), ("decimals", [25, 40, -5])):
        entries = chosen(tmp_path, data, numbers=said).entries()
        assert [entry.points for entry in entries] == points


def test_days_that_can_be_read_in_two_ways_are_asked_about(tmp_path: Path) -> None:
    data = b"Date,Player,Score\n24-05-11,Ann,12\n"
    (doubt,) = chosen(tmp_path, data).doubts()
    assert dict(doubt.readings) == {"day": date(2011, 5, 24), "year": date(2024, 5, 11)}
    (entry,) = chosen(tmp_path, data, days="year").entries()
    assert entry.day == date(2024, 5, 11)
    assert day_orders(["5/3/24", "12/3/24"], NOW) == ("day",)
    assert day_orders(["3/5/2026", "3/12/2026"], NOW) == ("day", "month"), "3 December is to come"
    assert day_orders(["3/25/2026"], NOW) == ("month",)


def test_a_column_in_which_a_sign_means_two_things_is_refused(tmp_path: Path) -> None:
    reading = chosen(tmp_path, b"Name\tPoints\nAnn\t12.5\nBob\t25.000\nCat\t3\n")
    assert told(list(reading.entries())) == [("Cat", 3)]
    assert "could mean 25000 or 25" in reading.problems[1].why
    assert read_points("25.000", decimal_sign(["25.000", "0.000"]), three=True) == 25


def test_running_numbers_are_no_players(tmp_path: Path) -> None:
    reading = chosen(tmp_path, b"Game,A,B,C\n1,120,-40,-80\n2,-16,48,-32\n")
    assert set(reading.layout.fields) == {""}, "so it is asked which column holds the names"
    said = Reader(reading.sheet, guess(reading.sheet, NOW, 1), "players", NOW)
    said.layout = type(said.layout)(1, ("name", "", "", ""))
    assert list(said.entries()) == []
    assert "is a number, not a name" in said.problems[0].why


def test_tables_of_different_kinds_are_offered_each(tmp_path: Path) -> None:
    stacked = b"Name,Points\nAnn,3\n,\nMembers,\nName,Member number\nAnn,7\n"
    beside = b"Name,Points,,Player,Member number\nAnn,3,,Eve,7\n"
    for data, second in ((stacked, "Ann"), (beside, "Eve")):
        sheets = sheets_of(tmp_path, data)
        assert [told(list(reader(sheet).entries())) for sheet in sheets[:2]] == [
            [("Ann", 3)], [(second,)],
        ]  # fmt: skip
        assert all("several tables" in sheet.notes[0] for sheet in sheets[:2])


def test_a_heading_that_stands_twice_is_told(tmp_path: Path) -> None:
    (sheet,) = sheets_of(tmp_path, b"Name,Points,Points\nAnn,3,4\n")
    assert "Several columns are headed" in sheet.notes[0]


def test_letters_that_can_be_read_in_several_ways_are_refused(tmp_path: Path) -> None:
    for text, encoding in (
        ("王小明", "gbk"),
        ("山田太郎", "cp932"),
        ("Иван Петров", "cp1251"),
        ("Анна", "cp1251"),
        ("Anna 王", "gbk"),
    ):
        with pytest.raises(FileRefused, match="CSV UTF-8"):
            sheets_of(tmp_path, f"Name,Points\n{text},1\n".encode(encoding))
    (guessed,) = sheets_of(tmp_path, "Name,Points\nZoë,1\n".encode("cp1252"))
    assert "Western European" in guessed.notes[0]
    lost = chosen(tmp_path, "Name,Points\nZo\ufffd,1\n".encode())
    assert list(lost.entries()) == []
    assert "has missing letters" in lost.problems[0].why


@pytest.mark.parametrize("word", [
    "Total", "Grand total:", "Gesamt", "Durchschnitt", "Totaal", "Gemiddelde", "Totaux", "Moyenne",
    "Suma", "Promedio", "Totale", "Somma", "Média", "Średnia", "Summa", "Gennemsnit", "总计",
    "平均", "總計", "小計", "合計点", "합계",
])  # fmt: skip
def test_sums_are_known_in_many_languages(word: str) -> None:
    assert sums_up(word)
    assert not sums_up(f"{word} Smith")


def test_cells_merged_without_measure_cost_nothing(tmp_path: Path) -> None:
    made = book(merged(("Day", "Name"), ("Tea", "Ann"), (None, "Bob"), ("Jam", "Cat")))
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(made)) as source, zipfile.ZipFile(file, "w") as packed:
        for name in source.namelist():
            data = source.read(name)
            packed.writestr(name, data.replace(b'ref="A2:A3"', b'ref="A2:XFD1048576"'))
    (sheet,) = sheets_of(tmp_path, file.getvalue())
    assert [row.cells for row in sheet.rows[1:]] == [("Tea", "Ann"), ("Tea", "Bob"), ("Jam", "Cat")]


def test_a_sheet_is_kept_with_all_that_is_known_of_it(tmp_path: Path) -> None:
    data = book(merged(("Day", "Name"), (MARCH[5], "Ann"), (None, "Bob"), (MARCH[12], "Cat")))
    (sheet,) = sheets_of(tmp_path, data)
    assert Sheet.from_json(sheet.to_json()) == sheet
