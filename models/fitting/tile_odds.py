"""Find the weights by which a find is told from a tile (:mod:`vision.evidence.tile_odds`).

``python -m models.fitting.tile_odds --designs data/fit --scenes data/scenes.coco.json`` looks with
the shipped models at pictures that they were not trained on (:func:`models.fitting.finds.gather`)
and prints the weights with what they are worth there. Those of the clues named after ``--held``
stay.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.special import expit

from models.evaluation.examples import Example
from models.fitting.finds import Told, add_arguments, fit, gather, told_by, whether_tiles
from vision.classify.classifier import OnnxClassifier
from vision.detect.search import OnnxDetector
from vision.evidence.beliefs import NOTHING_BESIDE, label_chances, looked_at
from vision.evidence.colour import Papers
from vision.evidence.tile_odds import LEAST, WEIGHTS, clues, terms
from vision.geometry.quads import rolled
from vision.vocabulary.finds import LIKELY

NAMES: Final = (
    "score",
    "taken",
    "form",
    "colour",
    "elsewhere",
    "illegible",
    "flower",
    "print",
    "vouched",
    "vouched elsewhere",
    "always",
)


@dataclass(frozen=True, slots=True)
class Looker:
    """Tells the clues of finds."""

    detector: OnnxDetector
    classifier: OnnxClassifier

    def __call__(self, example: Example) -> tuple[Told]:
        """The terms (n, 11) of finds, and whether they are tiles."""
        image = example.load()
        found = self.detector.detect(image, faint=True)
        found, seen = looked_at(self.detector, self.classifier, image, found)
        papers = Papers(image, seen.crops, seen.quads)
        chances = label_chances(papers, found, seen, NOTHING_BESIDE.probabilities)
        upright = rolled(seen.quads, seen.turns)
        read = seen.read_as(chances)
        each = clues(papers, upright, found.scores, chances, seen.tiles.astype(float), read)
        return (whether_tiles(example, seen.quads, terms(each)),)


def main() -> None:
    """Print the weights and what they are worth."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_arguments(parser)
    parser.add_argument(
        "--held", nargs="*", default=[], choices=NAMES, help="clues whose weights stay as they are"
    )
    options = parser.parse_args()
    (finds,) = gather(options, Looker(OnnxDetector.load(), OnnxClassifier.load()))
    held = np.isin(NAMES, options.held)
    weights = fit(finds, np.where(held, WEIGHTS, np.nan))
    for name, weight in zip(NAMES, weights, strict=True):
        print(f"{name:<18}{weight:6.2f}")
    print(f"score from {LIKELY}: {told_by(finds, expit(finds.terms[:, 0]) >= LIKELY)}")
    print(f"log-odds from {LEAST}: {told_by(finds, finds.terms @ weights >= LEAST)}")


if __name__ == "__main__":
    main()
