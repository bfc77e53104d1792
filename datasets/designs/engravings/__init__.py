"""Faces of suited tiles and honours that other people drew, printed in the inks of drawn sets.

:mod:`datasets.designs.engravings.fetch` downloads them; the repository does not contain them.
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
from datasets.designs.drawing.ink import SCALE, Face, thickened
from datasets.designs.drawing.palette import Palette, Rng
from datasets.designs.errors import DesignError
from datasets.designs.packages import read_transparent, sets_in
from scorer.tiles import PLAYING_TILES

_LEAST: Final = 27
"""Faces that a set of engravings needs."""
_DRAWN: Final = 0.25
"""Probability of drawing each kind of tile all the same, so that a tile set mixes both."""
_SATURATED: Final = 20
"""Mean difference of the channels, 0-255, from which a face has colours."""

Print = Literal["colours", "inks", "bands", "one"]
_PRINTS: Final[tuple[Print, ...]] = ("colours", "inks", "bands", "one")
_COLOURED: Final = (0.3, 0.4, 0.2, 0.1)
_LINES: Final = (0.0, 0.0, 0.7, 0.3)
"""Probability of each way to print art in colours, and art in lines."""


@dataclass(frozen=True, slots=True)
class EngravingSet:
    """Faces by the same hand.

    Attributes:
        name: name of the set of engravings.
        faces: PNG files with transparency, by tile.
        coloured: whether they have colours, or are lines in black.
    """

    name: str
    faces: dict[str, Path]
    coloured: bool


@dataclass(frozen=True, slots=True)
class EngravingStyle:
    """The use of engravings in a tile set.

    Attributes:
        engravings: the engravings.
        kinds: last letters of the codes of tiles that show them.
        print: whether they are printed in their own colours, in the tile set's inks nearest to
            these, in bands of its inks from top to bottom, or in one of its inks.
        size: size of an engraving relative to the face.
        weight: widths of the face by which lines are thickened, or thinned if negative.
    """

    engravings: EngravingSet
    kinds: str
    print: Print
    size: float
    weight: float

    def shows(self, tile: str) -> bool:
        """Whether the tile shows an engraving."""
        return tile[-1] in self.kinds and tile in self.engravings.faces


def find_engravings(folder: Path | None) -> tuple[EngravingSet, ...]:
    """The sets of engravings in a folder, each in its own subfolder; none if ``folder`` is None.

    Raises:
        DesignError: the folder holds none.
    """
    return sets_in(folder, "engravings", _engravings)


def _engravings(path: Path) -> EngravingSet | None:
    every = {tile: path / f"{tile}.png" for tile in PLAYING_TILES}
    faces = {tile: file for tile, file in every.items() if file.is_file()}
    if len(faces) < _LEAST:
        return None
    return EngravingSet(path.name, faces, any(_saturated(*_loaded(f)) for f in faces.values()))


def sample_engravings(rng: Rng, engravings: tuple[EngravingSet, ...]) -> EngravingStyle:
    """A random use of one of the sets of engravings, in colours as often as in lines."""
    coloured = [chosen for chosen in engravings if chosen.coloured]
    lines = [chosen for chosen in engravings if not chosen.coloured]
    group = coloured if coloured and (not lines or rng.random() < 0.5) else lines
    chosen = group[int(rng.integers(len(group)))]
    kinds = "".join(kind for kind in "mpsz" if rng.random() > _DRAWN)
    weights = _COLOURED if chosen.coloured else _LINES
    return EngravingStyle(
        engravings=chosen,
        kinds=kinds or "ps",
        print=_PRINTS[int(rng.choice(len(_PRINTS), p=weights))],
        size=float(rng.uniform(0.78, 0.95)),
        weight=float(rng.uniform(-0.004, 0.008) if chosen.coloured else rng.uniform(0.0, 0.02)),
    )


def draw_engraving(face: Face, tile: str, style: EngravingStyle, palette: Palette) -> None:
    """Draw a tile's engraving in the middle of a face.

    Args:
        face: the face to draw on.
        tile: code of a tile that the style shows.
        style: the tile set's use of engravings.
        palette: the colours of the tile set.
    """
    colours, cover = _loaded(style.engravings.faces[tile])
    scale = SCALE * style.size * min(1 / cover.shape[1], face.height / cover.shape[0])
    size = max(2, round(cover.shape[1] * scale)), max(2, round(cover.shape[0] * scale))
    cover = np.asarray(cv2.resize(cover, size, interpolation=cv2.INTER_AREA), np.uint8)
    cover = thickened(cover, round(style.weight * SCALE))
    if style.print in ("colours", "inks"):
        colours = np.asarray(cv2.resize(colours, size, interpolation=cv2.INTER_AREA), np.uint8)
        if style.print == "inks":
            colours = _in_inks(colours, palette)
    else:
        colours = _in_bands(cover, tile, palette, one=style.print == "one")
    face.paste(colours, cover, 0.5, face.height / 2)


def _in_inks(colours: NDArray[np.uint8], palette: Palette) -> NDArray[np.uint8]:
    """Each pixel in the ink with the name of its colour; white becomes paper."""
    channels = colours.astype(np.int32)
    darkest, lightest = channels.min(axis=2), channels.max(axis=2)
    named = np.array(
        [palette.blue, palette.green, palette.red, palette.second, palette.paper], np.uint8
    )
    which = channels.argmax(axis=2)
    which[lightest - darkest < 40] = 3
    which[lightest < 70] = 3
    which[darkest > 150] = 4
    return np.asarray(named[which], np.uint8)


def _in_bands(
    cover: NDArray[np.uint8], tile: str, palette: Palette, *, one: bool
) -> NDArray[np.uint8]:
    """The print in the usual inks of its tile, in bands from top to bottom unless ``one``."""
    height = cover.shape[0]
    painted = np.empty((*cover.shape, 3), np.uint8)
    if tile[1] == "z":
        dragons: dict[str, Bgr] = {"5z": palette.blue, "6z": palette.green, "7z": palette.red}
        painted[:] = dragons.get(tile, palette.numeral)
        return painted
    if tile[1] == "m":
        painted[:] = palette.numeral
        painted[_gap(cover) :] = palette.numeral if one else palette.wan
        return painted
    painted[:] = palette.green if tile[1] == "s" else palette.second
    if one:
        return painted
    _, labels, _, centres = cv2.connectedComponentsWithStats(np.asarray(cover > 64, np.uint8))
    order = (palette.green, palette.red, painted[0, 0])
    bands = np.clip((centres[:, 1] / height * 3).astype(int), 0, 2)
    inks = np.array(order, np.uint8)[(bands + int(tile[0])) % 3]
    inks[0] = painted[0, 0]
    near = cv2.dilate(labels.astype(np.float32), np.ones((3, 3), np.uint8)).astype(int)
    return np.asarray(inks[near], np.uint8)


def _gap(cover: NDArray[np.uint8]) -> int:
    """The emptiest row near the middle, between a numeral and the character of its suit."""
    height = len(cover)
    start, end = round(0.3 * height), round(0.6 * height)
    return start + int(cover[start:end].sum(axis=1, dtype=np.int64).argmin())


def _saturated(colours: NDArray[np.uint8], cover: NDArray[np.uint8]) -> bool:
    shown = colours[cover > 128].astype(int)
    return len(shown) > 0 and float(np.ptp(shown, axis=1).mean()) > _SATURATED


@lru_cache(maxsize=512)
def _loaded(path: Path) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Colours (h, w, 3) BGR and cover (h, w) of a face.

    Raises:
        DesignError: the file is no picture with transparency.
    """
    picture = read_transparent(path)
    if picture is None:
        raise DesignError(f"{path} is no picture with transparency")
    return picture[..., :3], picture[..., 3]
