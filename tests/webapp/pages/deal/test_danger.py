"""Danger positions at the table, and what a wrong number of tiles allows."""

from __future__ import annotations

import html
import re

from flask.testing import FlaskClient

from tests.webapp.pages.deal.test_pages import edit, start

NOTE = re.compile(r'<details class="note danger-told">(.*?)</details>', re.DOTALL)


def notes(client: FlaskClient, page: str) -> list[str]:
    told = NOTE.findall(client.get(page).text)
    plain = re.sub(r'<img[^>]* alt="([^"]*)"[^>]*>', r"\1", html.unescape(" ".join(told)))
    return [re.sub(r"\s+", " ", re.sub("<[^>]+>", "", plain))] if told else []


def show_dragons(client: FlaskClient) -> str:
    deal = start(client)
    edit(client, deal, "S", action="add", mode="pung", label="5z")
    edit(client, deal, "S", action="add", mode="pung", label="6z")
    return deal


def test_a_danger_position_is_shown_at_the_table_and_with_the_sets(client: FlaskClient) -> None:
    deal = start(client)
    edit(client, deal, "S", action="add", mode="pung", label="5z")
    edit(client, deal, "S", action="add", mode="concealed_kong", label="6z")
    assert notes(client, deal) == []
    deal = show_dragons(client)
    for page in (deal, f"{deal}/players/S"):
        (told,) = notes(client, page)
        assert "Two sets of dragons are shown. Nobody may discard: Red dragon" in told
        assert "pays the others back what they paid the winner" in told
        assert "U3A course, sheet 30, point 5: Penalties" in told
    assert notes(client, f"{deal}/players/W") == []
    told = client.get(deal, headers={"Accept-Language": "zh-CN"}).text
    assert "亮出两副箭牌" in told


def test_a_win_by_such_a_discard_leads_to_the_faults(client: FlaskClient) -> None:
    deal = show_dragons(client)
    for label in ("7z", "7z", "7z", "1m", "1m", "1m", "2p", "2p"):
        edit(client, deal, "S", action="add", label=label)
    asked = {"winner": "S", "asked": "S", "tile": "7z"}
    for answers in ({}, {"source": "wall"}):
        client.post(f"{deal}/win", data={**asked, **answers})
        assert "has won on one of these tiles" not in client.get(deal).text
    client.post(f"{deal}/win", data={**asked, "source": "discard", "from": "N"})
    assert "South has won on one of these tiles" in client.get(deal).text
    client.post(f"{deal}/penalties", data={"kind": "cannon", "offender": "N"})
    assert "has won on one of these tiles" not in client.get(deal).text
    client.post(f"{deal}/win", data={"winner": "nobody"})
    assert notes(client, deal) == []


def test_rules_without_such_a_penalty_know_no_danger(client: FlaskClient) -> None:
    deal = show_dragons(client)
    client.post(f"{deal}/win", data={"ruleset": "western", "round_wind": "E"})
    assert notes(client, deal) == []


def test_a_wrong_number_of_tiles_tells_what_is_left_to_do(client: FlaskClient) -> None:
    deal = show_dragons(client)
    page = client.get(f"{deal}/players/S").text
    assert "No tile may be taken to put it right." in page
    for label in ("7z", "7z", "7z", "1m", "1m", "1m", "2p", "2p", "3p"):
        edit(client, deal, "S", action="add", label=label)
    page = client.get(f"{deal}/players/S").text
    assert "No tile may be discarded to put it right." in page
    assert "U3A course, sheet 30, point 1: Penalties" in page
    client.post(f"{deal}/win", data={"ruleset": "ming-1876", "round_wind": "E"})
    told = client.get(f"{deal}/players/S").text
    assert "discards without drawing, turn by turn, until thirteen are left" in told
