"""Training pictures cut from annotated photographs of whole sets."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.backgrounds import draw_background
from datasets.coco import IGNORE, Photo, load_photos
from datasets.photography import expose, light
from datasets.scenes import Scene

Image = NDArray[np.uint8]

_MAX_ENLARGEMENT = 1.5
"""How much larger than it is a picture is shown at most."""


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


def random_crop(rng: Generator, sheet: Sheet, size: tuple[int, int]) -> Scene:
    """Part of a photograph at a random scale and small turn, on a drawn table, relit and reshot."""
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
    matrix = np.hstack([linear, (aim - linear @ focus)[:, None]])
    canvas = draw_background(rng, size, 0)
    cv2.warpAffine(image, matrix, (size[1], size[0]), dst=canvas, borderMode=cv2.BORDER_TRANSPARENT)
    moved = (quads @ linear.T + matrix[:, 2]).astype(np.float32)
    frame = np.array([[0, 0], [size[1], 0], [size[1], size[0]], [0, size[0]]], np.float32)
    visible = np.array(
        [
            cv2.intersectConvexConvex(quad, frame)[0] / max(1.0, float(cv2.contourArea(quad)))
            for quad in moved
        ],
        np.float32,
    )
    visible[len(photo.quads) :] = 0
    visible[[index for index, label in enumerate(photo.labels) if label == IGNORE]] = 0
    labels = (*photo.labels, *("back" for _ in photo.unlabelled))
    shot = expose(rng, light(rng, canvas.astype(np.float32)), sharpness=0.7)
    return Scene(shot, labels, moved, visible)
