"""Fetching free icons: each that is a bird, a plant or the like becomes a small PNG file."""

from __future__ import annotations

import json
import re
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from datasets.designs.drawing.svg import draw_svg
from datasets.designs.errors import PackageError
from datasets.designs.icons import BIRDS, OTHERS, is_icon
from datasets.designs.packages import fetch_packages

NPM_PACKAGES: Final = tuple(
    f"@iconify-json/{name}"
    for name in (
        "noto",
        "noto-v1",
        "twemoji",
        "fluent-emoji-flat",
        "emojione",
        "fxemoji",
        "streamline-emojis",
        "game-icons",
    )
)
"""Sets of icons whose licences ask for no more than naming their authors: Apache 2.0, CC BY 3.0
and 4.0, MIT; one npm package each, in the form of Iconify's JSON."""

_BIRDS: Final = re.compile(
    r"(?:black-|hummingbird|canadian-)?(?:bird|goose)(?:-\d)?|peacock(?:-\w+)?|rooster|eagle|duck|swan"
    r"|owl|barn-owl|flamingo|parrot|parrot-head|dove(?:ofpeace)?|turkey|dodo|phoenix(?:-bird)?"
    r"|chicken|(?:baby|front-facing-baby)-?chick|sparrow|swallow|swallower|raven|hummingbird"
    r"|crow-dive|seagull|egyptian-bird|vulture|finch|kiwi-bird|penguin(?:-\d)?|ostrich"
)
_OTHERS: Final = re.compile(
    r"(?:cherry-?|white-?)?(?:blossom|flower)(?:-\d)?|rose(?:tte)?|tulip|hibiscus|lotus|hyacinth"
    r"|sunflower|wilted-?flower|daisy|carnation|orchid|iris|vanilla-flower|flower-pot|bouquet"
    r"|herb|four-?leaf-?clover|shamrock|maple-?leaf|fallen-?leaf|leaf-?fluttering-?in-?wind|oak-leaf"
    r"|evergreen(?:-?tree)?|deciduous-?tree|palm-?tree|tanabata-?tree|pine-?decoration|bamboo"
    r"|cactus|seedling|sheaf-?of-?rice|ear-?of-?rice|cherries|grapes|mushroom|chestnut|pine-tree"
    r"|sun|sun-?with-?face|snowflake(?:-\d)?|snowman(?:-\w+)?|butterfly|full-?moon|crescent-?moon"
    r"|mount-?fuji|mountain|snow-?capped-?mountain|sailboat|fish|tropical-?fish|folding-?hand-?fan"
    r"|red-?paper-?lantern|wind-?chime|carp-?streamer|japanese-?castle|kimono|umbrella|dragon"
    r"|plum|tree-branch|birch-trees|willow-tree|high-grass|bonsai-tree|zen-habitat|pagoda|lantern"
)
_HEIGHT: Final = 192


def fetch_icons(folder: Path) -> None:
    """Fetch the packages and draw what tiles can use.

    Args:
        folder: where a folder for each package goes; made if missing.

    Raises:
        PackageError: npm or rsvg-convert is not installed, or some packages could not be fetched.
    """
    fetch_packages(
        NPM_PACKAGES, lambda name, archive: unpack_icons(archive, folder / name.rpartition("/")[2])
    )


def unpack_icons(archive: Path, folder: Path) -> int:
    """Draw those of a package's icons that are birds, plants and the like, and stand free.

    Returns:
        How many there are.

    Raises:
        PackageError: the package holds no icons, or rsvg-convert is not installed.
    """
    with tarfile.open(archive) as package:
        try:
            source = package.extractfile("package/icons.json")
        except KeyError:
            source = None
        if source is None:
            raise PackageError(f"{archive.name}: there is no package/icons.json in it")
        icons = json.load(source)
    drawn = 0
    for name, icon in icons["icons"].items():
        for kind, wanted in ((BIRDS, _BIRDS), (OTHERS, _OTHERS)):
            if not wanted.fullmatch(name):
                continue
            path = folder / kind / f"{name}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(_drawn({**icons, **icon}))
            if is_icon(path):
                drawn += 1
            else:
                path.unlink()
    return drawn


def _drawn(icon: Mapping[str, Any]) -> bytes:
    """An icon as a PNG file; what has the colour of the text around it is black."""
    left, top, width, height = (
        icon.get(key, usual)
        for key, usual in (("left", 0), ("top", 0), ("width", 16), ("height", 16))
    )
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'color="black" viewBox="{left} {top} {width} {height}">{icon["body"]}</svg>'
    )
    return draw_svg(svg.encode(), "--height", str(_HEIGHT))
