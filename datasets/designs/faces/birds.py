"""The one of bamboo: birds of several kinds, no two sets alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from datasets.designs.drawing.ink import Face, curve, ellipse, leaf, pts
from datasets.designs.drawing.palette import Palette, Rng
from datasets.designs.faces.bamboo import BambooStyle, stick
from datasets.designs.faces.bird_parts import Bird, draw_feathers, draw_head, egg


def draw_bird(face: Face, rng: Rng, palette: Palette, bamboo: BambooStyle) -> None:
    """Draw the one of bamboo: mostly a bird, now and then a single stick."""
    bird = _hatched(face, rng, palette)
    if bamboo.one == "stick":
        (_shoot if rng.random() < 0.5 else _lone_stick)(bird, bamboo)
    elif bamboo.one == "peacock":
        _eyed_peacock(bird)
    elif rng.random() < 0.03:
        _shoot(bird, bamboo)
    else:
        _KINDS[int(rng.integers(len(_KINDS)))](bird)


def draw_songbird(face: Face, rng: Rng, palette: Palette) -> None:
    """Draw a bird as on the flowers and seasons of some tile sets."""
    _KINDS[int(rng.integers(len(_KINDS)))](_hatched(face, rng, palette))


def _hatched(face: Face, rng: Rng, palette: Palette) -> Bird:
    """A bird in inks of the set, in a style of its own."""
    inks = [palette.green, palette.red, palette.second, palette.accent]
    main = inks[int(rng.choice(4, p=[0.55, 0.18, 0.22, 0.05]))]
    wing, tail, beak = (inks[int(rng.choice(4, p=[0.3, 0.3, 0.28, 0.12]))] for _ in range(3))
    if rng.random() < 0.25:
        wing = tail = main
    outline = float(rng.uniform(0.012, 0.024)) if rng.random() < 0.45 else 0.0
    return Bird(face, rng, main, wing, tail, beak, outline, bool(rng.random() < 0.5))


def _hanging(bird: Bird) -> None:
    """A bird clinging upright with a long tail below and a twig in its claws."""
    lean = bird.u(-0.1, 0.12)
    head, breast, rump = (0.42, 0.3), (0.46 + lean / 2, 0.52), (0.55 + lean, 0.74)
    for index in range(int(bird.rng.integers(2, 6))):
        x = rump[0] + (index - 1.5) * 0.05
        end = (x + bird.u(-0.05, 0.12), 1.2 + bird.u(-0.08, 0.05))
        path = curve([(x - 0.03, rump[1] - 0.06), ((x + end[0]) / 2 + 0.03, 0.98), end])
        bird.face.brush(bird.at(path), bird.tail, 0.045, 0.015)
    bird.form(egg(breast, 0.17, 0.27, -15 - lean * 90), bird.body)
    draw_feathers(bird, breast, 0.13, 0.2)
    draw_head(bird, head, bird.u(0.09, 0.13))
    y = bird.u(0.64, 0.74)
    bird.line(curve([(0.16, y), (0.35, y - 0.04), (0.72, y + 0.03)]), bird.tail, 0.02)
    for foot in (0.16, 0.72):
        bird.face.shape(bird.at(ellipse(foot, y, 0.035, 0.035)), bird.tail, 0.016)


def _perched(bird: Bird) -> None:
    """A songbird on a branch, seen from the side."""
    slope = bird.u(-0.1, 0.1)
    bird.face.brush(
        bird.at(curve([(0.1, 1.0 + slope), (0.5, 0.96), (0.92, 1.02 - slope)])),
        bird.beak,
        0.03,
        0.018,
    )
    for x in np.linspace(0.15, 0.9, 5):
        bird.form(leaf(float(x), 1.0, 0.14, 0.06, bird.u(-150, 150)), bird.wing)
    tilt = bird.u(-35, -5)
    for _ in range(3):
        bird.form(leaf(0.6, 0.72, bird.u(0.3, 0.42), 0.07, tilt - 10 + bird.u(-10, 8)), bird.tail)
    bird.form(egg((0.48, 0.68), 0.17, 0.25, -40), bird.body)
    bird.form(leaf(0.42, 0.6, 0.34, 0.17, -38 + bird.u(-12, 12)), bird.wing)
    draw_head(bird, (0.36, 0.42), bird.u(0.1, 0.13))
    for x in (0.44, 0.52):
        bird.line(pts((x, 0.86), (x - 0.02, 0.97)), bird.beak, 0.018)


def _peacock(bird: Bird) -> None:
    """A peacock with a train of eyes sweeping down."""
    count = int(bird.rng.integers(5, 9))
    for index, angle in enumerate(np.linspace(bird.u(-100, -85), bird.u(-35, -20), count)):
        length = 0.66 + 0.12 * ((index * 7) % 3)
        x = 0.4 + length * float(np.cos(np.deg2rad(angle))) * 0.9
        y = 0.5 - length * float(np.sin(np.deg2rad(angle)))
        bird.line(
            curve([(0.42, 0.5), ((0.42 + x) / 2 + 0.04, (0.5 + y) / 2), (x, y)]), bird.tail, 0.016
        )
        bird.form(ellipse(x, y, 0.065, 0.05, angle), bird.tail)
        bird.form(ellipse(x, y, 0.032, 0.026, angle), bird.beak, solid=True)
    bird.form(egg((0.44, 0.52), 0.14, 0.22, -30), bird.body)
    draw_feathers(bird, (0.46, 0.54), 0.1, 0.16)
    bird.face.brush(bird.at(curve([(0.4, 0.5), (0.28, 0.4), (0.32, 0.26)])), bird.body, 0.11, 0.07)
    draw_head(bird, (0.32, 0.22), bird.u(0.06, 0.085))


def _fan(bird: Bird) -> None:
    """A peacock from the front, its tail spread as a wheel."""
    reach = bird.u(0.38, 0.44)
    for angle in np.linspace(-20, 200, int(bird.rng.integers(9, 15))):
        dx, dy = float(np.cos(np.deg2rad(angle))), float(np.sin(np.deg2rad(angle)))
        bird.line(pts((0.5, 0.75), (0.5 + dx * reach, 0.72 - dy * reach * 1.25)), bird.tail, 0.018)
        bird.face.disc(0.5 + dx * reach, 0.72 - dy * reach * 1.25, 0.05, bird.tail)
        bird.face.disc(0.5 + dx * reach, 0.72 - dy * reach * 1.25, 0.024, bird.beak)
    bird.form(egg((0.5, 0.82), 0.13, 0.24, 0), bird.body, solid=True)
    bird.face.disc(0.5, 0.52, 0.08, bird.body)
    bird.eye(0.5, 0.51, 0.028)
    bird.form(leaf(0.44, 0.53, 0.12, 0.05, 180), bird.beak, solid=True)
    for x in (0.45, 0.55):
        bird.line(pts((x, 1.04), (x, 1.18)), bird.beak, 0.02)


def _owl(bird: Bird) -> None:
    """A round bird from the front with two large eyes."""
    bird.form(egg((0.5, 0.78), bird.u(0.22, 0.28), 0.36, 0), bird.body)
    for row in range(int(bird.rng.integers(2, 5))):
        for x in np.linspace(-0.12, 0.12, 4):
            y = 0.72 + row * 0.1
            bird.line(
                curve([(0.5 + x - 0.03, y), (0.5 + x, y + 0.04), (0.5 + x + 0.03, y)]),
                bird.wing if bird.outline else bird.face.paper,
                0.016,
            )
    bird.form(ellipse(0.5, 0.42, 0.24, 0.2), bird.body)
    for side in (-1, 1):
        bird.form(leaf(0.5 + side * 0.2, 0.6, 0.5, 0.14, -90 + side * 12), bird.wing)
        bird.form(leaf(0.5 + side * 0.14, 0.3, 0.16, 0.09, 90 - side * 25), bird.body)
        bird.face.disc(0.5 + side * 0.11, 0.41, 0.095, bird.face.paper)
        bird.face.ring(0.5 + side * 0.11, 0.41, 0.085, bird.tail, 0.018)
        bird.face.disc(0.5 + side * 0.11, 0.41, 0.035, bird.beak)
        bird.line(pts((0.5 + side * 0.09, 1.1), (0.5 + side * 0.12, 1.2)), bird.beak, 0.03)
    bird.form(leaf(0.5, 0.47, 0.11, 0.06, -90), bird.beak, solid=True)


def _crane(bird: Bird) -> None:
    """A tall bird on thin legs."""
    for x in (0.48, 0.56):
        bird.line(pts((x, 0.8), (x + bird.u(-0.05, 0.05), 1.2)), bird.beak, 0.018)
        bird.line(pts((x - 0.08, 1.2), (x + 0.06, 1.2)), bird.beak, 0.016)
    for _ in range(4):
        bird.form(leaf(0.58, 0.64, bird.u(0.24, 0.34), 0.09, bird.u(-60, -15)), bird.tail)
    bird.form(egg((0.52, 0.68), 0.15, 0.24, -60), bird.body)
    bird.form(leaf(0.42, 0.62, 0.36, 0.16, -22), bird.wing)
    neck = curve([(0.42, 0.64), (0.28, 0.5), (0.4, 0.34), (0.36, 0.2)])
    bird.face.brush(bird.at(neck), bird.body, 0.075, 0.05)
    draw_head(bird, (0.35, 0.18), 0.06, beak=0.2)


def _phoenix(bird: Bird) -> None:
    """A flying bird with raised wings and streaming tail feathers."""
    for index in range(int(bird.rng.integers(3, 6))):
        bend = bird.u(-0.12, 0.16)
        end = (0.55 + index * 0.11, 1.22 - 0.06 * index)
        path = curve([(0.5, 0.62), (0.55 + bend, 0.85), (end[0] - bend / 2, 1.05), end])
        bird.face.brush(bird.at(path), bird.tail, 0.04, 0.02)
        bird.form(ellipse(*end, 0.04, 0.03, 40), bird.beak)
    for side, spread in ((-1, 150), (1, 40)):
        for step in range(int(bird.rng.integers(4, 7))):
            angle = spread + side * step * 13
            bird.form(leaf(0.5 + side * -0.02, 0.5, 0.42 - step * 0.03, 0.075, angle), bird.wing)
    bird.form(egg((0.48, 0.56), 0.11, 0.2, -20), bird.body)
    bird.face.brush(
        bird.at(curve([(0.45, 0.46), (0.38, 0.34), (0.4, 0.24)])), bird.body, 0.09, 0.06
    )
    draw_head(bird, (0.4, 0.2), 0.07)


def _goose(bird: Bird) -> None:
    """A diving bird, one great wing raised, with hills or clouds behind."""
    for _ in range(int(bird.rng.integers(0, 5))):
        x, y = bird.u(0.12, 0.4), bird.u(0.25, 0.6)
        ridge = curve([(x - 0.1, y + 0.05), (x, y - 0.03), (x + 0.1, y + 0.05)])
        bird.line(ridge, bird.tail, 0.02)
    root = (0.52, 0.82)
    count = int(bird.rng.integers(4, 8))
    for step, angle in enumerate(np.linspace(bird.u(60, 75), bird.u(105, 125), count)):
        length = 0.62 - 0.03 * abs(step - count / 2)
        bird.form(leaf(*root, length, 0.1, float(angle)), bird.wing)
    for angle in np.linspace(165, 190, int(bird.rng.integers(2, 5))):
        bird.form(leaf(*root, 0.46, 0.09, float(angle)), bird.wing)
    bird.form(egg((0.58, 0.9), 0.1, 0.2, 35), bird.body)
    for x in (0.72, 0.8):
        path = curve([(0.64, 0.98), (x, 1.0), (x + 0.04, 1.16)])
        bird.face.brush(bird.at(path), bird.tail, 0.035, 0.02)
    bird.face.brush(bird.at(curve([(0.52, 0.86), (0.4, 0.9), (0.36, 1.0)])), bird.beak, 0.06, 0.05)
    draw_head(bird, (0.34, 1.04), 0.065)


def _parrot(bird: Bird) -> None:
    """A bird with spread shoulders on a bar, bright breast and barred tail."""
    bird.line(pts((0.08, 0.78), (0.92, 0.72)), bird.beak, 0.02)
    for end in (0.08, 0.92):
        bird.face.shape(bird.at(ellipse(end, 0.75, 0.03, 0.05)), bird.beak, 0.014)
    tail = curve([(0.48, 0.8), (0.56, 1.0), (0.66, 1.24)])
    bird.face.brush(bird.at(tail), bird.tail, 0.17, 0.05)
    for x, y in tail[3::4]:
        bird.line(pts((x - 0.06, y + 0.02), (x + 0.06, y - 0.02)), bird.face.paper, 0.014)
    for side, lean in ((-1, -112), (1, -68)):
        bird.form(leaf(0.48 + side * 0.1, 0.42, 0.5, 0.17, lean), bird.wing)
    bird.form(egg((0.47, 0.58), 0.14, 0.24, 10), bird.body, solid=True)
    bird.form(ellipse(0.46, 0.62, 0.08, 0.13), bird.beak, solid=bool(bird.rng.random() < 0.5))
    draw_head(bird, (0.45, 0.3), bird.u(0.1, 0.13))
    for _ in range(int(bird.rng.integers(0, 3))):
        plume = curve([(0.5, 0.22), (0.66, 0.14), (0.78, bird.u(0.1, 0.22))])
        bird.face.brush(bird.at(plume), bird.tail, 0.03, 0.015)


def _magpie(bird: Bird) -> None:
    """A long-tailed bird among blossoms."""
    path = curve([(0.05, 1.15), (0.4, 0.98), (0.95, 0.92)])
    bird.face.brush(bird.at(path), bird.beak, 0.04, 0.018)
    for x, y in path[2::5]:
        for angle in np.arange(5) * 72 + 10:
            dx, dy = float(np.cos(np.deg2rad(angle))), float(np.sin(np.deg2rad(angle)))
            bird.form(ellipse(x + dx * 0.035, y - 0.03 - dy * 0.035, 0.025, 0.025), bird.tail)
    lift = bird.u(10, 50)
    for turn in (-5, 5):
        bird.form(leaf(0.6, 0.74, 0.42, 0.07, lift + turn), bird.wing)
    bird.form(egg((0.46, 0.74), 0.16, 0.22, 55), bird.body)
    draw_feathers(bird, (0.44, 0.76), 0.1, 0.12)
    bird.form(leaf(0.4, 0.7, 0.32, 0.14, 5), bird.wing)
    draw_head(bird, (0.32, 0.56), bird.u(0.09, 0.12))


def _cock(bird: Bird) -> None:
    """A cock with comb and arched tail."""
    for index in range(int(bird.rng.integers(4, 7))):
        top = 0.35 + 0.09 * index
        path = curve([(0.58, 0.72), (0.74, top), (0.9, top + 0.12), (0.92, top + 0.34)])
        bird.face.brush(bird.at(path), bird.tail, 0.03, 0.022)
    bird.form(egg((0.5, 0.76), 0.18, 0.26, -62), bird.body)
    bird.form(leaf(0.4, 0.7, 0.32, 0.17, -18), bird.wing)
    bird.face.brush(bird.at(curve([(0.4, 0.72), (0.3, 0.54), (0.32, 0.4)])), bird.body, 0.17, 0.09)
    for x in (0.27, 0.32, 0.37):
        bird.form(leaf(x, 0.33, 0.1, 0.06, 90 + (0.32 - x) * 300), bird.beak, solid=True)
    draw_head(bird, (0.31, 0.37), 0.075, crest=False)
    for x in (0.46, 0.55):
        bird.line(pts((x, 0.98), (x, 1.16), (x - 0.08, 1.18)), bird.beak, 0.022)


def _swallow(bird: Bird) -> None:
    """A darting bird from above with a forked tail."""
    tilt = bird.u(20, 70)
    for angle in (tilt + 170, tilt + 190):
        bird.form(leaf(0.5, 0.72, 0.5, 0.07, angle + 180 - 2 * tilt - 30), bird.tail)
    bird.form(leaf(0.5, 0.62, bird.u(0.4, 0.5), 0.17, 160 - tilt * 0.6), bird.wing)
    bird.form(leaf(0.5, 0.62, bird.u(0.4, 0.5), 0.17, 20 + tilt * 0.4), bird.wing)
    bird.form(egg((0.48, 0.68), 0.1, 0.26, -20), bird.body)
    draw_head(bird, (0.42, 0.42), 0.085)
    for _ in range(int(bird.rng.integers(0, 4))):
        bird.form(leaf(bird.u(0.2, 0.8), 1.12, 0.16, 0.05, bird.u(20, 160)), bird.wing)


def _lone_stick(bird: Bird, bamboo: BambooStyle) -> None:
    """A single stick, as wide as two or more of the others."""
    middle = bird.face.height / 2
    size = bird.u(0.14, 0.34), bird.u(0.4, 0.95)
    stick(bird.face, (0.5, middle), size, 0, bird.body, bamboo)


def _eyed_peacock(bird: Bird) -> None:
    """A small peacock below a tail that stands up, an egg full of eyes, as on most old sets."""
    lean, foot = bird.u(-0.12, 0.22), bird.face.height - bird.u(0.2, 0.3)
    tail = (0.5 + lean / 2, foot * 0.45)
    length, width = foot * bird.u(0.36, 0.46), bird.u(0.15, 0.24)
    bird.form(egg(tail, width, length, 180 - lean * 60), bird.wing)
    ink = bird.wing if bird.outline else bird.face.paper
    rows = int(bird.rng.integers(3, 6))
    for row in range(rows):
        along = (row + 0.5) / rows * 2 - 1
        across = int(bird.rng.integers(1, 4))
        for step in range(across):
            x = tail[0] + (step - (across - 1) / 2) * width * 0.6 - along * lean * 0.4
            x = 1 - x if bird.mirror else x
            size = width * bird.u(0.16, 0.24)
            bird.face.ring(x, tail[1] + along * length * 0.78, size, ink, size * 0.5)
    breast = (0.42 + lean / 3, foot - 0.06)
    bird.form(egg(breast, 0.12, 0.17, bird.u(30, 70)), bird.body, solid=bird.rng.random() < 0.4)
    draw_feathers(bird, breast, 0.1, 0.12)
    head = breast[0] - bird.u(0.12, 0.2), breast[1] - bird.u(0.0, 0.14)
    bird.line(curve([breast, head]), bird.body, 0.05)
    draw_head(bird, head, bird.u(0.05, 0.08), 0.08)
    for toe in (-0.04, 0.06):
        foot_at = (breast[0] + toe, foot + 0.14)
        bird.line(pts((breast[0] + toe, foot + 0.02), foot_at), bird.beak, 0.018)
    for _ in range(int(bird.rng.integers(0, 7))):
        side = 0.3 if bird.rng.random() < 0.5 else 0.7
        at = side + lean / 3, foot + bird.u(-0.1, 0.1)
        bird.form(leaf(*at, bird.u(0.14, 0.3), 0.06, bird.u(0, 180)), bird.tail)


def _shoot(bird: Bird, bamboo: BambooStyle) -> None:
    """A single tall stick with shoots instead of a bird."""
    middle = bird.face.height / 2
    stick(bird.face, (0.5, middle), (0.15, 0.95), 0, bird.body, bamboo)
    for _ in range(int(bird.rng.integers(2, 6))):
        bird.form(leaf(0.5, bird.u(0.5, 1.0), 0.3, 0.09, bird.u(-40, 60)), bird.wing)


_KINDS: Final[tuple[Callable[[Bird], None], ...]] = (
    _hanging,
    _hanging,
    _perched,
    _peacock,
    _peacock,
    _fan,
    _owl,
    _crane,
    _phoenix,
    _cock,
    _swallow,
    _goose,
    _goose,
    _parrot,
    _parrot,
    _magpie,
)
