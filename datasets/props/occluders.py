"""Things in front of the tiles: fingers and hands, cups, dice, pens and paper."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.props.lookalikes.dice import PIPS

Image = NDArray[np.uint8]
Outline = NDArray[np.float32]


def cover(rng: Generator, canvas: Image, place: tuple[float, float], width: float) -> list[Outline]:
    """Paint one thing over the picture, in place.

    Args:
        rng: chooses the thing, its shape and its colours.
        canvas: (h, w, 3) uint8 BGR.
        place: x and y of the thing in pixels.
        width: width of a tile in pixels, which gives the scale.

    Returns:
        The outlines (k, 2) in pixels of the hidden parts.
    """
    things = _THINGS[int(rng.integers(len(_THINGS)))]
    return things(rng, canvas, np.array(place, np.float32), width)


def _fill(canvas: Image, outline: Outline, colour: NDArray[np.float64]) -> Outline:
    """Fill with a colour that darkens downwards, softly shaded like a round thing."""
    points = np.round(outline * 8).astype(np.int32)
    fill = [float(c) for c in np.clip(colour, 0, 255)]
    cv2.fillPoly(canvas, [points], fill, cv2.LINE_AA, 3)
    return outline


def _strip(start: Outline, end: Outline, wide: float, narrow: float) -> Outline:
    """A round-ended strip from start to end."""
    along = (end - start) / max(1e-3, float(np.linalg.norm(end - start)))
    across = np.array([-along[1], along[0]], np.float32)
    turn = np.linspace(-np.pi / 2, np.pi / 2, 7)[:, np.newaxis]
    tip = end + narrow / 2 * (np.cos(turn) * along + np.sin(turn) * across)
    base = np.stack([start + across * wide / 2, start - across * wide / 2])
    return np.asarray(np.concatenate([base, tip]), np.float32)


def _skin(rng: Generator) -> NDArray[np.float64]:
    red = rng.uniform(80, 250)
    return np.array([red * rng.uniform(0.48, 0.75), red * rng.uniform(0.6, 0.85), red])


def _finger(rng: Generator, canvas: Image, tip: Outline, width: float, angle: float) -> Outline:
    skin, thick = _skin(rng), width * rng.uniform(0.55, 0.85)
    back = np.array([np.cos(angle), np.sin(angle)], np.float32) * width * rng.uniform(3, 7)
    outline = _strip(tip + back, tip, thick * 1.25, thick)
    _fill(canvas, outline, skin * 0.82)
    _fill(canvas, _strip(tip + back, tip, thick * 0.8, thick * 0.62), skin)
    nail = tip + back / np.linalg.norm(back) * thick * 0.12
    axes = (max(1, int(thick * 0.26)), max(1, int(thick * 0.2)))
    centre = (int(nail[0]), int(nail[1]))
    shade = [float(min(255, c * 1.18)) for c in skin]
    cv2.ellipse(canvas, centre, axes, float(np.rad2deg(angle)), 0, 360, shade, -1, cv2.LINE_AA)
    return outline


def _fingers(rng: Generator, canvas: Image, place: Outline, width: float) -> list[Outline]:
    """One to four fingers side by side that hold or point at a tile."""
    angle = float(rng.uniform(0, 2 * np.pi))
    across = np.array([-np.sin(angle), np.cos(angle)], np.float32) * width * 0.75
    count = int(rng.integers(1, 5))
    bend = rng.normal(0, 0.25 * width, (count, 2)).astype(np.float32)
    return [
        _finger(rng, canvas, place + across * i + bend[i], width, angle + 0.08 * i)
        for i in range(count)
    ]


def _round(rng: Generator, canvas: Image, place: Outline, width: float) -> list[Outline]:
    """A cup, a saucer or a coin, seen from above."""
    radius = width * rng.uniform(0.3, 2.2)
    flat = rng.uniform(0.6, 1.0)
    turn = np.linspace(0, 2 * np.pi, 33)[:-1]
    ring = np.stack([np.cos(turn), np.sin(turn) * flat], axis=1).astype(np.float32)
    colour = rng.uniform(20, 250, 3) if rng.random() < 0.6 else np.full(3, rng.uniform(180, 250))
    outline = _fill(canvas, place + ring * np.float32(radius), colour)
    _fill(canvas, place + ring * np.float32(radius * 0.86), colour * rng.uniform(0.7, 1.1))
    drink = rng.uniform(10, 160, 3)
    _fill(canvas, place + ring * np.float32(radius * rng.uniform(0.5, 0.8)), drink)
    return [outline]


def _flat(rng: Generator, canvas: Image, place: Outline, width: float) -> list[Outline]:
    """A sheet of paper, a phone or a ruler across the tiles."""
    extent = width * np.exp(rng.uniform(np.log([1.0, 0.4]), np.log([6.0, 2.0])))
    box = cv2.boxPoints(
        (
            (float(place[0]), float(place[1])),
            (float(extent[0]), float(extent[1])),
            float(rng.uniform(0, 180)),
        )
    ).astype(np.float32)
    colour = rng.uniform(0, 255, 3) if rng.random() < 0.5 else np.full(3, rng.uniform(10, 250))
    outline = _fill(canvas, box, colour)
    ink = [float(c) for c in 255 - colour]
    for share in np.linspace(0.2, 0.8, int(rng.integers(0, 5))):
        ends = [box[i] + (box[j] - box[i]) * np.float32(share) for i, j in ((0, 3), (1, 2))]
        start, end = ((int(x), int(y)) for x, y in ends)
        cv2.line(canvas, start, end, ink, 1, cv2.LINE_AA)
    return [outline]


def _pen(rng: Generator, canvas: Image, place: Outline, width: float) -> list[Outline]:
    """A pen or a score stick."""
    angle = rng.uniform(0, np.pi)
    reach = np.array([np.cos(angle), np.sin(angle)], np.float32) * width * rng.uniform(1.5, 5)
    thick = width * rng.uniform(0.12, 0.35)
    outline = _strip(place - reach, place + reach, thick, thick * 0.7)
    colour = rng.uniform(0, 255, 3)
    _fill(canvas, outline, colour)
    light = np.clip(colour + 50, 0, 255)
    _fill(canvas, _strip(place - reach, place + reach, thick * 0.3, thick * 0.2), light)
    return [outline]


def _die(rng: Generator, canvas: Image, place: Outline, width: float) -> list[Outline]:
    """A die that shows one to six."""
    side = float(width * rng.uniform(0.4, 0.95))
    corner = (float(place[0]), float(place[1]))
    box = cv2.boxPoints((corner, (side, side), float(rng.uniform(0, 90)))).astype(np.float32)
    white = rng.random() < 0.7
    colour = np.full(3, rng.uniform(215, 250)) if white else np.array([40.0, 30.0, 190.0])
    outline = _fill(canvas, box, colour)
    count = int(rng.integers(1, 7))
    ink = [40.0, 30.0, 200.0] if white and count in {1, 4} else [30.0] * 3 if white else [240.0] * 3
    for x, y in PIPS[count]:
        dot = box[0] + (box[1] - box[0]) * np.float32(x) + (box[3] - box[0]) * np.float32(y)
        size = max(1, round(side * (0.16 if count == 1 else 0.09)))
        cv2.circle(canvas, (int(dot[0]), int(dot[1])), size, ink, -1, cv2.LINE_AA)
    return [outline]


_THINGS: Final[tuple[Callable[[Generator, Image, Outline, float], list[Outline]], ...]] = (
    _fingers,
    _fingers,
    _round,
    _flat,
    _pen,
    _die,
)
