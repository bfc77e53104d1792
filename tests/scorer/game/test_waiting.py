"""Five or six at a table: who sits out by turns, and who does so when it is told otherwise."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.deal import Deal
from scorer.errors import GameError
from scorer.game.corrections import (
    come_back,
    correct,
    delete,
    exchange,
    insert,
    join,
    leave,
    rename,
    undo,
)
from scorer.game.game import Game, new_game, record, replay, with_out
from scorer.game.hands import Agreed, Drawn, Transfer, told_gains
from scorer.game.scoresheet import player_sheets, table_sheet
from scorer.game.setup import GameSetup
from scorer.rules.rulebook import load_ruleset
from scorer.text.game_json import game_document, parse_game
from tests.scorer.builders import WITHOUT_COUNTERS
from tests.scorer.game.games import FOUR, U3A, claims

EVE, SIX = ("Eve",), ("Eve", "Flo")


def begun(waiting: tuple[str, ...] = EVE, ruleset: str = U3A, **more: Any) -> Game:
    return new_game(GameSetup(ruleset, FOUR, waiting=waiting, **more))


def won(game: Game, wind: str) -> Game:
    """The game with a hand more, won by the player of a wind."""
    assert game.next is not None
    return record(game, claims(game, game.next.seats[wind]))


def line(game: Game) -> str:
    """Who sits and who waits in the next hand, by their initials from East on."""
    assert game.next is not None
    seats, waiting = game.next.seats.values(), game.next.waiting
    return " ".join("".join(name[0] for name in names) for names in (seats, waiting))


@pytest.mark.parametrize(
    ("waiting", "expected"),
    [
        (EVE, ["ABCD E", "BCDE A", "CDEA B", "DEAB C", "EABC D", "ABCD E"]),
        (SIX, ["ABCD EF", "BCDE FA", "CDEF AB", "DEFA BC", "EFAB CD", "FABC DE", "ABCD EF"]),
    ],
)
def test_who_loses_the_deal_goes_out_and_who_waited_longest_comes_in(
    waiting: tuple[str, ...], expected: list[str]
) -> None:
    game = begun(waiting)
    found = [line(game)]
    while len(found) < len(expected):
        game = won(game, "S")
        found.append(line(game))
    assert found == expected
    assert game.next is not None
    assert game.next.round == 1 + len(found) // 5, "a round has four deals, as with four players"


def test_gains_are_told_of_those_who_played_and_of_who_gained_all_the_same() -> None:
    game = won(begun(), "S")
    (state,), (row,) = game.hands, table_sheet(game).rows
    assert state.gains["Eve"] == 0
    assert state.gained == row.gained == {name: state.gains[name] for name in FOUR.values()}
    assert told_gains({"Ann": 0, "Eve": 0, "Flo": 2000}, {"Ann": "E"}) == {"Ann": 0, "Flo": 2000}


def test_nobody_moves_while_east_keeps_the_deal() -> None:
    assert line(won(begun(), "E")) == "ABCD E"
    assert line(record(begun(), Drawn())) == "ABCD E"


def test_where_winds_are_kept_the_newcomer_gets_the_wind_of_who_goes_out() -> None:
    game = won(begun(ruleset="ming-1876"), "S")
    assert line(game) == "EBCD A"
    assert game.next is not None
    assert game.next.dealer == "S"


def test_who_waits_neither_pays_nor_is_paid_and_keeps_the_total() -> None:
    game = won(won(begun(), "S"), "S")
    assert list(game.totals) == [*FOUR.values(), "Eve"]
    first, second = game.hands
    assert (first.gains["Eve"], second.gains["Ann"]) == (0, 0)
    assert second.gains["Eve"] != 0
    assert game.totals["Ann"] == first.gains["Ann"]
    with pytest.raises(GameError, match="'Bob' is not playing here"):
        record(game, Agreed("Cat", (Transfer("Bob", "Cat", 10),)))
    deal = claims(game, "Cat")
    other = replace(deal.players[1], name="Zoe")
    stranger = replace(deal, players=(deal.players[0], other, *deal.players[2:]))
    with pytest.raises(GameError, match="'Zoe', but South is 'Dee' in this hand"):
        record(game, stranger)


def test_the_hand_says_who_waits_only_where_somebody_does() -> None:
    game = record(begun(), Drawn())
    told = game.to_json()
    assert told["waiting"] == ["Eve"]
    assert told["hands"][0]["waiting"] == ["Eve"]
    assert told["hands"][0]["hand"] == {"drawn": True, "waiting": ["Eve"]}
    assert told["next"]["waiting"] == ["Eve"]
    four = record(begun(()), Agreed("Ann", (Transfer("Bob", "Ann", 8),))).to_json()
    assert "waiting" not in str(four)
    assert "'out'" not in str(four)


def test_somebody_else_sits_out_the_next_hand_and_turns_go_on_from_there() -> None:
    game = exchange(begun(), 1, "Cat", "Eve").game
    assert (line(game), game.out) == ("ABED C", ("Cat",))
    assert parse_game(game_document(game)) == game
    assert exchange(game, 1, "Eve", "Cat").game == begun(), "told back, it goes by turns again"
    game = won(game, "S")
    assert (line(game), game.out) == ("BEDC A", ())
    with pytest.raises(GameError, match="'Ann' does not sit at the table in this hand"):
        exchange(game, 2, "Ann", "Ann")
    with pytest.raises(GameError, match="'Bob' does not sit out this hand"):
        exchange(game, 2, "Bob", "Bob")


def test_of_two_who_wait_one_comes_in_early_and_who_goes_out_gets_that_turn() -> None:
    game = exchange(begun(SIX), 1, "Bob", "Flo").game
    assert line(game) == "AFCD EB"
    assert line(won(game, "S")) == "FCDE BA"


@pytest.mark.parametrize(
    ("number", "out", "come"),
    [(1, "Bob", "Eve"), (2, "Eve", "Ann"), (3, "Ann", "Bob"), (4, "Cat", "Bob")],
)
def test_what_was_played_by_somebody_else_is_put_right_for_every_kind_of_hand(
    number: int, out: str, come: str
) -> None:
    game = won(begun(), "S")
    game = record(game, Agreed("Eve", (Transfer("Bob", "Eve", 10), Transfer("Cat", "Eve", 5))))
    game = record(game, Drawn())
    game = won(game, "W")
    before = game.hands[number - 1]
    after = exchange(game, number, out, come).game
    state = after.hands[number - 1]
    assert state.position.winds[come] == before.position.winds[out]
    assert state.position.waiting == (out,)
    assert (state.gains[come], state.gains[out]) == (before.gains[out], 0)
    assert [later.position.waiting for later in after.hands[number:]] == [
        later.position.waiting for later in game.hands[number:]
    ], "the hands since then were played by those who played them"
    assert exchange(after, number, come, out).game == game


def test_there_is_nobody_to_sit_out_a_hand_that_is_not_played() -> None:
    with pytest.raises(GameError, match="there is no hand with this number"):
        exchange(won(begun(), "S"), 9, "Ann", "Eve")
    over = begun(rounds=1)
    for _ in range(4):
        over = won(over, "S")
    over = replay(over.setup, (*over.played, Drawn()))
    with pytest.raises(GameError, match="no such hand"):
        exchange(over, 5, "Ann", "Eve")
    with pytest.raises(GameError, match="the game is over"):
        with_out(over, ["Ann"])
    assert replay(over.setup, over.played, ["Ann"]) == over, "nobody sits out after the end"


def test_a_correction_leaves_everybody_the_hands_that_they_played() -> None:
    game = won(record(won(begun(), "S"), Drawn()), "S")
    game = exchange(game, 4, "Dee", "Bob").game
    played = [sorted(state.position.winds) for state in game.hands]
    corrected = correct(game, 1, claims(begun(), "Ann")).game
    assert [sorted(state.position.winds) for state in corrected.hands] == played
    assert corrected.hands[1].position.seats["E"] == "Ann" or "Ann" not in played[1]
    assert corrected.next is not None
    assert set(corrected.next.waiting) == {"Dee"}, "what was told of the next hand still holds"
    longer = insert(game, 2, Drawn()).game
    assert [sorted(state.position.winds) for state in longer.hands][2:] == played[1:]
    assert delete(longer, 2).game == game
    told = correct(game, 2, Agreed(None)).game
    assert told.hands[1].position.waiting == game.hands[1].position.waiting
    assert correct(game, 2, Drawn(("Cat",))).game.hands[1].position.waiting == ("Cat",)


def test_names_change_for_those_who_wait_as_well() -> None:
    game = exchange(record(won(begun(), "S"), Drawn()), 3, "Cat", "Ann").game
    names = {"Ann": "Una", "Eve": "Una 2", "Cat": "Val"}
    renamed = rename(game, names)
    assert renamed.setup.waiting == ("Una 2",)
    assert renamed.out == ("Val",)
    assert [state.position.waiting for state in renamed.hands] == [("Una 2",), ("Una",)]
    assert rename(renamed, {new: old for old, new in names.items()}) == game


def test_who_comes_late_has_sat_out_what_was_played_and_takes_turns_from_then_on() -> None:
    four = record(won(begun(()), "S"), Agreed("Cat", (Transfer("Dee", "Cat", 8),)))
    five = join(record(four, Drawn()), "Eve")
    assert [state.position.waiting for state in five.hands] == [EVE] * 3
    assert [state.position.seats for state in five.hands[:2]] == [
        state.position.seats for state in four.hands
    ], "everybody keeps the winds that they had"
    assert line(five) == "CDAB E"
    six = join(exchange(five, 4, "Dee", "Eve").game, "Flo")
    assert (line(six), six.out) == ("CEAB DF", ("Dee", "Flo"))
    assert line(join(won(begun(()), "S"), "Eve")) == "BCDE A", "whoever lost the deal goes out"
    assert replay(six.setup, six.played, six.out) == six
    with pytest.raises(GameError, match="at most 2 can wait at a table"):
        join(six, "Gus")
    with pytest.raises(GameError, match="two players are called 'Ann'"):
        join(five, "Ann")
    over = begun((), rounds=1)
    for _ in range(4):
        over = won(over, "S")
    with pytest.raises(GameError, match="the game is over"):
        join(over, "Eve")


def test_who_goes_home_leaves_the_seat_to_who_has_waited_longest() -> None:
    game = won(won(begun(SIX), "S"), "S")
    assert line(game) == "CDEF AB"
    seated, waited = leave(game, "Dee"), leave(game, "Ann")
    assert (line(seated), line(waited)) == ("CAEF B", "CDEF B")
    assert seated.hands == game.hands
    assert seated.totals == game.totals
    assert line(won(seated, "S")) == "AEFB C"
    four = leave(waited, "Eve")
    assert (line(four), line(won(four, "S"))) == ("CDBF ", "DBFC ")
    assert parse_game(game_document(four)) == four
    assert rename(four, {"Ann": "Una"}).setup.gone == {"Una": (3,), "Eve": (3,)}
    with pytest.raises(GameError, match="nobody is waiting to come in"):
        leave(four, "Cat")
    with pytest.raises(GameError, match="'Ann' is not playing here"):
        leave(four, "Ann")
    with pytest.raises(GameError, match="'Zoe' is not playing"):
        new_game(replace(four.setup, gone={"Zoe": (1,)}))
    assert line(new_game(replace(begun().setup, gone={"Bob": (1,)}))) == "AECD "


def test_who_is_back_has_the_total_that_was_left_and_waits_for_a_turn_or_plays_at_once() -> None:
    game = won(won(begun(), "S"), "S")
    away = won(won(leave(game, "Dee"), "S"), "S")
    assert line(away) == "EACB "
    back = come_back(away, "Dee")
    assert (line(back), line(won(back, "S"))) == ("EACB D", "ACBD E")
    assert (back.hands, back.totals) == (away.hands, away.totals)
    assert line(come_back(away, "Dee", "Eve")) == "DACB E"
    assert parse_game(game_document(back)) == back
    again = won(leave(won(back, "S"), "Dee"), "S")
    assert again.setup.gone == {"Dee": (3, 5, 6)}
    assert replay(again.setup, again.played) == again
    assert line(come_back(again, "Dee")) == "CBEA D"
    assert delete(again, 1).game.setup.gone == {"Dee": (2, 4, 5)}


def test_who_went_and_is_back_before_the_hand_has_the_own_seat() -> None:
    game = won(begun(), "S")
    assert line(leave(game, "Dee")) == "BCAE "
    assert line(come_back(leave(game, "Dee"), "Dee", "Ann")) == line(game) == "BCDE A"


def test_who_sits_out_by_two_changes_of_one_hand_is_as_if_told_at_once() -> None:
    game = exchange(exchange(begun(), 1, "Dee", "Eve").game, 1, "Cat", "Dee").game
    assert line(game) == "ABED C"
    assert game == with_out(begun(), ["Cat"]) == replay(game.setup, game.played, game.out)


def test_who_comes_back_waits_after_those_who_were_told_to() -> None:
    game = leave(won(begun(SIX), "S"), "Eve")
    other = exchange(won(game, "S"), 3, "Dee", "Bob").game
    assert line(other) == "CBFA D"
    assert line(come_back(other, "Eve")) == "CBFA DE"
    with pytest.raises(GameError, match="'Cat' has not gone home from this table"):
        come_back(game, "Cat")
    over = leave(begun(rounds=1), "Eve")
    for _ in range(4):
        over = won(over, "S")
    with pytest.raises(GameError, match="the game is over"):
        come_back(over, "Eve")


def test_who_has_gone_played_the_hands_before_also_where_hands_are_added_or_taken_out() -> None:
    game = leave(exchange(record(won(begun(SIX), "S"), Drawn()), 3, "Dee", "Flo").game, "Eve")
    assert line(game) == "BCDF A"
    longer = insert(won(game, "S"), 2, Drawn()).game
    assert longer.setup.gone == {"Eve": (4,)}
    assert "Eve" in longer.hands[2].position.winds
    assert "Eve" not in longer.hands[3].position.everybody
    shorter = delete(longer, 2).game
    assert shorter == won(game, "S")
    over = begun((), rounds=1)
    for _ in range(4):
        over = won(over, "S")
    with pytest.raises(GameError, match="the game is over"):
        leave(over, "Eve")


@pytest.mark.parametrize(
    ("setup", "fault"),
    [
        (GameSetup(U3A, {"E": "Ann", "S": "Bob", "W": "Cat"}, waiting=EVE), "a seat is free"),
        (GameSetup(U3A, FOUR, waiting=("Eve", "Flo", "Gus")), "at most 2 can wait at a table"),
        (GameSetup(U3A, FOUR, waiting=("Ann",)), "two players are called 'Ann'"),
        (GameSetup(U3A, FOUR, waiting=(" ",)), "is not a name"),
    ],
)
def test_a_game_that_cannot_begin_so_is_refused(setup: GameSetup, fault: str) -> None:
    with pytest.raises(GameError, match=fault):
        new_game(setup)


@pytest.mark.parametrize(
    ("waiting", "told", "fault"),
    [
        ((), ("Ann",), "nobody sits out at this table"),
        (EVE, ("Zoe",), "needs 1 of these to sit out: Ann, Bob, Cat, Dee, Eve"),
        (EVE, ("Ann", "Bob"), "needs 1 of these"),
        (SIX, ("Ann", "Ann"), "needs 2 of these"),
    ],
)
def test_who_cannot_sit_out_is_refused(
    waiting: tuple[str, ...], told: tuple[str, ...], fault: str
) -> None:
    with pytest.raises(GameError, match=fault):
        record(begun(waiting), Drawn(told))
    with pytest.raises(GameError, match=fault):
        with_out(begun(waiting), told)


def test_score_sheets_show_whom_the_hands_belong_to() -> None:
    game = won(won(begun(), "S"), "S")
    rows = table_sheet(game).rows
    assert [sorted(row.winds) for row in rows] == [
        ["Ann", "Bob", "Cat", "Dee"],
        ["Bob", "Cat", "Dee", "Eve"],
    ]
    assert [row.number for row in player_sheets(game, "Ann")[0].rows] == [1]
    sheet = player_sheets(game, "Eve")[0]
    assert [row.number for row in sheet.rows] == [2]
    assert (sheet.brought_forward, sheet.carried_forward) == (0, game.totals["Eve"])
    assert player_sheets(won(begun(), "S"), "Eve") == ()


steps = st.lists(
    st.tuples(
        st.sampled_from("ESWN-"),
        st.sampled_from(["deal", "agreed", "other"]),
        st.integers(0, 3),
        st.integers(0, 1),
    ),
    max_size=30,
)


def played(game: Game, plays: list[tuple[str, str, int, int]]) -> Game:
    """The game with the hands of the steps; before some, another one sits out."""
    for wind, kind, seat, turn in plays:
        if game.next is None:
            break
        if kind == "other":
            names, waiting = [*game.next.seats.values()], game.next.waiting
            come = waiting[turn % len(waiting)]
            game = exchange(game, game.next.number, names[seat], come).game
        assert game.next is not None
        winner = game.next.seats.get(wind)
        if kind == "agreed":
            payer = next(name for name in game.next.seats.values() if name != winner)
            paid = () if winner is None else (Transfer(payer, winner, 8),)
            game = record(game, Agreed(winner, paid))
        else:
            game = record(game, claims(game, winner))
    return game


def setups() -> st.SearchStrategy[GameSetup]:
    """Any ruleset, five or six players."""
    return st.builds(
        lambda ruleset, waiting: GameSetup(ruleset, FOUR, waiting=waiting),
        st.sampled_from(WITHOUT_COUNTERS),
        st.sampled_from([EVE, SIX]),
    )


@given(setups(), steps)
@settings(max_examples=40, deadline=None)
def test_points_add_up_and_the_hands_give_the_game_again(
    setup: GameSetup, plays: list[tuple[str, str, int, int]]
) -> None:
    game = played(new_game(setup), plays)
    start = load_ruleset(setup.ruleset).game.start_points
    assert sum(game.totals.values()) == start * len(setup.names)
    for state in game.hands:
        position = state.position
        assert sorted((*position.winds, *position.waiting)) == sorted(setup.names)
        assert sum(state.gains.values()) == 0
        assert all(state.gains[name] == 0 for name in position.waiting)
    assert replay(setup, game.played, game.out) == game
    assert parse_game(game_document(game)) == game
    assert parse_game(game_document(game), reseat=True) == game
    if game.hands:
        assert undo(game).game.hands == game.hands[:-1]
        last = game.hands[-1]
        assert undo(replace(game, out=())).game.next is not None
        assert exchange(game, len(game.hands), *_pair(last.position)).game.totals.keys() == (
            game.totals.keys()
        )


def _pair(position: Any) -> tuple[str, str]:
    return next(iter(position.winds)), position.waiting[0]


@given(setups(), st.lists(st.sampled_from("ESWN"), min_size=60, max_size=90))
@settings(max_examples=30, deadline=None)
def test_each_sits_out_as_many_deals_as_the_others(setup: GameSetup, winds: list[str]) -> None:
    game = new_game(setup)
    deals: Counter[str] = Counter()
    dealer = ""
    for wind in winds:
        if game.next is None:
            break
        now = game.next.seats[game.next.dealer]
        if now != dealer:
            deals.update(game.next.waiting)
            dealer = now
        game = won(game, wind)
    counts = [deals[name] for name in setup.names]
    assert max(counts) - min(counts) <= len(setup.waiting), "each deal counts once"


def test_a_deal_names_who_plays_even_where_a_file_leaves_it_to_the_hands() -> None:
    game = begun()
    deal = claims(game, "Bob")
    other = tuple(replace(p, name="Eve" if p.name == "Cat" else p.name) for p in deal.players)
    assert record(game, replace(deal, players=other)).hands[0].position.waiting == ("Cat",)
    nameless = replace(deal, players=tuple(replace(p, name=None) for p in deal.players))
    state = record(game, nameless).hands[0]
    assert isinstance(state.hand, Deal)
    assert state.position.waiting == EVE
