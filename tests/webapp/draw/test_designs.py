"""Where it is known that nobody need meet twice, nobody does, and no search is needed for it."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from tests.webapp.draw.test_drawing import entrants, met, pair
from webapp.draw import drawing as module
from webapp.draw.designs import at_home, designed, known_rounds
from webapp.draw.drawing import draw
from webapp.draw.entrants import Entrant, Odd, Past, Wishes

KNOWN = {16: 5, 20: 5, 24: 7, 28: 9, 32: 10} | dict.fromkeys(range(36, 64, 4), 11)
"""Number of rounds, of eleven at most, in which nobody of so many players need meet twice."""

SAMPLE = [
    (count, rounds) for count, most in KNOWN.items() for rounds in {most // 2, most - 1, most}
]


@pytest.fixture
def unsearched(monkeypatch: pytest.MonkeyPatch) -> None:
    """A draw that hardly looks for better tables than it begins with."""
    monkeypatch.setattr(module, "STEPS", 1)
    monkeypatch.setattr(module, "COOLINGS", 1)


@pytest.mark.parametrize("count", KNOWN)
def test_in_every_design_all_sit_once_a_round_and_nobody_meets_twice(count: int) -> None:
    rounds = known_rounds(count)
    assert min(rounds, 11) == KNOWN[count]
    players = list(range(count))
    laid = designed([[4] * (count // 4)] * rounds, [players] * rounds, Random(1))
    assert laid is not None
    for tables in laid:
        assert sorted(player for table in tables for player in table) == players
        assert {len(table) for table in tables} == {4}
    pairs = Counter(
        both for tables in laid for it in tables for both in combinations(sorted(it), 2)
    )
    assert max(pairs.values()) == 1


@pytest.mark.usefixtures("unsearched")
@pytest.mark.parametrize(("count", "rounds"), SAMPLE)
def test_nobody_meets_twice_in_a_draw_for_which_a_design_is_known(count: int, rounds: int) -> None:
    drawn = draw(entrants(count), rounds, 3)
    assert max(met(drawn).values()) == 1
    assert len(met(drawn)) == 6 * rounds * count // 4
    assert drawn != draw(entrants(count), rounds, 4)


@pytest.mark.usefixtures("unsearched")
@pytest.mark.parametrize(
    ("count", "rounds", "odd"),
    [(15, 5, Odd.FIVES), (23, 7, Odd.FIVES), (27, 9, Odd.THREES), (22, 4, Odd.THREES),
     (41, 5, Odd.THREES), (59, 11, Odd.FIVES)],
)  # fmt: skip
def test_nobody_meets_twice_with_an_empty_seat_at_some_tables(
    count: int, rounds: int, odd: Odd
) -> None:
    drawn = draw(entrants(count), rounds, 1, Wishes(odd=odd))
    assert max(met(drawn).values()) == 1
    for round_ in drawn.rounds:
        assert sorted(name for it in round_.tables for name in it.players) == sorted(
            who.name for who in entrants(count)
        )
        assert [len(it.players) for it in round_.tables[-(-count % 4) :]] == [3] * (-count % 4)


@pytest.mark.usefixtures("unsearched")
def test_more_rounds_than_there_are_others_to_meet_go_round_evenly() -> None:
    # Sixteen players have fifteen others, of whom the sixth round meets three again each.
    meetings = met(draw(entrants(16), 6, 1))
    assert (len(meetings), sum(meetings.values()) - len(meetings)) == (120, 24)
    assert max(meetings.values()) == 2


def test_a_design_keeps_what_is_wished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "COOLINGS", 0)
    players = [
        Entrant(who.name, table=3 if number == 7 else None)
        for number, who in enumerate(entrants(28))
    ]
    wishes = Wishes(apart=frozenset({pair(0, 1), pair(2, 3), pair(4, 5)}))
    before = met(draw(entrants(28), 2, 5))
    drawn = draw(players, 4, 1, wishes, Past(met=before))
    assert max(met(drawn).values()) == 1
    assert not met(drawn).keys() & wishes.apart
    assert all("a7" in round_.tables[2].players for round_ in drawn.rounds)
    by_chance = sum(before[both] for both in met(draw(entrants(28), 4, 1)))
    assert sum(before[both] for both in met(drawn)) < by_chance


def test_a_table_goes_where_somebody_of_it_always_sits() -> None:
    assert at_home([[[0, 1], [2, 3], [4]]], [1, -1, -1, -1, 0]) == [[[2, 3], [0, 1], [4]]]


@pytest.mark.parametrize(
    ("sizes", "here"),
    [
        ([[4, 4, 4, 4]] * 2, [list(range(16)), list(range(1, 17))]),
        ([[4, 4, 4, 5]], [list(range(17))]),
        ([[4, 4, 4, 4]], [list(range(17))]),
        ([[4, 4]], [list(range(8))]),
    ],
)
def test_where_no_design_fits_none_is_taken(sizes: list[list[int]], here: list[list[int]]) -> None:
    assert designed(sizes, here, Random(1)) is None
