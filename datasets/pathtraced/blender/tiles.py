"""Tiles as layered, engraved, glossy blocks; those of a set share one mesh and one material."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import bpy
import cv2
import numpy as np

from datasets.designs.drawing.design import Bgr
from datasets.pathtraced.blender.meshes import put, rounded_box
from datasets.pathtraced.blender.nodes import Graph, Socket
from datasets.pathtraced.table.plan import Placed, Rgb, TileShape
from datasets.sets.faces import FaceSet

_COLUMNS: Final = 8


def linear(colour: Bgr) -> Rgb:
    """A stored BGR colour as linear RGB."""
    red, green, blue = (
        v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
        for v in (channel / 255 for channel in reversed(colour))
    )
    return red, green, blue


def _image(path: Path, *, colour: bool) -> bpy.types.Image:
    image = bpy.data.images.load(str(path))
    image.colorspace_settings.name = "sRGB" if colour else "Non-Color"
    return image


def _atlas(faces: FaceSet, labels: Sequence[str], folder: Path) -> tuple[Path, Path, int]:
    """Files of the faces side by side and of their engraved depth, and the number of rows."""
    height, width = faces.faces[labels[0]][0].shape[:2]
    rows = -(-len(labels) // _COLUMNS)
    colour = np.zeros((rows * height, _COLUMNS * width, 3), np.uint8)
    ink = np.zeros(colour.shape[:2], np.uint8)
    for index, label in enumerate(labels):
        row, column = divmod(index, _COLUMNS)
        cell = (
            slice(row * height, (row + 1) * height),
            slice(column * width, (column + 1) * width),
        )
        face = faces.faces[label][0]
        colour[cell] = face
        away = np.abs(face.astype(np.int16) - np.array(faces.body_bgr)).max(axis=2)
        depth = np.clip((away - 25) * 2.2, 0, 255).astype(np.uint8)
        ink[cell] = 255 - cv2.GaussianBlur(depth, (0, 0), 1.1)
    paths = folder / "faces.png", folder / "ink.png"
    cv2.imwrite(str(paths[0]), colour)
    cv2.imwrite(str(paths[1]), ink)
    return (*paths, rows)


def _texture(graph: Graph, path: Path, place: Socket, *, colour: bool) -> Socket:
    image = _image(path, colour=colour)
    node = graph.node("TexImage", {"Vector": place}, image=image, extension="EXTEND")
    return node.outputs[0]


def _layers(graph: Graph, faces: FaceSet, shape: TileShape, place: Socket, z: Socket) -> Socket:
    """The colours of the body's layers by depth, the back last."""
    colours = [linear(colour) for colour in faces.side_bgrs]
    back = linear(faces.back_bgr)
    stops = [(0.62 * i / max(1, len(colours) - 1), c) for i, c in enumerate(colours)]
    if len(colours) == 1:
        stops.append((0.55, back))
    else:
        stops[-1] = (stops[-1][0], back)
    depth = graph.math("DIVIDE", graph.math("SUBTRACT", shape.depth / 2, z), shape.depth)
    colour = graph.ramp(depth, stops, steps=True)
    scale = (26.0, 1.6, 26.0) if shape.bamboo else (6.0, 6.0, 6.0)
    grain = graph.noise(graph.stretched(place, scale), 1.0, 1.0)
    dark = graph.ramp(grain, [(0.3, (0.55, 0.5, 0.45)), (0.62, (1.0, 1.0, 1.0))], steps=False)
    amount = graph.math("MULTIPLY", graph.math("GREATER_THAN", depth, stops[-1][0]), 1.0)
    strength = graph.math("MULTIPLY", amount, 0.85 if shape.bamboo else 0.12)
    return graph.mix(strength, colour, dark, "MULTIPLY")


def _material(
    faces: FaceSet, labels: Sequence[str], shape: TileShape, folder: Path
) -> bpy.types.Material:
    colour_file, ink_file, rows = _atlas(faces, labels, folder)
    graph = Graph("tile")
    place = graph.node("TexCoord").outputs["Object"]
    x, y, z = graph.node("SeparateXYZ", {0: place}).outputs
    own = graph.node("ObjectInfo").outputs["Color"]
    left, foot, chance = graph.node("SeparateColor", {0: own}).outputs
    across = graph.math("DIVIDE", graph.math("ADD", x, 0.5), float(_COLUMNS))
    up = graph.math("DIVIDE", graph.math("ADD", y, shape.height / 2), shape.height * rows)
    cell = graph.node(
        "CombineXYZ", {0: graph.math("ADD", across, left), 1: graph.math("ADD", up, foot)}
    ).outputs[0]
    front = graph.math("GREATER_THAN", z, shape.depth / 2 - shape.bevel * 0.6)
    printed = _texture(graph, colour_file, cell, colour=True)
    colour = graph.mix(front, _layers(graph, faces, shape, place, z), printed)
    offset = graph.node("VectorMath", {0: place, 1: own}, operation="ADD").outputs[0]
    stain = graph.noise(graph.stretched(offset, (1.3, 1.3, 1.3)), 1.0, 2.0)
    aged = graph.ramp(stain, [(0.35, (0.9, 0.87, 0.8)), (0.6, (1, 1, 1))], steps=False)
    colour = graph.mix(graph.math("MULTIPLY", chance, 0.8), colour, aged, "MULTIPLY")
    ink = _texture(graph, ink_file, cell, colour=False)
    cut = graph.math("ADD", graph.math("MULTIPLY", graph.math("SUBTRACT", ink, 1.0), front), 1.0)
    rough = graph.node(
        "Math", {0: stain, 1: 0.25, 2: shape.roughness - 0.12}, operation="MULTIPLY_ADD"
    )
    return graph.surface(
        Base_Color=colour,
        Roughness=rough.outputs[0],
        Coat_Weight=shape.coat,
        Coat_Roughness=0.08,
        Normal=graph.bump(cut, 0.9, shape.engraving),
    )


def add_tiles(
    sets: Sequence[FaceSet], shape: TileShape, tiles: Sequence[Placed], folder: Path
) -> list[bpy.types.Object]:
    """Put the tiles into the scene; each gets its number, counted from 1, as pass index.

    Args:
        sets: the tile sets with their faces.
        shape: shape of all bodies.
        tiles: the placed tiles.
        folder: folder for the texture files that Blender reads while it renders.
    """
    bodies = {}
    for index in sorted({tile.of_set for tile in tiles}):
        labels = sorted({tile.tile for tile in tiles if tile.of_set == index})
        own = folder / f"set {index}"
        own.mkdir()
        mesh = rounded_box("tile", (1.0, shape.height, shape.depth), shape.bevel, 4)
        bodies[index] = mesh, _material(sets[index], labels, shape, own), labels
    things = []
    chances = np.random.default_rng(len(tiles)).random(len(tiles))
    for number, (tile, chance) in enumerate(zip(tiles, chances, strict=True), 1):
        mesh, material, labels = bodies[tile.of_set]
        rows = -(-len(labels) // _COLUMNS)
        row, column = divmod(labels.index(tile.tile), _COLUMNS)
        thing = put(mesh, material, tile.centre, tile.axes)
        thing.pass_index = number
        thing.color = (column / _COLUMNS, (rows - 1 - row) / rows, float(chance), 1.0)
        things.append(thing)
    return things
