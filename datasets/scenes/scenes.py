"""Renders photographs of tiles with exact truth, dozens per second."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.props.backgrounds import draw_background
from datasets.props.beside import lay_beside
from datasets.props.camera import Camera, TileBox, box_corners, look_at
from datasets.props.occluders import cover
from datasets.props.painting import (
    Relief,
    coverage,
    paste,
    relief,
    seams,
    shaded,
    shadows,
    sides,
    sized_for,
)
from datasets.props.racks import draw_rack
from datasets.scenes.layouts import LAYOUTS, STOREY
from datasets.scenes.photography import (
    expose,
    expose_poorly,
    glare,
    in_shadow,
    light,
    shining,
    slanted,
)
from datasets.scenes.prints import Grain, pick_face
from datasets.sets.dyes import dyed, random_dye
from datasets.sets.faces import FaceSet
from scorer.tiles import BACK, BLANK, BONUS_TILES, OTHER, TILES

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

STAND_IN: Final = "5z"
"""The face that replaces a tile for which the tile set has no face."""
INSET = 0.015
"""Distance of a face's quad from the seam, as a share of the face."""
DYED: Final = 0.12
"""Share of training pictures whose tile set has dyed or dark plastic."""
SHARES: Mapping[str, float] = {**dict.fromkeys(BONUS_TILES, 1.8), BLANK: 0.08, OTHER: 0.7}
"""Frequency of some faces relative to 1: bonus tiles are harder, and spares are rare."""
_SORTED: Final = 0.4
"""Share of the layouts with equal tiles next to each other, as in sorted hands."""
_MOST_ALIKE: Final = 4
"""Maximum number of equal tiles next to each other."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture with its truth.

    Attributes:
        image: (h, w, 3) uint8 BGR.
        labels: tile code, ``back``, ``blank`` or ``other`` for each quad.
        quads: (n, 4, 2) float32 pixels of the shown sides, from the tile's own top-left, clockwise;
            a back has the direction of the face on its other side.
        visible: (n,) float32 share of each side that is inside the picture and uncovered, 0..1.
    """

    image: Image
    labels: tuple[str, ...]
    quads: NDArray[np.float32]
    visible: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Style:
    """The common material of all tiles of one scene: thickness, gloss and edge.

    ``shine`` (3,) is the place of a lamp's reflection on a face, from -1 to 1 across and down, and
    the width of the reflection.
    """

    depth: float
    rounding: float
    edge: float
    bevel: float
    slant: float
    gloss: float
    shine: Floats
    sun: Floats
    ambient: float
    fronting: float

    def layers(self, count: int, *, from_rear: bool) -> Floats:
        """The bounds (count + 1,) of a tile's layers from 0 to 1, starting at the shown side.

        From the rear the order of the layers is reversed.
        """
        if count == 1:
            return np.array([0.0, 1.0])
        bounds = np.concatenate([[0.0], np.linspace(self.fronting, 1.0, count)])
        return 1 - bounds[::-1] if from_rear else bounds


@dataclass(frozen=True, slots=True)
class Conditions:
    """Conditions that make a picture harder to read than a careful photo of new tiles.

    Attributes:
        reprinted: share of faces with altered print.
        grain: grain of the backs, if they are of bamboo or wood.
        bevel: brightness of the light on rounded edges, 0..1.
        slant: unevenness of the light on each face, as a share of its brightness.
        gloss: maximum brightness of a lamp's reflection on a face, 0..1.
        ambient: least and greatest brightness of sides that the sun does not reach, 0..1.
        harsh: whether light and camera are poor.
        covers: number of things in front of the tiles.
        beside: number of other things on the same table.
        shaded: share of faces with a shadow of something higher.
        seam: darkening of the edges of the tiles' sides, 0..1.
    """

    reprinted: float = 0.0
    grain: Grain | None = None
    bevel: float = 0.0
    slant: float = 0.0
    gloss: float = 0.0
    ambient: tuple[float, float] = (0.55, 0.55)
    harsh: bool = False
    covers: int = 0
    beside: int = 0
    shaded: float = 0.0
    seam: float = 0.0


