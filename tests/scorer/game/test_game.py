"""The game around the hands: totals, the next hand's position, refusals, re-seated deals."""

from __future__ import annotations

import doctest
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scorer.game.game
from scorer.deal import Deal, Meld, Penalty, Player, Win
from scorer.errors import GameError
from scorer.evaluation.evaluate import score_deal
from scorer.game.game import Game, new_game, record, replay
from scorer.game.hands import Agreed, Drawn, Transfer
from scorer.game.reseat import Difference
from scorer.game.scoresheet import table_sheet
from scorer.game.setup import GameSetup
from scorer.rules.rulebook import load_ruleset
from scorer.tiles import parse_tiles
from tests.scorer.game.games import (
    FOUR,
    THREE,
    U3A,
    Step,
    claims,
    hand_for,
    play,
    play_steps,
    setup,
    setups,
    started,
    steps,
    unnamed,
)


def test_the_example_of_the_module() -> None:
    assert doctest.testmod(scorer.game.game).failed == 0
    assert doctest.testmod(scorer.game.game).attempted > 0


def test_a_game_before_its_first_hand() -> None:
    game = started()
    assert game.hands == ()
    assert game.totals == {"Ann": 0, "Bob": 0, "Cat": 0, "Dee": 0}
    assert game.next is not None
    assert game.next.to_json() == {
        "number": 1,
        "round": 1,
        "round_wind": "E",
        "seats": FOUR,
        "dealer": "E",
        "goulash": False,
        "dealer_wins": 0,
    }


def test_totals_follow_the_players_not_the_winds() -> None:
    game = started()
    first = claims(game, "Bob", Ann=0, Bob=100, Cat=10, Dee=0)
    game = record(game, first)
    assert game.hands[0].gains == {"Ann": -220, "Bob": 400, "Cat": -70, "Dee": -110}
    game = record(game, claims(game, "Bob", Ann=0, Bob=20, Cat=0, Dee=0))
    assert game.hands[1].position.seats == {"E": "Bob", "S": "Cat", "W": "Dee", "N": "Ann"}
    assert game.hands[1].gains == {"Ann": -40, "Bob": 120, "Cat": -40, "Dee": -40}
    assert game.totals == {"Ann": -260, "Bob": 520, "Cat": -110, "Dee": -150}
    assert game.hands[0].totals == game.hands[0].gains
    assert [state.winner for state in game.hands] == ["Bob", "Bob"]
    assert Transfer("Ann", "Bob", 200) in game.hands[0].transfers
    assert game.next is not None
    assert (game.next.seats["E"], game.next.dealer_wins) == ("Bob", 1)


def test_a_hand_broken_off_by_a_false_mah_jong_is_played_again_as_it_was() -> None:
    fine = (Penalty("false_win", "N"),)
    game = play(started(), "B-")
    for _ in range(2):
        broken = replace(claims(game, None), penalties=fine)
        before, game = game.next, record(game, broken)
        assert before is not None
        assert game.next == replace(before, number=before.number + 1)
        assert game.hands[-1].broken_off
        assert game.hands[-1].to_json()["broken_off"]
    assert table_sheet(game).rows[-1].note == ("broken_off", "goulash")


def test_a_club_may_take_a_hand_broken_off_as_drawn_and_a_win_after_a_fine_stays_one() -> None:
    fine = (Penalty("false_win", "N"),)
    drawn = started(changes={"false_win_again": False})
    drawn = record(drawn, replace(claims(drawn, None), penalties=fine))
    assert drawn.next is not None
    assert drawn.next.goulash
    won = started()
    won = record(won, replace(claims(won, "Bob"), penalties=fine))
    assert won.next is not None
    assert won.next.seats["E"] == "Bob"


def test_a_goulash_is_due_after_a_draw_until_one_is_won() -> None:
    game = play(started(), "--C")
    assert [state.position.goulash for state in game.hands] == [False, True, True]
    assert game.hands[0].gains == dict.fromkeys(game.totals, 0)
    assert game.next is not None
    assert not game.next.goulash
    game = record(game, Drawn())
    assert game.blank_deal().goulash


