"""Photographs of one player's tiles laid out for scoring, with the true hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.props.camera import Camera, TileBox, look_at
from datasets.scenes.layouts import row_of
from datasets.scenes.scenes import Scene, render
from datasets.sets.faces import FaceSet
from scorer.tiles import BONUS_TILES, PLAYING_TILES, SUIT_TILES, sort_tiles


@dataclass(frozen=True, slots=True)
class LaidMeld:
    """A meld laid apart from the hand.

    A concealed kong has its outer two tiles face down, a concealed pung its middle one.
    """

    tiles: tuple[str, ...]
    concealed: bool = False


@dataclass(frozen=True, slots=True)
class LaidHand:
    """The tiles in front of one player."""

    concealed: tuple[str, ...]
    melds: tuple[LaidMeld, ...] = ()
    bonus: tuple[str, ...] = ()


_HIDDEN = {3: ["up", "down", "up"], 4: ["down", "up", "up", "down"]}
"""The poses of the tiles of a concealed meld, by its number of tiles."""


def lay_out(rng: Generator, hand: LaidHand, height: float) -> list[TileBox]:
    """The hand in one row, and in front of it the melds and the bonus tiles with gaps between.

    Args:
        rng: source of the unevenness of tiles laid by hand.
        hand: the tiles to lay out.
        height: height of a face in tile widths.
    """
    tiles = row_of(hand.concealed, 0.0, 0.0)
    x, y = 0.0, -height * rng.uniform(1.25, 1.5)
    for meld in hand.melds:
        poses = _HIDDEN.get(len(meld.tiles), []) if meld.concealed else []
        tiles += row_of(meld.tiles, x, y, poses=poses)
        x += len(meld.tiles) + rng.uniform(0.7, 1.1)
    if hand.bonus:
        tiles += row_of(hand.bonus, x + 0.4, y)
    return [
        TileBox(
            tile.label,
            tile.x + rng.normal(0, 0.008),
            tile.y + rng.normal(0, 0.025),
            rng.normal(0, 0.012),
            tile.pose,
        )
        for tile in tiles
    ]


def phone_camera(rng: Generator, tiles: Sequence[TileBox], size: tuple[int, int]) -> Camera:
    """The camera of a player's phone that has all the tiles in the picture."""
    places = np.array([[tile.x, tile.y] for tile in tiles])
    low, high = places.min(axis=0), places.max(axis=0)
    middle, spread = (low + high) / 2, high - low
    focal = max(size) * rng.uniform(0.8, 1.2)
    elevation = np.deg2rad(rng.uniform(45, 85))
    width = size[1] / (spread[0] + rng.uniform(2.5, 4.5))
    return look_at(
        np.array([middle[0], middle[1], 0.0]),
        elevation=elevation,
        azimuth=rng.normal(0, 0.15),
        roll=rng.normal(0, 0.05),
        distance=focal / width,
        focal=focal,
        size=size,
    )


def random_hand(rng: Generator) -> LaidHand:
    """One player's tiles at the end of a deal: some melds laid out, and random tiles in hand."""
    melds: list[LaidMeld] = []
    used: dict[str, int] = {}
    for _ in range(int(rng.integers(0, 4))):
        size = int(rng.choice([3, 3, 3, 4]))
        tile = str(rng.choice(PLAYING_TILES))
        if used.get(tile):
            continue
        used[tile] = size
        melds.append(LaidMeld((tile,) * size, concealed=size == 4 and rng.random() < 0.5))
    if melds and rng.random() < 0.3:
        run = [t for t in SUIT_TILES if t[0] in "1234567"]
        first = str(rng.choice(run))
        chow = tuple(f"{int(first[0]) + i}{first[1]}" for i in range(3))
        if not any(tile in used for tile in chow):
            melds[-1] = LaidMeld(chow)
    wall = [tile for tile in PLAYING_TILES for _ in range(4 - used.get(tile, 0))]
    count = 13 - 3 * len(melds) + int(rng.random() < 0.3)
    concealed = sort_tiles(str(tile) for tile in rng.choice(wall, count, replace=False))
    bonus = [str(tile) for tile in rng.choice(BONUS_TILES, int(rng.integers(0, 4)), replace=False)]
    return LaidHand(tuple(concealed), tuple(melds), tuple(sort_tiles(bonus)))


def photograph_hand(
    rng: Generator,
    faces: FaceSet,
    hand: LaidHand,
    size: tuple[int, int],
    table: NDArray[np.uint8] | None = None,
) -> Scene:
    """A photo, ``size`` (height, width) pixels, of the hand on a table (None: a random one)."""
    tiles = lay_out(rng, hand, 1 / faces.proportion)
    return render(rng, faces, tiles, phone_camera(rng, tiles, size), size, table)


def hand_scene(rng: Generator, faces: FaceSet, size: tuple[int, int]) -> Scene:
    """A photo of a random player's tiles."""
    return photograph_hand(rng, faces, random_hand(rng), size)
