"""Scenes of the world: tables as people see them, made sets, plain dragons, and no tile at all.

From these the judge of finds learns what is a face, what a back, and what is neither.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.props.backgrounds import draw_background, draw_cloth
from datasets.props.beside import lay_beside
from datasets.props.boxes import ahead
from datasets.props.camera import Camera, TileBox, box_corners, look_at
from datasets.props.rooms import draw_room, draw_sleeve
from datasets.props.trifles import TRIFLES
from datasets.scenes.layouts import STOREY, Draw, behind_walls, row_of, stacked, table, wall
from datasets.scenes.makes import WHITE, Make, plain_dragons, random_make
from datasets.scenes.photography import expose, light
from datasets.scenes.scenes import (
    STAND_IN,
    Scene,
    choose_labels,
    random_camera,
    random_conditions,
    random_layout,
    random_table,
    render,
)
from datasets.sets.faces import FaceSet
from scorer.tiles import PLAYING_TILES

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Size = tuple[int, int]

_TOUCH: Final = 1.03
"""Distance of touching neighbours in tile widths."""
_LOW: Final = (14.0, 55.0)
"""Least and greatest height in degrees from which people see a table."""
_FAR: Final = 0.15
"""Share of the tables that are far off."""
_FAR_WIDTHS: Final = (9.0, 20.0)
"""Least and greatest width in pixels of a tile on a table far off."""
_FROM_BEHIND: Final = 1 / 3
"""Share of the tables with a row of standing tiles seen from behind or on edge."""
_SEAMS: Final = 0.8
"""Share of the pictures of tiles with dark edges around their sides."""
_FELT: Final = 0.3
"""Share of the pictures of tiles on the plain cloth of a games table."""
_FELTS: Final = ((70, 120, 35), (60, 90, 20), (130, 110, 40), (140, 80, 30), (120, 115, 110))
"""The usual colours of such cloths, BGR."""
_THINGS: Final = 0.4
"""Share of the pictures of tiles with small things that resemble them."""
_ROOMS: Final = 0.5
"""Share of the pictures that show what is beyond the edge of the table, if it is in view."""
_ARMS: Final = 0.2
"""Share of the pictures with an arm that reaches in from the border."""
_TABLES: Final[tuple[tuple[Callable[[Generator, Draw, float], list[TileBox]], float], ...]] = (
    (wall, 0.25),
    (behind_walls, 0.35),
    (table, 0.4),
)
"""The layouts of tables with the share that each has."""


def world_scene(rng: Generator, faces: FaceSet, size: Size) -> Scene:
    """A random picture with its truth: a table in the world, or other things without any tile.

    Args:
        rng: source of all randomness.
        faces: the tile set, whose backs, sides and White dragon may be made otherwise.
        size: (height, width) of the picture in pixels.
    """
    shares = np.array([share for _, share in _KINDS])
    kind = _KINDS[int(rng.choice(len(_KINDS), p=shares / shares.sum()))][0]
    return kind(rng, random_make(rng, faces), size)


def empty_scene(rng: Generator, _make: Make, size: Size) -> Scene:
    """A table with many things, none of them a tile."""
    image = draw_background(rng, size, int(rng.integers(0, 26)))
    if rng.random() < 0.8:
        camera = look_at(
            np.zeros(3),
            elevation=np.deg2rad(rng.uniform(15, 88)),
            azimuth=rng.normal(0, 0.5),
            roll=rng.normal(0, 0.1),
            distance=rng.uniform(9, 25),
            focal=max(size) * rng.uniform(0.7, 1.5),
            size=size,
        )
        around = [TileBox(WHITE, float(x), float(y)) for x, y in rng.uniform(-5, 5, (3, 2))]
        _surround(rng, image, around, camera, int(rng.integers(2, 14)))
    shown = expose(rng, light(rng, image.astype(np.float32)))
    return Scene(shown, (), np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))


def anyhow_scene(rng: Generator, make: Make, size: Size) -> Scene:
    """Tiles in any layout, from any height."""
    tiles = random_layout(rng, make.faces, make.shares)
    return _photograph(rng, make, tiles, random_camera(rng, tiles, size), size)


def table_scene(rng: Generator, make: Make, size: Size) -> Scene:
    """Walls, rows before walls or a whole table, from where people stand or sit at it."""
    labels = _labels(rng, make)
    odds = np.array([share for _, share in _TABLES])
    lay = _TABLES[int(rng.choice(len(_TABLES), p=odds / odds.sum()))][0]
    height = 1 / make.faces.proportion
    tiles = lay(rng, lambda: next(labels), height)
    if rng.random() < _FROM_BEHIND:
        tiles += _from_behind(rng, lambda: next(labels), tiles, height)
    camera = _seat(rng, tiles, size)
    return _photograph(rng, make, tiles, camera, size)


def whites_scene(rng: Generator, make: Make, size: Size) -> Scene:
    """Plain White dragons alone, in twos to fours, between backs and in rows."""
    if make.plain == WHITE:
        make = plain_dragons(make)
    height = 1 / make.faces.proportion
    tiles = _hand_with(rng, make.plain)
    x, y = len(tiles) * _TOUCH + rng.uniform(0.3, 2.5), rng.normal(0, 0.1)
    for _ in range(int(rng.integers(1, 4))):
        group = _group(rng, make.plain)
        if rng.random() < 0.4:
            x, y = rng.uniform(-1, 8), y - height * rng.uniform(1.2, 2.2)
        yaw = rng.normal(0, 0.05) if rng.random() < 0.7 else rng.uniform(0, 2 * np.pi)
        labels, poses = [label for label, _ in group], [pose for _, pose in group]
        tiles += row_of(labels, float(x), float(y), yaw=float(yaw), poses=poses)
        x += len(group) * _TOUCH + rng.uniform(0.2, 2.0)
    if rng.random() < 0.35:
        place = float(rng.uniform(-3, 2)), float(height * rng.uniform(1.8, 4.5))
        length = int(rng.integers(3, 14))
        tiles += stacked(rng, lambda: WHITE, *place, yaw=float(rng.normal(0, 0.05)), length=length)
    return _photograph(rng, make, tiles, random_camera(rng, tiles, size), size)


def _labels(rng: Generator, make: Make) -> Iterator[str]:
    """Labels without end, with the make's frequencies."""
    while True:
        yield from choose_labels(rng, make.faces, make.shares)


