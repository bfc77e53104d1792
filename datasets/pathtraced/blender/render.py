"""Renders a planned scene: the light that reaches the lens, and which tile each pixel shows."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import bpy
import cv2
import mathutils
import numpy as np
from numpy.typing import NDArray

from datasets.pathtraced.blender.nodes import Graph
from datasets.pathtraced.blender.props import add_prop
from datasets.pathtraced.blender.surfaces import add_room, add_table
from datasets.pathtraced.blender.tiles import add_tiles
from datasets.pathtraced.table.plan import UNIT_MM, Light, ScenePlan, View
from datasets.sets.faces import FaceSet

_SENSOR_MM: Final = 36.0
"""Width of the sensor in millimetres."""
_MOST_TILES: Final = 4096
"""Maximum number of tiles whose index a picture can hold."""


def render_scene(
    plan: ScenePlan, sets: Sequence[FaceSet], threads: int = 1
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Build and render a scene.

    Args:
        plan: the planned scene.
        sets: the tile sets that it shows.
        threads: processor cores to use.

    Returns:
        The linear light (h, w, 3) float32 BGR, and (h, w) int32 with the index of the tile at
        each pixel's centre in a perfectly sharp picture, -1 for anything else.
    """
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _build(plan, sets, folder)
        _settings(plan, threads)
        light = _shoot(folder / "light.hdr", "HDR", "32")
        _show_numbers()
        numbers = _shoot(folder / "numbers.png", "PNG", "16")[..., 2]
    index = np.round(numbers / 65535 * _MOST_TILES).astype(np.int32)
    return light.astype(np.float32), index - 1


def _build(plan: ScenePlan, sets: Sequence[FaceSet], folder: Path) -> None:
    scene = bpy.context.scene
    scene.world = bpy.data.worlds.new("room")
    scene.world.use_nodes = True
    background = scene.world.node_tree.nodes["Background"]
    background.inputs[0].default_value = (*plan.sky, 1.0)
    add_table(plan.table)
    add_room(plan)
    add_tiles(sets, plan.shape, plan.tiles, folder)
    for prop in plan.props:
        add_prop(prop, folder)
    for light in plan.lights:
        _add_light(light)
    _add_camera(plan.view)


def _facing(position: NDArray[np.float64], target: NDArray[np.float64]) -> NDArray[np.float64]:
    """Axes (3, 3) of a lamp that shines along its own negative z."""
    back = (position - target) / np.linalg.norm(position - target)
    side = np.cross(np.array([0.0, 0.0, 1.0]), back)
    if np.linalg.norm(side) < 1e-6:
        side = np.array([1.0, 0.0, 0.0])
    side = side / np.linalg.norm(side)
    return np.stack([side, np.cross(back, side), back], axis=1)


def _place(axes: NDArray[np.float64], position: NDArray[np.float64]) -> mathutils.Matrix:
    matrix = np.eye(4)
    matrix[:3, :3] = axes
    matrix[:3, 3] = position
    return mathutils.Matrix(matrix.tolist())


def _add_light(light: Light) -> None:
    data = bpy.data.lights.new("lamp", light.kind.upper())
    data.color = light.colour
    data.energy = light.power
    if light.kind == "area":
        data.shape = "RECTANGLE"
        data.size, data.size_y = light.size
    else:
        data.angle = light.size[0]
    lamp = bpy.data.objects.new("lamp", data)
    position, target = np.array(light.position), np.array(light.target)
    lamp.matrix_world = _place(_facing(position, target), position)
    bpy.context.scene.collection.objects.link(lamp)


def _add_camera(view: View) -> None:
    scene = bpy.context.scene
    data = bpy.data.cameras.new("phone")
    height, width = view.size
    longest = max(height, width)
    data.sensor_fit = "AUTO"
    data.sensor_width = _SENSOR_MM
    data.lens = view.focal / longest * _SENSOR_MM
    data.clip_end = 2000.0
    data.dof.use_dof = True
    data.dof.focus_distance = view.focus
    data.dof.aperture_fstop = view.aperture * UNIT_MM / 1000
    right, down, forward = view.rotation
    camera = bpy.data.objects.new("phone", data)
    axes = np.stack([right, -down, -forward], axis=1)
    camera.matrix_world = _place(axes, view.position)
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.render.resolution_x, scene.render.resolution_y = width, height


def _settings(plan: ScenePlan, threads: int) -> None:
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.threads_mode = "FIXED"
    scene.render.threads = threads
    scene.view_settings.view_transform = "Raw"
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.seed = plan.number
    cycles.samples = plan.samples
    cycles.use_adaptive_sampling = False
    cycles.use_light_tree = False
    cycles.max_bounces = 4
    cycles.diffuse_bounces = 2
    cycles.glossy_bounces = 2
    cycles.transmission_bounces = 2
    cycles.caustics_reflective = False
    cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 4.0
    cycles.use_denoising = True
    cycles.denoiser = "OPENIMAGEDENOISE"
    cycles.denoising_prefilter = "FAST"
    cycles.denoising_quality = "FAST"


def _show_numbers() -> None:
    """Make every surface emit the number of its object, without lamps or blur."""
    graph = Graph("number")
    number = graph.node("ObjectInfo").outputs["Object Index"]
    value = graph.math("DIVIDE", number, float(_MOST_TILES))
    shine = graph.node("Emission", {"Color": value})
    graph.node("OutputMaterial", {"Surface": shine.outputs[0]})
    scene = bpy.context.scene
    scene.view_layers[0].material_override = graph.material
    scene.world.node_tree.nodes["Background"].inputs[1].default_value = 0.0
    scene.camera.data.dof.use_dof = False
    scene.cycles.samples = 1
    scene.cycles.use_denoising = False
    scene.cycles.max_bounces = 0
    scene.cycles.pixel_filter_type = "BOX"
    scene.cycles.filter_width = 0.01
    for thing in scene.objects:
        if thing.type == "LIGHT":
            thing.hide_render = True


def _shoot(path: Path, form: str, depth: str) -> NDArray[np.float64]:
    scene = bpy.context.scene
    scene.render.image_settings.file_format = form
    scene.render.image_settings.color_mode = "RGB"
    scene.render.image_settings.color_depth = depth
    scene.render.filepath = str(path)
    with _silence():
        bpy.ops.render.render(write_still=True)
    image = cv2.imread(str(path), cv2.IMREAD_ANYDEPTH | cv2.IMREAD_COLOR)
    if image is None:
        raise RuntimeError(f"Blender wrote no picture to {path}")
    return np.asarray(image, np.float64)


@contextmanager
def _silence() -> Iterator[None]:
    """Keep the renderer's progress lines off standard output."""
    kept = os.dup(1)
    nothing = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nothing)
