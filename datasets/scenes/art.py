"""Art sets: suits replaced by other pictures, one family for each, repeated once to nine times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.props.lookalikes.cards import pip_places
from datasets.sets.faces import FacesBut, FaceSet
from scorer.tiles import SUITS

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Ink = tuple[int, int, int]
Part = tuple[Floats, int]
"""A filled outline (n, 2), in units of the emblem's half height, and the number of its ink."""

_WIDTH: Final = 120
"""Width in pixels of a drawn face."""
_LARGE: Final = 0.25
"""Share of the suits that show one large emblem and a number instead of several emblems."""
_NUMBERED: Final = 0.5
"""Share of the sets with a number in a corner of each suited face."""
_GROUNDS: Final = 0.5
"""Share of the sets whose suits are printed on coloured grounds."""
_FONT: Final = cv2.FONT_HERSHEY_DUPLEX


@dataclass(frozen=True, slots=True)
class _Suit:
    """How the nine faces of one suit look.

    Attributes:
        emblem: the parts of its emblem.
        inks: the colours BGR of its parts; the last one is also that of its numbers.
        ground: colour BGR of its ground.
        inset: width of the margin around the ground as a share of the face's width.
        large: whether one large emblem stands for every number.
        numbered: whether a number stands in the corner.
    """

    emblem: tuple[Part, ...]
    inks: tuple[Ink, ...]
    ground: Ink
    inset: float
    large: bool
    numbered: bool


def art_set(rng: Generator, faces: FaceSet) -> FaceSet:
    """The tile set with other pictures on its three suits; every face keeps its label.

    Args:
        rng: chooses the families of pictures, their colours and grounds.
        faces: the tile set, whose honours, flowers and seasons stay.
    """
    numbered, coloured = bool(rng.random() < _NUMBERED), bool(rng.random() < _GROUNDS)
    inset = float(rng.choice([0.0, 0.06, 0.1]))
    drawn: dict[str, tuple[Image, ...]] = {}
    for suit, name in zip(SUITS, rng.permutation(sorted(EMBLEMS))[: len(SUITS)], strict=True):
        dark = sum(faces.body_bgr) < 380
        ground = _tint(rng, dark=dark) if coloured else faces.body_bgr
        large = bool(rng.random() < _LARGE)
        look = _Suit(
            emblem=EMBLEMS[str(name)](rng),
            inks=tuple(_seen_on(rng, ground) for _ in range(3)),
            ground=ground,
            inset=inset,
            large=large,
            numbered=numbered or large,
        )
        for number in range(1, 10):
            drawn[f"{number}{suit}"] = (_face(look, number, faces),)
    return replace(faces, faces=FacesBut(faces.faces, drawn))


def _tint(rng: Generator, *, dark: bool) -> Ink:
    """The colour of a ground, pale, or deep on dark plastic."""
    low, high = (10, 120) if dark else (130, 255)
    blue, green, red = (int(part) for part in rng.integers(low, high, 3))
    return blue, green, red


def _seen_on(rng: Generator, ground: Ink) -> Ink:
    """An ink that differs enough from the ground to be seen."""
    for _ in range(20):
        ink = rng.integers(0, 256, 3)
        if np.abs(ink - np.array(ground)).max() > 110:
            return int(ink[0]), int(ink[1]), int(ink[2])
    return (20, 20, 20) if sum(ground) > 380 else (240, 240, 240)


def _face(look: _Suit, number: int, faces: FaceSet) -> Image:
    height = round(_WIDTH / faces.proportion)
    image = np.empty((height, _WIDTH, 3), np.uint8)
    image[:] = faces.body_bgr
    margin = round(look.inset * _WIDTH)
    image[margin : height - margin, margin : _WIDTH - margin] = look.ground
    if look.large:
        _stamp(image, look, (_WIDTH * 0.5, height * 0.56), _WIDTH * 0.38)
    else:
        rows = len({round(y, 2) for _, y in pip_places(number)})
        size = min(_WIDTH * (0.34 if number == 1 else 0.19), height * 0.38 / rows)
        for x, y in pip_places(number):
            spot = (0.5 + 1.35 * (x - 0.5)) * _WIDTH, (0.1 + 0.82 * y) * height
            _stamp(image, look, spot, size)
    if look.numbered:
        place = (margin + 4, margin + 26)
        cv2.putText(image, str(number), place, _FONT, 0.9, look.inks[-1], 2, cv2.LINE_AA)
    return image


def _stamp(image: Image, look: _Suit, middle: tuple[float, float], size: float) -> None:
    """Paint the emblem, ``size`` pixels from its middle to its top, in place."""
    for outline, ink in look.emblem:
        points = np.round((outline * size + middle) * 8).astype(np.int32)
        cv2.fillPoly(image, [points], look.inks[ink % len(look.inks)], cv2.LINE_AA, 3)


def _oval(x: float, y: float, wide: float, high: float) -> Floats:
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    return np.column_stack([x + wide * np.cos(turn), y + high * np.sin(turn)])


def _block(left: float, top: float, right: float, foot: float, slope: float = 0.0) -> Floats:
    """A rectangle whose upper side is shorter by ``slope`` at both ends."""
    return np.array([[left + slope, top], [right - slope, top], [right, foot], [left, foot]])


