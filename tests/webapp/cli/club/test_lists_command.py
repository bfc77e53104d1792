"""Lists from elsewhere by a command: shown, asked about and taken as on the page."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner
from openpyxl import Workbook

from tests.webapp.book_fixtures import book_of
from webapp.book.seasons import Span
from webapp.cli.main import main
from webapp.database.engine import open_database
from webapp.list_import.taking import PlanChanged, Taking

MEMBERS = "Name,Member number\nAnn Lee,12\nBob Carter,13\nZoe Adams,14\n=1+1,15\n"


@pytest.fixture
def url(tmp_path: Path, empty_database: Path) -> str:
    shutil.copy(empty_database, tmp_path / "kongbox.sqlite3")
    return f"sqlite:///{tmp_path / 'kongbox.sqlite3'}"


def taken(url: str, file: Path, *more: str, answers: Sequence[str] = (), status: int = 0) -> str:
    """What the command says."""
    typed = "".join(f"{answer}\n" for answer in answers)
    asked = ["players", "import", str(file), "--db", url, *more]
    done = CliRunner().invoke(main, asked, input=typed)
    assert done.exit_code == status, done.output
    return " ".join(done.output.split())


def members(url: str) -> dict[str, str | None]:
    """The players in the book, with their numbers."""
    engine = open_database(url)
    found: dict[str, str | None] = {
        person.name: person.member for person in book_of(engine).people.all()
    }
    engine.dispose()
    return found


def test_members_are_shown_and_taken_once(url: str, tmp_path: Path) -> None:
    file = tmp_path / "members.csv"
    file.write_text(MEMBERS, "utf-8")
    told = taken(url, file, "--dry-run")
    assert (
        "members.csv: Players only, headings in line 1 A Name: Name B Member number: Member number"
        in told
    )
    assert "New players (3): Ann Lee [12] (line 2)" in told
    assert "Lines left out (1): line 5: =1+1 · 15: “=1+1” cannot be a name." in told
    assert "Nothing was changed: this is a dry run." in told
    assert members(url) == {}
    assert "Aborted!" in taken(url, file, answers=["n"], status=1)
    assert members(url) == {}
    assert "members.csv is in the book." in taken(url, file, answers=["y"])
    assert members(url) == {"Ann Lee": "12", "Bob Carter": "13", "Zoe Adams": "14"}
    again = taken(url, file, "--yes")
    assert "You imported this file on" in again
    assert "Nothing would change." in again


def test_what_is_only_alike_is_asked(url: str, tmp_path: Path) -> None:
    file = tmp_path / "members.csv"
    file.write_text(MEMBERS, "utf-8")
    taken(url, file, "--yes")
    file.write_text("Name\nAnn Lea\nBob Cartar\nZoe Adam\nYves\n", "utf-8")
    told = taken(url, file, answers=["1", "2", "3", "y"])
    assert "Questions (3): Ann Lea (line 2):" in told
    assert "1. Ann Lee [12] 2. Someone new 3. Skip these lines" in told
    assert "Ann Lea is Ann Lee" in told
    assert set(members(url)) == {"Ann Lee", "Bob Carter", "Zoe Adams", "Bob Cartar", "Yves"}


def test_results_and_a_standing_come_in_too(url: str, tmp_path: Path) -> None:
    file = tmp_path / "old.csv"
    file.write_text("Who,When,What\nAnn,2026-03-05,40\nBob,2026-03-05,-40\n", "utf-8")
    assert "Who: Name" in taken(url, file, "--heading", "1", "--dry-run")
    none = taken(url, file, "--column", "A=", status=1)
    assert "Choose the column with the names. Say it with --column" in none
    columns = ("--heading", "1", "--column", "A=name", "--column", "b=day", "--column", "C=points")
    told = taken(url, file, *columns, "--as", "results", "--yes")
    assert "Evenings (1): 2026-03-05: 2 players, 0" in told
    assert "Points (2): Ann: +40 on 2026-03-05" in told
    standing = ("--heading", "1", "--column", "A=name", "--column", "C=points", "--as", "standing")
    assert "There are no seasons yet." in taken(url, file, *standing, status=1)
    engine = open_database(url)
    book = book_of(engine)
    book.seasons.keep(None, "Spring", date(2026, 1, 1), date(2026, 6, 30))
    assert {line.name: line.total for line in book.statistics.board(Span())}["Ann"] == 40
    engine.dispose()
    told = taken(url, file, *standing, "--season", "spring", "--dry-run")
    assert "old.csv: Opening points of a season," in told
    assert "There is no season Autumn. The seasons are: Spring." in taken(
        url, file, "--season", "Autumn", status=1
    )


def test_a_sheet_is_named_and_chosen_and_what_is_in_doubt_is_said(url: str, tmp_path: Path) -> None:
    made, file = Workbook(), tmp_path / "old.xlsx"
    made.worksheets[0].title = "Old"
    made.worksheets[0].append(["Name", "Member number"])
    made.worksheets[0].append(["Eve", 7])
    made.worksheets[0].sheet_state = "hidden"
    page = made.create_sheet("Now")
    page.append(["Date", "Name", "Score"])
    page.append(["24-05-11", "Ann", "25.000"])
    made.active = 1
    made.save(file)
    told = taken(url, file, status=1)
    assert "Sheet: Now. The sheets are: 1. Now; 2. Old · hidden." in told
    assert "“24-05-11” can be read in two ways. Say which: --days day: 2011-05-24;" in told
    told = taken(url, file, "--days", "year", status=1)
    assert "--numbers thousands: 25000; --numbers decimals: 25." in told
    told = taken(url, file, "--days", "year", "--numbers", "thousands", "--dry-run")
    assert "Ann: +25,000 on 2024-05-11" in told
    for said in ("2", "Old"):
        told = taken(url, file, "--sheet", said, "--dry-run")
        assert "Sheet: Old · hidden." in told
        assert "Eve [7] (line 2)" in told
    assert "there is no such sheet. The sheets are: 1. Now" in taken(
        url, file, "--sheet", "3", status=1
    )


def test_what_is_no_list_is_refused_in_the_words_of_the_page(url: str, tmp_path: Path) -> None:
    file = tmp_path / "members.pdf"
    file.write_bytes(b"%PDF-1.7")
    assert "Kongbox cannot read a list from a PDF." in taken(url, file, status=1)
    file.write_text(MEMBERS, "utf-8")
    assert "--column X=name: write a column from A to B" in taken(
        url, file, "--column", "X=name", status=1
    )


def test_what_changed_since_the_preview_is_told_in_a_whole_sentence(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def changed(*_: object) -> str:
        raise PlanChanged

    monkeypatch.setattr(Taking, "take", changed)
    file = tmp_path / "members.csv"
    file.write_text(MEMBERS, "utf-8")
    told = taken(url, file, answers=["y"], status=1)
    assert told.endswith("the result has changed since the preview. Please check again.")
    assert "Nothing has been imported:" in told
    assert members(url) == {}
