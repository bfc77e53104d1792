"""Simple solids, each added to the scene with a material."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import bmesh
import bpy
import mathutils
import numpy as np

from datasets.pathtraced.table.plan import Floats, Point


def rounded_box(name: str, size: Point, bevel: float, segments: int = 3) -> bpy.types.Mesh:
    """A box about the origin with rounded edges."""
    solid = bmesh.new()
    bmesh.ops.create_cube(solid, size=1.0)
    bmesh.ops.scale(solid, vec=size, verts=solid.verts)
    if bevel:
        bmesh.ops.bevel(
            solid, geom=solid.edges[:], offset=bevel, segments=segments, profile=0.5, affect="EDGES"
        )
    return _finished(name, solid)


def turned(name: str, profile: Sequence[tuple[float, float]], steps: int = 40) -> bpy.types.Mesh:
    """A body of revolution about z; ``profile`` holds (radius, height) from start to end."""
    solid = bmesh.new()
    rings = []
    for radius, height in profile:
        angles = np.linspace(0, 2 * np.pi, steps, endpoint=False)
        ring = [solid.verts.new((radius * np.cos(a), radius * np.sin(a), height)) for a in angles]
        rings.append(ring)
    for low, high in pairwise(rings):
        for i in range(steps):
            j = (i + 1) % steps
            solid.faces.new((low[i], low[j], high[j], high[i]))
    bmesh.ops.remove_doubles(solid, verts=solid.verts, dist=1e-5)
    bmesh.ops.recalc_face_normals(solid, faces=solid.faces)
    return _finished(name, solid)


def sheet(name: str, width: float, depth: float) -> bpy.types.Mesh:
    """A flat rectangle about the origin with texture coordinates 0..1."""
    mesh = bpy.data.meshes.new(name)
    x, y = width / 2, depth / 2
    mesh.from_pydata([(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)], [], [(0, 1, 2, 3)])
    layer = mesh.uv_layers.new()
    for loop, place in zip(layer.data, ((0, 0), (1, 0), (1, 1), (0, 1)), strict=True):
        loop.uv = place
    return mesh


def _finished(name: str, solid: bmesh.types.BMesh) -> bpy.types.Mesh:
    for face in solid.faces:
        face.smooth = True
    mesh = bpy.data.meshes.new(name)
    solid.to_mesh(mesh)
    solid.free()
    return mesh


def tube(
    name: str, points: Sequence[tuple[Point | Floats, float]], material: bpy.types.Material
) -> bpy.types.Object:
    """A round, smoothly bent body through points with a radius each."""
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions = "3D"
    curve.bevel_depth = 1.0
    curve.bevel_resolution = 5
    curve.resolution_u = 8
    curve.use_fill_caps = True
    spline = curve.splines.new("NURBS")
    spline.points.add(len(points) - 1)
    for point, (place, radius) in zip(spline.points, points, strict=True):
        point.co = (*place, 1.0)
        point.radius = radius
    spline.order_u = 3
    spline.use_endpoint_u = True
    curve.materials.append(material)
    thing = bpy.data.objects.new(name, curve)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def put(
    mesh: bpy.types.Mesh,
    material: bpy.types.Material | None,
    position: Sequence[float] | Floats = (0.0, 0.0, 0.0),
    axes: Floats | None = None,
) -> bpy.types.Object:
    """Add a solid to the scene; the columns of ``axes`` (3, 3) are its axes."""
    if material is not None and not mesh.materials:
        mesh.materials.append(material)
    thing = bpy.data.objects.new(mesh.name, mesh)
    place = np.eye(4)
    place[:3, :3] = np.eye(3) if axes is None else axes
    place[:3, 3] = position
    thing.matrix_world = mathutils.Matrix(place.tolist())
    bpy.context.scene.collection.objects.link(thing)
    return thing