def _hand_with(rng: Generator, plain: str) -> list[TileBox]:
    """A row of up to thirteen tiles, some of them plain, in half of the hands sorted."""
    labels = [str(label) for label in rng.choice(PLAYING_TILES, int(rng.integers(0, 14)))]
    labels = [plain if rng.random() < 0.12 else label for label in labels]
    if rng.random() < 0.6:
        labels.sort(key=lambda label: (label[1], label[0]))
    return row_of(labels, 0.0, 0.0)


def _group(rng: Generator, plain: str) -> list[tuple[str, str]]:
    """The labels and poses of one to four equal tiles: open, face down, or one in two face down."""
    count = int(rng.integers(1, 5))
    label = plain if rng.random() < 0.7 else str(rng.choice(PLAYING_TILES))
    chance = rng.random()
    if chance < 0.6:
        return [(label, "up")] * count
    if chance < 0.85:
        first = int(rng.random() < 0.5)
        return [(label, ("up", "down")[(i + first) % 2]) for i in range(count)]
    return [(label, "down")] * count


def _from_behind(
    rng: Generator, draw: Draw, tiles: Sequence[TileBox], height: float
) -> list[TileBox]:
    """A row of standing tiles beyond all others that looks away from the nearest player."""
    x = float(rng.uniform(-3, 3))
    y = max(tile.y for tile in tiles) + height + float(rng.uniform(0.3, 2.0))
    row = row_of([draw() for _ in range(int(rng.integers(4, 14)))], x, y)
    return [replace(t, pose="standing", yaw=np.pi + float(rng.normal(0, 0.02))) for t in row]


