"""Phones that check people in by the code of the evening: what they may see and do."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.conftest import services_of
from tests.webapp.pages.evening.test_here import MEMBERS, here, tap
from tests.webapp.pages.table.test_games import open_table, totals, words
from tests.webapp.security.test_login import club, kept, logged_in
from webapp.evening import arrivals, code
from webapp.evening.code import OPEN_FOR
from webapp.evening.visits import Visit
from webapp.runtime.steady_clock import steady_now

__all__ = ["club", "kept"]


@pytest.fixture
def evening(club: Flask) -> str:
    """The address of an evening to which phones check in, in a club with accounts."""
    sam = logged_in(club, "Sam")
    for name in MEMBERS:
        sam.post("/players", data={"name": name})
    address: str = sam.post("/evenings", data={}).headers["Location"]
    sam.post(f"{address}/here/code", data={"then": "open"})
    return address


@pytest.fixture
def phone(club: Flask) -> FlaskClient:
    """A phone that is not logged in."""
    return club.test_client()


def door(app: Flask, evening: str) -> str:
    """The address at which phones check in."""
    return f"/in/{services_of(app).code.of(evening.rsplit('/', 1)[1])}"


def test_a_phone_finds_its_name_by_three_letters_and_is_in(
    club: Flask, evening: str, phone: FlaskClient
) -> None:
    address = door(club, evening)
    assert not any(name in words(phone.get(address)) for name in ("Ann", "Bob", "Zoë"))
    assert "Type at least three letters" in words(phone.get(f"{address}?q=an"))
    page = phone.get(f"{address}?q=hil").text
    assert "Ann" in page
    assert "Hill" not in page, "the club shows first names only"
    person = page.split('name="person" value="')[1][:32]
    page = words(phone.post(address, data={"person": person}, follow_redirects=True))
    assert "Ann is here." in page
    assert here(club, evening)["Ann Hill"].phone
    sam = logged_in(club, "Sam")
    assert "Ann Hill by phone" in words(sam.get(f"{evening}/here"))
    assert "Last to check in by phone: Ann Hill." in words(sam.get(f"{evening}/here"))


def test_what_the_club_lets_the_hall_show_phones_see_too(
    club: Flask, evening: str, phone: FlaskClient
) -> None:
    logged_in(club, "Sue").post("/keeping/hall", data={"open": "yes", "names": "full"})
    page = words(phone.get(door(club, evening)))
    assert "Ann Hill Bob Carter Zoë Adams" in page
    assert "Check in" not in words(phone.get("/hall")), "no phone reaches this computer"
    shown = words(phone.get("/hall", base_url="http://10.0.0.9"))
    assert "Check in" in shown
    assert door(club, evening)[-3:] in shown


def test_a_guest_types_the_name_and_each_phone_takes_back_its_own_only(
    club: Flask, evening: str, phone: FlaskClient
) -> None:
    address = door(club, evening)
    assert "I am a guest, and my name is Xaver" in words(phone.get(f"{address}?q=Xaver"))
    phone.post(address, data={"name": "Xaver"})
    guest = here(club, evening)["Xaver"]
    assert guest.guest
    club.test_client().post(address, data={"back": guest.person})
    assert "Xaver" in here(club, evening), "another phone cannot"
    phone.post(address, data={"back": guest.person})
    assert here(club, evening) == {}
    assert "Xaver" not in services_of(club).club.people()


def test_a_phone_is_told_where_its_own_people_sit(
    club: Flask, evening: str, phone: FlaskClient
) -> None:
    address = door(club, evening)
    phone.post(address, data={"name": "Ann Hill"})
    assert "it shows you where you sit and takes you to your table." in words(phone.get(address))
    sam = logged_in(club, "Sam")
    for name in ("Xa", "Xb"):
        tap(sam, evening, name=name)
    people = [visit.person for visit in here(club, evening).values()]
    sam.post(f"{evening}/draw", data={"person": people, "rounds": "1"})
    page = words(phone.get(address))
    assert re.search("Ann is here. Round 1 · Table 1 · (East|South|West)", page)
    assert "Once your table is open, a button here takes you to it." in page
    assert "Xa" not in page
    assert "Table 1" not in words(club.test_client().get(address))
    kept_draw = re.findall('name="kept" value="([0-9]+)"', sam.get(f"{evening}/draw").text)[0]
    sam.post(f"{evening}/draw", data={"kept": kept_draw, "open": "0"})
    shown = phone.get(address)
    assert "Once the seats are drawn" not in words(shown)
    table = re.findall('href="(/tables/[0-9a-f]{32})">To the table', shown.text)[0]
    assert "Ann Hill" in words(phone.get(table)), "without a login"
    assert "To the table" not in words(club.test_client().get(address))
    refused = phone.post(address, data={"back": people[0]})
    assert "Tell the organiser if you are leaving." in words(refused)
    sam.post(f"{evening}/here/code", data={"then": "close"})
    page = words(phone.get(address))
    assert "Table 1" in page, "also once check-in is closed"
    assert "Find" not in page
    assert phone.post(address, data={"back": people[0]}).status_code == 404
    assert club.test_client().get(address).status_code == 404


def test_a_phone_leads_to_a_table_opened_by_hand_to_the_next_round_and_to_the_result(
    club: Flask, evening: str, phone: FlaskClient
) -> None:
    address, sam = door(club, evening), logged_in(club, "Sam")
    phone.post(address, data={"name": "Ann Hill"})
    table = open_table(
        sam, evening=evening.rsplit("/", 1)[1], name_E="Ann Hill", waiting="Eve", rounds="1"
    )
    assert "Ann is here. Table 1 · East To the table" in words(phone.get(address))
    totals(sam, table, 1, "S", 0, 20, 0, 0)
    assert "Ann is here. Table 1 · sits out To the table" in words(phone.get(address))
    people = [visit.person for visit in here(club, evening).values()]
    sam.post(f"{evening}/draw", data={"person": people, "rounds": "1"})
    assert "Table 1 · sits out" in words(phone.get(address)), "the table still plays"
    sam.post(f"{table}/close", data={"closed": "yes"})
    assert "Ann is here. Round 1 · Table 1 ·" in words(phone.get(address))
    sam.post(f"{evening}/draw", data={"kept": "1", "then": "back"})
    assert "Ann is here. Table 1 · finished To the table" in words(phone.get(address))
    other = club.test_client()
    other.post(address, data={"name": "Zoë Adams"})
    assert "Once the seats are drawn" in words(other.get(address))


def test_a_member_who_types_the_whole_name_is_no_guest(
    club: Flask, evening: str, phone: FlaskClient
) -> None:
    phone.post(door(club, evening), data={"name": "ANN HILL"})
    assert not here(club, evening)["Ann Hill"].guest
    other = club.test_client()
    told = other.post(door(club, evening), data={"name": "Ann Hill"}, follow_redirects=True)
    assert "You are already on the list." in words(told)
    assert "Undo it" not in words(told)


def test_the_code_is_good_for_its_evening_and_while_check_in_is_open(
    club: Flask, evening: str, phone: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = door(club, evening)
    assert phone.get("/in?code=" + address[4:7] + "+" + address[7:]).headers["Location"] == address
    assert phone.get("/in/None").status_code == 404
    wrong = phone.get("/in/12345x")
    assert wrong.status_code == 404
    assert "That code is no longer valid." in words(wrong)
    sam = logged_in(club, "Sam")
    sam.post(f"{evening}/here/code", data={"then": "close"})
    assert phone.post(address, data={"name": "Xaver"}).status_code == 404
    sam.post(f"{evening}/here/code", data={"then": "open"})
    assert door(club, evening) != address
    other = sam.post("/evenings", data={"day": "2026-03-05"}).headers["Location"]
    first = door(club, evening)
    sam.post(f"{other}/here/code", data={"then": "open"})
    assert phone.get(first).status_code == 404, "one evening at a time"
    later = steady_now() + OPEN_FOR
    monkeypatch.setattr(code, "steady_now", lambda: later + timedelta(seconds=1))
    assert phone.get(door(club, other)).status_code == 404, "forgotten, it closes by itself"
    assert here(club, evening) == {}


def test_codes_and_names_cannot_be_tried_without_end(
    club: Flask, evening: str, phone: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in ("WRONG_CODES", "LOOKUPS", "NEW_NAMES"):
        monkeypatch.setattr(arrivals, limit, 2)
    address = door(club, evening)
    tried = [phone.get(f"{address}?q=ann").status_code for _ in range(3)]
    assert tried == [200, 200, 429]
    for name in ("Xa", "Xb", "Xc"):
        club.test_client().post(address, data={"name": name})
    assert list(here(club, evening)) == ["Xa", "Xb"]
    assert [phone.get(f"/in/{n}").status_code for n in range(3)] == [404, 404, 429]
    assert phone.get(address).status_code == 429, "also the right one is not looked at"


def test_one_phone_checks_in_a_car_full_and_phones_few_guests(
    club: Flask, evening: str, phone: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrivals, "BY_ONE_PHONE", 2)
    monkeypatch.setattr(arrivals, "GUESTS_BY_PHONES", 3)
    address = door(club, evening)
    for name in ("Xa", "Xb", "Xc"):
        answer = phone.post(address, data={"name": name})
    assert answer.status_code == 400
    assert "Ask the organiser" in words(answer)
    assert 'value="Xc"' in answer.text, "what was typed stays"
    others = (club.test_client() for _ in range(2))
    assert [other.post(address, data={"name": "Xd"}).status_code for other in others] == [303, 303]
    refused = club.test_client().post(address, data={"name": "Xe"})
    assert refused.status_code == 400
    tap(logged_in(club, "Sam"), evening, out=here(club, evening)["Xa"].person)
    assert phone.post(address, data={"name": "Ann Hill"}).status_code == 303


def test_a_visit_is_for_its_rounds() -> None:
    visit = Visit("a", "Ann", guest=False, first=2, last=3, phone=None, at=steady_now())
    assert [visit.plays(round_) for round_ in (1, 2, 3, 4)] == [False, True, True, False]
    assert Visit.from_json(visit.to_json()) == visit
