"""COCO files whose segmentations are the four corners of tile faces."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.errors import PhotoRejected
from vision.photo.decode import decode_photo

IGNORE: Final = "ignore"
"""Label of a tile that neither training nor measurement uses."""


class AnnotationError(ValueError):
    """An annotation file is missing or does not have the expected form."""


@dataclass(frozen=True, slots=True)
class Photo:
    """One annotated photograph.

    Attributes:
        path: the picture file.
        set_name: the physical tile set shown.
        split: ``train`` or ``val``.
        labels: tile code, ``back``, ``other`` or ``ignore`` for each quad.
        quads: (n, 4, 2) float32 pixels, from the tile's own top-left, clockwise.
        unlabelled: (m, 4, 2) float32 quads of visible tiles that have no label.
        backs_complete: whether every tile that lies face down has a quad.
    """

    path: Path
    set_name: str
    split: str
    labels: tuple[str, ...]
    quads: NDArray[np.float32]
    unlabelled: NDArray[np.float32]
    backs_complete: bool = True

    def load_image(self) -> NDArray[np.uint8]:
        """The picture, upright, (h, w, 3) uint8 BGR.

        Raises:
            FileNotFoundError: the file is missing or is no picture.
        """
        try:
            return decode_photo(self.path.read_bytes())
        except PhotoRejected as error:
            raise FileNotFoundError(self.path) from error


def _quads(polygons: list[list[float]]) -> NDArray[np.float32]:
    return np.array(polygons, np.float32).reshape(-1, 4, 2)


def _picture(folder: Path, file_name: str) -> Path:
    """The picture file, named from its folder or from the folder of the COCO file."""
    if "/" in file_name:
        return folder.parent / file_name
    return folder / file_name


def load_photos(annotations: Path, split: str | None = None) -> list[Photo]:
    """Read ``<name>.coco.json``, whose pictures are in the folder ``<name>`` next to it.

    A file name that includes a folder counts from the COCO file's own. A picture without a split is
    one to measure on, ``val``. Where a segmentation is the outline of a whole tile, ``face_quad``
    beside it are the four corners of its face.

    Args:
        annotations: the COCO file.
        split: keep only photos of this split; None keeps all.

    Raises:
        AnnotationError: the file is missing, or a segmentation has not exactly four corners.
    """
    try:
        data = json.loads(annotations.read_text(encoding="utf-8"))
        names = {category["id"]: category["name"] for category in data["categories"]}
        folder = annotations.with_name(annotations.name.removesuffix(".coco.json"))
        by_image: dict[int, list[tuple[str, list[float]]]] = {}
        for row in data["annotations"]:
            (polygon,) = [row["face_quad"]] if "face_quad" in row else row["segmentation"]
            if len(polygon) != 8:
                raise AnnotationError(
                    f"{annotations}: annotation {row['id']} has not exactly four corners"
                )
            by_image.setdefault(row["image_id"], []).append((names[row["category_id"]], polygon))
        photos = []
        for image in data["images"]:
            own_split = image.get("split", "val")
            if split is not None and own_split != split:
                continue
            rows = by_image.get(image["id"], [])
            photos.append(
                Photo(
                    path=_picture(folder, image["file_name"]),
                    set_name=image["set"],
                    split=own_split,
                    labels=tuple(label for label, _ in rows),
                    quads=_quads([polygon for _, polygon in rows]),
                    unlabelled=_quads([u["quad"] for u in image.get("unlabelled_quads", [])]),
                    backs_complete=image.get("backs_complete", True),
                )
            )
    except (OSError, json.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, AnnotationError):
            raise
        raise AnnotationError(f"{annotations}: {error!r}") from error
    return photos
