"""Tile sets that other people drew: ``python -m datasets.sets.games --out DIR``.

Debian packages solitaire games with tile sets. They are read from the installed packages and
written as design files; the repository does not contain them. They show what the drawn designs of
:mod:`datasets.designs` lack, since they were not drawn by its code. Three of them are for training,
four for measuring (:data:`datasets.sets.sources.VAL_DESIGNS`), one of which is photographed::

    sudo apt-get install gnome-mahjongg kdegames-mahjongg-data-kf5 xmahjongg librsvg2-bin
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.designs.drawing.design import FACE_WIDTH, TileDesign, save_design
from datasets.designs.drawing.svg import draw_svg
from datasets.designs.errors import DesignError, PackageError
from datasets.sets.faces import distinct_back
from datasets.sets.sources import GAME_DESIGNS, HELD_GAMES
from scorer.tiles import BLANK, TILES

Image = NDArray[np.uint8]
Inset = tuple[float, float, float, float]

_PAPER: Final = (236, 244, 247)
"""Colour behind transparent parts of a picture, BGR."""
_BACK: Final = (60, 120, 40)
_SUITS: Final = "123456789p 4321z 76z 123456789m 123456789s"
"""The order of the tiles in GNOME's and some of X's games, before the flowers."""
_WHOLE: Final = "123456789m 123456789s 123456789p"


@dataclass(frozen=True, slots=True)
class GameArt:
    """One picture with the faces of a tile set in a grid, in units of its own.

    Attributes:
        name: name of the tile set.
        package: Debian's package of it.
        path: path of the picture from the root.
        width: width of the picture.
        start: left and top of the first cell.
        cell: width and height of each cell.
        inset: margins of a cell at the left, top, right and bottom of the face.
        columns: number of cells in a row.
        tiles: digits and their suit, cell after cell; a full stop is a cell without a tile.
    """

    name: str
    package: str
    path: str
    width: float
    start: tuple[float, float]
    cell: tuple[float, float]
    inset: Inset
    columns: int
    tiles: str


_GNOME: Final = "usr/share/gnome-mahjongg/themes"
_KDE: Final = "usr/share/kmahjongglib/tilesets"
_X: Final = "usr/share/games/xmahjongg/tiles"
_KDE_PACKAGE: Final = "kdegames-mahjongg-data-kf5"

GAMES: Final = (
    GameArt(
        "gnome-smooth",
        "gnome-mahjongg",
        f"{_GNOME}/smooth.png",
        4128,
        (0, 0),
        (96, 132),
        (12, 4, 3, 16),
        43,
        f"{_SUITS} 2314f 5z 1234y",
    ),
    GameArt(
        "gnome-postmodern",
        "gnome-mahjongg",
        f"{_GNOME}/postmodern.svg",
        2752,
        (0, 0),
        (64, 88),
        (12.6, 2.3, 1.2, 10.4),
        43,
        f"{_SUITS} 1234f . 1234y",
    ),
    GameArt(
        "x-real",
        "xmahjongg",
        f"{_X}/real.gif",
        532,
        (0, 0),
        (59.1, 79.2),
        (3, 3, 3, 3),
        9,
        "123456789p 123456789s 123456789m 1234y 4213z . 1234f 657z",
    ),
    GameArt(
        "x-dorothys",
        "xmahjongg",
        f"{_X}/dorothys.gif",
        1344,
        (0, 0),
        (64, 80),
        (2, 2, 11, 13),
        21,
        f"{_SUITS} 1234y 5z 4213f",
    ),
    GameArt(
        "kde-default",
        _KDE_PACKAGE,
        f"{_KDE}/default.svgz",
        1100,
        (0, 166),
        (98.9, 127.7),
        (2, 2, 2, 2),
        9,
        f"{_WHOLE} 1234y 4213z . 567z 1234f",
    ),
    GameArt(
        "kde-traditional",
        _KDE_PACKAGE,
        f"{_KDE}/traditional.svgz",
        1100,
        (0, 166),
        (98.9, 127.7),
        (2, 2, 2, 2),
        9,
        f"{_WHOLE} 1234y 4213z . 567z 1234f",
    ),
    GameArt(
        "kde-classic",
        _KDE_PACKAGE,
        f"{_KDE}/classic.svgz",
        924,
        (0, 690),
        (85.6, 124.2),
        (1, 1, 1, 3),
        9,
        "123456789m 123456789p 123456789s 24y 675z 4213f 13y 4123z",
    ),
)
"""The pictures in the order of their numbers in :data:`datasets.sets.sources.GAME_DESIGNS`."""


def read_game(art: GameArt, root: Path = Path("/")) -> TileDesign:
    """The tile set as a design, with a blank white dragon if the picture has none.

    Args:
        art: picture of the tile set.
        root: root folder of the installed packages.

    Raises:
        DesignError: the picture is missing or cannot be read.
    """
    picture = _read(root / art.path, art)
    faces = {
        tile: _cut(picture, art, place) for place, tile in enumerate(_listed(art.tiles)) if tile
    }
    paper = np.concatenate([face.reshape(-1, 3) for face in faces.values()])
    light = paper[paper.sum(axis=1) >= np.percentile(paper.sum(axis=1), 60)]
    blue, green, red = (int(value) for value in np.median(light, axis=0))
    body = (blue, green, red)
    plain = np.full_like(next(iter(faces.values())), body)
    shown = {tile: faces.get(tile, plain) for tile in (*TILES, BLANK)}
    back = distinct_back(art.name, body, _BACK)
    return TileDesign(art.name, shown, body, back, (body, back))


def _listed(tiles: str) -> Iterator[str | None]:
    """The tile of each cell."""
    for group in tiles.split():
        if group == ".":
            yield None
        else:
            yield from (digit + group[-1] for digit in group[:-1])


def _cut(picture: Image, art: GameArt, place: int) -> Image:
    """The face in a cell, in the size of drawn faces."""
    row, column = divmod(place, art.columns)
    left, above, right, below = art.inset
    x, y = art.start[0] + column * art.cell[0], art.start[1] + row * art.cell[1]
    scale = picture.shape[1] / art.width
    x0, x1 = round((x + left) * scale), round((x + art.cell[0] - right) * scale)
    y0, y1 = round((y + above) * scale), round((y + art.cell[1] - below) * scale)
    height = round(FACE_WIDTH * (art.cell[1] - above - below) / (art.cell[0] - left - right))
    way = cv2.INTER_AREA if x1 - x0 > FACE_WIDTH else cv2.INTER_CUBIC
    face = cv2.resize(picture[y0:y1, x0:x1], (FACE_WIDTH, height), interpolation=way)
    return np.asarray(face, np.uint8)


def _read(path: Path, art: GameArt) -> Image:
    """The picture on the colour of paper, (h, w, 3) uint8 BGR."""
    try:
        data = path.read_bytes()
        if path.suffix.startswith(".svg"):
            data = _drawn(gzip.decompress(data) if path.suffix == ".svgz" else data, art)
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    except FileNotFoundError as error:
        raise DesignError(
            f"{art.name}: {error.filename} is not installed; on Debian or Ubuntu run: "
            f"sudo apt-get install {art.package} librsvg2-bin"
        ) from error
    except (OSError, EOFError, PackageError, cv2.error) as error:
        raise DesignError(f"{art.name}: {path} cannot be read: {error}") from error
    if picture is None or picture.ndim != 3:
        raise DesignError(f"{art.name}: {path} is no coloured picture")
    if picture.shape[2] == 3:
        return np.asarray(picture, np.uint8)
    opaque = picture[..., 3:].astype(np.float32) / 255
    return np.asarray(picture[..., :3] * opaque + np.array(_PAPER) * (1 - opaque), np.uint8)


def _drawn(svg: bytes, art: GameArt) -> bytes:
    """The SVG as a PNG with cells one and a half times as wide as faces."""
    width = round(art.width / art.cell[0] * FACE_WIDTH * 1.5)
    return draw_svg(svg, "--unlimited", "--width", str(width))


@click.command()
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder for NNNN.npz files, such as that of the drawn designs.",
)
@click.option(
    "--split",
    type=click.Choice(["train", "val"]),
    help="Only those to train on or those to measure with.",
)
def main(out: Path, split: str | None) -> None:
    """Write the tile sets of Debian's games as designs."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        for number, art in zip(GAME_DESIGNS, GAMES, strict=True):
            if split is None or split == ("val" if number in HELD_GAMES else "train"):
                save_design(read_game(art), out / f"{number}.npz")
                click.echo(f"{art.name}: {number}.npz")
    except (DesignError, OSError) as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
