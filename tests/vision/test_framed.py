"""White dragons of which only the frame was seen are told with the edges of the tile."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.tiles import READING_LABELS
from tests.vision.fakes import FloatArray, nearest, sure_of
from tests.vision.table import lay
from vision.looking import looked_at
from vision.rectify import rectify
from vision.stages import Classified, Detections

CANVAS = np.full((420, 1100, 3), 200, np.uint8)
LAID = lay("123p 5z")
FRAME = 0.6
"""How large the frame is, in sizes of its tile."""


def scaled(quads: FloatArray, size: float) -> FloatArray:
    middles = quads.mean(axis=1, keepdims=True)
    larger: FloatArray = (middles + (quads - middles) * size).astype(np.float32)
    return larger


def framed() -> FloatArray:
    """The tiles laid, the white dragon found by its frame."""
    return np.concatenate([LAID.quads[:3], scaled(LAID.quads[3:], FRAME)])


@dataclass
class Edges:
    """Finds the tiles; of the white dragon it is ``surer`` once its quad reaches the edges."""

    found: float
    surer: float
    asked: list[int] = field(default_factory=list)

    def detect(self, image: NDArray[np.uint8], **_: bool) -> Detections:
        assert image is CANVAS
        scores = np.array([0.99, 0.99, 0.99, self.found], np.float32)
        return Detections(framed(), scores, np.full(4, 0.001, np.float32))

    def verify(self, _image: NDArray[np.uint8], found: Detections, quads: FloatArray) -> Detections:
        self.asked.append(len(quads))
        white = nearest(LAID.quads, quads) == 3
        whole = np.ptp(quads[:, :, 0], axis=1) > 0.8 * np.ptp(LAID.quads[3, :, 0])
        scores = np.where(white & whole, np.float32(self.surer), found.scores)
        return Detections(quads, scores, found.down)


@dataclass
class Corners:
    """Reads the tiles as they lie, and sees the edge of the white dragon in larger quads only.

    Attributes:
        label: what it takes the white dragon for, and
        chance: how surely.
        edge: how large the white dragon's edge is, in sizes of the tile.
    """

    label: str = "5z"
    chance: float = 0.99
    edge: float = 1.0

    def classify(self, image: NDArray[np.uint8], quads: FloatArray) -> Classified:
        which = nearest(LAID.quads, quads)
        larger = np.ptp(quads[:, :, 0], axis=1) > 1.2 * FRAME * np.ptp(LAID.quads[3, :, 0])
        whole = (which == 3) & larger
        edges = scaled(LAID.quads, self.edge)[which]
        placed = np.where(whole[:, np.newaxis, np.newaxis], edges, quads).astype(np.float32)
        rows = np.concatenate([sure_of(["1p", "2p", "3p"]), sure_of([self.label], self.chance)])
        return Classified(
            placed,
            rectify(image, placed, (96, 72)),
            rows[which],
            np.where(whole, 2, 0).astype(np.int64),
            np.zeros((len(quads), 8), np.float32),
            np.ones(len(quads), np.bool_),
        )


def looks(detector: Edges, classifier: Corners) -> tuple[Detections, Classified]:
    return looked_at(detector, classifier, CANVAS, detector.detect(CANVAS))


def test_a_white_dragon_found_by_its_frame_is_told_with_its_edges() -> None:
    found, seen = looks(Edges(0.6, 0.95), Corners())
    assert np.allclose(found.quads, LAID.quads)
    assert np.allclose(seen.quads, LAID.quads)
    assert found.scores[3] == pytest.approx(0.95)
    assert seen.turns[3] == 2, "it is told as it was read within its edges"
    assert found.scores[:3] == pytest.approx(np.full(3, 0.99))


@pytest.mark.parametrize(
    ("detector", "classifier"),
    [
        pytest.param(Edges(0.6, 0.01), Corners(), id="surer of the frame"),
        pytest.param(Edges(0.05, 0.95), Corners(), id="no tile at first"),
        pytest.param(Edges(0.6, 0.95), Corners(edge=1.7), id="an edge of another form"),
        pytest.param(Edges(0.6, 0.95), Corners(chance=0.9), id="hardly a white dragon"),
        pytest.param(Edges(0.6, 0.95), Corners("1m"), id="another tile"),
    ],
)
def test_others_stay_as_they_were_found(detector: Edges, classifier: Corners) -> None:
    found, seen = looks(detector, classifier)
    assert np.allclose(found.quads, framed())
    assert np.allclose(seen.quads, framed())
    assert (seen.turns == 0).all()
    assert found.scores[3] == pytest.approx(detector.found)


def test_only_white_dragons_are_looked_at_again() -> None:
    detector = Edges(0.6, 0.95)
    looks(detector, Corners())
    assert detector.asked == [4, 1]
    other = Edges(0.6, 0.95)
    looks(other, Corners("1m"))
    assert other.asked == [4]


def test_a_white_dragon_alone_is_judged_by_the_detector_only() -> None:
    detector = Edges(0.6, 0.999)
    found = detector.detect(CANVAS).chosen(np.arange(4) == 3)
    told, _ = looked_at(detector, Corners(), CANVAS, found)
    assert np.allclose(told.quads, LAID.quads[3:])
    assert READING_LABELS[Corners().classify(CANVAS, found.quads).probabilities[0].argmax()] == "5z"
