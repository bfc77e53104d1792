"""Writes the drawing of every tile: ``python -m webapp.artwork [FOLDER]``."""

from __future__ import annotations

import sys
from pathlib import Path

from scorer.tiles import BACK, BLANK, NAMES, OTHER, READING_LABELS, is_suit
from webapp.artwork import pictures, suits
from webapp.artwork.glyphs import Glyphs
from webapp.artwork.shapes import BLUE, GREEN, INK, RED, body, document

FOLDER = Path(__file__).parents[1] / "static" / "tiles"
"""The folder of the drawings that the page shows."""

NUMERALS = "一二三四五六七八九"
"""The Chinese numerals one to nine, for the characters."""

WINDS = {"1z": ("東", "E"), "2z": ("南", "S"), "3z": ("西", "W"), "4z": ("北", "N")}
"""The Chinese character and the index letter of each wind."""

BONUS_SIGNS = {
    **dict(zip(pictures.FLOWERS, "梅蘭菊竹", strict=True)),
    **dict(zip(pictures.SEASONS, "春夏秋冬", strict=True)),
}
"""The Chinese character of each flower and season."""

INDEX_BOX = (5.0, 5.0, 16.0, 13.5)
"""The box of the corner index as x, y, width and height."""


class Artist:
    """Draws tiles with a serif face for the characters and a sans face for the indices."""

    def __init__(self) -> None:
        self._serif = Glyphs("NotoSerifCJK-Bold.ttc")
        self._sans = Glyphs("NotoSansCJK-Bold.ttc")

    def index(self, text: str, colour: str = INK) -> str:
        """The small number or letter in the corner."""
        x, y, width, height = INDEX_BOX
        width = self._sans.width(text, height, limit=width * len(text))
        return self._sans.fitted(text, (x, y, width, height), colour)

    def tile(self, label: str) -> str:
        """The SVG file of one label."""
        if label == BACK:
            parts = [body(face="#2f7d4f", edge="#e8e2cf"), pictures.back_pattern()]
        elif label == BLANK:
            parts = [body()]
        elif label == OTHER:
            parts = [body(), self._sans.fitted("?", (18, 20, 24, 40), "#8a5a00")]
        else:
            parts = [body(), *self._face(label)]
        return document(parts, NAMES[label])

    def _face(self, label: str) -> list[str]:
        kind = label[1]
        if is_suit(label):
            count = int(label[0])
            drawn = {"m": self._character, "p": suits.circles, "s": suits.bamboo}[kind](count)
            return [drawn, self.index(label[0])]
        if kind in "fy":
            drawing = (pictures.FLOWERS | pictures.SEASONS)[label]()
            colour = GREEN if kind == "f" else RED
            sign = self._serif.fitted(BONUS_SIGNS[label], (37, 5, 17, 17), colour)
            return [drawing, sign, self.index(label[0], colour)]
        return self._honour(label)

    def _character(self, count: int) -> str:
        top = (21.0, 7.0, 30.0, 27.0)
        if count <= 3:
            top = (21.0, 8.0, 30.0, 24.0)
        return self._serif.fitted(NUMERALS[count - 1], top, INK) + self._serif.fitted(
            "萬", (13, 37, 34, 34), RED
        )

    def _honour(self, label: str) -> list[str]:
        middle = (9.0, 20.0, 42.0, 49.0)
        if label in WINDS:
            sign, letter = WINDS[label]
            return [self._serif.fitted(sign, middle, BLUE), self.index(letter, BLUE)]
        if label == "5z":
            return [pictures.white_frame(), self.index("Wh", BLUE)]
        if label == "6z":
            return [self._serif.fitted("發", middle, GREEN), self.index("G", GREEN)]
        return [self._serif.fitted("中", middle, RED), self.index("R", RED)]


def main(folder: Path = FOLDER) -> None:
    """Write one file per label."""
    artist = Artist()
    folder.mkdir(parents=True, exist_ok=True)
    for label in READING_LABELS:
        (folder / f"{label}.svg").write_text(artist.tile(label), "utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
