"""Faces that say a number or a letter in a corner, and others that do not, as phones show them.

The backgrounds are faces without any index, photographed and drawn; what they say is printed on
them here, so that its place is known. Everything is flat, which costs a hundredth of a scene.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.designs.drawing.palette import rng_for
from datasets.designs.factory import draw_face, sample_style
from datasets.designs.fonts import FontSpec, glyph_mask
from datasets.designs.icons import IconSet
from datasets.designs.rarer import with_inventions, with_rarer_makes
from datasets.sets.faces import FaceSet
from scorer.tiles import PLAYING_TILES, SUIT_TILES
from vision.vocabulary.labels import INDICES

Image = NDArray[np.uint8]
Box = tuple[float, float, float, float]
"""Middle x and y, width and height, in widths and heights of the face."""

SIZE: Final = (128, 96)
"""Height and width in pixels of the crops."""
CELL: Final = 8
"""Side in pixels of the cells in which a place is told."""
OPEN: Final = -1
"""Place where something said begins or ends, which is neither."""
PLAIN_SETS: Final = ("cm02", "cm07", "cm09", "cm10", "cm11", "cm13", "cm14", "cm15", "cm17")
"""Photographed sets without anything in the corners of suits and honours."""

_SAYING: Final = {
    **{digit: (digit,) for digit in "123456789"},
    "E": ("E", "EAST"),
    "S": ("S", "SOUTH"),
    "W": ("W", "WEST"),
    "N": ("N", "NORTH"),
    "P": ("P", "B"),
    "F": ("F",),
    "C": ("C", "Z"),
}
"""What stands for each index."""
_WORDS: Final = ("JOKER", "BAM", "CRAK", "DOT", "SPRING", "SUMMER", "AUTUMN", "WINTER", "DRAGON")
"""Words that are no index."""
_SAYS: Final = 0.7
"""Share of the faces that say something."""
_TURNED: Final = 0.15
"""Share of the crops that are upside down, and so say nothing."""
_CORNERS: Final = (
    (0, 0, 0.4),
    (1, 0, 0.25),
    (0, 1, 0.12),
    (1, 1, 0.12),
    (0.5, 0, 0.07),
    (0.5, 1, 0.04),
)
"""Places along x and y from one edge to the other, and their shares."""
_INKS: Final = ((30, 25, 25), (40, 30, 190), (150, 60, 20), (50, 120, 20), (120, 40, 140))
_WIDTHS: Final = (28.0, 110.0)
"""Least and greatest width in pixels of a face in a photo."""


@dataclass(frozen=True, slots=True)
class IndexedCrops:
    """Crops with what they say and where.

    Attributes:
        images: (n, 128, 96, 3) uint8 BGR.
        cells: (n, 16, 12) int64, the place in ``INDICES`` of what is said in each cell of 8 pixels,
            or :data:`OPEN`.
    """

    images: Image
    cells: NDArray[np.int64]


def plain_faces(
    photographed: Sequence[FaceSet],
    fonts: Sequence[FontSpec],
    icons: tuple[IconSet, ...],
    sets: int,
) -> list[Image]:
    """Faces without an index, (h, w, 3) uint8 BGR each.

    Args:
        photographed: photographed tile sets, of which those without an index are taken.
        fonts: typefaces of drawn sets.
        icons: pictures by other people for these; may be empty.
        sets: number of drawn sets.
    """
    found = [
        face
        for faces in photographed
        if faces.name in PLAIN_SETS
        for label, every in faces.faces.items()
        if label in PLAYING_TILES
        for face in every
    ]
    for seed in range(sets):
        style, rng = sample_style(seed, fonts), rng_for(seed, "plain")
        style = with_rarer_makes(style, rng, icons, ())
        if icons and rng.random() < 0.7:
            style = with_inventions(style, rng, icons)
        style = replace(style, index=None)
        found += [draw_face(code, style) for code in rng.permutation(SUIT_TILES)[:12]]
    return found


@dataclass(frozen=True, slots=True, eq=False)
class IndexPrinter:
    """Draws crops of faces on which something is printed.

    Attributes:
        faces: the backgrounds.
        fonts: the typefaces of what is printed.
    """

    faces: Sequence[Image]
    fonts: Sequence[FontSpec]

    def batch(self, rng: Generator, count: int) -> IndexedCrops:
        """``count`` crops."""
        drawn = [self._crop(rng) for _ in range(count)]
        images, cells = zip(*drawn, strict=True)
        return IndexedCrops(np.stack(images), np.stack(cells))

    def _crop(self, rng: Generator) -> tuple[Image, NDArray[np.int64]]:
        face = self.faces[int(rng.integers(len(self.faces)))]
        twice = cv2.resize(face, (2 * SIZE[1], 2 * SIZE[0]), interpolation=cv2.INTER_CUBIC)
        face = _smaller_print(rng, np.asarray(twice, np.uint8))
        said = np.zeros(SIZE, np.uint8)
        if rng.random() < _SAYS:
            index = str(rng.choice(INDICES[1:]))
            text = str(rng.choice(_SAYING[index]))
            box = self._printed(rng, face, text)
            _mark(said, box, INDICES.index(index))
        elif rng.random() < 0.3:
            self._printed(rng, face, str(rng.choice(_WORDS)))
        return _photographed(rng, face, said)

    def _printed(self, rng: Generator, face: Image, text: str) -> Box:
        """Print a text on a face, in place; where it stands."""
        able = [font for font in self.fonts if font.has(text)]
        font = able[int(rng.integers(len(able)))]
        masks = [glyph_mask(font.glyphs[char], char) for char in text]
        height = float(rng.uniform(0.1, 0.28)) * face.shape[0]
        if len(text) > 1:
            height = min(height * 0.7, 1.2 * face.shape[1] / len(text))
        elif not text.isdigit() and rng.random() < 0.15:
            height = float(rng.uniform(0.3, 0.6)) * face.shape[0]
        mask = _row(masks, height, min(0.9 * face.shape[1], 0.9 * len(text) * height * 1.2))
        if rng.random() < 0.3:
            kernel = np.ones((2, 2), np.uint8)
            mask = np.asarray((cv2.dilate if rng.random() < 0.6 else cv2.erode)(mask, kernel))
        return _pasted(rng, face, mask)


def _smaller_print(rng: Generator, face: Image) -> Image:
    """The face, mostly with its picture smaller and aside, as where room is left for an index."""
    if rng.random() < 0.3:
        return face.copy()
    rows, columns = face.shape[:2]
    scale = float(rng.uniform(0.65, 0.95))
    aside = (1 - scale) * np.array([columns, rows]) * rng.uniform(0.2, 0.9, 2)
    matrix = np.array([[scale, 0, aside[0]], [0, scale, aside[1]]], np.float32)
    moved = cv2.warpAffine(face, matrix, (columns, rows), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def _row(masks: Sequence[Image], height: float, most: float) -> Image:
    """Letters side by side, (h, w) uint8, of about this height and at most this width."""
    tall = max(mask.shape[0] for mask in masks)
    gap = np.zeros((tall, max(1, tall // 8)), np.uint8)
    parts: list[Image] = []
    for mask in masks:
        above = tall - mask.shape[0]
        parts += [np.pad(mask, ((above, 0), (0, 0))), gap]
    row = np.concatenate(parts[:-1], axis=1)
    scale = min(height / tall, most / row.shape[1])
    size = max(2, round(row.shape[1] * scale)), max(2, round(tall * scale))
    return np.asarray(cv2.resize(row, size, interpolation=cv2.INTER_AREA), np.uint8)


def _pasted(rng: Generator, face: Image, mask: Image) -> Box:
    """Paint through a mask (h, w) somewhere on a face, in place; where it stands."""
    rows, columns = face.shape[:2]
    height, width = mask.shape
    across, down, shares = (np.array(part) for part in zip(*_CORNERS, strict=True))
    place = int(rng.choice(len(_CORNERS), p=shares / shares.sum()))
    room_x, room_y = max(0, columns - width), max(0, rows - height)
    inset = float(rng.uniform(0.02, 0.14)) * columns
    left = int(np.clip(inset + across[place] * (room_x - 2 * inset), 0, room_x))
    top = int(np.clip(inset + down[place] * (room_y - 2 * inset), 0, room_y))
    if width > 0.4 * columns and height > 0.25 * rows:
        left, top = int(room_x * rng.uniform(0.3, 0.7)), int(room_y * rng.uniform(0.2, 0.8))
        if rng.random() < 0.7:
            face[:] = np.median(face.reshape(-1, 3), axis=0)
    part = face[top : top + height, left : left + width]
    alpha = mask[: part.shape[0], : part.shape[1], np.newaxis].astype(np.float32) / 255
    ink = np.array(_INKS[int(rng.integers(len(_INKS)))]) + rng.normal(0, 20, 3)
    paper = float(np.median(face))
    ink = np.clip(255 - ink if paper < 110 else ink, 0, 255) * float(rng.uniform(0.85, 1.15))
    strength = float(rng.uniform(0.6, 1.0))
    part[:] = np.clip(part * (1 - alpha * strength) + ink * alpha * strength, 0, 255)
    return (left + width / 2) / columns, (top + height / 2) / rows, width / columns, height / rows


def _mark(said: NDArray[np.uint8], box: Box, place: int) -> None:
    """Mark in pixels (h, w) where something is said: its inner part the index, its rim open."""
    rows, columns = said.shape
    x, y, width, height = box
    for share, value in ((1.3, 255), (0.7, place)):
        left, right = ((x + side * share * width / 2) * columns for side in (-1, 1))
        top, foot = ((y + side * share * height / 2) * rows for side in (-1, 1))
        said[max(0, int(top)) : int(foot) + 1, max(0, int(left)) : int(right) + 1] = value


def _photographed(
    rng: Generator, face: Image, said: NDArray[np.uint8]
) -> tuple[Image, NDArray[np.int64]]:
    """A face as a phone sees it and a detector crops it, and what its cells say."""
    rows, columns = SIZE
    rough = 0.03 if rng.random() < 0.65 else 0.07
    corners = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
    there = corners + rng.normal(0, rough, (4, 2)) * [columns, rows]
    turned = rng.random() < _TURNED
    if turned:
        there = np.roll(there, 2, axis=0)
    there = there.astype(np.float32)
    large = cv2.getPerspectiveTransform(corners * 2, there)
    small = cv2.getPerspectiveTransform(corners, there)
    around = [int(value) for value in rng.integers(20, 235, 3)]
    image = cv2.warpPerspective(
        face, large, (columns, rows), flags=cv2.INTER_AREA, borderValue=around
    )
    marks = cv2.warpPerspective(said, small, (columns, rows), flags=cv2.INTER_NEAREST)
    cells = marks[CELL // 2 :: CELL, CELL // 2 :: CELL].astype(np.int64)
    cells[cells == 255] = OPEN
    if turned:
        cells[cells > 0] = 0
    return _lit(rng, _coarse(rng, np.asarray(image, np.uint8))), cells


def _coarse(rng: Generator, image: Image) -> Image:
    """The crop with the detail of a smaller tile, blurred and packed as by a camera."""
    rows, columns = image.shape[:2]
    width = int(np.exp(rng.uniform(*np.log(_WIDTHS))))
    small = cv2.resize(image, (width, width * rows // columns), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.4:
        small = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.3, 1.0)))
    if rng.random() < 0.5:
        quality = int(rng.integers(40, 95))
        packed = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        small = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR))
    back = cv2.resize(small, (columns, rows), interpolation=cv2.INTER_LINEAR)
    return np.asarray(back, np.uint8)


def _lit(rng: Generator, image: Image) -> Image:
    """The crop in other light: exposure, cast, a gradient and noise."""
    rows, columns = image.shape[:2]
    slope = np.linspace(-1, 1, columns)[:, np.newaxis] * rng.normal(0, 0.15)
    fall = np.linspace(-1, 1, rows)[:, np.newaxis, np.newaxis] * rng.normal(0, 0.15)
    gain = float(rng.uniform(0.55, 1.25)) * (1 + slope + fall) * rng.normal(1, 0.07, 3)
    noise = rng.standard_normal(image.shape, np.float32) * float(rng.uniform(0, 8))
    return np.asarray(np.clip(image * gain + noise + rng.uniform(-20, 20), 0, 255), np.uint8)
