"""Member numbers: given, found, in every file, kept by those who are joined, and erased."""

from __future__ import annotations

import csv
import io
import json
import zipfile

import pytest
from flask import Flask
from flask.testing import FlaskClient
from openpyxl import load_workbook

from tests.webapp.book_fixtures import book_of, two_evenings
from tests.webapp.conftest import services_of
from tests.webapp.pages.table.test_games import words
from webapp.personal_data.erasure import erase
from webapp.personal_data.profiles import People


@pytest.fixture
def people(app: Flask) -> People:
    two_evenings(services_of(app).engine)
    return book_of(services_of(app).engine).people


def ids(people: People) -> dict[str, str]:
    return {person.name: person.id for person in people.all()}


def test_a_number_is_given_shown_found_and_taken_away(people: People, client: FlaskClient) -> None:
    who = ids(people)
    address = f"/players/{who['Ann']}"
    assert client.post(f"{address}/member", data={"member": " 007 "}).status_code == 303
    assert "Ann now has member number 007." in words(client.get(address))
    assert "No. 007" in words(client.get("/players"))
    assert "Ann No. 007" in words(client.get("/search?q=007"))
    assert "Bob" not in words(client.get("/players?q=00")).split("Add a player")[0]
    refused = client.post(f"/players/{who['Bob']}/member", data={"member": "7"})
    assert (refused.status_code, 'value="7"' in refused.text) == (400, True)
    assert "Ann already has member number 7" in words(refused)
    formula = client.post(f"/players/{who['Bob']}/member", data={"member": "=1+1"})
    assert "cannot be a member number" in words(formula)
    client.post(f"{address}/member", data={"member": ""})
    assert "Ann no longer has a member number." in words(client.get(address))
    assert client.post(f"/players/{who['Bob']}/member", data={"member": "7"}).status_code == 303


def test_every_file_of_the_book_has_the_number_after_what_it_had(
    people: People, client: FlaskClient
) -> None:
    people.give_number(ids(people)["Cat"], "A 12")
    evening = client.get("/evenings").text.split('href="/evenings/')[1][:32]
    for address in ("/board.csv", f"/evenings/{evening}/evening.csv"):
        text = client.get(address).data.decode("utf-8-sig")
        rows = list(csv.DictReader(io.StringIO(text)))
        assert list(rows[0]).index("Member number") in (12, 14)
        assert {row["Player"]: row["Member number"] for row in rows}["Cat"] == "A 12"
        assert {row["Player"]: row["Member number"] for row in rows}["Dee"] == ""
    for address in ("/board.xlsx", f"/evenings/{evening}/evening.xlsx"):
        sheet = load_workbook(io.BytesIO(client.get(address).data)).worksheets[-1]
        assert "A 12" in {cell.value for row in sheet.rows for cell in row}
    packed = client.get(f"/players/{ids(people)['Cat']}/data.zip").data
    with zipfile.ZipFile(io.BytesIO(packed)) as file:
        assert json.loads(file.read("player.json"))["member"] == "A 12"


def test_joined_players_keep_both_numbers_and_erasing_takes_them(
    people: People, app: Flask
) -> None:
    ann, eve = ids(people)["Ann"], people.add("Eve").id
    people.give_number(ann, "1")
    people.give_number(eve, "2")
    people.join(ann, eve)
    joined = people.person(ann)
    assert joined is not None
    assert (joined.member, joined.members) == ("1", ("1", "2"))
    people.split(ann, eve)
    assert [p.member for p in people.all() if p.name in ("Ann", "Eve")] == ["1", "2"]
    people.join(ann, eve)
    erase(services_of(app).engine, ann)
    assert people.numbers() == {}
    assert people.give_number(ids(people)["Bob"], "2").member == "2"
