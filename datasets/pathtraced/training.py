"""Scenes to learn from: of designs that no measurement uses, and with more of what is hard."""

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
from datasets.props.keyboards import PITCH, draw_keyboard
from datasets.scenes.scenes import DYED
from datasets.sets.dyes import dyed, random_dye
from datasets.sets.faces import FaceSet, from_design
from scorer.tiles import BLANK, BONUS_TILES

_PLAIN_DRAGONS: Final = 0.35
"""Share of the sets whose white dragons are blank: people see such tiles by their edges alone."""
_LOOKED_AT: Final = 3
"""How many sets are looked at for each further one that a scene shows: those whose tiles are most
alike in form to the first's are shown."""
_SELDOM: Final = ((), BONUS_TILES, ("5z",), ("8s", "6s", "9s", "9m", "8m", "7m", "5m", "6z", "1s"))
"""None, flowers and seasons, white dragons, or what is confused most; and"""
_THEIR_SHARES: Final = (0.3, 0.35, 0.2, 0.15)
"""how many of the scenes hold more of them than a deal does:"""
_EXCHANGED: Final = (0.15, 0.5)
"""in such a scene this share of its tiles, or"""
_ALL_OF_A_KIND: Final = 0.5
"""in this share of them that of its kinds of tiles, so that like tiles go on lying side by side."""
_KIND_OF_ONE_SET: Final = 0.6
"""Share of the scenes whose like tiles are of one set: where prints as wide as the face lie side by
side, only the seam tells the tiles apart."""
_KEYBOARDS: Final = 0.4
"""Share of the scenes in which there is a keyboard, where there is room for it."""
_KEY: Final = (0.6, 0.9)
"""From one key to the next in tile widths."""
_BESIDE: Final = 4.0
"""How far beyond the tiles its middle may lie."""
_TRIES: Final = 100
_TILE: Final = 0.95
"""How far from its middle a tile reaches."""


def plan_to_learn_from(
    designs: Path, seeds: Sequence[int], count: int, number: int, samples: int
) -> tuple[ScenePlan, list[FaceSet]]:
    """Plan a scene and choose its sets.

    Args:
        designs: folder with NNNN.npz of each design.
        seeds: of the designs to choose from.
        count: how many sets it shows.
        number: of the scene, from :data:`datasets.pathtraced.scenes.FIRST_TRAINING` on.
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
    """A set as it is, or in other colours, or with blank white dragons."""
    if rng.random() < DYED:
        faces = dyed(faces, random_dye(rng))
    if rng.random() < _PLAIN_DRAGONS:
        faces = replace(faces, faces={**faces.faces, "5z": faces.faces[BLANK]})
    return faces


def with_more_of_some(rng: Generator, plan: ScenePlan) -> ScenePlan:
    """The scene as it is, or with some of its tiles exchanged for others that are seldom dealt.

    Then it shows no lawful hands any more.
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
    """The scene with each tile, or all tiles of a kind, out of any of ``count`` sets."""
    chosen = rng.integers(count, size=len(plan.tiles))
    if rng.random() < _KIND_OF_ONE_SET:
        kinds = {tile.tile: int(of_set) for tile, of_set in zip(plan.tiles, chosen, strict=True)}
        chosen = np.array([kinds[tile.tile] for tile in plan.tiles])
    tiles = (replace(tile, of_set=int(s)) for tile, s in zip(plan.tiles, chosen, strict=True))
    return replace(plan, tiles=tuple(tiles))


def with_keyboard(rng: Generator, plan: ScenePlan) -> ScenePlan:
    """The scene with a keyboard in sight, or as it is if no room was found for one.

    Its keys are as large as tiles and bear signs; they stand apart from each other.
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
    """Whether a block of that (width, depth, height) touches no tile and, by a circle, no thing."""
    others = [(*tile.centre[:2], _TILE) for tile in plan.tiles]
    others += [(*prop.position[:2], max(prop.size[:2]) / 2) for prop in plan.props]
    middles, reach = np.split(np.array(others), [2], axis=1)
    beside = np.abs((middles - place[:2]) @ turn_z(yaw)[:2, :2])
    return bool((beside > np.array(size[:2]) / 2 + reach).any(axis=1).all())
