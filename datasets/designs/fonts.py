"""The typefaces that drawn tiles use: finding them, fetching more, rendering one glyph."""

from __future__ import annotations

import argparse
import io
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from fontTools.subset import Subsetter
from fontTools.ttLib import TTFont
from PIL import ImageFont

NUMERALS: Final = "一二三四五六七八九"
FORMAL_NUMERALS: Final = "壹貳參肆伍陸柒捌玖"
HANZI: Final = (
    NUMERALS + FORMAL_NUMERALS + "萬万東东南西北中發发発白春夏秋冬梅蘭兰菊竹福祿壽貴喜財神百搭"
)
LATIN: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DEBIAN_PACKAGES: Final = (
    "fonts-noto-cjk fonts-arphic-ukai fonts-arphic-uming fonts-wqy-zenhei fonts-lxgw-wenkai"
)
NPM_PACKAGES: Final = tuple(
    f"@fontsource/{family}"
    for family in (
        "ma-shan-zheng zhi-mang-xing long-cang liu-jian-mao-cao lxgw-wenkai-tc yuji-boku "
        "yuji-syuku yuji-mai kaisei-decol kaisei-tokumin kaisei-opti zcool-kuaile zcool-xiaowei "
        "noto-serif-tc noto-sans-tc hina-mincho potta-one rampart-one reggae-one rocknroll-one "
        "dela-gothic-one shippori-mincho zen-antique zen-kurenaido zen-old-mincho klee-one "
        "new-tegomin stick mochiy-pop-one cactus-classical-serif chocolate-classical-sans "
        "hachi-maru-pop yusei-magic train-one kiwi-maru"
    ).split()
)
"""Free brush, seal and display faces (SIL Open Font License), one npm package each."""

_FOLDERS: Final = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/Library/Fonts",
    "/System/Library/Fonts",
)
_SUFFIXES: Final = {".ttf", ".otf", ".ttc", ".woff2"}
_SLICE = re.compile(
    r"(?P<family>[a-z0-9-]+?)-(?:\d+|latin|japanese|chinese-(?:simplified|traditional))"
    r"-(?P<weight>\d+)-normal$"
)
_ABSENT: Final = ("\U0010ffff", "\ue0ff")
_PROBE_SIZE: Final = 32
_RENDER_SIZE: Final = 220


class FontError(ValueError):
    """No usable typeface, or one that cannot be fetched."""


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


def fetch_packages(folder: Path, packages: Sequence[str] = NPM_PACKAGES) -> list[str]:
    """Fetch font packages with ``npm pack`` and keep the files that hold glyphs of tiles.

    Args:
        folder: where the ``.woff2`` files go; made if missing.
        packages: npm package names.

    Returns:
        The packages that could not be fetched.

    Raises:
        FontError: npm is not installed.
    """
    if shutil.which("npm") is None:
        raise FontError("npm is not installed; on Debian or Ubuntu run: sudo apt-get install npm")
    folder.mkdir(parents=True, exist_ok=True)
    failed = []
    for package in packages:
        with tempfile.TemporaryDirectory() as work:
            command = ["npm", "pack", "--silent", "--pack-destination", work, package]
            done = subprocess.run(command, capture_output=True, timeout=300, check=False)
            archives = list(Path(work).glob("*.tgz"))
            if done.returncode or not archives:
                failed.append(package)
            else:
                unpack_fonts(archives[0], folder)
    return failed


def unpack_fonts(archive: Path, folder: Path) -> int:
    """Take the glyphs of tiles out of a package's upright ``.woff2`` files.

    Each file that has any becomes a small ``.ttf`` of its own, which opens fast.

    Returns:
        How many files were kept.
    """
    kept = 0
    with tarfile.open(archive) as package:
        for member in package:
            path = Path(member.name)
            source = package.extractfile(member)
            if source is None or path.suffix != ".woff2" or not _SLICE.search(path.stem):
                continue
            font = TTFont(io.BytesIO(source.read()))
            held = {ord(char) for char in HANZI + LATIN} & set(font.getBestCmap())
            if not held:
                continue
            subsetter = Subsetter()
            subsetter.populate(unicodes=held)
            subsetter.subset(font)
            font.flavor = None
            font.save(folder / f"{path.stem}.ttf")
            kept += 1
    return kept


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
            match = _SLICE.match(path.stem)
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


def main() -> None:
    """List the typefaces found, or fetch the free brush and display faces."""
    parser = argparse.ArgumentParser(prog="python -m datasets.designs.fonts", description=__doc__)
    parser.add_argument("--fetch", type=Path, metavar="DIR", help="fetch font packages into DIR")
    parser.add_argument("--fonts", type=Path, metavar="DIR", help="also search this folder")
    options = parser.parse_args()
    try:
        if options.fetch:
            failed = fetch_packages(options.fetch)
            if failed:
                parser.exit(1, f"could not fetch: {', '.join(failed)}; run again to retry\n")
        folders = [folder for folder in (options.fetch, options.fonts) if folder]
        for font in find_fonts(folders):
            print(f"{font.name}: {len(font.glyphs)} glyphs")
    except FontError as error:
        parser.exit(1, f"{error}\n")


if __name__ == "__main__":
    main()
