"""Find the weights by which a find is told from a tile (:mod:`vision.belonging`).

``python -m models.fit_belonging --designs data/designs --scenes data/scenes.coco.json`` looks with
the shipped models at rendered hands of held-out designs, at pictures of them as those that the
models learn from, which are harder and hold more that is no tile, and at annotated pictures that
neither was trained on. It prints the weights with what they are worth there.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit
from tqdm import tqdm

from datasets.coco import IGNORE
from models.evaluate_examples import Example, photographed, rendered, rendered_anyhow
from models.evaluate_matching import lies_on, overlaps, pairs_of
from vision.belonging import LEAST, clues
from vision.classify import OnnxClassifier
from vision.detect import OnnxDetector
from vision.looking import classified, with_backs
from vision.papers import Papers
from vision.stages import LIKELY

Doubles = NDArray[np.float64]

NAMES: Final = ("score", "taken", "label", "form", "colour", "elsewhere", "always")
SEED: Final = 8_100_000
_DECAY: Final = 0.5
_ANYHOW: Final = 0.05
"""How much a find counts in a picture as in training: such pictures are harder than any table, and
a patterned cloth alone can hold a hundred finds."""


def finds(examples: Iterable[Example]) -> tuple[Doubles, NDArray[np.bool_]]:
    """Clues (n, 7), the last always 1, and truth (n,) of every find in some pictures.

    What lies on a tile that does not count, as one largely hidden, is left out.
    """
    detector, classifier = OnnxDetector.load(), OnnxClassifier.load()
    told, true = [np.empty((0, len(NAMES)))], [np.empty(0, np.bool_)]
    for example in tqdm(examples, unit="picture", disable=None):
        image = example.load()
        found = detector.detect(image, faint=True)
        seen = classified(classifier, image, found)
        papers = Papers(image, seen.crops, seen.quads)
        each = clues(papers, found.scores, with_backs(found, seen), seen.tiles.astype(float))
        pairs = {j: i for i, j in pairs_of(overlaps(example.quads, seen.quads))}
        let_be = example.quads[np.array(example.labels, str) == IGNORE]
        real = {j for j, i in pairs.items() if example.labels[i] != IGNORE}
        counted = [j for j in range(len(found)) if j in real or not lies_on(seen.quads[j], let_be)]
        told.append(np.column_stack([each, np.ones(len(found))])[counted])
        true.append(np.array([j in real for j in counted], np.bool_))
    return np.concatenate(told), np.concatenate(true)


def fit(told: Doubles, true: NDArray[np.bool_], counts: Doubles) -> Doubles:
    """The weights (7,) with the least negative log-likelihood.

    Args:
        told: (n, 7) clues, the last of which is always 1.
        true: (n,) whether each find is a tile.
        counts: (n,) how much each counts, above 0.
    """
    spread = np.maximum(told.std(axis=0), 1e-6)
    spread[-1] = 1.0
    scaled, sign = told / spread, np.where(true, 1.0, -1.0)
    shares = counts / counts.mean()

    def loss(weights: Doubles) -> tuple[float, Doubles]:
        margins = sign * (scaled @ weights)
        slope = -(scaled * (shares * sign * expit(-margins))[:, np.newaxis]).sum(axis=0)
        held = _DECAY * np.r_[weights[:-1], 0.0]
        value = float((shares * np.logaddexp(0, -margins)).sum() + held @ weights)
        return value, slope + 2 * held

    start = np.zeros(told.shape[1])
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B").x / spread, np.float64)


def main() -> None:
    """Print the weights and what they are worth."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--designs", type=Path, required=True, help="folder of drawn designs")
    parser.add_argument("--count", type=int, default=60, help="rendered hands")
    parser.add_argument("--anyhow", type=int, default=240, help="pictures as in training")
    parser.add_argument("--scenes", type=Path, nargs="*", default=[], help="annotation files")
    options = parser.parse_args()
    scenes = chain.from_iterable(photographed(path, None) for path in options.scenes)
    hands = rendered(options.designs, options.count, SEED)
    anyhow = rendered_anyhow(options.designs, options.anyhow, SEED)
    usual, usual_true = finds(chain(hands, scenes))
    harder, harder_true = finds(anyhow)
    told, true = np.concatenate([usual, harder]), np.concatenate([usual_true, harder_true])
    counts = np.repeat([1.0, _ANYHOW], [len(usual), len(harder)])
    weights = fit(told, true, counts)
    for name, weight in zip(NAMES, weights, strict=True):
        print(f"{name:<18}{weight:6.2f}")
    score = expit(told[:, 0])
    for name, taken in (
        (f"score from {LIKELY}", score >= LIKELY),
        (f"log-odds from {LEAST}", told @ weights >= LEAST),
    ):
        print(f"{name}: {(taken & true).sum()} tiles, {(taken & ~true).sum()} that are none")


if __name__ == "__main__":
    main()
