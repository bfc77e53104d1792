"""What the page shows of a photo: a small upright copy without metadata, and level parts of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from webapp.deal.state import Quad, Tile

MAX_SHOWN_SIDE: Final = 2048
JPEG_QUALITY: Final = 82


def shown_copy(image: NDArray[np.uint8]) -> bytes:
    """A JPEG of a photo's pixels (h, w, 3) in BGR, its longer side at most 2048 pixels."""
    from vision.runtime.opencv import cv2

    scale = MAX_SHOWN_SIDE / max(image.shape[:2])
    if scale < 1:
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(
            np.uint8
        )
    _, encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return bytes(encoded)


@dataclass(frozen=True, slots=True)
class LevelPart:
    """The part of a photo that shows some tiles, turned so that they stand upright.

    Attributes:
        angle: degrees, clockwise, by which the photo is turned.
        middle: the point in pixels of the photo around which it is turned.
        box: left, top, width and height of the part in the turned photo.
    """

    angle: float
    middle: tuple[float, float]
    box: tuple[float, float, float, float]

    @property
    def view_box(self) -> str:
        """The part as the ``viewBox`` of an SVG picture."""
        return " ".join(f"{number:.1f}" for number in self.box)

    @property
    def transform(self) -> str:
        """The turn as the ``transform`` of an SVG picture's parts."""
        return f"rotate({self.angle:.1f} {self.middle[0]:.1f} {self.middle[1]:.1f})"


def level_part(tiles: Sequence[Tile], spare: float) -> LevelPart | None:
    """The part of a photo that shows the tiles; None if none of them lies on a photo.

    Args:
        tiles: the tiles.
        spare: margin around them, in the largest sides of a tile.
    """
    quads = [tile.quad for tile in tiles if tile.quad]
    if not quads:
        return None
    right = [sum(quad[1][axis] - quad[0][axis] for quad in quads) for axis in (0, 1)]
    lies = math.atan2(right[1], right[0]) if any(right) else 0.0
    xs, ys = ([corner[axis] for quad in quads for corner in quad] for axis in (0, 1))
    middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    turned = [_turned(corner, -lies, middle) for quad in quads for corner in quad]
    (left, right_end), (top, foot) = ((min(each), max(each)) for each in zip(*turned, strict=True))
    margin = spare * _largest_side(quads)
    size = right_end - left + 2 * margin, foot - top + 2 * margin
    return LevelPart(-math.degrees(lies), middle, (left - margin, top - margin, *size))


def tiles_box(
    tiles: Sequence[Tile], size: tuple[int, int], spare: float
) -> tuple[int, int, int, int] | None:
    """The part of a photo around some tiles; None if none of them lies on a photo.

    Args:
        tiles: the tiles.
        size: width and height of the photo in pixels.
        spare: margin around the tiles, in the largest sides of one.

    Returns:
        Left, top, width and height in pixels of the photo, all of it within the photo.
    """
    quads = [tile.quad for tile in tiles if tile.quad]
    if not quads:
        return None
    margin = spare * _largest_side(quads)
    ends = []
    for axis in (0, 1):
        places = [corner[axis] for quad in quads for corner in quad]
        start = min(max(0, math.floor(min(places) - margin)), size[axis] - 1)
        ends.append((start, max(start + 1, min(size[axis], math.ceil(max(places) + margin)))))
    (left, right), (top, foot) = ends
    return left, top, right - left, foot - top


def cut_out(picture: bytes, box: tuple[int, int, int, int], width: int) -> bytes:
    """A part of a shown copy as a JPEG of its own: what lies beside it is not in the file.

    Args:
        picture: the copy, a JPEG.
        box: left, top, width and height in pixels of the photo that was sent.
        width: the width of that photo.
    """
    from vision.runtime.opencv import cv2

    read = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    image = np.asarray(read, np.uint8)
    scale = image.shape[1] / width
    left, top, right, foot = (
        round(scale * each) for each in (box[0], box[1], box[0] + box[2], box[1] + box[3])
    )
    part = image[top : max(foot, top + 1), left : max(right, left + 1)]
    _, encoded = cv2.imencode(".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return bytes(encoded)


def _largest_side(quads: Sequence[Quad]) -> float:
    """The largest side of a tile, in pixels."""
    return max(math.dist(quad[i], quad[i - 1]) for quad in quads for i in range(4))


def _turned(
    point: Sequence[float], angle: float, middle: tuple[float, float]
) -> tuple[float, float]:
    """A point turned around another by an angle in radians, clockwise as seen on the photo."""
    x, y = point[0] - middle[0], point[1] - middle[1]
    cosine, sine = math.cos(angle), math.sin(angle)
    return middle[0] + x * cosine - y * sine, middle[1] + x * sine + y * cosine
