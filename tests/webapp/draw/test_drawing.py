"""Whoever is here is seated once a round, and the draw is as fair as it is known that it can be."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webapp.draw import drawing as module
from webapp.draw.drawing import Drawing, draw
from webapp.draw.entrants import DrawRefused, Entrant, Odd, Past, Strength, Wishes
from webapp.draw.shortcomings import Shortcoming, shortcomings


def entrants(count: int) -> list[Entrant]:
    """Players called a0, a1 and so on."""
    return [Entrant(f"a{number}") for number in range(count)]


def pair(one: int, other: int) -> frozenset[str]:
    """Two of the entrants."""
    return frozenset((f"a{one}", f"a{other}"))


def met(drawing: Drawing) -> Counter[frozenset[str]]:
    """How often each two players meet."""
    return Counter(
        frozenset(both)
        for round_ in drawing.rounds
        for table in round_.tables
        for both in combinations(table.players, 2)
    )


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A draw that looks for good tables only for a moment."""
    monkeypatch.setattr(module, "STEPS", 300)


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """A draw that looks for good tables for half a second."""
    monkeypatch.setattr(module, "STEPS", 8000)
    monkeypatch.setattr(module, "COOLINGS", 3)


@pytest.mark.usefixtures("hurried")
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_everybody_who_is_here_is_seated_once_a_round(data: st.DataObject) -> None:
    count, rounds = data.draw(st.integers(3, 45)), data.draw(st.integers(1, 4))
    late = data.draw(st.integers(0, count - 3))
    players = [
        Entrant(who.name, first=1 if number < late else 0, last=0 if number == count - 1 else None)
        for number, who in enumerate(entrants(count))
    ]
    wishes = Wishes(odd=data.draw(st.sampled_from(Odd)))
    if any(sum(who.plays(number) for who in players) < 3 for number in range(rounds)):
        with pytest.raises(DrawRefused, match="few"):
            draw(players, rounds, 1, wishes)
        return
    drawn = draw(players, rounds, 1, wishes)
    for number, round_ in enumerate(drawn.rounds):
        seated = [name for table in round_.tables for name in table.players]
        here = [who.name for who in players if who.plays(number)]
        assert sorted((*seated, *round_.resting)) == sorted(here)
        assert {len(table.players) for table in round_.tables} <= {3, 4, 5}
        assert len(round_.resting) <= (3 if wishes.odd is Odd.REST else 0)


@pytest.mark.parametrize(
    ("count", "odd", "sizes"),
    [
        (5, Odd.FIVES, [5]),
        (6, Odd.FIVES, [3, 3]),
        (7, Odd.FIVES, [4, 3]),
        (21, Odd.FIVES, [4, 4, 4, 4, 5]),
        (21, Odd.THREES, [4, 4, 4, 3, 3, 3]),
        (21, Odd.REST, [4, 4, 4, 4, 4]),
        (23, Odd.FIVES, [4, 4, 4, 4, 4, 3]),
    ],
)
@pytest.mark.usefixtures("hurried")
def test_those_left_over_are_dealt_with_as_the_club_likes(
    count: int, odd: Odd, sizes: list[int]
) -> None:
    drawn = draw(entrants(count), 1, 1, Wishes(odd=odd))
    assert [len(table.players) for table in drawn.rounds[0].tables] == sizes


@pytest.mark.parametrize(("count", "rounds"), [(16, 5), (20, 4), (20, 5), (40, 4), (60, 4)])
def test_nobody_meets_twice_where_that_is_known_to_be_possible(count: int, rounds: int) -> None:
    drawn = draw(entrants(count), rounds, 0)
    assert max(met(drawn).values()) == 1


@pytest.mark.usefixtures("brief")
def test_the_least_possible_meetings_are_reached_where_some_must_meet_twice() -> None:
    # Each of eight players meets three others in each of seven rounds: 21 meetings with seven.
    assert set(met(draw(entrants(8), 7, 1)).values()) == {3}


def test_who_met_this_season_meets_last() -> None:
    before = draw(entrants(24), 2, 1)
    past = Past(met=met(before))
    after = draw(entrants(24), 2, 2, past=past)
    assert max((met(before) + met(after)).values()) == 1


@pytest.mark.usefixtures("brief")
def test_those_who_sat_out_before_play_now() -> None:
    past = Past(odd={f"a{number}": 1 for number in range(5)})
    drawn = draw(entrants(9), 1, 1, Wishes(odd=Odd.REST), past)
    assert set(drawn.rounds[0].resting).isdisjoint(past.odd)


