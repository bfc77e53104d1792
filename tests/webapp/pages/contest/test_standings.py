"""The standing of an evening: results coming in, a tournament as the club counts it, its files."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient
from openpyxl import load_workbook
from sqlalchemy import delete
from sqlalchemy.orm import Session
from werkzeug.test import TestResponse

from scorer import GameSetup
from scorer.game.game import new_game, record
from tests.webapp.conftest import services_of
from tests.webapp.exports.test_papers import sheets
from tests.webapp.pages.evening.test_hall import agreed
from tests.webapp.pages.table.test_games import words
from tests.webapp.security.test_login import club, kept, logged_in
from webapp.database.tables.deals import VisitRow
from webapp.evening.evenings import today
from webapp.games.store import Book
from webapp.games.tables import TableAt
from webapp.language.chosen import COOKIE

__all__ = ["club", "kept"]

HEAD = 'name="head" value="([0-9]+)"'
ROUND = {1: ("Ann Bob Cat Dee", "Eve Fay Gus Hal"), 2: ("Ann Eve Bob Fay", "Cat Gus Dee Hal")}


@pytest.fixture
def evening(app: Flask) -> str:
    """An evening of two rounds at two tables: Ann and Eve win the first, Ann leads the second."""
    return an_evening(app)


def an_evening(app: Flask, ago: int = 0, *, running: bool = True) -> str:
    evening = services_of(app).club.open_evening(today() - timedelta(days=ago), "Hall")
    table(app, evening, 1, 1, ("Ann", "Bob", 40), ("Cat", "Dee", 10))
    table(app, evening, 1, 2, ("Eve", "Fay", 60))
    table(app, evening, 2, 1, ("Ann", "Eve", 30), over=not running)
    table(app, evening, 2, 2, ("Gus", "Hal", 20), ("Dee", "Cat", 20))
    return f"/evenings/{evening}"


def table(
    app: Flask,
    evening: str,
    number: int,
    at: int,
    *hands: tuple[str, str, int],
    over: bool = True,
) -> None:
    """A table of a round, at which winners were paid so much by somebody."""
    kept_in, seats = services_of(app), dict(zip("ESWN", ROUND[number][at - 1].split(), strict=True))
    kept_in.club.welcome(evening, seats.values())
    game = new_game(GameSetup("bmja-u3a", seats))
    for hand in hands:
        game = record(game, agreed(*hand))
    book = Book(game, (None,) * len(hands), closed=over)
    kept_in.games.create(evening, book, TableAt(number, at, at))


def begin(client: FlaskClient, evening: str, preset: str = "european") -> str:
    """Make the evening a tournament; the address at which its counting is changed."""
    client.post(f"{evening}/standings", data={"preset": preset})
    return found(client, f"{evening}/standings", "/contests/[0-9a-f]{32}")


def found(client: FlaskClient, address: str, pattern: str) -> str:
    """The first of what a page holds of this form."""
    match: str = re.findall(pattern, client.get(address).text)[0]
    return match


def change(client: FlaskClient, contest: str, part: str, **form: str) -> TestResponse:
    """Send one of the forms of a contest as it is now."""
    page, head = client.get(contest).text, found(client, contest, HEAD)
    ids = {
        name: id_ for id_, name in re.findall('value="([0-9a-f]{32})"[^>]*>(?:<span>)?(\\w+)', page)
    }
    players = form.pop("players", "").split()
    sent: dict[str, object] = {"head": head, "player": [ids[name] for name in players], **form}
    return client.post(f"{contest}/{part}", data=sent, follow_redirects=True)


def told(client: FlaskClient, address: str) -> list[str]:
    """Place, name and total of each player, as the plain table tells them."""
    rows = csv.reader(io.StringIO(client.get(address).data.decode("utf-8-sig")))
    return [" ".join(row[:3]) for row in list(rows)[1:]]


def test_the_page_tells_who_has_finished_and_who_still_plays(
    client: FlaskClient, evening: str
) -> None:
    page = words(client.get(f"{evening}/standings"))
    assert "Round 2: 1 of 2 tables have finished Still playing" in page
    assert "Hand 2 · East round · Ann, Eve, Bob, Fay Finished" in page
    assert "Round 1: all tables have finished" in page
    assert "After: Round 1" in page
    now = words(client.get(f"{evening}/standings?after=now"))
    assert "Provisional: Round 2 is being played. Games in progress" in now
    assert "Game points are added up" in now
    assert 'href="/evenings' in client.get(evening).text
    assert "Results and standings" in words(client.get(evening))


def test_the_page_is_told_anew_only_what_is_new(client: FlaskClient, evening: str) -> None:
    part = {"HX-Request": "true"}
    again = found(client, f"{evening}/standings", 'hx-get="([^"]+)"').replace("&amp;", "&")
    assert client.get(again, headers=part).status_code == 204
    table = found(client, evening, "/tables/[0-9a-f]{32}")
    client.post(f"{table}/close", data={"closed": "no"})
    answer = client.get(again, headers=part)
    assert (answer.status_code, answer.mimetype) == (200, "text/html")


def test_a_tournament_gives_points_for_places(client: FlaskClient, evening: str) -> None:
    begin(client, evening)
    file = f"{evening}/standings.csv"
    assert told(client, f"{file}?after=1") == [
        *("1 Eve 4", "2 Ann 4", "3 Cat 2", "4 Gus 1.5", "4 Hal 1.5", "6 Dee 1", "7 Bob 0"),
        "8 Fay 0",
    ]
    assert told(client, file) == told(client, f"{file}?after=1"), "the last complete round"
    assert told(client, f"{file}?after=now")[:3] == ["1 Ann 8", "2 Gus 4.5", "3 Eve 4"]
    page = words(client.get(f"{evening}/standings"))
    assert "Ann tie: game points 4" in page
    assert "Gus tie: they share the place 1.5" in page
    assert "bring 4, 2, 1, 0 points; equal players share them" in page
    now = words(client.get(f"{evening}/standings?after=now"))
    assert "1 ▲1 up 1 Ann 8" in now
    assert "Start the tournament" not in now


def test_penalties_teams_and_undo_are_worked_out_anew(client: FlaskClient, evening: str) -> None:
    contest, page = begin(client, evening), f"{evening}/standings"
    gone = change(
        client, contest, "points", players="Eve", points="1,5", reason="late", kind="penalty"
    )
    assert "Saved. The standings have been recalculated." in words(gone)
    assert told(client, f"{page}.csv?after=1")[0] == "1 Eve 4", "it counts from round 2 on"
    assert "Eve 2.5" in " ".join(told(client, f"{page}.csv?after=now"))
    assert "Eve \N{MINUS SIGN}1.5: late" in words(client.get(page))
    change(client, contest, "teams", team_name="Winds", players="Ann Eve")
    change(client, contest, "teams", team_name="Dragons", players="Cat Gus Hal")
    assert "1 Winds Eve, Ann 8 2 Dragons Cat, Gus, Hal 5" in words(client.get(f"{page}?after=1"))
    change(client, contest, "undo")
    assert "Dragons" not in words(client.get(page))
    assert "Undo: Team Winds" in words(client.get(contest))
    assert "Undone: Team Dragons" in words(client.get(contest))
    change(client, contest, "points", forget="0")
    assert "Eve 4" in " ".join(told(client, f"{page}.csv?after=now"))


def test_the_counting_is_changed_later(client: FlaskClient, evening: str) -> None:
    contest = begin(client, evening)
    sent = {"count": "points", "place1": "3", "place2": "1", "tie0": "meeting", "missed": "zero"}
    change(client, contest, "rules", best="1", **sent)
    assert told(client, f"{evening}/standings.csv?after=now")[:2] == ["1 Eve 60", "2 Ann 40"]
    page = words(client.get(f"{evening}/standings"))
    assert "this decides: who did better when they met. A missed round" in page
    assert "The best round counts." in page
    change(client, contest, "undo")
    assert told(client, f"{evening}/standings.csv?after=now")[0] == "1 Ann 8"


REFUSED = [
    ("rules", {"place1": "much"}, "Enter the points for each place as a number"),
    ("rules", {"place1": "4", "place3": "1"}, "Enter the points for each place as a number"),
    ("rules", {"place1": "4", "best": "0"}, "Enter a number from 1 to 200"),
    ("points", {"points": "2", "reason": "x"}, "Choose a player and enter how many"),
    ("points", {"players": "Ann", "points": "0", "reason": "x"}, "enter how many points"),
    ("points", {"players": "Ann", "points": "2"}, "Give the reason in a few words"),
    ("teams", {"team_name": "Suits"}, "Enter the team's name and tick"),
    ("teams", {"team_name": "Winds", "players": "Eve"}, "There is already a team called Winds."),
    ("teams", {"team_name": "Suits", "players": "Ann"}, "Ann: already in the team Winds."),
]


def test_what_cannot_be_is_told_and_stays_as_it_was_typed(
    client: FlaskClient, evening: str
) -> None:
    contest = begin(client, evening)
    change(client, contest, "teams", team_name="Winds", players="Ann")
    client.get(contest)
    before = words(client.get(contest))
    for part, form, refusal in REFUSED:
        answer = change(client, contest, part, count="places", **form)
        assert answer.status_code == 400
        assert refusal in words(answer)
        typed = [text for name, text in form.items() if name != "players"]
        assert all(f'value="{text}"' in answer.text for text in typed)
    assert words(client.get(contest)) == before


def test_what_the_form_shows_can_be_sent_again(client: FlaskClient, evening: str) -> None:
    contest = begin(client, evening)
    places = {"place1": "1500", "place2": "\N{VULGAR FRACTION ONE HALF}", "place3": "-1500"}
    change(client, contest, "rules", count="places", **places)
    for language in ("en", "nl", "de"):
        client.set_cookie(COOKIE, language)
        page = client.get(contest).text
        shown = re.findall('name="(place[1-5])" [^>]*value="([^"]*)"', page)
        assert ("place2", "0.5" if language == "en" else "0,5") in shown
        assert change(client, contest, "rules", count="places", **dict(shown)).status_code == 200
    client.set_cookie(COOKIE, "en")
    page = words(client.get(f"{evening}/standings"))
    assert "bring 1,500, 0.5, \N{MINUS SIGN}1,500 points" in page


def test_who_is_not_of_the_evening_any_more_stays_in_the_team(
    app: Flask, client: FlaskClient, evening: str
) -> None:
    contest = begin(client, evening)
    change(client, contest, "teams", team_name="Winds", players="Ann Eve")
    with Session(services_of(app).engine) as session, session.begin():
        session.execute(delete(VisitRow))
    assert "Winds: Ann, Eve" in words(client.get(contest))
    change(client, contest, "teams", team="0", team_name="Four Winds", players="Ann Eve")
    assert "Four Winds Eve, Ann 8" in words(client.get(f"{evening}/standings"))


def test_whoever_comes_second_is_told(client: FlaskClient, evening: str) -> None:
    contest = begin(client, evening)
    old = found(client, contest, HEAD)
    change(client, contest, "teams", team_name="Winds", players="Ann")
    for form in ({}, {"then": "remove"}):
        answer = client.post(f"{contest}/undo", data={"head": old, **form}, follow_redirects=True)
        assert "Someone else has just changed this." in words(answer)
    assert "Winds" in words(client.get(contest))


def test_a_tournament_is_removed_and_brought_back(client: FlaskClient, evening: str) -> None:
    contest = begin(client, evening)
    assert "Restore it" in words(change(client, contest, "undo", then="remove"))
    assert "Make this evening a tournament" in words(client.get(f"{evening}/standings"))
    assert client.get(contest).status_code == 404
    head = found(client, f"{contest}/gone", HEAD)
    client.post(f"{contest}/undo", data={"head": head})
    assert "Make this evening a tournament" not in words(client.get(f"{evening}/standings"))
    assert "It has been restored" in words(client.get(f"{contest}/gone"))


def test_the_standing_as_files(client: FlaskClient, evening: str) -> None:
    contest = begin(client, evening)
    change(client, contest, "teams", team_name="Winds", players="Ann Eve")
    document = json.loads(client.get(f"{evening}/standings.json?after=now").data)
    assert document["provisional"] is True
    assert document["stages"] == ["Round 1", "Round 2"]
    ann = document["players"][0]
    assert (ann["player"], ann["place"], ann["change"], ann["total"]) == ("Ann", 1, 1, 8)
    assert ann["stages"][0] == {"value": 4, "played": True, "counts": True}
    assert document["teams"] == [
        {"place": 1, "shared": False, "team": "Winds", "total": 12, "counted": ["Ann", "Eve"]}
    ]
    book = load_workbook(io.BytesIO(client.get(f"{evening}/standings.xlsx").data))
    assert book.sheetnames == ["Players", "Teams"]
    assert [cell.value for cell in book["Teams"][2]] == [1, "Winds", 8, "Eve, Ann"]
    assert client.get(f"{evening}/standings.pdf").data.startswith(b"%PDF")
    assert client.get(f"{evening}/standings.doc").status_code == 404


def test_tables_opened_by_hand_for_the_same_people_are_of_a_later_round(
    app: Flask, client: FlaskClient
) -> None:
    kept_in = services_of(app)
    evening = kept_in.club.open_evening(today(), "Hall")
    for seats in (ROUND[1][0], ROUND[1][1], ROUND[2][0]):
        game = new_game(GameSetup("bmja-u3a", dict(zip("ESWN", seats.split(), strict=True))))
        kept_in.games.create(evening, Book(game), TableAt(1))
    page = words(client.get(f"/evenings/{evening}/standings"))
    assert "Round 2: 0 of 1 tables have finished" in page
    assert "Round 1: 0 of 2 tables have finished" in page
    assert "No hands have been played yet." in page


def test_who_may_only_look_is_offered_no_change(club: Flask) -> None:
    evening = an_evening(club)
    sue, sam = logged_in(club, "Sue"), logged_in(club, "Sam")
    contest = begin(sue, evening)
    page = sam.get(f"{evening}/standings")
    assert "Ann" in words(page)
    assert contest not in page.text
    assert sam.get(contest).status_code == 403


def test_the_hall_shows_the_standing_and_the_teams_by_turns(
    client: FlaskClient, evening: str
) -> None:
    assert "The evening so far" in words(client.get("/hall?turn=1"))
    contest = begin(client, evening)
    change(client, contest, "teams", team_name="Winds", players="Ann Eve")
    page = words(client.get("/hall"))
    assert "Round 2: 1 of 2 tables still playing · Finished: table 2" in page
    pages = [words(client.get(f"/hall?turn={turn}")) for turn in (1, 2, 3, 4)]
    assert any("After: Round 1 Place Player Total 1 Eve 4 2 Ann 4 3 Cat 2" in it for it in pages)
    assert any("Teams. After: Round 1 Place Team Total 1 Winds 8" in it for it in pages)


def test_certificates_go_to_those_who_have_a_place_in_the_tournament(
    client: FlaskClient, evening: str
) -> None:
    contest = begin(client, evening)
    assert sheets(client.get(f"{evening}/certificates.pdf").data) == 3
    change(client, contest, "rules", place1="4", least="3")
    assert client.get(f"{evening}/certificates.pdf").status_code == 404
