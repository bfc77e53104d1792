"""Several photos of one player's tiles made into one reading and one picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import is_bonus
from vision.errors import PhotoRejected
from webapp.deal.state import BONUS, HAND, Player, Quad, Tile
from webapp.photos.pictures import JPEG_QUALITY, MAX_SHOWN_SIDE
from webapp.photos.workers import PhotoRead, set_unusable

if TYPE_CHECKING:
    from vision.multiview.photos import Together
    from vision.vocabulary.readings import TileReading

MOST_GROWTH: Final = 2.5
"""How many times as wide and as high as the first photo the picture of all may be."""

_NEAR: Final = 0.5

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]


def join(photos: Sequence[bytes], tile_set: str = "") -> PhotoRead:
    """The reading of the photos together, and a picture that shows all their tiles.

    The reading's coordinates are those of the picture's full size.

    Args:
        photos: the first may be the joined picture of earlier ones.
        tile_set: the set profile to read them with; empty for none.

    Raises:
        PhotoError: one cannot be read, or they do not show the same tiles.
        ModelError: a model is missing or damaged.
    """
    from vision import ProfileError, read_together
    from vision.photo.decode import decode_photo
    from vision.tilesets.profile_file import load_profile

    try:
        profile = load_profile(tile_set) if tile_set else None
        found = read_together(photos, profile)
    except ProfileError as error:
        raise PhotoRejected(set_unusable(tile_set, error.message)) from error
    images = [decode_photo(photo) for photo in photos]
    shift, extent = _frame(found, images[0].shape)
    tiles = tuple(_shifted(tile, shift) for tile in found.reading.tiles)
    reading = replace(found.reading, width=extent[0], height=extent[1], tiles=tiles)
    return PhotoRead(reading, _picture(images, found.views, shift, extent), shift)


def _shifted(tile: TileReading, shift: tuple[int, int]) -> TileReading:
    a, b, c, d = ((x + shift[0], y + shift[1]) for x, y in tile.quad)
    return replace(tile, quad=(a, b, c, d))


def _frame(found: Together, shape: tuple[int, ...]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Where the first photo lies in a picture that holds all tiles, and its (width, height)."""
    size = np.array([shape[1], shape[0]], np.float64)
    corners = np.array([tile.quad for tile in found.reading.tiles]).reshape(-1, 2)
    spare = size * (MOST_GROWTH - 1) / 2
    margin = 0.02 * size
    low = np.maximum(np.minimum(corners.min(axis=0) - margin, 0), -spare)
    high = np.minimum(np.maximum(corners.max(axis=0) + margin, size), size + spare)
    left, top = (int(v) for v in np.ceil(-low))
    width, height = (int(v) for v in np.ceil(high - low))
    return (left, top), (width, height)


def _picture(
    images: Sequence[Image],
    views: Sequence[Matrix],
    shift: tuple[int, int],
    extent: tuple[int, int],
) -> bytes:
    """The photos laid over each other, the first on top, as a JPEG of a size to be shown."""
    from vision.runtime.opencv import cv2

    scale = min(1.0, MAX_SHOWN_SIDE / max(extent))
    shown = (round(extent[0] * scale), round(extent[1] * scale))
    place = np.diag([scale, scale, 1.0]) @ np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1]])
    canvas = np.zeros((shown[1], shown[0], 3), np.uint8)
    for image, view in reversed(list(zip(images, views, strict=True))):
        cv2.warpPerspective(
            image, place @ view, shown, dst=canvas, borderMode=cv2.BORDER_TRANSPARENT
        )
    _, encoded = cv2.imencode(".jpg", canvas, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return bytes(encoded)


def keep_corrections(before: Player, after: Player, scale: float, shift: tuple[int, int]) -> Player:
    """The player as read from the joined photos, with what people had said of the same tiles.

    Args:
        before: the tiles as people left them.
        after: the tiles as they were read now.
        scale: takes pixels of the earlier reading to pixels of the picture that was read again.
        shift: where that picture lies in the joined one.
    """
    said = [tile for tile in before.tiles if tile.checked and tile.quad]
    tiles = [_corrected(tile, said, scale, shift) for tile in after.tiles]
    return replace(after, tiles=tuple(tiles))


def _corrected(tile: Tile, said: Sequence[Tile], scale: float, shift: tuple[int, int]) -> Tile:
    if not tile.quad:
        return tile
    centre, width = _centre(tile.quad), math.dist(tile.quad[0], tile.quad[1])
    for old in said:
        if not old.quad:
            continue
        moved = _centre(old.quad) * scale + shift
        if float(np.linalg.norm(moved - centre)) < _NEAR * width:
            place = tile.place
            if is_bonus(old.label) != is_bonus(tile.label):
                place = BONUS if is_bonus(old.label) else HAND
            return replace(tile, label=old.label, place=place, checked=True)
    return tile


def _centre(quad: Quad) -> NDArray[np.float64]:
    return np.asarray(np.mean(quad, axis=0), np.float64)
