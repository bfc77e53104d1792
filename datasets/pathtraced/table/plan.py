"""The parts of a path-traced scene.

World units are tile widths, z points up and the table is at z = 0. Where a real size matters, a
tile is 25 mm wide.
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
"""A colour as linear red, green and blue, 0..1."""
Point = tuple[float, float, float]

UNIT_MM: Final = 25.0
"""Width of a tile in millimetres."""


def to_rgb(values: Sequence[float] | Floats) -> Rgb:
    """Three numbers as a colour, each clipped to 0..1."""
    red, green, blue = (float(np.clip(value, 0, 1)) for value in values)
    return red, green, blue


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile somewhere in the world.

    Attributes:
        tile: code of its face.
        centre: centre (3,) of its box.
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
        height: height of the box, whose width is 1.
        depth: depth of the box from face to back.
        bevel: radius of its rounded edges.
        roughness: roughness of the surface, 0 (mirror) to 1.
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
        position: position of the lamp; for a sun, any point in its direction.
        target: point that it shines at.
        size: (width, height) of an area light; for a sun, twice its angle in radians.
        colour: linear colour.
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
        position: position of its foot.
        yaw: radians, counter-clockwise seen from above.
        size: (width, depth, height), or the sizes that its builder expects.
        colour: linear colour of its main part.
        seed: seed of its other variations.
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
        yaw: radians by which it is turned relative to the tiles.
        scale: scale of the pattern; 1 is usual.
        seed: seed of the pattern.
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
        position: position of the lens.
        rotation: (3, 3), whose rows are the picture's right, its down and the view direction.
        focal: focal length in pixels.
        size: (height, width) of the picture.
        focus: distance of the plane in focus.
        aperture: f-number that a 36 mm sensor would need for the same depth of field.
    """

    position: Floats
    rotation: Floats
    focal: float
    size: tuple[int, int]
    focus: float
    aperture: float

    def project(self, points: Floats) -> Floats:
        """Pixels (..., 2) of world points (..., 3); integers are the centres of pixels."""
        seen = (points - self.position) @ self.rotation.T
        middle = np.array([self.size[1] / 2, self.size[0] / 2])
        return np.asarray(seen[..., :2] / seen[..., 2:] * self.focal + middle - 0.5)

    def scaled(self, scale: float) -> View:
        """The same view in a picture of another size."""
        height, width = (round(side * scale) for side in self.size)
        return replace(self, focal=self.focal * scale, size=(height, width))


@dataclass(frozen=True, slots=True)
class Development:
    """The phone's processing of the light.

    Attributes:
        stops: exposure relative to a well exposed picture, in stops.
        cast: gains of red, green and blue that white balance leaves.
        noise: standard deviation of the noise at middle grey, 0..1.
        blur: (x, y) pixels by which the phone moved.
        sharpening: amount of unsharp masking.
        contrast: slope of the tone curve.
        quality: quality of the JPEG, 1..100.
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
        number: number of the scene, which determines everything else.
        design: seed of the drawn design.
        layout: as in :class:`datasets.photographs.benchmark.BenchmarkPhoto`.
        difficulty: as in :class:`datasets.photographs.benchmark.BenchmarkPhoto`.
        hands: as in :class:`datasets.photographs.benchmark.BenchmarkPhoto`.
        sky: linear colour of the light from all directions.
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
