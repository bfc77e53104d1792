"""Keyboards, whose keys form rows like tiles, are as large, and bear one or two signs each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

PITCH: Final = 64
"""Distance of neighbouring keys in pixels."""
_MARGIN: Final = 12
_WORDS: Final = (
    "Esc",
    "F10",
    "Insert",
    "Enter",
    "Shift",
    "Ctrl",
    "alt",
    "del",
    "Tab",
    "Fn",
    "PgUp",
)
_FONTS: Final = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
)


@dataclass(frozen=True, slots=True)
class _Make:
    """The common look of the keys of one keyboard.

    Attributes:
        level: brightness of the keys, 0..255.
        tint: (3,) levels that are added to the brightness in each channel.
        ink: brightness of the signs.
        gap: gap between keys in pixels.
        corner: radius of the keys' corners in pixels.
        dish: shading of the hollow for the finger, as a share of the brightness.
        hollow: whether the hollow is round; otherwise it runs along the key.
        lit: (2,) direction in which keys become lighter.
        rim: levels by which the keys' edges are brighter; may be negative.
        scale: scale of the signs.
        place: origin of the signs, as shares of the key.
        twofold: share of keys with one sign above another.
    """

    level: float
    tint: Floats
    ink: float
    gap: int
    corner: float
    dish: float
    hollow: bool
    lit: Floats
    rim: float
    font: int
    scale: float
    place: tuple[float, float]
    twofold: float


@dataclass(frozen=True, slots=True, eq=False)
class Keyboard:
    """A keyboard seen from straight above.

    Attributes:
        image: (h, w, 3) uint8 BGR.
        keys: (n, 4) int, left, top, right and bottom of each key in pixels.
    """

    image: Image
    keys: NDArray[np.intp]


def draw_keyboard(rng: Generator) -> Keyboard:
    """Three to six rows of keys with a gap between, some of them wide."""
    rows, wide = int(rng.integers(3, 7)), int(rng.integers(5, 16))
    make = _random_make(rng)
    image = np.empty((rows * PITCH + 2 * _MARGIN, wide * PITCH + 2 * _MARGIN, 3), np.float32)
    image[:] = np.clip(make.level + rng.uniform(-60, 90), 0, 255)
    keys = []
    for row in range(rows):
        left, top = _MARGIN, _MARGIN + row * PITCH
        while left < image.shape[1] - _MARGIN - PITCH // 2:
            span = round(PITCH * (rng.uniform(1.2, 2.6) if rng.random() < 0.12 else 1.0))
            right = min(left + span, image.shape[1] - _MARGIN) - make.gap
            bottom = top + PITCH - make.gap
            area = image[top:bottom, left:right]
            shape, alpha = _key(make, area.shape[0], area.shape[1])
            area += (_signed(rng, make, shape) - area) * alpha
            keys.append((left, top, right, bottom))
            left += span
    return Keyboard(np.clip(image, 0, 255).astype(np.uint8), np.array(keys))


def _random_make(rng: Generator) -> _Make:
    dark = rng.random() < 0.7
    level = float(rng.uniform(8, 140) if dark else rng.uniform(140, 245))
    ink = min(255.0, level + rng.uniform(35, 220)) if dark else float(rng.uniform(10, 90))
    angle = rng.uniform(0, 2 * np.pi)
    return _Make(
        level=level,
        tint=rng.normal(0, 4, 3).astype(np.float32),
        ink=ink,
        gap=int(rng.integers(2, 10)),
        corner=float(rng.uniform(1, 14)),
        dish=float(rng.uniform(0.05, 0.9)) if rng.random() < 0.5 else 0.0,
        hollow=bool(rng.random() < 0.6),
        lit=np.array([np.cos(angle), np.sin(angle)], np.float32),
        rim=float(rng.uniform(-25, 60)),
        font=_FONTS[int(rng.integers(len(_FONTS)))],
        scale=float(rng.uniform(0.4, 1.0)),
        place=(float(rng.uniform(0.12, 0.42)), float(rng.uniform(0.45, 0.8))),
        twofold=float(rng.choice([0.0, 0.3, 0.9])),
    )


def _key(make: _Make, height: int, width: int) -> tuple[Floats, Floats]:
    """A key (height, width, 3) without a sign, and the share of each pixel it covers, 0..1."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    beyond = [
        np.maximum(np.abs(at - (side - 1) / 2) - side / 2 + make.corner, 0)
        for at, side in ((x, width), (y, height))
    ]
    inside = make.corner - np.hypot(*beyond)
    u, v = 2 * x / width - 1, 2 * y / height - 1
    across = u * make.lit[0] + v * make.lit[1]
    if make.hollow:
        across *= np.clip((0.95 - np.hypot(u * width / height, v)) / 0.15, 0, 1)
    edge = np.exp(-((inside - 2) ** 2) / 4)
    shade = make.level * (1 + make.dish * across) + make.rim * edge
    alpha = np.clip(inside + 0.5, 0, 1)[..., np.newaxis]
    return shade[..., np.newaxis] + make.tint, np.asarray(alpha, np.float32)


def _signed(rng: Generator, make: _Make, key: Floats) -> Floats:
    """The key with its sign, or with a word if it is wide."""
    height, width = key.shape[:2]
    cover = np.zeros((height, width), np.uint8)
    bold = int(rng.integers(1, 3))
    x = round(make.place[0] * height)
    if width > height + make.gap:
        words = [(str(rng.choice(_WORDS)), make.place[1], 0.7)]
    elif rng.random() < make.twofold:
        words = [(_sign(rng), 0.42, 0.8), (_sign(rng), 0.88, 0.8)]
    else:
        words = [(_sign(rng), make.place[1], 1.0)]
    for word, y, size in words:
        spot = (x, round(y * height))
        cv2.putText(cover, word, spot, make.font, make.scale * size, 255, bold, cv2.LINE_AA)
    share = (cover.astype(np.float32) / 255)[..., np.newaxis]
    return np.asarray(key * (1 - share) + make.ink * share, np.float32)


def _sign(rng: Generator) -> str:
    return chr(int(rng.integers(33, 95)))