def _lantern(rng: Generator) -> tuple[Part, ...]:
    wide = rng.uniform(0.5, 0.8)
    tassel = (_block(-0.06, 0.5, 0.06, 1.0), 1)
    caps = ((_block(-0.3, y, 0.3, y + 0.14), 1) for y in (-0.7, 0.5))
    return tassel, (_oval(0, 0, wide, 0.6), 0), *caps, (_oval(0, 0, wide * 0.4, 0.55), 2)


def _pagoda(rng: Generator) -> tuple[Part, ...]:
    storeys = int(rng.integers(2, 5))
    parts: list[Part] = []
    for storey in range(storeys):
        top, step = -1 + 2 * storey / storeys, 2 / storeys
        wide = 0.45 + 0.3 * storey / storeys
        parts.append((_block(-wide * 0.6, top + step * 0.4, wide * 0.6, top + step), 1))
        parts.append((_block(-wide, top, wide, top + step * 0.5, wide * 0.7), 0))
    return tuple(parts)


def _pot(rng: Generator) -> tuple[Part, ...]:
    belly, neck = rng.uniform(0.5, 0.8), rng.uniform(0.15, 0.4)
    lip, band = _block(-neck * 1.5, -1, neck * 1.5, -0.8), _block(-belly, 0.1, belly, 0.3)
    return (_oval(0, 0.25, belly, 0.7), 0), (_block(-neck, -0.9, neck, 0), 0), (lip, 1), (band, 2)


def _fruit(rng: Generator) -> tuple[Part, ...]:
    stalk, leaf = _block(-0.06, -1, 0.06, -0.4), _oval(0.35, -0.75, 0.35, 0.14)
    wide = rng.uniform(0.55, 0.8)
    return (stalk, 1), (leaf, 1), (_oval(0, 0.2, wide, 0.72), 0), (_oval(-0.25, 0, 0.14, 0.2), 2)


def _fish(rng: Generator) -> tuple[Part, ...]:
    slim = rng.uniform(0.35, 0.55)
    tail = np.array([[0.4, 0.0], [1.0, -0.5], [0.85, 0.0], [1.0, 0.5]])
    fin = np.array([[-0.2, -slim * 0.8], [0.3, -slim * 1.7], [0.3, -slim * 0.5]])
    return (tail, 1), (fin, 1), (_oval(-0.2, 0, 0.75, slim), 0), (_oval(-0.6, -0.1, 0.1, 0.1), 2)


def _flower(rng: Generator) -> tuple[Part, ...]:
    petals, deep = int(rng.integers(4, 10)), rng.uniform(0.15, 0.5)
    turn = np.linspace(0, 2 * np.pi, 96, endpoint=False)
    reach = (1 - deep + deep * np.cos(petals * turn))[:, None]
    ring = reach * np.column_stack([np.sin(turn), -np.cos(turn)])
    return (ring, 0), (ring * 0.6, 1), (_oval(0, 0, 0.22, 0.22), 2)


def _animal(rng: Generator) -> tuple[Part, ...]:
    ears = rng.uniform(0.2, 0.8)
    legs = ((_block(x, 0.3, x + 0.16, 0.9), 0) for x in (-0.5, -0.2, 0.2, 0.45))
    ear = np.array([[-0.75, -0.5], [-0.7, -0.5 - ears], [-0.5, -0.5]])
    tail = np.array([[0.5, 0.0], [1.0, -0.6], [0.6, 0.2]])
    return (
        *legs,
        (_oval(0, 0.1, 0.7, 0.4), 0),
        (ear, 1),
        (tail, 1),
        (_oval(-0.65, -0.3, 0.3, 0.3), 0),
    )


def _boat(rng: Generator) -> tuple[Part, ...]:
    hull = _block(-0.9, 0.4, 0.9, 0.9)[[3, 2, 1, 0]] * [1, -1] + [0, 1.3]
    sail = np.array([[0.05, -1.0], [0.05, 0.3], [rng.uniform(0.5, 0.9), 0.3]])
    return (hull, 0), (sail, 1), (sail * [-0.7, 1], 2)


def _fan(rng: Generator) -> tuple[Part, ...]:
    half = rng.uniform(0.6, 1.3)
    turn = np.linspace(-half, half, 24)
    arc = np.column_stack([np.sin(turn), -np.cos(turn)]) * 1.5 + [0, 0.8]
    parts = [(np.concatenate([arc, arc[::-1] * 0 + [0, 0.8]]), 0)]
    return *parts, (np.concatenate([arc * 0.5 + [0, 0.4], [[0, 0.8]]]), 1)


EMBLEMS: Final[Mapping[str, Callable[[Generator], tuple[Part, ...]]]] = MappingProxyType(
    {
        "lantern": _lantern,
        "pagoda": _pagoda,
        "pot": _pot,
        "fruit": _fruit,
        "fish": _fish,
        "flower": _flower,
        "animal": _animal,
        "boat": _boat,
        "fan": _fan,
    }
)
"""The families of emblems by name."""
