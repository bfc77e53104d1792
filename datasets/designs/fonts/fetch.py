"""Downloads free typefaces and keeps small files with only the glyphs of tiles."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from datasets.designs.fonts.glyphs import HANZI, LATIN, WEB_FONT
from datasets.designs.packages import fetch_packages

NPM_PACKAGES: Final = tuple(
    f"@fontsource/{family}"
    for family in (
        "ma-shan-zheng",
        "zhi-mang-xing",
        "long-cang",
        "liu-jian-mao-cao",
        "lxgw-wenkai-tc",
        "yuji-boku",
        "yuji-syuku",
        "yuji-mai",
        "kaisei-decol",
        "kaisei-tokumin",
        "kaisei-opti",
        "zcool-kuaile",
        "zcool-xiaowei",
        "noto-serif-tc",
        "noto-sans-tc",
        "hina-mincho",
        "potta-one",
        "rampart-one",
        "reggae-one",
        "rocknroll-one",
        "dela-gothic-one",
        "shippori-mincho",
        "zen-antique",
        "zen-kurenaido",
        "zen-old-mincho",
        "klee-one",
        "new-tegomin",
        "stick",
        "mochiy-pop-one",
        "cactus-classical-serif",
        "chocolate-classical-sans",
        "hachi-maru-pop",
        "yusei-magic",
        "train-one",
        "kiwi-maru",
    )
)
"""Free brush, seal and display faces (SIL Open Font License), one npm package each."""


def fetch_fonts(folder: Path, packages: Sequence[str] = NPM_PACKAGES) -> None:
    """Fetch font packages and keep the files that hold glyphs of tiles.

    Args:
        folder: folder for the typefaces; created if it does not exist.
        packages: npm package names.

    Raises:
        PackageError: npm is not installed, or some packages could not be fetched.
    """
    folder.mkdir(parents=True, exist_ok=True)
    fetch_packages(packages, lambda _, archive: unpack_fonts(archive, folder))


def unpack_fonts(archive: Path, folder: Path) -> int:
    """Extract the glyphs of tiles from a package's upright ``.woff2`` files.

    Each file that has any becomes a small ``.ttf`` of its own, which opens fast.

    Returns:
        The number of files kept.
    """
    from fontTools.subset import Subsetter
    from fontTools.ttLib import TTFont

    kept = 0
    with tarfile.open(archive) as package:
        for member in package:
            path = Path(member.name)
            source = package.extractfile(member)
            if source is None or path.suffix != ".woff2" or not WEB_FONT.search(path.stem):
                continue
            font = TTFont(io.BytesIO(source.read()))
            held = {ord(char) for char in HANZI + LATIN} & set(font.getBestCmap())
            if held.isdisjoint(map(ord, HANZI)) and "-latin-" not in path.name:
                continue
            subsetter = Subsetter()
            subsetter.populate(unicodes=held)
            subsetter.subset(font)
            font.flavor = None
            font.save(folder / f"{path.stem}.ttf")
            kept += 1
    return kept
