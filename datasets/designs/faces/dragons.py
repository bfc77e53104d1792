"""Picture dragons and jokers, as in American tile sets."""

from __future__ import annotations

import numpy as np

from datasets.designs.drawing.design import Bgr
from datasets.designs.drawing.ink import Face, curve, ellipse, leaf, pts
from datasets.designs.drawing.palette import Palette, Rng


def draw_dragon(face: Face, rng: Rng, ink: Bgr) -> None:
    """A rearing dragon; the same generator gives the same beast in another ink."""
    middle = face.height / 2 + 0.04
    sway, girth = float(rng.uniform(0.1, 0.17)), float(rng.uniform(0.1, 0.15))
    outlined = rng.random() < 0.6
    spine = curve(
        [
            (0.52, middle - 0.42),
            (0.42, middle - 0.26),
            (0.5 - sway / 2, middle - 0.08),
            (0.5 + sway, middle + 0.14),
            (0.48 + sway / 2, middle + 0.34),
            (0.62, middle + 0.46),
            (0.78, middle + 0.32),
        ]
    )
    along = np.gradient(spine, axis=0)
    normal = np.stack([-along[:, 1], along[:, 0]], 1)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    for index in range(4, len(spine) - 6, int(rng.integers(4, 7))):
        root = spine[index] - normal[index] * girth * 0.45
        angle = float(np.degrees(np.arctan2(normal[index, 1], -normal[index, 0])))
        face.fill(leaf(float(root[0]), float(root[1]), 0.09, 0.05, angle), ink)
    face.brush(spine, ink, girth, girth * 0.25)
    if outlined:
        face.brush(spine, face.paper, girth * 0.62, girth * 0.05)
        for index in range(3, len(spine) - 8, 3):
            half = normal[index] * girth * 0.32
            face.line(np.stack([spine[index] - half, spine[index] + half]), ink, 0.012)
    for index, side in ((14, -1), (18, 1), (32, -1), (36, 1)):
        _leg(face, rng, spine[index], side, ink)
    _head(face, rng, (0.5, middle - 0.46), ink)


def draw_joker(face: Face, rng: Rng, palette: Palette) -> None:
    """A ring or a wreath full of loose strokes."""
    inks = [palette.green, palette.red, palette.second, palette.accent]
    first, second = inks[int(rng.integers(4))], inks[int(rng.integers(4))]
    x, y, radius = 0.5, face.height * 0.58, float(rng.uniform(0.3, 0.38))
    face.ring(x, y, radius, first, float(rng.uniform(0.015, 0.05)))
    for _ in range(int(rng.integers(14, 26))):
        angle, reach = rng.uniform(0, 2 * np.pi), radius * 0.8 * float(np.sqrt(rng.random()))
        start = np.array([x + np.cos(angle) * reach, y + np.sin(angle) * reach])
        steps = start + np.cumsum(rng.normal(0, 0.035, (3, 2)), axis=0)
        inside = np.hypot(steps[:, 0] - x, steps[:, 1] - y).max() < radius
        if inside:
            face.line(curve(steps), second, 0.018)


def _leg(
    face: Face, rng: Rng, at: np.ndarray[tuple[int, ...], np.dtype[np.float64]], side: int, ink: Bgr
) -> None:
    """A leg with three claws."""
    knee = (float(at[0]) + side * 0.13, float(at[1]) - float(rng.uniform(-0.02, 0.06)))
    foot = (knee[0] + side * 0.06, knee[1] + float(rng.uniform(-0.08, 0.1)))
    face.brush(curve([(float(at[0]), float(at[1])), knee, foot]), ink, 0.05, 0.028)
    for turn in (-40, 0, 40):
        aim = turn + (0 if side > 0 else 180)
        dx, dy = float(np.cos(np.deg2rad(aim))), float(np.sin(np.deg2rad(aim)))
        face.line(pts(foot, (foot[0] + dx * 0.06, foot[1] + dy * 0.06)), ink, 0.016)


def _head(face: Face, rng: Rng, at: tuple[float, float], ink: Bgr) -> None:
    """A head looking left with jaws, whiskers, horns and mane."""
    x, y = at
    for angle in np.linspace(20, 110, int(rng.integers(3, 6))):
        face.fill(leaf(x + 0.04, y, 0.16, 0.04, float(angle)), ink)
    face.fill(ellipse(x, y, 0.1, 0.085), ink)
    face.fill(leaf(x + 0.02, y + 0.01, 0.25, 0.07, 168), ink)
    face.fill(leaf(x + 0.02, y + 0.05, 0.21, 0.05, 196), ink)
    for rise in (-0.1, 0.08):
        end = (x - 0.32, y + rise)
        face.line(curve([(x - 0.14, y + 0.01), (x - 0.24, y + rise / 2), end]), ink, 0.012)
    face.disc(x - 0.01, y - 0.02, 0.035, face.paper)
    face.disc(x - 0.01, y - 0.02, 0.016, ink)
