"""True corners and faces of whole tables are told apart into the true hands."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.hands.cases import Case, content_of, only_readable, path_traced
from datasets.pathtraced.scenes import design_of, layout_of, plan_scene
from datasets.pathtraced.table.plan import ScenePlan
from datasets.pathtraced.truth import shown_quad
from datasets.sets.faces import FaceSet
from scorer.tiles import BACK
from vision.layout.arrange import Layout, arrange
from vision.vocabulary.readings import HandReading

NEVER_RENDERED = range(400, 1000)


def arranged(case: Case) -> Layout:
    known = only_readable(case)
    return arrange(known.quads, known.labels)


def test_hands_of_the_benchmark_are_told_from_walls_discards_and_each_other() -> None:
    cases = [case for case in path_traced() if not case.covered]
    wrong = [
        case.name
        for case in cases
        if {hand.position: content_of(hand) for hand in arranged(case).hands} != case.hands
    ]
    assert len(wrong) <= 0.02 * len(cases), wrong
    assert not [case.name for case in cases if case.layout == "table" and case.name in wrong]


def planned(number: int) -> ScenePlan:
    proportion = float(np.random.default_rng(number).uniform(0.69, 0.8))
    faces = cast("FaceSet", SimpleNamespace(proportion=proportion))
    return plan_scene(number, design_of(number), faces, samples=1)


def in_sight(plan: ScenePlan) -> tuple[NDArray[np.float32], list[str], list[int]]:
    """Corners, labels and owners of what can be seen of the planned tiles from the camera."""
    centres = np.array([tile.centre for tile in plan.tiles])
    height, width = plan.view.size
    quads, labels, owners = [], [], []
    for tile in plan.tiles:
        beside = np.hypot(*(centres[:, :2] - tile.centre[:2]).T) < 0.6
        quad, back, sine = shown_quad(plan, tile)
        inside = bool((quad > 0).all() and (quad < (width, height)).all())
        if (centres[beside, 2] > tile.centre[2] + 0.3).any() or sine < 0.17 or not inside:
            continue
        quads.append(quad)
        labels.append(BACK if back else tile.tile)
        owners.append(tile.hand)
    return np.array(quads, np.float32), labels, owners


def truth(plan: ScenePlan) -> list[tuple[list[str], int, list[str]]]:
    return sorted(
        (sorted(hand.concealed), len(hand.melds), sorted(hand.bonus)) for hand in plan.hands
    )


def found(hands: tuple[HandReading, ...]) -> list[tuple[list[str], int, list[str]]]:
    return sorted((sorted(h.concealed), len(h.melds), sorted(h.bonus)) for h in hands)


TABLES = [number for number in NEVER_RENDERED if layout_of(number) == "table"][:12]
HANDS = [number for number in NEVER_RENDERED if layout_of(number) != "table"][:30]


@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_layouts_that_nothing_was_tuned_on_are_told_apart(noise: float) -> None:
    rng = np.random.default_rng(5)
    wrong, seen = [], 0
    for number in (*TABLES, *HANDS):
        plan = planned(number)
        quads, labels, owners = in_sight(plan)
        if sum(owner >= 0 for owner in owners) < sum(tile.hand >= 0 for tile in plan.tiles):
            continue
        seen += 1
        widths = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
        quads += (rng.normal(0, noise, quads.shape) * widths[:, None, None]).astype(np.float32)
        if found(arrange(quads, labels).hands) != truth(plan):
            wrong.append(number)
    assert seen >= 35
    assert len(wrong) <= 1, wrong


def test_discards_of_as_many_tiles_as_a_hand_are_no_second_one() -> None:
    plan = planned(316)
    quads, labels, _ = in_sight(plan)
    assert found(arrange(quads, labels).hands) == truth(plan)


def test_the_players_of_a_table_sit_where_the_photographer_sees_them() -> None:
    plan = planned(TABLES[0])
    quads, labels, _ = in_sight(plan)
    hands = arrange(quads, labels).hands
    sides = {hand.position: sorted(hand.concealed) for hand in hands}
    assert sides == {hand.position: sorted(hand.concealed) for hand in plan.hands}
    assert [hand.position for hand in hands] == ["near", "right", "far", "left"]
    across = np.stack([5000 - quads[..., 1], quads[..., 0]], axis=-1).astype(np.float32)
    turned = arrange(across, labels).hands
    assert turned[1].concealed == hands[0].concealed or turned[3].concealed == hands[0].concealed


def test_strays_and_reasons_of_a_table_name_tiles_that_are_there() -> None:
    plan = planned(TABLES[1])
    quads, labels, owners = in_sight(plan)
    layout = arrange(quads, labels)
    for hand in layout.hands:
        assert len({owners[index] for index in hand.tiles}) == 1
        assert min(owners[index] for index in hand.tiles) >= 0
