"""A tile that is clear at once is looked at no further; others are, straightened and turned."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, ClassVar, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.tiles import BACK, BONUS_TILES, READING_LABELS
from tests.vision.fakes import sure_of
from tests.vision.table import lay
from vision.classify.bamboo_count import BAMBOOS, OnnxBamboos
from vision.classify.bonus_marks import OnnxMarks
from vision.classify.classifier import CLEAR_VIEW, MOVED_CORNERS, OnnxClassifier
from vision.classify.crop_reader import CropReader
from vision.classify.signs import SIGNS, WINDOW, OnnxSigns
from vision.classify.views import AGREEMENT
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
    """

    metadata: ClassVar = {"size": [96, 72], "labels": list(READING_LABELS), "min_valid": 0.5}
    entry = SimpleNamespace(file="fake.onnx")

    def __init__(
        self, labels: list[str], sure: float, upright: list[float], off: list[float]
    ) -> None:
        self._first, self._upright = sure_of(labels, sure), upright
        self._off = np.array(off, np.float32)
        self.asked: list[int] = []

    def run(self, crops: NDArray[np.uint8]) -> list[NDArray[Any]]:
        count = len(crops)
        self.asked.append(count)
        first = len(self.asked) == 1
        probabilities = self._first if first else sure_of(["1m"] * count, 0.95)
        upright = self._upright if first else [-UP] * count
        ones = np.ones((count, 4), np.float32) / 2
        corners = np.zeros((count, 4, 2), np.float32)
        if first:
            corners[:, 1, 0] = self._off
        valid = np.ones(count, np.float32)
        return [probabilities, np.array(upright, np.float32), ones, valid, corners]


class ReadsNothing:
    """Says nothing of the small print on tiles."""

    entry = SimpleNamespace(file="fake.onnx")

    def __init__(self, labels: tuple[str, ...], size: tuple[int, int]) -> None:
        self.metadata = {"labels": list(labels), "size": list(size)}
        self._even = np.full(len(labels), 1 / len(labels), np.float32)

    def run(self, crops: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        return [np.tile(self._even, (len(crops), 1))]


def classifier_of(model: FakeModel) -> OnnxClassifier:
    marks, windows, bamboos = (
        CropReader(cast("Model", ReadsNothing(labels, size)), labels)
        for labels, size in (
            (BONUS_TILES, (128, 96)),
            (SIGNS, (WINDOW, WINDOW)),
            (BAMBOOS, (128, 96)),
        )
    )
    readers = OnnxMarks(marks), OnnxSigns(windows), OnnxBamboos(bamboos)
    return OnnxClassifier(cast("Model", model), *readers)


def looks(
    labels: list[str], sure: float, upright: list[float], off: Sequence[float] = (0.0,) * COUNT
) -> list[int]:
    model = FakeModel(labels, sure, upright, list(off))
    classifier_of(model).look(IMAGE, LAID.quads)
    return [count for count in model.asked if count]


def test_tiles_that_are_clearly_upright_are_looked_at_once() -> None:
    assert looks(LAID.labels, 0.95, [UP] * COUNT) == [COUNT]


@pytest.mark.parametrize(("sure", "upright"), [(0.95, -1.0), (0.8, UP)])
def test_tiles_that_are_doubtful_are_looked_at_all_ways_up(sure: float, upright: float) -> None:
    assert looks(LAID.labels, sure, [upright] * COUNT) == [COUNT, COUNT, 2 * COUNT]


def test_a_tile_that_lies_as_clear_ones_beside_it_is_clear_sooner() -> None:
    half_sure = CLEAR_VIEW.upright / 2
    assert half_sure + 0.8 * AGREEMENT > CLEAR_VIEW.upright_as_others
    assert looks(LAID.labels, 0.95, [UP, UP, half_sure, UP, UP]) == [COUNT]
    assert looks(LAID.labels, 0.95, [half_sure] * COUNT) == [COUNT, COUNT, 2 * COUNT]
    assert looks(LAID.labels, 0.95, [UP, UP, -1.0, UP, UP]) == [COUNT, 1, 2]


def test_a_clear_back_is_turned_no_further() -> None:
    labels = [BACK, *LAID.labels[1:]]
    assert looks(labels, 0.99, [-UP, *[UP] * (COUNT - 1)]) == [COUNT]
    assert looks(labels, 0.95, [-UP, *[UP] * (COUNT - 1)]) == [COUNT, 1, 2]


def test_a_tile_is_looked_at_again_with_its_corners_where_they_are_seen() -> None:
    off = [0.0, MOVED_CORNERS.doubtful - 0.01, MOVED_CORNERS.doubtful + 0.01, 0.2, 0.9]
    assert looks(LAID.labels, 0.95, [UP] * COUNT, off) == [COUNT, 1], "a clear one if far off"
    assert looks(LAID.labels, 0.95, [-1.0] * COUNT, off) == [COUNT, 2, COUNT, 2 * COUNT]


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