def test_the_next_deal_has_winds_names_round_and_rules_from_the_game() -> None:
    game = play(started(changes={"limit": 500}), "BCDA")
    blank = game.blank_deal()
    assert blank.to_json() | {"players": []} == {
        "ruleset": U3A,
        "changes": {"limit": 500},
        "round_wind": "S",
        "dealer": "E",
        "goulash": False,
        "players": [],
        "win": None,
        "penalties": [],
    }
    assert [(player.seat, player.name) for player in blank.players] == list(FOUR.items())


def test_agreed_payments_move_points_and_winds() -> None:
    paid = (Transfer("Ann", "Dee", 30), Transfer("Bob", "Dee", 10), Transfer("Bob", "Cat", 5))
    game = record(started(), Agreed("Dee", paid))
    assert game.totals == {"Ann": -30, "Bob": -15, "Cat": 5, "Dee": 40}
    assert game.next is not None
    assert game.next.seats["E"] == "Bob"
    drawn = record(game, Agreed(None, (Transfer("Ann", "Bob", 50),)))
    assert drawn.next is not None
    assert (drawn.next.seats["E"], drawn.next.goulash) == ("Bob", True)
    assert drawn.totals["Bob"] == 35


def test_the_game_is_over_after_the_last_round() -> None:
    game = play(started(rounds=1), "BCDA")
    assert (game.next, game.ended) == (None, "rounds")
    with pytest.raises(GameError, match="hand 5, hand: the game is over since hand 4"):
        record(game, Drawn())
    with pytest.raises(GameError, match="the game is over"):
        game.blank_deal()
    assert play(started(players=THREE), "BDA" * 4).ended == "rounds"
    assert play(started(), "BCDA" * 3).ended is None
    assert play(started(rounds=4), "BCDA" * 4).ended == "rounds"


def test_a_game_as_json() -> None:
    paid = (Transfer("Ann", "Bob", 30),)
    game = replay(setup(rounds=1), [Agreed("Bob", paid), Drawn(), claims(started(), "Cat")])
    value = game.to_json()
    first, second, third = value.pop("hands")
    assert value == {
        "ruleset": U3A,
        "changes": {},
        "rounds": 1,
        "players": FOUR,
        "beyond": [],
        "next": game.next.to_json() if game.next else None,
        "ended": None,
        "totals": dict(game.totals),
        "errors": [],
    }
    payment = {"from": "Ann", "to": "Bob", "amount": 30}
    gains = {"Ann": -30, "Bob": 30, "Cat": 0, "Dee": 0}
    assert first == {
        **game.hands[0].position.to_json(),
        "hand": {"winner": "Bob", "payments": [payment]},
        "winner": "Bob",
        "result": None,
        "payments": [payment],
        "gains": gains,
        "totals": gains,
        "reseated": [],
        "error": None,
    }
    assert second["hand"] == {"drawn": True}
    state = game.hands[2]
    assert isinstance(state.hand, Deal)
    assert state.result is not None
    assert third["hand"] == {"deal": state.hand.to_json()}
    assert third["result"] == state.result.to_json()
    assert third["reseated"] == [difference.to_json() for difference in state.reseated]
    assert third["reseated"][0] == {"field": "wind", "player": "Ann", "was": "E", "now": "N"}
    over = replay(
        setup(rounds=1), [*(Agreed(name) for name in ["Bob", "Cat", "Dee", "Ann"]), Drawn()]
    )
    assert (over.to_json()["next"], over.to_json()["ended"]) == (None, "rounds")
    assert over.to_json()["beyond"] == [{"drawn": True}]


