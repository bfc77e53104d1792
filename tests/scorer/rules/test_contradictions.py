"""Conditions that no hand can meet are refused; those that some hand meets never are."""

from __future__ import annotations

import random
import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scorer
from scorer.counting.count import HandScorer
from scorer.errors import RulesetError
from scorer.evaluation.evaluate import hand_scorer
from scorer.melds import traits_held
from scorer.rules import contradictions
from scorer.rules.compiled import POINTS
from scorer.rules.conditions import CONDITIONS
from scorer.rules.contradictions import Asked, Holder, Search
from scorer.rules.rulebook import check_table
from tests.scorer.builders import BY_POINTS
from tests.scorer.tables import build

CLUB = {"id": "ours", "name": "Ours", "description": "-", "base": "bmja-u3a"}
NEVER = {
    "id": "never",
    "name": "Never",
    "description": "Cannot be.",
    "shape": "sets",
    "won": {"limit": "1/2"},
    "cite": "our table",
}


def contradicting(asked: tuple[Asked, ...], holder: Holder) -> tuple[Asked, ...]:
    return Search(most=1_000_000).contradicting(asked, holder)


def _refused(table: str, entry: dict[str, Any]) -> str:
    with pytest.raises(RulesetError) as caught:
        check_table(CLUB | {table: [entry]}, "ours.toml")
    assert caught.value.key == f"{table}.{entry['id']}"
    return str(caught.value.reason)


@pytest.mark.parametrize(
    ("entry", "named"),
    [
        ({"when": ["no_honours", "all_honours"]}, "when no_honours and when all_honours"),
        (
            {"when": ["no_chow", "four_kongs"], "unless": ["no_chow"]},
            "when no_chow and unless no_chow",
        ),
        ({"when": ["one_suit", "all_terminals"]}, "when one_suit and when all_terminals"),
        ({"when": ["one_suit"], "unless": ["some_honours", "no_honours"]}, "unless some_honours"),
        ({"when": ["scoreless"]}, "meet this: when scoreless;"),
        ({"when": ["robbed_kong"], "exposed": "none"}, "when robbed_kong and exposed none"),
        ({"when": ["no_honours"], "winning_tile": "5z"}, "when no_honours and winning_tile 5z"),
        ({"when": ["no_bonus", "own_flower"]}, "when no_bonus and when own_flower"),
        ({"when": ["dealt", "last_tile_of_wall"]}, "when dealt and when last_tile_of_wall"),
        ({"when": ["after_two_kongs", "no_kong"]}, "when after_two_kongs and when no_kong"),
        ({"when": ["dealt"], "unless": ["all_concealed"]}, "when dealt and unless all_concealed"),
        (
            {"when": ["one_suit", "some_honours", "all_terminals"], "shape": "complete"},
            "when some_honours and when all_terminals",
        ),
        (
            {"when": ["three_dragon_sets", "all_green", "own_flower"]},
            "when three_dragon_sets and when all_green",
        ),
        (
            {"when": ["no_kong", "some_honours", "some_terminals"], "unless": ["no_chow"]}
            | {"winning_tile": "5m", "when": ["all_majors", "some_honours"]},
            "when all_majors and unless no_chow",
        ),
        ({"shape": "one_of_each_major", "winning_tile": "5m"}, "five characters"),
        ({"shape": "knitted_pairs", "winning_tile": "1z"}, "east wind"),
    ],
)
def test_a_special_hand_that_cannot_be_is_refused_by_name(
    entry: dict[str, Any], named: str
) -> None:
    assert named.lower() in _refused("special_hand", NEVER | entry).lower()


def test_three_conditions_of_which_any_two_can_be_are_named_together() -> None:
    asked: tuple[Asked, ...] = (
        ("when", "dealer"),
        ("when", "all_green"),
        ("when", "no_chow"),
        ("when", "no_kong"),
        ("unless", "some_honours"),
        ("unless", "one_suit"),
        ("when", "loose_tile"),
        ("when", "no_bonus"),
    )
    assert contradicting(asked, "sets") == (("when", "all_green"), ("unless", "one_suit"))
    three = tuple(one for one in asked if one != ("unless", "one_suit"))
    expected = (("when", "no_kong"), ("when", "loose_tile"), ("when", "no_bonus"))
    assert contradicting(three, "sets") == expected


def test_a_rule_for_a_winner_that_cannot_be_is_refused_too() -> None:
    rule = {"id": "never", "text": "Never", "cite": "our table", "doubles": 1, "who": "winner"}
    found = _refused("rule", rule | {"when": ["four_chows", "four_kongs"]})
    assert "when four_chows and when four_kongs" in found


