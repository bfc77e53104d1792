"""Each page of an evening leads to what comes next, and its pages tell one standing."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.conftest import services_of
from tests.webapp.pages.evening.test_draws import NAMES, an_evening, drawn
from tests.webapp.pages.evening.test_rounds import opened, tables
from tests.webapp.pages.table.test_games import totals, words
from webapp.draw import drawing
from webapp.exports import poster_pdf
from webapp.pages.evening import here


@pytest.fixture(autouse=True)
def _briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Good tables are looked for only for a moment."""
    monkeypatch.setattr(drawing, "STEPS", 300)


def next_step(client: FlaskClient, evening: str) -> str:
    """Where the large button of the evening leads, seen from there, and what it says."""
    found = re.search(
        f'class="button primary big" href="(?:{evening})?([^"]*)">(.*?)</a>',
        client.get(evening).text,
    )
    assert found
    return f"{found[1]} {found[2]}"


def test_the_evening_leads_from_step_to_step(client: FlaskClient) -> None:
    assert 'href="/evenings#begin"' in client.get("/").text
    evening = an_evening(client, ())
    assert next_step(client, evening) == "/here Check in: tick who is here"
    assert f'href="{evening}/standings"' in client.get(evening).text, "a tournament can begin"
    client.post(f"{evening}/people", data={"names": ", ".join(NAMES[:8])})
    assert next_step(client, evening) == "/draw Draw the tables"
    page = drawn(client, evening)
    assert next_step(client, evening) == "/draw#round-1 Open the tables for round 1"
    page = opened(client, evening, page, 0)
    assert "Go to the tables and the clock" in page
    assert 'id="round-2"' in page
    assert next_step(client, evening) == "/draw#round-2 Open the tables for round 2"
    assert "Now playing: round" not in words(client.get("/hall")), "there is no other round yet"
    assert 'name="tables" inputmode="numeric" value="4"' in client.get(evening).text
    assert 'href="/evenings#begin"' not in client.get("/").text


def test_cards_are_offered_for_the_tables_of_one_round(client: FlaskClient) -> None:
    evening = an_evening(client, [f"Player {number}" for number in range(20)])
    assert 'name="tables" inputmode="numeric" value="5"' in client.get(evening).text


def test_a_tournament_has_no_second_order_of_places(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed: list[list[tuple[int, str, int, int]]] = []

    def kept(*told: list[tuple[int, str, int, int]]) -> bytes:
        printed.append(told[2])
        return b"%PDF"

    monkeypatch.setattr(poster_pdf, "evening_page", kept)
    evening = an_evening(client, NAMES[:8])
    opened(client, evening, drawn(client, evening), 0)
    for stored, total in zip(tables(app, evening), (20, 200), strict=True):
        totals(client, f"/tables/{stored.id}", 1, "S", 0, total, 0, 0)
        client.post(f"/tables/{stored.id}/close", data={"closed": "yes"})
    client.get(f"{evening}/page.pdf")
    assert [place for place, *_ in printed[0]] == [1, 2, 3, 3, 5, 6, 6, 8]
    assert "The evening so far" in words(client.get(evening))
    client.post(f"{evening}/standings", data={"preset": "wmc"})
    page = words(client.get(evening))
    assert "The tournament counts its places differently." in page
    assert "The evening so far" not in page
    client.get(f"{evening}/page.pdf")
    rows = client.get(f"{evening}/standings.csv").text.splitlines()[1:]
    assert [name for _, name, *_ in printed[1]] == [row.split(",")[1] for row in rows]


def test_the_hall_shows_no_check_in_after_the_last_table(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(here, "address_for_phones", lambda: "http://hall.test")
    evening = an_evening(client, NAMES[:4])
    services_of(app).code.open(evening.rsplit("/", 1)[1])
    opened(client, evening, drawn(client, evening, rounds="1"), 0)
    assert "http://hall.test/in" in words(client.get("/hall"))
    client.post(f"/tables/{tables(app, evening)[0].id}/close", data={"closed": "yes"})
    page = words(client.get("/hall"))
    assert "All tables have finished." in page
    assert "http://hall.test/in" not in page


def test_the_hall_tells_the_round_once(app: Flask, client: FlaskClient) -> None:
    evening = an_evening(client, NAMES[:4])
    page = opened(client, evening, drawn(client, evening), 0)
    client.post(f"/tables/{tables(app, evening)[0].id}/close", data={"closed": "yes"})
    opened(client, evening, page, 1)
    assert "Now playing: round 2 Table 1 Hand 1" in words(client.get("/hall"))
