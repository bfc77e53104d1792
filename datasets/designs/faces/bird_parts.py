"""The parts of birds on tiles: a pose with inks, a head, feathers and a body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.designs.drawing.design import Bgr
from datasets.designs.drawing.ink import Face, Points, curve, ellipse, leaf, place, pts
from datasets.designs.drawing.palette import Rng


@dataclass(frozen=True, slots=True)
class Bird:
    """One bird to be drawn; the pose is drawn from its generator.

    Attributes:
        face: where to draw.
        rng: the pose.
        body, wing, tail, beak: inks.
        outline: stroke width where shapes are outlined, 0 where they are filled.
        mirror: whether it looks right instead of left.
    """

    face: Face
    rng: Rng
    body: Bgr
    wing: Bgr
    tail: Bgr
    beak: Bgr
    outline: float
    mirror: bool

    def u(self, low: float, high: float) -> float:
        """A random number."""
        return float(self.rng.uniform(low, high))

    def at(self, points: Points) -> Points:
        """Points on the face, mirrored where the bird is."""
        return np.asarray(points * (-1, 1) + (1, 0)) if self.mirror else points

    def line(self, points: Points, colour: Bgr, width: float) -> None:
        """A stroke."""
        self.face.line(self.at(points), colour, width)

    def form(self, points: Points, colour: Bgr, *, solid: bool = False) -> None:
        """A shape, outlined or filled as the bird is."""
        self.face.shape(self.at(points), colour, 0 if solid else self.outline)

    def eye(self, x: float, y: float, size: float) -> None:
        """An eye: a light ring and a dark dot."""
        x = 1 - x if self.mirror else x
        self.face.disc(x, y, size, self.face.paper)
        self.face.disc(x, y, size * 0.5, self.beak)


def draw_head(
    bird: Bird, at: tuple[float, float], size: float, beak: float = 0.12, *, crest: bool = True
) -> None:
    """A head looking left with eye, beak and perhaps a crest."""
    x, y = at
    bird.form(
        leaf(x - size * 0.6, y + 0.01, beak, size * 0.7, 185 + bird.u(-15, 15)),
        bird.beak,
        solid=True,
    )
    if crest:
        for angle in np.linspace(50, 120, int(bird.rng.integers(0, 5))):
            length = size * bird.u(1.4, 2.4)
            dx, dy = float(np.cos(np.deg2rad(angle))), float(np.sin(np.deg2rad(angle)))
            bird.line(pts((x, y), (x + dx * length, y - dy * length)), bird.tail, 0.016)
            end = ellipse(x + dx * length, y - dy * length, 0.02, 0.02)
            bird.form(end, bird.tail, solid=True)
    bird.form(ellipse(x, y, size, size * 0.92), bird.body)
    bird.eye(x - size * 0.15, y - size * 0.1, size * 0.42)


def draw_feathers(bird: Bird, at: tuple[float, float], width: float, height: float) -> None:
    """Rows of marks on a body."""
    colour = bird.wing if bird.outline or bird.wing != bird.body else bird.face.paper
    roll = bird.rng.random()
    for row in np.linspace(-0.6, 0.7, int(bird.rng.integers(2, 5))):
        y = at[1] + row * height
        half = width * float(np.sqrt(max(0.05, 1 - row**2)))
        if roll < 0.5:
            arc = curve([(at[0] - half, y), (at[0], y + 0.04), (at[0] + half, y)])
            bird.line(arc, colour, 0.016)
        else:
            for x in np.linspace(-half * 0.7, half * 0.7, 3):
                bird.form(ellipse(at[0] + float(x), y, 0.018, 0.024), colour, solid=True)


def egg(at: tuple[float, float], rx: float, ry: float, angle: float) -> Points:
    """A body: an egg with its narrow end down, turned clockwise by degrees."""
    turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    x = rx * np.cos(turn) * (1 - 0.25 * np.sin(turn))
    return place(np.stack([x, ry * np.sin(turn)], 1), at[0], at[1], -angle)
