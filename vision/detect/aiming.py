"""Says of a frame of a live picture which tiles it shows, for the person who aims the camera.

One pass of the network over a small frame tells enough for that: nothing is verified or read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from vision.errors import PhotoRejected
from vision.geometry.quads import inside
from vision.messages import say
from vision.photo.decode import decode_photo
from vision.photo.headers import read_header
from vision.photo.thresholds import AIMED_AT

Advice = Literal["", "aim", "nearer", "farther"]

MAX_FRAME_SIDE: Final = 2 * AIMED_AT
"""Maximum length in pixels of either side of a frame; a larger one would only cost time."""

LEAST_FILLED: Final = 0.5
"""Share of the picture's width or height, whichever is more, below which the tiles are far away.
Of the 40 hands of the benchmark's photos the least has 0.73."""


@dataclass(frozen=True, slots=True)
class View:
    """What a frame shows.

    Attributes:
        size: its width and height in pixels.
        tiles: the corners of each tile in pixels of the frame, clockwise.
        advice: what to do to have all tiles in the picture, and large: ``aim`` at tiles, for there
            are none, go ``nearer`` or ``farther``; empty where they are.
    """

    size: tuple[int, int]
    tiles: tuple[tuple[tuple[float, float], ...], ...]
    advice: Advice


def open_frame(data: bytes) -> NDArray[np.uint8]:
    """The pixels of a frame (h, w, 3) uint8 BGR.

    Raises:
        PhotoRejected: it is not a picture, or larger than a frame may be.
    """
    header = read_header(data)
    width, height = header.width, header.height
    if max(width, height) > MAX_FRAME_SIDE:
        raise PhotoRejected(say("photo.too_long", width=width, height=height, most=MAX_FRAME_SIDE))
    return decode_photo(data)


def view_of(quads: NDArray[np.float32], shape: tuple[int, ...]) -> View:
    """What a frame of that shape, height first, shows with tiles at the quads (n, 4, 2)."""
    height, width = shape[:2]
    corners = tuple(tuple((round(x, 1), round(y, 1)) for x, y in quad) for quad in quads.tolist())
    return View((width, height), corners, _advice(quads, shape))


def _advice(quads: NDArray[np.float32], shape: tuple[int, ...]) -> Advice:
    if not len(quads):
        return "aim"
    if not inside(quads, shape).all():
        return "farther"
    spread = np.ptp(quads.reshape(-1, 2), axis=0) / np.array(shape[1::-1])
    return "nearer" if spread.max() < LEAST_FILLED else ""
