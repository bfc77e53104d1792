"""Tables that count fan: what they are asked, what a hand comes to, and how the game goes on."""

from __future__ import annotations

from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.pages.deal.test_pages import edit
from tests.webapp.pages.table.test_games import game_of, open_table, words

BRITISH = ("goulash", "fishing", "doubled", "double ", "limit", "penalt")
"""Words of British rules, none of which belongs on a page of another table."""


def next_hand(client: FlaskClient, table: str) -> str:
    return str(client.post(f"{table}/next").headers["Location"])


def told(client: FlaskClient, deal: str, winner: str, **facts: Any) -> Any:
    """Say who won, then how; the form is sent twice, as people answer it."""
    client.post(f"{deal}/win", data={"winner": winner})
    form = {"winner": winner, "asked": winner, **facts}
    return client.post(f"{deal}/win", data=form | {"then": "score"}, follow_redirects=True)


def test_a_table_in_hong_kong_from_tiles_to_payments(app: Flask, client: FlaskClient) -> None:
    table = open_table(client, ruleset="hong-kong")
    deal = next_hand(client, table)
    first = words(client.get(deal))
    assert "photograph them, or tap them in" in first
    edit(client, deal, "S", action="type", codes="123456m555z22999m")
    page = words(client.get(deal))
    assert "Who won, and how?" in page
    score = told(client, deal, "S", tile="2m", source="discard", **{"from": "E"})
    page = words(score)
    assert "Ann pays Bob 64" in page
    assert "6 faan" in page
    for shown in (first, page, words(client.get(f"{deal}/win"))):
        assert not [word for word in BRITISH if word in shown.lower()], shown
    assert "faan" in page
    client.post(f"{table}/take", data={"deal": deal.rsplit("/", 1)[1]})
    position = game_of(app, table).game.next
    assert position is not None
    assert position.seats[position.dealer] == "Bob"


def test_too_few_faan_are_refused_in_words(client: FlaskClient) -> None:
    deal = next_hand(client, open_table(client, ruleset="hong-kong"))
    edit(client, deal, "S", action="type", codes="234m345p678s22255p")
    page = words(told(client, deal, "S", tile="5p", source="discard", **{"from": "N"}))
    assert "3 faan are needed to go out" in page
