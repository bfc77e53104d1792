"""Totals and payments that are typed: nothing is entered by being left blank or misread."""

from __future__ import annotations

import html
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.conftest import services_of
from tests.webapp.pages.table.test_games import game_of, open_table, totals, words

BLANK = {f"total_{seat}": "" for seat in "ESWN"}


def fields(page: str) -> dict[str, str]:
    """What the fields of the totals' or payments' form hold."""
    inputs = re.findall(r'name="(\w+)"[^>]*value="([^"]*)"', page)
    found = {name: html.unescape(value) for name, value in inputs}
    found |= dict(re.findall(r'name="(winner)"[^>]*value="(\w+)" checked', page))
    selects = re.findall(r'<select name="(\w+)">(.*?)</select>', page, re.DOTALL)
    for name, options in selects:
        chosen = re.search(r'<option (?:value="(\w*)" )?selected>([^<]*)', options)
        if chosen is not None:
            found.setdefault(name, chosen[1] or chosen[2])
    return found


@pytest.mark.parametrize(
    ("told", "missing"),
    [
        ({"total_E": "30", "total_W": "8", "total_N": "16"}, "Bob"),
        ({"total_S": "100"}, "Ann and Cat and Dee"),
    ],
)
def test_a_blank_total_is_asked_for(
    app: Flask, client: FlaskClient, told: dict[str, str], missing: str
) -> None:
    table = open_table(client)
    form = BLANK | told | {"winner": "S", "source": "wall"}
    answer = client.post(f"{table}/hands/1/totals", data=form)
    assert answer.status_code == 400
    assert f"The total for {missing} is missing" in words(answer)
    assert game_of(app, table).game.hands == ()


def test_nobody_need_count_in_a_drawn_hand(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    client.post(f"{table}/hands/1/totals", data=BLANK | {"winner": "nobody"})
    assert [state.winner for state in game_of(app, table).game.hands] == [None]


def test_where_a_drawn_hand_is_settled_everybody_counts(app: Flask, client: FlaskClient) -> None:
    table = open_table(client, ruleset="ming-1876")
    answer = client.post(f"{table}/hands/1/totals", data=BLANK | {"winner": "nobody"})
    assert "is missing" in words(answer)
    assert game_of(app, table).game.hands == ()


def test_totals_are_read_for_what_they_are(client: FlaskClient) -> None:
    table = open_table(client)
    for wrong in ("12,5", "12.5", "1,0", "1 2"):
        form = {"total_E": wrong, "total_S": "128", "total_W": "0", "total_N": "0"}
        answer = client.post(f"{table}/hands/1/totals", data=form | {"winner": "S"})
        assert f"not “{wrong}”" in words(answer)
    wide = "\N{FULLWIDTH DIGIT EIGHT}"
    form = {"total_E": "0", "total_S": "128", "total_W": wide, "total_N": "1,000"}
    client.post(f"{table}/hands/1/totals", data=form | {"winner": "S", "source": "wall"})
    page = words(client.get(f"{table}/hands/1"))
    assert "Cat counted 8" in page
    assert "Dee counted 1,000" in page


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ((0, 99_998, 0, 0), "Really 99,998 for Bob? Totals above 1,000 are very rare."),
        ((0, 8, 0, 0), "Really 8 for Bob? Going out already scores 20."),
        ((0, 100, 2000, 0), "Really 2,000 for Cat?"),
    ],
)
def test_an_unlikely_total_is_asked_about_once(
    app: Flask, client: FlaskClient, told: tuple[int, ...], question: str
) -> None:
    table = open_table(client)
    asked = totals(client, table, 1, "S", *told)
    assert question in words(asked)
    assert game_of(app, table).game.hands == ()
    sure = fields(asked.text)["sure"]
    totals(client, table, 1, "S", 0, 88_888, 0, 0, sure=sure)
    assert game_of(app, table).game.hands == (), "another number is asked about again"
    totals(client, table, 1, "S", *told, sure=sure)
    assert len(game_of(app, table).game.hands) == 1


