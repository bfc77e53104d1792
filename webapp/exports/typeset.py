"""Setting text on paper: the fonts, a paragraph in them, and the lines of a table.

Characters that the shipped font lacks, such as Chinese ones, are set in a font that PDF readers
have, so that no large font has to be shipped.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Literal
from xml.sax.saxutils import escape

from reportlab.lib import colors
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    FrameBreak,
    PageTemplate,
    Paragraph,
    SimpleDocTemplate,
    TableStyle,
)

FONT_FILE: Final = Path(__file__).parents[1] / "fonts" / "DejaVuSans.ttf"
"""The file of the shipped font."""

FONT: Final = "DejaVuSans"
"""The name of the shipped font."""

FAR_EAST: Final = "STSong-Light"
"""The name of a font that every PDF reader has, for characters that the shipped font lacks."""

KOREAN: Final = "HYSMyeongJo-Medium"
"""The name of such a font for Korean characters."""

OTHERS: Final = {FAR_EAST: "gbk", KOREAN: "cp949"}
"""The fonts that PDF readers have, each with the encoding of the characters in it."""

SIZES: Final = (20, 18, 16, 14, 12, 11, 10, 9, 8)
"""Sizes of print in points, the largest first; the first with which all fits on a page is taken."""

LAYOUTS: Final = (
    *((1, size) for size in (20, 18, 16, 14, 12, 11)),
    *((2, 11), (2, 10), (1, 10), (2, 9), (3, 9), (1, 9), (2, 8), (3, 8), (1, 8)),
)
"""Numbers of columns with sizes of print in points, in the order in which they are tried."""

GUTTER: Final = 3 * mm
"""Width of the room between two columns."""

MARGIN: Final = 14 * mm
"""Width of the margins of a page."""

GRID: Final = colors.HexColor("#555555")
"""Colour of the lines of a score sheet."""

SHADE: Final = colors.HexColor("#e9ece9")
"""Colour behind the headings of a score sheet."""

Alignment = Literal[0, 1, 2]
"""The alignment of a paragraph: 0 left, 1 centred, 2 right."""


@cache
def _glyphs() -> frozenset[int]:
    """Register the fonts; returns the code points that the shipped font has."""
    font = TTFont(FONT, str(FONT_FILE))
    pdfmetrics.registerFont(font)
    for name in OTHERS:
        pdfmetrics.registerFont(UnicodeCIDFont(name))
    return frozenset(font.face.charToGlyph)


def marked(text: str) -> str:
    """The text with each character marked up in a font that has it.

    Signs that none has, such as emoji, are left out; a name of nothing else keeps a dash.
    """
    known = _glyphs()
    printed = [s for s in text if ord(s) in known or _other_font(s)]
    text = "".join(printed) or ("\N{EN DASH}" if text else "")
    parts = []
    for font, run in groupby(text, lambda sign: FONT if ord(sign) in known else _other_font(sign)):
        piece = escape("".join(run))
        parts.append(piece if font == FONT else f'<font name="{font}">{piece}</font>')
    return "".join(parts).strip(" ")


def _other_font(sign: str) -> str:
    """The font used for a character that the shipped font lacks."""
    return next((font for font, code in OTHERS.items() if _has(sign, code)), "")


def _has(sign: str, code: str) -> bool:
    try:
        return bool(sign.encode(code))
    except UnicodeEncodeError:
        return False


def _style(size: float, alignment: Alignment = TA_CENTER) -> ParagraphStyle:
    _glyphs()
    return ParagraphStyle(
        f"s{size}-{alignment}",
        fontName=FONT,
        fontSize=size,
        leading=size * 1.2,
        alignment=alignment,
    )


def said(text: str, size: float = 8, alignment: Alignment = TA_CENTER) -> Paragraph:
    """A text as a paragraph, each character in a font that has it."""
    return Paragraph(marked(text), _style(size, alignment))


def measured(text: str, size: float) -> float:
    """The width of a text on one line, in points."""
    _glyphs()
    return stringWidth(text, FONT, size)


def a4(file: io.BytesIO, title: str) -> SimpleDocTemplate:
    """An empty document on A4 that is written into the file when it is built."""
    return SimpleDocTemplate(
        file,
        pagesize=A4,
        leftMargin=MARGIN,
        rightMargin=MARGIN,
        topMargin=MARGIN,
        bottomMargin=MARGIN,
        title=title,
        author="Kongbox",
    )


def one_page(title: str, parts: Callable[[float], list[Flowable]]) -> bytes:
    """A paper on one page of A4, in the largest print that allows it; else in the smallest.

    Args:
        title: what the file calls itself.
        parts: what is on the page when its print has that many points.
    """
    for size in SIZES:
        file = io.BytesIO()
        document = a4(file, title)
        document.build(parts(size))
        if document.page == 1:
            break
    return file.getvalue()


def in_columns(
    title: str,
    parts: Callable[[float, float], list[Flowable]],
    least: Callable[[float, float], float],
) -> bytes:
    """A paper under its title on one page of A4, as :func:`one_page`, in columns where it is long.

    Args:
        title: what the file calls itself, and what is above all.
        parts: what is below it when its print has that many points, in a column of that width;
            nothing if no column of that width can hold it.
        least: how tall it is then at least, with which much that does not fit need not be set.
    """
    fewest, found = 0, b""
    for columns, size in LAYOUTS:
        width = (A4[0] - 2 * MARGIN - (columns - 1) * GUTTER) / columns
        there = columns * (A4[1] - 2 * MARGIN)
        last = (columns, size) in (LAYOUTS[-2], LAYOUTS[-1])
        told = [] if least(size, width) > there and not last else parts(size, width)
        if not told:
            continue
        file = io.BytesIO()
        document = _columned(file, title, columns, 1.3 * size)
        document.build([said(title, 1.3 * size), FrameBreak(), *told])
        if not fewest or document.page < fewest:
            fewest, found = document.page, file.getvalue()
        if fewest == 1:
            break
    return found


def _columned(file: io.BytesIO, title: str, columns: int, size: float) -> BaseDocTemplate:
    """An empty document on A4 with the title in print of this size above the columns."""
    document = BaseDocTemplate(file, pagesize=A4, title=title, author="Kongbox")
    room, height = A4[0] - 2 * MARGIN, A4[1]
    lines = 1 + int(measured(title, size) / room)
    above = lines * 1.2 * size + 0.5 * size
    each = (room - (columns - 1) * GUTTER) / columns
    top = Frame(MARGIN, height - MARGIN - above, room, above, 0, 0, 0, 0)

    def below(space: float) -> list[Frame]:
        tall = height - 2 * MARGIN - space
        lefts = (MARGIN + at * (each + GUTTER) for at in range(columns))
        return [Frame(left, MARGIN, each, tall, 0, 0, 0, 0) for left in lefts]

    first = PageTemplate("first", [top, *below(above)], autoNextPageTemplate="later")
    document.addPageTemplates([first, PageTemplate("later", below(0))])
    return document


def ruled(more: Sequence[tuple[Any, ...]]) -> TableStyle:
    """The lines of a sheet, and what else is to be drawn in it."""
    return TableStyle(
        [
            ("FONT", (0, 0), (-1, -1), FONT, 8),
            ("GRID", (0, 0), (-1, -1), 0.5, GRID),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
            ("ALIGN", (0, 0), (-1, -1), "CENTER"),
            ("BACKGROUND", (0, 0), (-1, 0), SHADE),
            *more,
        ]
    )
