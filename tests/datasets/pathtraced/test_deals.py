"""Path-traced scenes show lawful deals, laid without overlap."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest

from datasets.pathtraced.scenes import (
    DESIGNS,
    FIRST_PROFILE,
    FIRST_TRAINING,
    SCENE_COUNT,
    design_of,
    layout_of,
    plan_deal,
    plan_scene,
)
from datasets.pathtraced.table.deals import TableDeal, deal
from datasets.pathtraced.table.plan import Floats, Placed, ScenePlan
from datasets.pathtraced.table.views import box_points
from datasets.pathtraced.training import of_several_sets, with_keyboard, with_more_of_some
from datasets.sets.sources import VAL_DESIGNS
from scorer import parse_deal, score_deal
from scorer.tiles import BONUS_TILES, PLAYING_TILES, SEATS, TILES
from tests.datasets.pathtraced.traced_scenes import PLANNED, as_player, faces_of, planned


@cache
def dealt(seed: int) -> TableDeal:
    return deal(np.random.default_rng(seed))


@pytest.mark.parametrize("seed", range(30))
def test_a_deal_uses_each_of_the_144_tiles_once(seed: int) -> None:
    hands = dealt(seed).hands
    held = Counter(dealt(seed).rest)
    for hand in hands:
        held.update([*hand.concealed, *hand.bonus])
        held.update(tile for meld in hand.melds for tile in meld.tiles)
    assert held == Counter({**dict.fromkeys(PLAYING_TILES, 4), **dict.fromkeys(BONUS_TILES, 1)})
    for hand in hands:
        assert len(hand.concealed) + 3 * len(hand.melds) == 13 + hand.won


def test_winners_really_win() -> None:
    won = 0
    for seed in range(40):
        hands = dealt(seed).hands
        winner = next((hand for hand in hands if hand.won), None)
        if winner is None:
            continue
        players = [as_player(hand) for hand in hands]
        win = {"seat": winner.seat, "tile": winner.concealed[0], "source": "wall"}
        result = score_deal(parse_deal({"ruleset": "bmja-u3a", "players": players, "win": win}))
        totals = {player.seat: player.total for player in result.players}
        assert totals[winner.seat] >= 20
        won += 1
    assert won >= 30


def test_the_designs_are_never_trained_on() -> None:
    assert len(set(DESIGNS)) == len(DESIGNS) >= 20
    assert set(DESIGNS) <= VAL_DESIGNS


def test_there_are_enough_scenes_of_each_layout() -> None:
    counts = Counter(layout_of(number) for number in range(SCENE_COUNT))
    assert 70 <= counts["hand"] <= 80
    assert 25 <= counts["table"] <= 30
    assert counts["hard"] >= 20
    assert layout_of(FIRST_PROFILE) == "profile"


def test_a_number_always_gives_the_same_scene() -> None:
    assert repr(plan_scene(1, design_of(1), faces_of(1), 1)) == repr(
        plan_scene(1, design_of(1), faces_of(1), 1)
    )
    assert repr(planned(0).tiles) != repr(planned(22).tiles)


def to_learn_from(number: int) -> ScenePlan:
    plan = plan_scene(FIRST_TRAINING + number, 900, faces_of(0), 1)
    return with_more_of_some(np.random.default_rng(number), plan)


def test_scenes_to_train_on_hold_more_of_what_is_seldom_dealt() -> None:
    lawful = Counter({**dict.fromkeys(PLAYING_TILES, 4), **dict.fromkeys(BONUS_TILES, 1)})
    plans = [to_learn_from(number) for number in range(24)]
    as_dealt = [plan for plan in plans if plan.hands]
    assert 2 <= len(as_dealt) <= 14
    assert all(not Counter(tile.tile for tile in plan.tiles) - lawful for plan in as_dealt)
    shares = [np.mean([t.tile in BONUS_TILES for t in plan.tiles]) for plan in plans]
    assert sum(share > 0.2 for share in shares) >= 3
    assert [tile.tile for tile in to_learn_from(5).tiles] == [tile.tile for tile in plans[5].tiles]


def test_the_tiles_of_a_scene_to_train_on_are_of_several_sets() -> None:
    plan = plan_scene(FIRST_TRAINING, 900, faces_of(0), 1)
    assert {tile.of_set for tile in plan.tiles} == {0}
    mixed = of_several_sets(np.random.default_rng(3), plan, 4)
    assert set(Counter(tile.of_set for tile in mixed.tiles)) == {0, 1, 2, 3}
    assert [tile.tile for tile in mixed.tiles] == [tile.tile for tile in plan.tiles]


def test_in_some_scenes_to_train_on_like_tiles_are_of_one_set() -> None:
    plan = plan_scene(FIRST_TRAINING, 900, faces_of(0), 1)
    several = 0
    for seed in range(20):
        mixed = of_several_sets(np.random.default_rng(seed), plan, 4)
        sets_of = {kind: {t.of_set for t in mixed.tiles if t.tile == kind} for kind in TILES}
        several += any(len(sets) > 1 for sets in sets_of.values())
    assert 3 <= several <= 14


def test_in_some_scenes_to_train_on_whole_kinds_are_exchanged() -> None:
    whole = mixed = 0
    for number in range(24):
        dealt = plan_scene(FIRST_TRAINING + number, 900, faces_of(0), 1)
        plan = to_learn_from(number)
        shown: dict[str, set[str]] = {}
        for before, after in zip(dealt.tiles, plan.tiles, strict=True):
            shown.setdefault(before.tile, set()).add(after.tile)
        if not plan.hands:
            at_once = all(len(kinds) == 1 for kinds in shown.values())
            whole, mixed = whole + at_once, mixed + (not at_once)
    assert whole >= 3
    assert mixed >= 3


def test_keyboards_lie_in_sight_beside_the_tiles() -> None:
    found = 0
    for number in range(12):
        plan = plan_scene(FIRST_TRAINING + number, 900, faces_of(0), 1)
        props = with_keyboard(np.random.default_rng(number), plan).props
        assert props[: len(plan.props)] == plan.props
        for keyboard in props[len(plan.props) :]:
            place = np.array(keyboard.position)
            assert (plan.view.project(place) < plan.view.size[::-1]).all()
            away = [np.linalg.norm(tile.centre - place) for tile in plan.tiles]
            assert min(away) > min(keyboard.size[:2]) / 2
            found += 1
    assert 3 <= found <= 12


@pytest.mark.parametrize("number", PLANNED)
def test_the_hands_lie_on_the_table_as_they_are_stored(number: int) -> None:
    plan = planned(number)
    for index, hand in enumerate(plan.hands):
        groups: dict[str, list[Placed]] = {}
        for tile in plan.tiles:
            if tile.hand == index:
                groups.setdefault(tile.group, []).append(tile)
        assert Counter(t.tile for t in groups.pop("hand")) == Counter(hand.concealed)
        assert Counter(t.tile for t in groups.pop("bonus", [])) == Counter(hand.bonus)
        for place, meld in enumerate(hand.melds):
            laid = groups.pop(f"meld {place}")
            assert tuple(tile.tile for tile in laid) == meld.tiles
            down = tuple(i for i, tile in enumerate(laid) if tile.axes[2, 2] < -0.9)
            assert down == meld.down
        assert groups == {}
    assert max(Counter(tile.tile for tile in plan.tiles).values()) <= 4
    shown = Counter(tile.tile for tile in plan.tiles if tile.tile in BONUS_TILES)
    assert max(shown.values(), default=1) == 1


def overlap(first: Floats, second: Floats) -> float:
    """How far two upright boxes, given by their ground plans (4, 2), reach into each other."""
    least = np.inf
    for box in (first, second):
        for edge in (box[1] - box[0], box[3] - box[0]):
            axis = edge / np.linalg.norm(edge)
            a, b = first @ axis, second @ axis
            least = min(least, float(min(a.max(), b.max()) - max(a.min(), b.min())))
    return least


@pytest.mark.parametrize("number", PLANNED)
def test_no_two_tiles_are_in_the_same_place(number: int) -> None:
    plan = planned(number)
    lying = [tile for tile in plan.tiles if abs(tile.axes[2, 2]) > 0.9]
    half = np.array([1.0, plan.shape.height]) / 2
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    plans = [tile.centre[:2] + (signs * half) @ tile.axes[:2, :2].T for tile in lying]
    for i, tile in enumerate(lying):
        for j in range(i):
            if abs(tile.centre[2] - lying[j].centre[2]) < plan.shape.depth / 2:
                assert overlap(plans[i], plans[j]) < 0.06, (number, i, j)


@pytest.mark.parametrize("number", PLANNED)
def test_all_tiles_of_the_hands_are_in_the_picture(number: int) -> None:
    plan = planned(number)
    height, width = plan.view.size
    for tile in plan.tiles:
        if tile.hand >= 0:
            seen = plan.view.project(box_points(tile, plan.shape))
            assert (seen > 0).all()
            assert (seen < (width, height)).all()


def test_a_profile_sheet_holds_each_face_once() -> None:
    plan = planned(FIRST_PROFILE)
    assert sorted(tile.tile for tile in plan.tiles) == sorted(TILES)


def test_a_deal_is_planned_as_four_photos_of_one_set() -> None:
    plans = plan_deal(3, 900, faces_of(0), 1)
    assert [plan.layout for plan in plans] == ["hand"] * 4
    assert len({plan.number for plan in plans}) == 4
    assert [plan.hands[0].seat for plan in plans] == list(SEATS)
    held = Counter(tile.tile for plan in plans for tile in plan.tiles if tile.hand == 0)
    assert max(held.values()) <= 4
    assert max(held[tile] for tile in BONUS_TILES) == 1
    discards = [tile.tile for plan in plans for tile in plan.tiles if tile.group == "discard"]
    assert not set(discards) & set(BONUS_TILES)
    assert repr(plans) == repr(plan_deal(3, 900, faces_of(0), 1))
