"""A league counts the evenings of its days, and those alone that the club wants to count."""

from __future__ import annotations

import html
import io
import json
import re
from datetime import timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.book_fixtures import agreed, book_of, play
from tests.webapp.conftest import services_of
from tests.webapp.pages.contest.test_standings import HEAD, found, told
from tests.webapp.pages.table.test_games import words
from tests.webapp.security.test_login import club, kept, logged_in
from webapp.evening.evenings import today
from webapp.personal_data.erasure import erase

__all__ = ["club", "kept"]

FORM = {"name": "Winter", "preset": "european"}


@pytest.fixture
def league(app: Flask, client: FlaskClient) -> str:
    """A league of three evenings: Ann wins one and Bob two, the last without Dee and still on."""
    for ago, winner, loser, names, closed in (
        (9, "Ann", "Bob", "Ann Bob Cat Dee", True),
        (2, "Bob", "Ann", "Ann Bob Cat Dee", False),
        (0, "Bob", "Cat", "Ann Bob Cat Eve", False),
    ):
        seats = dict(zip("ESWN", names.split(), strict=True))
        hands = [agreed(winner, {loser: 50})]
        day = today() - timedelta(days=ago)
        play(services_of(app).engine, day, hands, players=seats, closed=closed)
    days = {"first": _day(9), "last": _day(-30)}
    return client.post("/leagues", data=FORM | days).headers["Location"]


def _day(ago: int) -> str:
    return (today() - timedelta(days=ago)).isoformat()


def test_evenings_count_once_they_are_over(client: FlaskClient, league: str) -> None:
    file = f"{league}/standing.csv"
    assert told(client, file) == ["1 Ann 4", "1 Bob 4", "3 Cat 3", "3 Dee 3"]
    assert told(client, f"{file}?after=now") == [
        "1 Bob 8",
        "2 Ann 5.5",
        "3 Dee 3",
        "4 Cat 3",
        "5 Eve 1.5",
    ]
    assert client.get(league).mimetype == "text/html"
    page = words(client.get(f"{league}?after=now"))
    assert "is being played" in page
    assert "(0 missed )" in page
    assert "Winter" in words(client.get("/leagues"))
    assert "Leagues" in words(client.get("/book"))


def test_evenings_are_left_out_and_the_best_of_the_others_count(
    client: FlaskClient, league: str
) -> None:
    contest = found(client, league, "/contests/[0-9a-f]{32}")
    page = client.get(contest).text
    evenings = re.findall('name="listed" value="([0-9a-f]{32})"', page)
    counted = {"count": "points", "place1": "4", "missed": "average", "least": "2"}
    days = {"first": _day(9), "last": _day(0)}
    listed = {"listed": evenings, "evening": evenings[1:]}
    sent = {"head": found(client, contest, HEAD), "name": "Spring", **counted, **days, **listed}
    answer = client.post(f"{contest}/rules", data=sent, follow_redirects=True)
    assert "Saved." in words(answer)
    found_now = words(client.get(league))
    assert "Spring" in found_now
    assert "counts as the player's average. Players need 2 evenings" in found_now
    assert told(client, f"{league}/standing.csv") == ["1 Ann 0", "1 Bob 0", "1 Cat 0", "1 Dee 0"]
    refused = client.post(
        f"{contest}/rules", data=sent | {"head": found(client, contest, HEAD), "last": _day(10)}
    )
    assert refused.status_code == 400
    assert "The league ends before it starts." in words(refused)


def _list(client: FlaskClient, text: str) -> None:
    """A list of results is taken in."""
    file = {"file": (io.BytesIO(text.encode()), "old.csv")}
    draft = client.post("/imports", data=file).headers["Location"]
    mark = re.findall('name="mark" value="(\\w+)"', client.get(draft).text)[0]
    client.post(draft, data={"then": "take", "mark": mark, "target": "results"})