BAD_SETUPS: list[tuple[dict[str, Any], str, str]] = [
    ({"ruleset": "nobody-s"}, "ruleset", "unknown ruleset"),
    ({"changes": {"limit": "high"}}, "changes", "limit needs a whole number"),
    ({"players": {"E": "Ann", "S": "Bob"}}, "players", "2 given; 3 or 4 can play"),
    ({"players": {"S": "Ann", "W": "Bob", "N": "Cat"}}, "players", "nobody is East"),
    ({"players": {**THREE, "X": "Eve"}}, "players", "unknown wind 'X'"),
    ({"players": {**FOUR, "W": "Ann"}}, "players", "two players are called 'Ann'"),
    ({"players": {**FOUR, "W": " "}}, "players", "' ' is not a name"),
    ({"players": {**FOUR, "W": "A\nB"}}, "players", "is not a name"),
    ({"rounds": 0}, "rounds", "needs a number from 1 to 4"),
    ({"rounds": 5}, "rounds", "needs a number from 1 to 4"),
]


@pytest.mark.parametrize(("parts", "field", "words"), BAD_SETUPS)
def test_setups_that_cannot_be(parts: dict[str, Any], field: str, words: str) -> None:
    with pytest.raises(GameError) as caught:
        new_game(GameSetup(**{"ruleset": U3A, "players": FOUR, **parts}))
    assert (caught.value.hand, caught.value.player, caught.value.field) == (None, None, field)
    assert words in caught.value.message
    assert str(caught.value).startswith(f"the game, {field}: ")


def _third(**changes: Any) -> tuple[Game, Deal]:
    """A game in which a goulash is due as hand 3, Bob being East, and a deal changed for it."""
    game = play(started(), "B-")
    return game, replace(claims(game, "Cat"), **changes)


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"ruleset": "western"}, "ruleset", "this game is played by bmja-u3a"),
        ({"changes": {"limit": 500}}, "changes", "Limit: 500, but this game is played with no"),
        ({"round_wind": "S"}, "round_wind", "is South, but it is East in this hand: set it to E"),
        ({"dealer": "S"}, "dealer", "is South, but it is East in this hand"),
        ({"goulash": False}, "goulash", "the hand before was drawn and a goulash is due"),
    ],
)
def test_a_deal_that_contradicts_the_game_is_refused(
    changes: dict[str, Any], field: str, words: str
) -> None:
    game, deal = _third(**changes)
    with pytest.raises(GameError) as caught:
        record(game, deal)
    assert (caught.value.hand, caught.value.player, caught.value.field) == (3, None, field)
    assert words in caught.value.message


def test_players_in_the_wrong_seats_are_refused() -> None:
    game, deal = _third()
    swapped = {"E": "Cat", "S": "Bob"}
    wrong = replace(
        deal,
        players=tuple(replace(p, name=swapped.get(p.seat, p.name)) for p in deal.players),
    )
    with pytest.raises(GameError) as caught:
        record(game, wrong)
    assert (caught.value.player, caught.value.field) == ("Bob", "name")
    assert caught.value.message == "is 'Cat', but East is 'Bob' in this hand"
    sitting = "in this hand they are East Bob, South Cat, West Dee, North Ann"
    with pytest.raises(GameError, match=sitting) as caught:
        record(game, replace(deal, players=deal.players[:3]))
    assert caught.value.field == "players"
    three = play(started(players=THREE), "B")
    wrong = replace(
        unnamed(claims(three, "Dee")),
        players=tuple(Player(seat, claimed=0) for seat in "ESN"),
        win=Win("S", None, "wall"),
    )
    with pytest.raises(GameError, match="East Bob, West Dee, North Ann"):
        record(three, wrong)


@pytest.mark.parametrize(
    ("played", "words"),
    [("", "the first hand of a game is never a goulash"), ("A", "does not lead to a goulash")],
)
def test_a_goulash_that_is_not_due_is_refused(played: str, words: str) -> None:
    game = play(started(), played)
    with pytest.raises(GameError, match=words) as caught:
        record(game, replace(claims(game, "Bob"), goulash=True))
    assert caught.value.field == "goulash"


