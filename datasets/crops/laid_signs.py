"""Draws signs into windows on tiles, to train the reader of signs on.

A window is cut out of a rendered tile, and a sign in any typeface is drawn into it; so each tile
can be used many times, and the sign and its place are known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.designs.fonts import FontSpec, glyph_mask
from vision.classify.signs import WINDOW

Image = NDArray[np.uint8]

SIDE: Final = 56
"""Side in pixels of a window when signs are drawn into it, which is larger than when it is read."""
UNCLEAR: Final = -1
"""The class of a window with an upside-down six or nine, which is not used for training."""
Glyph = tuple[str, str]
"""The file of a typeface and a character that it has."""
Edge = Literal["low", "middle", "high"]
Edges = tuple[Edge, Edge]
"""The edges along x and y from which the distance of a sign is measured."""
CORNERS: Final[tuple[Edges, ...]] = (
    ("low", "low"),
    ("high", "low"),
    ("low", "high"),
    ("high", "high"),
    ("middle", "middle"),
)
"""The corners in the order of :func:`vision.classify.signs.corners`, then the middle."""
_MOST: Final = 0.94
"""Maximum width of a sign as a share of its window."""
_LEAST_CONTRAST: Final = 60
"""Least contrast of a sign with what lies under it, in levels of 0..255."""
_TRIES: Final = 8
"""Number of colours that are tried until one has enough contrast."""
_STROKES: Final = 13
"""Maximum number of pixels by which strokes are thickened in a typeface's mask."""


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """Windows on n upright tiles.

    Attributes:
        images: (n, k, 56, 56, 3) uint8 BGR: the corners, the middle, and further ones.
        signs: (n, k) int64, the place in :data:`vision.classify.signs.SIGNS` of what each holds,
            or :data:`UNCLEAR`.
        open: (n,) bool, whether the tile has room for a sign in its middle.
    """

    images: Image
    signs: NDArray[np.int64]
    open: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.images)


class Lay(NamedTuple):
    """Size and place of signs of one kind on tiles.

    Attributes:
        face: width of the tile's face in pixels of the window.
        heights: least and greatest height of a sign, in widths of the face.
        aside: least and greatest distance of a sign's middle from the edge at its side, in widths
            of the face.
        down: least and greatest distance of a sign's middle from the edge above or below, in
            widths of the face.
        squeeze: factor by which the window narrows what it shows.
        widest: maximum width of a sign in its own heights.
    """

    face: float
    heights: tuple[float, float]
    aside: tuple[float, float] = (0.0, 0.0)
    down: tuple[float, float] = (0.0, 0.0)
    squeeze: float = 1.0
    widest: float = 1.25


def with_sign(rng: Generator, window: Image, edges: Edges, mask: Image, lay: Lay) -> Image:
    """A window (56, 56, 3) with a sign in it.

    Args:
        rng: chooses its size, place and colour.
        window: uint8 BGR.
        edges: the edges from which the distance of the sign's middle is measured.
        mask: (h, w) uint8, the sign's ink.
        lay: the range of its size and place.
    """
    face = lay.face
    high = float(np.exp(rng.uniform(*np.log(lay.heights)))) * face
    wide = high * lay.squeeze * mask.shape[1] / mask.shape[0]
    most = min(lay.widest * high, _MOST * SIDE)
    if wide > most:
        high, wide = high * most / wide, most
    x = max(rng.uniform(*lay.aside) * face, wide / 2 + 0.02 * face)
    y = max(rng.uniform(*lay.down) * face, high / 2 + 0.02 * face)
    x, y = (
        {"low": near, "high": SIDE - near}.get(edge, SIDE / 2 + rng.normal(0, 0.02 * face))
        for near, edge in zip((x, y), edges, strict=True)
    )
    cover = _laid(rng, mask, (wide, high), (float(x), float(y)))
    under = window[cover > 0.3]
    ink = _ink(rng, under.mean(axis=0) if len(under) else window.mean(axis=(0, 1)))
    share = cover[..., np.newaxis] * float(rng.uniform(0.75, 1))
    return np.asarray(window * (1 - share) + ink * share, np.uint8)


