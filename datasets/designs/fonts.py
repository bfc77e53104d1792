"""The typefaces that drawn tiles use: finding them, fetching more, rendering one glyph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import click
import numpy as np
from numpy.typing import NDArray
from PIL import ImageFont

from datasets.designs.design import FontError
from datasets.designs.fetch import fetch_packages
from datasets.designs.glyphs import HANZI, LATIN, NUMERALS, WEB_FONT

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
_ABSENT: Final = ("\U0010ffff", "\ue0ff")
_PROBE_SIZE: Final = 32
_RENDER_SIZE: Final = 220


@dataclass(frozen=True, slots=True, eq=False)
class FontSpec:
    """One typeface and where each glyph that tiles need is found in it.

    Attributes:
        name: the file's or family's name.
        glyphs: character -> (font file, index of the face in that file).
    """

    name: str
    glyphs: dict[str, tuple[str, int]]

    def has(self, text: Iterable[str]) -> bool:
        """Whether the typeface draws every character of the text."""
        return all(char in self.glyphs for char in text)


def find_fonts(extra_dirs: Sequence[Path] = (), *, limit: int | None = None) -> list[FontSpec]:
    """Every installed typeface that draws at least the Chinese or the Arabic numerals.

    Args:
        extra_dirs: further folders to search, before the system's.
        limit: stop after that many typefaces with Chinese numerals.

    Raises:
        FontError: no typeface has Chinese numerals.
    """
    found: list[FontSpec] = []
    hanzi = 0
    for name, paths in sorted(_families(extra_dirs).items()):
        glyphs: dict[str, tuple[str, int]] = {}
        for path in paths:
            for char in _drawn(path):
                glyphs.setdefault(char, (str(path), 0))
        font = FontSpec(name, glyphs)
        if font.has(NUMERALS + "中西北"):
            hanzi += 1
        elif not font.has("123456789ESWN"):
            continue
        found.append(font)
        if limit is not None and hanzi >= limit:
            break
    if not hanzi:
        raise FontError(
            "no typeface with Chinese characters is installed; on Debian or Ubuntu run: "
            f"sudo apt-get install {DEBIAN_PACKAGES}"
        )
    return found


@lru_cache(maxsize=2048)
def glyph_mask(path: str, index: int, char: str) -> NDArray[np.uint8]:
    """The glyph's coverage, cropped to its ink, ``(h, w)`` uint8, about 220 pixels high."""
    font = _load(path, index, _RENDER_SIZE)
    mask = font.getmask(char, mode="L")
    width, height = mask.size
    grid = np.frombuffer(bytes(mask), np.uint8).reshape(height, width)
    rows, columns = np.flatnonzero(grid.any(1)), np.flatnonzero(grid.any(0))
    return grid[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].copy()


def _families(extra_dirs: Sequence[Path]) -> dict[str, list[Path]]:
    """Font files by family; the slices of one web font are one family."""
    families: dict[str, list[Path]] = {}
    seen: set[str] = set()
    for folder in [*extra_dirs, *(Path(name).expanduser() for name in _FOLDERS)]:
        if not folder.is_dir():
            continue
        for path in sorted(folder.rglob("*"), key=_slice_order):
            if path.suffix.lower() not in _SUFFIXES or path.name in seen:
                continue
            seen.add(path.name)
            match = WEB_FONT.match(path.stem)
            name = f"{match['family']}-{match['weight']}" if match else path.stem
            families.setdefault(name, []).append(path)
    return families


def _slice_order(path: Path) -> tuple[bool, str]:
    """Whole files before numbered slices."""
    return re.search(r"-\d+-\d+-normal$", path.stem) is not None, str(path)


def _drawn(path: Path) -> list[str]:
    """The characters tiles need that the font file draws; none if it cannot be opened."""
    try:
        font = _load(str(path), 0, _PROBE_SIZE)
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
def _load(path: str, index: int, size: int) -> ImageFont.FreeTypeFont:
    """The font file at a size in pixels."""
    return ImageFont.truetype(path, size, index=index)


@click.command()
@click.option("--fetch", type=click.Path(path_type=Path), help="Fetch free typefaces into DIR.")
@click.option("--fonts", type=click.Path(path_type=Path), help="Also search this folder.")
def main(fetch: Path | None, fonts: Path | None) -> None:
    """List the typefaces found, or fetch the free brush and display faces first."""
    try:
        if fetch:
            fetch_packages(fetch)
        for font in find_fonts([folder for folder in (fetch, fonts) if folder]):
            click.echo(f"{font.name}: {len(font.glyphs)} glyphs")
    except FontError as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