def test_names_may_be_left_out() -> None:
    game, deal = _third()
    assert record(game, unnamed(deal)) == record(game, deal)


def test_a_deal_that_cannot_be_scored_is_refused_with_the_players_name() -> None:
    game, deal = _third()
    players = tuple(
        replace(player, claimed=None, concealed=("1m",)) if player.seat == "S" else player
        for player in deal.players
    )
    with pytest.raises(GameError) as caught:
        record(game, replace(deal, players=players, win=Win("W", None, "wall")))
    assert caught.value.to_json() == {
        "hand": 3,
        "player": "Cat",
        "field": "concealed",
        "message": caught.value.message,
    }
    assert "1 tile, " in caught.value.message
    assert str(caught.value).startswith("hand 3, Cat, concealed: ")


BAD_AGREED: list[tuple[Agreed, str | None, str, str]] = [
    (Agreed("Eve"), None, "winner", "'Eve' is not playing here"),
    (Agreed("Ann", (Transfer("Eve", "Ann", 1),)), None, "payments.from", "'Eve'"),
    (Agreed("Ann", (Transfer("Bob", "E", 1),)), None, "payments.to", "'E' is not"),
    (Agreed("Ann", (Transfer("Bob", "Bob", 1),)), "Bob", "payments.to", "name two"),
    (Agreed("Ann", (Transfer("Bob", "Ann", 0),)), "Bob", "payments.amount", "not 0"),
    (Agreed("Ann", (Transfer("Bob", "Ann", -5),)), "Bob", "payments.amount", "not -5"),
]


@pytest.mark.parametrize(("hand", "player", "field", "words"), BAD_AGREED)
def test_agreed_payments_that_cannot_be(
    hand: Agreed, player: str | None, field: str, words: str
) -> None:
    with pytest.raises(GameError) as caught:
        replay(setup(), [Drawn(), hand])
    assert (caught.value.hand, caught.value.player, caught.value.field) == (2, player, field)
    assert words in caught.value.message


def _shown_win(game: Game, winner: str, giver: str | None = None) -> Deal:
    """The winner shows pungs of East winds, with season 1; the others claim nothing."""
    blank = game.blank_deal()
    seats = {str(player.name): player.seat for player in blank.players}
    players = tuple(
        replace(
            player,
            concealed=tuple(parse_tiles("222m444p66688s")),
            melds=(Meld("pung", ("1z",) * 3),),
            bonus=("1y",),
        )
        if player.name == winner
        else replace(player, claimed=0)
        for player in blank.players
    )
    win = Win(seats[winner], "8s", "wall")
    if giver is not None:
        win = Win(seats[winner], "8s", "discard", seats[giver])
    return replace(blank, players=players, win=win)


def test_a_later_deal_gets_the_winds_that_the_corrected_hands_lead_to() -> None:
    game = play(started(), "A")
    deal = _shown_win(game, "Ann", "Dee")
    as_east = replay(setup(), [*game.played, deal])
    assert as_east.hands[1].reseated == ()
    as_north = replay(setup(), [Agreed("Bob"), deal])
    state = as_north.hands[1]
    assert isinstance(state.hand, Deal)
    assert [(player.seat, player.name) for player in state.hand.players] == [
        ("N", "Ann"),
        ("E", "Bob"),
        ("S", "Cat"),
        ("W", "Dee"),
    ]
    assert state.hand.win == Win("N", "8s", "discard", "W")
    assert state.reseated == (
        Difference("wind", "Ann", "E", "N"),
        Difference("wind", "Bob", "S", "E"),
        Difference("wind", "Cat", "W", "S"),
        Difference("wind", "Dee", "N", "W"),
    )
    doubles = [
        next(part.doubles for part in result.players if part.hand == "ordinary")
        for result in (as_east.hands[1].result, state.result)
        if result is not None
    ]
    assert doubles == [4, 2]
    assert as_east.totals["Ann"] - as_east.hands[0].totals["Ann"] == 3 * 2 * 40 * 2**4
    assert state.gains["Ann"] == 4 * 40 * 2**2


