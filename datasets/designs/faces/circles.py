"""The circles suit: wheels of rings, petals, dots and spokes in the usual arrangements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from datasets.designs.drawing.design import Bgr
from datasets.designs.drawing.ink import Face, ellipse, leaf, pts
from datasets.designs.drawing.palette import Palette, Rng

Kind = Literal["disc", "ring", "petals", "dots", "spokes", "scallop", "square", "cross"]

LAYOUTS: Final[dict[int, tuple[tuple[float, float], ...]]] = {
    2: ((0, -1), (0, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0.12), (1, 0.12), (-1, 1), (1, 1)),
    7: ((-1.15, -1.1), (0, -0.8), (1.15, -0.5), (-0.8, 0.25), (0.8, 0.25), (-0.8, 1), (0.8, 1)),
    8: tuple((x, y) for y in (-1, -1 / 3, 1 / 3, 1) for x in (-0.8, 0.8)),
    9: tuple((x, y) for y in (-1, 0, 1) for x in (-1.15, 0, 1.15)),
}
_RADII: Final = {2: 0.2, 3: 0.165, 4: 0.17, 5: 0.155, 6: 0.155, 7: 0.132, 8: 0.145, 9: 0.142}


@dataclass(frozen=True, slots=True)
class Part:
    """One layer of a wheel; radii are fractions of the wheel's.

    Attributes:
        kind: kind of the layer, such as ``ring`` or ``petals``.
        radius: outer radius, or the radius of a ring's middle.
        width: width of strokes and petals.
        ink: index of the wheel's colour; -1 is the paper.
        count: number of petals, dots or spokes.
    """

    kind: Kind
    radius: float
    width: float
    ink: int
    count: int = 0


@dataclass(frozen=True, slots=True)
class CircleStyle:
    """The circles of a tile set."""

    small: tuple[Part, ...]
    big: tuple[Part, ...]
    big_radius: float
    big_inks: tuple[Bgr, ...]
    scale: float
    same_size: bool
    mirrored: bool
    spread: tuple[float, float]
    colours: dict[int, tuple[Bgr, ...]]
    second_ink: Bgr | None


def sample_circles(rng: Rng, palette: Palette) -> CircleStyle:
    """A style for the suit."""
    inks = [palette.red, palette.green, palette.second]
    rng.shuffle(inks)
    big_inks = tuple(inks) if rng.random() < 0.8 else (inks[0],) * 3
    small = _SMALL[int(rng.integers(len(_SMALL)))] if rng.random() < 0.5 else _recipe(rng, 0.14, 1)
    return CircleStyle(
        small=small,
        big=small if rng.random() < 0.08 else _big(rng),
        big_radius=float(rng.uniform(0.29, 0.43)),
        big_inks=big_inks,
        scale=float(rng.uniform(0.88, 1.08)),
        same_size=bool(rng.random() < 0.2),
        mirrored=bool(rng.random() < 0.05),
        spread=(float(rng.uniform(0.9, 1.08)), float(rng.uniform(0.88, 1.04))),
        colours=_colours(rng, palette),
        second_ink=palette.red if rng.random() < 0.12 else None,
    )


def draw_circles(face: Face, number: int, style: CircleStyle) -> None:
    """Draw 1-9 circles."""
    middle = face.height / 2
    if number == 1:
        wheel(face, 0.5, middle, style.big_radius, style.big, style.big_inks)
        return
    radius = (0.142 if style.same_size else _RADII[number]) * style.scale
    reach_y = (middle - 0.09 - _RADII[number]) * style.spread[1]
    reach_x = {2: 0.0, 3: 0.26, 9: 0.25, 7: 0.245}.get(number, 0.2) * style.spread[0]
    if number == 9:
        reach_x = max(reach_x, radius * 1.78)
    if style.mirrored:
        reach_x = -reach_x
    if number == 2:
        reach_y *= 0.82
    for (x, y), colour in zip(LAYOUTS[number], style.colours[number], strict=True):
        inks = (colour, style.second_ink or colour, colour)
        wheel(face, 0.5 + x * reach_x, middle + y * reach_y, radius, style.small, inks)


def wheel(
    face: Face, x: float, y: float, radius: float, parts: tuple[Part, ...], inks: tuple[Bgr, ...]
) -> None:
    """Draw one wheel, its parts from the first to the last."""
    for part in parts:
        colour = face.paper if part.ink < 0 else inks[part.ink % len(inks)]
        r, width = part.radius * radius, part.width * radius
        if part.kind == "disc":
            face.disc(x, y, r, colour)
        elif part.kind == "ring":
            face.ring(x, y, r, colour, width)
        elif part.kind == "square":
            face.fill(pts((x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)), colour)
        elif part.kind == "cross":
            for angle in (0.0, 90.0):
                face.fill(ellipse(x, y, r, width, angle + 45), colour)
        else:
            _around(face, (x, y), part, r, width, colour)


def _around(
    face: Face, centre: tuple[float, float], part: Part, r: float, width: float, colour: Bgr
) -> None:
    """Draw the petals, dots or spokes that repeat around the wheel."""
    x, y = centre
    for angle in np.arange(part.count) * 360 / part.count:
        dx, dy = float(np.cos(np.deg2rad(angle))), float(np.sin(np.deg2rad(angle)))
        if part.kind == "petals":
            start = r * 0.25
            face.fill(leaf(x + dx * start, y - dy * start, r - start, width, angle), colour)
        elif part.kind == "dots":
            face.disc(x + dx * r, y + dy * r, width / 2, colour)
        elif part.kind == "scallop":
            face.ring(x + dx * r, y + dy * r, width / 2, colour, width * 0.3)
        else:
            inner = r * 0.35
            face.line(
                pts((x + dx * inner, y + dy * inner), (x + dx * r, y + dy * r)), colour, width
            )


def _recipe(rng: Rng, line: float, inks: int) -> tuple[Part, ...]:
    """Random layers from the rim inward; ``line`` is the usual stroke width."""
    parts: list[Part] = []
    r = 1.0
    while r > 0.16:
        width = line * float(rng.uniform(0.7, 1.5))
        ink = int(rng.integers(inks))
        roll = rng.random()
        if roll < 0.42 or r == 1.0:
            parts.append(Part("ring", r - width / 2, width, ink))
            r -= width * float(rng.uniform(1.5, 2.2))
        elif roll < 0.56 and r > 0.5:
            depth = min(r * 0.8, float(rng.uniform(0.22, 0.36)) if inks > 1 else r)
            count = int(rng.integers(8, 19)) if r > 0.6 and inks > 1 else int(rng.integers(5, 9))
            spread = 2 * np.pi * r / count * float(rng.uniform(0.5, 0.85))
            if rng.random() < 0.5:
                parts.append(Part("disc", r, 0, ink))
                ink = -1
            parts.append(Part("petals", r * 0.96, float(spread), ink, count))
            r -= depth
            parts.append(Part("disc", r, 0, -1))
            r -= line * 0.4
        elif roll < 0.68 and r > 0.45:
            size = float(rng.uniform(0.14, 0.24))
            count = max(5, int(2 * np.pi * (r - size / 2) / size * rng.uniform(0.55, 0.85)))
            kind: Kind = "dots" if rng.random() < 0.6 else "scallop"
            parts.append(Part(kind, r - size / 2, size, ink, count))
            r -= size * 1.25
        elif roll < 0.76 and r > 0.5:
            parts.append(Part("spokes", r, width * 0.8, ink, int(rng.integers(5, 13))))
            r *= 0.5
        else:
            parts.append(Part("disc", r, 0, ink))
            parts.append(_centre(rng, r, line))
            break
    return tuple(parts)


def _big(rng: Rng) -> tuple[Part, ...]:
    """The wheel of the one: mostly a rim, a band of petals, dots or spokes, and a heart."""
    if rng.random() < 0.35:
        return _recipe(rng, 0.07, 3)
    rim, band, heart = (int(ink) for ink in rng.permutation(3))
    line = float(rng.uniform(0.05, 0.1))
    parts = [Part("ring", 1 - line / 2, line, rim)]
    if rng.random() < 0.4:
        parts.append(Part("ring", 1 - line * 2.2, line * 0.6, rim))
    outer = 1 - line * float(rng.uniform(1.4, 3.0))
    count = int(rng.integers(10, 24))
    filled = rng.random() < 0.4
    if filled:
        parts.append(Part("disc", outer, 0, band))
    kinds: tuple[Kind, ...] = ("petals", "spokes", "dots", "scallop")
    kind = kinds[int(rng.choice(4, p=[0.5, 0.15, 0.2, 0.15]))]
    width = 2 * np.pi * outer / count * float(rng.uniform(0.45, 0.85))
    if kind == "spokes":
        width *= 0.5
    reach = outer * 0.97 if kind in ("petals", "spokes") else outer - width / 2
    parts.append(Part(kind, reach, float(width), -1 if filled else band, count))
    inner = outer * float(rng.uniform(0.42, 0.6))
    parts.append(Part("disc", inner, 0, -1))
    parts.append(Part("ring", inner - line / 2, line, band if rng.random() < 0.5 else rim))
    core = inner - line * 1.7
    if rng.random() < 0.5:
        parts += [Part("disc", core, 0, heart), _centre(rng, core, line)]
    else:
        parts.append(Part("petals", core, core * 0.6, heart, int(rng.integers(4, 9))))
        parts.append(Part("disc", core * 0.25, 0, rim))
    return tuple(parts)


def _centre(rng: Rng, r: float, line: float) -> Part:
    """The figure in paper colour inside a filled middle."""
    choices = (
        Part("ring", r * 0.5, line, -1),
        Part("petals", r * 0.85, r * 0.5, -1, int(rng.integers(4, 7))),
        Part("disc", r * 0.35, 0, -1),
        Part("cross", r * 0.75, r * 0.2, -1),
        Part("square", r * 0.33, 0, -1),
        Part("dots", r * 0.55, r * 0.35, -1, int(rng.integers(4, 7))),
    )
    return choices[int(rng.integers(len(choices)))]


def _colours(rng: Rng, palette: Palette) -> dict[int, tuple[Bgr, ...]]:
    """The colour of each circle of each number."""
    red, green, second = palette.inks
    if rng.random() < 0.06 and not palette.red_fives:
        one = (red, green, second)[int(rng.integers(3))]
        return {number: (one,) * number for number in LAYOUTS}
    a, b = (green, second) if rng.random() < 0.6 else (second, green)
    if rng.random() < 0.15:
        b = a
    top, low = (a, red) if rng.random() < 0.8 else (red, a)
    three = (a, red, b) if rng.random() < 0.7 else (a, red, a)
    rows = [(a, red, b), (b, red, a), (a, red, a), (red, a, b)][
        int(rng.choice(4, p=[0.4, 0.3, 0.2, 0.1]))
    ]
    corners = (a, b, b, a) if rng.random() < 0.65 else (a, a, a, a)
    return {
        2: (a, b) if rng.random() < 0.75 else (b, b),
        3: three,
        4: corners,
        5: (red,) * 5 if palette.red_fives else (*corners[:2], red, *corners[2:]),
        6: (top,) * 2 + (low,) * 4,
        7: (top,) * 3 + (low,) * 4,
        8: (second,) * 8 if rng.random() < 0.85 else (green,) * 8,
        9: tuple(row for row in rows for _ in range(3)),
    }


_SMALL: Final[tuple[tuple[Part, ...], ...]] = (
    (Part("ring", 0.92, 0.14, 0), Part("disc", 0.7, 0, 0), Part("ring", 0.38, 0.12, -1)),
    (Part("ring", 0.92, 0.14, 0), Part("ring", 0.58, 0.14, 0), Part("disc", 0.28, 0, 1)),
    (Part("disc", 1, 0, 0), Part("ring", 0.7, 0.13, -1), Part("ring", 0.34, 0.12, -1)),
    (Part("disc", 1, 0, 0), Part("ring", 0.66, 0.14, -1), Part("disc", 0.2, 0, -1)),
    (Part("disc", 1, 0, 0), Part("petals", 0.8, 0.42, -1, 6), Part("disc", 0.2, 0, 1)),
    (Part("ring", 0.92, 0.14, 0), Part("petals", 0.78, 0.4, 0, 6)),
    (Part("ring", 0.92, 0.15, 0), Part("disc", 0.5, 0, 1)),
    (Part("disc", 1, 0, 0),),
    (Part("disc", 1, 0, 0), Part("square", 0.34, 0, -1)),
    (Part("disc", 1, 0, 0), Part("dots", 0.6, 0.34, -1, 6), Part("disc", 0.2, 0, -1)),
    (Part("ring", 0.92, 0.12, 0), Part("spokes", 0.9, 0.12, 0, 8), Part("disc", 0.3, 0, 0)),
    (Part("ring", 0.93, 0.12, 0), Part("dots", 0.6, 0.28, 0, 7), Part("disc", 0.22, 0, 1)),
    (Part("disc", 1, 0, 0), Part("cross", 0.75, 0.16, -1)),
)
