"""Fit the weights by which detector and verifier decide whether a tile lies somewhere.

``python -m models.fitting verifier --designs data/designs --scenes data/scenes.coco.json`` looks
with the shipped models at pictures that they were not trained on
(:func:`models.fitting.detections.gather`) and gives the weights with what they are worth there: of
being a tile, and of lying face down.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.sets.coco import IGNORE
from models.evaluation.examples import Example
from models.evaluation.matching import match
from models.fitting.detections import Answered, add_pictures, counted, fit, gather, whether_tiles
from models.fitting.likeliest import Fitted, rounded
from scorer.tiles import BACK
from vision.detect.search import OnnxDetector
from vision.detect.verifier import FaceDownWeights, OnnxVerifier, TileWeights
from vision.runtime.session import load_model
from vision.vocabulary.detections import Detections

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Image = NDArray[np.uint8]

QUESTIONS: Final = ("a tile", "face down")
"""What is asked of each detection."""


class Unverified:
    """A verifier that accepts whatever the detector accepts."""

    def verified(self, _image: Image, found: Detections) -> Detections:
        """The detections as they are."""
        return found


@dataclass(frozen=True, slots=True)
class TermReader:
    """Reads the terms of the detections in a picture for each question."""

    detector: OnnxDetector
    verifier: OnnxVerifier

    def __call__(self, example: Example) -> tuple[Answered, Answered]:
        """For each of :data:`QUESTIONS` the terms of the detections, and the truth."""
        image = example.load()
        found = self.detector.detect(image, faint=True)
        tiles, down, quads, _ = self.verifier.terms(image, found)
        return whether_tiles(example, found.quads, tiles), _whether_down(example, quads, down)


def _whether_down(example: Example, quads: Floats, down: Doubles) -> Answered:
    """Of each detection that is a tile the terms, and whether the tile lies face down."""
    asked = [
        (find, example.labels[tile] == BACK)
        for tile, find in match(example.quads, quads)
        if example.labels[tile] != IGNORE
    ]
    chosen = np.array([find for find, _ in asked], np.int64)
    return down[chosen], np.array([true for _, true in asked], np.bool_)


add_arguments = add_pictures


def run(options: argparse.Namespace) -> Fitted:
    """The weights and what they are worth."""
    detector = OnnxDetector(load_model("detector"), Unverified())
    read = TermReader(detector, OnnxVerifier.load())
    answers = gather(options, read)
    weights = [fit(judged) for judged in answers]
    report = [
        f"{question}: {counted(judged, judged.terms @ each >= 0)}"
        for question, judged, each in zip(QUESTIONS, answers, weights, strict=True)
    ]
    kinds = (TileWeights, FaceDownWeights)
    return Fitted([rounded(kind, each) for kind, each in zip(kinds, weights, strict=True)], report)
