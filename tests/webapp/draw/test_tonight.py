"""Rounds are drawn for those who are here in them, after those that are being played."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webapp.book.draws import asked, entrants_of
from webapp.draw import drawing as module
from webapp.draw.drawing import Round, draw
from webapp.draw.entrants import DrawRefused, Entrant, Odd, Past, Wishes
from webapp.draw.tonight import AS_MANY, after
from webapp.evening.visits import Visit

NOW = datetime.now(UTC)


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Good tables are looked for only for a moment."""
    monkeypatch.setattr(module, "STEPS", 200)


VISITS = st.lists(
    st.tuples(st.integers(1, 5) | st.none(), st.integers(1, 5) | st.none()), min_size=3, max_size=24
).map(
    lambda planned: [
        Visit(f"a{at}", f"A{at}", guest=False, first=first, last=last, phone=None, at=NOW)
        for at, (first, last) in enumerate(planned)
    ]
)
"""People of whom each comes for a round and leaves after one, some never to be here at all."""


@settings(max_examples=60, deadline=None)
@given(VISITS, st.integers(1, 4), st.integers(1, 3), st.sampled_from(Odd))
def test_no_round_seats_anybody_who_is_not_there(
    visits: list[Visit], first: int, rounds: int, odd: Odd
) -> None:
    here = [{v.person for v in visits if v.plays(first + at)} for at in range(rounds)]
    entrants, wishes = asked(entrants_of(visits, first, {}), (), odd)
    if min(map(len, here)) < 3:
        with pytest.raises(DrawRefused, match="few"):
            draw(entrants, rounds, 1, wishes)
        return
    drawn = draw(entrants, rounds, 1, wishes)
    assert [round_.everybody for round_ in drawn.rounds] == here


def pairs(round_: Round) -> Counter[frozenset[str]]:
    return Counter(frozenset(two) for t in round_.tables for two in combinations(t.players, 2))


def test_rounds_that_are_drawn_later_go_on_from_those_that_are_being_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "STEPS", 8000)
    players = [Entrant(f"a{number}") for number in range(16)]
    now = draw(players, 1, 1).rounds[0]
    past = after(Past(met={frozenset(("a0", "a1")): 1}), [now])
    later = draw(players, 1, 2, past=past).rounds[0]
    assert max((pairs(now) + pairs(later)).values()) == 1, "nobody meets again"
    assert {table.players[0] for table in now.tables} == set(past.east)
    assert past.met[frozenset(now.tables[0].players[:2])] >= AS_MANY
    five = draw(players[:5], 1, 1).rounds[0]
    nine = draw(players[:9], 1, 1, Wishes(odd=Odd.REST)).rounds[0]
    assert set(after(Past(), [five, nine]).odd) == five.everybody | {*nine.resting}
