"""Plans scenes of a whole table: four hands, walls and discards."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.random import Generator

from datasets.pathtraced.table.deals import deal
from datasets.pathtraced.table.placing import (
    TRIES,
    clash,
    clear_of,
    lay_discards,
    lay_hand,
    lay_wall,
    moved,
    random_manner,
    true_hand,
    turn_z,
)
from datasets.pathtraced.table.plan import Placed, ScenePlan, TileShape
from datasets.pathtraced.table.surroundings import develop_as, random_table, room_light
from datasets.pathtraced.table.things import LARGE, SMALL, scatter
from datasets.pathtraced.table.views import box_points, frame
from datasets.photographs.benchmark import TrueHand

MOODS: Final = ("day", "day", "day", "sun", "evening", "evening", "mixed")
"""Moods of the room's light, drawn with equal probability; some appear several times."""
_POSITIONS: Final = ("near", "right", "far", "left")
_TABLE_SIZE: Final = (1200, 1600)
"""Height and width of a picture of a whole table, in pixels."""
_SMALLER: Final = 12
"""Reduction of the JPEG quality of pictures of a whole table, to keep the files small."""


def table_scene(
    number: int, design: int, rng: Generator, shape: TileShape, samples: int
) -> ScenePlan:
    """A table of four hands with walls and discards, photographed as a whole."""
    hands, played, tiles = _laid_table(number, rng, shape)
    points = np.concatenate([box_points(tile, shape) for tile in played])
    view = frame(
        points,
        elevation=float(np.deg2rad(rng.uniform(46, 74))),
        azimuth=float(rng.normal(0, 0.2)),
        roll=float(rng.normal(0, 0.04)),
        lens=float(rng.uniform(24, 30)),
        size=_TABLE_SIZE,
        margin=float(rng.uniform(0.015, 0.04)),
        aperture=float(rng.uniform(7.0, 12.0)),
    )
    mood = str(rng.choice(MOODS))
    lights, sky = room_light(rng, mood)
    kinds = [str(rng.choice([*SMALL, *SMALL, *LARGE])) for _ in range(int(rng.integers(2, 9)))]
    props = scatter(rng, kinds, (-15.0, -8.0, 15.0, 15.0), clear_of(tiles))
    table = random_table(rng)
    development = develop_as(rng, mood, view)
    return ScenePlan(
        number=number,
        design=design,
        layout="table",
        difficulty=(),
        hands=hands,
        tiles=tuple(tiles),
        shape=shape,
        table=table,
        props=tuple(props),
        lights=lights,
        sky=sky,
        view=view,
        development=replace(development, quality=development.quality - _SMALLER),
        samples=samples,
    )


def _laid_table(
    number: int, rng: Generator, shape: TileShape
) -> tuple[tuple[TrueHand, ...], list[Placed], list[Placed]]:
    """The four hands of a deal, their tiles, and all tiles including walls and discards.

    Raises:
        RuntimeError: no arrangement without overlapping tiles was found.
    """
    for _ in range(TRIES):
        dealt = deal(rng)
        turn = int(rng.integers(4))
        order = [dealt.hands[(turn + place) % 4] for place in range(4)]
        pairs = zip(order, _POSITIONS, strict=True)
        hands = tuple(true_hand(rng, hand, position) for hand, position in pairs)
        away = float(rng.uniform(11.0, 12.6))
        tiles: list[Placed] = []
        for index, hand in enumerate(hands):
            manner = random_manner(rng, len(hand.concealed), standing_share=0.0)
            manner = replace(manner, melds="front", breaks=0)
            own = lay_hand(rng, hand, shape, manner, index)
            yaw = index * np.pi / 2
            aside = np.array([rng.normal(0, 0.5), -away, 0.0])
            tiles += moved(own, yaw + rng.normal(0, 0.02), turn_z(yaw) @ aside)
        played = list(tiles)
        tiles += _middle(rng, list(dealt.rest), shape)
        if not clash(tiles):
            return hands, played, tiles
    raise RuntimeError(f"scene {number}: the tiles do not fit on the table")


def _middle(rng: Generator, rest: list[str], shape: TileShape) -> list[Placed]:
    """The rest of the walls, and the discards between them."""
    placed: list[Placed] = []
    inner = float(rng.uniform(5.6, 6.2))
    for side in range(4):
        length = int(rng.integers(0, 10)) if rng.random() < 0.7 else 0
        wall = lay_wall(rng, rest[: 2 * length], shape)
        del rest[: 2 * length]
        left = rng.uniform(-inner + 1.4, inner - 1.4 - length) if length < 2 * inner - 3 else 0.0
        yaw = side * np.pi / 2
        placed += moved(wall, yaw, turn_z(yaw) @ np.array([left, -inner, 0.0]))
    count = min(len(rest), int(rng.integers(8, 40)))
    tidy = bool(rng.random() < 0.3)
    placed += lay_discards(rng, rest[: min(count, 30)], shape, inner - 2.0, tidy=tidy)
    return placed
