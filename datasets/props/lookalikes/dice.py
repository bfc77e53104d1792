"""Dice on the table, whose sides resemble circle tiles or blank ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.props.boxes import ahead, sides_seen, turned_box
from datasets.props.camera import Camera
from datasets.props.painting import paste, relief, shaded

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

_A, _B, _C = 0.25, 0.5, 0.75
PIPS: Final[Mapping[int, tuple[tuple[float, float], ...]]] = {
    1: ((_B, _B),),
    2: ((_A, _A), (_C, _C)),
    3: ((_A, _A), (_B, _B), (_C, _C)),
    4: ((_A, _A), (_A, _C), (_C, _A), (_C, _C)),
    5: ((_A, _A), (_A, _C), (_C, _A), (_C, _C), (_B, _B)),
    6: ((_A, _A), (_A, _B), (_A, _C), (_C, _A), (_C, _B), (_C, _C)),
}
"""The places of the dots for each number of a die or domino, as shares of the field's side."""

_SIDE: Final = 64
"""Size in pixels of a side before its projection."""
_OPPOSITE: Final = (1, 6, 2, 5, 3, 4)
_RED: Final = (40, 30, 190)
_DARK: Final = (30, 30, 30)
_WHITE: Final = (240, 240, 240)
_REDS: Final[tuple[tuple[int, ...], ...]] = ((1, 4), (1,), ())
"""The numbers that are red on a pale die."""
_IVORY: Final = (225, 238, 243)
_PLASTICS: Final = ((40, 30, 190), (150, 60, 30), (60, 120, 30), (35, 35, 35))


def draw_die(
    rng: Generator,
    canvas: Image,
    place: tuple[float, float],
    camera: Camera,
    sun: Floats,
    inks: Sequence[tuple[int, int, int]] = (),
) -> None:
    """Paint a die that lies on the table, in place.

    Args:
        rng: chooses its size, colours, angle and upper side.
        canvas: (h, w, 3) uint8 BGR.
        place: x and y of its middle on the table, in tile widths.
        camera: the camera of the picture; a die that reaches behind it is not painted.
        sun: (3,) unit vector towards the light.
        inks: the colours BGR of its dots from one to six; none for the usual colours.
    """
    side, angle = rng.uniform(0.4, 0.85), rng.uniform(0, 2 * np.pi)
    corners = turned_box(place, angle, (side, side, side))
    if not ahead(camera, corners):
        return
    numbers = np.array(_OPPOSITE).reshape(3, 2)[rng.permutation(3)].ravel()
    pale = rng.random() < 0.75
    plastic = _IVORY if pale else _PLASTICS[int(rng.integers(len(_PLASTICS)))]
    body = np.array(plastic) * rng.uniform(0.8, 1.1)
    reds = _REDS[int(rng.integers(len(_REDS)))]
    form = relief(_SIDE, _SIDE, float(rng.uniform(0.04, 0.2)))
    dark, ambient = rng.uniform(0.0, 0.35), rng.uniform(0.5, 0.8)
    for number, points, normal in sides_seen(corners, camera):
        pips = int(numbers[number])
        ink = _WHITE if not pale else _RED if pips in reds else _DARK
        ink = inks[pips - 1] if inks else ink
        face = shaded(_side(rng, body, pips, ink), form, dark, np.zeros(2))
        gain = ambient + (1 - ambient) * max(0.0, float(normal @ sun))
        paste(canvas, face, form.alpha, camera.project(points).astype(np.float32), gain)


def _side(rng: Generator, body: NDArray[np.float64], pips: int, ink: tuple[int, int, int]) -> Image:
    image = np.empty((_SIDE, _SIDE, 3), np.uint8)
    image[:] = np.clip(body, 0, 255)
    size = _SIDE * (rng.uniform(0.1, 0.2) if pips == 1 else rng.uniform(0.06, 0.11))
    for x, y in PIPS[pips]:
        middle = (round(x * _SIDE), round(y * _SIDE))
        cv2.circle(image, middle, round(size), ink, -1, cv2.LINE_AA)
    return image
