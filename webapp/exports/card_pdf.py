"""Cards to stand on the tables as PDF: the table's number, and the QR code of its page."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Final

from flask_babel import gettext
from reportlab.graphics.barcode.qr import QrCodeWidget
from reportlab.graphics.shapes import Drawing
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, KeepTogether, PageBreak, Spacer

from webapp.exports.typeset import a4, said

CODE: Final = 80 * mm
"""Width of a QR code: phones read it from across a table."""

BETWEEN: Final = 22 * mm
"""Height between the two cards of a page, where it is cut or folded."""


def table_cards(addresses: Mapping[int, str]) -> bytes:
    """A card for each table, two on a page.

    Args:
        addresses: the address of each table's page, by the number of the table.
    """
    file = io.BytesIO()
    parts: list[Flowable] = []
    for at, (number, address) in enumerate(addresses.items()):
        if at:
            parts.append(Spacer(0, BETWEEN) if at % 2 else PageBreak())
        parts.append(KeepTogether(_card(number, address)))
    a4(file, gettext("Cards for the tables")).build(parts)
    return file.getvalue()


def _card(number: int, address: str) -> list[Flowable]:
    told = gettext("Point your phone's camera at the QR code to open this table's page.")
    return [
        said(gettext("Table %(number)s", number=number), 48),
        Spacer(0, 4 * mm),
        qr_code(address, CODE),
        Spacer(0, 2 * mm),
        said(told, 12),
        Spacer(0, 2 * mm),
        said(address, 9),
    ]


def qr_code(address: str, width: float) -> Drawing:
    """The QR code of an address, in the middle of its line.

    Args:
        address: what phones read.
        width: its width in points, the white margin included.
    """
    code = QrCodeWidget(address, barLevel="M", barBorder=4)
    left, bottom, right, _ = code.getBounds()
    scale = width / (right - left)
    drawing = Drawing(width, width, transform=[scale, 0, 0, scale, -left * scale, -bottom * scale])
    drawing.hAlign = "CENTER"
    drawing.add(code)
    return drawing
