"""How winds, rounds and the dealer's office move: every rule system as a table of states.

Ann, Bob, Cat and Dee sit in the order of play, Ann is the first East. A game is written as the
initials of the players who went out, ``-`` for a draw; its states as the wind of the round and the
initial of the dealer, with ``*`` for a goulash and ``end`` after the last round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from scorer.game.winds import Position, Table
from scorer.tiles import SEATS
from tests.scorer.systems import MING, MJBR, U3A, UK, WESTERN, table_of

FOUR = ("Ann", "Bob", "Cat", "Dee")
BY_INITIAL = {name[0]: name for name in FOUR}
ALL = (U3A, MJBR, MING, UK, WESTERN)
WINDS_MOVE = (U3A, MJBR, UK, WESTERN)


def positions(table: Table, winners: str) -> Iterator[Position | None]:
    position: Position | None = table.first()
    yield position
    for initial in winners:
        assert position is not None, "the game was over before"
        position = table.after(position, BY_INITIAL.get(initial))
        yield position


def states(table: Table, winners: str) -> str:
    return " ".join(
        "end"
        if position is None
        else position.round_wind
        + position.seats[position.dealer][0]
        + ("*" if position.goulash else "")
        for position in positions(table, winners)
    )


@pytest.mark.parametrize(
    ("system", "winners", "expected"),
    [
        # The winds pass when East does not win, whoever does: to the right (Sheets 5.4, 16.1).
        (U3A, "BCDA", "EA EB EC ED SA"),
        (U3A, "BBBB", "EA EB EB EB EC"),
        (U3A, "DDDDB", "EA EB EC ED ED SA"),
        # East keeps them after winning, three hands in a row at most (Sheet 5.4, Quiz 4.5).
        (U3A, "AAAB", "EA EA EA EB EB"),
        (U3A, "AAABBBCC", "EA EA EA EB EB EB EC EC EC"),
        (U3A, "DAACBA", "EA EB EC ED SA SB SC"),
        (U3A, "BCDDDDA", "EA EB EC ED ED ED SA SA"),
        # After a draw they stay and a goulash is played, again when that is drawn (Sheet 11.1).
        (U3A, "-B", "EA EA* EB"),
        (U3A, "--A", "EA EA* EA* EA"),
        (U3A, "B-CD", "EA EB EB* EC ED"),
        # A draw neither counts nor breaks East's run.
        (U3A, "A-AA", "EA EA EA* EA EB"),
        (U3A, "AA--AC", "EA EA EA EA* EA* EB EC"),
        (U3A, "-AAA", "EA EA* EA EA EB"),
        # Other British clubs' rules have no maximum (001, Winds).
        (MJBR, "AAAAAB", "EA EA EA EA EA EA EB"),
        (MJBR, "A-AAAD", "EA EA EA* EA EA EA EB"),
        (MJBR, "CCBA", "EA EB EC ED SA"),
        # The Jong keeps the office after winning and passes it after a draw (002).
        (MING, "AAAAB", "EA EA EA EA EA EB"),
        (MING, "-B-D", "EA EB EB EC ED"),
        (MING, "B---C", "EA EB EC ED SA SB"),
        # Law 7: passes unless East won; law 19: after a draw too, and without a goulash.
        (UK, "AAAAB", "EA EA EA EA EA EB"),
        (UK, "-A-D", "EA EB EC ED ED"),
        (UK, "BC-A", "EA EB EC ED SA"),
        # Rotation as in the British rules, without the maximum and without a goulash.
        (WESTERN, "AAAAB-C", "EA EA EA EA EA EB EB EC"),
        (WESTERN, "-DCB", "EA EA EB EC ED"),
    ],
)
def test_four_players(system: str, winners: str, expected: str) -> None:
    assert states(table_of(system, FOUR), winners) == expected


@pytest.mark.parametrize(
    ("system", "winners", "expected"),
    [
        (U3A, "BDA", "EA EB ED SA"),
        (U3A, "AAABBB", "EA EA EA EB EB EB ED"),
        (U3A, "-AD", "EA EA* EA EB"),
        (MJBR, "AAAAD-D", "EA EA EA EA EA EB EB* ED"),
        (UK, "-BA", "EA EB EB ED"),
        (UK, "AAAAB", "EA EA EA EA EA EB"),
        (WESTERN, "AAAAD-A", "EA EA EA EA EA EB EB ED"),
    ],
)
def test_three_players_pass_over_the_empty_place(system: str, winners: str, expected: str) -> None:
    assert states(table_of(system, ("Ann", "Bob", None, "Dee")), winners) == expected


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        (
            ("Ann", "Bob", None, "Dee"),
            ["E Ann, S Bob, N Dee", "E Bob, W Dee, N Ann", "E Dee, S Ann, W Bob"],
        ),
        (
            ("Ann", None, "Cat", "Dee"),
            ["E Ann, W Cat, N Dee", "E Cat, S Dee, W Ann", "E Dee, S Ann, N Cat"],
        ),
        (
            ("Ann", "Bob", "Cat", None),
            ["E Ann, S Bob, W Cat", "E Bob, S Cat, N Ann", "E Cat, W Ann, N Bob"],
        ),
    ],
)
@pytest.mark.parametrize("system", WINDS_MOVE)
def test_three_players_have_the_winds_of_their_places(
    system: str, places: tuple[str | None, ...], expected: list[str]
) -> None:
    """001, Winds: West sits opposite East, North to the left, South to the right."""
    table = table_of(system, places)
    walked, position = [], table.first()
    for _ in range(3):
        walked.append(", ".join(f"{wind} {name}" for wind, name in position.seats.items()))
        loser_of_east = next(name for wind, name in position.seats.items() if wind != "E")
        following = table.after(position, loser_of_east)
        assert following is not None
        position = following
    assert walked == expected
    assert (position.seats["E"], position.round_wind) == ("Ann", "S")


def test_the_worked_round_of_the_course() -> None:
    """Sheet 16.3: the hands of the player who starts as West."""
    hands = [
        # own wind, wind of the round, who went out
        ("W", "E", "N"),
        ("S", "E", "S"),
        ("E", "E", "S"),
        ("N", "E", "W"),
        ("W", "S", "W"),
        ("S", "S", "E"),
        ("S", "S", "W"),
        ("E", "S", "N"),
        ("N", "S", "N"),
        ("W", "W", "S"),
        ("S", "W", "S"),
    ]
    table = table_of(U3A, FOUR)
    position: Position | None = table.first()
    for number, (own, round_wind, winner) in enumerate(hands, 1):
        assert position is not None
        assert position.number == number
        assert (position.wind_of("Cat"), position.round_wind) == (own, round_wind)
        position = table.after(position, position.seats[winner])


@pytest.mark.parametrize("system", WINDS_MOVE)
def test_every_player_gets_the_wind_of_the_right_hand_neighbour(system: str) -> None:
    """Sheet 2.9: who starts as South becomes East, East becomes North, and so on."""
    first, second = list(positions(table_of(system, FOUR), "B"))
    assert first is not None
    assert second is not None
    assert first.seats == dict(zip(SEATS, FOUR, strict=True))
    assert second.seats == {"E": "Bob", "S": "Cat", "W": "Dee", "N": "Ann"}
    assert list(second.seats) == list(SEATS)
    assert second.dealer == "E"


def test_players_keep_their_winds_where_the_office_moves() -> None:
    found = [position for position in positions(table_of(MING, FOUR), "BCDAB") if position]
    assert [position.dealer for position in found] == ["E", "S", "W", "N", "E", "S"]
    assert all(position.seats == dict(zip(SEATS, FOUR, strict=True)) for position in found)
    assert [position.round_wind for position in found] == ["E"] * 4 + ["S"] * 2


@pytest.mark.parametrize(
    ("system", "players", "hands"),
    [
        (U3A, 4, 16),
        (U3A, 3, 12),
        (MJBR, 4, 16),
        (MJBR, 3, 12),
        (MING, 4, 16),
        (UK, 4, 16),
        (UK, 3, 9),
        (WESTERN, 4, 16),
        (WESTERN, 3, 12),
    ],
)
def test_a_game_in_which_the_dealer_never_wins(system: str, players: int, hands: int) -> None:
    table = table_of(system, FOUR[:players] + (None,) * (4 - players))
    position: Position | None = table.first()
    seen = []
    while position is not None:
        seen.append((position.round_wind, position.seats[position.dealer]))
        other = next(wind for wind in position.seats if wind != position.dealer)
        position = table.after(position, position.seats[other])
    assert len(seen) == hands
    assert len(set(seen)) == hands
    assert [wind for wind, _ in seen] == sorted((wind for wind, _ in seen), key=SEATS.index)


@pytest.mark.parametrize("system", ALL)
def test_the_last_round_ends_the_game_only_when_the_winds_pass(system: str) -> None:
    table = replace(table_of(system, FOUR), rounds=1)
    assert states(table, "BCD" + "DA") == "EA EB EC ED ED end"


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        (U3A, "EA EB EC ED ED* end"),
        (MJBR, "EA EB EC ED ED* end"),
        (WESTERN, "EA EB EC ED ED end"),
        (MING, "EA EB EC ED end"),
        (UK, "EA EB EC ED end"),
    ],
)
def test_a_draw_in_the_last_hand(system: str, expected: str) -> None:
    table = replace(table_of(system, FOUR), rounds=1)
    assert states(table, "BCD-A"[: len(expected.split()) - 1]) == expected


@pytest.mark.parametrize(
    ("system", "changes", "winners", "expected"),
    [
        (U3A, {"east_maximum": "four"}, "AAAAB", "EA EA EA EA EB EB"),
        (U3A, {"east_maximum": "none"}, "AAAAB", "EA EA EA EA EA EB"),
        (U3A, {"draw_ends_run": True}, "AA-AAAB", "EA EA EA EA* EA EA EB EB"),
        (U3A, {"after_draw": "again"}, "A-AA-A", "EA EA EA EA EB EB EC"),
        (U3A, {"after_draw": "pass"}, "AA-AAB", "EA EA EA EB EC ED SA"),
        (MING, {"after_draw": "stay"}, "A-B", "EA EA EA EB"),
        (MING, {"dealer_maximum": 1}, "AB-", "EA EB EC ED"),
        (UK, {"after_draw": "stay", "dealer_maximum": 2}, "A-AB", "EA EA EA EB EB"),
    ],
)
def test_house_rules_of_the_winds(
    system: str, changes: dict[str, Any], winners: str, expected: str
) -> None:
    assert states(table_of(system, FOUR, **changes), winners) == expected


@pytest.mark.parametrize("places", [FOUR, ("Ann", "Bob", None, "Dee")])
def test_fewer_rounds_by_house_rule(places: tuple[str | None, ...]) -> None:
    table = table_of(U3A, places, rounds=1)
    names = [name for name in places if name]
    winners = "".join(name[0] for name in [*names[1:], names[0]])
    assert states(table, winners).split()[-1] == "end"
