"""Who is here: ticked at the door, planned for some rounds, undone, and seen by every phone."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.conftest import services_of
from tests.webapp.pages.table.test_games import open_table, words
from tests.webapp.security.test_login import club, kept, logged_in
from webapp.evening.visits import Visit

__all__ = ["club", "kept"]

MEMBERS = ("Zoë Adams", "Ann Hill", "Bob Carter")


@pytest.fixture
def evening(client: FlaskClient) -> str:
    """The address of an evening of a club with three members."""
    for name in MEMBERS:
        client.post("/players", data={"name": name})
    address: str = client.post("/evenings", data={}).headers["Location"]
    return address


def tap(client: FlaskClient, evening: str, **form: str) -> str:
    """The page after a tap."""
    return words(client.post(f"{evening}/here", data=form, follow_redirects=True))


def ids(client: FlaskClient, evening: str) -> dict[str, str]:
    """The ids of those who can be tapped, by name."""
    page = client.get(f"{evening}/here").text
    found = re.findall(r'name="(?:in|out)" value="(\w+)" id="t-.*?<span>(.*?)</span>', page)
    return {name: person for person, name in found}


def here(app: Flask, evening: str) -> dict[str, Visit]:
    """Those who are here, by name."""
    found = services_of(app).visits.here(evening.rsplit("/", 1)[1])
    return {visit.name: visit for visit in found}


def test_one_tap_in_one_tap_out_and_each_is_undone(
    app: Flask, client: FlaskClient, evening: str
) -> None:
    who = ids(client, evening)
    assert "0 are here" in words(client.get(f"{evening}/here"))
    assert "Ann Hill is here." in tap(client, evening, **{"in": who["Ann Hill"]})
    tap(client, evening, **{"in": who["Bob Carter"]})
    assert "1 is here" in tap(client, evening, undo="yes")
    assert list(here(app, evening)) == ["Ann Hill"]
    client.post(f"{evening}/here/{who['Ann Hill']}", data={"first": "2", "last": "3"})
    assert "Ann Hill is no longer marked as here." in tap(client, evening, out=who["Ann Hill"])
    assert here(app, evening) == {}
    tap(client, evening, undo="yes")
    back = here(app, evening)["Ann Hill"]
    assert (back.first, back.last) == (2, 3), "as they were"
    assert "Undo" not in tap(client, evening, undo="yes"), "nothing is left to undo"


def test_a_guest_is_marked_and_leaves_no_trace_if_it_was_a_slip(
    app: Flask, client: FlaskClient, evening: str
) -> None:
    tap(client, evening, name="Zeo")
    assert here(app, evening)["Zeo"].guest
    assert "Zeo guest" in words(client.get(f"{evening}/here"))
    tap(client, evening, out=ids(client, evening)["Zeo"])
    assert "Zeo" not in services_of(app).club.people()
    tap(client, evening, undo="yes")
    assert here(app, evening)["Zeo"].guest
    other = client.post("/evenings", data={"day": "2026-03-05"}).headers["Location"]
    assert "Zeo" not in ids(client, other), "guests are no members of the club"
    tap(client, other, name="zeo")
    assert here(app, other)["Zeo"].person == here(app, evening)["Zeo"].person
    client.post(f"{other}/here/{here(app, other)['Zeo'].person}", data={"first": "1"})
    third = client.post("/evenings", data={"day": "2026-03-06"}).headers["Location"]
    assert "Zeo" in ids(client, third), "a guest has become a member"
    tap(client, other, name="Zia")
    client.post(f"/players/{here(app, other)['Zia'].person}/member", data={"member": "12"})
    assert "Zia" in ids(client, third), "so has one with a member number"


def test_names_are_sorted_for_reading_aloud_and_found_by_their_letters(
    client: FlaskClient, evening: str
) -> None:
    assert list(ids(client, evening)) == ["Ann Hill", "Bob Carter", "Zoë Adams"]
    tap(client, evening, order="last")
    assert list(ids(client, evening)) == ["Zoë Adams", "Bob Carter", "Ann Hill"]
    assert "Zoë Adams" in words(client.get(f"{evening}/here?q=zoe"))
    found = words(client.get(f"{evening}/here?q=car"))
    assert "Bob Carter" in found
    assert "Ann Hill" not in found
    assert "Xaver is a guest" in words(client.get(f"{evening}/here?q=Xaver"))


def test_the_count_tells_the_tables(client: FlaskClient, evening: str) -> None:
    for number in range(17):
        tap(client, evening, name=f"Guest {number:02}")
    assert "17 are here: 4 tables, with 1 left over" in words(client.get(f"{evening}/here"))
    first, second = (ids(client, evening)[f"Guest {number:02}"] for number in (0, 1))
    client.post(f"{evening}/here/{first}", data={"first": "2"})
    assert "16 are here: 4 tables · 1 arriving later" in words(client.get(f"{evening}/here"))
    refused = client.post(f"{evening}/here/{second}", data={"first": "3", "last": "2"})
    assert refused.status_code == 400
    assert "They cannot leave before they arrive." in words(refused)
    assert '<option value="3" selected>' in refused.text, "what was chosen stays"


def test_whoever_sits_at_a_table_stays(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    evening = re.findall("/evenings/[0-9a-f]{32}", client.get(table).text)[0]
    told = tap(client, evening, out=here(app, evening)["Ann"].person)
    assert "Ann has a seat at table 1. Choose the round after which they leave." in told
    assert "Ann" in here(app, evening)


def test_a_name_that_cannot_be_stays_typed(client: FlaskClient, evening: str) -> None:
    refused = client.post(f"{evening}/here", data={"name": "=1+1"})
    assert refused.status_code == 400
    assert 'value="=1+1"' in refused.text


def test_a_guest_of_the_club_s_accounts_sees_who_is_here_and_ticks_nobody(club: Flask) -> None:
    sam, gus = logged_in(club, "Sam"), logged_in(club, "Gus")
    evening = sam.post("/evenings", data={}).headers["Location"]
    tap(sam, evening, name="Zoe")
    page = gus.get(f"{evening}/here")
    assert "Zoe" in words(page)
    assert 'name="out"' not in page.text
    assert gus.post(f"{evening}/here", data={"name": "Eve"}).status_code == 403


def test_who_left_after_a_round_is_back_by_one_tap_or_by_the_phone(
    app: Flask, client: FlaskClient, evening: str
) -> None:
    for name in ("Ann Hill", "Bob Carter", "Zoë Adams", "Xaver", "Yves"):
        tap(client, evening, name=name)
    people = [visit.person for visit in here(app, evening).values()]
    client.post(f"{evening}/draw", data={"person": people, "rounds": "2"})
    kept = re.findall('name="kept" value="([0-9]+)"', client.get(f"{evening}/draw").text)[0]
    client.post(f"{evening}/draw", data={"kept": kept, "open": "0"})
    for person in people[:2]:
        client.post(f"{evening}/here/{person}", data={"first": "1", "last": "1"})
    assert "3 are here · 2 have left" in words(client.get(f"{evening}/here"))
    page = tap(client, evening, back=people[0])
    assert "Is back Bob Carter" in page
    assert "Is back Ann Hill" not in page
    assert "4 are here: 1 table · 1 has left" in page
    client.post(f"{evening}/here/code", data={"then": "open"})
    door = f"/in/{services_of(app).code.of(evening.rsplit('/', 1)[1])}"
    phone = app.test_client()
    assert "Bob" in words(phone.get(f"{door}?q=bob"))
    told = words(phone.post(door, data={"person": people[1]}, follow_redirects=True))
    assert "Welcome back!" in told
    assert "5 are here: 1 table, with 1 left over" in words(client.get(f"{evening}/here"))
