"""Turns a drawing into a worn tile: size and place, unsteady lines, engraving, wear and dirt."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.designs.drawing.design import FACE_WIDTH, Image
from datasets.designs.drawing.ink import SCALE, Face
from datasets.designs.drawing.palette import Rng

Field = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Finish:
    """The make and the wear of a tile set.

    Attributes:
        zoom: scale of the drawings, for suits, honours and bonus tiles.
        shift: shift of the drawings right and down, in units of the face's width.
        wobble: unsteadiness of lines, in units of the face's width.
        depth: strength of the shading inside engraved strokes, 0 for printed ones.
        light: offset of that shading, in pixels right and down on the drawing surface.
        wear: share of the ink that is worn off.
        mottle: unevenness of the paper and the ink, in levels of 0..255.
        stains: expected number of stains on a face.
        scratches: expected number of scratches on a face.
        soft: blur of the print, in pixels of the finished face.
        slip: offset of the red print, in pixels right and down on the drawing surface.
    """

    zoom: tuple[float, float, float]
    shift: tuple[float, float]
    wobble: float
    depth: float
    light: tuple[int, int]
    wear: float
    mottle: float
    stains: float
    scratches: float
    soft: float
    slip: tuple[int, int]


def sample_finish(rng: Rng, *, indexed: bool) -> Finish:
    """A finish for a tile set; drawings are smaller and lower if it has corner indices."""
    zooms = rng.uniform(0.84, 1.06, 3) if rng.random() < 0.3 else (rng.uniform(0.86, 1.07),) * 3
    if indexed:
        zooms = np.array(zooms) * 0.86
    old = rng.random() < 0.2
    return Finish(
        zoom=(float(zooms[0]), float(zooms[1]), float(zooms[2])),
        shift=(0.0, 0.05) if indexed else (0.0, 0.0),
        wobble=float(rng.uniform(0.0, 0.012)),
        depth=float(rng.uniform(0.1, 0.6)) if rng.random() < 0.6 else 0.0,
        light=(int(rng.integers(-2, 3)), int(rng.integers(1, 3))),
        wear=float(rng.uniform(0.05, 0.35)) if old else 0.0,
        mottle=float(rng.exponential(0.8)),
        stains=float(rng.uniform(0, 1.2)) if old else 0.0,
        scratches=float(rng.uniform(0, 2.0)) if old else 0.0,
        soft=float(rng.uniform(0, 0.8)),
        slip=(int(rng.integers(-4, 5)), int(rng.integers(-4, 5)))
        if rng.random() < 0.08
        else (0, 0),
    )


def move(face: Face, rng: Rng, finish: Finish, zoom: float, shift: tuple[float, float]) -> None:
    """Scale and shift the drawing and make its lines unsteady."""
    rows = face.pixels.shape[0]
    y, x = np.mgrid[0:rows, 0:SCALE].astype(np.float32)
    stray = finish.wobble * SCALE
    dx, dy = shift[0] + rng.normal(0, 0.008), shift[1] + rng.normal(0, 0.008)
    map_x = (x - SCALE / 2 - dx * SCALE) / zoom + SCALE / 2 + stray * noise(rng, rows, 5)
    map_y = (y - rows / 2 - dy * SCALE) / zoom + rows / 2 + stray * noise(rng, rows, 5)
    face.pixels = np.asarray(
        cv2.remap(
            face.pixels,
            map_x.astype(np.float32),
            map_y.astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=face.paper,
        ),
        np.uint8,
    )


def finished(face: Face, rng: Rng, finish: Finish) -> Image:
    """The face in its final size, ``(H, 120, 3)`` uint8 BGR."""
    rows = face.pixels.shape[0]
    paper = np.array(face.paper, np.float32)
    picture = face.pixels.astype(np.float32)
    if any(finish.slip):
        redness = (picture[..., 2] - picture[..., 0]) - (paper[2] - paper[0])
        red = np.clip(redness / 60, 0, 1)[..., None]
        moved, cover = np.roll(picture, finish.slip, (1, 0)), np.roll(red, finish.slip, (1, 0))
        picture = picture * (1 - red) + paper * red
        picture = picture * (1 - cover) + moved * cover
    away = np.abs(picture - paper)
    ink = np.minimum(np.maximum(np.maximum(away[..., 0], away[..., 1]), away[..., 2]) / 60, 1)
    if finish.wear:
        keep = 1 - np.clip((noise(rng, rows, 40) + finish.wear * 3 - 1.6) * 1.5, 0, 0.9) * ink
        picture = paper + (picture - paper) * keep[..., None]
    if finish.depth:
        inner = cv2.GaussianBlur(np.roll(1 - ink, finish.light, (1, 0)), (0, 0), 1.7) * ink
        outer = cv2.GaussianBlur(np.roll(ink, finish.light, (1, 0)), (0, 0), 1.3) * (1 - ink)
        picture = picture * (1 - 0.5 * finish.depth * inner[..., None])
        picture = picture + (255 - picture) * (0.35 * finish.depth * outer[..., None])
    picture += (finish.mottle * noise(rng, rows, 12))[..., None]
    picture = _dirtied(picture, face, rng, finish)
    if finish.soft > 0.2:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), finish.soft * 1.4), np.float32)
    size = (FACE_WIDTH, rows * FACE_WIDTH // SCALE)
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return np.asarray(np.clip(small + 0.5, 0, 255), np.uint8)


def _dirtied(picture: Field, face: Face, rng: Rng, finish: Finish) -> Field:
    """The picture with stains and scratches."""
    rows = picture.shape[0]
    for _ in range(int(rng.poisson(finish.stains))):
        centre, radius = rng.uniform(0, (SCALE, rows)), float(rng.uniform(10, 60))
        spot = np.zeros((rows, SCALE), np.float32)
        cv2.circle(spot, (int(centre[0]), int(centre[1])), int(radius), 1.0, -1)
        soft = np.asarray(cv2.GaussianBlur(spot, (0, 0), radius / 3), np.float32)[..., None]
        tint = np.array([1.0, 0.8, 0.6], np.float32) * np.float32(rng.uniform(0.03, 0.16))
        picture = picture * (1 - soft * tint)
    picture = np.clip(picture, 0, 255)
    for _ in range(int(rng.poisson(finish.scratches))):
        ends = rng.uniform(0, (SCALE, rows)) + rng.normal(0, 40, (2, 2))
        level = float(rng.choice([0.75, 1.2]))
        colour = [float(min(255, value * level)) for value in face.paper]
        cv2.line(picture, ends[0].astype(int).tolist(), ends[1].astype(int).tolist(), colour, 1)
    return picture


def noise(rng: Rng, rows: int, cells: int) -> Field:
    """A smooth random field of mean 0 and spread 1 over the drawing surface."""
    coarse = rng.normal(0, 1, (max(2, cells * rows // SCALE), cells)).astype(np.float32)
    field = cv2.resize(coarse, (SCALE, rows), interpolation=cv2.INTER_CUBIC)
    return np.asarray(field, np.float32)
