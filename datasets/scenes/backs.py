"""Backs with a picture: tortoise-shell, marble, glitter, wood, printed patterns and mirrors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.designs.drawing.design import Bgr
from datasets.props.backgrounds import draw_wood, noise
from datasets.sets.faces import BACK_SIZE

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

_SHEET: Final = (180, 136)
"""Height and width in pixels of a picture whose parts differ from tile to tile."""
_AMBER: Final = ((20, 30, 60), (30, 110, 200))
"""The dark and the light colour, BGR, of tortoise-shell."""


def draw_back_picture(rng: Generator, colour: Bgr) -> Image:
    """A picture for a set's backs in about the colour BGR, (h, w, 3) uint8 BGR.

    It is at least as large as a back; a printed motif is exactly as large, so that all backs of the
    set are alike, and of any other material each back shows another part.
    """
    share = np.array([share for _, share in _MAKES])
    make = _MAKES[int(rng.choice(len(_MAKES), p=share / share.sum()))][0]
    return np.clip(make(rng, np.array(colour, np.float32)), 0, 255).astype(np.uint8)


def mean_colour(picture: Image) -> Bgr:
    """The mean colour BGR of a picture (h, w, 3) uint8."""
    blue, green, red = (round(float(part)) for part in picture.reshape(-1, 3).mean(axis=0))
    return blue, green, red


def _blended(first: Floats, second: Floats, share: Floats) -> Floats:
    """From the first colour (3,) to the second by a share (h, w) from 0 to 1."""
    return np.asarray(first + (second - first) * share[..., None], np.float32)


def _other(rng: Generator, colour: Floats) -> Floats:
    """A second colour BGR: one near the first, white, black or gold."""
    if rng.random() < 0.5:
        return np.clip(colour + rng.normal(0, 75, 3), 0, 255).astype(np.float32)
    metals = ((245, 245, 245), (20, 20, 20), (60, 170, 215))
    return np.array(metals[int(rng.integers(len(metals)))], np.float32)


def _blots(rng: Generator, first: Floats, second: Floats) -> Floats:
    """Blots of two colours that run into each other."""
    field = noise(rng, _SHEET, (rng.uniform(8, 40),) * 2) * 1.4
    field += noise(rng, _SHEET, (rng.uniform(4, 12),) * 2) * 0.8
    steep = np.float32(rng.uniform(1.5, 6))
    return _blended(first, second, (1 / (1 + np.exp(-field * steep))).astype(np.float32))


def _tortoise_shell(rng: Generator, _colour: Floats) -> Floats:
    dark, light = (np.array(amber, np.float32) for amber in _AMBER)
    shift = rng.uniform(-15, 30, 3).astype(np.float32)
    return _blots(rng, dark + shift, light + rng.normal(0, 30, 3).astype(np.float32))


def _marble(rng: Generator, colour: Floats) -> Floats:
    """Marble: clouds, and veins where a second field of noise crosses zero."""
    second = _other(rng, colour)
    clouds = _blots(rng, colour, colour + (second - colour) * np.float32(rng.uniform(0.1, 0.8)))
    veins = noise(rng, _SHEET, (rng.uniform(15, 40), rng.uniform(15, 40)))
    veins += 0.5 * noise(rng, _SHEET, (9, 9))
    thin = np.exp(-np.abs(veins) / np.float32(rng.uniform(0.03, 0.15))).astype(np.float32)
    return np.asarray(clouds + (second - clouds) * thin[..., None], np.float32)


def _glitter(rng: Generator, colour: Floats) -> Floats:
    """Grains that are much brighter or differently coloured than the plastic."""
    image = np.empty((*_SHEET, 3), np.float32)
    image[:] = colour
    coarse = int(rng.integers(1, 4))
    small = (_SHEET[0] // coarse + 1, _SHEET[1] // coarse + 1)
    grains = (rng.random(small) < rng.uniform(0.02, 0.2)).astype(np.float32)
    sparkle = grains[..., None] * rng.normal(60, 70, (*small, 3)).astype(np.float32)
    large = cv2.resize(sparkle, None, fx=coarse, fy=coarse, interpolation=cv2.INTER_NEAREST)
    return np.asarray(image + large[: _SHEET[0], : _SHEET[1]], np.float32)


def _wood(rng: Generator, _colour: Floats) -> Floats:
    """Wood or bamboo with its grain along or across the tile."""
    if rng.random() < 0.7:
        return np.swapaxes(draw_wood(rng, _SHEET[::-1]), 0, 1).astype(np.float32)
    return draw_wood(rng, _SHEET).astype(np.float32)


def _mirror(rng: Generator, colour: Floats) -> Floats:
    """Polished metal or plastic that mirrors a room: soft bands from dark to light."""
    y, x = np.mgrid[0 : _SHEET[0], 0 : _SHEET[1]].astype(np.float32) / 100
    angle = rng.uniform(0, 2 * np.pi)
    along = x * np.float32(np.cos(angle)) + y * np.float32(np.sin(angle))
    waves = np.sin(along * rng.uniform(1, 7) + rng.uniform(0, 6)) + noise(rng, _SHEET, (60, 60))
    return _blended(
        colour * np.float32(rng.uniform(0.3, 0.9)), _other(rng, colour), waves / 4 + 0.5
    )


def _pattern(rng: Generator, colour: Floats) -> Floats:
    """A small motif in offset rows: discs, rings, diamonds or a lattice."""
    height, width = BACK_SIZE
    image = np.empty((height, width, 3), np.float32)
    image[:] = colour
    ink = [float(part) for part in _other(rng, colour)]
    step, kind = int(rng.integers(8, 34)), int(rng.integers(4))
    thick = int(rng.integers(1, 4))
    for row, y in enumerate(range(0, height + step, step)):
        for x in range(-(row % 2) * (step // 2), width + step, step):
            if kind < 2:
                fill = -1 if kind == 0 else thick
                cv2.circle(image, (x, y), max(2, int(step * 0.32)), ink, fill, cv2.LINE_AA)
            elif kind == 2:
                half = max(2, int(step * 0.35))
                points = np.array([[x, y - half], [x + half, y], [x, y + half], [x - half, y]])
                cv2.fillConvexPoly(image, points.astype(np.int32), ink, cv2.LINE_AA)
            else:
                cv2.line(image, (x, y), (x + step, y + step), ink, thick, cv2.LINE_AA)
                cv2.line(image, (x + step, y), (x, y + step), ink, thick, cv2.LINE_AA)
    return image


def _emblem(rng: Generator, colour: Floats) -> Floats:
    """One large figure with a frame, as on backs that bear a maker's sign."""
    height, width = BACK_SIZE
    image = np.empty((height, width, 3), np.float32)
    image[:] = colour
    ink = [float(part) for part in _other(rng, colour)]
    if rng.random() < 0.7:
        inset = int(rng.integers(3, 10))
        far = (width - 1 - inset, height - 1 - inset)
        cv2.rectangle(image, (inset, inset), far, ink, int(rng.integers(1, 4)), cv2.LINE_AA)
    petals, reach = int(rng.integers(3, 13)), rng.uniform(12, 30)
    turn = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    ring = reach * (rng.uniform(0.5, 0.9) + rng.uniform(0.1, 0.5) * np.cos(petals * turn))
    points = np.stack([width / 2 + ring * np.cos(turn), height / 2 + ring * np.sin(turn)], axis=1)
    cv2.fillPoly(image, [np.round(points * 8).astype(np.int32)], ink, cv2.LINE_AA, 3)
    return image


def _two_toned(rng: Generator, colour: Floats) -> Floats:
    return _blots(rng, colour, _other(rng, colour))


_MAKES: Final[tuple[tuple[Callable[[Generator, Floats], Floats], float], ...]] = (
    (_tortoise_shell, 0.16),
    (_two_toned, 0.14),
    (_marble, 0.14),
    (_glitter, 0.13),
    (_wood, 0.13),
    (_mirror, 0.12),
    (_pattern, 0.12),
    (_emblem, 0.06),
)
"""The makes of back with the share of pictured backs that each has."""
