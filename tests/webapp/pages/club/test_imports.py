"""Lists from elsewhere: shown with what they would do, corrected, taken in, and taken back."""

from __future__ import annotations

import html
import io
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from openpyxl import Workbook
from werkzeug.test import TestResponse

from tests.webapp.book_fixtures import book_of, person_id, two_evenings
from tests.webapp.conftest import services_of
from tests.webapp.pages.table.test_games import words
from webapp.book.book import ClubBook
from webapp.book.seasons import Season, Span
from webapp.language.chosen import LANGUAGES
from webapp.list_import import drafts


@pytest.fixture
def book(app: Flask) -> ClubBook:
    two_evenings(services_of(app).engine)
    return book_of(services_of(app).engine)


@pytest.fixture
def autumn(book: ClubBook) -> Season:
    return book.seasons.keep(None, "Autumn", date(2026, 9, 1), date(2026, 12, 31))


def send(client: FlaskClient, data: str | bytes, name: str = "list.csv") -> str:
    """The address of the page about a list that was sent."""
    raw = data.encode() if isinstance(data, str) else data
    sent = client.post("/imports", data={"file": (io.BytesIO(raw), name)})
    assert sent.status_code == 303, words(sent)
    return sent.headers["Location"]


def form_of(client: FlaskClient, address: str) -> dict[str, str]:
    """What a browser would send of the form as it stands there."""
    text = client.get(address).text
    found: dict[str, str] = {}
    for name, options in re.findall(r'<select name="([^"]+)">(.*?)</select>', text, re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', options)
        found[name] = (
            html.unescape(chosen[1]) if chosen else re.findall('value="([^"]*)"', options)[0]
        )
    found.update(re.findall(r'type="radio" name="([^"]+)" value="([^"]+)" checked', text))
    found["mark"] = re.findall('name="mark" value="([^"]+)"', text)[0]
    return found


def say(client: FlaskClient, address: str, then: str = "look", **changes: str) -> TestResponse:
    form = {**form_of(client, address), **changes, "then": then}
    return client.post(address, data=form, follow_redirects=True)


def totals(book: ClubBook, span: Span) -> dict[str, int]:
    return {line.name: line.total for line in book.statistics.board(span)}


PLAYERS = "Member no,Surname,First name\n7,Lee,Eve\n12,,Ann\n,Hill,=cmd\n,Lee,Zoë\n,Total,\n"


def test_players_come_in_with_numbers_and_go_again(book: ClubBook, client: FlaskClient) -> None:
    address = send(client, PLAYERS)
    text = words(client.get(address))
    assert "2 new players Eve Lee (7) line 2 Zoë Lee line 5" in text
    assert "Ann (12) → Ann by the name, gets the member number 12" in text
    assert "4 Hill · =cmd “=cmd Hill” cannot be a name. Begin it with a letter." in text
    assert "6 Total This looks like a total of other lines" in text
    assert len(book.people.all()) == 4, "nothing is done before it is shown"
    assert "You can undo this below." in words(say(client, address, "take"))
    assert book.people.numbers() == {"Ann": "12", "Eve Lee": "7"}
    assert client.get(address).status_code == 404
    again = words(client.get(send(client, PLAYERS)))
    assert "You imported this file on" in again
    assert "Nothing would change." in again
    undo = re.findall(r"/brought-in/[0-9a-f]{32}/undo", client.get("/imports").text)
    assert "2 players were removed with it." in words(client.post(undo[0], follow_redirects=True))
    assert [person.name for person in book.people.all()] == ["Ann", "Bob", "Cat", "Dee"]
    assert book.people.numbers() == {}
    assert "You imported this file" not in words(client.get(send(client, PLAYERS)))


def test_who_has_played_stays_when_a_list_is_taken_back(
    book: ClubBook, client: FlaskClient, app: Flask
) -> None:
    address = send(client, "Name\nEve Moon\nFay\nEve Moore\nE. Moon\n")
    assert "Eve Moon · E. Moon" in words(client.get(address))
    say(client, send(client, "Name\nEve\nFay\n"), "take")
    club = services_of(app).club
    club.welcome(club.open_evening(date(2026, 11, 1)), ["Fay"])
    undo = re.findall(r"/brought-in/[0-9a-f]{32}/undo", client.get("/imports").text)
    text = words(client.post(undo[0], follow_redirects=True))
    assert "1 player was removed with it. 1 player was kept" in text
    assert [person.name for person in book.people.all()][-1] == "Fay"


def test_a_name_that_is_alike_is_asked_never_guessed(book: ClubBook, client: FlaskClient) -> None:
    book.people.rename(person_id(book, "Ann"), "Ann Brown")
    book.people.rename(person_id(book, "Bob"), "Robert Hill")
    book.people.give_number(person_id(book, "Cat"), "3")
    address = send(client, 'Member,Name\n,Anne Brown\n,R. Hill\n3,Dee\n,ann\n,"Hill, Robert"\n')
    text = words(client.get(address))
    assert "Answer the 3 questions above first." in text
    assert "Number 3 belongs to Cat." in text
    assert "ann → Ann Brown by an earlier name" in text
    assert "Robert Hill → Robert Hill by the name" in text
    assert "Nothing has been imported" in words(say(client, address, "take"))
    keys = re.findall(r'name="(who-[0-9a-f]+)" value="leave"', client.get(address).text)
    answers = dict(zip(keys, [person_id(book, "Ann Brown"), "new", "leave"], strict=True))
    text = words(say(client, address, **answers))
    assert "Anne Brown → Ann Brown as you said" in text
    assert "1 new player R. Hill" in text
    assert "Left out, as you asked." in text
    say(client, address, "take")
    assert [p.name for p in book.people.all()] == [
        "Ann Brown",
        "Cat",
        "Dee",
        "R. Hill",
        "Robert Hill",
    ]


def test_an_old_standing_opens_a_season(
    book: ClubBook, autumn: Season, client: FlaskClient
) -> None:
    before = totals(book, autumn.span)
    book.balances.keep(autumn, person_id(book, "Bob"), 9)
    data = "Name;Punkte\nAnn;1.200\nBob;-1.210,0\nEve;10\nCat;12,5\nDee;\nEve;3\n"
    address = send(client, data)
    text = words(client.get(address))
    assert "Autumn would begin with these points" in text
    assert "Bob \N{MINUS SIGN}1,210 instead of +9" in text
    assert "5 Cat · 12,5 “12,5” is not a whole number of points." in text
    assert "6 Dee This line has no points." in text
    assert "The same player is in lines 4, 7. Keep only one of them." in text
    say(client, address, "take")
    now = totals(book, autumn.span)
    assert (now["Ann"], now["Bob"]) == (before["Ann"] + 1200, before["Bob"] - 1210)
    assert "Eve" not in now
    assert "Ann from the file “list.csv” +1,200" in words(
        client.get(f"/seasons/{autumn.id}/opening")
    )
    undo = re.findall(r"/brought-in/[0-9a-f]{32}/undo", client.get("/imports").text)
    client.post(undo[0])
    assert totals(book, autumn.span) == before | {"Bob": before["Bob"] + 9}


def test_a_number_is_given_where_the_points_are_there_already(
    book: ClubBook, autumn: Season, client: FlaskClient
) -> None:
    book.balances.keep(autumn, person_id(book, "Bob"), 9)
    address = send(client, "Name,Member,Points\nBob,4,9\n")
    assert "1 line has already been imported" in words(client.get(address))
    say(client, address, "take")
    assert book.people.numbers() == {"Bob": "4"}


def test_without_a_season_a_standing_waits(book: ClubBook, client: FlaskClient) -> None:
    address = send(client, "Name,Points\nAnn,5\n")
    assert (
        "There are no seasons yet. Add one, then come back: the file will still be here."
        in words(client.get(address))
    )
    assert "list.csv" in words(client.get("/imports"))
    book.seasons.keep(None, "Autumn", date(2026, 9, 1), date(2026, 12, 31))
    assert "Autumn would begin with these points" in words(client.get(address))


def test_old_results_count_on_their_days_and_never_twice(
    book: ClubBook, client: FlaskClient
) -> None:
    ever = totals(book, Span())
    data = (
        "Results 2025\n\nDate,Player,Table,Played,Won,Score\n5/3/2025,Ann,1,8,3,40\n"
        "5/3/2025,Eve,1,8,1,-50\n5/3/2025,Ann,2,4,0,10\n5/3/2026,Ann,1,8,3,40\n31/2/2025,Ann,1,1,1,1\n"
    )
    address = send(client, data)
    text = words(client.get(address))
    assert "Wednesday 5 March 2025 2 players 0" in text
    assert "Ann already has hands on this day, so the points would count twice." in text
    assert "“31/2/2025” is not a date." in text
    say(client, address, "take")
    assert totals(book, Span()) == ever | {"Ann": ever["Ann"] + 50, "Eve": -50}
    line = next(line for line in book.statistics.board(Span()) if line.name == "Ann")
    assert (line.hands, line.brought, line.evenings) == (5, 50, 3)
    assert "5 Mar 2025 from the file “list.csv”, 12 hands, 3 won, table 1, table 2 +50" in words(
        client.get(f"/players/{person_id(book, 'Ann')}?season=all")
    )
    assert "1 evening from earlier records Wednesday 5 March 2025 2 players" in words(
        client.get("/evenings")
    )
    assert "Ann from the file “list.csv”, 12 hands" in words(client.get("/results/2025-03-05"))
    assert client.get("/results/2025-03-06").status_code == 404
    assert client.get("/results/soon").status_code == 404
    corrected = words(client.get(send(client, data.replace("2,4,0,10", "2,4,0,20"))))
    assert "Ann already has a different result on this day: 50." in corrected
    assert "This result has already been entered." in corrected


@pytest.mark.usefixtures("book")
def test_a_column_for_each_evening_is_read_and_corrected(client: FlaskClient) -> None:
    address = send(client, "Who,5 Mar 2025,12 Mar 2025,Sum\nAnn,5,-3,2\nBob,-5,,-5\n")
    text = words(client.get(address))
    assert "Wednesday 5 March 2025 2 players 0" in text
    assert "Wednesday 12 March 2025 1 player \N{MINUS SIGN}3" in text
    changed = words(say(client, address, **{"column-1": ""}))
    assert "Wednesday 5 March 2025" not in changed
    nobody = words(say(client, address, **{"column-0": ""}))
    assert "Choose the column with the names." in nobody
    assert "Import this" not in nobody
    assert "Nothing has been imported" in words(
        say(client, address, "take", **{"column-0": "name"})
    )


@pytest.mark.usefixtures("book")
def test_what_can_be_read_in_two_ways_is_asked_first(client: FlaskClient) -> None:
    data = "Date,Name,Score\n24-05-11,Eve,25.000\n24-05-11,Fay,-25.000\n"
    address = send(client, data)
    text = words(client.get(address))
    assert "What is “24-05-11”? Tuesday 24 May 2011 Saturday 11 May 2024" in text
    assert "What is “25.000”? +25,000 +25" in text
    assert "it can be read in two ways" in text
    assert "Import this" not in text
    assert "Nothing has been imported" in words(say(client, address, "take"))
    answers = {"read-days": "year", "read-numbers": "thousands"}
    text = words(say(client, address, **answers))
    assert "it can be read in two ways" not in text
    assert "Saturday 11 May 2024 2 players 0" in text
    assert "Eve 11 May 2024 +25,000" in text
    assert "You can undo this below." in words(say(client, address, "take"))


@pytest.mark.usefixtures("book")
def test_tables_of_a_sheet_and_hidden_sheets_can_be_chosen(client: FlaskClient) -> None:
    address = send(client, "Date,Eve,Fay\n2025-03-05,12,-12\n")
    page = client.get(address).text
    assert re.findall(r"<option[^>]*>(a line for each player|as it is)", page) == [
        "a line for each player",
        "as it is",
    ]
    assert "Wednesday 5 March 2025 2 players 0" in words(client.get(address))
    assert "Choose the column with the names" in words(say(client, address, sheet="1"))
    file, made = io.BytesIO(), Workbook()
    made.worksheets[0].append(["Name"])
    made.worksheets[0].append(["Eve"])
    made.create_sheet("Now").sheet_state = "visible"
    made.worksheets[0].sheet_state = "hidden"
    made.active = 1
    made.save(file)
    assert "This sheet is hidden in the spreadsheet." in words(
        client.get(send(client, file.getvalue(), "list.xlsx"))
    )


@pytest.mark.usefixtures("autumn")
def test_what_kongbox_wrote_is_read_again_in_every_language(
    book: ClubBook, client: FlaskClient
) -> None:
    book.people.give_number(person_id(book, "Ann"), "7")
    for language in LANGUAGES:
        read_again(client, {"headers": {"Accept-Language": language.replace("_", "-")}})


def read_again(client: FlaskClient, asked: dict[str, Any]) -> None:
    board = client.get("/board.xlsx?season=all", **asked).data
    text = words(client.get(send(client, board, "board.xlsx")))
    assert "Ann (7) → Ann by the member number" in text
    assert "Autumn would begin with these points" in text
    evening = client.get("/evenings").text.split('href="/evenings/')[1][:32]
    hands = client.get(f"/evenings/{evening}/evening.csv", **asked).data
    text = words(client.get(send(client, hands, "evening.csv")))
    assert "8 lines have already been imported" in text
    assert "so the points would count twice" in text


def test_a_file_that_is_no_list_is_told_so(client: FlaskClient) -> None:
    for data, told in ((b"%PDF-1.7", "a list from a PDF"), (b"", "The file is empty")):
        sent = client.post("/imports", data={"file": (io.BytesIO(data), "points.csv")})
        assert (sent.status_code, told in words(sent)) == (400, True)
    assert "First choose a file" in words(client.post("/imports", data={}))


def test_a_file_waits_privately_and_not_for_ever(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = send(client, "Name\nEve\n", "../../etc/pass<b>wd.csv")
    assert "Import “pass<b>wd.csv”" in words(client.get(address))
    (kept,) = (tmp_path / "imports").iterdir()
    assert kept.stat().st_mode & 0o077 == 0
    assert client.post(address, data={"then": "drop"}).status_code == 303
    assert list((tmp_path / "imports").iterdir()) == []
    monkeypatch.setattr(drafts, "KEPT_S", -1)
    old = send(client, "Name\nEve\n")
    send(client, "Name\nFay\n")
    assert client.get(old).status_code == 404


def test_a_list_does_not_keep_the_name_of_who_is_erased(
    book: ClubBook, client: FlaskClient
) -> None:
    say(client, send(client, "Member,Name\n5,Eve Sun\n", "Points of Eve Sun.csv"), "take")
    waiting = [send(client, f"Surname,Name\n{words}\n") for words in ("SUN,Eve", "Oak,Gus")]
    address = f"/players/{person_id(book, 'Eve Sun')}/erase"
    assert client.post(address, data={"name": "Eve Sun"}).status_code == 303
    assert [client.get(draft).status_code for draft in waiting] == [404, 200]
    assert "Eve" not in words(client.get("/imports"))
    undo = re.findall(r"/brought-in/[0-9a-f]{32}/undo", client.get("/imports").text)
    assert "1 player was kept" in words(client.post(undo[0], follow_redirects=True))
    assert "Sun" not in str(book.balances.brought_in())


def test_the_sheet_with_the_list_comes_first(book: ClubBook, client: FlaskClient) -> None:
    assert book.people.all()
    evening = client.get("/evenings").text.split('href="/evenings/')[1][:32]
    workbook = client.get(f"/evenings/{evening}/evening.xlsx").data
    text = client.get(send(client, workbook, "evening.xlsx")).text
    assert "All hands" in re.findall(r"<option[^>]* selected>([^<]*)", text)
    assert "8 lines have already been imported" in text
