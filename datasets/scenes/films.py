"""Short rendered films of a table: tiles laid by a human hand, or a camera moving over tiles.

Noise differs from frame to frame; tiles, light and table stay the same throughout a film.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.props.camera import Camera, TileBox
from datasets.scenes.scenes import Scene, render
from datasets.sets.faces import FaceSet

Image = NDArray[np.uint8]

RATE: Final = 10.0
"""Frames per second."""

_AWAY: Final = 400.0
"""Distance in tile widths at which tiles are outside the picture."""
_NOISE: Final = 2.5
"""Standard deviation of the sensor noise in levels of 0..255."""
_SKIN: Final = (120.0, 150.0, 205.0)
"""Colour of the hand, BGR."""
_REACH: Final = 3
"""Number of frames in which a hand reaches the table, and in which it leaves."""


@dataclass(frozen=True, slots=True)
class Film:
    """The frames of a film and the tiles on the table at its end.

    Attributes:
        frames: (h, w, 3) uint8 BGR each.
        labels: of all tiles, in no particular order.
        rate: frames per second.
    """

    frames: tuple[Image, ...]
    labels: tuple[str, ...]
    rate: float = RATE

    def write(self, path: Path) -> None:
        """Write the film as Motion JPEG.

        Raises:
            OSError: the file cannot be written.
        """
        height, width = self.frames[0].shape[:2]
        code = cv2.VideoWriter.fourcc(*"MJPG")
        video = cv2.VideoWriter(str(path), code, self.rate, (width, height))
        if not video.isOpened():
            raise OSError(f"{path} cannot be written")
        for frame in self.frames:
            video.write(frame)
        video.release()


def noisy(rng: Generator, image: Image, sigma: float = _NOISE) -> Image:
    """The picture with new sensor noise."""
    grain = rng.standard_normal(image.shape, np.float32) * np.float32(sigma)
    return np.clip(image + grain, 0, 255).astype(np.uint8)


def stills(rng: Generator, image: Image, count: int) -> list[Image]:
    """``count`` frames of an unmoving view."""
    return [noisy(rng, image) for _ in range(count)]


def moved(
    rng: Generator, image: Image, path: Sequence[tuple[float, float]], size: tuple[int, int]
) -> list[Image]:
    """Frames of a camera that moves over a large picture of the table.

    Args:
        rng: source of the noise.
        image: (h, w, 3) uint8 BGR, larger than the frames.
        path: the top left corner (x, y) of each frame in pixels of ``image``.
        size: (height, width) of the frames.
    """
    extent = (size[1], size[0])
    frames = []
    for x, y in path:
        matrix = np.array([[1, 0, -x], [0, 1, -y]], np.float64)
        view = cv2.warpAffine(image, matrix, extent, borderMode=cv2.BORDER_REPLICATE)
        frames.append(noisy(rng, np.asarray(view, np.uint8)))
    return frames


def laying_film(
    rng: Generator,
    faces: FaceSet,
    groups: Sequence[Sequence[TileBox]],
    camera: Camera,
    table: Image,
    still: int = 4,
) -> Film:
    """A human hand lays groups of tiles on the table one after the other.

    Args:
        rng: source of all randomness.
        faces: the tile set.
        groups: the tiles that are laid each time.
        camera: the camera, which does not move.
        table: (h, w, 3) uint8 BGR.
        still: number of frames without motion after each group.
    """
    seed = int(rng.integers(1 << 31))
    tiles = [tile for group in groups for tile in group]
    size = (table.shape[0], table.shape[1])
    before = _laid(seed, faces, tiles, 0, camera, table, size).image
    frames = stills(rng, before, 2)
    count = 0
    for group in groups:
        count += len(group)
        scene = _laid(seed, faces, tiles, count, camera, table, size)
        spot = camera.project(np.array([[tile.x, tile.y, 0.5] for tile in group])).mean(axis=0)
        frames += _by_hand(rng, before, scene.image, spot)
        frames += stills(rng, scene.image, still)
        before = scene.image
    return Film(tuple(frames), tuple(tile.label for tile in tiles))


def _laid(
    seed: int,
    faces: FaceSet,
    tiles: Sequence[TileBox],
    count: int,
    camera: Camera,
    table: Image,
    size: tuple[int, int],
) -> Scene:
    """The table with the first ``count`` tiles; the others are placed outside the picture."""
    placed = [
        tile if place < count else replace(tile, x=tile.x + _AWAY)
        for place, tile in enumerate(tiles)
    ]
    return render(np.random.default_rng(seed), faces, placed, camera, size, table)


def _by_hand(rng: Generator, before: Image, after: Image, spot: NDArray[np.float64]) -> list[Image]:
    """Frames of a human hand that comes from below, leaves tiles at ``spot`` (x, y) and goes."""
    height = before.shape[0]
    frames = []
    for step in range(2 * _REACH):
        coming = step < _REACH
        away = (_REACH - 1 - step) if coming else (step - _REACH)
        picture = (before if coming else after).copy()
        tip = (int(spot[0]), int(spot[1] + away * height / _REACH / 1.5))
        thick = height // 7
        cv2.line(picture, tip, (tip[0] + height // 8, 2 * height), _SKIN, thick, cv2.LINE_AA)
        for finger in (-1, 0, 1):
            end = (tip[0] + finger * thick // 3, tip[1] - thick // 2)
            cv2.line(picture, tip, end, _SKIN, thick // 4, cv2.LINE_AA)
        frames.append(noisy(rng, picture))
    return frames