def test_the_re_seated_deal_is_what_would_have_been_played() -> None:
    game = play(started(), "A")
    deal = _shown_win(game, "Ann", "Dee")
    other = play(started(), "B")
    moved = replay(setup(), [*other.played, deal]).hands[1]
    fresh = record(other, _shown_win(other, "Ann", "Dee")).hands[1]
    assert moved.result is not None
    assert fresh.result is not None
    assert moved.gains == fresh.gains
    assert moved.result.net == fresh.result.net


def test_penalties_move_with_the_players() -> None:
    game = play(started(), "A")
    fines = (Penalty("false_naming_set", "E", "N"), Penalty("false_win", "S"))
    deal = replace(claims(game, "Cat"), penalties=fines)
    moved = replay(setup(), [Agreed("Bob"), deal]).hands[1].hand
    assert isinstance(moved, Deal)
    assert moved.penalties == (Penalty("false_naming_set", "N", "W"), Penalty("false_win", "E"))


def test_goulash_round_dealer_and_rules_follow_too() -> None:
    deal = claims(started(), "Cat")
    game = replay(setup(changes={"limit": 500}, rounds=1), [Drawn(), deal])
    assert game.hands[1].reseated == (
        Difference("changes", None, "no house rules", "limit = 500"),
        Difference("goulash", None, "false", "true"),
    )
    fifth = replay(setup(), [*play(started(), "BCDA").played, deal]).hands[4]
    assert fifth.reseated == (Difference("round_wind", None, "E", "S"),)
    odd = replace(deal, ruleset="western", dealer="S")
    assert replay(setup(), [odd]).hands[0].reseated == (
        Difference("ruleset", None, "western", U3A),
        Difference("dealer", None, "S", "E"),
    )


def test_a_later_deal_that_cannot_stand_is_told_and_moves_no_points() -> None:
    game = play(started(), "A")
    dealt = replace(claims(game, "Ann", Ann=100), win=Win("E", None, "dealt"))
    late = claims(record(game, dealt), "Bob", Bob=30)
    replayed = replay(setup(), [Agreed("Bob"), dealt, late])
    state = replayed.hands[1]
    assert (state.winner, state.result, state.transfers) == ("Ann", None, ())
    assert state.gains == dict.fromkeys(replayed.totals, 0)
    assert state.fault is not None
    assert (state.fault.hand, state.fault.player, state.fault.field) == (2, "Ann", "win.source")
    assert replayed.faults == (state.fault,)
    assert replayed.hands[2].fault is None
    assert replayed.hands[2].position.seats["E"] == "Cat"
    assert replayed.totals == replayed.hands[2].gains
    assert replayed.to_json()["errors"] == [state.fault.to_json()]


def test_hands_after_the_end_are_kept_and_told() -> None:
    game = replay(
        setup(rounds=1),
        [
            *(Agreed(name) for name in ("Bob", "Cat", "Dee", "Ann")),
            Agreed("Bob", (Transfer("Ann", "Bob", 9),)),
            Drawn(),
        ],
    )
    assert (len(game.hands), game.ended) == (4, "rounds")
    assert game.beyond == game.played[4:]
    assert [(fault.hand, fault.field) for fault in game.faults] == [(5, "hand"), (6, "hand")]
    assert "ended with hand 4" in str(game.faults[0])
    assert game.totals["Bob"] == 0


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"name": "Eve"}, "name", "'Eve' is not playing here"),
        ({"name": "Bob"}, "name", "is given twice"),
        ({"seat": "X", "name": None}, "players", "nobody sits at X"),
    ],
)
def test_deals_of_other_people_are_no_hands_of_the_game(
    changes: dict[str, Any], field: str, words: str
) -> None:
    deal = claims(started(), "Bob")
    east, *others = deal.players
    with pytest.raises(GameError, match=words) as caught:
        replay(setup(), [Drawn(), replace(deal, players=(replace(east, **changes), *others))])
    assert (caught.value.hand, caught.value.field) == (2, field)


