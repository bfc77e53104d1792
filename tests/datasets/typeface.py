"""A small typeface made in the test run: every character of a tile as a shape of its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

from datasets.designs.fonts.glyphs import HANZI, LATIN


def build_typeface(path: Path, characters: str = HANZI + LATIN) -> Path:
    """Write a TrueType file whose glyphs are random bars, different for each character."""
    names = {ord(char): f"u{ord(char):05x}" for char in characters}
    order = [".notdef", *dict.fromkeys(names.values())]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap(names)
    builder.setupGlyf({name: _bars(index) for index, name in enumerate(order)})
    builder.setupHorizontalMetrics(dict.fromkeys(order, (1000, 0)))
    builder.setupHorizontalHeader(ascent=900, descent=-100)
    builder.setupNameTable({"familyName": "Bars", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.save(path)
    return path


def _bars(seed: int) -> object:
    """A frame with bars placed by chance."""
    rng = np.random.default_rng(seed)
    pen = TTGlyphPen(None)
    bars = [(50, 0, 950, 60), (50, 0, 110, 900)]
    for _ in range(3):
        x, y = (int(v) for v in rng.integers(100, 700, 2))
        bars.append((x, y, x + int(rng.integers(60, 220)), y + int(rng.integers(60, 220))))
    for x0, y0, x1, y1 in bars if seed else bars[:1]:
        pen.moveTo((x0, y0))
        for corner in ((x0, y1), (x1, y1), (x1, y0)):
            pen.lineTo(corner)
        pen.closePath()
    return pen.glyph()
