"""Plans training scenes, with designs that no measurement uses and more difficult tiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.random import Generator

from datasets.designs.drawing.design import load_design
from datasets.designs.errors import DesignError
from datasets.pathtraced.scenes import plan_scene
from datasets.pathtraced.table.placing import turn_z
from datasets.pathtraced.table.plan import Point, Prop, ScenePlan, to_rgb
from datasets.props.lookalikes.keyboards import PITCH, draw_keyboard
from datasets.scenes.scenes import DYED
from datasets.sets.dyes import dyed, random_dye
from datasets.sets.faces import FaceSet, from_design
from scorer.tiles import BLANK, BONUS_TILES

_PLAIN_DRAGONS: Final = 0.35
"""Share of the tile sets whose white dragons are blank, so that only their edges show."""
_LOOKED_AT: Final = 3
"""Number of candidates for each further tile set of a scene; the most similar in form is used."""
_SELDOM: Final = ((), BONUS_TILES, ("5z",), ("8s", "6s", "9s", "9m", "8m", "7m", "5m", "6z", "1s"))
"""Tiles of which a scene holds more than a deal does: none, bonus, white dragon, most confused."""
_THEIR_SHARES: Final = (0.3, 0.35, 0.2, 0.15)
"""Probability of each of the choices in :data:`_SELDOM`."""
_EXCHANGED: Final = (0.15, 0.5)
"""Least and greatest share of a scene's tiles, or kinds of tiles, that are exchanged for such."""
_ALL_OF_A_KIND: Final = 0.5
"""Share of the scenes in which whole kinds are exchanged, so that equal tiles stay side by side."""
_KIND_OF_ONE_SET: Final = 0.6
"""Share of the scenes whose equal tiles all come from one tile set.

If prints as wide as the face lie side by side, only the seam separates such tiles.
"""
_KEYBOARDS: Final = 0.4
"""Share of the scenes with a keyboard, if there is room for it."""
_KEY: Final = (0.6, 0.9)
"""Least and greatest distance of neighbouring keys in tile widths."""
_BESIDE: Final = 4.0
"""Maximum distance of the keyboard's middle from the tiles, in tile widths."""
_TRIES: Final = 100
"""Number of random places that are tried for a keyboard."""
_TILE: Final = 0.95
"""Distance from a tile's middle to its corners, in tile widths."""


def plan_to_learn_from(
    designs: Path, seeds: Sequence[int], count: int, number: int, samples: int
) -> tuple[ScenePlan, list[FaceSet]]:
    """Plan a scene and choose its sets.

    Args:
        designs: folder with NNNN.npz of each design.
        seeds: seeds of the designs to choose from.
        count: number of tile sets in the scene.
        number: number of the scene, from :data:`datasets.pathtraced.scenes.FIRST_TRAINING` on.
        samples: light paths per pixel.

    Raises:
        DesignError: there is no design to choose, or one is missing or damaged.
    """
    if not seeds:
        raise DesignError(f"{designs} holds no design that may be trained on")
    rng = np.random.default_rng([5, number])
    chosen = rng.permutation(seeds)[: 1 + _LOOKED_AT * (count - 1)]
    sets = [from_design(load_design(designs / f"{seed:04d}.npz")) for seed in chosen]
    form = sets[0].proportion
    alike = sorted(sets, key=lambda faces: abs(faces.proportion - form))
    shown = [_changed(rng, faces) for faces in alike[:count]]
    plan = plan_scene(number, int(chosen[0]), shown[0], samples)
    plan = with_more_of_some(rng, plan)
    plan = with_keyboard(rng, plan) if rng.random() < _KEYBOARDS else plan
    return of_several_sets(rng, plan, count), shown


def _changed(rng: Generator, faces: FaceSet) -> FaceSet:
    """A tile set unchanged, in other colours, or with blank white dragons."""
    if rng.random() < DYED:
        faces = dyed(faces, random_dye(rng))
    if rng.random() < _PLAIN_DRAGONS:
        faces = replace(faces, faces={**faces.faces, "5z": faces.faces[BLANK]})
    return faces


