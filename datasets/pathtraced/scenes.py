"""Plans each scene of the benchmark from its number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.random import Generator

from datasets.pathtraced.table.deals import DealtHand, TableDeal, deal
from datasets.pathtraced.table.placing import (
    TRIES,
    Manner,
    clash,
    clear_of,
    lay_discards,
    lay_hand,
    lay_wall,
    lying,
    moved,
    random_manner,
    true_hand,
)
from datasets.pathtraced.table.plan import Light, Placed, Prop, Rgb, ScenePlan, TileShape, View
from datasets.pathtraced.table.surroundings import (
    develop_as,
    glare_light,
    rack_colour,
    random_shape,
    random_table,
    room_light,
)
from datasets.pathtraced.table.things import LARGE, SMALL, reaching_hand, scatter
from datasets.pathtraced.table.views import hand_view
from datasets.pathtraced.table_scenes import MOODS, table_scene
from datasets.photographs.benchmark import TrueHand
from datasets.sets.faces import FaceSet
from scorer.tiles import TILES, is_bonus

DESIGNS: Final = (
    *(900, 901, 902, 903, 905, 907, 908, 910, 911, 913, 914),
    *(916, 917, 919, 922, 927, 929, 935, 938, 939, 941, 946),
)
"""Seeds of the benchmark's drawn tile sets, all of which are held out of training."""

FIRST_PROFILE: Final = 1000
"""Number of the first profile sheet; there is one sheet for each of :data:`DESIGNS`."""

FIRST_TRAINING: Final = 10_000
"""Number of the first scene to train on."""

SCENE_COUNT: Final = 120
"""Number of scenes in the shipped benchmark, without profile sheets."""

_PATTERN: Final = (
    *("hand", "hand", "table", "hand", "hard", "hand", "hand", "table", "hand"),
    *("hand", "hard", "hand", "table", "hand", "hand", "hard", "hand", "table"),
)
"""The layouts of the benchmark's scenes, repeated by number."""
_TRAINING_PATTERN: Final = ("table", "hand", "table", "hard")
"""The layouts of training scenes, repeated by number."""
Own = tuple[TableDeal, DealtHand]
"""A deal, and the hand of it that is photographed."""

_SIZE: Final = (720, 960)
"""Height and width in pixels of pictures of one player's tiles."""


def layout_of(number: int) -> str:
    """The layout of a scene: ``hand``, ``table``, ``hard`` or ``profile``."""
    if number >= FIRST_TRAINING:
        return _TRAINING_PATTERN[number % len(_TRAINING_PATTERN)]
    return "profile" if number >= FIRST_PROFILE else _PATTERN[number % len(_PATTERN)]


def design_of(number: int) -> int:
    """Seed of the design that a scene of the benchmark shows."""
    return DESIGNS[number % FIRST_PROFILE % len(DESIGNS)]


def plan_scene(number: int, design: int, faces: FaceSet, samples: int) -> ScenePlan:
    """Plan a scene; the same number and faces give the same scene.

    Args:
        number: of the scene, from 0; from :data:`FIRST_PROFILE` on a profile sheet, from
            :data:`FIRST_TRAINING` on a scene to train on.
        design: seed of the design; in the benchmark the one that :func:`design_of` names.
        faces: the design.
        samples: light paths per pixel.
    """
    rng = np.random.default_rng([90_210, number])
    shape = random_shape(np.random.default_rng([design]), faces.proportion)
    layout = layout_of(number)
    if layout == "profile":
        return _profile_sheet(number, design, rng, shape, samples)
    if layout == "table":
        return table_scene(number, design, rng, shape, samples)
    held = _some_hand(rng)
    return _hand_scene(number, design, rng, shape, samples, held, hard=layout == "hard")


def plan_deal(number: int, design: int, faces: FaceSet, samples: int) -> tuple[ScenePlan, ...]:
    """Plan four photos of one deal, each of one player's tiles.

    The photos share only the tile set: each has its own table, light and camera. The discards hold
    no flowers, since players lay out the flowers that they draw.

    Args:
        number: number of the deal, from 0; four times this is the number of its first photo.
        design: seed of the design.
        faces: the design.
        samples: light paths per pixel.
    """
    rng = np.random.default_rng([90_211, number])
    shape = random_shape(np.random.default_rng([design]), faces.proportion)
    dealt = deal(rng)
    dealt = replace(dealt, rest=tuple(tile for tile in dealt.rest if not is_bonus(tile)))
    return tuple(
        _hand_scene(4 * number + place, design, own, shape, samples, (dealt, hand), hard=False)
        for place, (hand, own) in enumerate(zip(dealt.hands, rng.spawn(4), strict=True))
    )


def _some_hand(rng: Generator) -> Own:
    """One player's tiles of a random deal, usually the winner's."""
    dealt = deal(rng)
    winners = [hand for hand in dealt.hands if hand.won]
    if winners and rng.random() < 0.5:
        return dealt, winners[0]
    return dealt, dealt.hands[int(rng.integers(4))]


