"""Training pictures cut from annotated photographs of whole tile sets."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.props.backgrounds import draw_background
from datasets.scenes.photography import expose, expose_poorly, light
from datasets.scenes.scenes import Scene
from datasets.sets.coco import IGNORE, Photo, load_photos

Image = NDArray[np.uint8]
Floats = NDArray[np.floating]

_MAX_ENLARGEMENT = 1.5
"""Maximum factor by which a photograph is enlarged."""
_HARSH = 0.3
"""Share of the pictures taken in poor light."""
_TILTED = 0.45
"""Share of the pictures that are shown from lower down."""
_MOST_TILT = 0.95
"""Maximum angle from straight above, in radians."""
_NEAREST = 0.6
"""Maximum share by which the nearest part of a picture is nearer than its middle."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """An annotated photograph with its picture (h, w, 3) uint8 BGR in memory."""

    photo: Photo
    image: Image


def load_sheets(annotations: Path, split: str) -> list[Sheet]:
    """The photographs of a COCO file that belong to ``split``.

    Raises:
        AnnotationError: the annotations cannot be read.
        FileNotFoundError: a picture is missing.
    """
    photos = load_photos(annotations, split)
    return [Sheet(photo, photo.load_image()) for photo in photos]


def random_crop(
    rng: Generator, sheet: Sheet, size: tuple[int, int], *, careful: bool = False
) -> Scene:
    """Part of a photograph at a random scale and angle on a drawn table, in new light.

    Args:
        rng: source of all randomness.
        sheet: the photograph.
        size: (height, width) of the picture in pixels.
        careful: whether the photograph was taken from straight above in good light, so that it can
            be shown from lower down and in poor light.
    """
    photo = sheet.photo
    quads = np.concatenate([photo.quads, photo.unlabelled])
    widths = np.linalg.norm(photo.quads[:, 1] - photo.quads[:, 0], axis=1)
    width = float(np.exp(rng.uniform(np.log(18), np.log(130))))
    scale = min(width / float(np.median(widths)), _MAX_ENLARGEMENT)
    image = sheet.image
    if scale < 0.7:
        image = np.asarray(
            cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
        quads, scale = quads * scale, 1.0
    height, wide = image.shape[:2]
    focus = quads[int(rng.integers(len(quads)))].mean(axis=0)
    if rng.random() < 0.5:
        focus = np.array([wide, height]) / 2
    angle = rng.normal(0, 0.06) if rng.random() < 0.6 else rng.uniform(-np.pi, np.pi)
    shear = rng.normal(0, 0.04, 4)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    linear = scale * turn @ (np.eye(2) + shear.reshape(2, 2))
    aim = np.array([size[1], size[0]]) * rng.uniform(0.35, 0.65, 2)
    flat = _affine(linear, -linear @ focus)
    tilted = _tilted(rng, _shown(_frame(height, wide), flat), max(size)) if careful else np.eye(3)
    matrix = _affine(np.eye(2), aim) @ tilted @ flat
    canvas = draw_background(rng, size, 0)
    cv2.warpPerspective(
        image, matrix, (size[1], size[0]), dst=canvas, borderMode=cv2.BORDER_TRANSPARENT
    )
    moved = _shown(quads.reshape(-1, 2), matrix).reshape(-1, 4, 2)
    visible = _shares_inside(moved, size)
    visible[len(photo.quads) :] = 0
    visible[[index for index, label in enumerate(photo.labels) if label == IGNORE]] = 0
    labels = (*photo.labels, *("back" for _ in photo.unlabelled))
    harsh = careful and bool(rng.random() < _HARSH)
    lit = light(rng, canvas.astype(np.float32), harsh=harsh)
    shot = expose_poorly(rng, lit, width) if harsh else expose(rng, lit, sharpness=0.7)
    return Scene(shot, labels, moved, visible)


def _shares_inside(quads: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.float32]:
    """How much of each quad (n, 4, 2) lies in a picture of this size."""
    view = _frame(*size)
    shares = [
        cv2.intersectConvexConvex(quad, view)[0] / max(1.0, float(cv2.contourArea(quad)))
        for quad in quads
    ]
    return np.array(shares, np.float32)


def _frame(height: int, width: int) -> NDArray[np.float32]:
    """The corners (4, 2) of a picture."""
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)


def _shown(points: Floats, matrix: Floats) -> NDArray[np.float32]:
    """The points (n, 2) transformed by a homography (3, 3)."""
    placed = cv2.perspectiveTransform(points[np.newaxis].astype(np.float32), matrix)[0]
    return np.asarray(placed, np.float32)


def _affine(linear: Floats, shift: Floats) -> Floats:
    """The matrix (3, 3) of a linear map followed by a shift."""
    matrix = np.eye(3)
    matrix[:2, :2], matrix[:2, 2] = linear, shift
    return matrix


def _tilted(rng: Generator, outline: Floats, longest: int) -> Floats:
    """The homography (3, 3) of a view from lower down; in most pictures the identity.

    Args:
        rng: chooses the angle and the lens.
        outline: (k, 2) outline of the shown part about the origin, which stays in place.
        longest: long side of the picture in pixels.
    """
    if rng.random() > _TILTED:
        return np.eye(3)
    focal = longest * rng.uniform(0.8, 1.7)
    nearest = max(1.0, float(outline[:, 1].max()))
    tilt = min(rng.uniform(0, _MOST_TILT), np.arcsin(min(1.0, _NEAREST * focal / nearest)))
    return np.array([[1.0, 0.0, 0.0], [0.0, np.cos(tilt), 0.0], [0.0, -np.sin(tilt) / focal, 1.0]])
