"""Score sheets: the template's columns and closing rows, and sums that agree with the game."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.deal import Win
from scorer.errors import GameError
from scorer.game.game import Game, new_game, record, replay
from scorer.game.hands import Agreed, Transfer
from scorer.game.scoresheet import Columns, PlayerSheet, player_sheets, table_sheet
from scorer.game.setup import GameSetup
from tests.scorer.game.games import (
    THREE,
    Step,
    claims,
    play,
    play_steps,
    setup,
    setups,
    started,
    steps,
)


def _evening() -> Game:
    """Bob wins as South, then Ann and Bob agree on a payment, then Dee wins from East Bob."""
    game = record(started(), claims(started(), "Bob", Ann=0, Bob=100, Cat=10, Dee=0))
    game = record(game, Agreed(None, (Transfer("Bob", "Ann", 50),)))
    return record(game, claims(game, "Dee", Ann=8, Bob=0, Cat=8, Dee=30))


def test_a_players_sheet_as_it_is_written_on_paper() -> None:
    (sheet,) = player_sheets(_evening(), "Bob")
    assert (sheet.player, sheet.round, sheet.round_wind) == ("Bob", 1, "E")
    written = [
        (row.number, row.wind, dict(row.opponents), row.result, row.note) for row in sheet.rows
    ]
    none = Columns(0, 0)
    assert written == [
        (
            1,
            "S",
            {"Cat": Columns(100, 0), "Dee": Columns(100, 0), "Ann": Columns(200, 0)},
            Columns(400, 0),
            (),
        ),
        (
            2,
            "E",
            {"Cat": none, "Dee": none, "Ann": Columns(0, 50)},
            Columns(0, 50),
            ("drawn", "agreed"),
        ),
        (
            3,
            "E",
            {"Cat": Columns(0, 16), "Dee": Columns(0, 60), "Ann": Columns(0, 16)},
            Columns(0, 92),
            ("goulash",),
        ),
    ]
    assert list(sheet.rows[0].opponents) == ["Cat", "Dee", "Ann"]
    closing = sheet.to_json()
    assert closing["totals"] == {
        "opponents": {
            "Cat": {"receive": 100, "pay": 16},
            "Dee": {"receive": 100, "pay": 60},
            "Ann": {"receive": 200, "pay": 66},
        },
        "win": 400,
        "lose": 142,
    }
    assert closing["subtract"] == {
        "opponents": {"Cat": 16, "Dee": 60, "Ann": 66},
        "result": 142,
    }
    assert closing["final_totals"] == {
        "opponents": {
            "Cat": {"receive": 84, "pay": 0},
            "Dee": {"receive": 40, "pay": 0},
            "Ann": {"receive": 134, "pay": 0},
        },
        "win": 258,
        "lose": 0,
    }
    assert closing["rows"][1] == {
        "wind": "E",
        "number": 2,
        "opponents": {
            "Cat": {"receive": 0, "pay": 0},
            "Dee": {"receive": 0, "pay": 0},
            "Ann": {"receive": 0, "pay": 50},
        },
        "win": 0,
        "lose": 50,
        "note": ["drawn", "agreed"],
    }
    assert (closing["brought_forward"], closing["carried_forward"]) == (0, 258)
    assert (closing["player"], closing["round"], closing["round_wind"]) == ("Bob", 1, "E")


def test_both_columns_of_one_hand_may_be_filled() -> None:
    """Opposite payments are not netted by the settlement, so the sheet shows both."""
    both = (Transfer("Ann", "Bob", 100), Transfer("Bob", "Ann", 30), Transfer("Bob", "Ann", 5))
    (sheet,) = player_sheets(record(started(), Agreed("Bob", both)), "Ann")
    assert sheet.rows[0].opponents["Bob"] == Columns(35, 100)
    assert sheet.rows[0].result == Columns(0, 65)
    assert sheet.totals["Bob"].final == Columns(0, 65)


def test_each_round_has_its_own_sheet_and_carries_the_points_on() -> None:
    game = play(started(), "BCDA" + "BC")
    east, south = player_sheets(game, "Cat")
    assert [(sheet.round, sheet.round_wind, len(sheet.rows)) for sheet in (east, south)] == [
        (1, "E", 4),
        (2, "S", 2),
    ]
    assert [row.number for row in south.rows] == [5, 6]
    assert east.brought_forward == 0
    assert south.brought_forward == east.carried_forward == east.result.balance
    assert south.carried_forward == game.totals["Cat"]


def test_three_players_have_two_opponents() -> None:
    game = play(started(players=THREE), "B")
    (sheet,) = player_sheets(game, "Dee")
    assert list(sheet.totals) == ["Ann", "Bob"]


def test_sheets_before_the_first_hand_and_of_strangers() -> None:
    assert player_sheets(started(), "Ann") == ()
    with pytest.raises(GameError, match="'Eve' is not playing; the players are Ann, Bob") as caught:
        player_sheets(started(), "Eve")
    assert caught.value.field == "player"


def test_a_hand_that_cannot_stand_is_marked() -> None:
    game = play(started(), "A")
    dealt = replace(claims(game, "Ann", Ann=100), win=Win("E", None, "dealt"))
    (sheet,) = player_sheets(replay(setup(), [Agreed("Bob"), dealt]), "Ann")
    assert [row.note for row in sheet.rows] == [(), ("unscored",)]
    assert sheet.rows[1].result == Columns(0, 0)


def test_the_secretarys_sheet() -> None:
    game = _evening()
    sheet = table_sheet(game)
    assert sheet.players == ("Ann", "Bob", "Cat", "Dee")
    assert sheet.start_points == 0
    assert sheet.gains == sheet.totals == game.totals
    value = sheet.to_json()
    assert {key: value[key] for key in value if key != "rows"} == {
        "players": ["Ann", "Bob", "Cat", "Dee"],
        "start_points": 0,
        "gains": dict(game.totals),
        "totals": dict(game.totals),
    }
    assert value["rows"][2] == {
        "number": 3,
        "round_wind": "E",
        "dealer": "Bob",
        "winds": {"Ann": "N", "Bob": "E", "Cat": "S", "Dee": "W"},
        "winner": "Dee",
        "gains": {"Ann": -14, "Bob": -92, "Cat": -14, "Dee": 120},
        "totals": dict(game.totals),
        "note": ["goulash"],
    }


@given(setups(), st.lists(steps, min_size=1, max_size=24))
@settings(max_examples=60, deadline=None)
def test_the_sums_agree(given_setup: GameSetup, played: list[Step]) -> None:
    game = play_steps(new_game(given_setup), played)
    table = table_sheet(game)
    for row in table.rows:
        assert sum(row.gains.values()) == 0
    assert table.totals == game.totals
    sheets = {name: player_sheets(game, name) for name in given_setup.names}
    for name, rounds in sheets.items():
        assert rounds[0].brought_forward == table.start_points
        assert rounds[-1].carried_forward == game.totals[name]
        rows = [row for sheet in rounds for row in sheet.rows]
        assert [row.number for row in rows] == [row.number for row in table.rows]
        for row, one in zip(table.rows, rows, strict=True):
            assert one.result.balance == row.gains[name]
            assert one.wind == row.winds[name]
            assert one.result.balance == sum(item.balance for item in one.opponents.values())
        for sheet in rounds:
            final = sum(columns.final.balance for columns in sheet.totals.values())
            assert final == sheet.result.final.balance
            assert sheet.carried_forward == sheet.brought_forward + final
            assert all(0 in (c.final.plus, c.final.minus) for c in sheet.totals.values())
        for sheet, following in pairwise(rounds):
            assert following.brought_forward == sheet.carried_forward
    _check_opponents_agree(sheets)


def _check_opponents_agree(sheets: dict[str, tuple[PlayerSheet, ...]]) -> None:
    """What one player received is what the other one paid."""
    for one, other in ((a, b) for a in sheets for b in sheets if a < b):
        for mine, theirs in zip(sheets[one], sheets[other], strict=True):
            for row, same in zip(mine.rows, theirs.rows, strict=True):
                seen = same.opponents[one]
                assert row.opponents[other] == Columns(seen.minus, seen.plus)
