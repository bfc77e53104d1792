"""Fives that are printed all in red, as riichi sets have them.

No net tells them from other fives; the colour of their ink does, measured against the paper of the
same tile. A set that prints its other tiles of the suit in red has no red fives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import SUITS
from vision.geometry.crops import rectify
from vision.runtime.opencv import cv2

CROP: Final = (64, 48)
"""Height and width in pixels of the crops whose colours are looked at."""


@dataclass(frozen=True, slots=True)
class Ink:
    """Which pixels of a face are ink, and which ink is red, in CIELAB.

    They were set with a look at photographs of sets: of 20 red fives the least share was 0.93, of
    299 other fives the largest 0.89. Three fives of sets drawn by artists are taken for red ones.
    On 323 photographs not looked at for it, two of 633 fives are told to be red, and both are.

    Attributes:
        edge: share of a crop that is left out on each side.
        paper: the percentile of lightness from which on pixels are paper.
        contrast: least distance from the paper, lightness counted half.
        red: least distance from the paper towards red.
        hue: least such distance for each unit towards yellow or blue.
        all: least share of red among the ink of a red five.
    """

    edge: float = 0.08
    paper: float = 60.0
    contrast: float = 14.0
    red: float = 8.0
    hue: float = 0.6
    all: float = 0.9


INK: Final = Ink()


def red_fives(
    image: NDArray[np.uint8], quads: NDArray[np.float32], labels: Sequence[str]
) -> NDArray[np.bool_]:
    """Which of a photo's tiles are red fives.

    Args:
        image: (h, w, 3) uint8 BGR.
        quads: (n, 4, 2) float32 face corners in pixels, from the top-left as read upright.
        labels: labels of the n tiles.

    Returns:
        (n,) bool.
    """
    faces, found = np.array(labels, np.str_), np.zeros(len(labels), np.bool_)
    for suit in SUITS:
        fives = np.flatnonzero(faces == f"5{suit}")
        red = fives[_shares(image, quads[fives]) >= INK.all]
        if not len(red):
            continue
        others = [n for n, label in enumerate(labels) if label[1:] == suit and label[0] != "5"]
        if not others or np.median(_shares(image, quads[others])) < INK.all:
            found[red] = True
    return found


def _shares(image: NDArray[np.uint8], quads: NDArray[np.float32]) -> NDArray[np.float64]:
    return np.array([red_share(crop) for crop in rectify(image, quads, CROP)])


def red_share(crop: NDArray[np.uint8]) -> float:
    """The share of red in the ink of a face (h, w, 3) BGR, by how far it differs from the paper."""
    height, width = crop.shape[:2]
    top, left = round(INK.edge * height), round(INK.edge * width)
    inner = crop[top : height - top, left : width - left].astype(np.float32) / 255
    pixels = cv2.cvtColor(inner, cv2.COLOR_BGR2LAB).reshape(-1, 3)
    light = pixels[:, 0] >= np.percentile(pixels[:, 0], INK.paper)
    darker, redder, yellower = (pixels - np.median(pixels[light], axis=0)).T
    away = np.sqrt((darker / 2) ** 2 + redder**2 + yellower**2)
    away[away < INK.contrast] = 0
    red = (redder > INK.red) & (redder > INK.hue * np.abs(yellower))
    return float(away[red].sum() / max(away.sum(), 1.0))
