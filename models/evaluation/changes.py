"""The same picture in another light or from another side, with its truth transformed too.

Photographs with annotated corners are few; seen in a darker room or from the other side of the
table, they show further failures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.evaluation.examples import Example
from vision.geometry.quads import UNIT_SQUARE

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

_NOISY_SIDE: Final = 1280
"""Long side in pixels of pictures with noise, at which its grain is as large as a phone's."""
_NOISE: Final = 12.0
"""Standard deviation of the noise in levels of 0..255."""
_TILT: Final = 0.15
"""Share of the picture's width by which the far side narrows."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of light or viewpoint.

    Attributes:
        shown: the changed picture (h, w, 3) uint8 BGR of a picture.
        moved: the homography (3, 3) of its pixels, given its (height, width).
    """

    shown: Callable[[Image], Image]
    moved: Callable[[tuple[int, int]], Doubles]


def _still(_size: tuple[int, int]) -> Doubles:
    return np.eye(3)


def _lit(image: Image, gains: tuple[float, float, float], gamma: float) -> Image:
    levels = np.linspace(0, 1, 256)[:, np.newaxis] ** gamma * np.array(gains) * 255
    return np.asarray(cv2.LUT(image, np.clip(levels, 0, 255).astype(np.uint8)[:, np.newaxis]))


def _light(blue: float, green: float, red: float, gamma: float = 1.0) -> Change:
    return Change(partial(_lit, gains=(blue, green, red), gamma=gamma), _still)


def _turned(size: tuple[int, int], quarters: int) -> Doubles:
    height, width = size
    once = {
        1: [[0, 1, 0], [-1, 0, width], [0, 0, 1]],
        2: [[-1, 0, width], [0, -1, height], [0, 0, 1]],
        3: [[0, -1, height], [1, 0, 0], [0, 0, 1]],
    }
    return np.array(once[quarters], np.float64)


def _turn(quarters: int) -> Change:
    def shown(image: Image) -> Image:
        return np.ascontiguousarray(np.rot90(image, quarters))

    return Change(shown, partial(_turned, quarters=quarters))


def _tilted(size: tuple[int, int], *, leftwards: bool) -> Doubles:
    height, width = size
    far, deep = _TILT * width, _TILT * height
    corners = np.asarray(UNIT_SQUARE * [width, height], np.float32)
    seen = corners.copy()
    if leftwards:
        seen[[0, 3]] += [[far, deep], [far, -deep]]
    else:
        seen[:2] += [[far, deep], [-far, deep]]
    return np.asarray(cv2.getPerspectiveTransform(corners, seen), np.float64)


def _tilt(*, leftwards: bool) -> Change:
    def shown(image: Image) -> Image:
        size = image.shape[0], image.shape[1]
        matrix = _tilted(size, leftwards=leftwards)
        return np.asarray(cv2.warpPerspective(image, matrix, size[::-1]), np.uint8)

    return Change(shown, partial(_tilted, leftwards=leftwards))


def _noisy_scale(size: tuple[int, int]) -> float:
    return min(1.0, _NOISY_SIDE / max(size))


def _noisy(image: Image) -> Image:
    scale = _noisy_scale((image.shape[0], image.shape[1]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grain = np.random.default_rng(0).normal(0, _NOISE, small.shape)
    return np.asarray(np.clip(small + grain, 0, 255), np.uint8)


def _shrunk(size: tuple[int, int]) -> Doubles:
    scale = _noisy_scale(size)
    return np.diag([scale, scale, 1.0])


CHANGES: Final[Mapping[str, Change]] = {
    "as it is": _light(1, 1, 1),
    "a quarter turn": _turn(1),
    "upside down": _turn(2),
    "three quarter turns": _turn(3),
    "dark": _light(0.35, 0.35, 0.35),
    "contrast": _light(1, 1, 1, 2.0),
    "warm lamp": _light(0.55, 0.85, 1.1),
    "cold lamp": _light(1.15, 0.9, 0.65),
    "green lamp": _light(0.8, 1.1, 0.8),
    "noise": Change(_noisy, _shrunk),
    "farther above": _tilt(leftwards=False),
    "farther left": _tilt(leftwards=True),
}
"""The changes of a picture by name."""


def changed(examples: Iterable[Example]) -> Iterator[Example]:
    """Each picture with each of :data:`CHANGES` in turn."""
    for example in examples:
        image = example.load()
        size = image.shape[0], image.shape[1]
        for name, change in CHANGES.items():
            matrix = change.moved(size)
            quads = example.quads.reshape(1, -1, 2).astype(np.float64)
            moved = cv2.perspectiveTransform(quads, matrix).reshape(-1, 4, 2)
            yield replace(
                example,
                name=f"{example.name}, {name}",
                load=partial(change.shown, image),
                quads=moved.astype(np.float32),
            )
