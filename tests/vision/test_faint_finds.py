"""What may be a tile is told apart from what is likely one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from vision.detect import OnnxDetector
from vision.sessions import Model

IMAGE = np.zeros((128, 128, 3), np.uint8)
SCORES = {(24, 24): 0.9, (24, 36): 0.35, (24, 1): 0.35, (36, 24): 0.2}
"""By row and column of the cell."""


class FakeModel:
    """Finds tiles of six cells by six in the cells of ``SCORES``."""

    metadata: ClassVar = {"threshold": 0.45, "stride": 8}
    entry = SimpleNamespace(file="fake.onnx")

    def run(self, image: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        rows, columns = image.shape[1] // 8, image.shape[2] // 8
        heat = np.zeros((1, 2, rows, columns), np.float32)
        for (row, column), score in SCORES.items():
            if row < rows and column < columns:
                heat[0, 0, row, column] = score
        corners = np.zeros((1, 4, 8, rows, columns), np.float32)
        corners += np.array([-3, -3, 3, -3, 3, 3, -3, 3], np.float32)[:, None, None]
        return [heat, np.zeros((1, 4, rows, columns), np.float32), corners]


def scores(*, faint: bool) -> list[float]:
    detector = OnnxDetector(cast("Model", FakeModel()))
    return sorted(round(float(score), 2) for score in detector.detect(IMAGE, faint=faint).scores)


def test_faint_finds_are_told_when_asked_for_and_no_cut_tiles_are_among_them() -> None:
    assert scores(faint=False) == [0.9]
    assert scores(faint=True) == [0.35, 0.9]
