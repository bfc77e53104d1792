"""Models that know the answer, and a judge that trusts them, for tests of what comes after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, READING_LABELS
from vision.classify.views import Views
from vision.evidence.candidates import Candidates
from vision.evidence.likeness import PAIR_ODDS
from vision.multiview.watcher import Watcher
from vision.pipeline import PhotoReader
from vision.vocabulary.detections import (
    Classified,
    Classifier,
    Detections,
    Detector,
)
from vision.vocabulary.labels import BLANK_COLUMNS

FloatArray = NDArray[np.float32]


def sure_of(labels: Sequence[str], confidence: float = 0.97) -> FloatArray:
    """(n, 45) probabilities: the label as said, the rest shared by all others."""
    count = len(READING_LABELS)
    rows = np.full((len(labels), count), (1 - confidence) / (count - 1), np.float32)
    for row, label in zip(rows, labels, strict=True):
        row[READING_LABELS.index(label)] = confidence
    return rows


def answers_of(
    picture: NDArray[np.uint8], scores: Mapping[tuple[int, int], float], half: float
) -> list[FloatArray]:
    """What the detector's network answers that finds squares.

    Args:
        picture: (1, h, w, 3), sides multiples of 8.
        scores: of faces, by row and column of the cell of 8 pixels; those outside are left out.
        half: of the squares' sides, in cells.
    """
    rows, columns = picture.shape[1] // 8, picture.shape[2] // 8
    heat = np.zeros((1, 2, rows, columns), np.float32)
    for (row, column), score in scores.items():
        if row < rows and column < columns:
            heat[0, 0, row, column] = score
    corners = np.zeros((1, 4, 8, rows, columns), np.float32)
    corners += half * np.array([-1, -1, 1, -1, 1, 1, -1, 1], np.float32)[:, None, None]
    return [heat, np.zeros((1, 4, rows, columns), np.float32), corners]


@dataclass
class FakeVerifier:
    """Judges detections by the detector's scores.

    Attributes:
        doubts: what each score is multiplied by.
    """

    doubts: float = 1.0

    def verified(self, _image: NDArray[np.uint8], found: Detections) -> Detections:
        return Detections(found.quads, found.scores * np.float32(self.doubts), found.down)


@dataclass
class FakeDetector:
    """Finds what it was told, in every photo.

    It notes the photos it was shown.
    """

    quads: FloatArray
    down: FloatArray
    scores: FloatArray
    seen: list[NDArray[np.uint8]] = field(default_factory=list)

    def detect(self, image: NDArray[np.uint8], **_: bool) -> Detections:
        self.seen.append(image)
        return Detections(self.quads, self.scores, self.down)

    def searching_at(self, _searched: int) -> FakeDetector:
        return self


def neither_alike_nor_unlike(count: int) -> FloatArray:
    """So many embeddings of which no two tell whether their tiles show the same."""
    shared = PAIR_ODDS.even - 1e-4
    told = np.eye(count, count + 1, 1, dtype=np.float32) * np.float32(np.sqrt(1 - shared))
    told[:, 0] = np.sqrt(shared)
    return told


@dataclass
class FakeClassifier:
    """Reads what it was told, whatever it is asked about; ``none`` are no tiles at all."""

    probabilities: FloatArray
    turns: NDArray[np.int64]
    none: frozenset[int] = frozenset()
    asked: list[tuple[NDArray[np.uint8], FloatArray]] = field(default_factory=list)

    def glance(self, image: NDArray[np.uint8], quads: FloatArray) -> FloatArray:
        return self.classify(image, quads).probabilities[: len(quads)]

    def classify(self, image: NDArray[np.uint8], quads: FloatArray) -> Classified:
        self.asked.append((image, quads))
        embeddings = neither_alike_nor_unlike(len(self.probabilities))
        valid = np.array([index not in self.none for index in range(len(self.turns))], np.float32)
        lying = np.resize(quads, (len(self.turns), 4, 2))
        return Classified(lying, self.probabilities, self.turns, embeddings, valid)


class FakeJudge:
    """Trusts the models: a tile is what both take for one, a back what shows no print and lies so.

    It notes the candidates that it was asked about.
    """

    def __init__(self) -> None:
        self.asked: list[Candidates] = []

    def judged(self, found: Candidates, _shape: tuple[int, ...]) -> NDArray[np.float64]:
        self.asked.append(found)
        tile = found.scores.astype(np.float64) * found.valid
        unprinted = [READING_LABELS.index(BACK), *BLANK_COLUMNS]
        plain = found.probabilities[:, unprinted].sum(axis=1) > 0.5
        back = np.where(plain, tile * found.down, 0.0)
        return np.column_stack([1 - tile, tile - back, back])


def reader_with(
    detector: Detector, classifier: Classifier, kind: type[PhotoReader] = PhotoReader
) -> PhotoReader:
    """A reader of this kind with these models, and with a judge that trusts them."""
    return kind(detector, classifier, judge=FakeJudge())


def watcher_with(detector: Detector, classifier: Classifier) -> Watcher:
    """A watcher with these models, and with a judge that trusts them."""
    return Watcher(detector, classifier, judge=FakeJudge())


def models_that_see(
    quads: FloatArray, labels: Sequence[str], *, confidence: float = 0.97
) -> tuple[FakeDetector, FakeClassifier]:
    """Both models, agreed on these tiles, each found upright."""
    n = len(labels)
    down = np.array([0.99999 if label == BACK else 0.00001 for label in labels], np.float32)
    detector = FakeDetector(quads, down, np.full(n, 0.9999, np.float32))
    return detector, FakeClassifier(sure_of(labels, confidence), np.zeros(n, np.int64))


def none_of(views: Views) -> Views:
    """What is seen where nothing was found, in the shapes of those views."""
    return Views(
        views.quads[:0],
        views.owners[:0],
        views.turns[:0],
        views.ups[:0],
        views.nearness[:0, :0],
        views.heights[:, :0, :0],
        views.crops[:0],
        views.probabilities[:0],
        views.upright[:0],
        views.embeddings[:0],
        views.valid[:0],
    )


def alike_near(count: int) -> NDArray[np.float32]:
    """The nearness of so many tiles that are all as near to one another."""
    shares: NDArray[np.float32] = np.full((count, count), 1 / max(1, count - 1), np.float32)
    np.fill_diagonal(shares, 0)
    return shares