@pytest.mark.usefixtures("brief")
def test_wishes_are_kept() -> None:
    players = [
        Entrant(who.name, table=2 if number == 7 else None)
        for number, who in enumerate(entrants(20))
    ]
    wishes = Wishes(
        apart=frozenset({pair(0, 1), pair(2, 3)}), together=frozenset({pair(8, 9), pair(7, 6)})
    )
    drawn = draw(players, 4, 1, wishes)
    meetings = met(drawn)
    assert [meetings[pair(*two)] for two in ((0, 1), (2, 3), (8, 9), (7, 6))] == [0, 0, 4, 4]
    assert all("a7" in round_.tables[1].players for round_ in drawn.rounds)
    assert not [found for found in shortcomings(drawn, players, wishes) if found.kind != "again"]


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize(
    ("minded", "low", "high"), [(Strength.BALANCED, 0, 3), (Strength.ALIKE, 12, 20)]
)
def test_strength_is_minded_as_the_club_likes(minded: Strength, low: int, high: int) -> None:
    players = [Entrant(who.name, strength=n) for n, who in enumerate(entrants(20))]
    tables = draw(players, 1, 1, Wishes(strength=minded)).rounds[0].tables
    means = [sum(int(name[1:]) for name in table.players) / 4 for table in tables]
    assert low <= max(means) - min(means) <= high


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("seed", range(6))
def test_everybody_is_first_east_as_often_as_the_others(seed: int) -> None:
    drawn = draw(entrants(28), 4, seed)
    firsts = Counter(table.players[0] for round_ in drawn.rounds for table in round_.tables)
    assert firsts == dict.fromkeys((who.name for who in entrants(28)), 1)
    past = Past(east=dict.fromkeys(firsts.keys() - {"a0", "a1", "a2"}, 1))
    drawn = draw(entrants(28), 1, seed, past=past)
    assert {"a0", "a1", "a2"} <= {table.players[0] for table in drawn.rounds[0].tables} or any(
        len({"a0", "a1", "a2"} & set(table.players)) > 1 for table in drawn.rounds[0].tables
    )


@pytest.mark.usefixtures("brief")
def test_the_same_seed_draws_the_same() -> None:
    assert draw(entrants(13), 2, 5) == draw(entrants(13), 2, 5)
    assert draw(entrants(13), 2, 5) != draw(entrants(13), 2, 6)


@pytest.mark.usefixtures("brief")
def test_two_change_places_by_hand() -> None:
    drawn = draw(entrants(9), 2, 1, Wishes(odd=Odd.REST))
    resting = drawn.rounds[1].resting[0]
    first = drawn.rounds[1].tables[0].players[0]
    changed = drawn.exchanged(1, first, resting)
    assert changed.rounds[0] == drawn.rounds[0]
    assert changed.rounds[1].resting == (first,)
    assert changed.rounds[1].tables[0].players[0] == resting
    with pytest.raises(DrawRefused, match="unknown"):
        drawn.exchanged(0, first, "nobody")


@pytest.mark.usefixtures("hurried")
def test_what_cannot_be_given_is_told() -> None:
    players = [Entrant("a0"), Entrant("a1"), Entrant("a2", table=2), Entrant("a3")]
    wishes = Wishes(apart=frozenset({pair(0, 1)}))
    told = shortcomings(draw(players, 2, 1, wishes), players, wishes)
    assert told[:2] == (
        Shortcoming("apart", ("a0", "a1"), (1, 2)),
        Shortcoming("table", ("a2",), (1, 2)),
    )
    assert {found.kind for found in told[2:]} == {"again"}
    eight = entrants(8)
    wishes = Wishes(together=frozenset({pair(a, b) for a in range(5) for b in range(a)}))
    assert "together" in {s.kind for s in shortcomings(draw(eight, 1, 1, wishes), eight, wishes)}
    out = Drawing(draw(entrants(9), 3, 1, Wishes(odd=Odd.REST)).rounds[:1] * 3, 1)
    assert [s for s in shortcomings(out, entrants(9), Wishes()) if s.kind == "odd"] == [
        Shortcoming("odd", out.rounds[0].resting, (1, 2, 3))
    ]


@pytest.mark.parametrize(
    ("players", "rounds", "wishes", "kind"),
    [
        (entrants(2), 1, Wishes(), "few"),
        (entrants(4), 0, Wishes(), "rounds"),
        ([*entrants(4), Entrant("a0")], 1, Wishes(), "twice"),
        (entrants(4), 1, Wishes(apart=frozenset({pair(0, 9)})), "unknown"),
        (
            entrants(4),
            1,
            Wishes(apart=frozenset({pair(0, 1)}), together=frozenset({pair(0, 1)})),
            "apart_together",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(
    players: list[Entrant], rounds: int, wishes: Wishes, kind: str
) -> None:
    with pytest.raises(DrawRefused) as refusal:
        draw(players, rounds, 1, wishes)
    assert refusal.value.kind == kind
