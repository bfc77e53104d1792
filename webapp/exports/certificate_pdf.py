"""Certificates as PDF, a page of A4 on its side for each: who, for what, and two lines to sign."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from flask_babel import gettext
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, PageBreak, SimpleDocTemplate, Spacer, Table

from webapp.exports.typeset import FAR_EAST, FONT, GRID, said
from webapp.games.words import signed

FRAME: Final = 12 * mm
"""Distance of the frame from the edge of the page."""

TILE: Final = (15 * mm, 20 * mm)
"""Width and height of the dragons above the heading."""

DRAGONS: Final = (("\u4e2d", "#c8102e"), ("\u767c", "#0b6b3a"), ("", "#1d3f8f"))
"""The sign and the colour of the Red, the Green and the White dragon, which shows a frame."""

LAST_PLACE: Final = 3
"""The last place for which there is a certificate."""

LONG_NAME: Final = 22
"""Number of letters above which a name is printed smaller, so that it stays on one line."""


@dataclass(frozen=True, slots=True)
class Award:
    """What a certificate says.

    Attributes:
        name: who gets it.
        honour: what for, such as “First place”.
        occasion: where that was, such as the evening or the season.
        worth: the figure behind it; empty for none.
        day: the day in words.
    """

    name: str
    honour: str
    occasion: str
    worth: str
    day: str


def honour(place: int) -> str:
    """What a place is called on a certificate."""
    words = {1: gettext("First place"), 2: gettext("Second place"), 3: gettext("Third place")}
    return str(words.get(place) or gettext("Place %(place)s", place=place))


def worth(gain: int) -> str:
    """The points that were won; empty if none were, which a certificate need not tell."""
    return str(gettext("%(points)s points", points=signed(gain))) if gain > 0 else ""


def certificates(awards: Sequence[Award]) -> bytes:
    """A page for each award."""
    file = io.BytesIO()
    document = SimpleDocTemplate(
        file,
        pagesize=landscape(A4),
        leftMargin=2 * FRAME,
        rightMargin=2 * FRAME,
        topMargin=46 * mm,
        bottomMargin=2 * FRAME,
        title=gettext("Certificates"),
        author="Kongbox",
    )
    parts: list[Flowable] = []
    for award in awards:
        parts += [PageBreak()] if parts else []
        parts += _parts(award)
    document.build(parts, onFirstPage=_framed, onLaterPages=_framed)
    return file.getvalue()


def _parts(award: Award) -> list[Flowable]:
    wide = landscape(A4)[0] - 4 * FRAME
    lines: list[list[Any]] = [["", "", ""], [said(award.day, 12), "", said(gettext("Signed"), 12)]]
    style = [("LINEBELOW", (0, 0), (0, 0), 0.8, GRID), ("LINEBELOW", (2, 0), (2, 0), 0.8, GRID)]
    signed = Table(lines, [wide * 0.35, wide * 0.3, wide * 0.35], [12 * mm, 9 * mm], style=style)
    return [
        said(gettext("Certificate"), 38),
        Spacer(0, 9 * mm),
        said(award.name, 34 if len(award.name) <= LONG_NAME else 24),
        Spacer(0, 6 * mm),
        said(award.honour, 24),
        Spacer(0, 4 * mm),
        said(award.occasion, 17),
        Spacer(0, 2 * mm),
        said(award.worth, 14),
        Spacer(0, 6 * mm),
        signed,
    ]


def _framed(canvas: Canvas, _document: Any) -> None:  # noqa: ANN401 - reportlab's own
    """Draw the double frame and the three dragons."""
    wide, high = landscape(A4)
    canvas.setStrokeColor(colors.HexColor("#0b6b3a"))
    for line, inset in ((2.5, FRAME), (0.8, FRAME + 2 * mm)):
        canvas.setLineWidth(line)
        canvas.roundRect(inset, inset, wide - 2 * inset, high - 2 * inset, 4 * mm)
    for at, (sign, colour) in enumerate(DRAGONS):
        _dragon(canvas, wide / 2 + (at - 1.5) * 1.2 * TILE[0], high - 42 * mm, sign, colour)


def _dragon(canvas: Canvas, left: float, bottom: float, sign: str, colour: str) -> None:
    wide, high = TILE
    left += 0.1 * wide
    canvas.setLineWidth(0.8)
    canvas.setStrokeColor(colors.HexColor("#857a5f"))
    canvas.setFillColor(colors.HexColor("#fffdf4"))
    canvas.roundRect(left, bottom, wide, high, 2 * mm, fill=1)
    canvas.setStrokeColor(colors.HexColor(colour))
    canvas.setFillColor(colors.HexColor(colour))
    if sign:
        canvas.setFont(FAR_EAST, 0.75 * wide)
        canvas.drawCentredString(left + wide / 2, bottom + 0.37 * high, sign)
    else:
        canvas.setLineWidth(2)
        canvas.rect(left + 0.2 * wide, bottom + 0.2 * high, 0.6 * wide, 0.6 * high)
    canvas.setFillColor(colors.black)
    canvas.setFont(FONT, 8)
