"""Sizes and colours of the things on a card table, and free places for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.random import Generator

from datasets.pathtraced.table.plan import Point, Prop, Rgb, to_rgb

SMALL: Final = ("disc", "die", "stick", "die", "card", "pencil", "disc", "stick")
LARGE: Final = ("cup", "plate", "phone", "box", "score_sheet", "box", "newspaper", "cup")
"""Kinds of props, the usual ones repeated."""

_SKINS: Final = ((0.56, 0.33, 0.23), (0.62, 0.4, 0.29), (0.35, 0.18, 0.1), (0.1, 0.05, 0.03))
_PAPER: Final = (1.0, 1.0, 1.0)
_FLAT: Final[dict[str, tuple[float, Point]]] = {
    "newspaper": (9.0, (10.5, 14.5, 0.012)),
    "score_sheet": (4.6, (5.9, 8.3, 0.02)),
    "card": (2.2, (2.5, 3.5, 0.02)),
}
"""Radius and size of each kind of printed matter."""

Made = tuple[float, Point, Rgb]
"""Radius, size and colour of a prop."""


def _cup(rng: Generator, _colour: Rgb, _pale: Rgb) -> Made:
    radius = float(rng.uniform(1.4, 1.8))
    size = (radius, radius, float(rng.uniform(2.6, 4.0)))
    return radius * 1.6, size, to_rgb(rng.uniform(0.2, 0.9, 3))


def _plate(rng: Generator, _colour: Rgb, pale: Rgb) -> Made:
    radius = float(rng.uniform(2.5, 4.0))
    return radius, (radius, radius, 0.45), pale


def _disc(rng: Generator, colour: Rgb, _pale: Rgb) -> Made:
    radius = float(rng.uniform(0.35, 0.6))
    metal = to_rgb(np.array([0.7, 0.5, 0.25]) * rng.uniform(0.7, 1.2))
    return radius, (radius, radius, 0.09), metal if rng.random() < 0.5 else colour


def _die(rng: Generator, _colour: Rgb, pale: Rgb) -> Made:
    side = float(rng.uniform(0.45, 0.75))
    return side, (side, side, side), pale


def _stick(rng: Generator, _colour: Rgb, pale: Rgb) -> Made:
    return 1.7, (float(rng.uniform(2.2, 3.4)), 0.32, 0.12), pale


def _pencil(rng: Generator, colour: Rgb, _pale: Rgb) -> Made:
    return 3.6, (float(rng.uniform(5, 7)), 0.15, 0.15), colour


def _phone(_rng: Generator, colour: Rgb, _pale: Rgb) -> Made:
    return 3.3, (2.9, 6.0, 0.34), colour


def _box(rng: Generator, colour: Rgb, _pale: Rgb) -> Made:
    width, depth = rng.uniform(1.5, 5.0, 2)
    size = (float(width), float(depth), float(rng.uniform(0.4, 2.5)))
    return float(np.hypot(width, depth) / 2), size, colour


_MAKERS: Final[dict[str, Callable[[Generator, Rgb, Rgb], Made]]] = {
    "cup": _cup,
    "plate": _plate,
    "disc": _disc,
    "die": _die,
    "stick": _stick,
    "pencil": _pencil,
    "phone": _phone,
    "box": _box,
}


def _make(rng: Generator, kind: str) -> Made:
    colour = to_rgb(rng.uniform(0.02, 0.8) * rng.uniform(0.3, 1.0, 3))
    pale = to_rgb(np.array([0.8, 0.77, 0.7]) * rng.uniform(0.8, 1.1))
    if kind in _FLAT:
        return (*_FLAT[kind], _PAPER)
    return _MAKERS[kind](rng, colour, pale)


def scatter(
    rng: Generator,
    kinds: Sequence[str],
    area: tuple[float, float, float, float],
    free: Callable[[float, float, float], bool],
) -> list[Prop]:
    """Put things in free places; things without a free place are left out.

    Args:
        rng: source of randomness.
        kinds: kinds of the things, from :data:`SMALL` and :data:`LARGE`.
        area: (left, near, right, far) world bounds.
        free: whether a disc about (x, y) with a radius is free of tiles.
    """
    props: list[Prop] = []
    taken: list[tuple[float, float, float]] = []
    for kind in kinds:
        reach, size, colour = _make(rng, kind)
        for _ in range(25):
            x, y = rng.uniform(area[0], area[2]), rng.uniform(area[1], area[3])
            clear = all(np.hypot(x - a, y - b) > reach + r for a, b, r in taken)
            if clear and free(x, y, reach):
                place = (float(x), float(y), 0.0)
                yaw = float(rng.uniform(0, 2 * np.pi))
                props.append(Prop(kind, place, yaw, size, colour, int(rng.integers(10_000))))
                taken.append((x, y, reach))
                break
    return props


def reaching_hand(rng: Generator, tip: tuple[float, float], yaw: float) -> Prop:
    """A human hand with finger tips near ``tip``, reaching in direction ``yaw`` (0 is +y)."""
    scale = float(rng.uniform(0.72, 0.95))
    back = 5.0 * scale
    place = (tip[0] + back * float(np.sin(yaw)), tip[1] - back * float(np.cos(yaw)), 0.0)
    skin = _SKINS[int(rng.integers(len(_SKINS)))]
    size = (scale, scale, float(rng.uniform(0.0, 0.5)))
    return Prop("hand", place, yaw, size, skin, int(rng.integers(10_000)))
