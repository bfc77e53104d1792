"""The pages of the club's book: what they tell, what they refuse, and whom."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from datetime import timedelta
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from flask import Flask
from flask.testing import FlaskClient
from openpyxl import load_workbook

from tests.webapp.book_fixtures import book_of, person_id, two_evenings
from tests.webapp.conftest import services_of
from tests.webapp.pages.table.test_games import words
from tests.webapp.security.test_login import club, kept, logged_in
from webapp.backup.archive import read_archive
from webapp.book.seasons import Span
from webapp.database.engine import open_database
from webapp.evening.evenings import today

__all__ = ["club", "kept"]

PAGES = ("/book", "/board", "/players", "/records", "/seasons", "/search", "/keeping", "/accounts")


@pytest.fixture
def played(app: Flask) -> Flask:
    two_evenings(services_of(app).engine)
    return app


@pytest.fixture
def page(played: Flask) -> FlaskClient:
    return played.test_client()


def player(app: Flask, name: str) -> str:
    return f"/players/{person_id(book_of(services_of(app).engine), name)}"


def season(page: FlaskClient, name: str, first: str, last: str) -> int:
    form = {"name": name, "first": first, "last": last}
    return page.post("/seasons", data=form).status_code


def test_an_empty_book_says_how_it_fills(client: FlaskClient) -> None:
    told = {path: words(client.get(path)) for path in PAGES}
    assert "the book fills up" in told["/book"]
    assert "No hands have been played in this period yet" in told["/board"]
    assert "No players yet" in told["/players"]
    assert "No records yet" in told["/records"]
    assert "There are no seasons yet" in told["/seasons"]
    assert "No photos are stored at present" in told["/keeping"]
    assert "There are no accounts yet" in told["/accounts"]


@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_reached_from_the_first(client: FlaskClient, path: str) -> None:
    contents = client.get("/").text + client.get("/book").text
    assert f'="{path}"' in contents
    assert client.get(path).status_code == 200


def test_a_board_is_ordered_as_asked_and_kept_to_its_season(page: FlaskClient) -> None:
    def names(address: str) -> list[str]:
        text = words(page.get(address))
        return sorted(("Ann", "Bob", "Cat", "Dee"), key=text.index)

    assert names("/board") == ["Bob", "Cat", "Ann", "Dee"]
    assert names("/board?order=won") == ["Ann", "Bob", "Cat", "Dee"]
    assert names("/board?order=best")[0] == "Cat"
    assert names("/board?order=nonsense") == names("/board")
    assert season(page, "Spring", "2026-01-01", "2026-06-30") == 303
    spring = page.get("/seasons").text.split("/board?season=")[1][:32]
    text = words(page.get(f"/board?season={spring}"))
    assert "Leader board: Spring" in text
    assert "Ann +50" in text
    assert page.get("/board?season=gone").status_code == 404


def test_the_season_of_today_comes_first(page: FlaskClient) -> None:
    day = today()
    assert season(page, "Now", day.isoformat(), (day + timedelta(days=9)).isoformat()) == 303
    text = words(page.get("/board"))
    assert "Leader board: Now" in text
    assert "No hands have been played in this period yet" in text
    assert "Bob +186" in words(page.get("/board?season=all"))


def test_boards_are_files(page: FlaskClient) -> None:
    rows = list(csv.reader(io.StringIO(page.get("/board.csv").data.decode("utf-8-sig"))))
    assert rows[0][:7] == ["Place", "Player", "Points", "Evenings", "Tables", "Hands", "Hands won"]
    assert (rows[0][7], rows[1][7]) == ("Share of hands won", "0.2")
    assert rows[1][:7] == ["1", "Bob", "186", "2", "2", "5", "1"]
    book = load_workbook(io.BytesIO(page.get("/board.xlsx").data))
    sheet = book.worksheets[0]
    assert [cell.value for cell in sheet[1]] == rows[0]
    assert [cell.value for cell in sheet[2]][:7] == [1, "Bob", 186, 2, 2, 5, 1]
    assert page.get("/board.doc").status_code == 404


def test_a_player_has_figures_hands_and_charts(page: FlaskClient, played: Flask) -> None:
    address = player(played, "Cat")
    text = words(page.get(address))
    assert "Points +106" in text
    assert "Hands won 1 of 5, 20%" in text
    assert "2 tables, provisional" in text
    assert "64 Total as entered 10 Sep 2026, table 1, hand 1" in text
    for chart in ("form", "evenings", "rating"):
        answer = page.get(f"{address}/{chart}.svg")
        assert answer.headers["Content-Type"].startswith("image/svg+xml")
        root = ET.fromstring(answer.data)
        assert root.findall(".//{*}script") == []
        assert f"{address}/{chart}.svg?season=all" in page.get(address).text
    assert page.get(f"{address}/other.svg").status_code == 404
    assert page.get("/players/nobody").status_code == 404


def test_a_chart_draws_the_figures(page: FlaskClient, played: Flask) -> None:
    root = ET.fromstring(page.get(f"{player(played, 'Ann')}/form.svg").data)
    values = [item.text for item in root.iterfind(".//{*}desc[@class='value']")]
    assert values == ["50", "\N{MINUS SIGN}78"]


def test_a_player_who_never_played_has_no_charts(page: FlaskClient, played: Flask) -> None:
    assert page.post("/players", data={"name": "Eve"}).status_code == 303
    address = player(played, "Eve")
    assert "Eve played no hands in this period." in words(page.get(address))
    assert page.get(f"{address}/form.svg").status_code == 404
    assert "Has not played yet" in words(page.get("/players"))
    again = page.post("/players", data={"name": "eve"})
    assert (again.status_code, "already a player called Eve" in words(again)) == (400, True)


def test_a_player_is_renamed_on_the_page(page: FlaskClient, played: Flask) -> None:
    address = player(played, "Ann")
    refused = page.post(f"{address}/name", data={"name": "Bob"})
    assert (refused.status_code, "Add an initial to tell them apart" in words(refused)) == (
        400,
        True,
    )
    page.post(f"{address}/name", data={"name": "Ann Brown"})
    text = words(page.get(address))
    assert "Ann is now called Ann Brown." in text
    assert "“Ann” until" in text
    assert "Ann Brown" in words(page.get("/board"))
    assert "earlier: Ann" in words(page.get("/search?q=ann"))


def test_names_on_the_pages_are_text(page: FlaskClient, played: Flask) -> None:
    address = player(played, "Ann")
    page.post(f"{address}/name", data={"name": "A<script>alert(1)</script>"})
    for path in ("/board", "/players", "/records", "/search?q=a", address, f"{address}/erase"):
        assert "<script>alert" not in page.get(path).text


def test_erasing_asks_for_the_name(page: FlaskClient, played: Flask) -> None:
    address = player(played, "Dee")
    assert "This cannot be undone" in words(page.get(f"{address}/erase"))
    refused = page.post(f"{address}/erase", data={"name": "Dan"})
    assert (refused.status_code, "Nothing was erased" in words(refused)) == (400, True)
    packed = zipfile.ZipFile(io.BytesIO(page.get(f"{address}/data.zip").data))
    assert json.loads(packed.read("player.json"))["name"] == "Dee"
    assert page.post(f"{address}/erase", data={"name": " dee "}).status_code == 303
    text = words(page.get("/players"))
    assert "now called “Former player 1”; 0 photos were deleted" in text
    assert "Dee" not in words(page.get("/players"))
    assert page.get(address).status_code == 404
    assert "Dee" not in words(page.get("/board"))


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("bo", "Bob"),
        ("march", "Thursday 5 March 2026 · Village hall"),
        ("5/3/2026", "Thursday 5 March 2026"),
        ("2026-09-10", "Table 1: Ann, Bob, Cat, Dee"),
        ("village", "Thursday 10 September 2026"),
        ("2026-03", "Thursday 5 March 2026"),
        ("zzz", "Nothing found for “zzz”."),
        ("thirteen unique", "Nothing found"),
    ],
)
def test_the_book_is_searched(page: FlaskClient, asked: str, found: str) -> None:
    assert found in words(page.get("/search", query_string={"q": asked}))


def test_seasons_are_changed_and_removed(page: FlaskClient) -> None:
    assert season(page, "Spring", "2026-01-01", "2026-06-30") == 303
    assert season(page, "Summer", "2026-06-01", "2026-08-31") == 400
    assert season(page, "Summer", "soon", "2026-08-31") == 400
    address = "/seasons/" + page.get("/seasons").text.split('href="/seasons/')[1][:32]
    form = {"name": "Spring term", "first": "2026-01-01", "last": "2026-05-31"}
    page.post(address, data=form)
    assert "Spring term 1 Jan 2026 \N{EN DASH} 31 May 2026" in words(page.get("/seasons"))
    page.post(address, data={"remove": "yes"})
    assert "There are no seasons yet" in words(page.get("/seasons"))
    assert page.get(address).status_code == 404


def test_how_long_photos_are_kept_is_decided(page: FlaskClient, played: Flask) -> None:
    photos = book_of(services_of(played).engine).photos
    for form, days in (
        ({"keep": "evening"}, 0), ({"keep": "days", "days": "14"}, 14), ({"keep": "always"}, None),
    ):  # fmt: skip
        assert page.post("/keeping/photos", data=form).status_code == 303
        assert photos.days == days
    for form in ({"keep": "days", "days": "0"}, {"keep": "days", "days": "x"}, {"keep": ""}):
        assert page.post("/keeping/photos", data=form).status_code == 400
    assert photos.days is None


def test_everything_is_taken_from_the_page(page: FlaskClient, tmp_path: Path) -> None:
    with page.get("/keeping/everything.zip") as answer:
        (tmp_path / "all.zip").write_bytes(answer.data)
    engine = open_database(f"sqlite:///{tmp_path / 'other.sqlite3'}")
    assert read_archive(engine, tmp_path / "all.zip") > 0
    assert len(book_of(engine).statistics.board(Span())) == 4
    engine.dispose()


SECRETARYS = (
    "/keeping", "/keeping/everything.zip", "/accounts", "/players/{}/data.zip", "/players/{}/erase",
)  # fmt: skip


@pytest.mark.parametrize("name", ["Sam", "Gus"])
def test_only_the_secretary_handles_personal_data(club: Flask, name: str) -> None:
    two_evenings(services_of(club).engine)
    ann = player(club, "Ann").rsplit("/", 1)[1]
    page, sue = logged_in(club, name), logged_in(club, "Sue")
    for path in SECRETARYS:
        assert page.get(path.format(ann)).status_code == 403, path
        with sue.get(path.format(ann)) as answer:
            assert answer.status_code == 200, path
    for path, form in (
        (f"/players/{ann}/erase", {"name": "Ann"}), ("/keeping/photos", {"keep": "evening"}),
        ("/seasons", {"name": "S", "first": "2026-01-01", "last": "2026-02-01"}),
        ("/accounts", {"name": "Eve", "role": "secretary"}),
    ):  # fmt: skip
        assert page.post(path, data=form).status_code == 403, path
    assert player(club, "Ann").endswith(ann)
    assert page.get("/board").status_code == 200
    told = page.get(f"/players/{ann}").text
    assert "data.zip" not in told
    assert ("/name" in told) == (name == "Sam")
    renamed = page.post(f"/players/{ann}/name", data={"name": "Anna"}).status_code
    assert renamed == (303 if name == "Sam" else 403)
