"""What is seen behind a table: its rim, floors, shelves, windows, lamps, and people's clothes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.props.backgrounds import draw_background, draw_patterned_cloth, draw_wood
from datasets.props.camera import Camera, TileBox
from datasets.props.trifles import draw_print

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

_NEAREST: Final = 2.0
"""Distance in tile widths from the edge of the table beyond which it does not matter."""
_SKIN: Final = ((0.5, 0.75), (0.62, 0.85), (90.0, 250.0))
"""Least and greatest blue and green of skin as shares of its red, and the red itself, 0..255."""


def draw_room(rng: Generator, canvas: Image, tiles: Sequence[TileBox], camera: Camera) -> None:
    """Paint all that is beyond the edge of the table, in place.

    The table is a rectangle around the tiles, at times with a rim.

    Args:
        rng: chooses the edge and the room.
        canvas: (h, w, 3) uint8 BGR picture of the table.
        tiles: the tiles, at least one.
        camera: the camera of the picture.
    """
    inside = _within(rng, canvas.shape[:2], tiles, camera)
    rim = float(rng.uniform(0.3, 1.4)) if rng.random() < 0.6 else 0.0
    if inside.min() >= rim:
        return
    height, width = canvas.shape[:2]
    room = draw_background(rng, (height, width), int(rng.integers(0, 16)))
    edge = int(np.argmax(inside.max(axis=1) > 0))
    for _ in range(int(rng.integers(0, 4))):
        _FITTINGS[int(rng.integers(len(_FITTINGS)))](rng, room, max(edge, height // 4))
    if rng.random() < 0.5:
        room = np.asarray(cv2.blur(room, (int(rng.integers(2, 9)),) * 2), np.uint8)
    beyond = inside < 0
    shade = np.float32(rng.uniform(0.25, 1.0))
    canvas[beyond] = (room[beyond] * shade).astype(np.uint8)
    if rim:
        ledge = (inside >= 0) & (inside < rim)
        canvas[ledge] = _rim(rng, (height, width))[ledge]


def _within(
    rng: Generator, size: tuple[int, ...], tiles: Sequence[TileBox], camera: Camera
) -> Floats:
    """How far inside the table's edge each pixel shows it, (h, w) tile widths, cut off at 2."""
    places = np.array([[tile.x, tile.y] for tile in tiles])
    low = places.min(axis=0) - rng.uniform(1.2, 6.0, 2)
    high = places.max(axis=0) + rng.uniform(1.2, 6.0, 2)
    y, x = np.mgrid[0 : size[0] : 2, 0 : size[1] : 2].astype(np.float32)
    inverse = np.linalg.inv(camera.matrix[:, [0, 1, 3]])
    along, across, depth = (row[0] * x + row[1] * y + row[2] for row in inverse)
    ahead = np.where(depth > 0, depth, 1e-6)
    along, across = along / ahead, across / ahead
    inside = np.minimum.reduce([along - low[0], high[0] - along, across - low[1], high[1] - across])
    inside = np.where(depth > 0, np.clip(inside, -_NEAREST, _NEAREST), -_NEAREST)
    return np.asarray(cv2.resize(inside.astype(np.float32), (size[1], size[0])), np.float32)


def _rim(rng: Generator, size: tuple[int, int]) -> Image:
    if rng.random() < 0.6:
        return draw_wood(rng, size)
    image = np.empty((*size, 3), np.uint8)
    image[:] = rng.integers(0, 256, 3) if rng.random() < 0.4 else int(rng.integers(15, 240))
    return image