@pytest.mark.parametrize(
    ("paid", "told"),
    [
        ({"from_0": "Bob", "to_0": "Ann"}, "Payment 1 has no points"),
        ({"from_0": "Bob", "to_0": "Ann", "amount_0": "12,5"}, "not “12,5”"),
        ({}, "No payment was entered. Enter who pays Ann, and how much."),
        ({"from_0": "Bob", "to_0": "Ann", "amount_0": "99,999"}, "Really 99,999 from Bob to Ann?"),
    ],
)
def test_a_payment_is_complete_and_likely(
    app: Flask, client: FlaskClient, paid: dict[str, str], told: str
) -> None:
    table = open_table(client)
    answer = client.post(f"{table}/hands/1/payments", data={"winner": "Ann", **paid})
    assert answer.status_code == 400
    assert told in words(answer)
    assert game_of(app, table).game.hands == ()
    if "sure" in fields(answer.text):
        sure = fields(answer.text)["sure"]
        client.post(f"{table}/hands/1/payments", data={"winner": "Ann", "sure": sure, **paid})
        assert game_of(app, table).game.totals["Ann"] == 99_999


def test_a_total_without_tiles_is_asked_about_once_too(app: Flask, client: FlaskClient) -> None:
    deal = client.post("/deals", data={"name_S": "Bob"}).headers["Location"]
    form = {"action": "about", "name": "Bob", "status": "live", "claimed": "99,999"}
    back = client.post(f"{deal}/players/S/edit", data=form).headers["Location"]
    page = client.get(back)
    assert "Really 99,999 for Bob" in words(page)
    store = services_of(app).store
    asked = store.deal(deal.rsplit("/", 1)[1])
    assert asked is not None
    assert asked.state.player("S").claimed is None
    sure = re.search(r'name="sure" value="([^"]+)"', page.text)
    assert sure is not None
    client.post(f"{deal}/players/S/edit", data=form | {"sure": sure[1]})
    kept = store.deal(deal.rsplit("/", 1)[1])
    assert kept is not None
    assert kept.state.player("S").claimed == 99_999


def test_a_fault_in_a_drawn_hand_is_paid_for(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    fault = {"winner": "nobody", "fault": "false_win", "offender": "W"}
    client.post(f"{table}/hands/1/totals", data=BLANK | fault)
    assert game_of(app, table).game.totals == {"Ann": 500, "Bob": 500, "Cat": -1500, "Dee": 500}
    form = fields(client.get(f"{table}/hands/1/totals").text)
    blank = [form.get(key, "") for key in BLANK]
    assert blank == [""] * 4, "what was not counted is not filled in as 0"


def test_a_correction_is_filled_in_and_tells_the_counts(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    fault = {"fault": "false_win", "offender": "N"}
    totals(client, table, 1, "S", 20, 128, 8, 16, **fault)
    before = game_of(app, table).game
    form = fields(client.get(f"{table}/hands/1/totals").text)
    counts = {key: form[key] for key in BLANK}
    assert counts == {"total_E": "20", "total_S": "128", "total_W": "8", "total_N": "16"}
    assert (form["winner"], form["source"]) == ("S", "wall")
    assert (form["fault"], form["offender"]) == ("false_win", "N")
    check = client.post(f"{table}/hands/1/totals", data=form | {"total_W": "10"})
    page = words(client.get(check.headers["Location"]))
    assert "Hand 1: Cat counted 10, not 8." in page
    assert "Hand 1: Cat gets" in page
    assert "Hand 1: Dee counted" not in page
    deal = check.headers["Location"].rsplit("=", 1)[1]
    client.post(f"{table}/hands/1/keep", data={"deal": deal})
    after = game_of(app, table).game
    assert after.hands[0].hand.penalties == before.hands[0].hand.penalties  # type: ignore[union-attr]


def test_agreed_payments_are_filled_in_too(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    totals(client, table, 1, "S", 20, 128, 8, 16)
    before = game_of(app, table).game.hands[0]
    form = fields(client.get(f"{table}/hands/1/payments").text)
    assert form["winner"] == "Bob"
    assert len([key for key in form if key.startswith("amount_") and form[key]]) == 6
    check = client.post(f"{table}/hands/1/payments", data=form).headers["Location"]
    field = re.search(r'name="hand" value="([^"]+)"', client.get(check).text)
    assert field is not None
    client.post(f"{table}/hands/1/keep", data={"hand": html.unescape(field[1])})
    assert game_of(app, table).game.hands[0].gains == before.gains


def test_several_faults_of_a_hand_can_be_typed(client: FlaskClient) -> None:
    table = open_table(client)
    rows = {"fault": ["false_win", "false_win", ""], "offender": ["N", "W", "E"]}
    form = {"total_E": "0", "total_S": "128", "total_W": "0", "total_N": "0", "winner": "S"}
    sent = form | {"source": "wall", "victim": ["", "", ""]} | rows
    client.post(f"{table}/hands/1/totals", data=sent)
    page = client.get(f"{table}/hands/1/totals").text
    assert page.count('name="fault"') == 3, "both, and a row for another"
