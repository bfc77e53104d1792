"""A picture of a photo with its reading, and of its true hands and read hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.hands.cases import Answer, Content
from datasets.sets.faces import FaceSet, load_designs
from models.evaluation.web_page import BLUE, GREEN, GREY, VIOLET, outline, shrunk
from scorer.tiles import BACK
from vision.vocabulary.readings import POSITIONS, Position

Image = NDArray[np.uint8]

LEGEND: Final = "Green: in hand. Blue: sets. Violet: bonus. Grey: nobody's."
DESIGN: Final = Path(__file__).parents[2] / "datasets" / "samples" / "0900.npz"
"""Path of the design in which hands are drawn."""

_COLOURS: Final = {"hand": GREEN, "set": BLUE, "bonus": VIOLET}
_TILE: Final = (56, 42)
_PAPER: Final = (250, 250, 250)
_INK: Final = (30, 30, 30)
_MARGIN: Final = 12
_LINE: Final = 30
_WIDTH: Final = 22 * (_TILE[1] + 2)


def overlay(found: Answer) -> Image:
    """The photo, at most 1400 pixels long, with each tile outlined by its role and labelled."""
    shown, scale = shrunk(found.case.load())
    if found.reading is None:
        return shown
    roles = {i: p.role for hand in found.reading.hands for p in hand.parts for i in p.tiles}
    for index, tile in enumerate(found.reading.tiles):
        colour = _COLOURS.get(roles.get(index, ""), GREY)
        outline(shown, np.array(tile.quad) * scale, colour, tile.label)
    return shown


def side_by_side(found: Answer) -> Image:
    """The photo with its overlay, and next to it the true hands above the read ones."""
    photo = overlay(found)
    (faces,) = load_designs([DESIGN])
    panel = np.concatenate(
        [
            _panel("true", found.case.hands, found.joint, faces),
            _panel("read", found.joint, found.case.hands, faces),
        ]
    )
    height = max(len(photo), len(panel))
    return np.concatenate([_taller(photo, height), _taller(panel, height)], axis=1)


def _taller(image: Image, height: int) -> Image:
    spare = ((0, height - len(image)), (0, 0), (0, 0))
    return np.pad(image, spare, constant_values=_PAPER[0])


def _panel(
    title: str,
    hands: Mapping[Position, Content],
    others: Mapping[Position, Content],
    faces: FaceSet,
) -> Image:
    """Hands below each other, with a note at those that differ from ``others``."""
    sides = [side for side in POSITIONS if side in hands]
    image = np.full((_LINE * 2 + len(sides) * (_LINE + 2 * _TILE[0] + 16), _WIDTH, 3), _PAPER[0])
    canvas = image.astype(np.uint8)
    _write(canvas, title.upper(), _LINE)
    top = _LINE * 2
    for side in sides:
        differs = "" if others.get(side) == hands[side] else "  (differs)"
        _write(canvas, side + differs, top)
        _draw(canvas, hands[side], faces, top + 8)
        top += _LINE + 2 * _TILE[0] + 16
    return canvas


def _write(image: Image, text: str, bottom: int) -> None:
    cv2.putText(image, text, (_MARGIN, bottom), cv2.FONT_HERSHEY_SIMPLEX, 0.6, _INK, 1, cv2.LINE_AA)


def _draw(image: Image, content: Content, faces: FaceSet, top: int) -> None:
    """Draw the hand in one row, and its melds, concealed ones framed, and bonus tiles below it."""
    concealed, melds, bonus = content
    _row(image, concealed, faces, _MARGIN, top)
    left, top = _MARGIN, top + _TILE[0] + 4
    for _, tiles, hidden in melds:
        right = _row(image, tiles, faces, left, top)
        if hidden:
            corners = (left - 2, top - 2), (right, top + _TILE[0] + 1)
            cv2.rectangle(image, *corners, _INK, 2)
        left = right + 10
    _row(image, bonus, faces, left + 10, top)


def _row(image: Image, labels: Sequence[str], faces: FaceSet, left: int, top: int) -> int:
    """Draw tiles from ``left`` on, and return the left edge of the next one."""
    height, width = _TILE
    for label in labels:
        known = faces.faces.get(label)
        face = np.full((height, width, 3), faces.back_bgr if label == BACK else _PAPER, np.uint8)
        if known is not None:
            face = np.asarray(cv2.resize(known[0], (width, height)), np.uint8)
        if left + width <= image.shape[1]:
            image[top : top + height, left : left + width] = face
            cv2.rectangle(image, (left, top), (left + width - 1, top + height - 1), _INK, 1)
        left += width + 2
    return left
