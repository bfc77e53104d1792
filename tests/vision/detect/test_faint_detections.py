"""Detections with low scores are kept apart from likely tiles."""

from __future__ import annotations

from types import SimpleNamespace
from typing import ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from tests.vision.fakes import FakeVerifier, FloatArray, answers_of
from vision.detect.search import OnnxDetector
from vision.runtime.session import Model
from vision.vocabulary.detections import Detections, Places

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
    assert scores(FakeVerifier(0.4), faint=True) == [0.35, 0.9]
    assert scores(FakeVerifier(0.05), faint=True) == [0.9]


class Gathering(FakeVerifier):
    """Sees all detections at one tile, and rejects those of the ``denied`` score."""

    def __init__(self, denied: float = 0.0) -> None:
        super().__init__()
        self.denied = denied

    def first_look(
        self, image: NDArray[np.uint8], found: Detections
    ) -> tuple[FloatArray, FloatArray]:
        chances, quads = super().first_look(image, found)
        told = np.where(np.isclose(found.scores, self.denied), np.float32(0), chances)
        return told, np.broadcast_to(quads[:1], quads.shape).copy()


def test_of_detections_that_turn_out_to_be_one_tile_the_surest_is_told() -> None:
    assert scores(Gathering(), faint=True) == [0.9]
    assert scores(Gathering(denied=0.9), faint=True) == [0.35], "what is no tile hides none"


def test_finds_are_told_where_the_verifier_sees_their_corners() -> None:
    found = OnnxDetector(cast("Model", FakeModel()), FakeVerifier()).detect(IMAGE, faint=True)
    moved = OnnxDetector(cast("Model", FakeModel()), Aside()).detect(IMAGE, faint=True)
    assert np.allclose(moved.quads, found.quads + 3)


def places_at(*corners: float, chance: float = 0.2) -> Places:
    square = np.array([[0, 0], [40, 0], [40, 40], [0, 40]], np.float32)
    quads = np.stack([square + np.float32(corner) for corner in corners])
    return Places(quads, np.full(len(corners), chance, np.float32))


def looked_at(verifier: FakeVerifier, *corners: float) -> FloatArray:
    detector = OnnxDetector(cast("Model", FakeModel()), verifier)
    found = detector.look_at(IMAGE, places_at(*corners))
    assert (found.scores < FakeModel.metadata["threshold"]).all(), "no likely tiles yet"
    assert np.allclose(found.down, 0.5), "nothing is known of which way they lie"
    return found.quads[:, 0, 0]


def test_where_no_tile_was_found_what_the_verifier_sees_may_be_one() -> None:
    assert looked_at(FakeVerifier(), 10, 50).tolist() == [10, 50]
    assert looked_at(Aside(), 10).tolist() == [13], "at the corners that it sees"
    assert looked_at(FakeVerifier(0.1), 10, 50).tolist() == [], "it sees none"
    assert looked_at(FakeVerifier(), 10, 100).tolist() == [10], "a tile is not cut off"


def test_a_tile_is_the_likelier_where_one_is_expected() -> None:
    detector = OnnxDetector(cast("Model", FakeModel()), FakeVerifier())
    seldom, often = (detector.look_at(IMAGE, places_at(10, chance=c)) for c in (0.2, 0.3))
    assert seldom.scores < often.scores < FakeModel.metadata["threshold"]


class Aside(FakeVerifier):
    """Sees all corners three pixels further on."""

    def first_look(
        self, image: NDArray[np.uint8], found: Detections
    ) -> tuple[FloatArray, FloatArray]:
        chances, quads = super().first_look(image, found)
        return chances, quads + np.float32(3)
