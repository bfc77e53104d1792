"""Detections in pictures whose truth is known, and the logistic regression that fits weights."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit
from tqdm import tqdm

from datasets.sets.coco import IGNORE
from models.evaluation.examples import Example, dealt, photographed
from models.evaluation.matching import judged

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Answered = tuple[Doubles, NDArray[np.bool_]]
"""Of one question about n detections in a picture: terms (n, k), and the true answers (n,)."""

FIRST: Final = 2000
"""Number of the first deal that is fitted on; deals of lower numbers are for measuring."""
_DECAY: Final = 0.5
"""Weight of the squared scaled weights in the loss."""


class Judged(NamedTuple):
    """Detections in some pictures.

    Attributes:
        terms: (n, k) what is known of each; the last is always 1.
        truth: (n,) the answer for each, such as whether it is a tile.
    """

    terms: Doubles
    truth: NDArray[np.bool_]


def add_pictures(parser: argparse.ArgumentParser) -> None:
    """Add the options that :func:`gather` needs."""
    parser.add_argument(
        "--designs",
        type=Path,
        required=True,
        help="folder of drawn designs, none of them trained on or measured with",
    )
    parser.add_argument("--count", type=int, default=60, help="rendered deals of four photos")
    parser.add_argument("--scenes", type=Path, nargs="*", default=[], help="annotation files")


def gather(
    options: argparse.Namespace, look: Callable[[Example], Sequence[Answered]]
) -> list[Judged]:
    """The answers to some questions about detections in pictures that nothing was trained on.

    These are photos of rendered deals and annotated pictures.

    Args:
        options: of the command line.
        look: answers the same questions about each picture.
    """
    scenes = chain.from_iterable(photographed(path, None) for path in options.scenes)
    hands = dealt(options.designs, options.count, FIRST)
    answers = [
        look(example) for example in tqdm(chain(hands, scenes), unit="picture", disable=None)
    ]
    return [_joined(answered) for answered in zip(*answers, strict=True)]


def _joined(answered: Sequence[Answered]) -> Judged:
    terms = np.concatenate([each for each, _ in answered])
    return Judged(terms, np.concatenate([true for _, true in answered]))


def whether_tiles(example: Example, quads: Floats, terms: Doubles) -> Answered:
    """The terms of the detections of which the truth is known, and whether they are tiles.

    Args:
        example: the picture.
        quads: (n, 4, 2) corners in pixels.
        terms: (n, k).
    """
    real, none = judged(example.quads, np.array(example.labels, str) != IGNORE, quads)
    return terms[real | none], real[real | none]


def fit(judged: Judged) -> Doubles:
    """The weights (k,) with the least negative log-likelihood, of at least one detection."""
    count = judged.terms.shape[1]
    spread = np.maximum(judged.terms.std(axis=0), 1e-6)
    spread[-1] = 1.0
    scaled, sign = judged.terms / spread, np.where(judged.truth, 1.0, -1.0)
    decay = _DECAY * (np.arange(count) < count - 1)

    def loss(weights: Doubles) -> tuple[float, Doubles]:
        margins = sign * (scaled @ weights)
        slope = -(scaled * (sign * expit(-margins))[:, np.newaxis]).sum(axis=0)
        value = float(np.logaddexp(0, -margins).sum() + decay @ weights**2)
        return value, slope + 2 * decay * weights

    found = minimize(loss, np.zeros(count), jac=True, method="L-BFGS-B").x
    weights: Doubles = found / spread
    return weights


def counted(judged: Judged, accepted: NDArray[np.bool_]) -> str:
    """How many of the true detections are accepted, and how many others, in words."""
    true = (accepted & judged.truth).sum()
    return f"{true} of {judged.truth.sum()}, and {(accepted & ~judged.truth).sum()} others"