def test_a_deal_lacks_nobody_and_names_only_who_sits_there() -> None:
    deal = claims(started(), "Bob")
    with pytest.raises(GameError, match="hand 1, Dee, players: is missing"):
        replay(setup(), [replace(deal, players=deal.players[:3])])
    three = claims(started(players=THREE), "Bob")
    faults: list[tuple[dict[str, Any], str]] = [
        ({"win": Win("W", None, "wall")}, "win.seat"),
        ({"win": Win("S", None, "discard", "W")}, "win.from"),
        ({"penalties": (Penalty("false_win", "W"),)}, "penalties.offender"),
        ({"penalties": (Penalty("false_naming_set", "E", "W"),)}, "penalties.victim"),
    ]
    for changes, field in faults:
        with pytest.raises(GameError, match="nobody sits at W") as caught:
            replay(setup(players=THREE), [replace(three, **changes)])
        assert caught.value.field == field


plays = st.lists(steps, max_size=24)


@given(setups(), plays)
@settings(max_examples=60, deadline=None)
def test_totals_always_sum_to_the_start_points(given_setup: GameSetup, played: list[Step]) -> None:
    game = play_steps(new_game(given_setup), played)
    start = load_ruleset(given_setup.ruleset).game.start_points
    names = given_setup.names
    running = dict.fromkeys(names, start)
    for state in game.hands:
        assert sum(state.gains.values()) == 0
        running = {name: running[name] + state.gains[name] for name in names}
        assert state.totals == running
    assert game.totals == running
    assert sum(game.totals.values()) == start * len(names)


@given(setups(), plays)
@settings(max_examples=60, deadline=None)
def test_replaying_the_hands_gives_the_game(given_setup: GameSetup, played: list[Step]) -> None:
    game = play_steps(new_game(given_setup), played)
    again = replay(given_setup, game.played)
    assert again == game
    assert all(state.reseated == () and state.fault is None for state in again.hands)
    for number in range(len(game.hands)):
        start = replay(given_setup, game.played[:number])
        assert start.next == game.hands[number].position
        assert start.totals == (game.hands[number - 1].totals if number else start.totals)


@given(setups(), plays, st.permutations(["Una", "Val", "Wyn", "Zoe"]))
@settings(max_examples=60, deadline=None)
def test_other_players_in_the_same_places_change_nothing_but_names(
    given_setup: GameSetup, played: list[Step], others: list[str]
) -> None:
    renamed = dict(zip(FOUR.values(), others, strict=True))
    players = {seat: renamed[name] for seat, name in given_setup.players.items()}
    game = play_steps(new_game(given_setup), played)
    other = play_steps(new_game(replace(given_setup, players=players)), played)
    assert len(other.hands) == len(game.hands)
    for one, two in zip(game.hands, other.hands, strict=True):
        assert {wind: renamed[name] for wind, name in one.position.seats.items()} == dict(
            two.position.seats
        )
        assert replace(one.position, seats={}) == replace(two.position, seats={})
        assert {renamed[name]: gain for name, gain in one.gains.items()} == two.gains
    assert {renamed[name]: total for name, total in game.totals.items()} == other.totals


@given(setups(), plays, steps)
@settings(max_examples=40, deadline=None)
def test_the_deal_scores_the_same_alone(
    given_setup: GameSetup, played: list[Step], step: Step
) -> None:
    game = play_steps(new_game(given_setup), played)
    if game.next is None:
        return
    hand = hand_for(game, (*step[:2], "deal"))
    state = record(game, hand).hands[-1]
    if isinstance(hand, Deal):
        assert state.result == score_deal(hand)
