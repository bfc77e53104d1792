"""A web page of the failures: each photo with its tiles marked, and each crop with its failure."""

from __future__ import annotations

import html
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.evaluation.outcomes import MISSED, NOTHING, PhotoOutcome, TileOutcome
from models.evaluation.web_page import BLUE, GREEN, ORANGE, RED, Page, outline, shrunk
from vision.geometry.crops import rectify

Image = NDArray[np.uint8]

_CROP: Final = (192, 144)
"""Height and width of the crops on the page in pixels."""
_LEGEND: Final = "Green: right. Red: misread. Blue: missed. Orange: invented."


class Gallery:
    """A web page in a folder, to which the failures of pictures are added.

    Args:
        folder: created if it does not exist; the page is its ``index.html``.

    Raises:
        OSError: it cannot be written to.
    """

    def __init__(self, folder: Path) -> None:
        self._page = Page(folder, "Failures", _LEGEND)
        self._count = 0

    def add(self, outcome: PhotoOutcome, image: Image) -> None:
        """Add the picture ``image``, (h, w, 3) uint8 BGR, if anything went wrong with it."""
        if not outcome.failures:
            return
        self._count += 1
        name = f"{self._count:04d}"
        self._page.save(f"{name}.jpg", overlay(image, outcome.tiles))
        items = "\n".join(self._items(name, outcome, image))
        body = f"<p>{html.escape(outcome.group)}</p>\n<ul>\n{items}\n</ul>"
        self._page.section(outcome.name, f"{name}.jpg", body)

    def _items(self, name: str, outcome: PhotoOutcome, image: Image) -> Iterator[str]:
        for number, tile in enumerate(outcome.failures):
            file = f"{name}-{number:02d}.jpg"
            self._page.save(file, rectify(image, tile.quad[np.newaxis], _CROP)[0])
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
    shown, scale = shrunk(image)
    for tile in tiles:
        words = ""
        if not tile.right:
            words = tile.wanted if tile.got == MISSED else f"{tile.wanted}>{tile.got}"
        outline(shown, tile.quad * scale, _colour(tile), words, _colour(tile))
    return shown


def _colour(tile: TileOutcome) -> tuple[int, int, int]:
    if tile.right:
        return GREEN
    if tile.got == MISSED:
        return BLUE
    return ORANGE if tile.wanted == NOTHING else RED
