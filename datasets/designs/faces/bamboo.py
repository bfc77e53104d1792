"""The bamboo suit from 2 to 9: sticks of several makes in the usual arrangements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np

from datasets.designs.drawing.design import Bgr
from datasets.designs.drawing.ink import Face, Points, ellipse, leaf, place, pts
from datasets.designs.drawing.palette import Palette, Rng

Make = Literal["capsule", "bone", "round", "bars", "lines", "leaf", "plain"]
Eight = Literal["zigzag", "zigzag-up", "columns", "rows", "pairs"]
One = Literal["bird", "stick", "peacock"]
Place = tuple[float, float, float, float]
"""A stick: x and y in -1 to 1, length as a share of the height, lean as a share of the width."""


@dataclass(frozen=True, slots=True)
class BambooStyle:
    """How one set draws its sticks; lengths in units of the face's width.

    Attributes:
        make: the build of a stick.
        knots: number of segments.
        slim: width of a stick relative to the usual.
        core: width of the light line inside, as a fraction of the stick's width; 0 for none.
        through: whether that line runs through the whole stick instead of each segment.
        hollow: whether segments are outlines.
        scale: size of the whole arrangement.
        colours: for each number the colour of each stick.
        eight: arrangement of the eight.
        knot_ink: colour of the knots.
        one: picture of the one: any bird, a lone stick, or a peacock with a tail full of eyes.
        others: name of the unusual arrangement of each number that has one.
        fill: length of the sticks relative to the usual; at about 1.17 they touch.
    """

    make: Make
    knots: int
    slim: float
    core: float
    through: bool
    hollow: bool
    scale: tuple[float, float]
    colours: dict[int, tuple[Bgr, ...]]
    eight: Eight
    knot_ink: Bgr | None
    one: One = "bird"
    others: Mapping[int, int] = field(default_factory=dict)
    fill: float = 1.0


def sample_bamboo(rng: Rng, palette: Palette) -> BambooStyle:
    """A style for the suit."""
    makes: list[Make] = ["capsule", "bone", "round", "bars", "lines", "leaf", "plain"]
    return BambooStyle(
        make=makes[int(rng.choice(7, p=[0.46, 0.18, 0.1, 0.1, 0.07, 0.04, 0.05]))],
        knots=int(rng.choice([2, 3, 4], p=[0.5, 0.38, 0.12])),
        slim=float(rng.uniform(0.95, 1.5)),
        core=float(rng.choice([0.0, 0.16, 0.24, 0.34], p=[0.25, 0.25, 0.3, 0.2])),
        through=bool(rng.random() < 0.5),
        hollow=bool(rng.random() < 0.18),
        scale=(float(rng.uniform(0.85, 1.08)), float(rng.uniform(0.86, 1.03))),
        colours=_colours(rng, palette),
        eight=("zigzag", "zigzag-up", "columns", "rows")[
            int(rng.choice(4, p=[0.22, 0.52, 0.18, 0.08]))
        ],
        knot_ink=(palette.red if rng.random() < 0.5 else palette.accent)
        if rng.random() < 0.08
        else None,
    )


def draw_bamboo(face: Face, number: int, style: BambooStyle) -> None:
    """Draw 2-9 sticks."""
    if number in style.others:
        sticks = OTHERS[number][style.others[number]]
    else:
        sticks = _arrangement(number, style.eight)
    middle = face.height / 2
    room_x, room_y = 0.4 * style.scale[0], (middle - 0.1) * style.scale[1]
    width = {2: 0.13, 3: 0.13, 4: 0.125, 5: 0.12, 6: 0.115, 7: 0.105, 8: 0.11, 9: 0.105}[number]
    for (x, y, length, lean), colour in zip(sticks, style.colours[number], strict=True):
        if lean:
            dx, dy = lean * 2 * room_x, length * 2 * room_y
            size, angle = float(np.hypot(dx, dy)), float(np.degrees(np.arctan2(dx, dy)))
        else:
            size, angle = length * style.fill * 2 * room_y, 0.0
        centre = (0.5 + x * room_x, middle + y * room_y)
        stick(face, centre, (width * style.slim, size), angle, colour, style)


def stick(
    face: Face,
    centre: tuple[float, float],
    size: tuple[float, float],
    angle: float,
    colour: Bgr,
    style: BambooStyle,
) -> None:
    """Draw one stick of a width and length, upright and then turned by degrees."""
    width, length = size
    outline = width * 0.28 if style.hollow else 0.0
    segment = length / style.knots
    middles = [-length / 2 + (index + 0.5) * segment for index in range(style.knots)]

    def put(points: Points) -> Points:
        return place(points, centre[0], centre[1], angle)

    if style.make == "plain":
        face.shape(put(_bar(0, width * 0.7, length)), colour, outline)
    elif style.make == "lines":
        for x in (-width * 0.3, width * 0.3):
            face.line(put(pts((x, -length / 2), (x, length / 2))), colour, width * 0.24)
    else:
        for y in middles:
            face.shape(put(_segment(style, y, width, segment)), colour, outline)
    if style.core and not outline and style.make in ("capsule", "bone", "round", "bars"):
        half = length / 2 - width * 0.35 if style.through else segment * 0.3
        for y in (0.0,) if style.through else middles:
            line = put(pts((0, y - half), (0, y + half)))
            face.line(line, face.paper, width * style.core * 0.8)
    if style.make in ("bone", "lines", "plain"):
        for y in np.linspace(-length / 2, length / 2, style.knots + 1):
            knot = put(pts((-width * 0.4, float(y)), (width * 0.4, float(y))))
            face.line(knot, style.knot_ink or colour, width * 0.22)


def _segment(style: BambooStyle, y: float, width: float, length: float) -> Points:
    """The outline of one segment of a stick around (0, y)."""
    if style.make == "bone":
        return _bone(y, width * 0.62, length)
    if style.make == "capsule":
        overlap = 0.0 if style.hollow else width * 0.15
        return _capsule(y, width * 0.85, length + overlap)
    if style.make == "round":
        return ellipse(0, y, width * 0.46, length * 0.5)
    if style.make == "bars":
        return _bar(y, width * 0.8, length * 0.84)
    return leaf(0, y + length / 2, length, width * 1.1, 90)


def _bar(y: float, width: float, length: float) -> Points:
    """A rectangle with cut corners around (0, y)."""
    w, h, cut = width / 2, length / 2, min(width, length) * 0.25
    return pts(
        (-w, y - h + cut),
        (-w + cut, y - h),
        (w - cut, y - h),
        (w, y - h + cut),
        (w, y + h - cut),
        (w - cut, y + h),
        (-w + cut, y + h),
        (-w, y + h - cut),
    )


def _capsule(y: float, width: float, length: float) -> Points:
    """A segment with round ends."""
    turn = np.linspace(0, np.pi, 12)
    radius = min(width, length) / 2
    low = np.stack([radius * np.cos(turn), y + length / 2 - radius + radius * np.sin(turn)], 1)
    high = np.stack([-radius * np.cos(turn), y - length / 2 + radius - radius * np.sin(turn)], 1)
    return np.concatenate([low, high])


def _bone(y: float, width: float, length: float) -> Points:
    """A segment with a waist, wide at its two ends."""
    t = np.linspace(-1, 1, 13)
    half = width / 2 * (0.78 + 0.42 * t**4)
    left = np.stack([-half, y + t * length / 2], 1)
    return np.concatenate([left, (left * (-1, 1))[::-1]])


def _arrangement(number: int, eight: Eight) -> list[Place]:
    """The places of the sticks of a number."""
    row, pair, wide = (-0.85, 0.0, 0.85), (-0.6, 0.6), (-0.75, 0.75)
    upper, lower = -0.54, 0.54
    arrangements = {
        2: _long((0,), upper) + _long((0,), lower),
        3: _long((0,), upper) + _long(pair, lower),
        4: _long(pair, upper) + _long(pair, lower),
        5: _long(wide, upper) + _long((0,), 0) + _long(wide, lower),
        6: _long(row, upper) + _long(row, lower),
        7: _short((0,), -0.7) + _short(row, 0) + _short(row, 0.7),
        9: _short(row, -0.7) + _short(row, 0) + _short(row, 0.7),
    }
    if number != 8:
        return arrangements[number]
    if eight == "columns":
        columns = (-0.99, -0.33, 0.33, 0.99)
        return _long(columns, upper) + _long(columns, lower)
    if eight == "pairs":
        return _pairs(4)
    if eight == "rows":
        return _short(row, -0.7) + _short((-0.45, 0.45), 0) + _short(row, 0.7)
    inner = 0.3 if eight == "zigzag" else -0.3
    top: list[Place] = [(-0.92, -0.52, 0.42, 0), (0.92, -0.52, 0.42, 0)]
    top += [(-0.38, upper, 0.36, inner), (0.38, upper, 0.36, -inner)]
    return top + [(x, -y, length, -lean) for x, y, length, lean in top]


def _long(columns: tuple[float, ...], y: float) -> list[Place]:
    """Upright sticks of nearly half the height."""
    return [(x, y, 0.46, 0) for x in columns]


def _short(columns: tuple[float, ...], y: float) -> list[Place]:
    """Upright sticks of nearly a third of the height."""
    return [(x, y, 0.3, 0) for x in columns]


def _pairs(rows: int) -> list[Place]:
    """Rows of two upright sticks, one above the other."""
    y = np.linspace(-1, 1, 2 * rows + 1)[1::2]
    return [(x, float(at), 0.88 / rows, 0) for at in y for x in (-0.6, 0.6)]


OTHERS: Final[Mapping[int, tuple[list[Place], ...]]] = {
    2: (_long((-0.45, 0.45), 0),),
    6: (_pairs(3),),
    7: (
        _short((-0.45, 0.45), -0.7) + _short((-0.85, 0, 0.85), 0) + _short((-0.45, 0.45), 0.7),
        [(0, -0.75, 0.22, 0), *((x, y * 0.75 + 0.25, 0.22, 0) for x, y, *_ in _pairs(3))],
    ),
}
"""Arrangements that only some sets have."""


def _colours(rng: Rng, palette: Palette) -> dict[int, tuple[Bgr, ...]]:
    """The colour of each stick of each number."""
    green, red = palette.green, palette.red
    if rng.random() < 0.05:
        green = palette.blue if rng.random() < 0.5 else palette.black
    other = palette.blue if rng.random() < 0.3 else green
    plain = {number: (green,) * number for number in range(2, 10)}
    if rng.random() < 0.05 and not palette.red_fives:
        return plain
    five = (red,) * 5 if palette.red_fives else (green, green, red, green, green)
    seven = (red, *((green, other, green) * 2))
    if rng.random() < 0.25:
        seven = (red, *((green, red, green) * 2))
    nine = (green, red, green) * 3
    if rng.random() < 0.12:
        nine = (red,) * 3 + (other,) * 3 + (green,) * 3
    two = (other, green) if rng.random() < 0.3 else (green, green)
    three = (other, green, green) if rng.random() < 0.3 else (green,) * 3
    four = (other, green, green, other) if rng.random() < 0.2 else (green,) * 4
    six = (green,) * 3 + (other,) * 3 if rng.random() < 0.2 else (green,) * 6
    return plain | {2: two, 3: three, 4: four, 5: five, 6: six, 7: seven, 9: nine}
