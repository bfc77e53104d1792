"""Counters, sticks and the dealer's office at a table whose hands leave something behind."""

from __future__ import annotations

from typing import Any

import pytest

from scorer import GameError, parse_game
from scorer.game.game import Game
from tests.scorer.builders import claimed

NAMES = {"E": "Ann", "S": "Bob", "W": "Cat", "N": "Dee"}


def players(**told: dict[str, Any]) -> list[dict[str, Any]]:
    return [claimed(seat) | told.get(seat, {}) for seat in "ESWN"]


def drawn(**told: dict[str, Any]) -> dict[str, Any]:
    return {"deal": {"players": players(**told), "win": None}}


def won(seat: str, giver: str, base: int, *also: str, **told: dict[str, Any]) -> dict[str, Any]:
    own = {who: {"claimed": base, **told.get(who, {})} for who in (seat, *also)}
    wins = [{"seat": who, "source": "discard", "from": giver} for who in (seat, *also)]
    return {"deal": {"players": players(**(told | own)), "wins": wins}}


def played(*hands: dict[str, Any]) -> Game:
    game = {"ruleset": "riichi", "players": NAMES, "hands": list(hands)}
    return parse_game(game, reseat=True)


def test_the_dealer_stays_when_ready_and_a_counter_is_added() -> None:
    game = played(drawn(E={"fishing": True}))
    now = game.next
    assert now is not None
    assert (now.seats["E"], now.honba, now.sticks) == ("Ann", 1, 0)
    assert game.totals == {"Ann": 28000, "Bob": 24000, "Cat": 24000, "Dee": 24000}


def test_a_dealer_who_is_not_ready_goes_and_the_counter_comes_all_the_same() -> None:
    now = played(drawn(S={"fishing": True})).next
    assert now is not None
    assert (now.seats["E"], now.honba) == ("Bob", 1)


def test_sticks_lie_until_somebody_wins_who_is_paid_for_the_counters_too() -> None:
    game = played(
        drawn(E={"fishing": True}, S={"fishing": True, "riichi": True}),
        won("W", "N", 1000),
    )
    before, after = game.hands[1].position, game.next
    assert (before.honba, before.sticks) == (1, 1)
    assert after is not None
    assert (after.seats["E"], after.honba, after.sticks) == ("Bob", 0, 0)
    assert game.hands[0].gains == {"Ann": 1500, "Bob": 500, "Cat": -1500, "Dee": -1500}
    assert game.hands[1].gains == {"Ann": 0, "Bob": 0, "Cat": 5300, "Dee": -4300}
    assert sum(game.totals.values()) == 100_000


def test_a_dealer_who_wins_second_stays_too() -> None:
    now = played(won("S", "N", 1000, "E")).next
    assert now is not None
    assert (now.seats["E"], now.honba, now.dealer_wins) == ("Ann", 1, 1)


def test_agreed_payments_take_the_sticks_from_the_table() -> None:
    agreed = {"winner": "Cat", "payments": [{"from": "Dee", "to": "Cat", "amount": 4300}]}
    game = played(drawn(S={"riichi": True, "fishing": True}), agreed)
    assert game.hands[1].gains["Cat"] == 5300
    assert sum(game.totals.values()) == 100_000


def test_what_lies_on_the_table_is_what_the_hands_before_left() -> None:
    hands = [drawn(E={"fishing": True}), drawn()]
    hands[1]["deal"]["honba"] = 3
    told = {"ruleset": "riichi", "players": NAMES, "hands": hands}
    with pytest.raises(GameError, match="1 lie on the table"):
        parse_game(told)
    moved = parse_game(told | {"hands": [hands[0], {"deal": hands[1]["deal"]}]}, reseat=True)
    assert [(it.field, it.was, it.now) for it in moved.hands[1].reseated] == [("honba", "3", "1")]


def test_a_drawn_hand_says_who_was_ready() -> None:
    with pytest.raises(GameError, match="after a drawn hand"):
        played({"drawn": True})
