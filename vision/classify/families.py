"""The suits of a set that nobody knows: tiles of one suit look alike, whatever they show.

A designer's suit may be pots, lanterns or bars. Its tiles bear numbers, which are read
(:mod:`vision.classify.indices`), and share their colours and a picture. So the numbered tiles of a
photo are divided into three families by k-means ("Least squares quantization in PCM", Lloyd, IEEE
Transactions on Information Theory 28, 1982), and each whole family is the suit that the classifier
takes its tiles for when all are seen together. Where that is wrong, one answer mends a family.
"""

from __future__ import annotations

from itertools import permutations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.crops import smaller
from vision.runtime.opencv import cv2

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

FAMILIES: Final = 3
"""Number of suits."""
_SHARED: Final = 12
"""Least number of tiles among which all three suits are expected."""
_HUES: Final = 12
"""Number of directions in which colours are counted."""
_WEIGHTS: Final = (0.5, 0.5, 0.5)
"""Weights of colours, embedding and the classifier's suits in the distance of two tiles."""
_FACE: Final = (48, 36)
"""Height and width in pixels at which the colours of a face are counted."""
_EDGE: Final = 3
"""Pixels at the edge of that face which are not counted."""
_INK: Final = 8.0
"""Least distance from the paper in CIELAB of what is printed."""
_PRINTED: Final = 0.4
"""Largest share of a face that counts as printed."""
_PALE: Final = 30.0
"""Colourfulness, in CIELAB, up to which few coloured pixels count little."""
_TRIES: Final = 10
"""Number of starts of k-means, of which the best is taken."""
_LEAST: Final = 0.02
"""Least share of a suit in logarithms."""


def suits_of_families(crops: NDArray[np.uint8], embeddings: Floats, suits: Floats) -> Floats:
    """The probabilities (n, 3) of the suits of n numbered tiles, the same for a whole family.

    Args:
        crops: (n, h, w, 3) uint8 BGR of the faces, upright or upside down.
        embeddings: (n, d) of unit length.
        suits: (n, 3) the classifier's probabilities of characters, circles and bamboo.
    """
    logs = np.log(suits + _LEAST) - np.log((suits + _LEAST).sum(axis=1, keepdims=True))
    family = _families(crops, embeddings, np.exp(logs))
    told = np.array([logs[family == number].sum(axis=0) for number in range(FAMILIES)])
    every = permutations(range(3)) if len(crops) >= _SHARED else product(range(3), repeat=FAMILIES)
    ways = np.array(list(every))
    odds = told[np.arange(FAMILIES), ways].sum(axis=1)
    weights = np.exp(odds - odds.max())
    shares = [[weights[way == suit].sum() for suit in range(3)] for way in ways.T]
    chances = np.array(shares, np.float32) / np.float32(weights.sum())
    return np.asarray(chances[family], np.float32)


def _families(crops: NDArray[np.uint8], embeddings: Floats, suits: NDArray[np.float64]) -> Ints:
    """The family (n,) of each tile, below :data:`FAMILIES`."""
    if len(crops) <= FAMILIES:
        return np.arange(len(crops), dtype=np.int64)
    parts: list[NDArray[np.floating]] = [_colours(crops), embeddings, suits]
    weighted = [weight * each for weight, each in zip(_WEIGHTS, parts, strict=True)]
    points = np.concatenate(weighted, axis=1).astype(np.float32)
    cv2.setRNGSeed(0)
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 50, 1e-4)
    family = np.zeros((len(points), 1), np.int32)
    cv2.kmeans(points, FAMILIES, family, criteria, _TRIES, cv2.KMEANS_PP_CENTERS)
    return family.ravel().astype(np.int64)


def _colours(crops: NDArray[np.uint8]) -> Floats:
    """What colours are printed on faces (n, h, w, 3): (n, 14), each row about one in length."""
    faces = smaller(crops, _FACE)[:, _EDGE:-_EDGE, _EDGE:-_EDGE]
    pixels = faces.reshape(len(faces), -1, 1, 3).astype(np.float32) / 255
    return np.stack([_colours_of(cv2.cvtColor(each, cv2.COLOR_BGR2LAB)[:, 0]) for each in pixels])


def _colours_of(pixels: Floats) -> Floats:
    """The colours (14,) of what is printed among the CIELAB pixels (m, 3) of a face."""
    away = pixels - np.median(pixels, axis=0)
    far = np.linalg.norm(away * [0.5, 1.0, 1.0], axis=1)
    printed = away[far >= max(_INK, float(np.quantile(far, 1 - _PRINTED)))]
    if not len(printed):
        return np.zeros(_HUES + 2, np.float32)
    strength = np.linalg.norm(printed[:, 1:], axis=1)
    hue = np.arctan2(printed[:, 2], printed[:, 1])
    counts = np.histogram(hue, _HUES, (-np.pi, np.pi), weights=strength)[0]
    counts /= counts.sum() + _PALE
    spread = counts + (np.roll(counts, 1) + np.roll(counts, -1)) / 2
    rest = [0.3 * printed[:, 0].mean() / 60, 0.5 * strength.mean() / 60]
    return np.asarray([*np.sqrt(spread), *rest], np.float32)
