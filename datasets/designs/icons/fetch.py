"""Downloads free icons of birds, plants and the like as small PNG files."""

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
"""npm packages of icons in Iconify's JSON form, whose licences require attribution at most.

The licences are Apache 2.0, CC BY 3.0 and 4.0, and MIT.
"""

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
"""Height in pixels at which icons are drawn."""


def fetch_icons(folder: Path) -> None:
    """Fetch the packages and draw what tiles can use.

    Args:
        folder: folder for a subfolder of each package; created if it does not exist.

    Raises:
        PackageError: npm or rsvg-convert is not installed, or some packages could not be fetched.
    """
    fetch_packages(
        NPM_PACKAGES, lambda name, archive: unpack_icons(archive, folder / name.rpartition("/")[2])
    )


def unpack_icons(archive: Path, folder: Path) -> int:
    """Draw a package's icons of birds, plants and the like that have a transparent background.

    Returns:
        The number of icons drawn.

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
    """An icon as a PNG file; parts in the colour of the surrounding text become black."""
    left, top, width, height = (
        icon.get(key, usual)
        for key, usual in (("left", 0), ("top", 0), ("width", 16), ("height", 16))
    )
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'color="black" viewBox="{left} {top} {width} {height}">{icon["body"]}</svg>'
    )
    return draw_svg(svg.encode(), "--height", str(_HEIGHT))
