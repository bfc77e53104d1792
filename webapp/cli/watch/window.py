"""A window that shows the picture of a camera with the tiles that are read."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from numpy.typing import NDArray

from vision.errors import CameraError
from vision.messages import Message
from vision.runtime.opencv import cv2
from vision.vocabulary.readings import DOUBTFUL_BELOW

if TYPE_CHECKING:
    from vision.multiview.watcher import Sight
    from vision.vocabulary.readings import TileReading

NO_DISPLAY: Final = (
    "There is no display here to show a window on. Leave --window out, or start this at the "
    "computer's own screen."
)
"""The message if this computer has no display."""

Image = NDArray[np.uint8]

_SURE: Final = (60, 200, 60)
"""Colour of the outline of a tile that is read with confidence, in BGR."""

_DOUBTFUL: Final = (0, 140, 255)
"""Colour of the outline of a doubtful tile, in BGR."""

_LETTERS: Final = (255, 255, 255)
"""Colour of the line at the top, in BGR."""

_BAND: Final = 40
"""Height of the darkened band behind the line at the top, in pixels."""

_KEYS: Final = frozenset({ord("q"), ord("Q"), 27})
"""The codes of the keys that close the window: Q and Escape."""

_WORDS: Final = {
    "moving": "Something moves: waiting",
    "empty": "No tiles in view",
    "reading": "Reading",
    "settled": "Settled",
}
"""The words for what the camera sees."""


class WindowClosed(Exception):
    """The window was closed, or Q or Escape was pressed."""


class Window:
    """A window that is open as long as the context lasts.

    Args:
        title: the name of the camera, which becomes part of the window's title.

    Raises:
        CameraError: this computer has no display.
    """

    def __init__(self, title: str) -> None:
        shown = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
        if sys.platform.startswith("linux") and not shown:
            raise CameraError(Message(NO_DISPLAY))
        self._title = f"Kongbox: {title}"

    def __enter__(self) -> Self:
        cv2.namedWindow(self._title, cv2.WINDOW_NORMAL)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        cv2.destroyAllWindows()

    def show(self, sight: Sight) -> None:
        """Show one frame.

        Raises:
            WindowClosed: the window was closed, or Q or Escape was pressed.
        """
        cv2.imshow(self._title, drawn(sight))
        pressed = cv2.waitKey(1) & 0xFF
        if pressed in _KEYS or cv2.getWindowProperty(self._title, cv2.WND_PROP_VISIBLE) < 1:
            raise WindowClosed


def drawn(sight: Sight) -> Image:
    """The frame, (h, w, 3) in BGR, with each tile outlined and named, doubtful ones in orange."""
    picture = sight.image.copy()
    tiles = () if sight.reading is None else sight.reading.tiles
    for tile in tiles:
        _draw(picture, tile)
    picture[:_BAND] //= 3
    told = f"{_WORDS[sight.state]}  {len(tiles)} tiles" if tiles else _WORDS[sight.state]
    cv2.putText(picture, told, (12, 28), cv2.FONT_HERSHEY_SIMPLEX, 0.8, _LETTERS, 2, cv2.LINE_AA)
    return picture


def _draw(picture: Image, tile: TileReading) -> None:
    quad = np.round(np.array(tile.quad)).astype(np.int32)
    colour = _SURE if tile.confidence >= DOUBTFUL_BELOW else _DOUBTFUL
    cv2.polylines(picture, [quad], isClosed=True, color=colour, thickness=2, lineType=cv2.LINE_AA)
    name = tile.label if tile.confidence >= DOUBTFUL_BELOW else f"{tile.label}?"
    place = (int(quad[:, 0].min()), int(quad[:, 1].min()) - 6)
    cv2.putText(picture, name, place, cv2.FONT_HERSHEY_SIMPLEX, 0.7, colour, 2, cv2.LINE_AA)