def _shelf(rng: Generator, room: Image, edge: int) -> None:
    """A row of books, packets and framed pictures that stand side by side."""
    height, width = room.shape[:2]
    tall = int(np.clip(edge * rng.uniform(0.3, 0.9), 24, height // 2))
    top, x = int(rng.integers(0, max(1, edge - tall))), 0
    while x < width:
        if rng.random() < 0.6:
            picture = np.empty((tall, int(rng.integers(6, max(7, tall // 3))), 3), np.uint8)
            picture[:] = rng.integers(0, 256, 3)
            picture[tall // 5 : tall // 4] = rng.integers(0, 256, 3)
        else:
            picture = draw_print(rng)
        wide = max(4, min(width - x, picture.shape[1] * tall // picture.shape[0]))
        extent = (min(wide, width - x), tall)
        room[top : top + tall, x : x + extent[0]] = cv2.resize(picture, extent)
        x += wide + int(rng.integers(0, 6))
    room[top + tall : top + tall + 6] = int(rng.integers(20, 200))


def _pictures(rng: Generator, room: Image, edge: int) -> None:
    """Framed pictures, notices and screens on a wall."""
    height, width = room.shape[:2]
    for _ in range(int(rng.integers(1, 8))):
        picture = draw_print(rng)
        tall = int(np.clip(edge * rng.uniform(0.1, 0.7), 12, height // 2))
        wide = min(width - 1, max(8, tall * picture.shape[1] // picture.shape[0]))
        x, y = int(rng.integers(0, width - wide)), int(rng.integers(0, max(1, edge - tall // 2)))
        tall = min(tall, height - y)
        room[y : y + tall, x : x + wide] = cv2.resize(picture, (wide, tall))


def _window(rng: Generator, room: Image, edge: int) -> None:
    """A bright window with bars, or blinds."""
    height, width = room.shape[:2]
    left, right = np.sort(rng.integers(0, width, 2))
    foot = max(8, int(edge * rng.uniform(0.4, 1.0)))
    room[:foot, left:right] = rng.integers(200, 256, 3)
    frame = [float(part) for part in rng.integers(60, 256, 3)]
    for x in np.linspace(left, right, int(rng.integers(2, 6))):
        cv2.line(room, (int(x), 0), (int(x), foot), frame, max(2, width // 120))
    for y in range(0, foot, max(6, int(foot / rng.integers(1, 12)))):
        cv2.line(room, (int(left), y), (int(right), y), frame, max(2, height // 200))


def _lamp(rng: Generator, room: Image, edge: int) -> None:
    """A lamp with a glow around it."""
    height, width = room.shape[:2]
    spot = (int(rng.integers(width)), int(rng.integers(max(1, edge))))
    size = int(rng.uniform(0.01, 0.06) * max(height, width)) + 2
    glow = np.zeros((height // 4 + 1, width // 4 + 1), np.float32)
    cv2.circle(glow, (spot[0] // 4, spot[1] // 4), size // 2 + 1, 220, -1)
    glow = cv2.GaussianBlur(glow, (0, 0), size / 4 + 1)
    glow = cv2.resize(glow, (width, height))[..., None]
    room[:] = np.clip(room + glow, 0, 255).astype(np.uint8)
    cv2.circle(room, spot, size, (250, 252, 255), -1, cv2.LINE_AA)


def _person(rng: Generator, room: Image, edge: int) -> None:
    """Somebody at the table: a shirt with a pattern or a print, and a head without a face."""
    height, width = room.shape[:2]
    tall = max(20, int(edge * rng.uniform(0.7, 1.6)))
    x, foot = float(rng.uniform(0, width)), min(height, edge + tall // 4)
    broad = tall * rng.uniform(0.5, 0.8)
    shoulders, hips = foot - tall * 0.7, broad * rng.uniform(0.6, 0.9)
    body = [[x - hips / 2, foot + 9], [x - broad / 2, shoulders + tall * 0.15]]
    body += [[x - broad / 4, shoulders], [x + broad / 4, shoulders]]
    body += [[x + broad / 2, shoulders + tall * 0.15], [x + hips / 2, foot + 9]]
    cover = np.zeros((height, width), np.uint8)
    cv2.fillPoly(cover, [np.array(body).astype(np.int32)], 255, cv2.LINE_AA)
    wear = _wear(rng, (height, width), (x, foot - tall * 0.35), broad / 2)
    room[cover > 127] = wear[cover > 127]
    centre = (int(x), int(shoulders - tall * 0.12))
    axes = (max(2, int(tall * 0.11)), max(3, int(tall * 0.15)))
    cv2.ellipse(room, centre, axes, 0, 0, 360, _skin(rng), -1, cv2.LINE_AA)


def _wear(
    rng: Generator, size: tuple[int, int], middle: tuple[float, float], reach: float
) -> Image:
    """Cloth of ``size`` with a pattern, or in one colour with a print around a place."""
    if rng.random() < 0.5:
        return draw_patterned_cloth(rng, size)
    wear = np.empty((*size, 3), np.uint8)
    wear[:] = rng.integers(0, 256, 3)
    mark, half = draw_print(rng), max(2, int(reach / 2))
    top, left = max(0, int(middle[1]) - half), max(0, int(middle[0]) - half)
    part = wear[top : top + 2 * half, left : left + 2 * half]
    if part.size:
        part[:] = cv2.resize(mark, (part.shape[1], part.shape[0]))
    return wear


def _skin(rng: Generator) -> list[float]:
    blue, green, reds = _SKIN
    red = rng.uniform(*reds)
    return [red * rng.uniform(*blue), red * rng.uniform(*green), red]


def draw_sleeve(rng: Generator, canvas: Image) -> None:
    """Paint an arm in a patterned or plain sleeve that reaches in from the border, in place."""
    height, width = canvas.shape[:2]
    turn = rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(turn), np.sin(turn)])
    start = np.array([width, height]) * (0.5 + 0.6 * way)
    aim = start - (way + rng.normal(0, 0.3, 2)) * min(height, width) * rng.uniform(0.15, 0.45)
    thick = min(height, width) * rng.uniform(0.08, 0.2)
    cover = np.zeros((height, width), np.uint8)
    ends = [(int(point[0]), int(point[1])) for point in (start, aim)]
    cv2.line(cover, ends[0], ends[1], 255, max(3, int(thick)))
    beyond = aim + (aim - start) / max(1.0, float(np.linalg.norm(aim - start))) * thick * 0.9
    hand = (int(beyond[0]), int(beyond[1]))
    skin = _skin(rng)
    cv2.line(canvas, ends[1], hand, skin, max(2, int(thick * 0.6)), cv2.LINE_AA)
    cv2.circle(canvas, hand, max(2, int(thick * 0.45)), skin, -1, cv2.LINE_AA)
    reach = float(thick)
    middle = (float(aim[0] + start[0]) / 2, float(aim[1] + start[1]) / 2)
    wear = _wear(rng, (height, width), middle, reach)
    canvas[cover > 127] = wear[cover > 127]


_FITTINGS: Final[tuple[Callable[[Generator, Image, int], None], ...]] = (
    _shelf,
    _pictures,
    _window,
    _lamp,
    _person,
    _person,
)
"""What may be behind a table, each as often as it stands here."""
