"""Games as JSON: what may be left out, what is refused and where, and that nothing is lost."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.errors import GameError
from scorer.game.game import new_game
from scorer.game.hands import Agreed, Drawn, Transfer
from scorer.game.setup import GameSetup
from scorer.text.game_json import game_document, parse_game
from tests.scorer.builders import Json, claimed, win
from tests.scorer.game.games import FOUR, THREE, U3A, Step, play, play_steps, setups, started, steps


def deal(winner: str, seats: str = "ESWN", **more: Any) -> Json:
    players = [claimed(seat, 40 if seat == winner else 10) for seat in seats]
    return {"deal": {"players": players, "win": win(winner, "- wall"), **more}}


def game_of(*hands: Json, **more: Any) -> Json:
    return {"ruleset": U3A, "players": FOUR, "hands": list(hands), **more}


def test_a_game_is_read_with_everything_that_follows_left_out() -> None:
    agreed = {"winner": "Cat", "payments": [{"from": "Ann", "to": "Cat", "amount": 30}]}
    game = parse_game(game_of(deal("S"), {"drawn": True}, deal("E"), agreed))
    assert [state.winner for state in game.hands] == ["Bob", None, "Bob", "Cat"]
    assert [state.position.goulash for state in game.hands] == [False, False, True, False]
    assert game.played[1:2] == (Drawn(),)
    assert game.played[3] == Agreed("Cat", (Transfer("Ann", "Cat", 30),))
    assert game.next is not None
    assert game.next.seats["E"] == "Cat"


def test_a_setup_alone_is_a_game() -> None:
    game = parse_game({"ruleset": U3A, "players": THREE, "changes": {"limit": 500}, "rounds": 2})
    assert game == new_game(GameSetup(U3A, THREE, {"limit": 500}, 2))


@pytest.mark.parametrize(
    ("value", "hand", "player", "field", "words"),
    [
        (3, None, None, "game", "not 3"),
        ({"players": FOUR}, None, None, "ruleset", "Field required"),
        (game_of(score=1), None, None, "score", "Extra inputs"),
        (game_of() | {"players": ["Ann"]}, None, None, "players", "not ['Ann']"),
        (game_of() | {"players": {"E": 1}}, None, None, "players.E", "not 1"),
        (game_of(rounds=True), None, None, "rounds", "not True"),
        (game_of() | {"hands": [3]}, None, None, "hands.0", "not 3"),
        (game_of({"drawn": True}, {}), 2, None, "hand", 'needs "deal", or'),
        (game_of({"drawn": False}), 1, None, "drawn", "not False"),
        (game_of({"drawn": True, "winner": None}), 1, None, "winner", "Extra inputs"),
        (game_of({"winner": "Ann"}), 1, None, "payments", "Field required"),
        (game_of({"payments": []}), 1, None, "winner", "Field required"),
        (game_of({"winner": "Eve", "payments": []}), 1, None, "winner", "'Eve'"),
        (
            game_of({"winner": None, "payments": [{"from": "Ann", "to": "Bob", "amount": 1.5}]}),
            1,
            None,
            "payments.0.amount",
            "not 1.5",
        ),
        (
            game_of({"winner": None, "payments": [{"from": "Ann", "to": "Bob", "amount": 0}]}),
            1,
            None,
            "payments.0.amount",
            "greater than or equal to 1, not 0",
        ),
        (game_of({"deal": []}), 1, None, "deal", "not []"),
        (game_of(deal("S"), deal("S", seats="ESN")), 2, None, "players", "West Dee, North Ann"),
        (game_of(deal("S"), deal("S", bonus=[])), 2, None, "bonus", "unknown key"),
        (game_of(deal("S", round_wind="S")), 1, None, "round_wind", "set it to E"),
        (game_of(deal("X")), 1, None, "seat", "needs one of"),
    ],
)
def test_what_is_wrong_is_told_with_its_hand_and_field(
    value: object, hand: int | None, player: str | None, field: str, words: str
) -> None:
    with pytest.raises(GameError) as caught:
        parse_game(value)
    error = caught.value
    assert (error.hand, error.player) == (hand, player)
    assert error.field in (field, f"win.{field}")
    assert words in error.message
    assert "\n" not in str(error)


def test_a_fault_within_a_deal_names_the_player() -> None:
    value = deal("S")
    value["deal"]["players"][0] = {"seat": "E", "concealed": ["1m"]}
    with pytest.raises(GameError) as caught:
        parse_game(game_of(deal("S"), value))
    assert (caught.value.hand, caught.value.player) == (2, "Bob")
    assert caught.value.field == "concealed"


def test_deals_after_a_correction_are_re_seated_only_when_that_is_asked_for() -> None:
    document = game_document(play(started(), "AC"))
    document["hands"][0] = {"winner": "Bob", "payments": []}
    with pytest.raises(GameError, match=r"hand 2, .*name: is 'Ann', but East is 'Bob'"):
        parse_game(document)
    game = parse_game(document, reseat=True)
    assert [item.field for item in game.hands[1].reseated] == ["wind"] * 4
    assert game.hands[1].winner == "Cat"
    document["rounds"] = 1
    document["hands"] += [{"winner": name, "payments": []} for name in ("Dee", "Ann")]
    document["hands"].append(document["hands"][1])
    ended = parse_game(document, reseat=True)
    assert (len(ended.hands), len(ended.beyond)) == (4, 1)


@given(setups(), st.lists(steps, max_size=10))
@settings(max_examples=40, deadline=None)
def test_a_game_written_and_read_is_the_same(given_setup: GameSetup, played: list[Step]) -> None:
    game = play_steps(new_game(given_setup), played)
    document = json.loads(json.dumps(game_document(game)))
    assert parse_game(document) == game
    assert parse_game(document, reseat=True) == game
    assert json.loads(json.dumps(game.to_json()))["totals"] == game.totals


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 5) | st.text(max_size=3) | st.sampled_from("ESWN"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["deal", "drawn", "winner", "payments", "from", "to", "amount", "players", "win"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)


@given(st.lists(st.dictionaries(st.sampled_from(["deal", "drawn", "winner", "payments"]), _JSON)))
@settings(max_examples=100, deadline=None)
def test_any_json_gives_a_game_or_a_named_error(hands: list[Json]) -> None:
    for value in (game_of(*hands), {"ruleset": U3A, "players": hands}):
        with suppress(GameError):
            parse_game(value)
