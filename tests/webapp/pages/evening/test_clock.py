"""The common clock of a round: who sees what is left of it, and what changes it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy.orm import Session

from tests.webapp.conftest import services_of
from tests.webapp.pages.table.test_games import game_of, open_table, words
from tests.webapp.security.test_login import club, kept, logged_in
from webapp.database.tables.book import ClubSettingRow
from webapp.evening import round_clock
from webapp.evening.round_clock import FORGOTTEN, MAX_MINUTES, SETTING, USUAL_MINUTES, RoundClock
from webapp.runtime.steady_clock import started_at, steady_now

__all__ = ["club", "kept"]

Later = Callable[[timedelta], None]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Later:
    """Time stands still; the function lets so much of it go by."""
    now = steady_now()
    monkeypatch.setattr(round_clock, "steady_now", lambda: now)

    def go_by(time: timedelta) -> None:
        nonlocal now
        now += time

    return go_by


def an_evening(client: FlaskClient) -> str:
    evening: str = client.post("/evenings", data={}).headers["Location"]
    return evening


def send(client: FlaskClient, evening: str, **form: Any) -> str:
    return words(client.post(f"{evening}/clock", data=form, follow_redirects=True))


def test_the_hall_and_every_table_see_what_is_left(
    app: Flask, client: FlaskClient, later: Later
) -> None:
    table = open_table(client)
    evening = f"/evenings/{game_of(app, table).evening_id}"
    seen = (evening, "/hall", table)
    assert not any("min left" in words(client.get(page)) for page in seen)
    assert "45 min left" in send(client, evening, then="start", minutes="45")
    later(timedelta(minutes=44, seconds=1))
    for page in seen:
        assert 'data-left="59"' in client.get(page).text
        assert "1 min left" in words(client.get(page))
    later(timedelta(minutes=1))
    assert all("Last hand: finish this one" in words(client.get(page)) for page in seen)
    assert "5 min left" in send(client, evening, then="more"), "from now, as its time was up"
    assert "10 min left" in send(client, evening, then="more")
    stopped = send(client, evening, then="stop")
    assert "Start the clock" in stopped
    assert 'value="45"' in client.get(evening).text, "it is remembered for the next round"
    assert not any("min left" in words(client.get(page)) for page in seen)
    assert "Start the clock" in send(client, evening, then="more"), "one that is stopped stays so"


def test_it_names_the_round_and_calls_the_last_hand_as_the_club_likes(
    app: Flask, client: FlaskClient, later: Later
) -> None:
    table = open_table(client)
    evening = f"/evenings/{game_of(app, table).evening_id}"
    deal = client.post(f"{table}/next").headers["Location"]
    client.post("/club/settings/last_hand", data={"ending": "one_more", "number": "5"})
    page = words(client.get(evening))
    assert "One more hand is played after it, announced 5 minutes before the end." in page
    send(client, evening, then="start", minutes="30", round="2")
    client.post("/club/settings/last_hand", data={"ending": "finish"})
    seen = (evening, "/hall", table, deal, f"{table}/hands/1/totals", f"{evening}/clock")

    def all_tell(told: str) -> None:
        for page in seen:
            assert told in words(client.get(page)), page

    all_tell("Round 2: 30 min left")
    later(timedelta(minutes=24, seconds=59))
    all_tell("Round 2: 6 min left")
    later(timedelta(seconds=1))
    all_tell("Round 2: One more hand after this one")
    later(timedelta(minutes=5))
    all_tell("Round 2: Time is up")
    send(client, evening, then="more")
    all_tell("Round 2: One more hand after this one")
    send(client, evening, then="stop")
    assert not any("Round 2" in words(client.get(page)) for page in seen)


def test_the_round_that_is_played_is_offered(app: Flask, client: FlaskClient) -> None:
    evening = an_evening(client)
    assert 'name="round"' not in client.get(evening).text
    client.post(f"{evening}/people", data={"names": "Ann, Bob, Cat, Dee"})
    people = re.findall('name="person" value="([0-9a-f]+)"', client.get(f"{evening}/draw").text)
    client.post(f"{evening}/draw", data={"person": people, "rounds": "2"})
    assert 'name="round" inputmode="numeric" value="1"' in client.get(evening).text
    kept = re.findall('name="kept" value="([0-9]+)"', client.get(f"{evening}/draw").text)[0]
    client.post(f"{evening}/draw", data={"kept": kept, "open": "0"})
    assert 'name="round" inputmode="numeric" value="1"' in client.get(evening).text
    game = services_of(app).games.of_evening(evening.rsplit("/", 1)[1])[0]
    client.post(f"/tables/{game.id}/close", data={"closed": "yes"})
    assert 'name="round" inputmode="numeric" value="2"' in client.get(evening).text


def test_a_restart_does_not_change_it(app: Flask, client: FlaskClient) -> None:
    evening = an_evening(client)
    send(client, evening, minutes="30")
    again = RoundClock(services_of(app).engine).left(evening.rsplit("/", 1)[1])
    assert again is not None
    assert again.minutes == 30


@pytest.mark.parametrize(("computer", "minutes"), [("this start", 25), ("another", None)])
def test_a_restart_after_the_clock_was_set_does_not_change_it(
    app: Flask,
    client: FlaskClient,
    monkeypatch: pytest.MonkeyPatch,
    computer: str,
    minutes: int | None,
) -> None:
    evening, begun = an_evening(client), steady_now()
    monkeypatch.setattr(round_clock, "steady_now", lambda: begun)
    monkeypatch.setattr(round_clock, "start_of_computer", lambda: "this start")
    send(client, evening, minutes="30")
    year = timedelta(days=365)
    monkeypatch.setattr(round_clock, "start_of_computer", lambda: computer)
    before = started_at()
    monkeypatch.setattr(round_clock, "started_at", lambda: before + year.total_seconds())
    monkeypatch.setattr(round_clock, "steady_now", lambda: begun + year + timedelta(minutes=5))
    again = RoundClock(services_of(app).engine).left(evening.rsplit("/", 1)[1])
    assert (None if again is None else again.minutes) == minutes
    if minutes:
        assert "30 min left" in send(client, evening, then="more")


def test_phones_at_the_tables_are_told_of_it(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    stored, found, tokens = game_of(app, table), services_of(app), set()
    for form in ({"minutes": "9"}, {"then": "more"}, {"then": "stop"}):
        send(client, f"/evenings/{stored.evening_id}", **form)
        token = found.table_token(stored.id)
        assert f'data-token="{token}"' in client.get(table).text
        tokens.add(token)
    assert len(tokens) == 3


@pytest.mark.parametrize("minutes", ["", str(MAX_MINUTES + 1)])
def test_a_number_of_minutes_that_cannot_be_is_told(client: FlaskClient, minutes: str) -> None:
    evening = an_evening(client)
    page = send(client, evening, minutes=minutes)
    assert f"Enter a number of minutes from 1 to {MAX_MINUTES}." in page
    assert "min left" not in page


def test_another_evening_has_its_own(client: FlaskClient, later: Later) -> None:
    evening, other = an_evening(client), an_evening(client)
    send(client, evening, minutes=str(MAX_MINUTES))
    for form in ({"then": "more"}, {"then": "stop"}):
        assert "min left" not in send(client, other, **form)
    assert f"{MAX_MINUTES} min left" in words(client.get(evening))
    later(timedelta(minutes=MAX_MINUTES) + FORGOTTEN)
    assert "Last hand" in words(client.get(evening))
    later(timedelta(seconds=1))
    assert "Last hand" not in words(client.get(evening)).split("show the time left")[0]


@pytest.mark.parametrize("told", [[], {"ends": "soon", "minutes": 0}, {"ends": "2026-01-01"}])
def test_what_cannot_be_read_is_no_clock(app: Flask, client: FlaskClient, told: object) -> None:
    evening = an_evening(client)
    told = told | {"evening": evening.rsplit("/", 1)[1]} if isinstance(told, dict) else told
    with Session(services_of(app).engine) as session, session.begin():
        session.add(ClubSettingRow(key=SETTING, value=told))
    page = client.get(evening)
    assert f'value="{USUAL_MINUTES}"' in page.text
    assert "min left" not in words(page)


def test_who_only_looks_on_sees_it_without_buttons(club: Flask) -> None:
    sam, gus = logged_in(club, "Sam"), logged_in(club, "Gus")
    evening = an_evening(sam)
    assert "Five minutes more" in send(sam, evening, minutes="20")
    page = words(gus.get(evening))
    assert "20 min left" in page
    assert "Five minutes more" not in page
