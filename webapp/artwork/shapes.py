"""SVG pieces: shapes as text, in the tile's own units (60 wide, 80 high, y down)."""

from __future__ import annotations

import math
from collections.abc import Sequence

RED = "#c8102e"
"""The red of the tiles."""

GREEN = "#0b6b3a"
"""The green of the tiles."""

BLUE = "#1d3f8f"
"""The blue of the tiles."""

INK = "#20242c"
"""The near-black of the characters."""

CREAM = "#fffdf4"
"""The colour of a tile's face."""

GOLD = "#d99a1b"
"""The yellow of suns and of the centres of flowers."""

WIDTH, HEIGHT = 60, 80


def number(value: float) -> str:
    """A coordinate in short form."""
    return f"{value:.4g}"


def circle(x: float, y: float, r: float, fill: str) -> str:
    """A filled disc."""
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}" fill="{fill}"/>'


def ring(x: float, y: float, r: float, colour: str, width: float) -> str:
    """A circle's outline."""
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}" fill="none" '
        f'stroke="{colour}" stroke-width="{number(width)}"/>'
    )


def ellipse(x: float, y: float, rx: float, ry: float, fill: str, turn: float = 0) -> str:
    """A filled ellipse turned by ``turn`` degrees about its centre."""
    spin = f' transform="rotate({number(turn)} {number(x)} {number(y)})"' if turn else ""
    return (
        f'<ellipse cx="{number(x)}" cy="{number(y)}" rx="{number(rx)}" ry="{number(ry)}" '
        f'fill="{fill}"{spin}/>'
    )


def path(d: str, fill: str = "none", stroke: str = "", width: float = 0) -> str:
    """A path, filled, stroked or both."""
    line = ""
    if stroke:
        line = (
            f' stroke="{stroke}" stroke-width="{number(width)}" stroke-linecap="round" '
            'stroke-linejoin="round"'
        )
    return f'<path d="{d}" fill="{fill}"{line}/>'


def box(x: float, y: float, w: float, h: float, r: float, fill: str, line: str = "") -> str:
    """A rectangle with rounded corners; ``line`` holds further attributes."""
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}" '
        f'rx="{number(r)}" fill="{fill}"{line}/>'
    )


def around(x: float, y: float, r: float, count: int, start: float = -90) -> list[tuple[float, ...]]:
    """Evenly spaced points of a circle as (x, y, degrees)."""
    angles = [start + 360 * i / count for i in range(count)]
    return [
        (x + r * math.cos(math.radians(a)), y + r * math.sin(math.radians(a)), a) for a in angles
    ]


def body(*, face: str = CREAM, edge: str = "#2f7d4f") -> str:
    """The tile itself: the coloured back seen below the face, and the face."""
    line = ' stroke="#857a5f" stroke-width="1"'
    return box(1, 4, 58, 75, 7, edge) + box(1, 1, 58, 74, 7, face, line)


def document(parts: Sequence[str], title: str) -> str:
    """A whole SVG file."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"<title>{title}</title>{''.join(parts)}</svg>\n"
    )
