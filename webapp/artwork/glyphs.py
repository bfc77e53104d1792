"""Characters as SVG paths, from the outlines of a font on the machine that draws."""

from __future__ import annotations

from pathlib import Path

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

FONT_FOLDER = Path("/usr/share/fonts/opentype/noto")
"""Where Debian's package fonts-noto-cjk puts its fonts."""


class Glyphs:
    """One face of a font collection."""

    def __init__(self, file: str, *, number: int = 0, folder: Path = FONT_FOLDER) -> None:
        path = folder / file
        if not path.exists():
            raise FileNotFoundError(f"{path} is missing; install the package fonts-noto-cjk")
        self._font = TTFont(path, fontNumber=number)
        self._glyphs = self._font.getGlyphSet()
        self._names = self._font.getBestCmap()

    def fitted(self, text: str, box: tuple[float, float, float, float], colour: str) -> str:
        """The text as one path, as large as fits the box (x, y, width, height), in its middle."""
        scale, left, bottom, width, height = self._measure(text, box)
        x, y, w, h = box
        start = x + (w - width * scale) / 2 - left * scale
        base = y + (h + height * scale) / 2 + bottom * scale
        pen = SVGPathPen(self._glyphs, ntos=lambda v: f"{v:.2f}".rstrip("0").rstrip("."))
        for character in text:
            glyph = self._glyphs[self._names[ord(character)]]
            glyph.draw(TransformPen(pen, (scale, 0, 0, -scale, start, base)))
            start += glyph.width * scale
        return f'<path d="{pen.getCommands()}" fill="{colour}"/>'

    def width(self, text: str, height: float, *, limit: float) -> float:
        """How wide the text is when it is as high as given, at most ``limit``."""
        _, _, _, wide, high = self._measure(text, (0, 0, 1, 1))
        return min(limit, wide * height / high)

    def _measure(
        self, text: str, box: tuple[float, float, float, float]
    ) -> tuple[float, float, float, float, float]:
        pen = BoundsPen(self._glyphs)
        advance = 0
        for character in text:
            glyph = self._glyphs[self._names[ord(character)]]
            glyph.draw(TransformPen(pen, (1, 0, 0, 1, advance, 0)))
            advance += glyph.width
        left, bottom, right, top = pen.bounds
        width, height = right - left, top - bottom
        return min(box[2] / width, box[3] / height), left, bottom, width, height
