"""Undo and corrections: the game as if it had been played so, and every later hand that changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.deal import Deal, Win
from scorer.errors import GameError
from scorer.game.corrections import Correction, correct, delete, insert, rename, seat, undo
from scorer.game.game import Game, new_game, record, replay
from scorer.game.hands import Agreed, Drawn, Transfer
from scorer.game.reseat import Difference
from scorer.game.setup import GameSetup
from tests.scorer.game.games import Step, claims, hand_for, play, play_steps, setups, started, steps
from tests.scorer.systems import MING


def test_undo_takes_the_last_hand_back() -> None:
    game = play(started(), "B-")
    assert undo(play(game, "C")) == Correction(game)


def _moved(was: str, now: str) -> set[Difference]:
    """The winds of Ann, Bob, Cat and Dee, before and after."""
    names = ("Ann", "Bob", "Cat", "Dee")
    return {
        Difference("wind", name, one, other)
        for name, one, other in zip(names, was, now, strict=True)
    }


def test_a_corrected_winner_moves_the_winds_of_the_hands_after_it() -> None:
    game = play(started(), "AC")
    corrected = correct(game, 1, claims(started(), "Bob", Bob=40))
    played_so = play(started(), "BC")
    assert corrected.game.totals == played_so.totals
    assert corrected.game.next == played_so.next
    (change,) = corrected.changes
    assert (change.number, change.was, change.fault) == (2, 2, None)
    assert set(change.differences) == _moved("ESWN", "NESW") | {
        Difference("gain", "Ann", "-80", "-40"),
        Difference("gain", "Bob", "-40", "-80"),
    }


def test_a_corrected_total_leaves_the_later_hands_alone() -> None:
    game = play(started(), "BCD")
    corrected = correct(game, 1, claims(started(), "Bob", Bob=200))
    assert corrected.changes == ()
    assert corrected.game.totals["Bob"] == game.totals["Bob"] + 4 * (200 - 40)
    assert corrected.game.hands[1].gains == game.hands[1].gains


def test_a_hand_corrected_to_a_draw_makes_the_next_a_goulash() -> None:
    game = play(started(), "AC")
    (change,) = correct(game, 1, Drawn()).changes
    assert change.differences == (Difference("goulash", None, "false", "true"),)


def test_a_corrected_hand_may_move_the_round() -> None:
    game = play(started(), "BCDDA")
    corrected = correct(game, 4, claims(replay(game.setup, game.played[:3]), "Bob"))
    (change,) = corrected.changes
    found = set(change.differences)
    assert Difference("round_wind", None, "E", "S") in found
    assert _moved("SWNE", "ESWN") <= found


def test_a_later_hand_that_cannot_stand_is_told_and_stands_again() -> None:
    game = play(started(), "A")
    dealt = replace(claims(game, "Ann", Ann=100), win=Win("E", None, "dealt"))
    game = record(game, dealt)
    corrected = correct(game, 1, claims(started(), "Bob"))
    (change,) = corrected.changes
    assert Difference("stands", None, "true", "false") in change.differences
    assert change.fault == corrected.game.faults[0]
    assert change.fault.field == "win.source"
    back = correct(corrected.game, 1, claims(started(), "Ann", Ann=40))
    assert back.game == game
    (change,) = back.changes
    assert Difference("stands", None, "false", "true") in change.differences
    assert change.fault is None


def test_hands_beyond_an_earlier_end_are_told_and_come_back() -> None:
    start = started(rounds=1)
    game = play(start, "BCDD" + "A")
    corrected = correct(game, 4, claims(play(start, "BCD"), "Ann", Ann=40))
    assert (corrected.game.ended, len(corrected.game.beyond)) == ("rounds", 1)
    (change,) = corrected.changes
    assert (change.number, change.was) == (None, 5)
    assert change.differences == (Difference("stands", None, "true", "false"),)
    assert change.fault == corrected.game.faults[0]
    back = correct(corrected.game, 4, claims(play(start, "BCD"), "Dee", Dee=40))
    assert back.game == game
    assert [(change.number, change.was) for change in back.changes] == [(5, None)]
    assert undo(corrected.game).game == play(start, "BCDA")


def test_a_moved_hand_that_cannot_stand_is_told_with_its_new_number() -> None:
    game = play(started(), "A")
    game = record(game, replace(claims(game, "Ann"), win=Win("E", None, "dealt")))
    (change,) = insert(game, 2, Agreed("Bob")).changes
    assert (change.number, change.was) == (3, 2)
    assert change.fault is not None
    assert (change.fault.hand, change.fault.player) == (3, "Ann")
    first = play(started(), "B")
    first = record(first, replace(claims(first, "Bob"), win=Win("E", None, "dealt")))
    (change,) = delete(first, 1).changes
    assert change.fault is not None
    assert (change.fault.hand, change.fault.player) == (1, "Bob")


def test_the_dealers_office_may_move_with_a_correction() -> None:
    game = play(started(MING), "AC")
    (change,) = correct(game, 1, claims(started(MING), "Bob")).changes
    assert Difference("dealer", None, "E", "S") in change.differences
    assert {item.field for item in change.differences} == {"dealer", "gain"}


def test_an_inserted_hand_moves_the_later_ones_up() -> None:
    game = play(started(), "BC")
    inserted = insert(game, 2, Agreed("Bob", (Transfer("Ann", "Bob", 5),)))
    assert [state.winner for state in inserted.game.hands] == ["Bob", "Bob", "Cat"]
    assert [(change.number, change.was) for change in inserted.changes] == [(3, 2)]
    assert inserted.changes[0].differences == (Difference("number", None, "2", "3"),)
    assert insert(game, 3, Drawn()) == Correction(record(game, Drawn()))


def test_a_deleted_hand_moves_the_later_ones_down() -> None:
    game = play(started(), "BBC")
    deleted = delete(game, 2)
    assert deleted.game == play(started(), "BC")
    assert [(change.number, change.was) for change in deleted.changes] == [(2, 3)]
    assert deleted.changes[0].differences == (Difference("number", None, "3", "2"),)


@pytest.mark.parametrize(
    "attempt",
    [
        lambda game, hand: correct(game, 0, hand),
        lambda game, hand: correct(game, 3, hand),
        lambda game, hand: insert(game, 4, hand),
        lambda game, hand: insert(game, 0, hand),
        lambda game, _: delete(game, -1),
        lambda game, _: delete(game, 3),
    ],
)
def test_only_hands_that_were_played_are_corrected(
    attempt: Callable[[Game, Deal], Any],
) -> None:
    missing = "there is no hand with this number; the hands are 1 to 2"
    with pytest.raises(GameError, match=missing) as caught:
        attempt(play(started(), "AB"), claims(started(), "Ann"))
    assert caught.value.field == "hand"


def test_nothing_is_undone_before_the_first_hand() -> None:
    with pytest.raises(GameError, match="no hand has been played"):
        undo(started())


def test_the_corrected_hand_itself_must_agree_with_the_hands_before_it() -> None:
    game = play(started(), "BCD")
    with pytest.raises(GameError, match=r"hand 2, .*name: is 'Ann', but East is 'Bob'"):
        correct(game, 2, claims(started(), "Ann"))
    with pytest.raises(GameError, match="hand 1, goulash: "):
        insert(game, 1, replace(claims(started(), "Ann"), goulash=True))


def test_changes_as_json() -> None:
    game = play(started(), "AC")
    (change,) = correct(game, 1, Drawn()).changes
    assert change.to_json() == {
        "number": 2,
        "was": 2,
        "differences": [{"field": "goulash", "player": None, "was": "false", "now": "true"}],
        "error": None,
    }


def test_a_player_gets_another_name_everywhere() -> None:
    paid = (Transfer("Ann", "Bob", 5), Transfer("Bob", "Ann", 2))
    game = record(play(started(rounds=1), "BCD"), Agreed("Ann", paid))
    late = replay(game.setup, [*game.played, Drawn()])
    renamed = rename(late, {"Ann": "Anna", "Bob": "Ann"})
    assert renamed.setup.names == ("Anna", "Ann", "Cat", "Dee")
    assert list(renamed.totals.values()) == list(late.totals.values())
    assert [state.winner for state in renamed.hands] == ["Ann", "Cat", "Dee", "Anna"]
    assert renamed.hands[3].transfers == (Transfer("Anna", "Ann", 5), Transfer("Ann", "Anna", 2))
    assert all(state.reseated == () for state in renamed.hands)
    assert renamed.beyond == (Drawn(),)
    back = rename(renamed, {"Anna": "Ann", "Ann": "Bob"})
    assert back == late
    with pytest.raises(GameError, match="'Eve' is not playing; the players are Ann, B") as caught:
        rename(game, {"Eve": "Ann"})
    assert caught.value.field == "players"
    with pytest.raises(GameError, match="two players are called 'Bob'"):
        rename(game, {"Ann": "Bob"})


def test_players_on_other_seats_keep_what_they_won() -> None:
    game = record(play(started(rounds=1), "BC"), Agreed("Ann", (Transfer("Ann", "Bob", 5),)))
    seats = {"E": "Bob", "S": "Ann", "W": "Cat", "N": "Dee"}
    moved = seat(game, seats)
    assert moved.game.setup.players == seats
    assert [state.winner for state in moved.game.hands] == ["Bob", "Cat", "Ann"]
    assert moved.game.hands[0].position.seats["E"] == "Bob"
    assert moved.game.hands[2].gains["Bob"] == 5
    assert moved.changes[0].number == 1
    assert seat(moved.game, game.setup.players).game == game
    with pytest.raises(GameError, match="two players are called 'Ann'"):
        seat(game, {**seats, "W": "Ann"})


plays = st.lists(steps, min_size=1, max_size=24)


@given(setups(), plays)
@settings(max_examples=50, deadline=None)
def test_undo_equals_never_played(setup: GameSetup, played: list[Step]) -> None:
    game = new_game(setup)
    before = game
    for step in played:
        if game.next is None:
            break
        before, game = game, record(game, hand_for(game, step))
    undone = undo(game)
    assert undone == Correction(before)


@given(setups(), plays, st.integers(0, 23), steps)
@settings(max_examples=60, deadline=None)
def test_corrections_equal_replaying_from_the_start(
    setup: GameSetup, played: list[Step], where: int, step: Step
) -> None:
    game = play_steps(new_game(setup), played)
    index = where % len(game.hands)
    before, after = game.played[:index], game.played[index + 1 :]
    hand = hand_for(replay(setup, before), step)
    corrected = correct(game, index + 1, hand)
    assert corrected.game == replay(setup, [*before, hand, *after])
    deleted = delete(game, index + 1)
    assert deleted.game == replay(setup, [*before, *after])
    inserted = insert(game, index + 1, hand)
    assert inserted.game == replay(setup, [*before, hand, *game.played[index:]])
    for correction, shift in ((corrected, 0), (deleted, -1), (inserted, 1)):
        _check_changes(game, correction, index + (shift < 1), shift)
    assert delete(inserted.game, index + 1).game == game
    assert correct(corrected.game, index + 1, game.played[index]).game == game


def _check_changes(before: Game, correction: Correction, first: int, shift: int) -> None:
    """Every later hand of which anything differs is told, and no other."""
    after = correction.game
    told = {change.was or change.number for change in correction.changes}
    for index in range(first, len(before.hands)):
        old = before.hands[index]
        number = index + shift
        new = after.hands[number] if number < len(after.hands) else None
        same = (
            new is not None
            and new.position.number == old.position.number
            and new.position.seats == old.position.seats
            and new.position.round_wind == old.position.round_wind
            and new.position.dealer == old.position.dealer
            and (not isinstance(old.hand, Deal) or new.hand == old.hand)
            and new.gains == old.gains
            and (new.fault is None) == (old.fault is None)
        )
        assert (index + 1 in told) is not same