CAREFUL: Final = Conditions()
"""The conditions of a careful photo of tiles without altered print."""


def random_conditions(rng: Generator) -> Conditions:
    """Random conditions of a training picture."""
    return Conditions(
        reprinted=0.35,
        bevel=float(rng.uniform(0, 0.9)) if rng.random() < 0.6 else 0.0,
        slant=float(rng.uniform(0, 0.12)),
        gloss=float(rng.uniform(0.05, 0.5)) if rng.random() < 0.4 else 0.0,
        ambient=(0.45, 1.05),
        harsh=bool(rng.random() < 0.3),
        covers=int(rng.integers(1, 4)) if rng.random() < 0.2 else 0,
        grain=_random_grain(rng) if rng.random() < 0.25 else None,
        beside=int(rng.integers(1, 6)) if rng.random() < 0.4 else 0,
        shaded=float(rng.uniform(0.05, 0.5)) if rng.random() < 0.35 else 0.0,
    )


def _random_grain(rng: Generator) -> Grain:
    return Grain(float(rng.uniform(0.05, 0.3)), across=bool(rng.random() < 0.5))


def choose_labels(
    rng: Generator, faces: FaceSet, shares: Mapping[str, float] = SHARES
) -> list[str]:
    """A long random sequence of the tile set's labels with the frequencies ``shares``."""
    labels = [label for label in faces.faces if label in TILES or label in shares]
    weights = np.array([shares.get(label, 1.0) for label in labels])
    return [str(x) for x in rng.choice(labels, 256, p=weights / weights.sum())]


def random_layout(
    rng: Generator, faces: FaceSet, shares: Mapping[str, float] = SHARES
) -> list[TileBox]:
    """Tiles of one tile set in one of the layouts, turned as a whole.

    In some layouts equal tiles are neighbours, because only the seam separates prints as wide as
    the face.
    """
    labels = choose_labels(rng, faces, shares)
    if rng.random() < _SORTED:
        repeated = rng.integers(1, _MOST_ALIKE, len(labels), endpoint=True)
        labels = [str(label) for label in np.repeat(labels, repeated)]
    run = iter(labels)
    odds = np.array([share for _, share in LAYOUTS])
    layout = LAYOUTS[int(rng.choice(len(LAYOUTS), p=odds / odds.sum()))][0]
    tiles = layout(rng, lambda: next(run), 1 / faces.proportion)
    return [t if t.label in faces.faces else replace(t, label=STAND_IN) for t in tiles]


def random_camera(rng: Generator, tiles: Sequence[TileBox], size: tuple[int, int]) -> Camera:
    """The camera of a phone over the tiles, at which a tile is about 20 to 150 pixels wide."""
    places = np.array([[tile.x, tile.y] for tile in tiles])
    spread = np.ptp(places, axis=0).max() + 2
    fit = min(size) / spread
    width = float(np.clip(fit * np.exp(rng.normal(0.15, 0.35)), 22, 150))
    around = places[rng.integers(len(places))] if width > fit else places.mean(axis=0)
    around = around + rng.normal(0, 0.5, 2)
    standing = np.mean([tile.pose == "standing" or tile.lean > 0.5 for tile in tiles]) > 0.4
    if standing:
        elevation, azimuth = np.deg2rad(rng.uniform(8, 50)), rng.normal(0, 0.3)
    else:
        angle = (rng.uniform(84, 90), rng.uniform(32, 88), rng.uniform(19, 48))
        elevation = np.deg2rad(angle[int(rng.choice(3, p=[0.22, 0.4, 0.38]))])
        azimuth = rng.normal(0, 0.5)
    roll = rng.normal(0, 0.08) if rng.random() < 0.6 else rng.uniform(0, 2 * np.pi)
    focal = max(size) * rng.uniform(0.65, 1.7)
    return look_at(
        np.array([around[0], around[1], 0.3]),
        elevation=elevation,
        azimuth=azimuth,
        roll=roll,
        distance=focal / width,
        focal=focal,
        size=size,
    )


