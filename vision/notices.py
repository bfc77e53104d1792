"""What people should look at again in a reading, said in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, BLANK, NAMES, OTHER
from vision.copies import NO_CHANGES, surplus
from vision.native import cv2
from vision.readings import HandReading, TileReading
from vision.rectify import rectify

DOUBTFUL_BELOW: Final = 0.8
"""A tile read with less confidence than this should be checked."""

SMALL_TILE: Final = 40
"""A tile whose narrow side has fewer pixels of the photo than this is hard to read."""

BLURRED_BELOW: Final = 0.01
"""Faces whose :func:`sharpness` stays below this are out of focus or shaken.

Photos of real tiles measure 0.012 to 0.19; the same after a blur of a twentieth of a tile's width
0.000 to 0.010."""

FULL_HAND: Final = (13, 14)
"""How many tiles one player's hand holds, each kong counted as three."""

_CROP_SIZE = (64, 48)


def warnings_for(
    image: NDArray[np.uint8],
    quads: NDArray[np.float32],
    tiles: Sequence[TileReading],
    hands: Sequence[HandReading],
    copies: Mapping[str, int] = NO_CHANGES,
) -> tuple[str, ...]:
    """Everything that people should check or do again, the photo's faults first.

    Args:
        image: (h, w, 3) uint8 BGR photo.
        quads: (n, 4, 2) face corners in pixels.
        tiles: the n readings.
        hands: the hands they make up.
        copies: how many of a face the set has, where it is not the usual number.
    """
    found = [*photo_faults(image, quads), *_unsure_tiles(tiles)]
    for label, count in surplus((tile.label for tile in tiles), copies).items():
        found.append(
            f"{count} tiles are read as {NAMES[label]}, more than the set has: check them."
        )
    for hand in hands:
        found.extend(_hand_faults(hand))
    return tuple(found)


def sharpness(image: NDArray[np.uint8], quads: NDArray[np.float32]) -> float:
    """How crisp the marks on the tiles are, from 0; photos in focus give some hundredths.

    The fine detail of each straightened face is compared with its contrast, so that light and
    the amount of ink matter little; the crisper half of the tiles speaks for the photo.

    Args:
        image: (h, w, 3) uint8 BGR photo.
        quads: (n, 4, 2) face corners in pixels, n at least 1.
    """
    values = []
    for crop in rectify(image, quads, _CROP_SIZE):
        grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32)
        contrast = float(grey.var()) + 25.0
        values.append(float(cv2.Laplacian(grey, cv2.CV_32F).var()) / contrast / 20)
    return float(np.quantile(values, 0.75))


def photo_faults(image: NDArray[np.uint8], quads: NDArray[np.float32]) -> list[str]:
    """What is wrong with the photo itself: tiles too small, or blurred.

    Args:
        image: (h, w, 3) uint8 BGR photo.
        quads: (n, 4, 2) face corners in pixels, n at least 1.
    """
    sides = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2)
    if float(np.median(sides.min(axis=1))) < SMALL_TILE:
        return ["The tiles are small in the photo: come closer, or use a larger picture size."]
    if sharpness(image, quads) < BLURRED_BELOW:
        return ["The photo is blurred: hold still, tap the tiles to focus, and take it again."]
    return []


def _unsure_tiles(tiles: Sequence[TileReading]) -> list[str]:
    found = []
    doubtful = sum(tile.confidence < DOUBTFUL_BELOW for tile in tiles)
    if doubtful:
        found.append(f"{_tiles(doubtful)} hard to read: check what is marked.")
    strange = sum(tile.label in (OTHER, BLANK) for tile in tiles)
    if strange:
        found.append(f"{_tiles(strange)} blank or not of the game: say what is meant.")
    return found


def _hand_faults(hand: HandReading) -> list[str]:
    found = []
    if any(BACK in meld.tiles for meld in hand.melds):
        found.append("A kong lies face down: say which tile it is.")
    hidden = hand.concealed.count(BACK)
    if hidden:
        found.append(f"{_tiles(hidden)} face down in the hand: turn over or say what it is.")
    count = len(hand.concealed) + 3 * len(hand.melds)
    if count not in FULL_HAND:
        found.append(
            f"{count} tiles were found where a hand has 13, or 14 after going out "
            "(each kong counts as three): check that all lie open in the photo."
        )
    return found


def _tiles(count: int) -> str:
    return "1 tile is" if count == 1 else f"{count} tiles are"
