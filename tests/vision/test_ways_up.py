"""A tile that is clear at once is looked at no further; others are, turned."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, ClassVar, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.tiles import BACK, READING_LABELS
from tests.vision.fakes import sure_of
from tests.vision.table import lay
from vision.classify import CLEARLY_AS_OTHERS, CLEARLY_UPRIGHT, OnnxClassifier
from vision.sessions import Model
from vision.views import AGREEMENT

LAID = lay("12345p")
COUNT = len(LAID.labels)
IMAGE = np.zeros((500, 900, 3), np.uint8)
UP = CLEARLY_UPRIGHT + 2


class FakeModel:
    """Answers the first look as told, later ones that the tile lies upside down.

    Attributes:
        asked: how many crops it was shown in each look.
    """

    metadata: ClassVar = {"size": [96, 72], "labels": list(READING_LABELS), "min_valid": 0.5}
    entry = SimpleNamespace(file="fake.onnx")

    def __init__(self, labels: list[str], sure: float, upright: list[float]) -> None:
        self._first, self._upright = sure_of(labels, sure), upright
        self.asked: list[int] = []

    def run(self, crops: NDArray[np.uint8]) -> list[NDArray[Any]]:
        count = len(crops)
        self.asked.append(count)
        first = len(self.asked) == 1
        probabilities = self._first if first else sure_of(["1m"] * count, 0.95)
        upright = self._upright if first else [-UP] * count
        ones = np.ones((count, 4), np.float32) / 2
        return [probabilities, np.array(upright, np.float32), ones, np.ones(count, np.float32)]


def looks(labels: list[str], sure: float, upright: list[float]) -> list[int]:
    model = FakeModel(labels, sure, upright)
    OnnxClassifier(cast("Model", model)).look(IMAGE, LAID.quads)
    return [count for count in model.asked if count]


def test_tiles_that_are_clearly_upright_are_looked_at_once() -> None:
    assert looks(LAID.labels, 0.95, [UP] * COUNT) == [COUNT]


@pytest.mark.parametrize(("sure", "upright"), [(0.95, -1.0), (0.8, UP)])
def test_tiles_that_are_doubtful_are_looked_at_all_ways_up(sure: float, upright: float) -> None:
    assert looks(LAID.labels, sure, [upright] * COUNT) == [COUNT, COUNT, 2 * COUNT]


def test_a_tile_that_lies_as_clear_ones_beside_it_is_clear_sooner() -> None:
    half_sure = CLEARLY_UPRIGHT / 2
    assert half_sure + 0.8 * AGREEMENT > CLEARLY_AS_OTHERS
    assert looks(LAID.labels, 0.95, [UP, UP, half_sure, UP, UP]) == [COUNT]
    assert looks(LAID.labels, 0.95, [half_sure] * COUNT) == [COUNT, COUNT, 2 * COUNT]
    assert looks(LAID.labels, 0.95, [UP, UP, -1.0, UP, UP]) == [COUNT, 1, 2]


def test_a_clear_back_is_turned_no_further() -> None:
    labels = [BACK, *LAID.labels[1:]]
    assert looks(labels, 0.99, [-UP, *[UP] * (COUNT - 1)]) == [COUNT]
    assert looks(labels, 0.95, [-UP, *[UP] * (COUNT - 1)]) == [COUNT, 1, 2]
