"""Finds in pictures with their truth, and the weights that tell one from another."""

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
Told = tuple[Doubles, NDArray[np.bool_]]
"""Of finds in a picture terms (n, k) from which something is told of them, and the truth (n,)."""

_FIRST: Final = 2000
"""Number of the first deal; measured are those of lower numbers."""
_DECAY: Final = 0.5


class Finds(NamedTuple):
    """Finds in some pictures.

    Attributes:
        terms: (n, k) what is known of each; the last is always 1.
        truth: (n,) what is asked of each, such as whether it is a tile.
    """

    terms: Doubles
    truth: NDArray[np.bool_]


def add_pictures(parser: argparse.ArgumentParser) -> None:
    """What :func:`gather` takes from the command line."""
    parser.add_argument(
        "--designs",
        type=Path,
        required=True,
        help="folder of drawn designs, none of them trained on or measured with",
    )
    parser.add_argument("--count", type=int, default=60, help="rendered deals of four photos")
    parser.add_argument("--scenes", type=Path, nargs="*", default=[], help="annotation files")


def gather(options: argparse.Namespace, look: Callable[[Example], Sequence[Told]]) -> list[Finds]:
    """The answers to some questions about finds in pictures that nothing was trained on.

    These are photos of rendered deals and annotated pictures.

    Args:
        options: of the command line.
        look: answers the same questions about each picture.
    """
    scenes = chain.from_iterable(photographed(path, None) for path in options.scenes)
    hands = dealt(options.designs, options.count, _FIRST)
    answers = [
        look(example) for example in tqdm(chain(hands, scenes), unit="picture", disable=None)
    ]
    return [_joined(told) for told in zip(*answers, strict=True)]


def _joined(told: Sequence[Told]) -> Finds:
    terms = np.concatenate([each for each, _ in told])
    return Finds(terms, np.concatenate([true for _, true in told]))


def whether_tiles(example: Example, quads: Floats, terms: Doubles) -> Told:
    """The terms of the finds (n, 4, 2) of which it is known whether they are tiles, and that."""
    real, none = judged(example.quads, np.array(example.labels, str) != IGNORE, quads)
    return terms[real | none], real[real | none]


def fit(finds: Finds, held: Doubles | None = None) -> Doubles:
    """The weights (k,) with the least negative log-likelihood.

    Args:
        finds: at least one.
        held: (k,) weights that stay as they are, NaN where one is to be found; by default all are.
    """
    count = finds.terms.shape[1]
    held = np.full(count, np.nan) if held is None else held
    free = np.isnan(held)
    spread = np.maximum(finds.terms.std(axis=0), 1e-6)
    spread[-1] = 1.0
    scaled, sign = (finds.terms / spread)[:, free], np.where(finds.truth, 1.0, -1.0)
    known = finds.terms[:, ~free] @ held[~free]
    decay = _DECAY * (np.arange(count) < count - 1)[free]

    def loss(weights: Doubles) -> tuple[float, Doubles]:
        margins = sign * (known + scaled @ weights)
        slope = -(scaled * (sign * expit(-margins))[:, np.newaxis]).sum(axis=0)
        value = float(np.logaddexp(0, -margins).sum() + decay @ weights**2)
        return value, slope + 2 * decay * weights

    found = minimize(loss, np.zeros(np.count_nonzero(free)), jac=True, method="L-BFGS-B").x
    weights = held.copy()
    weights[free] = found / spread[free]
    return weights


def told_by(finds: Finds, taken: NDArray[np.bool_]) -> str:
    """How many of the finds that are taken for something are it, and how many others are."""
    true = (taken & finds.truth).sum()
    return f"{true} of {finds.truth.sum()}, and {(taken & ~finds.truth).sum()} others"
