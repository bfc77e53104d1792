"""Riichi sticks left when a game is over: among the gains wherever they are added up."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from typing import Any

import openpyxl
import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.pages.deal.test_fan_rules import drawn, next_hand
from tests.webapp.pages.table.test_games import game_of, open_table, words
from tests.webapp.pages.table.test_places import board
from webapp.pages.evening.evenings import results


def play(client: FlaskClient, table: str, declared: str | None = None) -> None:
    """Play a hand that nobody wins, in which this wind may have laid down a stick."""
    deal = next_hand(client, table)
    drawn(client, deal, declared=declared or [])
    client.post(f"{table}/take", data={"deal": deal.rsplit("/", 1)[1]})


def at_its_end(client: FlaskClient) -> str:
    table = open_table(client, ruleset="riichi", rounds="1")
    for declared in (None, None, None, "S"):
        play(client, table, declared)
    return table


def ended_by_players(client: FlaskClient) -> str:
    table = open_table(client, ruleset="riichi")
    play(client, table, "S")
    client.post(f"{table}/close", data={"closed": "yes"})
    return table


def with_the_first_sitting_out(client: FlaskClient) -> str:
    table = open_table(client, ruleset="riichi", waiting="Eve")
    for declared in (None, "S"):
        play(client, table, declared)
    client.post(f"{table}/close", data={"closed": "yes"})
    return table


@pytest.mark.parametrize("play_to_the_end", [at_its_end, ended_by_players])
def test_the_sticks_left_go_to_the_first_player(client: FlaskClient, play_to_the_end: Any) -> None:
    page = words(client.get(play_to_the_end(client)))
    assert "takes the sticks left on the table: +1,000." in page


@pytest.mark.parametrize(
    "play_to_the_end", [at_its_end, ended_by_players, with_the_first_sitting_out]
)
def test_sticks_left_are_in_every_sum(
    app: Flask, client: FlaskClient, play_to_the_end: Any
) -> None:
    table = play_to_the_end(client)
    stored = game_of(app, table)
    gains = {name: total - 25_000 for name, total in stored.game.totals.items()}
    assert sorted(gains.values())[:1] == [-1000]
    assert sum(gains.values()) == 0
    assert {name: total for name, (_, total) in board(app).items()} == gains
    assert {name: gain for name, gain, _ in results([stored])} == gains
    file = client.get(f"{table}/table.csv").data.decode("utf-8-sig")
    told: Counter[str] = Counter()
    for row in csv.DictReader(io.StringIO(file)):
        told[row["Player"]] += int(row["Gain"])
    assert dict(told) == gains
    workbook = openpyxl.load_workbook(io.BytesIO(client.get(f"{table}/table.xlsx").data))
    sheet = list(workbook.worksheets[0].values)
    for column, name in list(enumerate(sheet[0]))[4:-1]:
        moved = [int(str(row[column] or 0)) for row in sheet[2:-2]]
        assert sum(moved) == gains[str(name)]
    assert client.get(f"{table}/table.pdf").status_code == 200
    assert "takes the sticks left on the table" in words(client.get(f"{table}/sheets"))
    last = len(stored.game.hands)
    assert "takes the sticks left on the table" in words(client.get(f"{table}/hands/{last}"))


def test_a_game_that_goes_on_has_its_sticks_on_the_table_again(
    app: Flask, client: FlaskClient
) -> None:
    table = ended_by_players(client)
    client.post(f"{table}/close", data={"closed": "no"})
    game = game_of(app, table).game
    assert game.next is not None
    assert game.next.sticks == 1
    assert sum(game.totals.values()) == 99_000


def test_a_correction_in_a_game_that_was_ended_compares_like_with_like(
    client: FlaskClient,
) -> None:
    table = ended_by_players(client)
    hand = json.dumps({"payments": [], "winner": "Dee"})
    page = words(client.get(f"{table}/hands/1/check", query_string={"hand": hand}))
    assert (
        "Hand 1: won by Dee, not drawn. Hand 1: Bob gets 0, not \N{MINUS SIGN}1,000. Totals" in page
    )
    assert "Ann 26,000 25,000 Bob 24,000 25,000" in page