def with_more_of_some(rng: Generator, plan: ScenePlan) -> ScenePlan:
    """The scene unchanged, or with some of its tiles exchanged for rarer ones.

    After an exchange its hands are no longer lawful.
    """
    some = _SELDOM[int(rng.choice(len(_SELDOM), p=_THEIR_SHARES))]
    if not some:
        return plan
    share = rng.uniform(*_EXCHANGED)
    if rng.random() < _ALL_OF_A_KIND:
        kinds = sorted({tile.tile for tile in plan.tiles})
        changed = {kind: str(rng.choice(some)) for kind in kinds if rng.random() < share}
        shown = [changed.get(tile.tile, tile.tile) for tile in plan.tiles]
    else:
        shown = [
            str(rng.choice(some)) if rng.random() < share else tile.tile for tile in plan.tiles
        ]
    tiles = tuple(replace(tile, tile=kind) for tile, kind in zip(plan.tiles, shown, strict=True))
    return replace(plan, tiles=tiles, hands=())


def of_several_sets(rng: Generator, plan: ScenePlan, count: int) -> ScenePlan:
    """The scene with each tile, or all tiles of a kind, from any of ``count`` tile sets."""
    chosen = rng.integers(count, size=len(plan.tiles))
    if rng.random() < _KIND_OF_ONE_SET:
        kinds = {tile.tile: int(of_set) for tile, of_set in zip(plan.tiles, chosen, strict=True)}
        chosen = np.array([kinds[tile.tile] for tile in plan.tiles])
    tiles = (replace(tile, of_set=int(s)) for tile, s in zip(plan.tiles, chosen, strict=True))
    return replace(plan, tiles=tuple(tiles))


def with_keyboard(rng: Generator, plan: ScenePlan) -> ScenePlan:
    """The scene with a visible keyboard, or unchanged if there is no room for one.

    The keys are as large as tiles, bear signs, and have gaps between them.
    """
    seed = int(rng.integers(10_000))
    height, width = draw_keyboard(np.random.default_rng(seed)).image.shape[:2]
    key = rng.uniform(*_KEY)
    size = (float(width / PITCH * key), float(height / PITCH * key), float(rng.uniform(0.1, 0.35)))
    yaw = float(rng.normal(0, 0.3) + rng.integers(4) * np.pi / 2)
    places = np.array([tile.centre for tile in plan.tiles])
    low, high = places.min(axis=0) - _BESIDE, places.max(axis=0) + _BESIDE
    for _ in range(_TRIES):
        x, y = rng.uniform(low[:2], high[:2])
        place = (float(x), float(y), 0.0)
        if _in_sight(plan, place) and _room_for(plan, place, yaw, size):
            case = to_rgb(rng.uniform(0.01, 0.7) * rng.uniform(0.8, 1.0, 3))
            keyboard = Prop("keyboard", place, yaw, size, case, seed)
            return replace(plan, props=(*plan.props, keyboard))
    return plan


def _in_sight(plan: ScenePlan, place: Point) -> bool:
    height, width = plan.view.size
    x, y = plan.view.project(np.array(place))
    return bool(0 <= x < width and 0 <= y < height)


def _room_for(plan: ScenePlan, place: Point, yaw: float, size: Point) -> bool:
    """Whether a block (width, depth, height) touches no tile, and its circle no other thing."""
    others = [(*tile.centre[:2], _TILE) for tile in plan.tiles]
    others += [(*prop.position[:2], max(prop.size[:2]) / 2) for prop in plan.props]
    middles, reach = np.split(np.array(others), [2], axis=1)
    beside = np.abs((middles - place[:2]) @ turn_z(yaw)[:2, :2])
    return bool((beside > np.array(size[:2]) / 2 + reach).any(axis=1).all())
