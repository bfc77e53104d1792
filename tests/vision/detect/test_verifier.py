"""The verifier looks at detections with what lies around them."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.fakes import FakeDetector
from vision.detect.verifier import OnnxVerifier
from vision.geometry.crops import SURROUNDINGS_SIZE, with_surroundings
from vision.runtime.session import Model
from vision.vocabulary.detections import Detections

QUAD = np.array([[200, 150], [260, 160], [255, 245], [190, 235]], np.float32)


def black_with(*quads: NDArray[np.float32]) -> NDArray[np.uint8]:
    image = np.zeros((400, 500, 3), np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(image, quad.astype(np.int32), (255, 255, 255))
    return image


def test_the_detection_is_the_middle_half_of_what_is_looked_at() -> None:
    (crop,) = with_surroundings(black_with(QUAD), QUAD[np.newaxis])
    height, width = SURROUNDINGS_SIZE
    inside = np.zeros(SURROUNDINGS_SIZE, np.bool_)
    inside[height * 3 // 10 : height * 7 // 10, width * 3 // 10 : width * 7 // 10] = True
    near = np.zeros(SURROUNDINGS_SIZE, np.bool_)
    near[height // 5 : height * 4 // 5, width // 5 : width * 4 // 5] = True
    assert (crop[inside] > 200).all()
    assert (crop[~near] < 50).all()


@pytest.mark.parametrize(
    "quad",
    [
        np.array([[10, 10], [60, 12], [58, 80], [5, 78]], np.float32),
        np.array([[200, 150], [260, 150], [275, 190], [185, 190]], np.float32),
        np.array([[200, 150], [260, 150], [350, 190], [110, 190]], np.float32),
    ],
    ids=["at the edge", "from low down", "bent beyond all perspective"],
)
def test_any_detection_has_surroundings(quad: NDArray[np.float32]) -> None:
    crops = with_surroundings(black_with(quad), quad[np.newaxis])
    assert crops.shape == (1, *SURROUNDINGS_SIZE, 3)
    row, column = SURROUNDINGS_SIZE[0] // 2, SURROUNDINGS_SIZE[1] // 2
    assert (crops[0, row - 2 : row + 2, column] > 200).all()


ASIDE = 0.125


class FakeModel:
    """Takes white surroundings for proof against a tile, and against its lying face up.

    All corners it sees to the right of where they are, by an eighth of the detection.
    """

    def run(self, crops: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        assert len(crops), "the network is not asked about nothing"
        odds = np.where(crops[:, 0].mean(axis=(1, 2)) > 128, -9.0, 9.0).astype(np.float32)
        corners = np.broadcast_to(np.array([ASIDE, 0], np.float32), (len(crops), 4, 2))
        return [odds, -odds, corners]


class Approaching:
    """Sees corners to the right of where they are, at each look as far as told, and is sure."""

    def __init__(self, *aside: list[float]) -> None:
        self.looks_left = list(aside)

    def run(self, crops: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        seen = np.array(self.looks_left.pop(0), np.float32)
        assert len(seen) == len(crops)
        corners = np.zeros((len(crops), 4, 2), np.float32)
        corners[:, :, 0] = seen[:, np.newaxis]
        odds = np.full(len(crops), 9.0, np.float32)
        return [odds, odds, corners]


def detections(*quads: NDArray[np.float32], scores: list[float]) -> Detections:
    even = np.full(len(quads), 0.5, np.float32)
    return Detections(np.stack(quads), np.array(scores, np.float32), even)


def test_a_detection_is_the_likelier_a_tile_the_more_both_say_so() -> None:
    verifier = OnnxVerifier(cast("Model", FakeModel()))
    image = black_with(QUAD, QUAD + np.array([200, 0], np.float32))
    image[:, 350:] = 255
    found = detections(QUAD, QUAD, QUAD + np.array([200, 0], np.float32), scores=[0.9, 0.3, 0.9])
    verified = verifier.verified(image, found)
    sure, faint, denied = verified.scores
    assert 1 > sure > faint
    assert sure > denied > 0
    assert sure > 0.9
    assert verified.down[0] < 0.2
    assert verified.down[2] > 0.8
    assert verified.quads.shape == (3, 4, 2)
    assert np.linalg.norm(verified.quads[0, 0] - QUAD[0] - ASIDE * (QUAD[1] - QUAD[0])) < 1


@pytest.mark.parametrize(
    ("looks", "aside"),
    [
        (([0.1, 0.3], [0.05]), (0.1, 0.35)),
        (([0.3, 0.3], [0.2, 0.0], [0.2]), (0.7, 0.3)),
        (([0.0, 0.1],), (0.0, 0.1)),
        (([0.0, 0.9],), (0.0, 0.0)),
    ],
    ids=["one from there", "thrice at most", "none is far", "too far to be believed"],
)
def test_corners_seen_far_off_are_looked_for_from_there(
    looks: tuple[list[float], ...], aside: tuple[float, float]
) -> None:
    square = np.array([[100, 100], [180, 100], [180, 220], [100, 220]], np.float32)
    first = Approaching(*looks)
    verifier = OnnxVerifier(cast("Model", first))
    found = detections(square, square + np.array([0, 150], np.float32), scores=[0.9, 0.9])
    verified = verifier.verified(black_with(), found)
    moved = verified.quads[:, 0, 0] - found.quads[:, 0, 0]
    assert moved == pytest.approx(np.array(aside) * 80, abs=0.01)
    assert (verified.scores > 0.9).all()
    assert not first.looks_left


def test_where_nothing_is_found_nothing_is_looked_at() -> None:
    found = FakeDetector(
        np.empty((0, 4, 2), np.float32), np.empty(0, np.float32), np.empty(0, np.float32)
    ).detect(black_with())
    verifier = OnnxVerifier(cast("Model", FakeModel()))
    assert len(verifier.verified(black_with(), found)) == 0
