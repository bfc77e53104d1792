"""What may be a tile is told apart from what is likely one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from tests.vision.fakes import FakeVerifier, answers_of
from vision.detect import OnnxDetector
from vision.sessions import Model

IMAGE = np.zeros((128, 128, 3), np.uint8)
SCORES = {(24, 24): 0.9, (24, 36): 0.35, (24, 1): 0.35, (36, 24): 0.05}
"""By row and column of the cell."""


class FakeModel:
    """Finds tiles of six cells by six in the cells of ``SCORES``."""

    metadata: ClassVar = {"threshold": 0.45, "stride": 8}
    entry = SimpleNamespace(file="fake.onnx")

    def run(self, image: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        return answers_of(image, SCORES, 3)


def scores(verifier: FakeVerifier, *, faint: bool) -> list[float]:
    detector = OnnxDetector(cast("Model", FakeModel()), verifier)
    return sorted(round(float(score), 2) for score in detector.detect(IMAGE, faint=faint).scores)


def test_faint_finds_are_told_when_asked_for_and_no_cut_tiles_are_among_them() -> None:
    assert scores(FakeVerifier(), faint=False) == [0.9]
    assert scores(FakeVerifier(), faint=True) == [0.35, 0.9]


def test_what_the_verifier_doubts_is_no_likely_tile() -> None:
    assert scores(FakeVerifier(0.4), faint=False) == []
    assert scores(FakeVerifier(0.4), faint=True) == [0.35, 0.9]
    assert scores(FakeVerifier(0.05), faint=True) == [0.9]
