from __future__ import annotations

import numpy as np
import pytest

from tests.vision.fakes import sure_of
from tests.vision.table import Laid, lay, see, shuffled, turned
from vision.multiview.matching import LEAST_TILES, match_tiles

HAND = "123m 456p 789s 1155z"
TILT = np.array([[1.1, 0.15, 40.0], [-0.08, 0.9, 25.0], [1.2e-4, 2.5e-4, 1.0]])


def found(first: Laid, second: Laid, confidence: float = 0.9) -> dict[int, int] | None:
    match = match_tiles(
        first.quads,
        sure_of(first.labels, confidence).astype(np.float64),
        second.quads,
        sure_of(second.labels, confidence).astype(np.float64),
    )
    return None if match is None else {int(i): int(j) for i, j in match.pairs}


@pytest.mark.parametrize("degrees", [0, 20, 90, 180])
def test_the_same_tiles_are_found_from_another_place(degrees: float) -> None:
    first = lay("777z|222s", HAND)
    order = np.random.default_rng(2).permutation(len(first.labels))
    second = shuffled(turned(see(first, TILT), degrees), [int(i) for i in order])
    pairs = found(first, second)
    assert pairs == {int(i): place for place, i in enumerate(order)}


def test_the_change_of_view_carries_one_picture_to_the_other() -> None:
    first = lay("777z", HAND)
    second = see(first, TILT)
    chances = sure_of(first.labels).astype(np.float64)
    match = match_tiles(first.quads, chances, second.quads, chances)
    assert match is not None
    back = see(second, match.matrix)
    assert np.allclose(back.quads, first.quads, atol=0.5)


def test_pictures_that_share_a_part_match_in_that_part() -> None:
    whole = lay("123456789m 1234p")
    left = Laid(whole.labels[:9], whole.quads[:9])
    right = see(Laid(whole.labels[5:], whole.quads[5:]), TILT)
    assert found(left, right) == {5: 0, 6: 1, 7: 2, 8: 3}


def test_a_row_shifted_by_one_is_not_taken_for_itself() -> None:
    first = lay("1112223334445z")
    assert found(first, see(first, TILT)) == {i: i for i in range(len(first.labels))}


def test_a_tile_read_otherwise_is_matched_by_its_place() -> None:
    first = lay(HAND)
    second = see(first, TILT)
    wrong = Laid([*second.labels[:4], "9m", *second.labels[5:]], second.quads)
    assert found(first, wrong) == {i: i for i in range(len(first.labels))}


def test_other_tiles_are_not_matched() -> None:
    assert found(lay(HAND), lay("999m 222p 111s 6677z")) is None


def test_the_same_tiles_laid_otherwise_are_not_matched_all() -> None:
    pairs = found(lay("123m 456p 789s"), lay("917m 253p 684s"))
    assert pairs is None or len(pairs) < 4


def test_too_few_tiles_are_not_matched() -> None:
    first = lay("12m")
    assert len(first.labels) < LEAST_TILES
    assert found(first, first) is None


def test_nothing_matches_nothing() -> None:
    empty = Laid([], np.empty((0, 4, 2), np.float32))
    assert found(empty, empty) is None
