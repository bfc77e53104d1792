"""One drawn tile set: its faces and colours, and the file that holds them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from zipfile import BadZipFile

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.designs.errors import DesignError
from scorer.tiles import BLANK, OTHER, TILES

Image = NDArray[np.uint8]
Bgr = tuple[int, int, int]

FACE_WIDTH: Final = 120
"""Width in pixels of every drawn face."""

MIN_PROPORTION: Final = 0.66
MAX_PROPORTION: Final = 0.82
"""Bounds of a face's width divided by its height, rounding included."""

_COLUMNS: Final = 9
"""Number of faces in a row of the sprite."""


@dataclass(frozen=True, slots=True)
class TileDesign:
    """The look of one tile set.

    Attributes:
        name: name of the design, for example ``drawn-0042``.
        faces: for each of the 42 tile codes and ``blank`` the flat front of the tile, edge to
            edge, upright, ``(H, 120, 3)`` uint8 BGR, the same H for all. Jokers and other tiles
            outside the 42, if the set has any, are under ``other``, ``other#1``, ``other#2``.
        body_bgr: colour of the tile's front layer, 0-255 each.
        back_bgr: colour of its back layer.
        side_bgrs: colours of the layers seen from the side, from front to back.

    Raises:
        DesignError: a face is missing, has an unknown key, or the sizes do not agree.
    """

    name: str
    faces: dict[str, Image]
    body_bgr: Bgr
    back_bgr: Bgr
    side_bgrs: tuple[Bgr, ...]

    def __post_init__(self) -> None:
        missing = [code for code in (*TILES, BLANK) if code not in self.faces]
        if missing:
            raise DesignError(f"design {self.name!r} has no face for {', '.join(missing)}")
        known = {*TILES, BLANK}
        for key, face in self.faces.items():
            if key not in known and key.partition("#")[0] != OTHER:
                raise DesignError(f"design {self.name!r} has a face for the unknown tile {key!r}")
            if face.shape != self.shape or face.dtype != np.uint8:
                raise DesignError(
                    f"design {self.name!r}: face {key!r} is {face.shape} {face.dtype}, "
                    f"expected {self.shape} uint8"
                )
        if not MIN_PROPORTION <= self.proportion <= MAX_PROPORTION:
            raise DesignError(
                f"design {self.name!r}: a face of {self.shape[1]}x{self.shape[0]} pixels is no "
                "mahjong tile (width over height must be 0.68 to 0.80)"
            )

    @property
    def shape(self) -> tuple[int, ...]:
        """Height, width and channels of every face."""
        return self.faces[BLANK].shape

    @property
    def proportion(self) -> float:
        """Width of the face divided by its height."""
        height, width = self.shape[:2]
        return width / height


def save_design(design: TileDesign, path: Path, quality: int = 93) -> None:
    """Write the design atomically as one ``.npz`` file.

    Args:
        design: the design to write.
        path: the file; its folder must exist.
        quality: JPEG quality of the sprite that holds the faces, 1-100.
    """
    keys = list(design.faces)
    rows = -(-len(keys) // _COLUMNS)
    height, width = design.shape[:2]
    sprite = np.empty((rows * height, _COLUMNS * width, 3), np.uint8)
    sprite[:] = design.body_bgr
    for key, cell in zip(keys, _cells(len(keys), height, width), strict=True):
        sprite[cell] = design.faces[key]
    options = [cv2.IMWRITE_JPEG_QUALITY, quality]
    options += [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444]
    encoded = cv2.imencode(".jpg", sprite, options)[1]
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with temporary.open("wb") as file:
        np.savez(
            file,
            name=np.array(design.name),
            keys=np.array(keys),
            size=np.array([height, width]),
            sprite=encoded,
            body=np.array(design.body_bgr),
            back=np.array(design.back_bgr),
            sides=np.array(design.side_bgrs),
        )
    temporary.replace(path)


def load_design(path: Path) -> TileDesign:
    """Read a file written by :func:`save_design`.

    Raises:
        DesignError: the file is missing or damaged, or holds something else.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as data:
            sprite = cv2.imdecode(data["sprite"], cv2.IMREAD_COLOR)
            keys = [str(key) for key in data["keys"]]
            height, width = (int(n) for n in data["size"])
            name = str(data["name"])
            colours = [_bgr(data["body"]), _bgr(data["back"])]
            sides = tuple(_bgr(row) for row in data["sides"])
    except FileNotFoundError as error:
        raise DesignError(f"there is no design file {path}") from error
    except (OSError, ValueError, KeyError, EOFError, TypeError, BadZipFile, cv2.error) as error:
        raise DesignError(f"{path} is no tile-set design, or it is damaged: {error}") from error
    if sprite is None:
        raise DesignError(f"{path} is damaged: its picture cannot be decoded")
    pixels = np.asarray(sprite, np.uint8)
    cells = _cells(len(keys), height, width)
    faces = {key: pixels[cell].copy() for key, cell in zip(keys, cells, strict=True)}
    return TileDesign(name, faces, colours[0], colours[1], sides)


def _cells(count: int, height: int, width: int) -> Iterator[tuple[slice, slice]]:
    """The place of each face in the sprite."""
    for index in range(count):
        row, column = divmod(index, _COLUMNS)
        yield (
            slice(row * height, (row + 1) * height),
            slice(column * width, (column + 1) * width),
        )


def _bgr(values: NDArray[np.int64]) -> Bgr:
    """Three stored numbers as a colour."""
    blue, green, red = (int(value) for value in values)
    return blue, green, red
