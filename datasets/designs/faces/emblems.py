"""Single large figures on flower and season tiles: blossoms, suns, leaves and flakes of snow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from datasets.designs.drawing.ink import curve, ellipse, leaf, pts
from datasets.designs.faces.plants import Brush


def draw_emblem(b: Brush) -> None:
    """Draw a random emblem in the middle of the face."""
    _KINDS[int(b.rng.integers(len(_KINDS)))](b, 0.5, b.face.height / 2, b.u(0.26, 0.4))


def _rosette(b: Brush, x: float, y: float, radius: float) -> None:
    """A blossom from the front: one to four rings of petals, few and round or many and thin."""
    petals = b.count(4, 22)
    rings = 1 if petals < 7 else b.count(1, 4)
    start = b.u(0, 90)
    for ring in range(rings):
        reach = radius * (1 - ring / (rings + 0.6))
        width = reach * min(0.9, b.u(4, 6) / petals)
        ink = (b.bloom, b.extra)[ring % 2 if b.rng.random() < 0.5 else 0]
        for angle in start + np.arange(petals) * 360 / petals + ring * 180 / petals:
            b.face.shape(leaf(x, y, reach, width, float(angle)), ink, b.outline)
    b.face.disc(x, y, radius * b.u(0.1, 0.25), b.extra)


def _rounded(b: Brush, x: float, y: float, radius: float) -> None:
    """A blossom of round petals."""
    petals = b.count(4, 6)
    for angle in np.deg2rad(b.u(0, 90) + np.arange(petals) * 360 / petals):
        at = x + np.cos(angle) * radius * 0.55, y + np.sin(angle) * radius * 0.55
        b.face.shape(ellipse(*at, radius * 0.42, radius * 0.42), b.bloom, b.outline)
    b.face.disc(x, y, radius * b.u(0.15, 0.3), b.extra)


def _sun(b: Brush, x: float, y: float, radius: float) -> None:
    """A disc in rays."""
    rays, inner = b.count(8, 20), radius * b.u(0.35, 0.6)
    thin = b.rng.random() < 0.5
    for angle in np.arange(rays) * 360 / rays:
        if thin:
            way = np.array([np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))])
            ends = np.array([x, y]) + way * [[inner * 1.25], [radius]]
            b.face.line(ends, b.bloom, 0.022)
        else:
            b.face.fill(leaf(x, y, radius, radius * 0.2, float(angle)), b.bloom)
    b.face.disc(x, y, inner, b.extra)


def _flake(b: Brush, x: float, y: float, radius: float) -> None:
    """A flake of snow."""
    for angle in np.deg2rad(np.arange(6) * 60 + 30):
        way, side = (
            np.array([np.cos(angle), np.sin(angle)]),
            np.array([-np.sin(angle), np.cos(angle)]),
        )
        b.face.line(np.array([x, y]) + way * [[0.0], [radius]], b.stem, 0.024)
        for share in (0.4, 0.65, 0.88):
            root = np.array([x, y]) + way * radius * share
            for turn in (-1, 1):
                tip = root + (way + side * turn) * radius * 0.2
                b.face.line(np.stack([root, tip]), b.stem, 0.018)


def _lobed(b: Brush, x: float, y: float, radius: float) -> None:
    """A leaf of five lobes on its stalk."""
    aim = b.u(60, 120)
    for turn, share in ((-110, 0.6), (-55, 0.85), (0, 1.0), (55, 0.85), (110, 0.6)):
        form = leaf(x, y, radius * 1.15 * share, radius * 0.5, aim + turn)
        b.face.shape(form, b.bloom, b.outline)
    end = x - np.cos(np.deg2rad(aim)) * radius, y + np.sin(np.deg2rad(aim)) * radius
    b.face.line(curve([(x, y), (x, y + radius / 2), end]), b.stem, 0.024)


def _butterfly(b: Brush, x: float, y: float, radius: float) -> None:
    """A butterfly with spread wings."""
    for angle, share in ((35, 1.1), (145, 1.1), (-40, 0.85), (220, 0.85)):
        wing = leaf(x, y, radius * share, radius * 0.75, angle)
        b.face.shape(wing, b.bloom, b.outline)
        b.face.shape(leaf(x, y, radius * share * 0.7, radius * 0.4, angle), b.extra, 0.014)
    b.face.line(pts((x, y - radius * 0.4), (x, y + radius * 0.5)), b.stem, 0.035)


def _tree(b: Brush, x: float, y: float, radius: float) -> None:
    """A tree with a round crown, or bare."""
    foot = y + radius * 1.2
    b.face.brush(pts((x, foot), (x, y)), b.stem, radius * 0.3, radius * 0.16)
    for _ in range(b.count(6, 14)):
        angle, reach = b.u(0, 2 * np.pi), radius * b.u(0.4, 0.95)
        tip = x + np.cos(angle) * reach, y - radius * 0.25 + np.sin(angle) * reach * 0.8
        b.face.brush(curve([(x, y + radius * 0.3), (x, y), tip]), b.stem, 0.03, 0.01)
    for _ in range(b.count(0, 40)):
        angle, reach = b.u(0, 2 * np.pi), radius * float(np.sqrt(b.rng.random()))
        at = x + np.cos(angle) * reach, y - radius * 0.25 + np.sin(angle) * reach
        b.face.disc(*at, radius * b.u(0.08, 0.2), b.bloom)


_KINDS: Final[tuple[Callable[[Brush, float, float, float], None], ...]] = (
    _rosette,
    _rosette,
    _rounded,
    _sun,
    _flake,
    _lobed,
    _butterfly,
    _tree,
)
