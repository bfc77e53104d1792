"""Finds in pictures with their truth, and the weights that tell tiles from what is none."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit
from tqdm import tqdm

from datasets.coco import IGNORE
from models.evaluate_examples import Example, photographed, rendered, rendered_anyhow
from models.evaluate_matching import judged

Doubles = NDArray[np.float64]
Terms = tuple[NDArray[np.float32], Doubles]
"""Quads (n, 4, 2) of the finds in a picture and terms (n, k) that tell what they are."""

_SEED: Final = 8_100_000
_DECAY: Final = 0.5
_ANYHOW: Final = 0.05
"""How much a find counts in a picture as in training: such pictures are harder than any table, and
a patterned cloth alone can hold a hundred finds."""


class Finds(NamedTuple):
    """Finds in some pictures.

    Attributes:
        terms: (n, k) what is known of each; the last is always 1.
        tiles: (n,) whether it is a tile.
        counts: (n,) how much it counts, above 0.
    """

    terms: Doubles
    tiles: NDArray[np.bool_]
    counts: Doubles


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What :func:`gather` takes from the command line."""
    parser.add_argument("--designs", type=Path, required=True, help="folder of drawn designs")
    parser.add_argument("--count", type=int, default=60, help="rendered hands")
    parser.add_argument("--anyhow", type=int, default=240, help="pictures as in training")
    parser.add_argument("--scenes", type=Path, nargs="*", default=[], help="annotation files")


def gather(options: argparse.Namespace, terms_of: Callable[[Example], Terms]) -> Finds:
    """The finds in pictures that nothing was trained on.

    These are rendered hands of held-out designs, pictures of them as those that the models learn
    from, which are harder and hold more that is no tile, and annotated pictures.

    Args:
        options: of the command line.
        terms_of: tells of one picture what it finds.
    """
    scenes = chain.from_iterable(photographed(path, None) for path in options.scenes)
    hands = rendered(options.designs, options.count, _SEED)
    anyhow = rendered_anyhow(options.designs, options.anyhow, _SEED)
    usual, usual_tiles = _told(chain(hands, scenes), terms_of)
    harder, harder_tiles = _told(anyhow, terms_of)
    return Finds(
        np.concatenate([usual, harder]),
        np.concatenate([usual_tiles, harder_tiles]),
        np.repeat([1.0, _ANYHOW], [len(usual), len(harder)]),
    )


def _told(
    examples: Iterable[Example], terms_of: Callable[[Example], Terms]
) -> tuple[Doubles, NDArray[np.bool_]]:
    told, tiles = [], []
    for example in tqdm(examples, unit="picture", disable=None):
        quads, terms = terms_of(example)
        real, none = judged(example.quads, np.array(example.labels, str) != IGNORE, quads)
        told.append(terms[real | none])
        tiles.append(real[real | none])
    return np.concatenate(told), np.concatenate(tiles)


def fit(finds: Finds) -> Doubles:
    """The weights (k,) with the least negative log-likelihood."""
    spread = np.maximum(finds.terms.std(axis=0), 1e-6)
    spread[-1] = 1.0
    scaled, sign = finds.terms / spread, np.where(finds.tiles, 1.0, -1.0)
    shares = finds.counts / finds.counts.mean()

    def loss(weights: Doubles) -> tuple[float, Doubles]:
        margins = sign * (scaled @ weights)
        slope = -(scaled * (shares * sign * expit(-margins))[:, np.newaxis]).sum(axis=0)
        held = _DECAY * np.r_[weights[:-1], 0.0]
        value = float((shares * np.logaddexp(0, -margins)).sum() + held @ weights)
        return value, slope + 2 * held

    start = np.zeros(finds.terms.shape[1])
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B").x / spread, np.float64)


def told_by(finds: Finds, taken: NDArray[np.bool_]) -> str:
    """How many tiles there are among the finds that are taken for some, and how many others."""
    return f"{(taken & finds.tiles).sum()} tiles, {(taken & ~finds.tiles).sum()} that are none"
