"""What the colours of the other tiles tell: all tiles of a table are of one set.

A white dragon without any print and a tile that lies face down both show one plain colour; but a
blank face has the colour of the faces beside it, and a back seldom has. And what is far darker than
light tiles beside it, such as the keys of a keyboard, is no tile of their set.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, BLANK, READING_LABELS
from vision.native import cv2
from vision.rectify import rectify

Floats = NDArray[np.float32]

_SIZE: Final = (24, 18)
_INSIDE: Final = slice(4, -4)
_PAPER: Final = np.pad(np.ones((20, 14), np.bool_), 2)
_PAPER[_INSIDE, _INSIDE] = False
"""What print seldom covers: between two and four pixels from the edge."""
_BACK: Final = READING_LABELS.index(BACK)
_BLANK_FACES: Final = [READING_LABELS.index(label) for label in ("5z", BLANK)]
_PLAIN: Final = [_BACK, *_BLANK_FACES]
_CLEARLY_PRINTED: Final = 0.8
"""Probability of showing print from which a tile tells what colour the faces have."""
_LEAST_FACES: Final = 2
_NEAREST: Final = 5
_COMPARED: Final = 8
"""How many of the nearest tiles with print a plain one is held against: it need be like two of
them, since print may reach to the edge of some and others may be keys of a keyboard."""
_LIGHTNESS: Final = 0.5
"""How much a difference of lightness counts against one of colour: light falls unevenly."""
ALIKE: Final = 13.0
"""Difference of CIELAB colour at which a plain side is as likely a back as a blank face."""
STEEPNESS: Final = 0.5
"""By how much the log-odds of being a back grow with each unit more."""
MOST: Final = 4.0
"""The log-odds that colour adds at most."""

SURE: Final = 0.8
"""Evidence (the detector's score times the classifier's confidence) from which a find is a tile
whatever its colour."""
_LIGHT: Final = 50.0
"""CIELAB lightness from which faces count as light."""
_SHADE: Final = 0.55
"""Share of the others' lightness that a face keeps even in a shadow: less than a fifth of the
light."""


def with_colours(
    image: NDArray[np.uint8], quads: Floats, probabilities: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The probabilities (n, 45) after the colours of plain tiles were held against the faces'.

    Where fewer than two tiles clearly show print nothing is changed.

    Args:
        image: (h, w, 3) uint8 BGR.
        quads: (n, 4, 2) pixels.
        probabilities: (n, 45), each row summing to 1.
    """
    printed = 1 - probabilities[:, _PLAIN].sum(axis=1)
    faces = np.nonzero(printed >= _CLEARLY_PRINTED)[0]
    plain = np.nonzero(printed < 1 - _CLEARLY_PRINTED)[0]
    if len(faces) < _LEAST_FACES or not len(plain):
        return probabilities
    colours = _colours(rectify(image, quads, _SIZE))
    middles = quads.mean(axis=1)
    changed = probabilities.copy()
    for index in plain:
        near = faces[_nearest(middles[faces], middles[index], _COMPARED)]
        away = (colours[near] - colours[index]) * [_LIGHTNESS, 1.0, 1.0]
        difference = float(np.sort(np.linalg.norm(away, axis=1))[_LEAST_FACES - 1])
        gain = float(np.clip(STEEPNESS * (difference - ALIKE), -MOST, MOST))
        changed[index, _BACK] *= np.exp(gain)
        changed[index] /= changed[index].sum()
    return changed


def far_darker(
    image: NDArray[np.uint8],
    quads: Floats,
    probabilities: NDArray[np.float64],
    evidence: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Which finds (n,) are too dark to be of the same set as the sure tiles beside them.

    None is where fewer than two tiles surely show print, or where theirs is dark plastic.

    Args:
        image: (h, w, 3) uint8 BGR.
        quads: (n, 4, 2) pixels.
        probabilities: (n, 45), each row summing to 1.
        evidence: (n,) from 0 to 1, as :data:`SURE` describes it.
    """
    foreign = np.zeros(len(quads), np.bool_)
    printed = 1 - probabilities[:, _PLAIN].sum(axis=1)
    sure = evidence >= SURE
    faces = np.nonzero(sure & (printed >= _CLEARLY_PRINTED))[0]
    doubtful = np.nonzero(~sure & (probabilities[:, _BACK] < 0.5))[0]
    if len(faces) < _LEAST_FACES or not len(doubtful):
        return foreign
    crops = rectify(image, quads, _SIZE)
    papers = _colours(crops)[:, 0]
    lightest = np.maximum(papers[doubtful], _lightness(crops[doubtful]))
    middles = quads.mean(axis=1)
    for index, light in zip(doubtful, lightest, strict=True):
        near = faces[_nearest(middles[faces], middles[index], _NEAREST)]
        paper = float(np.median(papers[near]))
        foreign[index] = paper >= _LIGHT and light < _SHADE * paper
    return foreign


def _nearest(places: Floats, place: Floats, count: int) -> NDArray[np.intp]:
    """Which of the places (n, 2) are nearest to one (2,), ``count`` at most, the nearest first."""
    return np.argsort(np.linalg.norm(places - place, axis=1))[:count]


def _lightness(crops: NDArray[np.uint8]) -> Floats:
    """(n,) CIELAB lightness that a quarter of each crop's inside exceeds."""
    pixels = crops[:, _INSIDE, _INSIDE].reshape(len(crops), -1, 3).astype(np.float32) / 255
    lab = cv2.cvtColor(pixels, cv2.COLOR_BGR2LAB)
    return np.asarray(np.percentile(lab[..., 0], 75, axis=1), np.float32)


def _colours(crops: NDArray[np.uint8]) -> Floats:
    """(n, 3) CIELAB colour of the paper of each crop: of most of what lies around the print."""
    medians = np.median(crops[:, _PAPER], axis=1).astype(np.float32) / 255
    return np.asarray(cv2.cvtColor(medians[:, np.newaxis], cv2.COLOR_BGR2LAB)[:, 0], np.float32)
