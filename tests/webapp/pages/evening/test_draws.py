"""Drawing the tables of an evening, changing them by hand, and opening them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.book_fixtures import book_of
from tests.webapp.conftest import services_of
from tests.webapp.pages.table.test_games import words
from webapp.book.ratings import Rating
from webapp.draw import drawing
from webapp.evening.evenings import today

NAMES = ("Ann", "Bob", "Cat", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida")


@pytest.fixture(autouse=True)
def _briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Good tables are looked for only for a moment."""
    monkeypatch.setattr(drawing, "STEPS", 500)


def an_evening(client: FlaskClient, names: Sequence[str] = NAMES) -> str:
    """The address of an evening to which these players came."""
    evening: str = client.post("/evenings", data={}).headers["Location"]
    for at in range(0, len(names), 8):
        client.post(f"{evening}/people", data={"names": ", ".join(names[at : at + 8])})
    return evening


def people(client: FlaskClient, evening: str) -> dict[str, str]:
    """The ids of those who can be ticked, by name."""
    page = client.get(f"{evening}/draw").text
    found = re.findall(r'name="person" value="([0-9a-f]+)" checked><span>(\w+)[ <]', page)
    return {name: person for person, name in found}


def drawn(client: FlaskClient, evening: str, **form: object) -> str:
    """The page after a draw."""
    sent = {"person": [*people(client, evening).values()], "rounds": "2", "odd": "rest"} | form
    return client.post(f"{evening}/draw", data=sent, follow_redirects=True).text


def places(page: str, round_: int) -> list[str]:
    """The ids of the players of a round, in the order of tables and winds."""
    return re.findall(f'name="place" value="{round_} ([0-9a-f]+)"', page)


def kept(page: str) -> str:
    """Which drawing the page shows."""
    return str(re.findall('name="kept" value="([0-9]+)"', page)[0])


def test_the_draw_is_found_before_anybody_has_come(client: FlaskClient) -> None:
    assert 'href="/evenings"' in client.get("/tables/new").text
    evening = an_evening(client, ())
    assert f'href="{evening}/draw"' in client.get(evening).text
    assert f'href="{evening}/draw"' in client.get("/tables/new").text
    assert "First say who is here" in words(client.get(f"{evening}/draw"))
    many = [f"Player {number}" for number in range(1, 41)]
    client.post(f"{evening}/people", data={"names": ", ".join(many)})
    assert client.get(f"{evening}/draw").text.count('name="person"') == len(many)
    late = client.post(f"{evening}/people", data={"names": "Ann," * 41}, follow_redirects=True)
    assert "Enter one to 40 names" in words(late)


def test_the_fifth_who_was_drawn_waits_at_the_table(app: Flask, client: FlaskClient) -> None:
    evening = an_evening(client)
    page = drawn(client, evening, odd="fives")
    form = {"kept": kept(page), "open": "0"}
    page = client.post(f"{evening}/draw", data=form, follow_redirects=True).text
    assert '<div class="note good">2 tables are open' in page
    games = services_of(app).games.of_evening(evening.rsplit("/", 1)[1])
    who = {person: name for name, person in people(client, evening).items()}
    fifth = who[places(page, 0)[8]]
    assert [game.game.setup.waiting for game in games] == [(), (fifth,)]
    assert f"{fifth} sits out" in words(client.get("/hall"))


def test_all_who_came_are_drawn_in_each_round(client: FlaskClient) -> None:
    evening = an_evening(client)
    assert f"{evening}/draw" in client.get(evening).text
    page = drawn(client, evening)
    everybody = sorted(people(client, evening).values())
    assert sorted(places(page, 0)) == sorted(places(page, 1)) == everybody
    assert "Sits out this round" in page
    assert "meet more than once (rounds 1, 2)" in page, "of nine in two rounds some must"
    assert re.search(r">\d\d pairs meet more than once\.<", drawn(client, evening, rounds="4"))


def test_wishes_are_kept_for_every_draw_and_forgotten(client: FlaskClient) -> None:
    evening = an_evening(client)
    who = people(client, evening)
    for wish in (
        {"kind": "apart", "one": who["Ann"], "other": who["Bob"]},
        {"kind": "table", "one": who["Cat"], "table": "2"},
        {"kind": "together", "one": who["Cat"], "other": who["Dee"]},
    ):
        client.post(f"{evening}/wishes", data=wish)
    page = drawn(client, evening, rounds="1")
    seats = places(page, 0)
    first, second = set(seats[:4]), set(seats[4:8])
    assert len({who["Ann"], who["Bob"]} & first) < 2 > len({who["Ann"], who["Bob"]} & second)
    assert {who["Cat"], who["Dee"]} <= second
    assert "No two players meet twice, and every wish is granted." in page
    client.post(f"{evening}/wishes", data={"forget": "0"})
    assert page.count('name="forget"') == 3
    assert client.get(f"{evening}/draw").text.count('name="forget"') == 2
    refused = client.post(f"{evening}/wishes", data={"kind": "apart"}, follow_redirects=True)
    assert "Choose two players" in words(refused)


def test_two_change_places_and_it_is_taken_back(client: FlaskClient) -> None:
    evening = an_evening(client)
    page = drawn(client, evening)
    before = places(page, 1)
    form = {"kept": kept(page), "then": "exchange", "place": [f"1 {before[0]}", f"1 {before[8]}"]}
    page = client.post(f"{evening}/draw", data=form, follow_redirects=True).text
    assert places(page, 1) == [before[8], *before[1:8], before[0]]
    late = client.post(f"{evening}/draw", data=form, follow_redirects=True)
    assert "Someone else has just changed the draw" in words(late)
    back = {"kept": kept(page), "then": "back"}
    page = client.post(f"{evening}/draw", data=back, follow_redirects=True).text
    assert places(page, 1) == before
    one = {"kept": kept(page), "then": "exchange", "place": [f"1 {before[0]}"]}
    told = client.post(f"{evening}/draw", data=one, follow_redirects=True)
    assert "Tick two names" in words(told)