def _own_tiles(
    rng: Generator, chosen: DealtHand, shape: TileShape, *, standing_share: float
) -> tuple[TrueHand, list[Placed], Manner]:
    """One player's tiles, placed about the origin."""
    hand = true_hand(rng, chosen, "near")
    manner = random_manner(rng, len(hand.concealed), standing_share=standing_share)
    for _ in range(TRIES):
        tiles = lay_hand(rng, hand, shape, manner, 0)
        if not clash(tiles):
            return hand, tiles, manner
    raise RuntimeError(f"the tiles of {hand} cannot be laid without overlap")


def _surround(
    rng: Generator, tiles: list[Placed], rest: Sequence[str], shape: TileShape, *, opposite: bool
) -> list[Placed]:
    """Walls and discards beyond the hand, as the picture's background."""
    far = -1.0 if opposite else 1.0
    edge = max(far * tile.centre[1] for tile in tiles) + shape.height
    extra: list[Placed] = []
    supply = list(rest)
    if rng.random() < 0.4:
        count = int(rng.integers(4, 13)) * 2
        wall = lay_wall(rng, supply[:count], shape)
        del supply[:count]
        x, y = rng.uniform(-9, -1), far * (edge + rng.uniform(0.4, 3.0))
        extra += moved(wall, rng.normal(0, 0.05), (x, y, 0.0))
        edge = abs(y) + shape.height
    if rng.random() < 0.45:
        count = int(rng.integers(4, 26))
        tidy = bool(rng.random() < 0.3)
        reach = float(np.sqrt(count) * rng.uniform(1.0, 1.4))
        heap = lay_discards(rng, supply[:count], shape, reach, tidy=tidy)
        height = reach if not tidy else shape.height * 2.2
        place = (rng.uniform(-4, 4), far * (edge + height + rng.uniform(0.8, 2.0)), 0.0)
        heap = moved(heap, rng.normal(0, 0.2) + (np.pi if rng.random() < 0.4 else 0.0), place)
        if not clash([*tiles, *extra, *heap]):
            extra += heap
    return extra


def _racks(rng: Generator, tiles: Sequence[Placed], manner: Manner, shape: TileShape) -> list[Prop]:
    row = [tile.centre for tile in tiles if tile.group == "hand"]
    if not manner.rack:
        return []
    left, right = min(c[0] for c in row), max(c[0] for c in row)
    size = (right - left + 1 + float(rng.uniform(0.6, 3.5)), manner.tilt, shape.depth)
    middle = (float(left + right) / 2, float(np.mean([c[1] for c in row])), 0.0)
    return [Prop("rack", middle, 0.0, size, rack_colour(rng), int(rng.integers(100)))]


def _difficulties(rng: Generator) -> list[str]:
    kinds = ["glare", "dim", "oblique", "clutter", "glare", "clutter"]
    count = 2 if rng.random() < 0.45 else 1
    return sorted({str(kind) for kind in rng.choice(kinds, count, replace=False)})


def _hand_scene(
    number: int,
    design: int,
    rng: Generator,
    shape: TileShape,
    samples: int,
    own: Own,
    *,
    hard: bool,
) -> ScenePlan:
    dealt, chosen = own
    hand, tiles, manner = _own_tiles(rng, chosen, shape, standing_share=0.1 if hard else 0.2)
    difficulty = _difficulties(rng) if hard else []
    opposite = bool(not manner.tilt and rng.random() < 0.07)
    extra = _surround(rng, tiles, dealt.rest, shape, opposite=opposite)
    steep, difficulty = _seen_from(manner, difficulty)
    size = _upright_or_wide(rng, tiles)
    props, tips = _at_the_row(rng, tiles, manner, shape, opposite=opposite, hard=hard)
    difficulty += ["hand"] if hard and tips else []
    view = hand_view(rng, tiles, shape, elevation=steep, size=size, opposite=opposite, also=tips)
    mood = "dim" if "dim" in difficulty else str(rng.choice(MOODS))
    lights, sky = _lamps(rng, mood, view, tiles, glare="glare" in difficulty)
    props += _things(rng, [*tiles, *extra], clutter="clutter" in difficulty, opposite=opposite)
    return ScenePlan(
        number=number,
        design=design,
        layout="hard" if hard else "hand",
        difficulty=tuple(difficulty),
        hands=(hand,),
        tiles=(*tiles, *extra),
        shape=shape,
        table=random_table(rng),
        props=tuple(props),
        lights=lights,
        sky=sky,
        view=view,
        development=develop_as(rng, mood, view),
        samples=samples,
    )


