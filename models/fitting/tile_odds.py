"""Fit the weights that decide whether a detection is a tile (:mod:`vision.evidence.tile_odds`).

``python -m models.fitting tile_odds --designs data/fit --scenes data/scenes.coco.json`` reads
with the shipped models pictures that they were not trained on, those that
:func:`models.fitting.detections.gather` describes, and gives the weights with what they are worth
there. Those named after ``--held`` stay.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, fields
from typing import Final

import numpy as np
from scipy.special import expit

from models.evaluation.examples import Example
from models.fitting.detections import Answered, add_pictures, counted, fit, gather, whether_tiles
from models.fitting.likeliest import Fitted, rounded
from vision.classify.classifier import OnnxClassifier
from vision.detect.search import OnnxDetector
from vision.evidence.beliefs import NO_KNOWN_TILES, classified_and_verified, label_chances
from vision.evidence.colour import FaceColours
from vision.evidence.tile_odds import LEAST, TileWeights, tile_clues, tile_terms
from vision.geometry.quads import rolled
from vision.vocabulary.detections import LIKELY

NAMES: Final = tuple(field.name for field in fields(TileWeights))
"""Names of the weights."""


@dataclass(frozen=True, slots=True)
class TermReader:
    """Reads the terms of the detections in a picture."""

    detector: OnnxDetector
    classifier: OnnxClassifier

    def __call__(self, example: Example) -> tuple[Answered]:
        """The terms (n, 11) of the detections, and whether they are tiles."""
        image = example.load()
        found = self.detector.detect(image, faint=True)
        found, seen = classified_and_verified(self.detector, self.classifier, image, found)
        colours = FaceColours(image, seen.crops, seen.quads)
        chances = label_chances(colours, found, seen, NO_KNOWN_TILES.probabilities)
        upright = rolled(seen.quads, seen.turns)
        read = seen.read_as(chances)
        each = tile_clues(colours, upright, found.scores, chances, seen.tiles.astype(float), read)
        return (whether_tiles(example, seen.quads, tile_terms(each)),)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What :func:`run` takes from the command line."""
    add_pictures(parser)
    parser.add_argument(
        "--held", nargs="*", default=[], choices=NAMES, help="weights that stay as they are"
    )


def run(options: argparse.Namespace) -> Fitted:
    """The weights and what they are worth."""
    (judged,) = gather(options, TermReader(OnnxDetector.load(), OnnxClassifier.load()))
    held = np.isin(NAMES, options.held)
    weights = fit(judged, np.where(held, TileWeights.shipped().vector(), np.nan))
    report = [
        f"score from {LIKELY}: {counted(judged, expit(judged.terms[:, 0]) >= LIKELY)}",
        f"log-odds from {LEAST}: {counted(judged, judged.terms @ weights >= LEAST)}",
    ]
    return Fitted([rounded(TileWeights, weights)], report)
