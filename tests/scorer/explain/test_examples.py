"""Examples of special hands, and hands to practise on."""

from __future__ import annotations

from collections import Counter

import pytest

from scorer import DealError, score_deal
from scorer.explain import examples
from scorer.explain.examples import example
from scorer.facts.shapes import SHAPES
from scorer.rules.rulebook import load_ruleset, ruleset_ids

PLAYED = [
    (ruleset, hand.id)
    for ruleset in ruleset_ids()
    for hand in load_ruleset(ruleset).special_hand
    if hand.enabled
]


@pytest.mark.parametrize(("ruleset", "special"), PLAYED)
def test_every_special_hand_has_an_example(ruleset: str, special: str) -> None:
    found = example(ruleset, special)
    assert found is not None
    assert found.result.hand == special
    assert found.deal.win is not None
    scored = score_deal(found.deal)
    part = next(p for p in scored.players if p.seat == found.deal.win.seat)
    assert part == found.best, "the deal is lawful and scored as told"
    tiles = Counter(tile for group in found.result.melds for tile in group.tiles)
    assert max(tiles.values()) <= 4
    assert found.best.total >= found.result.total


def test_an_example_that_is_worth_more_as_it_lies_says_so() -> None:
    scholars = example("bmja-u3a", "three_great_scholars")
    assert scholars is not None
    assert scholars.best.hand == "ordinary"
    assert scholars.best.total > scholars.result.total
    capped = example("bmja-mjbr", "three_great_scholars")
    assert capped is not None
    assert capped.best == capped.result


def test_the_same_seed_gives_the_same_tiles_and_another_one_others() -> None:
    first = example("bmja-u3a", "purity")
    assert first == example("bmja-u3a", "purity", seed=0)
    assert first != example("bmja-u3a", "purity", seed=1)


def test_house_rules_are_followed() -> None:
    def paired(seed: int, **changes: str) -> str:
        found = example("bmja-u3a", "wriggling_snake", changes, seed)
        assert found is not None
        return next(group.tile[0] for group in found.result.melds if group.kind == "pair")

    assert {paired(seed) for seed in range(6)} == {"1"}
    assert {paired(seed, snake_pair="any") for seed in range(6)} - {"1"}


@pytest.mark.parametrize("special", ["no_such_hand", "mah_jong"])
def test_a_hand_that_is_not_played_has_none(special: str) -> None:
    with pytest.raises(DealError, match="has no special hand"):
        example("bmja-u3a", special)


def test_a_hand_that_is_not_drawn_has_no_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examples, "_DRAWS", 0)
    assert example("bmja-u3a", "purity", seed=1000) is None
    assert example("bmja-u3a", "knitting", seed=1000) is not None, "its shape needs no draw"


def test_a_shape_that_leaves_no_room_has_no_example(monkeypatch: pytest.MonkeyPatch) -> None:
    def five_tiles(tiles: Counter[str], _numbers: object) -> tuple[int, ...] | None:
        return () if tiles.total() <= 5 else None

    monkeypatch.setattr(examples, "SHAPES", dict.fromkeys(SHAPES, five_tiles))
    assert example("bmja-u3a", "knitting", seed=2000) is None
