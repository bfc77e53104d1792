"""Fetching free typefaces: each package becomes small files with the glyphs of tiles only."""

from __future__ import annotations

import io
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from datasets.designs.design import FontError
from datasets.designs.fonts.glyphs import HANZI, LATIN, WEB_FONT

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


def fetch_packages(folder: Path, packages: Sequence[str] = NPM_PACKAGES) -> None:
    """Fetch font packages with ``npm pack`` and keep the files that hold glyphs of tiles.

    Args:
        folder: where the ``.woff2`` files go; made if missing.
        packages: npm package names.

    Raises:
        FontError: npm is not installed, or some packages could not be fetched.
    """
    from tqdm import tqdm

    npm = shutil.which("npm")
    if npm is None:
        raise FontError("npm is not installed; on Debian or Ubuntu run: sudo apt-get install npm")
    folder.mkdir(parents=True, exist_ok=True)
    failed = []
    for package in tqdm(packages, desc="typefaces"):
        with tempfile.TemporaryDirectory() as work:
            command = [npm, "pack", "--silent", "--pack-destination", work, package]
            done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603
            archives = list(Path(work).glob("*.tgz"))
            if done.returncode or not archives:
                failed.append(package)
            else:
                unpack_fonts(archives[0], folder)
    if failed:
        raise FontError(f"could not fetch {', '.join(failed)}; run again to retry")


def unpack_fonts(archive: Path, folder: Path) -> int:
    """Take the glyphs of tiles out of a package's upright ``.woff2`` files.

    Each file that has any becomes a small ``.ttf`` of its own, which opens fast.

    Returns:
        How many files were kept.
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
