"""A small typeface made in the test run: every character of a tile as a shape of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

from datasets.designs.fonts.glyphs import HANZI, LATIN

Boxes = Sequence[tuple[int, int, int, int]]
"""Left, bottom, right and top of bars, in thousandths of the size."""


def build_typeface(path: Path, characters: str = HANZI + LATIN) -> Path:
    """Write a TrueType file whose glyphs are random bars, different for each character."""
    every = dict.fromkeys(characters)
    return save_typeface(path, {char: _bars(index) for index, char in enumerate(every, start=1)})


def save_typeface(path: Path, glyphs: Mapping[str, Boxes]) -> Path:
    """Write a TrueType file with these bars for each character."""
    names = {ord(char): f"u{ord(char):05x}" for char in glyphs}
    order = [".notdef", *names.values()]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap(names)
    drawn = (_drawn(boxes) for boxes in (_NOTDEF, *glyphs.values()))
    builder.setupGlyf(dict(zip(order, drawn, strict=True)))
    builder.setupHorizontalMetrics(dict.fromkeys(order, (1000, 0)))
    builder.setupHorizontalHeader(ascent=900, descent=-100)
    builder.setupNameTable({"familyName": "Bars", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.save(path)
    return path


_NOTDEF: Boxes = [(50, 0, 950, 60)]


def _bars(seed: int) -> Boxes:
    """A frame with bars placed by chance."""
    rng = np.random.default_rng(seed)
    bars = [(50, 0, 950, 60), (50, 0, 110, 900)]
    for _ in range(3):
        x, y = (int(v) for v in rng.integers(100, 700, 2))
        bars.append((x, y, x + int(rng.integers(60, 220)), y + int(rng.integers(60, 220))))
    return bars


def _drawn(boxes: Boxes) -> object:
    pen = TTGlyphPen(None)
    for x0, y0, x1, y1 in boxes:
        pen.moveTo((x0, y0))
        for corner in ((x0, y1), (x1, y1), (x1, y0)):
            pen.lineTo(corner)
        pen.closePath()
    return pen.glyph()
