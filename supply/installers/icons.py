"""The page's icon in the forms in which Windows and Macs want theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PIL import Image

from supply.bill import ROOT

DRAWN: Final = ROOT / "webapp" / "static" / "icon-512.png"
"""The icon of the page."""

WINDOWS_SIDES: Final = (16, 24, 32, 48, 64, 256)
"""The sides of the icon on Windows, in pixels."""

SIDE: Final = (328, 628)
"""The width and height of the picture at the side of the Windows installer, in pixels."""

SIDE_COLOUR: Final = "#0b5c38"
"""Its colour, that of the icon."""


def draw_icon(path: Path) -> None:
    """Write the icon; the ending of the file's name says in which form."""
    with Image.open(DRAWN) as opened:
        icon = opened.convert("RGBA")
    if path.suffix == ".ico":
        icon.save(path, sizes=[(side, side) for side in WINDOWS_SIDES])
    else:
        icon.save(path)


def draw_side(path: Path) -> None:
    """Write the picture at the side of the Windows installer: the icon on its own colour."""
    with Image.open(DRAWN) as opened:
        icon = opened.convert("RGBA").resize((SIDE[0] - 24, SIDE[0] - 24))
    side = Image.new("RGBA", SIDE, SIDE_COLOUR)
    side.alpha_composite(icon, (12, 24))
    side.convert("RGB").save(path)
