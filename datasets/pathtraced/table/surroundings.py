"""Light, table tops, tile bodies and racks of path-traced scenes."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.pathtraced.table.plan import Development, Light, Rgb, Table, TileShape, View, to_rgb

_CLOTHS: Final = (
    ((0.015, 0.11, 0.045), (0.03, 0.17, 0.07)),
    ((0.01, 0.05, 0.02), (0.02, 0.085, 0.035)),
    ((0.02, 0.05, 0.2), (0.04, 0.09, 0.3)),
    ((0.2, 0.012, 0.02), (0.3, 0.025, 0.03)),
    ((0.02, 0.022, 0.025), (0.05, 0.05, 0.055)),
    ((0.25, 0.2, 0.14), (0.36, 0.3, 0.22)),
)
_WOODS: Final = (
    ((0.21, 0.09, 0.035), (0.34, 0.17, 0.07)),
    ((0.08, 0.028, 0.012), (0.14, 0.055, 0.025)),
    ((0.42, 0.28, 0.15), (0.55, 0.4, 0.24)),
    ((0.03, 0.02, 0.016), (0.06, 0.042, 0.032)),
)
_PLAINS: Final = (
    ((0.55, 0.54, 0.5), (0.62, 0.61, 0.58)),
    ((0.3, 0.3, 0.3), (0.35, 0.35, 0.36)),
    ((0.5, 0.4, 0.27), (0.56, 0.46, 0.32)),
)
WARM: Final = (1.0, 0.62, 0.32)
_NEUTRAL: Final = (1.0, 0.87, 0.72)
_DAY: Final = (0.86, 0.93, 1.0)
_SUN: Final = (1.0, 0.9, 0.74)


def random_table(rng: Generator) -> Table:
    """A random table top."""
    kind = str(
        rng.choice(["felt", "wood", "cloth", "plain", "stone"], p=[0.4, 0.25, 0.18, 0.1, 0.07])
    )
    if kind == "cloth":
        pair = rng.uniform(0.03, 0.7, (2, 3))
        colours = (to_rgb(pair[0]), to_rgb(pair[1]))
    else:
        choices = {"felt": _CLOTHS, "wood": _WOODS}.get(kind, _PLAINS)
        colours = choices[int(rng.integers(len(choices)))]
    side = float(rng.uniform(32, 42))
    return Table(
        kind=kind,
        colours=colours,
        size=(side * float(rng.choice([1.0, 1.0, 1.5])), side),
        yaw=float(rng.normal(0, 0.06)),
        scale=float(rng.uniform(0.6, 1.7)),
        seed=int(rng.integers(1_000_000)),
    )


def random_shape(rng: Generator, proportion: float) -> TileShape:
    """A random tile shape for faces that are ``proportion`` times as wide as high."""
    return TileShape(
        height=1 / proportion,
        depth=float(rng.uniform(0.56, 0.84)),
        bevel=float(rng.uniform(0.045, 0.11)),
        roughness=float(rng.uniform(0.2, 0.5)),
        coat=float(rng.choice([0.0, rng.uniform(0.2, 0.7)])),
        engraving=float(rng.uniform(0.01, 0.05)),
        bamboo=bool(rng.random() < 0.35),
    )


def _around(rng: Generator, away: float, height: float) -> tuple[float, float, float]:
    angle = rng.uniform(0, 2 * np.pi)
    return float(away * np.cos(angle)), float(away * np.sin(angle)), height


def _window(rng: Generator, power: float) -> Light:
    position = _around(rng, float(rng.uniform(55, 90)), float(rng.uniform(25, 50)))
    size = (float(rng.uniform(25, 60)), float(rng.uniform(25, 50)))
    return Light("area", position, (0.0, 0.0, 0.0), size, _DAY, power * 90_000)


def _lamp(rng: Generator, colour: Rgb, power: float) -> Light:
    x, y = rng.normal(0, 22, 2)
    size = (float(rng.uniform(3, 16)),) * 2
    place = (float(x), float(y), float(rng.uniform(38, 75)))
    return Light("area", place, (float(x) * 0.3, float(y) * 0.3, 0.0), size, colour, power * 30_000)


def room_light(rng: Generator, mood: str) -> tuple[tuple[Light, ...], Rgb]:
    """Lamps and the colour of the light from all directions.

    Args:
        rng: source of randomness.
        mood: ``day``, ``sun``, ``evening``, ``mixed`` or ``dim``.
    """
    if mood == "day":
        sky = rng.uniform(0.12, 0.5)
        lights = [_window(rng, 1.0)]
        lights += [_window(rng, 0.5)] if rng.random() < 0.4 else []
        return tuple(lights), to_rgb(np.array([0.8, 0.9, 1.0]) * sky)
    if mood == "sun":
        height = rng.uniform(40, 90)
        sun = Light(
            "sun", _around(rng, 80.0, float(height)), (0.0, 0.0, 0.0), (0.02, 0.02), _SUN, 6.0
        )
        return (sun, _window(rng, 0.6)), to_rgb(
            np.array([0.75, 0.88, 1.0]) * rng.uniform(0.25, 0.6)
        )
    if mood == "evening":
        tone = WARM if rng.random() < 0.55 else _NEUTRAL
        lights = [_lamp(rng, tone, 1.0) for _ in range(int(rng.integers(1, 4)))]
        return tuple(lights), to_rgb(np.array(tone) * rng.uniform(0.05, 0.2))
    if mood == "mixed":
        return (_window(rng, 0.6), _lamp(rng, WARM, 0.7)), to_rgb(
            np.full(3, rng.uniform(0.06, 0.25))
        )
    lights = [_lamp(rng, WARM, 0.25)]
    return tuple(lights), to_rgb(np.array(WARM) * rng.uniform(0.03, 0.1))


def glare_light(rng: Generator, view: View, spot: NDArray[np.float64]) -> Light:
    """A lamp whose reflection the phone sees on the tiles at ``spot``."""
    ray = spot - view.position
    ray = ray / np.linalg.norm(ray) * np.array([1.0, 1.0, -1.0])
    ray = ray + rng.normal(0, 0.03, 3)
    x, y, z = spot + ray * rng.uniform(35, 60)
    size = float(rng.uniform(5, 11))
    where = (float(spot[0]), float(spot[1]), 0.0)
    return Light("area", (float(x), float(y), float(z)), where, (size, size), _NEUTRAL, 32_000.0)


def develop_as(rng: Generator, mood: str, view: View) -> Development:
    """The phone's processing of a picture in the light of this mood."""
    dim = mood == "dim"
    left = {"evening": 0.25, "dim": 0.4, "mixed": 0.3}.get(mood, 0.1)
    warm = rng.normal(0, left)
    tint = rng.normal(0, 0.02)
    motion = rng.normal(0, 0.5 if dim else 0.25, 2) * max(view.size) / 960
    return Development(
        stops=float(rng.normal(-0.5, 0.3) if dim else rng.normal(0.0, 0.28)),
        cast=(float(np.exp(warm * 0.4)), float(1 + tint), float(np.exp(-warm * 0.5))),
        noise=float(rng.uniform(0.012, 0.028) if dim else rng.uniform(0.003, 0.01)),
        blur=(float(motion[0]), float(motion[1])),
        sharpening=float(rng.uniform(0.1, 0.7)),
        contrast=float(rng.uniform(1.05, 1.45)),
        quality=int(rng.integers(76, 85)),
    )


def rack_colour(rng: Generator) -> Rgb:
    """The colour of a rack of wood or plastic."""
    woods: list[Rgb] = [first for first, _ in _WOODS]
    plastics: list[Rgb] = [
        (0.02, 0.12, 0.05),
        (0.35, 0.02, 0.02),
        (0.02, 0.03, 0.12),
        (0.5, 0.35, 0.1),
    ]
    choices = [*woods, *plastics]
    return choices[int(rng.integers(len(choices)))]