def random_table(rng: Generator, size: tuple[int, int]) -> Image:
    """A random table, in most pictures with other things on it."""
    clutter = int(rng.integers(0, 14)) if rng.random() < 0.6 else 0
    return draw_background(rng, size, clutter)


def render(
    rng: Generator,
    faces: FaceSet,
    tiles: Sequence[TileBox],
    camera: Camera,
    size: tuple[int, int],
    table: Image | None = None,
    conditions: Conditions = CAREFUL,
) -> Scene:
    """Photograph the tiles.

    Args:
        rng: source of all randomness of materials, light and camera.
        faces: the tile set.
        tiles: the tiles with their places.
        camera: the camera of the phone.
        size: (height, width) of the picture in pixels.
        table: picture of the table, (height, width, 3) uint8 BGR; None draws a random one.
        conditions: conditions that make the picture harder to read.
    """
    canvas = random_table(rng, size) if table is None else table.copy()
    style = _random_style(rng, conditions)
    tiles = [replace(tile, z=tile.z * style.depth / STOREY) for tile in tiles]
    boxes = [box_corners(tile, 1 / faces.proportion, style.depth) for tile in tiles]
    if rng.random() < 0.9:
        shadows(rng, canvas, tiles, boxes, camera, style.sun)
    lay_beside(rng, canvas, tiles, camera, style.sun, conditions.beside)
    draw_rack(rng, canvas, tiles, 1 / faces.proportion, style.depth, camera, style.sun)
    labels, quads, hulls = _paint(rng, canvas, faces, tiles, boxes, camera, style, conditions)
    corners = np.array(quads, np.float32).reshape(-1, 4, 2)
    widths = np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)
    detail = float(np.median(widths)) if len(widths) else 60.0
    covers = _cover_some(rng, canvas, corners, detail, conditions.covers)
    visible = coverage(quads, hulls, size, covers)
    image = light(rng, canvas.astype(np.float32), harsh=conditions.harsh)
    if rng.random() < 0.3:
        image = glare(rng, image)
    shot = expose_poorly(rng, image, detail) if conditions.harsh else expose(rng, image)
    return Scene(shot, tuple(labels), corners, visible)


def _cover_some(
    rng: Generator, canvas: Image, quads: NDArray[np.float32], detail: float, count: int
) -> list[NDArray[np.float32]]:
    """Draw things on or beside some of the tiles, in place; returns their outlines (k, 2)."""
    outlines: list[NDArray[np.float32]] = []
    for _ in range(count if len(quads) else 0):
        spot = quads[int(rng.integers(len(quads)))].mean(axis=0) + rng.normal(0, detail * 0.8, 2)
        outlines += cover(rng, canvas, (float(spot[0]), float(spot[1])), detail)
    return outlines


def _random_style(rng: Generator, conditions: Conditions) -> Style:
    sun = np.array([rng.normal(0, 0.6), rng.normal(0, 0.6), 1.0])
    return Style(
        depth=float(rng.uniform(0.5, 0.95)),
        rounding=float(rng.uniform(0.02, 0.13)),
        edge=float(rng.uniform(0.05, 0.5)),
        bevel=conditions.bevel,
        slant=conditions.slant,
        gloss=conditions.gloss,
        shine=np.array([*rng.uniform(-0.6, 0.6, 2), rng.uniform(0.1, 0.6)]),
        sun=sun / np.linalg.norm(sun),
        ambient=float(rng.uniform(*conditions.ambient)),
        fronting=float(rng.uniform(0.3, 0.75)),
    )


