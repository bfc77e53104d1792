"""Plants on flower and season tiles, each drawn from its own generator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from datasets.designs.drawing.design import Bgr
from datasets.designs.drawing.ink import Face, curve, ellipse, leaf, pts
from datasets.designs.drawing.palette import Rng


@dataclass(frozen=True, slots=True)
class Brush:
    """A picture to be drawn, with its inks.

    Attributes:
        face: the face to draw on.
        rng: the picture's own generator.
        stem, leaf, bloom, extra: inks.
        outline: stroke width where shapes are outlined, 0 where they are filled.
    """

    face: Face
    rng: Rng
    stem: Bgr
    leaf: Bgr
    bloom: Bgr
    extra: Bgr
    outline: float

    def u(self, low: float, high: float) -> float:
        """A random number."""
        return float(self.rng.uniform(low, high))

    def count(self, low: int, high: int) -> int:
        """A random whole number, ``high`` included."""
        return int(self.rng.integers(low, high + 1))


def plum(b: Brush) -> None:
    """A gnarled branch with round five-petalled blossoms."""
    lean = b.u(-0.2, 0.2)
    trunk = [(0.5 - lean, 1.24), (0.42 + lean, 1.0), (0.56 - lean / 2, 0.75), (0.48 + lean, 0.45)]
    b.face.brush(curve(trunk), b.stem, 0.05, 0.014)
    spots = [(0.48 + lean, 0.45)]
    for x, y in trunk[1:3]:
        for side in (-1, 1):
            end = (x + side * b.u(0.16, 0.32), y - b.u(0.08, 0.26))
            b.face.brush(curve([(x, y), ((x + end[0]) / 2, y - 0.03), end]), b.stem, 0.026, 0.01)
            spots.append(end)
    for x, y in spots:
        if b.rng.random() < 0.75:
            blossom(b, x, y, b.u(0.07, 0.13), 5)
        else:
            b.face.disc(x, y, 0.03, b.bloom)


def orchid(b: Brush) -> None:
    """Long arching blades from one foot, with a small bloom."""
    foot = (b.u(0.42, 0.58), 1.22)
    for _ in range(b.count(4, 8)):
        reach, top = b.u(-0.42, 0.42), b.u(0.45, 0.95)
        tip = (min(0.95, max(0.05, foot[0] + reach)), top + abs(reach) * 0.5)
        path = curve([foot, (foot[0] + reach * 0.35, (foot[1] + top) / 2 - 0.05), tip])
        b.face.brush(path, b.leaf, 0.034, 0.01)
    for _ in range(b.count(1, 3)):
        x, y = foot[0] + b.u(-0.22, 0.22), b.u(0.5, 0.85)
        b.face.line(curve([foot, (foot[0] + 0.02, 1.0), (x, y)]), b.stem, 0.014)
        for angle in np.linspace(20, 200, b.count(3, 5)):
            b.face.shape(leaf(x, y, b.u(0.1, 0.16), 0.06, angle), b.bloom, b.outline)


def chrysanthemum(b: Brush) -> None:
    """A large bloom of many narrow petals over lobed leaves."""
    x, y = b.u(0.4, 0.6), b.u(0.58, 0.78)
    b.face.line(curve([(x, y), (0.5, 1.0), (b.u(0.4, 0.6), 1.24)]), b.stem, 0.022)
    for _ in range(b.count(2, 5)):
        b.face.shape(leaf(0.5, b.u(0.95, 1.15), 0.28, 0.13, b.u(-30, 210)), b.leaf, b.outline)
    radius = b.u(0.18, 0.26)
    rows = b.count(1, 3)
    for row in range(rows):
        size = radius * (1 - row / (rows + 0.6))
        for angle in np.arange(0, 360, 360 / b.count(10, 16)) + row * 9:
            b.face.shape(leaf(x, y, size, size * 0.42, float(angle)), b.bloom, b.outline * 0.8)
    b.face.disc(x, y, radius * 0.22, b.extra)
    if b.rng.random() < 0.5:
        blossom(b, b.u(0.15, 0.85), b.u(0.9, 1.05), 0.07, 8)


def bamboo(b: Brush) -> None:
    """Jointed stalks with sprays of pointed leaves."""
    for _ in range(b.count(1, 3)):
        x, lean, width = b.u(0.3, 0.7), b.u(-0.25, 0.25), b.u(0.035, 0.09)
        joints = b.count(3, 5)
        ends = [(x + lean * t, 1.24 - 0.95 * t) for t in np.linspace(0, 1, joints + 1)]
        for (x0, y0), (x1, y1) in pairwise(ends):
            gap = 0.015
            if b.outline:
                side = width / 2
                b.face.line(pts((x0 - side, y0 - gap), (x1 - side, y1 + gap)), b.stem, b.outline)
                b.face.line(pts((x0 + side, y0 - gap), (x1 + side, y1 + gap)), b.stem, b.outline)
            else:
                b.face.line(pts((x0, y0 - gap), (x1, y1 + gap)), b.stem, width * 0.8)
            b.face.line(pts((x1 - width * 0.6, y1), (x1 + width * 0.6, y1)), b.stem, 0.016)
        for x1, y1 in ends[1:]:
            base = b.u(-60, 240)
            for turn in (-28, 0, 28)[: b.count(1, 3)]:
                b.face.shape(leaf(x1, y1, b.u(0.16, 0.27), 0.06, base + turn), b.leaf, b.outline)


def peony(b: Brush) -> None:
    """One big layered bloom with broad leaves."""
    x, y, radius = b.u(0.42, 0.58), b.u(0.62, 0.8), b.u(0.17, 0.26)
    b.face.line(curve([(x, y), (0.52, 1.05), (b.u(0.3, 0.7), 1.24)]), b.stem, 0.022)
    for _ in range(b.count(3, 6)):
        angle = b.u(0, 360)
        dx, dy = float(np.cos(np.deg2rad(angle))), float(np.sin(np.deg2rad(angle)))
        b.face.shape(leaf(x + dx * radius, y - dy * radius, 0.22, 0.12, angle), b.leaf, b.outline)
    petals = b.count(5, 8)
    for row in range(b.count(2, 3)):
        size = radius * (1 - 0.33 * row)
        for angle in np.arange(petals) * 360 / petals + row * 25:
            dx, dy = float(np.cos(np.deg2rad(angle))), float(np.sin(np.deg2rad(angle)))
            petal = ellipse(x + dx * size * 0.6, y - dy * size * 0.6, size * 0.5, size * 0.4, angle)
            b.face.fill(petal, b.face.paper)
            b.face.shape(petal, b.bloom, b.outline or 0.014)
    b.face.disc(x, y, radius * 0.25, b.extra)


def lotus(b: Brush) -> None:
    """A lotus on its stalk above a floating leaf."""
    x, y = b.u(0.4, 0.6), b.u(0.6, 0.75)
    b.face.line(curve([(x, y), (x + 0.05, 0.95), (0.5, 1.2)]), b.stem, 0.022)
    b.face.shape(ellipse(b.u(0.35, 0.65), 1.12, 0.3, 0.1), b.leaf, b.outline)
    for angle in np.linspace(15, 165, b.count(5, 9)):
        b.face.fill(leaf(x, y + 0.1, 0.26, 0.11, float(angle)), b.face.paper)
        b.face.shape(leaf(x, y + 0.1, 0.26, 0.11, float(angle)), b.bloom, b.outline or 0.016)
    for _ in range(b.count(1, 3)):
        wave = b.u(0.1, 0.6)
        b.face.line(curve([(wave, 1.24), (wave + 0.15, 1.21), (wave + 0.3, 1.24)]), b.extra, 0.014)


def fruit(b: Brush) -> None:
    """A spray with round fruit and leaves."""
    path = curve([(b.u(0.3, 0.7), 1.22), (b.u(0.35, 0.65), 0.9), (b.u(0.3, 0.7), 0.5)])
    b.face.brush(path, b.stem, 0.034, 0.012)
    for x, y in path[3 :: max(2, len(path) // b.count(4, 7))]:
        b.face.shape(
            leaf(float(x), float(y), b.u(0.16, 0.24), 0.09, b.u(0, 360)), b.leaf, b.outline
        )
    for _ in range(b.count(2, 5)):
        x, y = b.u(0.25, 0.75), b.u(0.7, 1.05)
        radius = b.u(0.06, 0.11)
        b.face.disc(x, y, radius, b.face.paper if b.outline else b.bloom)
        b.face.ring(x, y, radius, b.bloom, b.outline or 0.01)
        b.face.disc(x, y - radius * 0.2, radius * 0.3, b.extra)


def narcissus(b: Brush) -> None:
    """Upright blades and a star-shaped bloom."""
    for _ in range(b.count(4, 7)):
        x = b.u(0.35, 0.65)
        b.face.brush(
            curve([(x, 1.22), (x, 0.95), (x + b.u(-0.22, 0.22), b.u(0.55, 0.8))]),
            b.leaf,
            0.04,
            0.01,
        )
    for _ in range(b.count(1, 3)):
        x, y = b.u(0.25, 0.75), b.u(0.5, 0.8)
        b.face.line(curve([(x, y), (0.5, 1.0), (0.5, 1.2)]), b.stem, 0.015)
        blossom(b, x, y, b.u(0.1, 0.15), 6)


def blossom(b: Brush, x: float, y: float, radius: float, petals: int) -> None:
    """A flower of round petals with a heart."""
    for angle in np.arange(petals) * 2 * np.pi / petals + b.u(0, 1):
        px, py = x + radius * 0.62 * float(np.cos(angle)), y + radius * 0.62 * float(np.sin(angle))
        size = radius * (0.46 if petals < 7 else 0.34)
        b.face.disc(px, py, size, b.face.paper if b.outline else b.bloom)
        if b.outline:
            b.face.ring(px, py, size, b.bloom, b.outline)
    b.face.disc(x, y, radius * 0.28, b.extra if b.outline else b.face.paper)


FLOWERS: Final[tuple[Callable[[Brush], None], ...]] = (plum, orchid, chrysanthemum, bamboo)
SEASONS: Final[tuple[Callable[[Brush], None], ...]] = (peony, lotus, fruit, narcissus)
