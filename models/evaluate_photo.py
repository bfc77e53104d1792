"""Read one picture with the whole pipeline and compare with the truth."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from datasets.coco import IGNORE
from models.evaluate_examples import Example
from models.evaluate_matching import corner_errors, lies_on, overlaps, pairs_of, score_finds
from models.evaluate_tally import LEAST_OVERLAPS, MISSED, NOTHING, PhotoOutcome, TileOutcome
from scorer.tiles import BLANK
from vision import (
    Classifier,
    Detections,
    Detector,
    NoTilesFound,
    PhotoReader,
    Reading,
    TileReading,
    TooManyTiles,
)
from vision.rectify import rescaled, sides_of

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

_NO_FINDS = Detections(
    np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32), np.zeros(0, np.float32)
)


@dataclass
class NotingDetector:
    """Passes on another detector's finds and keeps the last of them, in pixels of their photo."""

    detector: Detector
    last: Detections = field(default=_NO_FINDS)
    shape: tuple[int, ...] = ()

    def detect(self, image: Image, *, faint: bool = False) -> Detections:
        """The tiles in ``image``, (h, w, 3) uint8 BGR."""
        self.last, self.shape = self.detector.detect(image, faint=faint), image.shape
        return self.last

    def verify(self, image: Image, found: Detections, quads: Floats) -> Detections:
        """The finds with their chances."""
        verified = self.detector.verify(image, found, quads)
        placed = rescaled(verified.quads, image.shape, self.shape)
        self.last = Detections(placed, verified.scores, verified.down)
        return verified


class Examiner:
    """Measures one reader on pictures with known truth.

    Args:
        detector: of the reader.
        classifier: of the reader, perhaps with a set profile.
        spare_as_white: count ``blank`` for a white dragon as right, as a set profile would say.
    """

    def __init__(
        self, detector: Detector, classifier: Classifier, *, spare_as_white: bool = False
    ) -> None:
        self._detector = NotingDetector(detector)
        self._reader = PhotoReader(self._detector, classifier)
        self._spare_as_white = spare_as_white

    def examine(self, example: Example, image: Image) -> PhotoOutcome:
        """What becomes of the picture ``image``, (h, w, 3) uint8 BGR."""
        try:
            reading: Reading | None = self._reader.read(image)
        except (NoTilesFound, TooManyTiles):
            reading = None
        read = reading.tiles if reading else ()
        quads = np.array([tile.quad for tile in read], np.float32).reshape(-1, 4, 2)
        ignored = np.array([label == IGNORE for label in example.labels], bool)
        finds = self._detector.last
        shares = overlaps(example.quads, finds.quads)
        return PhotoOutcome(
            example.name,
            example.group,
            tuple(self._tiles(example, read, quads)),
            tuple(
                tuple(score_finds(shares, finds.scores, ignored, least)) for least in LEAST_OVERLAPS
            ),
            dict(reading.seconds) if reading else {},
        )

    def _tiles(
        self, example: Example, read: tuple[TileReading, ...], quads: Floats
    ) -> list[TileOutcome]:
        pairs = dict(pairs_of(overlaps(example.quads, quads)))
        outcomes = []
        across = sides_of(example.quads)[0]
        for i, label in enumerate(example.labels):
            if label == IGNORE:
                continue
            accepted = frozenset({label, BLANK} if self._spare_white(label) else {label})
            if i not in pairs:
                quad = example.quads[i]
                missed = TileOutcome(label, MISSED, accepted, 0.0, quad, across=float(across[i]))
                outcomes.append(missed)
                continue
            tile, quad = read[pairs[i]], quads[pairs[i]]
            errors, turn = corner_errors(example.quads[i], quad)
            top3 = any(name in accepted for name, _ in tile.alternatives[:3])
            outcomes.append(
                TileOutcome(
                    label,
                    tile.label,
                    accepted,
                    tile.confidence,
                    quad,
                    top3,
                    errors,
                    turn,
                    float(across[i]),
                )
            )
        return outcomes + _invented(example, read, quads, set(pairs.values()))

    def _spare_white(self, label: str) -> bool:
        return self._spare_as_white and label == "5z"


def _invented(
    example: Example, read: tuple[TileReading, ...], quads: Floats, used: set[int]
) -> list[TileOutcome]:
    """The finds that are no tile; those on ignored tiles are let be."""
    let_be = example.quads[np.array(example.labels, str) == IGNORE]
    return [
        TileOutcome(NOTHING, tile.label, frozenset(), tile.confidence, quads[j])
        for j, tile in enumerate(read)
        if j not in used and not lies_on(quads[j], let_be)
    ]
