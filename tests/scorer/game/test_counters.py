"""Counters, sticks and the dealer's office at a table whose hands leave something behind."""

from __future__ import annotations

from typing import Any

import pytest

from scorer import GameError, parse_game
from scorer.game.corrections import correct
from scorer.game.game import Game, replay, with_sticks_left
from scorer.game.scoresheet import player_sheets, table_sheet
from scorer.text.game_json import parse_hand
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


def false_win(offender: str, **told: dict[str, Any]) -> dict[str, Any]:
    penalties = [{"kind": "false_win", "offender": offender}]
    return {"deal": {**drawn(**told)["deal"], "penalties": penalties}}


def aborted(**told: dict[str, Any]) -> dict[str, Any]:
    return {"deal": {**drawn(**told)["deal"], "aborted": True}}


def test_after_an_abortive_draw_nobody_pays_and_the_dealer_stays() -> None:
    game = played(aborted(S={"fishing": True}, W={"riichi": True}))
    now = game.next
    assert now is not None
    assert (now.seats["E"], now.honba, now.sticks) == ("Ann", 1, 1)
    assert game.totals == {"Ann": 25000, "Bob": 25000, "Cat": 24000, "Dee": 25000}


@pytest.mark.parametrize(
    ("ruleset", "told"), [("riichi", {"changes": {"abortive": False}}), ("hong-kong", {})]
)
def test_rules_without_abortive_draws_refuse_one(ruleset: str, told: dict[str, Any]) -> None:
    game = {"ruleset": ruleset, "players": NAMES, "hands": [aborted()], **told}
    with pytest.raises(GameError) as caught:
        parse_game(game, reseat=True)
    assert (caught.value.field, caught.value.words.id) == ("aborted", "not_broken_off")


def test_a_hand_that_was_won_is_no_abortive_draw() -> None:
    hand = won("W", "N", 1000)
    hand["deal"]["aborted"] = True
    with pytest.raises(GameError) as caught:
        played(hand)
    assert (caught.value.field, caught.value.words.id) == ("aborted", "not_broken_off")


@pytest.mark.parametrize(
    ("offender", "gains"),
    [
        ("S", {"Ann": 4000, "Bob": -8000, "Cat": 2000, "Dee": 2000}),
        ("E", {"Ann": -12000, "Bob": 4000, "Cat": 4000, "Dee": 4000}),
    ],
)
def test_after_a_false_win_the_hand_is_played_again(offender: str, gains: dict[str, int]) -> None:
    game = played(false_win(offender, W={"riichi": True, "fishing": True}))
    now = game.next
    assert now is not None
    assert (now.number, now.seats["E"], now.honba, now.sticks) == (2, "Ann", 0, 0)
    assert game.hands[0].gains == gains


def _last_hand(**changes: Any) -> Game:
    """A game of one round whose last hand leaves two sticks on the table."""
    hands = [won("W", "N", 1000), *[drawn()] * 2, drawn(S={"riichi": True}, W={"riichi": True})]
    game = {"ruleset": "riichi", "players": NAMES, "hands": hands, "rounds": 1}
    return parse_game({**game, "changes": changes}, reseat=True)


def test_the_first_player_takes_the_sticks_left_at_the_end() -> None:
    game = _last_hand()
    assert game.next is None
    assert game.ended == "rounds"
    assert game.left == ("Cat", 2000)
    assert game.hands[-1].gains == {"Ann": -1000, "Bob": -1000, "Cat": 2000, "Dee": 0}
    assert game.totals == game.hands[-1].totals
    assert sum(game.totals.values()) == 100_000
    assert game.to_json()["left"] == {"Cat": 2000}
    sheet = table_sheet(game)
    assert sheet.start_points == 25_000
    assert sum(sheet.gains.values()) == 0
    assert player_sheets(game, "Cat")[-1].carried_forward == game.totals["Cat"]


def test_a_correction_tells_who_takes_other_sticks_left() -> None:
    game = _last_hand()
    before = replay(game.setup, game.played[:1])
    change = correct(game, 2, parse_hand(drawn(N={"riichi": True}), 2, before))
    assert change.game.left == ("Cat", 3000)
    told = [(it.player, it.was, it.now) for it in change.changes[-1].differences]
    assert ("Cat", "2000", "3000") in told


def test_sticks_are_given_away_where_the_players_end_the_game() -> None:
    game = with_sticks_left(played(drawn(S={"riichi": True, "fishing": True})))
    assert game.left == ("Bob", 1000)
    assert with_sticks_left(game) is game
    assert sum(game.totals.values()) == 100_000
    assert with_sticks_left(played()).left is None
    again = false_win("E", W={"riichi": True})
    game = with_sticks_left(played(aborted(S={"riichi": True}), again))
    assert game.left == ("Cat", 1000)


def test_sticks_that_go_to_nobody_are_left() -> None:
    game = _last_hand(sticks_left="nobody")
    assert game.left is None
    assert sum(game.totals.values()) == 98_000


def test_a_game_that_goes_on_keeps_its_sticks() -> None:
    game = played(drawn(S={"riichi": True}))
    assert game.left is None
    assert sum(game.totals.values()) == 99_000
