"""Tile sets in other colours: tinted or dark plastic, with the same prints."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.designs.drawing.design import Bgr
from datasets.sets.faces import FaceSet

Image = NDArray[np.uint8]

_DARK = 0.5
"""Share of dyed tile sets whose faces are darker than their prints."""


@dataclass(frozen=True, slots=True)
class Dye:
    """The dye of a tile set's plastic.

    Attributes:
        body_bgr: colour that white plastic becomes.
        back_bgr: colour of the backs.
        dark: whether prints become light, as on black plastic.
    """

    body_bgr: Bgr
    back_bgr: Bgr
    dark: bool


def random_dye(rng: Generator) -> Dye:
    """A random dye, pale to strong on light plastic, deep on dark."""
    dark = bool(rng.random() < _DARK)
    strength = rng.uniform(0.2, 0.9) if dark else rng.uniform(0.08, 0.6)
    value = rng.uniform(0.05, 0.5) if dark else rng.uniform(0.75, 1.0)
    body = _bgr(float(rng.random()), float(strength), float(value))
    back = _bgr(float(rng.random()), float(rng.uniform(0.2, 1)), float(rng.uniform(0.1, 0.95)))
    return Dye(body, back, dark)


def _bgr(hue: float, saturation: float, value: float) -> Bgr:
    red, green, blue = (round(255 * part) for part in colorsys.hsv_to_rgb(hue, saturation, value))
    return blue, green, red


def dyed_face(face: Image, dye: Dye) -> Image:
    """The face (h, w, 3) uint8 BGR on dyed plastic with nearly the same hues of its inks."""
    colour = np.array(dye.body_bgr, np.float32)
    if not dye.dark:
        return np.asarray(face * (colour / 255), np.uint8)
    parts = cv2.cvtColor(face, cv2.COLOR_BGR2YCrCb)
    parts[..., 0] = 255 - parts[..., 0]
    light = cv2.cvtColor(parts, cv2.COLOR_YCrCb2BGR).astype(np.float32)
    return np.asarray(colour + light * (1 - colour / 255), np.uint8)


def dyed(faces: FaceSet, dye: Dye) -> FaceSet:
    """The whole tile set in dyed plastic: faces, sides and backs."""
    pixel = np.array(faces.body_bgr, np.uint8).reshape(1, 1, 3)
    blue, green, red = (int(part) for part in dyed_face(pixel, dye)[0, 0])
    body = (blue, green, red)
    prints = {
        label: tuple(dyed_face(face, dye) for face in copies)
        for label, copies in faces.faces.items()
    }
    middle = faces.side_bgrs[1:-1]
    sides = (body, *middle, dye.back_bgr) if len(faces.side_bgrs) > 1 else (body,)
    return replace(faces, faces=prints, body_bgr=body, back_bgr=dye.back_bgr, side_bgrs=sides)