def _laid(
    rng: Generator, mask: Image, size: tuple[float, float], middle: tuple[float, float]
) -> NDArray[np.float32]:
    """The share of each pixel of a window that a slightly rotated glyph of that size covers."""
    small = (max(1, round(2 * size[0])), max(1, round(2 * size[1])))
    mask = np.asarray(cv2.resize(mask, small, interpolation=cv2.INTER_AREA), np.uint8)
    angle, shear = rng.normal(0, 0.06, 2)
    askew = np.array([[np.cos(angle), shear - np.sin(angle)], [np.sin(angle), np.cos(angle)]]) / 2
    moved = np.array(middle) - askew @ np.array(small) / 2
    laid = cv2.warpAffine(mask, np.column_stack([askew, moved]), (SIDE, SIDE))
    return np.asarray(laid / np.float32(255), np.float32)


def _ink(rng: Generator, under: NDArray[np.floating]) -> NDArray[np.float64]:
    """A mostly dark or strong colour that contrasts with what lies under it."""
    for _ in range(_TRIES):
        if rng.random() < 0.4:
            ink = rng.integers(0, 256, 3).astype(np.float64)
        else:
            strong = rng.permutation(rng.integers(0, (160, 60, 1)))
            ink = np.clip(rng.integers(0, 90) + strong, 0, 255).astype(np.float64)
        ink = 255 - ink if rng.random() < 0.15 else ink
        if np.abs(ink - under).max() > _LEAST_CONTRAST:
            break
    return ink


def as_seen(rng: Generator, window: Image) -> Image:
    """A window (40, 40, 3) uint8 BGR with the faults of photos: coarse, blurred, grainy or pale."""
    if rng.random() < 0.5:
        side = max(12, round(SIDE * rng.uniform(0.35, 0.9)))
        window = np.asarray(cv2.resize(window, (side, side), interpolation=cv2.INTER_AREA))
    if rng.random() < 0.35:
        window = np.asarray(cv2.GaussianBlur(window, (0, 0), rng.uniform(0.3, 1.0)))
    smaller = window.shape[0] > WINDOW
    seen = cv2.resize(
        window, (WINDOW, WINDOW), interpolation=cv2.INTER_AREA if smaller else cv2.INTER_LINEAR
    ).astype(np.float32)
    seen = seen * rng.uniform(0.65, 1.35) + rng.uniform(-30, 30)
    if rng.random() < 0.5:
        seen += rng.normal(0, rng.uniform(1, 12), seen.shape)
    return np.asarray(np.clip(seen, 0, 255), np.uint8)


def drawn_by(fonts: Sequence[FontSpec], texts: str) -> list[Glyph]:
    """The characters of ``texts`` in all typefaces that have them."""
    return [(font.glyphs[text], text) for font in fonts for text in texts if font.has(text)]


def any_of(rng: Generator, drawn: Sequence[Glyph]) -> Image:
    """The mask of one of the characters with strokes as thick or thin as engravers cut them."""
    return heavier(rng, glyph_mask(*drawn[int(rng.integers(len(drawn)))]))


def heavier(rng: Generator, mask: Image) -> Image:
    """The mask of a sign with strokes as thick or thin as engravers cut them."""
    roll = rng.random()
    if roll < 0.4:
        size = int(rng.integers(2, _STROKES))
        room = cv2.copyMakeBorder(mask, size, size, size, size, cv2.BORDER_CONSTANT)
        return np.asarray(cv2.dilate(room, _brush(size)), np.uint8)
    if roll < 0.55:
        return np.asarray(cv2.erode(mask, _brush(int(rng.integers(2, 5)))), np.uint8)
    return mask


def _brush(size: int) -> Image:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)
