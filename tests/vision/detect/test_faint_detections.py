"""Detections with low scores are kept apart from likely tiles."""

from __future__ import annotations

from types import SimpleNamespace
from typing import ClassVar, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.fakes import FakeVerifier, answers_of
from vision.detect import search
from vision.detect.search import Looks, OnnxDetector
from vision.runtime.session import Model
from vision.vocabulary.detections import Detections

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


def test_faint_detections_are_told_when_asked_for_and_no_cut_tiles_are_among_them() -> None:
    assert scores(FakeVerifier(), faint=False) == [0.9]
    assert scores(FakeVerifier(), faint=True) == [0.35, 0.9]


def test_what_the_verifier_doubts_is_no_likely_tile() -> None:
    assert scores(FakeVerifier(0.4), faint=False) == []
    assert scores(FakeVerifier(0.4), faint=True) == [0.14, 0.36]
    assert scores(FakeVerifier(0.05), faint=True) == [0.04]


class Gathering(FakeVerifier):
    """Sees all detections at one tile, and rejects those of the ``denied`` score."""

    def __init__(self, denied: float = 0.0) -> None:
        super().__init__()
        self.denied = denied

    def verified(self, image: NDArray[np.uint8], found: Detections) -> Detections:
        judged = super().verified(image, found)
        scores = np.where(np.isclose(found.scores, self.denied), np.float32(0), judged.scores)
        quads = np.broadcast_to(judged.quads[:1], judged.quads.shape).copy()
        return Detections(quads, scores, judged.down)


def test_of_detections_that_turn_out_to_be_one_tile_the_surest_is_told() -> None:
    assert scores(Gathering(), faint=True) == [0.9]
    assert scores(Gathering(denied=0.9), faint=True) == [0.35], "what is no tile hides none"


def test_finds_are_told_where_the_verifier_sees_their_corners() -> None:
    found = OnnxDetector(cast("Model", FakeModel()), FakeVerifier()).detect(IMAGE, faint=True)
    moved = OnnxDetector(cast("Model", FakeModel()), Aside()).detect(IMAGE, faint=True)
    assert np.allclose(moved.quads, found.quads + 3)


COLUMNS = (44, 54, 64, 74)
MANY = {(row, column): 0.9 for row in (44, 64) for column in COLUMNS} | {
    (54, column): 0.25 + column / 1000 for column in COLUMNS
}
"""Eight likely tiles and four faint ones."""


class Counting(FakeVerifier):
    """Judges by the detector's scores, and keeps those that it is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[float] = []

    def verified(self, image: NDArray[np.uint8], found: Detections) -> Detections:
        self.shown += found.scores.round(3).tolist()
        return super().verified(image, found)


@pytest.mark.parametrize(
    ("limits", "shown", "told"),
    [
        (Looks(), 12, [*[0.9] * 8, 0.324, 0.314, 0.304, 0.294]),
        (Looks(most_faint=2), 12, [*[0.9] * 8, 0.324, 0.314]),
        (Looks(most_faint=0), 12, [0.9] * 8),
        (Looks(most=9), 9, [*[0.9] * 8, 0.324]),
        (Looks(most=3), 3, [0.9] * 3),
    ],
    ids=["few", "two faint", "none faint", "nine looked at", "three looked at"],
)
def test_of_very_many_detections_the_surest_are_looked_at_and_kept(
    limits: Looks, shown: int, told: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "LOOKS", limits)
    monkeypatch.setitem(globals(), "SCORES", MANY)
    verifier = Counting()
    image = np.zeros((256, 256, 3), np.uint8)
    found = OnnxDetector(cast("Model", FakeModel()), verifier).detect(image, faint=True)
    assert sorted(found.scores.round(3).tolist(), reverse=True) == pytest.approx(told)
    assert sorted(verifier.shown) == pytest.approx(sorted(MANY.values())[-shown:])


class Aside(FakeVerifier):
    """Sees all corners three pixels further on."""

    def verified(self, _image: NDArray[np.uint8], found: Detections) -> Detections:
        return found.at(found.quads + np.float32(3))