def _lamps(
    rng: Generator, mood: str, view: View, tiles: Sequence[Placed], *, glare: bool
) -> tuple[tuple[Light, ...], Rgb]:
    """The lamps, one of which a tile may reflect, and the light from all directions."""
    lights, sky = room_light(rng, mood)
    if not glare:
        return lights, sky
    spot = tiles[int(rng.integers(len(tiles)))].centre
    return (*lights, glare_light(rng, view, spot)), sky


def _seen_from(manner: Manner, difficulty: list[str]) -> tuple[tuple[float, float], list[str]]:
    """The range of the camera's elevation in degrees, and the words for its difficulty.

    The camera sees tilted tiles from the front, never at a flat angle.
    """
    if manner.tilt:
        return (28.0, 48.0), ["standing" if kind == "oblique" else kind for kind in difficulty]
    return ((23.0, 30.0) if "oblique" in difficulty else (30.0, 72.0)), difficulty


def _things(
    rng: Generator, tiles: Sequence[Placed], *, clutter: bool, opposite: bool
) -> list[Prop]:
    """Things around a hand, none of them between the tiles and the phone."""
    places = np.array([tile.centre[:2] for tile in tiles])
    low, high = places.min(axis=0), places.max(axis=0)
    before, behind = (9.0, 1.0) if opposite else (1.0, 9.0)
    area = (low[0] - 6.0, low[1] - before, high[0] + 6.0, high[1] + behind)
    count = int(rng.integers(8, 15)) if clutter else int(rng.choice([0, 1, 2, 4]))
    kinds = [str(rng.choice(LARGE if rng.random() < 0.45 else SMALL)) for _ in range(count)]
    props = scatter(rng, kinds, area, clear_of(tiles))
    if clutter and rng.random() < 0.6:
        x, y = rng.uniform(low, high)
        page = Prop(
            "newspaper",
            (float(x), float(y), 0.0),
            float(rng.uniform(0, 6.28)),
            (15, 20, 0.01),
            (1.0, 1.0, 1.0),
            int(rng.integers(10_000)),
        )
        props.append(page)
    return props


def _upright_or_wide(rng: Generator, tiles: Sequence[Placed]) -> tuple[int, int]:
    """How the phone is held: a short row is taken either way, a long one with a wide picture."""
    breadth = np.ptp([tile.centre[0] for tile in tiles])
    return _SIZE[::-1] if breadth <= 9.5 and rng.random() < 0.5 else _SIZE


def _at_the_row(
    rng: Generator,
    tiles: Sequence[Placed],
    manner: Manner,
    shape: TileShape,
    *,
    opposite: bool,
    hard: bool,
) -> tuple[list[Prop], list[tuple[float, float, float]]]:
    """The rack and, in some scenes, a human hand at one end of it with a point at its edge."""
    props = _racks(rng, tiles, manner, shape)
    if rng.random() >= (0.4 if hard else 0.15):
        return props, []
    resting, tip = _resting_hand(rng, tiles, opposite=opposite)
    return [*props, resting], [tip]


def _resting_hand(
    rng: Generator, tiles: Sequence[Placed], *, opposite: bool
) -> tuple[Prop, tuple[float, float, float]]:
    """A human hand at one end of the row, and a point at its outer edge."""
    xs = [tile.centre[0] for tile in tiles if tile.group == "hand"]
    side = 1.0 if rng.random() < 0.5 else -1.0
    end = max(side * x for x in xs) + rng.uniform(2.3, 3.0)
    tip = (side * float(end), float(rng.uniform(0.0, 2.5)) * (-1 if opposite else 1))
    yaw = side * rng.uniform(0.1, 0.6)
    reaching = reaching_hand(rng, tip, float(np.pi - yaw if opposite else yaw))
    return reaching, (tip[0] + side * 1.2, tip[1], 0.5)


def _profile_sheet(
    number: int, design: int, rng: Generator, shape: TileShape, samples: int
) -> ScenePlan:
    """One of each face in rows, for making a set profile."""
    tiles: list[Placed] = []
    for start, stop, row in ((0, 9, 0), (9, 18, 1), (18, 27, 2), (27, 34, 3), (34, 42, 4)):
        for column, code in enumerate(TILES[start:stop]):
            x, y = (
                column * 1.05 + rng.normal(0, 0.01),
                -row * shape.height * 1.1 + rng.normal(0, 0.02),
            )
            box = lying(code, float(x), float(y), shape, yaw=float(rng.normal(0, 0.015)))
            tiles.append(replace(box, group="sheet"))
    view = hand_view(rng, tiles, shape, elevation=(55.0, 78.0), size=_SIZE, opposite=False)
    mood = "day" if rng.random() < 0.6 else "evening"
    lights, sky = room_light(rng, mood)
    table = random_table(rng)
    return ScenePlan(
        number=number,
        design=design,
        layout="profile",
        difficulty=(),
        hands=(),
        tiles=tuple(tiles),
        shape=shape,
        table=table,
        props=(),
        lights=lights,
        sky=sky,
        view=view,
        development=develop_as(rng, mood, view),
        samples=samples,
    )
