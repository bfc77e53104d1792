"""Drawn table tops and clutter."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.props.lookalikes.things import scatter_thing

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

_WOODS = ((40, 75, 130), (25, 45, 90), (90, 140, 190), (60, 90, 150), (30, 30, 50))
_CLOTHS = ((60, 110, 40), (110, 60, 30), (50, 40, 140), (90, 90, 90), (40, 40, 40), (200, 210, 215))


def noise(rng: Generator, size: tuple[int, int], cell: tuple[float, float]) -> Floats:
    """Smooth noise in about -1..1 of shape ``size`` with blobs of ``cell`` (h, w) pixels."""
    rows = max(2, round(size[0] / cell[0]))
    columns = max(2, round(size[1] / cell[1]))
    small = rng.uniform(-1, 1, (rows, columns)).astype(np.float32)
    return np.asarray(
        cv2.resize(small, (size[1], size[0]), interpolation=cv2.INTER_CUBIC), np.float32
    )


def _tint(rng: Generator, base: tuple[int, int, int], spread: float = 25.0) -> Floats:
    return np.clip(np.array(base) + rng.normal(0, spread, 3), 0, 255).astype(np.float32)


def _clip(values: Floats) -> Image:
    return np.clip(values, 0, 255).astype(np.uint8)


def draw_wood(rng: Generator, size: tuple[int, int]) -> Image:
    """Boards of ``size`` (height, width) pixels, their grain across the picture, uint8 BGR."""
    base = _tint(rng, _WOODS[rng.integers(len(_WOODS))])
    grain = noise(rng, size, (rng.uniform(2, 8), size[1] / 2)) * 0.6
    grain += noise(rng, size, (rng.uniform(10, 60), size[1])) * 0.5
    image = base * (1 + rng.uniform(0.05, 0.3) * grain[..., None])
    if rng.random() < 0.4:
        step = int(rng.integers(60, 240))
        for y in range(int(rng.integers(step)), size[0], step):
            image[y : y + int(rng.integers(1, 4))] *= 0.6
    return _clip(image)


def draw_cloth(rng: Generator, size: tuple[int, int], base: Floats) -> Image:
    """A woven cloth of about the colour ``base`` BGR 0..255, (3,) or (h, w, 3), seen from above."""
    weave = rng.normal(0, rng.uniform(2, 14), size).astype(np.float32)
    folds = noise(rng, size, (rng.uniform(60, 300), rng.uniform(60, 300))) * rng.uniform(0, 25)
    return _clip(base + (weave + folds)[..., None])


def _stone(rng: Generator, size: tuple[int, int]) -> Image:
    base = _tint(rng, (150, 160, 170), 50)
    speckle = np.zeros(size, np.float32)
    for cell in (3.0, 7.0, 20.0, 80.0):
        speckle += noise(rng, size, (cell, cell)) * rng.uniform(5, 28)
    tint = rng.uniform(0.7, 1.2, 3).astype(np.float32)
    return _clip(base + speckle[..., None] * tint)


def _grey(rng: Generator) -> tuple[int, int, int]:
    level = int(rng.integers(15, 245))
    return level, level, level


def _cloth(rng: Generator, size: tuple[int, int]) -> Image:
    return draw_cloth(rng, size, _tint(rng, _CLOTHS[rng.integers(len(_CLOTHS))]))


def _granite(rng: Generator, size: tuple[int, int]) -> Image:
    """Hard-edged speckles of several colours and sizes."""
    image = np.empty((*size, 3), np.float32)
    spread = 12.0 if rng.random() < 0.75 else 50.0
    image[:] = _tint(rng, _grey(rng), spread)
    for _ in range(int(rng.integers(3, 7))):
        cell = float(np.exp(rng.uniform(np.log(2.5), np.log(40))))
        patch = noise(rng, size, (cell, cell * rng.uniform(0.6, 1.6))) > rng.uniform(0.15, 0.6)
        image[patch] = _tint(rng, _grey(rng), spread)
    return _clip(image + rng.normal(0, 6, size)[..., None].astype(np.float32))


def _mat(rng: Generator, size: tuple[int, int]) -> Image:
    """Bricks, slats or floor tiles: rows of rounded rectangles with dark joints and marks."""
    joint, brick = rng.uniform(10, 90, 3), _tint(rng, _WOODS[rng.integers(len(_WOODS))], 50)
    image = np.empty((*size, 3), np.uint8)
    image[:] = joint.astype(np.uint8)
    height, width = int(rng.integers(14, 90)), int(rng.integers(18, 160))
    gap = int(rng.integers(1, 8))
    dotted = rng.random() < 0.4
    for row, y in enumerate(range(0, size[0], height + gap)):
        shift = (row % 2) * (width // 2) if rng.random() < 0.8 else 0
        for x in range(-shift, size[1], width + gap):
            fill = [float(c) for c in np.clip(brick * rng.uniform(0.8, 1.15), 0, 255)]
            cv2.rectangle(image, (x, y), (x + width, y + height), fill, -1)
            if dotted:
                mark = [float(c) for c in joint]
                cv2.circle(image, (x + width, y + height // 2), max(1, height // 6), mark, -1)
    return image


def _page(rng: Generator, size: tuple[int, int]) -> Image:
    """Lines of print."""
    image = _plain(rng, size)
    ink = [int(c) for c in rng.integers(0, 256, 3)]
    scale = float(rng.uniform(0.35, 1.6))
    for y in range(20, size[0], int(26 * scale) + 4):
        text = "".join(chr(int(c)) for c in rng.integers(33, 126, int(rng.integers(20, 90))))
        cv2.putText(image, text, (4, y), cv2.FONT_HERSHEY_COMPLEX, scale, ink, 1, cv2.LINE_AA)
    return image


def _checks(rng: Generator, size: tuple[int, int]) -> Image:
    base, line = _tint(rng, (170, 180, 190), 50), _tint(rng, (90, 90, 90), 50)
    image = np.empty((*size, 3), np.float32)
    image[:] = base
    step_y, step_x = int(rng.integers(12, 160)), int(rng.integers(12, 160))
    thickness = int(rng.integers(1, max(2, min(step_x, step_y) // 3)))
    for y in range(0, size[0], step_y):
        image[y : y + thickness] = line
    for x in range(0, size[1], step_x):
        image[:, x : x + thickness] = line
    return _clip(image + noise(rng, size, (40, 40))[..., None] * 12)


def draw_patterned_cloth(rng: Generator, size: tuple[int, int]) -> Image:
    """A gingham, chequered, striped or spotted cloth of ``size`` (height, width) pixels, uint8 BGR.

    Its squares are often as large as tiles.
    """
    first, second = (rng.uniform(0, 255, 3).astype(np.float32) for _ in range(2))
    if rng.random() < 0.4:
        second = np.full(3, rng.uniform(200, 255), np.float32)
    step = float(np.exp(rng.uniform(np.log(14), np.log(120))))
    steps = step * rng.uniform(0.7, 1.4, 2) if rng.random() < 0.5 else np.array([step, step])
    share = float(rng.uniform(0.3, 0.7))
    phases = [np.arange(length) / pitch % 2 for length, pitch in zip(size, steps, strict=True)]
    down, across = (phase < 2 * share for phase in phases)
    kind = rng.random()
    if kind < 0.5:
        mixed = (down[:, None].astype(np.float32) + across[None]) / 2
    elif kind < 0.75:
        mixed = (down[:, None] ^ across[None]).astype(np.float32)
    elif kind < 0.85:
        mixed = np.broadcast_to(down[:, None].astype(np.float32), size)
    else:
        rows, columns = ((phase - 1) ** 2 for phase in phases)
        mixed = (rows[:, None] + columns[None] < share**2).astype(np.float32)
    base = first + (second - first) * mixed[..., None]
    return draw_cloth(rng, size, np.asarray(base, np.float32))


def _plain(rng: Generator, size: tuple[int, int]) -> Image:
    base = rng.uniform(0, 255, 3) if rng.random() < 0.6 else np.full(3, rng.uniform(180, 255))
    image = np.empty((*size, 3), np.float32)
    image[:] = base
    return _clip(image + noise(rng, size, (200, 200))[..., None] * rng.uniform(0, 15))


def _collage(rng: Generator, size: tuple[int, int]) -> Image:
    image = _plain(rng, size)
    for _ in range(int(rng.integers(5, 40))):
        _scatter(rng, image)
    return image


SURFACES: tuple[Callable[[Generator, tuple[int, int]], Image], ...] = (
    draw_wood,
    _cloth,
    _stone,
    _granite,
    _mat,
    _page,
    _checks,
    draw_patterned_cloth,
    draw_patterned_cloth,
    _plain,
    _collage,
)


def _scatter(rng: Generator, image: Image) -> None:
    """Draw one thing other than a tile at a random place of the picture, in place."""
    height, width = image.shape[:2]
    centre = (int(rng.integers(width)), int(rng.integers(height)))
    colour = [int(c) for c in rng.integers(0, 256, 3)]
    scale = float(rng.uniform(0.02, 0.25)) * max(height, width)
    kind = rng.integers(8)
    if kind == 0:
        axes = (int(scale * rng.uniform(0.2, 1)), int(scale * rng.uniform(0.2, 1)))
        angle = float(rng.uniform(0, 180))
        cv2.ellipse(image, centre, axes, angle, 0, 360, colour, -1, cv2.LINE_AA)
        inner = (axes[0] * 3 // 4, axes[1] * 3 // 4)
        if rng.random() < 0.5:
            shade = [c // 2 for c in colour]
            cv2.ellipse(image, centre, inner, angle, 0, 360, shade, -1, cv2.LINE_AA)
    elif kind == 1:
        box = cv2.boxPoints(
            (centre, (scale, scale * float(rng.uniform(0.1, 0.55))), float(rng.uniform(0, 180)))
        )
        cv2.fillConvexPoly(image, box.astype(np.int32), colour, cv2.LINE_AA)
    elif kind == 2:
        end = (centre[0] + int(rng.normal(0, scale)), centre[1] + int(rng.normal(0, scale)))
        cv2.line(image, centre, end, colour, int(rng.integers(1, 12)), cv2.LINE_AA)
    elif kind == 3:
        text = "".join(chr(int(c)) for c in rng.integers(33, 126, int(rng.integers(1, 12))))
        size = float(rng.uniform(0.4, 3))
        cv2.putText(image, text, centre, cv2.FONT_HERSHEY_SIMPLEX, size, colour, 2, cv2.LINE_AA)
    elif kind == 4:
        _hand(rng, image, centre, scale)
    else:
        scatter_thing(rng, image)


def _hand(rng: Generator, image: Image, centre: tuple[int, int], scale: float) -> None:
    """A palm with fingers, in a skin colour."""
    red = rng.uniform(90, 250)
    skin = [red * rng.uniform(0.5, 0.75), red * rng.uniform(0.62, 0.85), red]
    cv2.circle(image, centre, int(scale * 0.6), skin, -1, cv2.LINE_AA)
    start = rng.uniform(0, 2 * np.pi)
    for finger in range(5):
        angle = start + 0.35 * finger
        reach = np.array([np.cos(angle), np.sin(angle)]) * scale
        tip = (int(centre[0] + reach[0] * 1.5), int(centre[1] + reach[1] * 1.5))
        shade = [c * rng.uniform(0.9, 1.08) for c in skin]
        cv2.line(image, centre, tip, shade, max(2, int(scale * 0.28)), cv2.LINE_AA)
        nail = [min(255.0, c * 1.15) for c in skin]
        cv2.circle(image, tip, max(1, int(scale * 0.09)), nail, -1, cv2.LINE_AA)


def draw_background(rng: Generator, size: tuple[int, int], clutter: int) -> Image:
    """A table top of ``size`` (height, width), uint8 BGR, with ``clutter`` things on it.

    The surface is drawn larger, turned and put in perspective; then things are drawn on it.
    """
    height, width = size
    big = (height * 5 // 4, width * 5 // 4)
    surface = SURFACES[int(rng.integers(len(SURFACES)))](rng, big)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    middle = np.array([big[1] / 2, big[0] / 2], np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], np.float32)
    spread = (corners - np.array([width / 2, height / 2], np.float32)) * 0.72
    source = spread @ turn.T + middle
    source += rng.normal(0, 0.08 * min(size), (4, 2)).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source.astype(np.float32), corners)
    flat = clutter // 2
    for _ in range(flat):
        _scatter(rng, surface)
    image = np.asarray(
        cv2.warpPerspective(surface, matrix, (width, height), borderMode=cv2.BORDER_REFLECT),
        np.uint8,
    )
    for _ in range(clutter - flat):
        _scatter(rng, image)
    return image
