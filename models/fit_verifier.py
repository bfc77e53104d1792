"""Find the weights by which detector and verifier judge a find together (:mod:`vision.verify`).

``python -m models.fit_verifier --designs data/designs --scenes data/scenes.coco.json`` looks with
the shipped models at pictures that they were not trained on (:func:`models.finds.gather`) and
prints the weights with what they are worth there. :mod:`models.fit_belonging` goes on from them.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.evaluate_examples import Example
from models.finds import Terms, add_arguments, fit, gather, told_by
from vision.detect import OnnxDetector
from vision.sessions import load_model
from vision.verify import OnnxVerifier

Floats = NDArray[np.float32]

NAMES: Final = ("score", "around", "always")


class Unverified:
    """Leaves the detector's scores as they are."""

    def verified(self, _image: NDArray[np.uint8], _quads: Floats, scores: Floats) -> Floats:
        """The scores."""
        return scores


@dataclass(frozen=True, slots=True)
class Looker:
    """Tells what detector and verifier say of finds."""

    detector: OnnxDetector
    verifier: OnnxVerifier

    def __call__(self, example: Example) -> Terms:
        """The corners of the finds in a picture, and their terms (n, 3), the last always 1."""
        image = example.load()
        found = self.detector.detect(image, faint=True)
        return found.quads, self.verifier.terms(image, found.quads, found.scores)


def main() -> None:
    """Print the weights and what they are worth."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_arguments(parser)
    detector = OnnxDetector(load_model("detector"), Unverified())
    finds = gather(parser.parse_args(), Looker(detector, OnnxVerifier.load()))
    weights = fit(finds)
    for name, weight in zip(NAMES, weights, strict=True):
        print(f"{name:<18}{weight:6.2f}")
    for name, one in (("detector", [1, 0, 0]), ("verifier", [0, 1, 0]), ("together", weights)):
        print(f"{name}: {told_by(finds, finds.terms @ np.array(one) >= 0)}")


if __name__ == "__main__":
    main()
