"""Things on a table that resemble tiles: cards, dominoes, keyboards, print and sheets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.props.lookalikes.cards import draw_card
from datasets.props.lookalikes.dice import PIPS
from datasets.props.lookalikes.keyboards import draw_keyboard
from datasets.props.lookalikes.score_sheets import FONTS, WORDS, draw_score_sheet

Image = NDArray[np.uint8]

_SHEETS: Final = 0.22
"""Share of score sheets and other ruled paper among the things."""
_KEYBOARDS: Final = 0.14
"""Share of keyboards among the things."""


def scatter_thing(rng: Generator, image: Image) -> None:
    """Draw one of the things at a random place of the picture, (h, w, 3) uint8 BGR, in place."""
    kind = rng.random()
    if kind < _SHEETS:
        patch, rounding, sizes = draw_score_sheet(rng), 0.0, (0.25, 1.0)
    elif kind < _SHEETS + _KEYBOARDS:
        patch, rounding, sizes = draw_keyboard(rng).image, 0.02, (0.4, 1.6)
    else:
        patch, rounding = _THINGS[int(rng.integers(len(_THINGS)))](rng)
        sizes = (0.05, 0.3)
    longest = float(np.exp(rng.uniform(*np.log(sizes)))) * max(image.shape[:2])
    _lay(rng, image, patch, longest, rounding)


def _lay(rng: Generator, image: Image, patch: Image, longest: float, rounding: float) -> None:
    """Warp the patch onto the picture, its longer side about ``longest`` pixels, with a shadow."""
    height, width = patch.shape[:2]
    scale = longest / max(height, width)
    box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, height / 2] * scale
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    flat = np.array([1.0, rng.uniform(0.65, 1.0)])
    centre = rng.uniform(0, 1, 2) * [image.shape[1], image.shape[0]]
    quad = (box @ turn * flat + centre + rng.normal(0, 0.02 * longest, (4, 2))).astype(np.float32)
    fall = rng.normal(0, 0.04 * longest, 2)
    part, shade = _around(image, quad + fall)
    darker = part.copy()
    cv2.fillConvexPoly(darker, np.round(shade * 8).astype(np.int32), (0, 0, 0), cv2.LINE_AA, 3)
    part[:] = cv2.addWeighted(part, 0.6, darker, 0.4, 0)
    alpha = np.zeros((height, width), np.uint8)
    radius = max(1, int(rounding * min(height, width)))
    cv2.rectangle(alpha, (radius, radius), (width - radius, height - radius), 255, 2 * radius)
    cv2.rectangle(alpha, (radius, radius), (width - radius, height - radius), 255, -1)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    part, place = _around(image, quad)
    matrix = cv2.getPerspectiveTransform(corners, place.astype(np.float32))
    extent = (part.shape[1], part.shape[0])
    if scale < 0.7:
        patch = np.asarray(cv2.blur(patch, (round(1 / scale), round(1 / scale))), np.uint8)
    warped = cv2.warpPerspective(patch, matrix, extent, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpPerspective(alpha, matrix, extent) > 127
    part[cover] = warped[cover]


def _around(image: Image, quad: NDArray[np.floating]) -> tuple[Image, NDArray[np.floating]]:
    """A view of the part of the picture that holds the quad (4, 2), and the quad in it.

    The view is at least one pixel, even if the quad is outside the picture.
    """
    height, width = image.shape[:2]
    low = np.clip(np.floor(quad.min(axis=0)).astype(int) - 1, 0, [width - 1, height - 1])
    high = np.maximum(np.ceil(quad.max(axis=0)).astype(int) + 2, low + 1)
    return image[low[1] : high[1], low[0] : high[0]], quad - low


def _blank(rng: Generator, height: int, width: int) -> Image:
    """A plain patch in any colour, mostly light or dark."""
    image = np.empty((height, width, 3), np.uint8)
    kind = rng.random()
    level = rng.uniform(205, 250) if kind < 0.4 else rng.uniform(8, 70)
    image[:] = rng.integers(0, 256, 3) if kind > 0.75 else np.full(3, level, np.uint8)
    return image


def _ink(rng: Generator, image: Image) -> list[int]:
    """A colour that contrasts with the patch."""
    if rng.random() < 0.25:
        return [int(c) for c in rng.integers(0, 256, 3)]
    return [25, 25, 25] if image[0, 0].sum() > 380 else [235, 235, 235]


def _write(
    rng: Generator, image: Image, text: str, place: tuple[float, float], size: float
) -> None:
    font = FONTS[int(rng.integers(len(FONTS)))]
    height, width = image.shape[:2]
    spot = (int(place[0] * width), int(place[1] * height))
    thick = max(1, round(size * rng.uniform(1, 3)))
    cv2.putText(image, text, spot, font, size, _ink(rng, image), thick, cv2.LINE_AA)


def _key(rng: Generator) -> tuple[Image, float]:
    """A key of a keyboard: a letter or a word in a corner or the middle, perhaps two."""
    image = _blank(rng, 100, int(rng.integers(75, 190)))
    if rng.random() < 0.6:
        image[:] = int(rng.integers(10, 130))
    for _ in range(int(rng.integers(1, 3))):
        word = rng.random() < 0.35
        text = str(rng.choice(WORDS)) if word else chr(int(rng.integers(33, 95)))
        place = (rng.uniform(0.08, 0.45), rng.uniform(0.35, 0.85))
        _write(rng, image, text, place, rng.uniform(0.7, 1.1) if word else rng.uniform(1.0, 2.2))
    edge = [int(c) for c in np.clip(image[0, 0].astype(int) + rng.integers(-50, 51), 0, 255)]
    if rng.random() < 0.6:
        cv2.rectangle(image, (2, 2), (image.shape[1] - 3, 97), edge, int(rng.integers(2, 9)))
    return image, float(rng.uniform(0.03, 0.18))


def _domino(rng: Generator) -> tuple[Image, float]:
    """A domino: two fields of pips and a bar between."""
    image = _blank(rng, 200, 100)
    ink = _ink(rng, image)
    cv2.line(image, (10, 100), (90, 100), ink, int(rng.integers(2, 6)))
    for top in (0, 100):
        for x, y in PIPS.get(int(rng.integers(0, 7)), ()):
            spot = (int(x * 100), int(top + y * 100))
            cv2.circle(image, spot, int(rng.integers(7, 12)), ink, -1, cv2.LINE_AA)
    return image, 0.08


def _card(rng: Generator) -> tuple[Image, float]:
    return draw_card(rng), 0.06


def _label(rng: Generator) -> tuple[Image, float]:
    """A box, note or book cover with lines of words and a picture of plain shapes."""
    image = _blank(rng, int(rng.integers(90, 260)), int(rng.integers(90, 260)))
    for _ in range(int(rng.integers(1, 7))):
        text = str(rng.choice(WORDS))
        if rng.random() < 0.5:
            text = "".join(chr(int(c)) for c in rng.integers(65, 123, int(rng.integers(2, 14))))
        _write(
            rng, image, text, (rng.uniform(0, 0.95), rng.uniform(0, 0.95)), rng.uniform(0.4, 2.6)
        )
    for _ in range(int(rng.integers(0, 4))):
        spot = (rng.uniform(0.1, 0.9, 2) * image.shape[1::-1]).astype(int)
        size = int(rng.integers(5, 50))
        cv2.circle(image, (int(spot[0]), int(spot[1])), size, _ink(rng, image), -1, cv2.LINE_AA)
    return image, float(rng.uniform(0.0, 0.1))


_THINGS: Final[tuple[Callable[[Generator], tuple[Image, float]], ...]] = (
    _key,
    _key,
    _domino,
    _card,
    _label,
    _label,
)
