"""Signs laid into windows on tiles, for the reader of signs to learn from.

A window is cut out of a rendered tile, and a sign of any typeface is laid into it; so each tile
serves many times, and what stands where is known.
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
"""Side of a window when signs are laid into it: larger than when it is read."""
UNCLEAR: Final = -1
"""The class of a window with an upside-down six or nine, of which nothing is to be learnt."""
Glyph = tuple[str, str]
"""A character: the file of its typeface, and itself."""
Edge = Literal["low", "middle", "high"]
Edges = tuple[Edge, Edge]
"""Along x and y, from where a sign is laid."""
CORNERS: Final[tuple[Edges, ...]] = (
    ("low", "low"),
    ("high", "low"),
    ("low", "high"),
    ("high", "high"),
    ("middle", "middle"),
)
"""In the order of :func:`vision.classify.signs.corners`, and the middle."""
_MOST: Final = 0.94
"""No sign is wider than this share of its window."""
_LEAST_CONTRAST: Final = 60
_TRIES: Final = 8
_STROKES: Final = 13
"""By how much at most strokes are made thicker, in pixels of a typeface's mask."""


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """Windows on n upright tiles.

    Attributes:
        images: (n, k, 56, 56, 3) uint8 BGR: the corners, the middle, and further ones.
        signs: (n, k) int64, which of :data:`vision.classify.signs.SIGNS` each holds, or
        :data:`UNCLEAR`. open: (n,) bool, whether the tile has room for a sign in its middle.
    """

    images: Image
    signs: NDArray[np.int64]
    open: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.images)


class Lay(NamedTuple):
    """How signs of one kind stand on tiles.

    Attributes:
        face: width of the tile's face in pixels of the window.
        heights: their least and greatest height, in widths of the face.
        aside, down: least and greatest distance of their middles from the edges at the sides, and
            from those above and below, in the same.
        squeeze: how much narrower than high the window shows things.
        widest: their greatest width, in heights, or of what the window shows.
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
        rng: of its size, place and colour.
        window: uint8 BGR.
        edges: from which edges the sign's middle has its distance.
        mask: (h, w) uint8, the sign's ink.
        lay: how it may stand.
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
    """How much of each pixel of a window a glyph of that size covers, a little askew."""
    small = (max(1, round(2 * size[0])), max(1, round(2 * size[1])))
    mask = np.asarray(cv2.resize(mask, small, interpolation=cv2.INTER_AREA), np.uint8)
    angle, shear = rng.normal(0, 0.06, 2)
    askew = np.array([[np.cos(angle), shear - np.sin(angle)], [np.sin(angle), np.cos(angle)]]) / 2
    moved = np.array(middle) - askew @ np.array(small) / 2
    laid = cv2.warpAffine(mask, np.column_stack([askew, moved]), (SIDE, SIDE))
    return np.asarray(laid / np.float32(255), np.float32)


def _ink(rng: Generator, under: NDArray[np.floating]) -> NDArray[np.float64]:
    """A colour that can be told from what lies under it: mostly a dark or strong one."""
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
    """A window (40, 40, 3) uint8 BGR as a photo might show it: coarse, blurred, grainy, pale."""
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
    """The mask of one of the characters, as thick or thin as engravers cut it."""
    return heavier(rng, glyph_mask(*drawn[int(rng.integers(len(drawn)))]))


def heavier(rng: Generator, mask: Image) -> Image:
    """A sign as thick or thin as engravers cut it."""
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