def test_the_tables_of_a_round_are_opened_once(app: Flask, client: FlaskClient) -> None:
    evening = an_evening(client)
    page = drawn(client, evening)
    form = {"kept": kept(page), "open": "0"}
    page = client.post(f"{evening}/draw", data=form, follow_redirects=True).text
    games = services_of(app).games.of_evening(evening.rsplit("/", 1)[1])
    who = {person: name for name, person in people(client, evening).items()}
    seated = [name for game in games for name in game.game.setup.players.values()]
    assert len(games) == 2
    assert sorted(seated) == sorted(who[person] for person in places(page, 0)[:8])
    assert "2 tables are open" in page
    again = client.post(
        f"{evening}/draw", data={"kept": kept(page), "open": "0"}, follow_redirects=True
    )
    assert "are open" in words(again)
    assert len(services_of(app).games.of_evening(evening.rsplit("/", 1)[1])) == 2


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"rounds": "0"}, "Enter a number of rounds from 1 to 12."),
        ({"rounds": ""}, "Enter a number of rounds from 1 to 12."),
        ({"person": []}, "Round 1 has fewer than three players."),
    ],
)
def test_what_cannot_be_drawn_is_told(
    client: FlaskClient, form: dict[str, object], told: str
) -> None:
    evening = an_evening(client)
    assert told in drawn(client, evening, **form)
    assert 'name="kept"' not in client.get(f"{evening}/draw").text


def test_who_comes_and_leaves_after_the_draw_is_drawn_anew_for_the_rest(
    app: Flask, client: FlaskClient
) -> None:
    evening = an_evening(client, NAMES[:8])
    who = people(client, evening)
    page = drawn(client, evening, rounds="3")
    form = {"kept": kept(page), "open": "0"}
    first = places(client.post(f"{evening}/draw", data=form, follow_redirects=True).text, 0)
    client.post(f"{evening}/people", data={"names": "Zoe"})
    client.post(f"{evening}/here/{who['Ann']}", data={"first": "1", "last": "1"})
    client.post(f"{evening}/here/{who['Bob']}", data={"first": "1", "last": "2"})
    page = client.get(f"{evening}/draw").text
    assert "Here, but not in the draw: Zoe." in page
    assert "In the draw, but not here: Ann, Bob." in page
    refused = client.post(f"{evening}/draw", data={"kept": kept(page), "open": "1"})
    assert refused.status_code == 400
    assert "Ann: not here in round 2." in words(refused)
    rest = {"kept": kept(page), "then": "rest"}
    page = client.post(f"{evening}/draw", data=rest, follow_redirects=True).text
    assert "not in the draw" not in page
    assert re.findall(r'<h2 id="round-\d">(.*?)<', page) == ["Round 2", "Round 3"]
    zoe = people(client, evening)["Zoe"]
    assert set(places(page, 0)) == {*first, zoe} - {who["Ann"]}
    assert set(places(page, 1)) == {*first, zoe} - {who["Ann"], who["Bob"]}
    assert len(services_of(app).games.of_evening(evening.rsplit("/", 1)[1])) == 2


def test_a_round_in_which_too_few_are_here_is_told_by_its_number(client: FlaskClient) -> None:
    evening = an_evening(client, NAMES[:4])
    page = drawn(client, evening, rounds="1")
    client.post(f"{evening}/draw", data={"kept": kept(page), "open": "0"})
    for person in [*people(client, evening).values()][:2]:
        client.post(f"{evening}/here/{person}", data={"first": "1", "last": "2"})
    told = drawn(client, evening, rounds="2")
    assert "Round 3 has fewer than three players." in told
    assert 'name="rounds" inputmode="numeric" value="2"' in told, "what was typed stays"


def test_strength_is_minded_as_the_club_likes_and_kept(app: Flask, client: FlaskClient) -> None:
    evening = an_evening(client, NAMES[:8])
    assert "Nobody has a rating yet" in client.get(f"{evening}/draw").text
    who = people(client, evening)
    names = {person: name for name, person in who.items()}
    ratings = {person: Rating(today(), 900 + 20 * at, 9, 9) for at, person in enumerate(names)}
    statistics = book_of(services_of(app).engine).statistics
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(statistics), "ratings", lambda _: ratings)
        seats = places(drawn(client, evening, rounds="1", strength="alike"), 0)
    tables = {frozenset(names[person] for person in seats[at : at + 4]) for at in (0, 4)}
    assert tables == {frozenset(NAMES[:4]), frozenset(NAMES[4:8])}
    assert 'value="alike" checked' in client.get(f"{evening}/draw").text
    assert "Playing strength in the draw: By strength" in words(client.get("/club/settings"))


def test_who_met_at_a_table_this_season_meets_last(client: FlaskClient) -> None:
    evening = an_evening(client, NAMES[:8])
    page = drawn(client, evening, rounds="1")
    before = [set(places(page, 0)[:4]), set(places(page, 0)[4:])]
    client.post(f"{evening}/draw", data={"kept": kept(page), "open": "0"})
    for table in set(re.findall(r"/tables/[0-9a-f]{32}", client.get(evening).text)):
        client.post(f"{table}/drawn", data={"head": head(client, table)})
    page = drawn(client, evening, rounds="1")
    after = set(places(page, 0)[:4])
    assert [len(after & table) for table in before] == [2, 2]


def head(client: FlaskClient, table: str) -> str:
    """Which revision of a table its page shows."""
    return str(re.findall('name="head" value="([0-9]+)"', client.get(table).text)[0])
