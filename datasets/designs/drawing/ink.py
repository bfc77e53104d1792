"""Drawing on one tile face: strokes, shapes and glyphs in units of the face's width.

Coordinates run from the top-left corner, x right and y down, with the face's width as unit: x is
in 0-1, y in 0-1/proportion.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.designs.drawing.design import FACE_WIDTH, Bgr, Image
from datasets.designs.fonts import FontSpec, glyph_mask

SUPERSAMPLE: Final = 2
"""Factor of the drawing surface over the finished face in each direction."""
SCALE: Final = FACE_WIDTH * SUPERSAMPLE
"""Pixels of the drawing surface per width of a face."""

Points = NDArray[np.float64]
_SHIFT: Final = 4
"""Number of fractional bits in OpenCV's fixed-point coordinates."""


class Face:
    """A drawing surface for one face, twice as fine as the finished picture.

    Attributes:
        pixels: the drawing, ``(2 H, 240, 3)`` uint8 BGR.
        height: the face's height in units of its width.
        paper: the colour on which it is drawn.
    """

    def __init__(self, rows: int, paper: Bgr) -> None:
        self.pixels: Image = np.empty((rows * SUPERSAMPLE, SCALE, 3), np.uint8)
        self.pixels[:] = paper
        self.height = rows / FACE_WIDTH
        self.paper = paper

    def line(self, points: Points, colour: Bgr, width: float, *, closed: bool = False) -> None:
        """A stroke of constant width with round ends along ``(n, 2)`` points."""
        thickness = max(1, round(width * SCALE))
        cv2.polylines(self.pixels, [_fixed(points)], closed, colour, thickness, cv2.LINE_AA, _SHIFT)

    def fill(self, points: Points, colour: Bgr) -> None:
        """A filled polygon of ``(n, 2)`` points."""
        cv2.fillPoly(self.pixels, [_fixed(points)], colour, cv2.LINE_AA, _SHIFT)

    def shape(self, points: Points, colour: Bgr, outline: float = 0.0) -> None:
        """A closed shape, drawn as an outline of the given width, or filled if that is 0."""
        if outline > 0:
            self.line(points, colour, outline, closed=True)
        else:
            self.fill(points, colour)

    def disc(self, x: float, y: float, radius: float, colour: Bgr) -> None:
        """A filled circle."""
        self._circle(x, y, radius, colour, -1)

    def ring(self, x: float, y: float, radius: float, colour: Bgr, width: float) -> None:
        """A circle drawn with a stroke centred on the radius."""
        self._circle(x, y, radius, colour, max(1, round(width * SCALE)))

    def _circle(self, x: float, y: float, radius: float, colour: Bgr, thickness: int) -> None:
        scale = SCALE * (1 << _SHIFT)
        centre = (round(x * scale), round(y * scale))
        size = max(1, round(radius * scale))
        cv2.circle(self.pixels, centre, size, colour, thickness, cv2.LINE_AA, _SHIFT)

    def brush(self, points: Points, colour: Bgr, start: float, end: float) -> None:
        """A stroke whose width runs from ``start`` to ``end``."""
        widths = np.linspace(start, end, len(points)) / 2
        along = np.gradient(points, axis=0)
        normal = np.stack([-along[:, 1], along[:, 0]], 1)
        normal /= np.linalg.norm(normal, axis=1, keepdims=True) + 1e-9
        side = normal * widths[:, None]
        self.fill(np.concatenate([points + side, (points - side)[::-1]]), colour)
        self.disc(float(points[0, 0]), float(points[0, 1]), start / 2, colour)
        self.disc(float(points[-1, 0]), float(points[-1, 1]), end / 2, colour)

    def glyph(
        self,
        font: FontSpec,
        char: str,
        box: tuple[float, float, float, float],
        colour: Bgr,
        weight: float = 0.0,
        *,
        fit: bool = False,
    ) -> None:
        """One character.

        Args:
            font: a typeface that has the character.
            char: the character.
            box: centre x, centre y, width and height of the room for it.
            colour: its colour.
            weight: units by which strokes are thickened, or thinned if negative.
            fit: fill the box in both directions instead of keeping the glyph's proportion.
        """
        mask = glyph_mask(font.glyphs[char], char)
        width, height = box[2] * SCALE, box[3] * SCALE
        scale_x, scale_y = width / mask.shape[1], height / mask.shape[0]
        if not fit:
            scale_x = scale_y = min(scale_x, scale_y)
        size = (max(2, round(mask.shape[1] * scale_x)), max(2, round(mask.shape[0] * scale_y)))
        scaled = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
        self.stamp(np.asarray(scaled, np.uint8), box[0], box[1], colour, weight)

    def word(
        self,
        font: FontSpec,
        text: str,
        box: tuple[float, float, float, float],
        colour: Bgr,
        weight: float = 0.0,
    ) -> None:
        """A word in a row of letters that share the box (centre x, centre y, width, height)."""
        step = box[2] / len(text)
        masks = [glyph_mask(font.glyphs[char], char) for char in text]
        widest = max(mask.shape[1] / mask.shape[0] for mask in masks)
        height = min(box[3], step * 0.95 / widest)
        for index, char in enumerate(text):
            x = box[0] + (index - (len(text) - 1) / 2) * step
            self.glyph(font, char, (x, box[1], step, height), colour, weight)

    def stamp(
        self, mask: NDArray[np.uint8], x: float, y: float, colour: Bgr, weight: float
    ) -> None:
        """Paint through a ``(h, w)`` uint8 mask centred on a point."""
        mask = np.pad(mask, 8)
        steps = round(abs(weight) * SCALE)
        mask = thickened(mask, 2 * steps if weight > 0 else -2 * steps)
        self.paste(np.broadcast_to(np.array(colour, np.uint8), (*mask.shape, 3)), mask, x, y)

    def paste(
        self, picture: NDArray[np.uint8], mask: NDArray[np.uint8], x: float, y: float
    ) -> None:
        """Draw a ``(h, w, 3)`` uint8 BGR picture centred on a point, where its mask covers."""
        top = round(y * SCALE - mask.shape[0] / 2)
        left = round(x * SCALE - mask.shape[1] / 2)
        rows, columns = self.pixels.shape[:2]
        y0, y1 = max(0, top), min(rows, top + mask.shape[0])
        x0, x1 = max(0, left), min(columns, left + mask.shape[1])
        if y0 >= y1 or x0 >= x1:
            return
        alpha = mask[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.float32) / 255
        part = self.pixels[y0:y1, x0:x1]
        laid = picture[y0 - top : y1 - top, x0 - left : x1 - left].astype(np.float32)
        part[:] = (part * (1 - alpha) + laid * alpha + 0.5).astype(np.uint8)