def test_what_tiles_of_no_set_can_have_is_no_contradiction_in_a_rule_for_everyone() -> None:
    asked: tuple[Asked, ...] = (("when", "one_suit"), ("when", "all_terminals"))
    assert contradicting(asked, "winner")
    assert not contradicting(asked, "everyone")
    assert contradicting((("when", "no_honours"), ("when", "all_honours")), "everyone")


def _holder(name: str) -> Holder:
    """Whose hand meets a condition: called fishing and did not go out is no winner's."""
    return "everyone" if name == "called_fishing" else "winner"


@pytest.mark.parametrize("name", CONDITIONS)
@pytest.mark.parametrize("key", ["when", "unless"])
def test_no_condition_contradicts_itself(name: str, key: str) -> None:
    assert contradicting(((key, name),), _holder(name)) == ()


def _facts(hand: HandScorer, rng: random.Random) -> list[Asked]:
    """Each condition as it is answered by one reading of a hand."""
    way = rng.choice([way for way in hand.ways() if way.special is None])
    traits = hand.worth.traits(way.reading)
    if hand.win is None:
        traits |= traits_held(hand.hand.naturals)
    points = sum(hand.tally.melds.worth[number] & POINTS for number in way.reading)
    facts: list[Asked] = []
    for name, condition in CONDITIONS.items():
        if condition.reading is not None:
            holds = condition.reading(traits, points)
        else:
            assert condition.situation is not None
            holds = condition.situation(hand.situation)
        facts.append(("when" if holds else "unless", name))
    return facts


@pytest.mark.no_cover
@settings(max_examples=40)
@given(st.sampled_from(BY_POINTS), st.randoms(use_true_random=False))
def test_what_a_hand_at_a_table_meets_is_no_contradiction(ruleset: str, rng: random.Random) -> None:
    deal = scorer.parse_deal(build(rng, ruleset=ruleset))
    assert deal.win is not None
    for player in deal.players:
        won = player.seat == deal.win.seat
        facts = _facts(hand_scorer(deal, player.seat), rng)
        if won and deal.win.tile is not None:
            facts.append(("winning_tile", deal.win.tile))
        for count in (3, 7):
            asked = tuple(rng.sample(facts, count))
            assert contradicting(asked, "winner" if won else "everyone") == (), asked
            if won:
                special = tuple(fact for fact in asked if fact[1] != "scoreless")
                assert contradicting(special, "sets") == ()
                assert contradicting(special, "complete") == ()


@pytest.mark.no_cover
@settings(max_examples=40)
@given(st.integers(0, 2**32))
def test_finding_out_takes_little_time(seed: int) -> None:
    rng = random.Random(seed)
    hands = []
    for number in range(100):
        names = rng.sample(sorted(CONDITIONS), rng.randint(1, 24))
        hands.append({**NEVER, "id": f"hand-{number}", "when": names[::2], "unless": names[1::2]})
    contradictions._known.clear()
    begun = time.thread_time()
    with suppress(RulesetError):
        check_table(CLUB | {"special_hand": hands}, "ours.toml")
    assert time.thread_time() - begun < 2


def test_what_is_not_decided_is_no_contradiction(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: tuple[Asked, ...] = (("when", "no_honours"), ("when", "all_honours"))
    monkeypatch.setattr(contradictions, "_known", {})
    assert Search(most=0).contradicting(asked, "sets") == ()
    assert Search().contradicting(asked, "sets") == asked


def test_no_more_is_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contradictions, "_MAX_KNOWN", 2)
    monkeypatch.setattr(contradictions, "_known", {})
    for name in CONDITIONS:
        assert Search().can_be((("when", name),), _holder(name))
        assert 0 < len(contradictions._known) <= 2


def test_a_table_too_long_is_refused() -> None:
    rule = {"id": "never", "text": "Never", "cite": "-", "doubles": 1, "when": ["no_chow"] * 13}
    with pytest.raises(RulesetError, match="when: has 13 entries; the most is 12, so remove some"):
        check_table(CLUB | {"rule": [rule]}, "ours.toml")
    hands = [NEVER | {"id": f"hand-{number}"} for number in range(151)]
    with pytest.raises(RulesetError, match=r"special_hand: has 170 entries; the most is 150"):
        check_table(CLUB | {"special_hand": hands}, "ours.toml")


@pytest.mark.parametrize("name", [name for name, each in CONDITIONS.items() if each.reading])
def test_a_condition_names_every_trait_that_it_looks_at(name: str) -> None:
    condition, rng = CONDITIONS[name], random.Random(name)
    assert condition.reading is not None
    for number in range(2000):
        held = rng.getrandbits(27) & rng.getrandbits(27) if number % 2 else rng.getrandbits(27)
        assert condition.reading(held, 1) == condition.reading(held & condition.traits, 1)
