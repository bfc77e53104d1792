"""A photo of one tile and a reader of its small print, for tests of what is made of that."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BONUS_TILES
from vision.classify.bonus_marks import OnnxMarks
from vision.classify.crop_reader import CropReader
from vision.runtime.session import Model
from vision.vocabulary.labels import INDICES

SIZE: Final = (32, 24)
_STRIPES: Final = np.repeat(np.arange(200, dtype=np.uint8)[:, np.newaxis, np.newaxis], 3, axis=2)
PHOTO: Final = np.ascontiguousarray(np.broadcast_to(_STRIPES, (200, 150, 3)))
"""Darker the higher."""
QUAD: Final = np.array([[30, 100], [60, 100], [60, 140], [30, 140]], np.float32)


class FakeMarks:
    """Reads the same mark on everything it is shown.

    Attributes:
        asked: how many crops it was shown.
        shown: the last of them.
    """

    entry = SimpleNamespace(file="fake.onnx")

    def __init__(self, said: str, sure: float, labels: Sequence[str] = BONUS_TILES) -> None:
        self.metadata: dict[str, Any] = {"labels": list(labels), "size": list(SIZE)}
        others = (1 - sure) / (len(labels) - 1)
        self._answer = [sure if label == said else others for label in labels]
        self.asked = 0
        self.shown = np.empty((0, *SIZE, 3), np.uint8)

    def run(self, crops: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        self.asked += len(crops)
        self.shown = crops
        return [np.array([self._answer] * len(crops), np.float32).reshape(-1, len(self._answer))]


def marks_by(model: FakeMarks) -> OnnxMarks:
    """The model as the reader of marks."""
    return OnnxMarks(CropReader(cast("Model", model), BONUS_TILES))


def saying(index: str = "", sure: float = 0.999) -> FakeMarks:
    """A reader of indices that reads the same on everything, by default nothing."""
    return FakeMarks(index, sure, INDICES)


def indices_by(model: FakeMarks) -> CropReader:
    """The model as the reader of indices."""
    return CropReader(cast("Model", model), INDICES)
