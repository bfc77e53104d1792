"""Pictures of birds, plants and the like that other people drew, for use in drawn tile sets.

:mod:`datasets.designs.icons.fetch` downloads them; the repository does not contain them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.designs.drawing.design import Bgr
from datasets.designs.drawing.ink import SCALE, Face
from datasets.designs.drawing.palette import Palette, Rng
from datasets.designs.errors import DesignError
from datasets.designs.packages import read_transparent, sets_in

BIRDS: Final = "birds"
OTHERS: Final = "others"
_LEAST: Final = 4
"""Number of birds, or of other pictures, that a set of icons needs."""

Print = Literal["colours", "inks", "outline", "one"]
_PRINTS: Final[tuple[Print, ...]] = ("colours", "inks", "outline")


@dataclass(frozen=True, slots=True)
class IconSet:
    """Pictures by the same hand.

    Attributes:
        name: name of the set of icons.
        birds: PNG files of birds, with transparency.
        others: PNG files of other pictures, with transparency.
    """

    name: str
    birds: tuple[Path, ...]
    others: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class IconStyle:
    """The use of icons in a tile set.

    Attributes:
        icons: the icons.
        one: whether the one of bamboo is one of their birds.
        bonus: whether flowers and seasons show them.
        print: whether they are printed in their own colours, in two to four inks of the tile set,
            or as outlines.
        inks: number of inks, including the paper.
        size: size of a picture relative to the room for it.
    """

    icons: IconSet
    one: bool
    bonus: bool
    print: Print
    inks: int
    size: float


def find_icons(folder: Path | None) -> tuple[IconSet, ...]:
    """The sets of icons in a folder, each in its own subfolder; none if ``folder`` is None.

    Raises:
        DesignError: the folder holds none.
    """
    return sets_in(folder, "icons", _icons)


def _icons(path: Path) -> IconSet | None:
    birds, others = (tuple(sorted((path / kind).glob("*.png"))) for kind in (BIRDS, OTHERS))
    if min(len(birds), len(others)) < _LEAST:
        return None
    return IconSet(path.name, birds, others)


def sample_icons(rng: Rng, icons: tuple[IconSet, ...]) -> IconStyle:
    """A random use of one of the sets of icons, on the one of bamboo or on flowers, mostly both."""
    where = int(rng.choice(3, p=[0.3, 0.2, 0.5]))
    return IconStyle(
        icons=icons[int(rng.integers(len(icons)))],
        one=where != 1,
        bonus=where != 0,
        print=_PRINTS[int(rng.choice(3, p=[0.3, 0.5, 0.2]))],
        inks=int(rng.integers(2, 5)),
        size=float(rng.uniform(0.7, 1.0)),
    )


@dataclass(frozen=True, slots=True)
class Picture:
    """One icon, printed the same wherever a tile set shows it.

    Attributes:
        path: PNG file with transparency.
        print: its own colours, or its shape in one ink.
        inks: the ink of the shape.
    """

    path: Path
    print: Print
    inks: tuple[Bgr, ...]

    def stamp(self, face: Face, box: tuple[float, float, float, float]) -> None:
        """Draw it on a face, as large as the box (centre x, centre y, width, height) allows."""
        colours, cover = _loaded(self.path)
        scale = SCALE * min(box[2] / cover.shape[1], box[3] / cover.shape[0])
        size = max(2, round(cover.shape[1] * scale)), max(2, round(cover.shape[0] * scale))
        cover = np.asarray(cv2.resize(cover, size, interpolation=cv2.INTER_AREA), np.uint8)
        colours = np.asarray(cv2.resize(colours, size, interpolation=cv2.INTER_AREA), np.uint8)
        if self.print == "one":
            light = colours.mean(axis=2, keepdims=True) / 255
            ink = np.array(self.inks[0], np.float64)
            colours = np.asarray(ink + (255 - ink) * light * 0.8, np.uint8)
        face.paste(colours, cover, box[0], box[1])


def sample_picture(rng: Rng, icons: IconSet, palette: Palette, kind: str) -> Picture:
    """A random one of the birds or of the others, in its own colours or in one ink."""
    paths = icons.birds if kind == BIRDS else icons.others
    path = paths[int(rng.integers(len(paths)))]
    return Picture(path, "colours" if rng.random() < 0.6 else "one", (_ink(rng, palette),))


def draw_icon(face: Face, rng: Rng, style: IconStyle, palette: Palette, *, bird: bool) -> None:
    """Draw one of the pictures in the middle of a face, mirrored or not.

    Args:
        face: the face to draw on.
        rng: chooses the picture and the inks.
        style: the tile set's use of icons.
        palette: the colours of the tile set.
        bird: whether it is a bird.
    """
    paths = style.icons.birds if bird else style.icons.others
    colours, cover = _loaded(paths[int(rng.integers(len(paths)))])
    if rng.random() < 0.5:
        colours, cover = colours[:, ::-1], cover[:, ::-1]
    room = 0.8 * style.size, 0.8 * style.size * face.height
    scale = SCALE * min(room[0] / cover.shape[1], room[1] / cover.shape[0])
    size = max(2, round(cover.shape[1] * scale)), max(2, round(cover.shape[0] * scale))
    colours = np.asarray(cv2.resize(colours, size, interpolation=cv2.INTER_AREA), np.uint8)
    cover = np.asarray(cv2.resize(cover, size, interpolation=cv2.INTER_AREA), np.uint8)
    at = 0.5, face.height / 2
    if style.print == "outline":
        edges = np.maximum(cv2.Canny(colours, 60, 160), cv2.Canny(cover, 60, 160))
        width = int(rng.integers(3, 7))
        lines = cv2.GaussianBlur(cv2.dilate(edges, np.ones((width, width), np.uint8)), (3, 3), 0)
        face.stamp(np.asarray(lines, np.uint8), *at, _ink(rng, palette), 0.0)
        return
    if style.print == "inks":
        colours = _in_inks(colours, cover, rng, style.inks, palette)
    face.paste(colours, cover, *at)


def _ink(rng: Rng, palette: Palette) -> tuple[int, int, int]:
    inks = palette.black, palette.green, palette.red, palette.blue, palette.accent
    return inks[int(rng.choice(5, p=[0.3, 0.3, 0.2, 0.15, 0.05]))]


def _in_inks(
    colours: NDArray[np.uint8], cover: NDArray[np.uint8], rng: Rng, count: int, palette: Palette
) -> NDArray[np.uint8]:
    """The picture with each of its main colours in one ink; the lightest is mostly left out."""
    shown = colours[cover > 128].astype(np.float32)
    if len(shown) < count:
        return colours
    sample = shown[rng.integers(len(shown), size=2000)]
    centres = np.quantile(sample.sum(axis=1), np.linspace(0.05, 0.95, count))
    middle = np.stack([sample[np.abs(sample.sum(axis=1) - c).argmin()] for c in centres])
    apart = ((colours.astype(np.float32)[:, :, np.newaxis] - middle) ** 2).sum(axis=-1)
    inks = np.array([_ink(rng, palette) for _ in middle], np.uint8)
    if rng.random() < 0.75:
        inks[-1] = palette.paper
    return np.asarray(inks[apart.argmin(axis=-1)], np.uint8)


def is_icon(path: Path) -> bool:
    """Whether a file is a picture with a transparent background, as :func:`draw_icon` needs."""
    return _read(path) is not None


@lru_cache(maxsize=1024)
def _loaded(path: Path) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Colours (h, w, 3) BGR and cover (h, w) of a picture, cropped to its opaque part.

    Raises:
        DesignError: the file is not a picture with a transparent background.
    """
    picture = _read(path)
    if picture is None:
        raise DesignError(f"{path} is no picture that stands free")
    x, y, width, height = cv2.boundingRect(np.asarray(picture[..., 3], np.uint8))
    shown: NDArray[np.uint8] = np.asarray(picture[y : y + height, x : x + width], np.uint8)
    return shown[..., :3], shown[..., 3]


def _read(path: Path) -> NDArray[np.uint8] | None:
    """A picture (h, w, 4) BGRA, or None if it is fully opaque or fully transparent."""
    picture = read_transparent(path)
    return picture if picture is not None and picture[..., 3].any() else None
