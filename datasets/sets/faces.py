"""The faces for rendered scenes, from drawn designs and photographed tile sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.designs.drawing.design import Bgr, TileDesign, load_design
from datasets.sets.coco import Photo, load_photos

Image = NDArray[np.uint8]

_BACKS: Final = ((60, 120, 40), (150, 90, 30), (40, 140, 200), (30, 30, 30), (60, 60, 170))
_TELLING: Final = 70
"""Least difference in a colour channel between a back and a blank face."""
_MAX_FACE_WIDTH: Final = 160
"""Maximum width in pixels of a face from a photograph."""

BACK_SIZE: Final = (90, 68)
"""Height and width in pixels of the drawn back of a tile."""


@dataclass(frozen=True, slots=True)
class FaceSet:
    """The faces and colours that a renderer needs of one tile set.

    Attributes:
        name: name of the design or the physical tile set.
        faces: one or more flat upright faces, (h, w, 3) uint8 BGR, of each label.
        body_bgr: colour of the front layer.
        back_bgr: colour of the back.
        side_bgrs: colours of the layers seen from the side, from front to back.
        proportion: face width divided by its height.
        photographed: whether the faces are cut from photographs.
        back_picture: (h, w, 3) uint8 BGR, at least as large as a back (:data:`BACK_SIZE`), of which
            each back shows a part; None for backs in the one colour ``back_bgr``.
    """

    name: str
    faces: Mapping[str, tuple[Image, ...]]
    body_bgr: Bgr
    back_bgr: Bgr
    side_bgrs: tuple[Bgr, ...]
    proportion: float
    photographed: bool = False
    back_picture: Image | None = None


class FacesBut(Mapping[str, tuple[Image, ...]]):
    """The faces of a tile set with some of them replaced; the others are drawn when asked for.

    Args:
        faces: the faces of the tile set.
        others: the faces that replace or join them.
    """

    def __init__(
        self, faces: Mapping[str, tuple[Image, ...]], others: Mapping[str, tuple[Image, ...]]
    ) -> None:
        self._faces, self._others = faces, others
        self._labels = tuple(dict.fromkeys((*faces, *others)))

    def __getitem__(self, label: str) -> tuple[Image, ...]:
        return self._others[label] if label in self._others else self._faces[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self._labels)

    def __len__(self) -> int:
        return len(self._labels)


def distinct_back(name: str, body: Bgr, back: Bgr) -> Bgr:
    """The colour of a design's back, or another if it is too similar to a blank face."""
    away = np.abs(np.subtract(back, body)).max()
    return back if away >= _TELLING else _BACKS[len(name) % len(_BACKS)]


def from_design(design: TileDesign) -> FaceSet:
    """The faces of a drawn design, with its several ``other`` faces under one label."""
    faces: dict[str, tuple[Image, ...]] = {}
    for key, face in design.faces.items():
        label = key.partition("#")[0]
        faces[label] = (*faces.get(label, ()), face)
    return FaceSet(
        name=design.name,
        faces=faces,
        body_bgr=design.body_bgr,
        back_bgr=distinct_back(design.name, design.body_bgr, design.back_bgr),
        side_bgrs=design.side_bgrs,
        proportion=design.proportion,
    )


def load_designs(paths: Iterable[Path]) -> list[FaceSet]:
    """Read design files.

    Raises:
        DesignError: one of them is missing or damaged.
    """
    return [from_design(load_design(path)) for path in paths]


def cut_face(image: Image, quad: NDArray[np.float32]) -> Image:
    """The face inside a quad (4, 2), upright and flat, at most 160 pixels wide."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    width = min(max(8, round(float(sides[0] + sides[2]) / 2)), _MAX_FACE_WIDTH)
    height = max(8, round(width * float(sides[1] + sides[3]) / float(sides[0] + sides[2])))
    scale = width / max(1.0, float(sides[0] + sides[2]) / 2)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    left, top = np.floor(quad.min(axis=0)).astype(int)
    right, bottom = np.ceil(quad.max(axis=0)).astype(int)
    left, top = max(0, left), max(0, top)
    part = image[top:bottom, left:right]
    shifted = quad - np.array([left, top], np.float32)
    if scale < 0.7:
        part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
        shifted = shifted * scale
    matrix = cv2.getPerspectiveTransform(shifted.astype(np.float32), corners)
    face = cv2.warpPerspective(
        part, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(face, np.uint8)


def _from_photos(name: str, photos: list[Photo]) -> FaceSet:
    faces: dict[str, tuple[Image, ...]] = {}
    proportions = []
    for photo in photos:
        image = photo.load_image()
        for label, quad in zip(photo.labels, photo.quads, strict=True):
            face = cut_face(image, quad)
            faces[label] = (*faces.get(label, ()), face)
            proportions.append(face.shape[1] / face.shape[0])
    paper = np.concatenate([face.reshape(-1, 3) for copies in faces.values() for face in copies])
    bright = paper[paper.sum(axis=1) >= np.percentile(paper.sum(axis=1), 70)]
    blue, green, red = (int(value) for value in np.median(bright, axis=0))
    back = _BACKS[len(name) % len(_BACKS)]
    return FaceSet(
        name=name,
        faces=faces,
        body_bgr=(blue, green, red),
        back_bgr=back,
        side_bgrs=((blue, green, red), back),
        proportion=float(np.clip(np.median(proportions), 0.66, 0.82)),
        photographed=True,
    )


def load_photographed(root: Path, split: str) -> list[FaceSet]:
    """The tile sets of ``sheets.coco.json`` under ``root`` that belong to ``split``.

    Raises:
        AnnotationError: the annotations cannot be read.
        FileNotFoundError: a picture is missing.
    """
    by_set: dict[str, list[Photo]] = {}
    for photo in load_photos(root / "sheets.coco.json", split):
        by_set.setdefault(photo.set_name, []).append(photo)
    return [_from_photos(name, photos) for name, photos in sorted(by_set.items())]
