"""Table tops of felt, wood, cloth, laminate and stone, and the room behind them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import bpy
import numpy as np

from datasets.pathtraced.blender.meshes import put, rounded_box, sheet
from datasets.pathtraced.blender.nodes import Graph, Socket, plain, rgba
from datasets.pathtraced.table.placing import turn_z
from datasets.pathtraced.table.plan import ScenePlan, Table

_FLOOR: Final = -29.0
_THICKNESS: Final = 1.2


def _place(graph: Graph, table: Table) -> Socket:
    """Texture coordinates on the table, shifted so that no two tables have the same pattern."""
    place = graph.node("TexCoord").outputs["Object"]
    shift = tuple(np.random.default_rng(table.seed).uniform(-50, 50, 3))
    inputs = {"Vector": place, "Location": shift, "Scale": (table.scale,) * 3}
    return graph.node("Mapping", inputs).outputs[0]


def _felt(graph: Graph, table: Table) -> bpy.types.Material:
    place = _place(graph, table)
    fibres = graph.noise(place, 15.0, 2.0)
    blotches = graph.noise(place, 0.35, 1.0)
    first, second = table.colours
    colour = graph.ramp(fibres, [(0.3, first), (0.7, second)], steps=False)
    shade = graph.ramp(blotches, [(0.3, (0.82,) * 3), (0.65, (1.0,) * 3)], steps=False)
    return graph.surface(
        Base_Color=graph.mix(1.0, colour, shade, "MULTIPLY"),
        Roughness=0.95,
        Specular_IOR_Level=0.1,
    )


def _wood(graph: Graph, table: Table) -> bpy.types.Material:
    place = _place(graph, table)
    along = graph.stretched(place, (0.12, 1.0, 1.0))
    wave = graph.node(
        "TexWave",
        {"Vector": along, "Scale": 0.55, "Distortion": 5.0, "Detail": 1.0, "Detail Scale": 1.6},
        bands_direction="Y",
    ).outputs["Fac"]
    pores = graph.noise(graph.stretched(place, (0.6, 16.0, 1.0)), 1.0, 1.0)
    first, second = table.colours
    colour = graph.ramp(wave, [(0.1, first), (0.9, second)], steps=False)
    dark = graph.ramp(pores, [(0.35, (0.72,) * 3), (0.55, (1.0,) * 3)], steps=False)
    smears = graph.noise(place, 0.3)
    rough = graph.node("Math", {0: smears, 1: 0.3, 2: 0.22}, operation="MULTIPLY_ADD").outputs[0]
    return graph.surface(
        Base_Color=graph.mix(1.0, colour, dark, "MULTIPLY"),
        Roughness=rough,
        Coat_Weight=0.3,
        Coat_Roughness=0.2,
    )


def _cloth(graph: Graph, table: Table) -> bpy.types.Material:
    place = _place(graph, table)
    first, second = table.colours
    kind = table.seed % 3
    if kind == 0:
        x, y, _ = graph.node("SeparateXYZ", {0: place}).outputs
        stripes = [
            graph.math("GREATER_THAN", graph.math("SINE", graph.math("MULTIPLY", axis, 1.7)), 0.0)
            for axis in (x, y)
        ]
        factor = graph.math("MULTIPLY", graph.math("ADD", *stripes), 0.5)
    elif kind == 1:
        cells = graph.node("TexVoronoi", {"Vector": place, "Scale": 0.55}).outputs["Distance"]
        factor = graph.math("LESS_THAN", cells, 0.33)
    else:
        wave = {"Vector": place, "Scale": 0.25, "Distortion": 14.0, "Detail Scale": 0.7}
        factor = graph.math("GREATER_THAN", graph.node("TexWave", wave).outputs["Fac"], 0.55)
    colour = graph.mix(factor, rgba(first), rgba(second))
    folds = graph.noise(place, 0.12, 1.0)
    return graph.surface(Base_Color=colour, Roughness=0.9, Normal=graph.bump(folds, 0.5, 0.5))


def _laminate(graph: Graph, table: Table) -> bpy.types.Material:
    place = _place(graph, table)
    smears = graph.noise(place, 0.5, 2.0)
    first, second = table.colours
    rough = graph.node("Math", {0: smears, 1: 0.3, 2: 0.2}, operation="MULTIPLY_ADD").outputs[0]
    colour = graph.ramp(smears, [(0.3, first), (0.7, second)], steps=False)
    return graph.surface(Base_Color=colour, Roughness=rough)


def _stone(graph: Graph, table: Table) -> bpy.types.Material:
    place = _place(graph, table)
    clouds = graph.noise(place, 0.8, 3.0)
    grains = graph.node("TexVoronoi", {"Vector": place, "Scale": 5.0}).outputs["Color"]
    first, second = table.colours
    colour = graph.ramp(clouds, [(0.35, first), (0.65, second)], steps=False)
    grey = graph.node("RGBToBW", {0: grains}).outputs[0]
    speckle = graph.ramp(grey, [(0.2, (0.55,) * 3), (0.5, (1.0,) * 3)], steps=False)
    return graph.surface(
        Base_Color=graph.mix(0.7, colour, speckle, "MULTIPLY"), Roughness=0.25, Coat_Weight=0.2
    )


TABLES: Final[dict[str, Callable[[Graph, Table], bpy.types.Material]]] = {
    "felt": _felt,
    "wood": _wood,
    "cloth": _cloth,
    "plain": _laminate,
    "stone": _stone,
}


def add_table(table: Table) -> None:
    """The table top, its upper side at z = 0, about the origin; felt has a wooden rim."""
    width, depth = table.size
    axes = turn_z(table.yaw)
    material = TABLES[table.kind](Graph("table"), table)
    top = rounded_box("table", (width, depth, _THICKNESS), 0.25)
    put(top, material, (0.0, 0.0, -_THICKNESS / 2), axes)
    if table.kind == "felt" and table.seed % 2:
        rim = plain("rim", (0.09, 0.035, 0.015), 0.35, coat=0.4)
        for side in (-1, 1):
            long = rounded_box("rim", (width + 2.4, 1.2, 2.0), 0.2)
            put(long, rim, axes @ (0.0, side * (depth / 2 + 0.6), -0.6), axes)
            short = rounded_box("rim", (1.2, depth, 2.0), 0.2)
            put(short, rim, axes @ (side * (width / 2 + 0.6), 0.0, -0.6), axes)


def add_room(plan: ScenePlan) -> None:
    """A floor and some furniture far away, blurred by distance."""
    rng = np.random.default_rng(plan.number + 7_000)
    shade = rng.uniform(0.04, 0.4)
    tint = np.clip(shade * np.array([1.0, rng.uniform(0.75, 1.0), rng.uniform(0.5, 0.95)]), 0, 1)
    put(sheet("floor", 600, 600), plain("floor", tuple(tint), 0.6), (0.0, 0.0, _FLOOR))
    middle = np.arctan2(plan.view.rotation[2, 1], plan.view.rotation[2, 0])
    for _ in range(int(rng.integers(3, 9))):
        angle = middle + rng.normal(0, 0.6)
        away = rng.uniform(55, 130)
        width, depth, height = rng.uniform(8, 50), rng.uniform(8, 30), rng.uniform(10, 80)
        colour = tuple(np.clip(rng.uniform(0.03, 0.6) * rng.uniform(0.5, 1.0, 3), 0, 1))
        box = rounded_box("furniture", (width, depth, height), 0.8)
        place = (away * np.cos(angle), away * np.sin(angle), _FLOOR + height / 2)
        put(box, plain("furniture", colour, 0.7), place, turn_z(rng.uniform(0, 3)))
