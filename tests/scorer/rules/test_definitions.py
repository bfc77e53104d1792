"""Special hands built from their definitions are recognised; one tile changed, they are not."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scorer
from scorer.rules.rulebook import load_ruleset
from tests.scorer.builders import Json, claimed
from tests.scorer.rules.definitions import BUILD, Hand, Terms, changed, hands_known

TERMS = {
    "bmja-u3a": Terms(),
    "bmja-mjbr": Terms(scholars_in_one_suit=False, gates_further="2345678"),
    "western": Terms(scholars_in_one_suit=False, gates_further="2345678"),
}
ALL = [(ruleset, name) for ruleset in TERMS for name in BUILD]
_FEW = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


def _played(ruleset: str) -> dict[str, Any]:
    return {hand.id: hand for hand in load_ruleset(ruleset).special_hand}


def _scored(ruleset: str, hand: Hand, tile: str) -> Json | None:
    """The winner's part of the result, or None when the tiles are refused as no winning hand."""
    melds = [
        {"kind": "kong" if len(meld) == 4 else "pung", "tiles": meld, "concealed": False}
        for meld in hand.melds
    ]
    winner = {"seat": "W", "concealed": hand.held, "melds": melds, "bonus": []}
    value = {
        "ruleset": ruleset,
        "players": [winner, *(claimed(seat) for seat in "ESN")],
        "win": {"seat": "W", "tile": tile, "source": "wall"},
    }
    try:
        result = scorer.score_deal(scorer.parse_deal(value))
    except scorer.DealError as error:
        if (error.player, error.field) != ("W", "concealed"):
            raise
        return None
    part = result.players[0].to_json()
    _lays_out(part, hand)
    return part


SIZES = {"pair": 2, "pung": 3, "kong": 4, "chow": 3, "knitted_pair": 2, "knitted_set": 3}


def _lays_out(part: Json, hand: Hand) -> None:
    """The sets shown are the hand's own tiles, each set of its size."""
    shown = [tile for group in part["sets"] for tile in group["tiles"]]
    assert sorted(shown) == sorted(hand.tiles)
    for group in part["sets"]:
        assert len(group["tiles"]) == SIZES.get(group["kind"], len(group["tiles"]))


def _limit_award(ruleset: str, names: set[str]) -> int:
    """The most that those hands are worth as shares of the limit."""
    rules, hands = load_ruleset(ruleset), _played(ruleset)
    assert rules.limit is not None
    shares = [hands[name].won.share_of(rules.limit.value) for name in names if name in hands]
    return max((share for share in shares if share is not None), default=0)


def _agrees(ruleset: str, hand: Hand, tile: str) -> None:
    names = hands_known(hand, TERMS[ruleset]) & _played(ruleset).keys()
    part = _scored(ruleset, hand, tile)
    if part is None:
        assert not names
        return
    special = part["hand"] != "ordinary"
    assert not special or part["hand"] in names
    assert part["total"] >= _limit_award(ruleset, names)


@pytest.mark.no_cover
@pytest.mark.parametrize(("ruleset", "name"), ALL)
@_FEW
@given(rng=st.randoms(use_true_random=False))
def test_a_hand_made_by_its_definition_is_recognised(
    ruleset: str, name: str, rng: random.Random
) -> None:
    hand = BUILD[name](rng)
    names = hands_known(hand, TERMS[ruleset])
    assert name in names
    part = _scored(ruleset, hand, rng.choice(hand.held))
    assert part is not None
    if name in _played(ruleset):
        assert part["hand"] in names | {"ordinary"}
        assert part["hand"] != "ordinary" or part["total"] > _limit_award(ruleset, {name})
    _agrees(ruleset, hand, hand.held[0])


@pytest.mark.no_cover
@pytest.mark.parametrize(("ruleset", "name"), ALL)
@_FEW
@given(rng=st.randoms(use_true_random=False))
def test_with_one_tile_changed_it_is_what_the_definitions_say(
    ruleset: str, name: str, rng: random.Random
) -> None:
    hand = changed(rng, BUILD[name](rng))
    _agrees(ruleset, hand, rng.choice(hand.held))
