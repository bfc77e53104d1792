"""Playing cards, which may lie on the same table and whose pips resemble circles."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Place = tuple[float, float]

_HEIGHT, _WIDTH = 210, 150
_RED: Final = (30, 25, 200)
_BLACK: Final = (30, 30, 30)
_LEFT, _RIGHT = 0.33, 0.67
_COURT: Final = {11: "J", 12: "Q", 13: "K"}
_THIRDS: Final = (0.2, 0.5, 0.8)
_QUARTERS: Final = (0.2, 0.4, 0.6, 0.8)


def draw_card(rng: Generator) -> Image:
    """A card of 210 x 150 pixels, uint8 BGR, with its value in two corners."""
    image = np.full((_HEIGHT, _WIDTH, 3), int(rng.integers(225, 255)), np.uint8)
    suit, value = int(rng.integers(4)), int(rng.integers(1, 14))
    if value > 10:
        _court(rng, image)
    cover = np.zeros((_HEIGHT, _WIDTH), np.uint8)
    text = "A" if value == 1 else _COURT.get(value, str(value))
    cv2.putText(cover, text, (6, 32), cv2.FONT_HERSHEY_DUPLEX, 1.0, 255, 2, cv2.LINE_AA)
    if rng.random() < 0.7:
        _pip(cover, suit, (0.11, 0.22), 8)
    cover = np.maximum(cover, cover[::-1, ::-1])
    size = int(rng.integers(11, 17)) if value > 1 else int(rng.integers(16, 42))
    for place in pip_places(value):
        _pip(cover, suit, place, size)
    share = (cover.astype(np.float32) / 255)[..., np.newaxis]
    ink = np.array(_RED if suit < 2 else _BLACK, np.float32)
    return np.asarray(image * (1 - share) + ink * share, np.uint8)


def pip_places(value: int) -> list[Place]:
    """The places of a value's pips, as shares of width and height; a court card has none."""
    middle = {1: (0.5,), 2: (0.2, 0.8), 3: _THIRDS, 5: (0.5,), 7: (0.35,), 8: (0.35, 0.65)}
    middle |= {9: (0.5,), 10: (0.3, 0.7)}
    rows = {4: (0.2, 0.8), 5: (0.2, 0.8), 9: _QUARTERS, 10: _QUARTERS}
    sides: tuple[float, ...] = rows.get(value, _THIRDS if 6 <= value <= 8 else ())
    return [(0.5, y) for y in middle.get(value, ())] + [
        (x, y) for y in sides for x in (_LEFT, _RIGHT)
    ]


def _pip(cover: NDArray[np.uint8], suit: int, place: Place, size: int) -> None:
    """A diamond, heart, spade or club of half-height ``size`` pixels, in place."""
    x, y = round(place[0] * _WIDTH), round(place[1] * _HEIGHT)
    half = size // 2
    if suit == 0:
        points = [[x, y - size], [x + size * 3 // 4, y], [x, y + size], [x - size * 3 // 4, y]]
    else:
        point = size if suit == 1 else -size
        for side in (-half, half):
            cv2.circle(cover, (x + side, y - point // 3), half + 1, 255, -1, cv2.LINE_AA)
        if suit == 3:
            cv2.circle(cover, (x, y - half), half + 1, 255, -1, cv2.LINE_AA)
        points = [[x - size + 1, y - point // 8], [x + size - 1, y - point // 8], [x, y + point]]
    if suit < 3:
        cv2.fillConvexPoly(cover, np.array(points, np.int32), 255, cv2.LINE_AA)
    if suit > 1:
        stalk = np.array([[x, y], [x + half, y + size], [x - half, y + size]], np.int32)
        cv2.fillConvexPoly(cover, stalk, 255, cv2.LINE_AA)


def _court(rng: Generator, image: Image) -> None:
    """A framed picture of coloured shapes, in place."""
    colour = rng.integers(40, 230, 3)
    for _ in range(12):
        spots = rng.integers([40, 34], [110, 176], (3, 2)).astype(np.int32)
        shade = [float(c) for c in colour * rng.uniform(0.4, 1.2)]
        cv2.fillPoly(image, [spots], shade)
    cv2.rectangle(image, (36, 30), (114, 180), [float(c) for c in colour // 2], 3)