def test_results_from_lists_count_where_the_organiser_says_so(
    client: FlaskClient, league: str
) -> None:
    contest, file = found(client, league, "/contests/[0-9a-f]{32}"), f"{league}/standing.csv"
    assert "Results from lists" not in words(client.get(contest))
    rows = f"Ann,{_day(5)},-7,4\nUna,{_day(5)},7,5\nVic,{_day(2)},3,\nAnn,{_day(99)},1000,\n"
    _list(client, f"Player,Day,Gain,Hands won\n{rows}")
    page = words(client.get(contest))
    assert "Results were imported for 2 of these days, 3 in all, without hands." in page
    assert "They only count where game points are added up" in page
    sent = {"head": found(client, contest, HEAD), "then": "count"}
    refused = client.post(f"{contest}/lists", data=sent)
    assert "Imported results only count where game points are added up." in words(refused)
    days = {"first": _day(9), "last": _day(0)}
    rules = sent | {"name": "Winter", "count": "points", "place1": "4", "missed": "zero"} | days
    client.post(f"{contest}/rules", data=rules)
    off = ["1 Ann 0", "1 Bob 0", "1 Cat 0", "1 Dee 0"]
    assert told(client, file) == off
    assert "They do not count in this league." in words(client.get(contest))
    sent["head"] = found(client, contest, HEAD)
    assert "Saved." in words(client.post(f"{contest}/lists", data=sent, follow_redirects=True))
    assert told(client, file) == ["1 Una 7", "2 Vic 3", "3 Bob 0", "3 Cat 0", "3 Dee 0", "6 Ann -7"]
    page = words(client.get(league))
    assert "3 imported results are counted, from 2 evenings without hands." in page
    file_of_program = json.loads(client.get(f"{league}/standing.json").text)
    assert (file_of_program["results_from_lists"], len(file_of_program["stages"])) == (3, 3)
    ann = next(one for one in file_of_program["players"] if one["player"] == "Ann")
    assert (ann["tables_won"], ann["hands_won"]) == (1, 5), "nobody knows who won a table there"
    assert "1 imported result is counted" not in page
    sent["head"] = found(client, contest, HEAD)
    assert "Undo: Imported results now count" in words(client.get(contest))
    client.post(f"{contest}/undo", data=sent)
    assert told(client, file) == off


def test_a_league_that_is_looked_at_shows_a_list_that_came_in_the_place_of_another(
    app: Flask, client: FlaskClient, league: str
) -> None:
    balances = book_of(services_of(app).engine).balances

    def news() -> int:
        """The status of the answer to a page that asks whether there is anything new."""
        return client.get(asked, headers={"HX-Request": "true"}).status_code

    _list(client, f"Player,Day,Gain\nAnn,{_day(5)},-7\nUna,{_day(5)},7\n")
    asked = html.unescape(found(client, league, 'hx-get="([^"]+)"'))
    assert news() == 204
    balances.undo(balances.brought_in()[0].id)
    _list(client, f"Player,Day,Gain\nAnn,{_day(5)},7\nUna,{_day(5)},-7\n")
    assert news() == 200


@pytest.mark.parametrize(
    ("form", "refusal"),
    [
        ({"name": " "}, "The name of a league has 1 to 40 letters."),
        ({"last": "soon"}, "Enter both days, for example 2026-09-01."),
        ({"last": "2020-01-01"}, "The league ends before it starts."),
    ],
)
def test_a_league_that_cannot_be_is_told(
    client: FlaskClient, form: dict[str, str], refusal: str
) -> None:
    answer = client.post("/leagues", data=FORM | {"first": _day(0), "last": _day(0)} | form)
    assert answer.status_code == 400
    assert refusal in words(answer)
    assert f'value="{_day(0)}"' in answer.text
    assert "There are no leagues yet." in words(client.get("/leagues"))
    assert client.get(f"/leagues/{'0' * 32}").status_code == 404


def test_who_is_erased_leaves_no_reason_behind(
    app: Flask, client: FlaskClient, league: str
) -> None:
    contest = found(client, league, "/contests/[0-9a-f]{32}")
    book = book_of(services_of(app).engine)
    dee = next(person.id for person in book.people.all() if person.name == "Dee")
    form = {
        "head": found(client, contest, HEAD),
        "player": dee,
        "points": "1",
        "reason": "Dee late",
    }
    client.post(f"{contest}/points", data=form)
    assert "Dee late" in words(client.get(league))
    erase(book.engine, dee)
    pages = [
        client.get(address).text
        for address in (league, contest, f"{league}/standing.json?after=now")
    ]
    assert not any("Dee" in page for page in pages)
    assert sum(line["adjusted"] for line in json.loads(pages[2])["players"]) == 1


def test_the_secretary_alone_begins_a_league(club: Flask) -> None:
    sam = logged_in(club, "Sam")
    assert "The secretary can start one." in words(sam.get("/leagues"))
    assert sam.post("/leagues", data=FORM).status_code == 403
