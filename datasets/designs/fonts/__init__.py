"""Finds the typefaces for drawn tiles and renders their glyphs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from datasets.designs.errors import FontError
from datasets.designs.fonts.glyphs import HANZI, LATIN, NUMERALS, WEB_FONT

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

DEBIAN_PACKAGES: Final = (
    "fonts-noto-cjk fonts-arphic-ukai fonts-arphic-uming fonts-wqy-zenhei fonts-lxgw-wenkai"
)
_FOLDERS: Final = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/Library/Fonts",
    "/System/Library/Fonts",
)
_SUFFIXES: Final = {".ttf", ".otf", ".ttc", ".woff2"}
_SYMBOLS: Final = re.compile(r"symbol|dingbat|D0500", re.IGNORECASE)
"""Parts of the names of typefaces that have pictures or Greek in place of letters."""

_ABSENT: Final = ("\U0010ffff", "\ue0ff")
_PROBE_SIZE: Final = 32
_RENDER_SIZE: Final = 220


@dataclass(frozen=True, slots=True, eq=False)
class FontSpec:
    """One typeface and the files of its glyphs for tiles.

    Attributes:
        name: the file's or family's name.
        glyphs: font file of each character; the first face of a collection is used.
    """

    name: str
    glyphs: dict[str, str]

    def has(self, text: Iterable[str]) -> bool:
        """Whether the typeface draws every character of the text."""
        return all(char in self.glyphs for char in text)


def find_fonts(extra_dirs: Sequence[Path] = ()) -> list[FontSpec]:
    """Every installed typeface that draws at least the Chinese or the Arabic numerals.

    Args:
        extra_dirs: further folders to search, before the system's.

    Raises:
        FontError: no typeface has Chinese numerals.
    """
    found: list[FontSpec] = []
    hanzi = False
    for name, paths in sorted(_families(extra_dirs).items()):
        glyphs: dict[str, str] = {}
        for path in paths:
            for char in _drawn(path):
                glyphs.setdefault(char, str(path))
        font = FontSpec(name, glyphs)
        if font.has(NUMERALS + "中西北"):
            hanzi = True
        elif not font.has("123456789ESWN"):
            continue
        found.append(font)
    if not hanzi:
        raise FontError(
            "no typeface with Chinese characters is installed; on Debian or Ubuntu run: "
            f"sudo apt-get install {DEBIAN_PACKAGES}"
        )
    return found


@lru_cache(maxsize=2048)
def glyph_mask(path: str, char: str, size: int = _RENDER_SIZE) -> NDArray[np.uint8]:
    """The glyph's coverage, cropped to its ink, ``(h, w)`` uint8, about ``size`` pixels high."""
    font = _load(path, size)
    mask = font.getmask(char, mode="L")
    width, height = mask.size
    grid = np.frombuffer(bytes(mask), np.uint8).reshape(height, width)
    rows, columns = np.flatnonzero(grid.any(1)), np.flatnonzero(grid.any(0))
    return grid[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].copy()


def _families(extra_dirs: Sequence[Path]) -> dict[str, list[Path]]:
    """Font files by family; all slices of one web font belong to one family."""
    families: dict[str, list[Path]] = {}
    seen: set[str] = set()
    for folder in [*extra_dirs, *(Path(name).expanduser() for name in _FOLDERS)]:
        if not folder.is_dir():
            continue
        for path in sorted(folder.rglob("*"), key=_slice_order):
            if path.suffix.lower() not in _SUFFIXES or path.name in seen:
                continue
            if _SYMBOLS.search(path.name):
                continue
            seen.add(path.name)
            match = WEB_FONT.match(path.stem)
            name = f"{match['family']}-{match['weight']}" if match else path.stem
            families.setdefault(name, []).append(path)
    return families


def _slice_order(path: Path) -> tuple[bool, str]:
    """Sort key that puts whole files before numbered slices."""
    return re.search(r"-\d+-\d+-normal$", path.stem) is not None, str(path)


def _drawn(path: Path) -> list[str]:
    """The characters for tiles that the font file draws; none if it cannot be opened."""
    try:
        font = _load(str(path), _PROBE_SIZE)
        absent = [bytes(font.getmask(char)) for char in _ABSENT]
        drawn = []
        for char in HANZI + LATIN:
            mask = bytes(font.getmask(char))
            if any(mask) and mask not in absent:
                drawn.append(char)
    except (OSError, ValueError):
        return []
    return drawn


@lru_cache(maxsize=256)
def _load(path: str, size: int) -> FreeTypeFont:
    """The font file at a size in pixels."""
    from PIL import ImageFont

    return ImageFont.truetype(path, size)
