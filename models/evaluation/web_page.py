"""Web pages of photos that were read wrongly, with their tiles outlined."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Colour = Sequence[int]

LONG_SIDE: Final = 1400
"""Maximum long side of a photo on the page, in pixels."""

GREEN: Final = (60, 170, 40)
RED: Final = (40, 40, 230)
BLUE: Final = (230, 120, 20)
ORANGE: Final = (0, 140, 255)
VIOLET: Final = (200, 60, 200)
GREY: Final = (130, 130, 130)

_HEAD: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>
body {{ font: 15px/1.4 sans-serif; margin: 1.5em; }}
section {{ border-top: 1px solid #aaa; padding: 1em 0; }}
section > img {{ max-width: 100%; }}
ul {{ display: flex; flex-wrap: wrap; gap: 1em; list-style: none; padding: 0; }}
li {{ width: 150px; }}
td {{ padding: 0 1em 0 0; vertical-align: top; }}
</style>
<h1>{title}</h1>
<p>{legend}</p>
"""


class Page:
    """A page in a folder, to which sections are added.

    Args:
        folder: created if it does not exist; the page is its ``index.html``.
        title: the heading.
        legend: what the colours mean.

    Raises:
        OSError: it cannot be written to.
    """

    def __init__(self, folder: Path, title: str, legend: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._file = folder / "index.html"
        words = {"title": html.escape(title), "legend": html.escape(legend)}
        self._file.write_text(_HEAD.format(**words), "utf-8")

    def section(self, heading: str, picture: str, body: str) -> None:
        """Add a section with a heading, a picture given by its file's name, and a body of HTML."""
        shown = f'<h2>{html.escape(heading)}</h2><img src="{html.escape(picture)}" alt="">'
        with self._file.open("a", encoding="utf-8") as page:
            page.write(f"<section>{shown}\n{body}</section>\n")

    def save(self, name: str, image: Image) -> None:
        """Write a picture into the folder in the format of the name's suffix."""
        cv2.imwrite(str(self.folder / name), image)


def shrunk(image: Image) -> tuple[Image, float]:
    """A copy of the picture, at most 1400 pixels long, and its scale."""
    scale = min(1.0, LONG_SIDE / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), scale


def outline(
    image: Image, quad: NDArray[np.floating], colour: Colour, words: str = "", ink: Colour = RED
) -> None:
    """Draw the outline of a tile (4, 2) with a text in its middle."""
    corners = quad.astype(np.int32)
    cv2.polylines(image, [corners], isClosed=True, color=colour, thickness=2)
    if words:
        place = (int(corners[:, 0].mean()) - 10, int(corners[:, 1].mean()) + 4)
        cv2.putText(image, words, place, cv2.FONT_HERSHEY_SIMPLEX, 0.45, ink, 2)
