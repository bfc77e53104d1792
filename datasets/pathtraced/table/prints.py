"""Pictures of printed and written matter: newspapers, score sheets and playing cards."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Image = NDArray[np.uint8]

_FONTS: Final = (cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_DUPLEX)
_LETTERS: Final = "etaoinshrdlucmfwypvbgk"
_MONEY: Final = (20, 40, 64, 128, 256, 8, 16, 32, 512, 1000, 4, 12)


def _word(rng: Generator) -> str:
    return "".join(rng.choice(list(_LETTERS), int(rng.integers(2, 9))))


def newspaper(rng: Generator, size: tuple[int, int] = (1100, 800)) -> Image:
    """A page with headlines, columns of text and a grey photograph, (h, w, 3) uint8 BGR."""
    height, width = size
    page = np.full((height, width, 3), (205, 216, 222), np.uint8)
    columns = int(rng.integers(3, 6))
    step = (width - 40) // columns
    photo = (int(rng.integers(columns - 1)), int(rng.integers(200, 500)))
    headline = " ".join(_word(rng) for _ in range(4)).capitalize()
    cv2.putText(page, headline, (24, 90), _FONTS[1], 1.9, (25, 25, 25), 4, cv2.LINE_AA)
    for column in range(columns):
        x = 24 + column * step
        y = 140
        while y < height - 20:
            if column in {photo[0], photo[0] + 1} and photo[1] < y < photo[1] + 230:
                y += 14
                continue
            if rng.random() < 0.03:
                text = _word(rng).capitalize() + " " + _word(rng)
                cv2.putText(page, text, (x, y + 16), _FONTS[0], 0.7, (30, 30, 30), 2, cv2.LINE_AA)
                y += 34
                continue
            line = " ".join(_word(rng) for _ in range(12))[: step // 7]
            cv2.putText(page, line, (x, y), _FONTS[0], 0.33, (60, 60, 60), 1, cv2.LINE_AA)
            y += 13
    left, top = 24 + photo[0] * step, photo[1]
    patch = rng.uniform(40, 200, (4, 6, 1)).astype(np.float32)
    tone = cv2.resize(patch, (2 * step - 16, 230), interpolation=cv2.INTER_CUBIC)
    page[top : top + 230, left : left + 2 * step - 16] = np.clip(tone, 20, 220)[..., None]
    return page


def score_sheet(rng: Generator, size: tuple[int, int] = (900, 640)) -> Image:
    """A ruled sheet with four columns of handwritten numbers, (h, w, 3) uint8 BGR."""
    height, width = size
    page = np.full((height, width, 3), (244, 247, 248), np.uint8)
    ink = tuple(int(v) for v in rng.choice([(120, 40, 20), (40, 40, 40), (30, 30, 160)]))
    for x in range(4):
        left = 40 + x * (width - 80) // 4
        cv2.line(page, (left, 30), (left, height - 30), (190, 170, 150), 2)
        cv2.putText(page, "ESWN"[x], (left + 40, 75), _FONTS[2], 1.5, ink, 2, cv2.LINE_AA)
    for y in range(100, height - 30, 58):
        cv2.line(page, (30, y), (width - 30, y), (210, 190, 170), 2)
        if rng.random() < y / height:
            continue
        for x in range(4):
            number = int(rng.choice(_MONEY)) * (-1 if rng.random() < 0.5 else 1)
            place = (50 + x * (width - 80) // 4, y + 44 + int(rng.normal(0, 3)))
            slant = cv2.FONT_HERSHEY_SCRIPT_SIMPLEX
            cv2.putText(page, str(number), place, slant, 1.15, ink, 2, cv2.LINE_AA)
    return page


def playing_card(rng: Generator, size: tuple[int, int] = (350, 250)) -> Image:
    """A pip card with corner indices, (h, w, 3) uint8 BGR."""
    height, width = size
    card = np.full((height, width, 3), (246, 248, 248), np.uint8)
    ink = (40, 30, 190) if rng.random() < 0.5 else (30, 30, 30)
    count = int(rng.integers(2, 11))
    cv2.putText(card, str(count), (12, 44), _FONTS[2], 1.2, ink, 3, cv2.LINE_AA)
    for index in range(count):
        x = width // 3 + (index % 2) * width // 3
        y = 70 + (index // 2) * (height - 120) // max(1, (count - 1) // 2)
        diamond = np.array([[x, y - 22], [x + 16, y], [x, y + 22], [x - 16, y]], np.int32)
        cv2.fillConvexPoly(card, diamond, ink, cv2.LINE_AA)
    card[height // 2 + 30 :] = card[: height - height // 2 - 30][::-1, ::-1]
    return card


PRINTS: Final = {"newspaper": newspaper, "score_sheet": score_sheet, "card": playing_card}
"""The function that draws the print of each kind of prop."""
