"""Things on the same table as the tiles, in the same perspective: dice, cards, paper and boxes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.props.boxes import ahead, paint_box, turned_box
from datasets.props.camera import Camera, TileBox
from datasets.props.lookalikes.cards import draw_card
from datasets.props.lookalikes.dice import draw_die
from datasets.props.lookalikes.score_sheets import draw_score_sheet
from datasets.props.painting import paste

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Place = tuple[float, float]
Thing = Callable[[Generator, Image, Place, Camera, Floats], None]
"""Paints a thing at a place on the table, given the camera and the direction of the light."""

_AROUND: Final = 4.0
"""Maximum distance of a thing's middle from the outermost tiles, in tile widths."""
_CLEAR: Final = 1.4
"""Least distance of a thing's middle from that of any tile, in tile widths."""
_TRIES: Final = 12
"""Number of random places that are tried for a thing."""
_CARD: Final = 1.7
"""Least width of a playing card in tile widths; some cards are up to half as large again."""


def lay_beside(
    rng: Generator,
    canvas: Image,
    tiles: Sequence[TileBox],
    camera: Camera,
    sun: Floats,
    count: int,
    things: Sequence[Thing] = (),
) -> None:
    """Paint things around the tiles, in place; things without room are left out.

    Args:
        rng: chooses the things and their places.
        canvas: (h, w, 3) uint8 BGR.
        tiles: the tiles, which are painted afterwards.
        camera: the camera of the picture.
        sun: (3,) unit vector towards the light.
        count: number of things.
        things: the things to choose from; none for dice, cards, sheets and boxes.
    """
    choice = things or _DRAWERS
    places = np.array([[tile.x, tile.y] for tile in tiles])
    low, high = places.min(axis=0) - _AROUND, places.max(axis=0) + _AROUND
    for _ in range(count):
        draw = choice[int(rng.integers(len(choice)))]
        for _ in range(_TRIES):
            x, y = rng.uniform(low, high)
            if np.hypot(*(places - (x, y)).T).min() > _CLEAR:
                draw(rng, canvas, (float(x), float(y)), camera, sun)
                break


def lay_flat(
    rng: Generator,
    canvas: Image,
    place: Place,
    camera: Camera,
    patch: Image,
    width: float,
) -> None:
    """Paint a patch on the table, ``width`` tile widths wide and at a random angle."""
    height = width * patch.shape[0] / patch.shape[1]
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    flat = np.array([[-width, height], [width, height], [width, -height], [-width, -height]]) / 2
    corners = np.column_stack([flat @ turn + place, np.full(4, 0.02)])
    if ahead(camera, corners):
        full = np.full(patch.shape[:2], 255, np.uint8)
        gain = float(rng.uniform(0.8, 1.0))
        paste(canvas, patch, full, camera.project(corners).astype(np.float32), gain)


def _card(rng: Generator, canvas: Image, place: Place, camera: Camera, _sun: Floats) -> None:
    width = _CARD * rng.uniform(1.0, 1.5)
    lay_flat(rng, canvas, place, camera, draw_card(rng), float(width))


def _sheet(rng: Generator, canvas: Image, place: Place, camera: Camera, _sun: Floats) -> None:
    """Paint a score sheet with cells between half and twice as wide as a tile."""
    patch = draw_score_sheet(rng)
    width = patch.shape[1] / 55 * np.exp(rng.uniform(-0.7, 0.7))
    lay_flat(rng, canvas, place, camera, patch, float(width))


def _block(rng: Generator, canvas: Image, place: Place, camera: Camera, sun: Floats) -> None:
    """Paint a plain box, rubber or block of wood; some have a tile's size except on one side."""
    angle = rng.uniform(0, 2 * np.pi)
    wide, long = rng.uniform(0.6, 4.0, 2)
    corners = turned_box(place, angle, (wide, long, rng.uniform(0.2, 2.0)))
    plain = np.empty((8, 8, 3), np.uint8)
    plain[:] = rng.integers(0, 256, 3)
    paint_box(canvas, corners, plain, camera, sun, 0.5)


_DRAWERS: Final[tuple[Thing, ...]] = (
    draw_die,
    draw_die,
    _card,
    _sheet,
    _block,
)
