"Opening points for a season: typed or taken over, told apart in every total, and taken back."

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from datetime import date

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.book_fixtures import book_of, person_id, two_evenings
from tests.webapp.conftest import services_of
from tests.webapp.pages.table.test_games import words
from webapp.book.book import ClubBook
from webapp.book.seasons import Season, Span
from webapp.personal_data.erasure import erase


@pytest.fixture
def book(app: Flask) -> ClubBook:
    two_evenings(services_of(app).engine)
    return book_of(services_of(app).engine)


@pytest.fixture
def seasons(book: ClubBook) -> tuple[Season, Season]:
    """Spring, in which Ann won 50, and autumn, in which Cat won 106."""
    spring = book.seasons.keep(None, "Spring", date(2026, 1, 1), date(2026, 6, 30))
    return spring, book.seasons.keep(None, "Autumn", date(2026, 9, 1), date(2026, 12, 31))


def totals(book: ClubBook, span: Span) -> dict[str, tuple[int, int]]:
    return {line.name: (line.total, line.carried) for line in book.statistics.board(span)}


def test_a_season_begins_where_another_ended_and_all_time_counts_no_hand_twice(
    book: ClubBook, seasons: tuple[Season, Season], client: FlaskClient
) -> None:
    spring, autumn = seasons
    before, ever = totals(book, autumn.span), totals(book, Span())
    page = f"/seasons/{autumn.id}/opening"
    assert "Everyone starts from zero." in words(client.get(page))
    sent = client.post(f"{page}/from", data={"other": spring.id})
    assert sent.status_code == 303
    text = words(client.get(page))
    assert "4 players begin with the points from the end of “Spring”" in text
    assert "Ann from the end of “Spring” +50" in text
    assert "Total: 0." in text
    ends = {name: total for name, (total, _) in totals(book, spring.span).items()}
    now = totals(book, autumn.span)
    assert now == {name: (total + ends[name], ends[name]) for name, (total, _) in before.items()}
    assert totals(book, Span()) == ever
    undo = re.search(r"/brought-in/[0-9a-f]{32}/undo", client.get(page).text)
    assert undo is not None
    client.post(undo[0], data={"season": autumn.id})
    assert "Undone: its points no longer count" in words(client.get(page))
    assert totals(book, autumn.span) == before
    assert (
        client.post(f"/seasons/{spring.id}/opening/from", data={"other": autumn.id}).status_code
        == 400
    )


def test_typed_points_have_lines_and_columns_of_their_own(
    book: ClubBook, seasons: tuple[Season, Season], client: FlaskClient
) -> None:
    autumn, ann = seasons[1], person_id(book, "Ann")
    page, eve = f"/seasons/{autumn.id}/opening", book.people.add("Eve").id
    for person, points in ((ann, "-1,200"), (ann, "30"), (eve, "7")):
        assert client.post(page, data={"person": person, "points": points}).status_code == 303
    refused = client.post(page, data={"person": ann, "points": "12,5"})
    assert (refused.status_code, 'value="12,5"' in refused.text) == (400, True)
    rows = csv.DictReader(
        io.StringIO(client.get(f"/board.csv?season={autumn.id}").data.decode("utf-8-sig"))
    )
    told = {row["Player"]: (row["Hands"], row["Carried over"]) for row in rows}
    assert (told["Ann"], told["Eve"], told["Bob"]) == (("2", "30"), ("0", "7"), ("2", "0"))
    assert "Carried over" in words(client.get(f"/board?season={autumn.id}"))
    assert "Carried over" not in words(client.get("/board?season=all"))
    figures = words(client.get(f"/players/{ann}?season={autumn.id}"))
    own = book.statistics.person(ann, Span(autumn.first_day, autumn.last_day)).total
    assert "Carried over typed on" in figures
    assert f"Hands recorded \N{MINUS SIGN}{-own}" in figures
    assert "typed on" in words(client.get(f"/players/{eve}?season={autumn.id}"))
    with zipfile.ZipFile(io.BytesIO(client.get(f"/players/{ann}/data.zip").data)) as packed:
        balances = json.loads(packed.read("player.json"))["balances"]
    assert [(b["season"], b["points"]) for b in balances] == [("Autumn", 30)]
    refused = client.post(f"/seasons/{autumn.id}", data={"remove": "yes"})
    assert (refused.status_code, "Undo those first" in words(refused)) == (409, True)


def test_balances_follow_who_is_joined_and_leave_with_who_is_erased(
    book: ClubBook, seasons: tuple[Season, Season]
) -> None:
    autumn, ann, eve = seasons[1], person_id(book, "Ann"), book.people.add("Eve").id
    book.balances.keep(autumn, ann, 10)
    book.balances.keep(autumn, eve, 5)
    book.people.join(ann, eve)
    assert totals(book, autumn.span)["Ann"][1] == 15
    book.balances.keep(autumn, ann, 40)
    assert totals(book, autumn.span)["Ann"][1] == 40
    book.people.split(ann, eve)
    assert {name: told[1] for name, told in totals(book, autumn.span).items() if told[1]} == {
        "Ann": 35, "Eve": 5,
    }  # fmt: skip
    erase(book.engine, eve)
    assert sum(told[1] for told in totals(book, autumn.span).values()) == 35