def thickened(mask: NDArray[np.uint8], pixels: int) -> NDArray[np.uint8]:
    """A ``(h, w)`` uint8 mask with strokes wider by that many pixels, or narrower if negative."""
    if pixels == 0:
        return mask
    across = abs(pixels) + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across))
    change = cv2.dilate if pixels > 0 else cv2.erode
    return np.asarray(change(mask, kernel), np.uint8)


def pts(*values: tuple[float, float]) -> Points:
    """The points as an ``(n, 2)`` array."""
    return np.array(values, np.float64)


def curve(points: Points | Sequence[tuple[float, float]], *, closed: bool = False) -> Points:
    """A smooth path through the points (Catmull-Rom), about 10 steps a span."""
    knots = np.asarray(points, np.float64)
    if closed:
        knots = np.concatenate([knots[-1:], knots, knots[:2]])
    else:
        knots = np.concatenate([2 * knots[:1] - knots[1:2], knots, 2 * knots[-1:] - knots[-2:-1]])
    t = np.linspace(0, 1, 10, endpoint=False)[:, None]
    spans = []
    for a, b, c, d in zip(knots, knots[1:], knots[2:], knots[3:], strict=False):
        spans.append(
            0.5
            * (
                2 * b
                + (c - a) * t
                + (2 * a - 5 * b + 4 * c - d) * t**2
                + (3 * b - a - 3 * c + d) * t**3
            )
        )
    if not closed:
        spans.append(knots[-2:-1])
    return np.concatenate(spans)


def ellipse(x: float, y: float, rx: float, ry: float, angle: float = 0.0) -> Points:
    """The outline of an ellipse; angle in degrees, anticlockwise."""
    turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    return place(np.stack([rx * np.cos(turn), ry * np.sin(turn)], 1), x, y, angle)


def leaf(x: float, y: float, length: float, width: float, angle: float) -> Points:
    """The outline of a pointed leaf that starts at a point and runs off at an angle (degrees)."""
    t = np.linspace(0, 1, 14)
    half = width / 2 * np.sin(np.pi * t**0.8)
    outline = np.concatenate(
        [np.stack([t * length, half], 1), np.stack([t * length, -half], 1)[::-1]]
    )
    return place(outline, x, y, angle)


def place(points: Points, x: float, y: float, angle: float = 0.0) -> Points:
    """Local points, turned anticlockwise by degrees and moved to x, y."""
    turn = np.deg2rad(angle)
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.asarray(points @ matrix + (x, y), np.float64)


def _fixed(points: Points) -> NDArray[np.int32]:
    """The points as OpenCV's fixed-point pixels."""
    return np.round(points * SCALE * (1 << _SHIFT)).astype(np.int32).reshape(-1, 1, 2)
