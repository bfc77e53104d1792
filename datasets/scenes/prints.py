"""The picture on a tile of a scene: a copy of its face, at times with altered print."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.props.camera import TileBox
from datasets.sets.faces import BACK_SIZE, FaceSet
from scorer.tiles import SUIT_TILES, WINDS

Image = NDArray[np.uint8]

_INKS: Final = ((40, 30, 200), (40, 40, 40), (150, 60, 20), (50, 110, 20))
_ONE_INK: Final = 0.06
"""Share of the altered faces that are printed in a single colour."""
_OTHER_INKS: Final = 0.08
"""Share of the altered faces whose inks exchange colours."""
_BLINDING: Final = 0.2
"""Share of glossy backs with a reflection that hides their colour."""


@dataclass(frozen=True, slots=True)
class Grain:
    """The grain of backs of bamboo or wood.

    Attributes:
        strength: share by which its lines change the brightness.
        across: whether the lines run across the tile.
    """

    strength: float
    across: bool


def pick_face(
    rng: Generator, faces: FaceSet, tile: TileBox, reprinted: float, grain: Grain | None
) -> Image:
    """The tile's picture, (h, w, 3) uint8 BGR; a share ``reprinted`` of faces is altered."""
    if tile.pose == "down":
        return _back(rng, faces, grain, glossy=rng.random() < reprinted)
    copies = faces.faces[tile.label]
    face = copies[int(rng.integers(len(copies)))]
    if rng.random() < reprinted:
        face = _printed_otherwise(rng, face)
    if tile.label in SUIT_TILES or tile.label in WINDS:
        chance = rng.random()
        if chance < _ONE_INK:
            return _in_one_ink(rng, face)
        if chance < _ONE_INK + _OTHER_INKS:
            return _in_other_inks(rng, face)
    return face


def _back(rng: Generator, faces: FaceSet, grain: Grain | None, *, glossy: bool) -> Image:
    """The back of a tile; a glossy one has a soft band of light across it."""
    face = _plain_back(rng, faces)
    if grain is not None:
        face *= _brightness(rng, grain, face.shape[0], face.shape[1])[..., np.newaxis]
    if glossy:
        height, width = BACK_SIZE
        y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
        angle = rng.uniform(0, np.pi)
        across = x * np.float32(np.cos(angle)) + y * np.float32(np.sin(angle))
        band = np.exp(-(((across - rng.normal(0, 0.7)) / rng.uniform(0.2, 1.0)) ** 2))
        light = rng.uniform(110, 230) if rng.random() < _BLINDING else rng.uniform(10, 110)
        face += np.float32(light) * band[..., np.newaxis]
    return np.clip(face, 0, 255).astype(np.uint8)


def _plain_back(rng: Generator, faces: FaceSet) -> NDArray[np.float32]:
    """A back without grain or light: its colour, or a random part of the set's back picture."""
    height, width = BACK_SIZE
    sheet = faces.back_picture
    if sheet is None:
        return np.full((height, width, 3), faces.back_bgr, np.float32)
    top = int(rng.integers(sheet.shape[0] - height, endpoint=True))
    left = int(rng.integers(sheet.shape[1] - width, endpoint=True))
    return sheet[top : top + height, left : left + width].astype(np.float32)


def _brightness(rng: Generator, grain: Grain, height: int, width: int) -> NDArray[np.float32]:
    """The brightness (height, width) of the grain."""
    if grain.across:
        return _lines(rng, grain.strength, width, height).T
    return _lines(rng, grain.strength, height, width)


def _lines(rng: Generator, strength: float, height: int, width: int) -> NDArray[np.float32]:
    lines = cv2.GaussianBlur(rng.normal(0, 1, (1, width)).astype(np.float32), (0, 0), 1.0)
    waves = cv2.GaussianBlur(rng.normal(0, 1, (height, width)).astype(np.float32), (9, 41), 0)
    return np.asarray(1 + strength * (lines + 2 * waves), np.float32)


def _printed_otherwise(rng: Generator, face: Image) -> Image:
    """The face with its print larger or smaller, off the middle, bolder, finer or paler."""
    height, width = face.shape[:2]
    grow = rng.uniform(0.84, 1.06) * np.exp(rng.normal(0, 0.05, 2))
    slant = rng.normal(0, 0.03)
    linear = np.array([[grow[0], slant], [0.0, grow[1]]])
    middle = np.array([width, height]) / 2
    shift = middle - linear @ middle + rng.normal(0, 0.02, 2) * width
    matrix = np.hstack([linear, shift[:, np.newaxis]])
    moved = cv2.warpAffine(
        face, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    chance = rng.random()
    if chance < 0.4:
        side = max(2, round(width / 50))
        brush = np.ones((side, side), np.uint8)
        moved = (cv2.erode if chance < 0.25 else cv2.dilate)(moved, brush)
    elif chance < 0.55:
        paper = _paper(face)
        moved = paper + (moved - paper) * np.float32(rng.uniform(0.45, 0.9))
    return np.asarray(np.clip(moved, 0, 255), np.uint8)


def _paper(face: Image) -> NDArray[np.float32]:
    return np.asarray(np.percentile(face.reshape(-1, 3), 80, axis=0), np.float32)


def _in_other_inks(rng: Generator, face: Image) -> Image:
    """The face with the colours of its inks exchanged."""
    paper = _paper(face)
    return np.asarray(np.clip(paper + (face - paper)[..., rng.permutation(3)], 0, 255), np.uint8)


def _in_one_ink(rng: Generator, face: Image) -> Image:
    """The face printed in a single colour, as the red fives of some sets are."""
    paper = _paper(face)
    darkest = np.abs(face - paper).max(axis=2)
    cover = np.clip(darkest / max(40.0, float(darkest.max())) * 1.3, 0, 1)[..., None]
    ink = _INKS[int(rng.integers(len(_INKS)))] + rng.normal(0, 15, 3)
    return np.asarray(np.clip(paper * (1 - cover) + ink * cover, 0, 255), np.uint8)
