"""A standing adds up, does not depend on who was entered first, and says how a tie was broken."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webapp.contest.plan import Plan, PlanRefused
from webapp.contest.presets import PRESETS
from webapp.contest.results import Adjustment, Score, Stage, Table, Team
from webapp.contest.rules import Count, Missed, Rules, place_points
from webapp.contest.standing import Contest, Line
from webapp.contest.tie_breaks import TIE_BREAKS

PLACES = Rules().places


def table(**points: int) -> Table:
    """A table at which these won and lost so much."""
    return tuple(Score(player, gain) for player, gain in points.items())


def stages(*tables: Table, running: bool = False) -> tuple[Stage, ...]:
    """A stage of one table each, of which the last may still be played."""
    last = len(tables) - 1
    return tuple(
        Stage(str(number), (one,), complete=not (running and number == last))
        for number, one in enumerate(tables)
    )


def told(lines: tuple[Line, ...]) -> str:
    """Places, players and totals, such as ``1 a 4``; ``=`` after a place that is shared."""
    return ", ".join(
        f"{line.place or '-'}{'=' if line.shared else ''} {line.who} {line.total}" for line in lines
    )


ROUNDS = stages(table(a=9, b=5, c=-4, d=-10), table(a=-7, b=7, c=1, d=-1), table(b=3, d=-3, e=0))


@pytest.mark.parametrize(
    ("points", "shares"),
    [
        ((30, 10, -10, -30), "4 2 1 0"),
        ((10, 10, -5, -15), "3 3 1 0"),
        ((0, 0, 0, 0), "7/4 7/4 7/4 7/4"),
        ((5, -1, -4), "4 2 1"),
        ((9, 3, 0, -4, -8), "4 2 1 0 0"),
        ((9, 3, 0, -6, -6), "4 2 1 0 0"),
    ],
)
def test_equal_players_share_what_their_places_are_worth(
    points: tuple[int, ...], shares: str
) -> None:
    assert " ".join(map(str, place_points(points, PLACES))) == shares


@pytest.mark.parametrize(
    ("rules", "standing"),
    [
        (Rules(), "1 b 10, 2 a 4, 3 c 3, 4 e 2, 5 d 2"),
        (Rules(count=Count.POINTS), "1 b 15, 2 a 2, 3 e 0, 4 c -3, 5 d -14"),
        (Rules(missed=Missed.AVERAGE), "1 b 10, 2 a 6, 3 e 6, 4 c 9/2, 5 d 2"),
        (Rules(missed=Missed.SKIPPED), "1 b 10/3, 2 a 2, 3 e 2, 4 c 3/2, 5 d 2/3"),
        (Rules(best=2), "1 b 8, 2 a 4, 3 c 3, 4 e 2, 5 d 2"),
        (Rules(least=2), "1 b 10, 2 a 4, 3 c 3, 4 d 2, - e 2"),
        (Rules(count=Count.POINTS, best=2), "1 b 12, 2 a 9, 3 c 1, 4 e 0, 5 d -4"),
        (
            Rules(count=Count.POINTS, best=2, missed=Missed.SKIPPED),
            "1 b 6, 2 a 1, 3 e 0, 4 c -3/2, 5 d -2",
        ),
    ],
)
def test_totals_are_what_the_club_says(rules: Rules, standing: str) -> None:
    assert told(Contest(rules, ROUNDS).standing(3)) == standing


def test_a_tie_is_broken_by_the_first_that_tells_the_two_apart_and_says_so() -> None:
    level = (
        (Score("a", 4, 1, 64), Score("b", -4, 1, 32)),
        (Score("a", -4, 1, 16), Score("c", 4, 2, 64)),
        (Score("b", 4, 1, 64), Score("c", -4, 0)),
    )
    found = {
        tie: Contest(Rules(ties=(tie,)), stages(*level)).standing(3) for tie in sorted(TIE_BREAKS)
    }
    assert {tie: told(lines) for tie, lines in found.items()} == dict.fromkeys(
        found, "1= a 6, 1= b 6, 1= c 6"
    )
    more = (*level, (Score("a", 1, 0), Score("d", -1)), (Score("b", 9, 0), Score("e", -9)))
    both = Contest(Rules(ties=("won", "points", "meeting")), stages(*more)).standing(5)
    assert told(both) == "1 b 10, 2 a 10, 3 c 6, 4 d 2, 5 e 2"
    assert [line.by for line in both] == ["points", "points", "", "points", "points"]


def test_who_was_ahead_where_they_met_decides() -> None:
    met = stages(table(a=5, b=2, c=-7), table(b=9, d=-9), table(a=-1, d=1), table(c=3, d=-3))
    lines = Contest(Rules(ties=("meeting",)), met).standing(4)
    assert told(lines) == "1 d 8, 2 a 6, 3 b 6, 4 c 5"
    assert [line.by for line in lines] == ["", "meeting", "meeting", ""]


def test_a_penalty_counts_from_its_round_on_and_moves_places() -> None:
    late = Adjustment("b", Fraction(-3, 2), "came late", since="1")
    contest = Contest(Rules(), ROUNDS, (late, Adjustment("c", Fraction(1), "helped")))
    assert told(contest.standing(1)) == "1 a 4, 2 b 2, 3 c 2, 4 d 0"
    lines = contest.standing(2)
    assert told(lines) == "1 b 9/2, 2 a 4, 3 c 4, 4 d 1"
    assert [line.change for line in lines] == [1, -1, 0, 0]
    assert [line.adjusted for line in lines] == [Fraction(-3, 2), 0, 1, 0]
    assert [line.change for line in contest.standing(1)] == [None] * 4
    assert [line.change for line in contest.standing(3) if line.who == "e"] == [None]


def test_teams_count_their_best_or_all() -> None:
    teams = (Team("Winds", ("a", "d")), Team("Dragons", ("b", "c", "z")), Team("Nobody", ()))
    every = Contest(Rules(), ROUNDS, teams=teams).team_standing(3)
    assert told(every) == "1 Dragons 13, 2 Winds 6, 3 Nobody 0"
    best = Contest(Rules(of_team=1, least=3), ROUNDS, teams=teams).team_standing(3)
    assert told(best) == "1 Dragons 10, 2 Winds 4, 3 Nobody 0"
    assert [line.counted for line in best] == [("b",), ("a",), ()]
    assert [line.change for line in best] == [0, 0, 0]


def test_the_last_complete_stage_is_the_one_before_the_first_that_runs() -> None:
    assert Contest(Rules(), ROUNDS).complete == 3
    assert Contest(Rules(), stages(table(a=1, b=-1), table(a=0, b=0), running=True)).complete == 1
    assert Contest(Rules(), ()).standing(0) == ()


@st.composite
def contests(draw: st.DrawFn) -> Contest:
    """A contest of a few players; whatever is lost at a table is won there."""
    people = [f"p{number}" for number in range(draw(st.integers(4, 9)))]
    found = []
    for number in range(draw(st.integers(1, 4))):
        seats = draw(st.permutations(people))[: draw(st.sampled_from([4, 8]))]
        tables = [seats[at : at + 4] for at in range(0, len(seats) - 3, 4)]
        found.append(Stage(str(number), tuple(_gains(draw, names) for names in tables)))
    rules = Rules(
        count=draw(st.sampled_from(Count)),
        places=draw(st.sampled_from([preset.rules.places for preset in PRESETS])),
        ties=tuple(draw(st.lists(st.sampled_from(sorted(TIE_BREAKS)), unique=True, max_size=3))),
        missed=draw(st.sampled_from(Missed)),
        best=draw(st.sampled_from([None, 1, 2])),
        least=draw(st.integers(0, 2)),
    )
    return Contest(rules, tuple(found))


def _gains(draw: st.DrawFn, names: list[str]) -> Table:
    gains = draw(st.lists(st.integers(-2, 2), min_size=3, max_size=3))
    gains.append(-sum(gains))
    return tuple(
        Score(name, gain, draw(st.integers(0, 2))) for name, gain in zip(names, gains, strict=True)
    )


@settings(max_examples=40, deadline=None)
@given(contests())
def test_what_is_given_at_the_tables_is_what_is_in_the_standing(contest: Contest) -> None:
    plain = Contest(Rules(count=contest.rules.count), contest.stages)
    lines = plain.standing(len(plain.stages))
    tables = sum(len(stage.tables) for stage in plain.stages)
    given_out = tables * (sum(PLACES) if plain.rules.count is Count.PLACES else 0)
    assert sum(line.total for line in lines) == given_out
    assert sum(line.figures.points for line in lines) == 0


@settings(max_examples=40, deadline=None)
@given(contests(), st.randoms(use_true_random=False))
def test_the_order_in_which_results_come_in_changes_nothing(
    contest: Contest, chance: Random
) -> None:
    turned = tuple(
        Stage(
            stage.key,
            tuple(
                tuple(chance.sample(one, len(one)))
                for one in chance.sample(stage.tables, len(stage.tables))
            ),
        )
        for stage in contest.stages
    )
    after = len(contest.stages)
    assert Contest(contest.rules, turned).standing(after) == contest.standing(after)


@settings(max_examples=40, deadline=None)
@given(contests())
def test_places_are_shared_by_those_alone_whom_nothing_tells_apart(contest: Contest) -> None:
    lines = contest.standing(len(contest.stages))
    ranked = [line for line in lines if line.place is not None]
    assert all(line.played >= contest.rules.least for line in ranked)
    assert [line.total for line in ranked] == sorted((x.total for x in ranked), reverse=True)
    for line in ranked:
        ahead = sum(other.place < line.place for other in ranked if other.place and line.place)
        assert line.place == ahead + 1
        level = [other for other in ranked if other.place == line.place]
        assert line.shared == (len(level) > 1)
        assert {other.total for other in level} == {line.total}
        assert line.by in ("", *contest.rules.ties)
    parts = [part for line in lines for part in line.parts if part is not None and part.counts]
    most = contest.rules.best or len(contest.stages)
    assert len(parts) <= most * len(lines)


@pytest.mark.parametrize(
    "foreign",
    [
        {"places": ["1e999999999"]},
        {"places": ["1/0"]},
        {"places": []},
        {"places": 4},
        {"ties": ["luck"]},
        {"count": "luck"},
        {"missed": None},
    ],
)
def test_what_another_program_wrote_is_refused(foreign: dict[str, object]) -> None:
    plan = Plan("Winter").to_json()
    assert Plan.from_json(plan) == Plan("Winter")
    with pytest.raises(PlanRefused):
        Plan.from_json(plan | {"rules": plan["rules"] | foreign})
    for broken in ({}, plan | {"first": "soon"}, plan | {"teams": [1]}):
        with pytest.raises(PlanRefused):
            Plan.from_json(broken)


def test_players_who_were_joined_are_one() -> None:
    given = Adjustment("old", Fraction(1), "helped")
    plan = Plan(teams=(Team("Winds", ("old", "new", "c")),), adjustments=(given,))
    now = plan.standing_for({"older": "old", "old": "new"})
    assert now.teams == (Team("Winds", ("new", "c")),)
    assert [one.player for one in now.adjustments] == ["new"]


def test_everything_comes_back_from_what_is_kept() -> None:
    for preset in PRESETS:
        kept = json.loads(json.dumps(preset.rules.to_json()))
        assert Rules.from_json(kept) == preset.rules
        assert set(preset.rules.ties) <= set(TIE_BREAKS)
    late, team = Adjustment("a", Fraction(-1, 2), "late", "2"), Team("Winds", ("a", "b"))
    assert Adjustment.from_json(json.loads(json.dumps(late.to_json()))) == late
    assert Team.from_json(json.loads(json.dumps(team.to_json()))) == team
