"""What a path-traced scene consists of. World units are tile widths, z points up, 0 is the table.

One tile width is taken as 25 mm wherever a real size matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.photographs.benchmark import TrueHand

Floats = NDArray[np.float64]
Rgb = tuple[float, float, float]
"""Linear red, green and blue, 0..1."""
Point = tuple[float, float, float]

UNIT_MM: Final = 25.0
"""Millimetres of one tile width."""


def to_rgb(values: Sequence[float] | Floats) -> Rgb:
    """Three numbers as a colour, each cut to 0..1."""
    red, green, blue = (float(np.clip(value, 0, 1)) for value in values)
    return red, green, blue


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile somewhere in the world.

    Attributes:
        tile: code of its face.
        centre: of the box.
        axes: (3, 3), the columns being the face's right, its top and its outward normal.
        hand: index of the hand that it belongs to, -1 for none.
        group: ``hand``, ``meld 0`` and so on, ``bonus``, ``discard``, ``wall`` or ``sheet``.
        of_set: index of its set among those that the scene shows.
    """

    tile: str
    centre: Floats
    axes: Floats
    hand: int = -1
    group: str = "hand"
    of_set: int = 0


@dataclass(frozen=True, slots=True)
class TileShape:
    """The body that all tiles of a set share.

    Attributes:
        height, depth: of the box whose width is 1.
        bevel: radius of its rounded edges.
        roughness: of the surface, 0 (mirror) to 1.
        coat: strength of the clear gloss, 0..1.
        engraving: depth of the cut lines in tile widths.
        bamboo: whether the back shows a grain.
    """

    height: float
    depth: float
    bevel: float
    roughness: float
    coat: float
    engraving: float
    bamboo: bool


@dataclass(frozen=True, slots=True)
class Light:
    """A lamp.

    Attributes:
        kind: ``area`` (a rectangle that shines to one side) or ``sun``.
        position: where it is; of a sun, any point in its direction.
        target: what it points at.
        size: (width, height) of an area light; of a sun its angle in radians, twice.
        colour: linear.
        power: watts in Blender's terms for an area, strength for a sun.
    """

    kind: str
    position: Point
    target: Point
    size: tuple[float, float]
    colour: Rgb
    power: float


@dataclass(frozen=True, slots=True)
class Prop:
    """A thing that is no tile.

    Attributes:
        kind: a key of ``datasets.pathtraced.blender.props.BUILDERS``.
        position: of its foot.
        yaw: radians, counter-clockwise seen from above.
        size: (width, depth, height) or what the builder takes.
        colour: linear, of its main part.
        seed: for what else varies.
    """

    kind: str
    position: Point
    yaw: float
    size: Point
    colour: Rgb
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """The table top.

    Attributes:
        kind: ``felt``, ``wood``, ``cloth``, ``plain`` or ``stone``.
        colours: two linear colours of the pattern.
        size: (width, depth).
        yaw: radians by which it is turned against the tiles.
        scale: of the pattern; 1 is usual.
        seed: for the pattern.
    """

    kind: str
    colours: tuple[Rgb, Rgb]
    size: tuple[float, float]
    yaw: float
    scale: float
    seed: int


@dataclass(frozen=True, slots=True)
class View:
    """The phone.

    Attributes:
        position: of the lens.
        rotation: (3, 3), the rows being the picture's right, its down and the view direction.
        focal: in pixels.
        size: (height, width) of the picture.
        focus: distance of what is sharp.
        aperture: f-number that a 36 mm sensor would need for the same depth of field.
    """

    position: Floats
    rotation: Floats
    focal: float
    size: tuple[int, int]
    focus: float
    aperture: float

    def project(self, points: Floats) -> Floats:
        """Pixels (..., 2) of world points (..., 3); whole numbers are the middles of pixels."""
        seen = (points - self.position) @ self.rotation.T
        middle = np.array([self.size[1] / 2, self.size[0] / 2])
        return np.asarray(seen[..., :2] / seen[..., 2:] * self.focal + middle - 0.5)

    def scaled(self, scale: float) -> View:
        """The same view in a picture of another size."""
        height, width = (round(side * scale) for side in self.size)
        return replace(self, focal=self.focal * scale, size=(height, width))


@dataclass(frozen=True, slots=True)
class Development:
    """What the phone does with the light.

    Attributes:
        stops: exposure against a well exposed picture.
        cast: gains of red, green and blue that white balance leaves.
        noise: standard deviation of the noise at middle grey, 0..1.
        blur: (x, y) pixels by which the phone moved.
        sharpening: amount of unsharp masking.
        contrast: slope of the tone curve.
        quality: of the JPEG, 1..100.
    """

    stops: float
    cast: Rgb
    noise: float
    blur: tuple[float, float]
    sharpening: float
    contrast: float
    quality: int


@dataclass(frozen=True, slots=True)
class ScenePlan:
    """A scene, ready to be rendered.

    Attributes:
        number: of the scene; everything follows from it.
        design: seed of the drawn design.
        layout, difficulty, hands: as in :class:`datasets.photographs.benchmark.BenchmarkPhoto`.
        sky: linear colour of the light from all round.
        samples: light paths per pixel.
    """

    number: int
    design: int
    layout: str
    difficulty: tuple[str, ...]
    hands: tuple[TrueHand, ...]
    tiles: tuple[Placed, ...]
    shape: TileShape
    table: Table
    props: tuple[Prop, ...]
    lights: tuple[Light, ...]
    sky: Rgb
    view: View
    development: Development
    samples: int
