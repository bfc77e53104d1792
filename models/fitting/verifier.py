"""Fit the weights by which detector and verifier decide whether a tile lies somewhere.

``python -m models.fitting verifier --designs data/designs --scenes data/scenes.coco.json`` looks
with the shipped models at pictures that they were not trained on
(:func:`models.fitting.detections.gather`) and gives the weights with what they are worth there: of
being a tile, and of lying face down, with the classifier's own word and colour
(:mod:`vision.evidence.backs`). :mod:`models.fitting.tile_odds` goes on from them.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, fields
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from datasets.sets.coco import IGNORE
from models.evaluation.examples import Example
from models.evaluation.matching import match
from models.fitting.detections import Answered, add_pictures, counted, fit, gather, whether_tiles
from models.fitting.likeliest import Fitted, rounded
from scorer.tiles import BACK
from vision.classify.classifier import OnnxClassifier
from vision.detect.search import OnnxDetector
from vision.detect.verifier import (
    FaceDownWeights,
    FirstVerifierWeights,
    OnnxVerifier,
    SecondVerifierWeights,
)
from vision.evidence.backs import BackWeights, back_log_odds, unlike_prints
from vision.evidence.beliefs import NO_KNOWN_TILES
from vision.evidence.colour import FaceColours
from vision.runtime.session import load_model
from vision.vocabulary.detections import Classified, Detections, classified
from vision.vocabulary.labels import chance_of_print

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Image = NDArray[np.uint8]

QUESTIONS: Final = ("a tile at first sight", "a tile", "face down")
"""What is asked of each detection."""
_PLAIN: Final = 0.2
"""Minimum probability of a side without print for a tile to be asked whether it lies face down."""


class Unverified:
    """A verifier that accepts whatever the detector accepts."""

    def first_look(self, _image: Image, found: Detections) -> tuple[Floats, Floats]:
        """Ones (n,) and the corners as detected."""
        return np.ones(len(found), np.float32), found.quads

    def verified(self, _image: Image, found: Detections, quads: Floats) -> Detections:
        """The detections with their corners at ``quads``."""
        return found.at(quads)


@dataclass(frozen=True, slots=True)
class TermReader:
    """Reads the terms of the detections in a picture for each question."""

    detector: OnnxDetector
    verifier: OnnxVerifier
    classifier: OnnxClassifier

    def __call__(self, example: Example) -> tuple[Answered, Answered, Answered]:
        """For each of :data:`QUESTIONS` the terms of the detections, and the truth."""
        image = example.load()
        found = self.detector.detect(image, faint=True)
        first, quads = self.verifier.first_terms(image, found)
        seen = classified(self.classifier, image, found.at(quads))
        tiles, down = self.verifier.terms(image, found, seen.quads)
        weights = SecondVerifierWeights.shipped().vector()
        colours = FaceColours(image, seen.crops, seen.quads)
        unlike = unlike_prints(colours, expit(tiles @ weights), seen, NO_KNOWN_TILES.probabilities)
        return (
            whether_tiles(example, found.quads, first),
            whether_tiles(example, seen.quads, tiles),
            _whether_down(example, seen, unlike, down),
        )


def _whether_down(example: Example, seen: Classified, unlike: Doubles, down: Doubles) -> Answered:
    """Each tile with and without its colour, since a photo may show no print to compare it with."""
    chances = seen.probabilities.astype(np.float64)
    plain = 1 - chance_of_print(chances)
    asked = [
        (find, example.labels[tile] == BACK)
        for tile, find in match(example.quads, seen.quads)
        if example.labels[tile] != IGNORE and plain[find] >= _PLAIN
    ]
    chosen = np.array([find for find, _ in asked], np.int64)
    terms = [
        np.column_stack([back_log_odds(chances), colour, down])[chosen]
        for colour in (unlike, np.zeros_like(unlike))
    ]
    return np.concatenate(terms), np.array([true for _, true in asked] * 2, np.bool_)


add_arguments = add_pictures


def run(options: argparse.Namespace) -> Fitted:
    """The weights and what they are worth."""
    detector = OnnxDetector(load_model("detector"), Unverified())
    read = TermReader(detector, OnnxVerifier.load(), OnnxClassifier.load())
    answers = gather(options, read)
    first, second, down = (fit(judged) for judged in answers)
    of_backs = len(fields(BackWeights))
    report = [
        f"{question}: {counted(judged, judged.terms @ weights >= 0)}"
        for question, judged, weights in zip(QUESTIONS, answers, (first, second, down), strict=True)
    ]
    found = [
        rounded(FirstVerifierWeights, first),
        rounded(SecondVerifierWeights, second),
        rounded(BackWeights, down[:of_backs]),
        rounded(FaceDownWeights, down[of_backs:]),
    ]
    return Fitted(found, report)