def _seat(rng: Generator, tiles: Sequence[TileBox], size: Size) -> Camera:
    """The camera of somebody who stands or sits at the table, from any side of it."""
    places = np.array([[tile.x, tile.y] for tile in tiles])
    middle = places.mean(axis=0) + rng.normal(0, 1.5, 2)
    if rng.random() < 0.5:
        middle = places[rng.integers(len(places))] + rng.normal(0, 0.7, 2)
    focal = max(size) * rng.uniform(0.65, 1.3)
    spread = np.ptp(places, axis=0).max() + 2
    width = np.clip(max(size) / spread * np.exp(rng.normal(0.25, 0.35)), 24, 130)
    if rng.random() < _FAR:
        width = rng.uniform(*_FAR_WIDTHS)
    return look_at(
        np.array([middle[0], middle[1], 0.3]),
        elevation=np.deg2rad(rng.uniform(*_LOW)),
        azimuth=rng.uniform(-np.pi, np.pi) if rng.random() < 0.5 else rng.normal(0, 0.4),
        roll=rng.normal(0, 0.06),
        distance=focal / width,
        focal=focal,
        size=size,
    )


def shown_to(camera: Camera, tile: TileBox, height: float) -> TileBox:
    """The same tile with its back as the shown side, if it stands and looks away from the camera.

    Args:
        camera: the camera of the picture.
        tile: a tile in any pose.
        height: height of a face in tile widths.
    """
    if tile.pose != "standing":
        return tile
    facing = np.array([np.sin(tile.yaw), -np.cos(tile.yaw)])
    towards = camera.position[:2] - (tile.x, tile.y)
    if facing @ towards >= 0:
        return tile
    x, y = (tile.x, tile.y) + facing * (height + STOREY) / 2
    return replace(tile, x=float(x), y=float(y), yaw=tile.yaw + np.pi, pose="down", lean=np.pi / 2)


def _photograph(
    rng: Generator, make: Make, tiles: Sequence[TileBox], camera: Camera, size: Size
) -> Scene:
    """Photograph the tiles before the camera; a face that the set lacks is replaced."""
    faces = make.faces
    height = 1 / faces.proportion
    shown = [
        shown_to(camera, t if t.label in faces.faces else replace(t, label=STAND_IN), height)
        for t in tiles
    ]
    shown = [t for t in shown if ahead(camera, np.concatenate(box_corners(t, height, STOREY)))]
    if not shown:
        return empty_scene(rng, make, size)
    ground = _felt(rng, size) if rng.random() < _FELT else random_table(rng, size)
    many = int(rng.integers(1, 10)) if rng.random() < _THINGS else 0
    _surround(rng, ground, shown, camera, many)
    seam = float(rng.uniform(0.1, 0.7)) if rng.random() < _SEAMS else 0.0
    conditions = replace(random_conditions(rng), seam=seam)
    return render(rng, faces, shown, camera, size, ground, conditions)


def _felt(rng: Generator, size: Size) -> Image:
    """The plain cloth of a games table."""
    colour = np.array(_FELTS[int(rng.integers(len(_FELTS)))]) * rng.uniform(0.6, 1.3)
    return draw_cloth(rng, size, (colour + rng.normal(0, 12, 3)).astype(np.float32))


def _surround(
    rng: Generator, ground: Image, tiles: Sequence[TileBox], camera: Camera, count: int
) -> None:
    """Paint ``count`` small things, what is behind the table, and arms at its border, in place."""
    if rng.random() < _ROOMS:
        draw_room(rng, ground, tiles, camera)
    if rng.random() < _ARMS:
        draw_sleeve(rng, ground)
    sun = np.array([*rng.normal(0, 0.4, 2), 1.0])
    things = TRIFLES if rng.random() < 0.7 else ()
    lay_beside(rng, ground, tiles, camera, sun / np.linalg.norm(sun), count, things)


_KINDS: Final[tuple[tuple[Callable[[Generator, Make, Size], Scene], float], ...]] = (
    (empty_scene, 0.15),
    (anyhow_scene, 0.30),
    (table_scene, 0.40),
    (whites_scene, 0.15),
)
"""The kinds of picture with the share that each has."""