def _paint(
    rng: Generator,
    canvas: Image,
    faces: FaceSet,
    tiles: Sequence[TileBox],
    boxes: list[tuple[Floats, Floats]],
    camera: Camera,
    style: Style,
    conditions: Conditions,
) -> tuple[list[str], list[NDArray[np.float32]], list[NDArray[np.float32]]]:
    """Draw the tiles from far to near, in place.

    Returns:
        The label of each shown side, its quad (4, 2) in pixels, and the outline (k, 2) of its
        tile, in the order of painting.
    """
    middles = np.array([(front.mean(0) + rear.mean(0)) / 2 for front, rear in boxes])
    distance = np.linalg.norm(middles - camera.position, axis=1) - 0.5 * middles[:, 2]
    forms: dict[tuple[int, int], Relief] = {}
    labels, quads, hulls = [], [], []
    for index in np.argsort(-distance):
        tile, (front, rear) = tiles[index], boxes[index]
        colours = faces.side_bgrs if tile.pose != "down" else faces.side_bgrs[::-1]
        bounds = style.layers(len(colours), from_rear=tile.pose == "down")
        sides(canvas, front, rear, camera, colours, style.sun, bounds, style.ambient)
        seams(canvas, front, rear, camera, conditions.seam)
        outward = np.cross(front[1] - front[0], front[3] - front[0])
        if outward @ (front[0] - camera.position) <= 0:
            continue
        quad = camera.project(front).astype(np.float32)
        texture = pick_face(rng, faces, tile, conditions.reprinted, conditions.grain)
        texture = sized_for(texture, quad)
        extent = (texture.shape[0], texture.shape[1])
        if extent not in forms:
            forms[extent] = relief(*extent, style.rounding)
        lean = np.array([front[1] - front[0], (front[3] - front[0]) * faces.proportion]) @ style.sun
        face = shaded(texture, forms[extent], style.edge, lean * style.bevel)
        face = _in_this_light(rng, face, style, conditions)
        gain = 0.75 + 0.25 * abs(float(outward @ style.sun)) / float(np.linalg.norm(outward))
        gain *= 1 + float(rng.normal(0, 0.02))
        paste(canvas, face, forms[extent].alpha, quad, gain)
        labels.append(BACK if tile.pose == "down" else tile.label)
        inset = quad + (quad.mean(axis=0) - quad) * 2 * INSET
        quads.append(np.asarray(inset, np.float32))
        hulls.append(_outline(camera, front, rear))
    return labels, quads, hulls


def _outline(camera: Camera, front: Floats, rear: Floats) -> NDArray[np.float32]:
    """The outline (k, 2) in pixels of a tile with these corners in front and behind."""
    points = camera.project(np.concatenate([front, rear])).astype(np.float32)
    return np.asarray(cv2.convexHull(points)[:, 0], np.float32)


def _in_this_light(rng: Generator, face: Image, style: Style, conditions: Conditions) -> Image:
    """The face with uneven light, reflections and shadows, as far as the scene has them."""
    if style.slant:
        face = slanted(rng, face, style.slant)
    if style.gloss:
        face = shining(rng, face, style.shine, style.gloss)
    if conditions.shaded and rng.random() < conditions.shaded:
        face = in_shadow(rng, face)
    return face


def random_scene(
    rng: Generator,
    sets: Sequence[FaceSet],
    size: tuple[int, int],
    shares: Mapping[str, float] = SHARES,
) -> Scene:
    """A random photo of one of the tile sets; one in twelve shows no tile."""
    faces = sets[int(rng.integers(len(sets)))]
    if rng.random() < DYED:
        faces = dyed(faces, random_dye(rng))
    if rng.random() < 1 / 12:
        empty = expose(
            rng, light(rng, draw_background(rng, size, int(rng.integers(24))).astype(np.float32))
        )
        return Scene(empty, (), np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))
    return laid_anyhow(rng, faces, size, shares)


def laid_anyhow(
    rng: Generator,
    faces: FaceSet,
    size: tuple[int, int],
    shares: Mapping[str, float] = SHARES,
) -> Scene:
    """A random photo of tiles of the tile set without altered print."""
    tiles = random_layout(rng, faces, shares)
    camera = random_camera(rng, tiles, size)
    return render(rng, faces, tiles, camera, size, conditions=random_conditions(rng))
