"""Reads one picture with the whole pipeline and compares the reading with the truth."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from datasets.sets.coco import IGNORE
from models.evaluation.examples import Example
from models.evaluation.matching import corner_errors, lies_on, overlaps, pairs_of, score_finds
from models.evaluation.outcomes import MISSED, NOTHING, PhotoOutcome, TileOutcome
from models.evaluation.tally import LEAST_OVERLAPS
from scorer.tiles import BACK, BLANK
from vision import (
    Classifier,
    Detections,
    Detector,
    NoTilesFound,
    PhotoReader,
    TileReading,
    TooManyTiles,
)
from vision.evidence.judge import Judge
from vision.geometry.quads import sides_of
from vision.vocabulary.detections import NO_DETECTIONS

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]


class Examiner:
    """Measures one reader on pictures with known truth.

    Args:
        detector: detector of the reader.
        classifier: classifier of the reader, perhaps with a set profile.
        spare_as_white: count ``blank`` for a white dragon as right, as with a set profile.
        judge: of the reader; by default the shipped one.
    """

    def __init__(
        self,
        detector: Detector,
        classifier: Classifier,
        *,
        spare_as_white: bool = False,
        judge: Judge | None = None,
    ) -> None:
        self._reader = PhotoReader(detector, classifier, judge=judge)
        self._spare_as_white = spare_as_white

    def examine(self, example: Example, image: Image) -> PhotoOutcome:
        """Read the picture ``image``, (h, w, 3) uint8 BGR, and compare it with its truth."""
        try:
            seen = self._reader.see(image)
        except (NoTilesFound, TooManyTiles):
            return self._outcome(example, NO_DETECTIONS, (), {})
        reading = self._reader.lay_out(seen)
        return self._outcome(example, seen.detections, reading.tiles, reading.seconds)

    def _outcome(
        self,
        example: Example,
        finds: Detections,
        read: tuple[TileReading, ...],
        seconds: Mapping[str, float],
    ) -> PhotoOutcome:
        quads = np.array([tile.quad for tile in read], np.float32).reshape(-1, 4, 2)
        ignored = np.array([label == IGNORE for label in example.labels], bool)
        shares = overlaps(example.quads, finds.quads)
        return PhotoOutcome(
            example.name,
            example.group,
            tuple(self._tiles(example, read, quads)),
            tuple(
                tuple(score_finds(shares, finds.scores, ignored, least)) for least in LEAST_OVERLAPS
            ),
            dict(seconds),
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
    """The false positives, without detections on ignored tiles.

    Where not every back has a quad, a back that matches none is no false positive.
    """
    let_be = example.quads[np.array(example.labels, str) == IGNORE]
    return [
        TileOutcome(NOTHING, tile.label, frozenset(), tile.confidence, quads[j])
        for j, tile in enumerate(read)
        if j not in used
        and not lies_on(quads[j], let_be)
        and (example.backs_complete or tile.label != BACK)
    ]
