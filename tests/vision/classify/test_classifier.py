"""A tile that is clear at once is looked at no further; others are, straightened and turned."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, ClassVar, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.tiles import BACK, READING_LABELS
from tests.vision.classify.small_print import FakeMarks, indices_by, marks_by, saying
from tests.vision.fakes import sure_of
from tests.vision.table import lay
from vision.classify.classifier import (
    CLEAR_VIEW,
    MOVED_CORNERS,
    VIEW_BUDGET,
    OnnxClassifier,
    ViewBudget,
)
from vision.classify.views import AGREEMENT, Views
from vision.runtime.session import Model

LAID = lay("12345p")
COUNT = len(LAID.labels)
IMAGE = np.full((500, 900, 3), 200, np.uint8)
UP = CLEAR_VIEW.upright + 2


class FakeModel:
    """Answers the first look as told, later ones that the tile lies upside down.

    In the first look it sees the top-right corner of each tile ``off`` by so many widths.

    Attributes:
        asked: how many crops it was shown in each look.
        valid: how likely each shows a tile in the first look.
    """

    metadata: ClassVar = {"size": [96, 72], "labels": list(READING_LABELS)}
    entry = SimpleNamespace(file="fake.onnx")

    def __init__(
        self, labels: list[str], sure: float, upright: list[float], off: list[float]
    ) -> None:
        self._first, self._upright = sure_of(labels, sure), np.array(upright, np.float32)
        self._off = np.array(off, np.float32)
        self.valid = np.ones(len(labels), np.float32)
        self.asked: list[int] = []

    def run(self, crops: NDArray[np.uint8]) -> list[NDArray[Any]]:
        places = np.arange(len(crops)) + sum(self.asked)
        first = places < len(self._first)
        at = np.where(first, places, 0)
        self.asked.append(len(crops))
        later = sure_of(["1m"], 0.95)
        probabilities = np.where(first[:, np.newaxis], self._first[at], later)
        upright = np.where(first, self._upright[at], np.float32(-UP))
        ones = np.ones((len(crops), 4), np.float32) / 2
        corners = np.zeros((len(crops), 4, 2), np.float32)
        corners[:, 1, 0] = np.where(first, self._off[at], 0)
        valid = np.where(first, self.valid[at], np.float32(1))
        return [probabilities, upright, ones, valid, corners]


def classifier_of(model: FakeModel) -> OnnxClassifier:
    """The model with a reader of marks that can read none."""
    marks = marks_by(FakeMarks("1f", 1 / 8))
    return OnnxClassifier(cast("Model", model), marks, indices_by(saying()))


def looks(
    labels: list[str],
    sure: float,
    upright: list[float],
    off: Sequence[float] = (0.0,) * COUNT,
    turned: int = 0,
) -> list[int]:
    model = FakeModel(labels, sure, upright, list(off))
    classifier_of(model).look(IMAGE, np.roll(LAID.quads, turned, axis=1))
    return [count for count in model.asked if count]


def test_tiles_that_are_clearly_upright_are_looked_at_once() -> None:
    assert looks(LAID.labels, 0.95, [UP] * COUNT) == [COUNT]


@pytest.mark.parametrize(("sure", "upright"), [(0.95, 0.5), (0.8, UP)])
def test_tiles_that_are_doubtful_are_looked_at_upside_down(sure: float, upright: float) -> None:
    assert looks(LAID.labels, sure, [upright] * COUNT) == [COUNT, COUNT]


def test_doubtful_tiles_that_seem_to_lie_across_are_looked_at_all_ways_up() -> None:
    for turned in (0, 1):
        asked = looks(LAID.labels, 0.95, [-1.0] * COUNT, turned=turned)
        assert asked == [COUNT, COUNT, 2 * COUNT]
    assert looks(LAID.labels, 0.95, [UP] * COUNT, turned=1) == [COUNT]


def test_a_tile_that_lies_as_clear_ones_beside_it_is_clear_sooner() -> None:
    half_sure = CLEAR_VIEW.upright / 2
    assert half_sure + 0.8 * AGREEMENT > CLEAR_VIEW.upright_as_others
    assert looks(LAID.labels, 0.95, [UP, UP, half_sure, UP, UP]) == [COUNT]
    assert looks(LAID.labels, 0.95, [half_sure] * COUNT) == [COUNT, COUNT]
    assert looks(LAID.labels, 0.95, [UP, UP, -1.0, UP, UP]) == [COUNT, 1]


@pytest.mark.parametrize(("shown", "asked"), [(BACK, [COUNT]), ("5z", [COUNT]), ("6z", [COUNT, 1])])
def test_what_has_no_print_is_turned_no_further(shown: str, asked: list[int]) -> None:
    labels = [shown, *LAID.labels[1:]]
    assert looks(labels, 0.95, [-UP, *[UP] * (COUNT - 1)]) == asked
    assert looks(labels, 0.85, [-UP, *[UP] * (COUNT - 1)])[:2] == [COUNT, COUNT]


def test_a_tile_is_looked_at_again_with_its_corners_where_they_are_seen() -> None:
    off = [0.0, MOVED_CORNERS.clear - 0.01, MOVED_CORNERS.clear + 0.01, 0.2, 0.9]
    assert looks(LAID.labels, 0.95, [UP] * COUNT, off) == [COUNT, 2], "clear ones if far off"
    assert looks(LAID.labels, 0.95, [-1.0] * COUNT, off) == [COUNT, COUNT, 2 * COUNT]


@pytest.mark.parametrize(("off", "seen"), [(0.2, 0.2), (-0.1, -0.1), (0.9, 0.0)])
def test_corners_are_told_where_they_are_seen_unless_that_is_far_off(
    off: float, seen: float
) -> None:
    model = FakeModel(LAID.labels, 0.95, [UP] * COUNT, [off] * COUNT)
    before = LAID.quads.copy()
    views = classifier_of(model).look(IMAGE, LAID.quads)
    wanted = LAID.quads.copy()
    wanted[:, 1, 0] += seen * (wanted[:, 1, 0] - wanted[:, 0, 0])
    assert np.allclose(views.quads, wanted, atol=0.01)
    assert np.array_equal(LAID.quads, before)


def doubtful(valid: NDArray[np.float32]) -> Views:
    """So many tiles that are clear in no view, across, and tiles with that probability at first."""
    count = len(valid)
    places = np.arange(count, dtype=np.float32)
    corners = np.array([[30, 0], [30, 40], [0, 40], [0, 0]], np.float32)
    quads = corners + np.stack([places % 20 * 42, places // 20 * 60], axis=1)[:, np.newaxis]
    model = FakeModel(["3p"] * count, 0.5, [-1.0] * count, [0.2] * count)
    model.valid = valid
    return classifier_of(model).look(IMAGE, quads)


def further(views: Views) -> NDArray[np.int64]:
    """How many views were read of each tile after the first."""
    return np.bincount(views.owners, minlength=views.count) - 1


def test_the_number_of_further_views_grows_with_that_of_tiles() -> None:
    budget = ViewBudget(share=0.5, least=10)
    assert [budget.of(count) for count in (0, 4, 20, 21, 300)] == [10, 10, 10, 10, 150]


@pytest.mark.parametrize("count", [1, 5, VIEW_BUDGET.least // 3])
def test_few_doubtful_tiles_are_each_read_in_every_view(count: int) -> None:
    assert further(doubtful(np.ones(count, np.float32))).tolist() == [3] * count


@pytest.mark.parametrize("count", [VIEW_BUDGET.least // 3 + 1, 40, 110])
def test_no_more_views_are_read_than_a_photo_may_take(count: int) -> None:
    most, again = VIEW_BUDGET.of(count), further(doubtful(np.ones(count, np.float32)))
    assert most < 3 * count
    assert most - 2 <= again.sum() <= most


def test_further_views_are_first_of_what_most_looks_like_a_tile() -> None:
    count = VIEW_BUDGET.least - 4
    valid = np.random.default_rng(4).permutation(np.linspace(0.1, 1, count)).astype(np.float32)
    views = further(doubtful(valid))
    assert (views >= 1).all(), "there are enough for one of each, upside down"
    again = views > 1
    assert again.sum() == (VIEW_BUDGET.of(count) - count) // 2
    assert valid[again].min() > valid[~again].max()


def test_of_what_shows_no_tile_no_second_view_is_read() -> None:
    valid = np.ones(5, np.float32)
    valid[[1, 3]] = VIEW_BUDGET.valid / 2
    assert further(doubtful(valid)).tolist() == [3, 0, 3, 0, 3]
