"""The failures as a web page: each photo with its tiles marked, each crop with what went wrong."""

from __future__ import annotations

import html
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.evaluate_tally import MISSED, NOTHING, PhotoOutcome, TileOutcome
from vision.rectify import rectify

Image = NDArray[np.uint8]

_LONG_SIDE: Final = 1400
_CROP: Final = (192, 144)
_GREEN: Final = (60, 170, 40)
_RED: Final = (40, 40, 230)
_BLUE: Final = (230, 120, 20)
_ORANGE: Final = (0, 140, 255)
_HEAD: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Failures</title>
<style>
body { font: 15px/1.4 sans-serif; margin: 1.5em; }
section { border-top: 1px solid #aaa; padding: 1em 0; }
section > img { max-width: 100%; }
ul { display: flex; flex-wrap: wrap; gap: 1em; list-style: none; padding: 0; }
li { width: 150px; }
</style>
<h1>Failures</h1>
<p>Green: right. Red: misread. Blue: missed. Orange: invented.</p>
"""


class Gallery:
    """Writes the failures of one picture after the other into a folder.

    Args:
        folder: made if it is not there; the page is its ``index.html``.

    Raises:
        OSError: it cannot be written to.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._page = folder / "index.html"
        self._page.write_text(_HEAD, "utf-8")
        self._count = 0

    def add(self, outcome: PhotoOutcome, image: Image) -> None:
        """Add the picture ``image``, (h, w, 3) uint8 BGR, if anything went wrong with it."""
        if not outcome.failures:
            return
        self._count += 1
        name = f"{self._count:04d}"
        cv2.imwrite(str(self._folder / f"{name}.jpg"), overlay(image, outcome.tiles))
        lines = [
            f"<section><h2>{html.escape(outcome.name)}</h2><p>{html.escape(outcome.group)}</p>",
            f'<img src="{name}.jpg" alt="">',
            "<ul>",
            *self._items(name, outcome, image),
            "</ul></section>\n",
        ]
        with self._page.open("a", encoding="utf-8") as page:
            page.write("\n".join(lines))

    def _items(self, name: str, outcome: PhotoOutcome, image: Image) -> Iterator[str]:
        for number, tile in enumerate(outcome.failures):
            file = f"{name}-{number:02d}.jpg"
            crop = rectify(image, tile.quad[np.newaxis], _CROP)[0]
            cv2.imwrite(str(self._folder / file), crop)
            yield f'<li><img src="{file}" alt=""><br>{html.escape(describe(tile))}</li>'


def describe(tile: TileOutcome) -> str:
    """What went wrong with a tile, in a few words."""
    if tile.got == MISSED:
        return f"{tile.wanted} was missed"
    if tile.wanted == NOTHING:
        return f"invented {tile.got} ({tile.confidence:.0%})"
    return f"{tile.wanted} read as {tile.got} ({tile.confidence:.0%})"


def overlay(image: Image, tiles: tuple[TileOutcome, ...]) -> Image:
    """The picture, at most 1400 pixels long, with every tile outlined and failures named."""
    scale = min(1.0, _LONG_SIDE / max(image.shape[:2]))
    shown = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    for tile in tiles:
        corners = (tile.quad * scale).astype(np.int32)
        colour = _colour(tile)
        cv2.polylines(shown, [corners], isClosed=True, color=colour, thickness=2)
        if not tile.right:
            words = tile.wanted if tile.got == MISSED else f"{tile.wanted}>{tile.got}"
            place = (int(corners[:, 0].min()), int(corners[:, 1].min()) - 4)
            cv2.putText(shown, words, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, colour, 2)
    return np.asarray(shown, np.uint8)


def _colour(tile: TileOutcome) -> tuple[int, int, int]:
    if tile.right:
        return _GREEN
    if tile.got == MISSED:
        return _BLUE
    return _ORANGE if tile.wanted == NOTHING else _RED
