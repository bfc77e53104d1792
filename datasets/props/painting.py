"""Paints tiles into a picture: textures in perspective, side walls, shadows and occlusion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.props.camera import Camera, TileBox

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

_LEAST_SEEN = 20.0
"""Size in pixels below which a texture is not halved before it is lit."""

_SEAM = 0.02
"""Width of the dark edge of a tile's side as a share of its longest edge."""
_WIDEST_SEAM = 12
"""Maximum width in pixels of the dark edge of a tile's side."""


@dataclass(frozen=True, slots=True)
class Relief:
    """The shape of a face, (h, w) each.

    Attributes:
        alpha: uint8, 0 outside the rounded corners.
        edge: float32 0..1, nearness to the rounded edge.
        slope_x: float32 -1..1, slope of the edge's surface to the right.
        slope_y: float32 -1..1, slope of the edge's surface downwards.
    """

    alpha: Image
    edge: NDArray[np.float32]
    slope_x: NDArray[np.float32]
    slope_y: NDArray[np.float32]


def relief(height: int, width: int, rounding: float) -> Relief:
    """The relief of a face of that size with corners rounded by a share of its width."""
    radius = max(1, int(rounding * width))
    alpha = np.zeros((height + 2, width + 2), np.uint8)
    inner = alpha[1:-1, 1:-1]
    cv2.rectangle(inner, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
    cv2.rectangle(inner, (0, radius), (width - 1, height - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(inner, (x, y), radius, 255, -1, cv2.LINE_AA)
    distance = cv2.distanceTransform(alpha, cv2.DIST_L2, 3)[1:-1, 1:-1]
    edge = np.exp(-distance / (0.03 * width + 0.5)).astype(np.float32)
    slope_x, slope_y = (
        np.clip(-cv2.Sobel(distance, cv2.CV_32F, dx, 1 - dx, scale=1 / 8), -1, 1) for dx in (1, 0)
    )
    return Relief(inner.copy(), edge, slope_x.astype(np.float32), slope_y.astype(np.float32))


def shaded(texture: Image, form: Relief, dark: float, lean: Floats) -> Image:
    """A face with its edge in shadow, or lit where the surface slopes towards the light.

    Args:
        texture: (h, w, 3) uint8 BGR.
        form: relief of the same size.
        dark: darkening of the edge, 0..1.
        lean: (2,) strength of the light from the right and from below in the face's own frame.
    """
    towards = form.slope_x * np.float32(lean[0]) + form.slope_y * np.float32(lean[1])
    gain = 1 + form.edge * (towards - np.float32(dark))
    return lit(texture, gain.astype(np.float32))


def lit(texture: Image, gain: NDArray[np.float32]) -> Image:
    """A texture (h, w, 3) uint8 multiplied by a gain (h, w) float32."""
    gains = cv2.cvtColor(gain, cv2.COLOR_GRAY2BGR)
    return np.asarray(cv2.multiply(texture, gains, dtype=cv2.CV_8U), np.uint8)


def _longest_side(quad: NDArray[np.float32]) -> float:
    return float(np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1).max())


def sized_for(texture: Image, quad: NDArray[np.float32]) -> Image:
    """The texture halved as often as possible without falling below the size of a quad (4, 2)."""
    height, width = texture.shape[:2]
    longest = max(_longest_side(quad), _LEAST_SEEN)
    halvings = int(np.log2(max(1.0, max(height, width) / longest)))
    if not halvings:
        return texture
    extent = (width >> halvings, height >> halvings)
    return np.asarray(cv2.resize(texture, extent, interpolation=cv2.INTER_AREA), np.uint8)


def paste(
    canvas: Image, texture: Image, alpha: Image, quad: NDArray[np.float32], gain: float
) -> None:
    """Warp a texture onto a quad of the canvas, in place."""
    height, width = canvas.shape[:2]
    low = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 2, (width, height))
    if np.any(high - low < 2):
        return
    scale = max(_longest_side(quad) / max(texture.shape[:2]), 1 / min(texture.shape[:2]))
    if scale < 0.75:
        texture = np.asarray(
            cv2.resize(texture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        )
        alpha = np.asarray(cv2.resize(alpha, texture.shape[1::-1], interpolation=cv2.INTER_AREA))
    h, w = texture.shape[:2]
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    target = (quad - low).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(corners, target)
    extent = (int(high[0] - low[0]), int(high[1] - low[1]))
    warped = cv2.warpPerspective(texture, matrix, extent, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpPerspective(alpha, matrix, extent).astype(np.float32) / 255
    region = canvas[low[1] : high[1], low[0] : high[0]]
    region[:] = cv2.blendLinear(cv2.convertScaleAbs(warped, alpha=gain), region, cover, 1 - cover)


def sides(
    canvas: Image,
    front: Floats,
    rear: Floats,
    camera: Camera,
    colours: Sequence[tuple[int, int, int]],
    sun: Floats,
    bounds: Floats,
    ambient: float,
) -> None:
    """Fill the visible side walls of a tile, layer by layer from front to back, in place.

    Args:
        canvas: (h, w, 3) uint8 BGR.
        front: (4, 3) world points of the shown side.
        rear: (4, 3) world points of the side behind it.
        camera: the camera of the picture.
        colours: BGR of each layer.
        sun: (3,) unit vector towards the light.
        bounds: (layers + 1,) bounds of the layers, 0 at the front, 1 at the rear.
        ambient: brightness 0..1 of a side that the sun does not reach.
    """
    for i, j, normal in _walls_seen(front, rear, camera):
        gain = ambient + (1 - ambient) * max(0.0, float(normal @ sun))
        for colour, near, far in zip(colours, bounds[:-1], bounds[1:], strict=True):
            wall = np.stack(
                [
                    front[i] + (rear[i] - front[i]) * near,
                    front[j] + (rear[j] - front[j]) * near,
                    front[j] + (rear[j] - front[j]) * far,
                    front[i] + (rear[i] - front[i]) * far,
                ]
            )
            polygon = np.round(camera.project(wall) * 8).astype(np.int32)
            fill = [float(min(255, channel * gain)) for channel in colour]
            cv2.fillConvexPoly(canvas, polygon, fill, cv2.LINE_AA, 3)


def _walls_seen(front: Floats, rear: Floats, camera: Camera) -> Iterator[tuple[int, int, Floats]]:
    """The two corners and the outward unit normal (3,) of each side wall that faces the camera."""
    middle = (front.mean(axis=0) + rear.mean(axis=0)) / 2
    for i in range(4):
        j = (i + 1) % 4
        centre = (front[i] + front[j] + rear[i] + rear[j]) / 4
        normal = centre - middle
        normal /= np.linalg.norm(normal)
        if normal @ (camera.position - centre) <= 0:
            continue
        yield i, j, normal


def seams(canvas: Image, front: Floats, rear: Floats, camera: Camera, share: float) -> None:
    """Darken the edges of the visible side walls of a tile, where neighbours touch, in place.

    Args:
        canvas: (h, w, 3) uint8 BGR.
        front: (4, 3) world points of the shown side.
        rear: (4, 3) world points of the side behind it.
        camera: the camera of the picture.
        share: darkening 0..1; 0 changes nothing.
    """
    for i, j, _ in _walls_seen(front, rear, camera) if share else ():
        outline = camera.project(np.stack([front[i], front[j], rear[j], rear[i]]))
        thick = round(_longest_side(outline.astype(np.float32)) * _SEAM)
        _darken_along(canvas, outline, share, min(max(1, thick), _WIDEST_SEAM))


def _darken_along(canvas: Image, outline: Floats, share: float, thick: int) -> None:
    """Darken the edges of an outline (k, 2) in pixels, in place."""
    height, width = canvas.shape[:2]
    low = np.maximum(np.floor(outline.min(axis=0)).astype(int) - thick, 0)
    high = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + thick + 1, (width, height))
    if np.any(high <= low):
        return
    region = canvas[low[1] : high[1], low[0] : high[0]]
    cover = np.zeros(region.shape[:2], np.uint8)
    points = np.round((outline - low) * 8).astype(np.int32)
    cv2.polylines(cover, [points], isClosed=True, color=255, thickness=thick, lineType=16, shift=3)
    region[:] = lit(region, 1 - cover.astype(np.float32) * np.float32(share / 255))


def shadows(
    rng: Generator,
    canvas: Image,
    tiles: Sequence[TileBox],
    boxes: list[tuple[Floats, Floats]],
    camera: Camera,
    sun: Floats,
) -> None:
    """Darken the table around and behind the tiles, in place."""
    height, width = canvas.shape[:2]
    mask = np.zeros((height // 2, width // 2), np.uint8)
    for tile, (front, rear) in zip(tiles, boxes, strict=True):
        if tile.z > 0:
            continue
        points = np.concatenate([front, rear])
        cast = points - sun * (points[:, 2:] / max(0.35, sun[2]))
        cast[:, 2] = 0
        ground = points.copy()
        ground[:, 2] = 0
        hull = cv2.convexHull(camera.project(np.concatenate([cast, ground])).astype(np.float32) / 2)
        cv2.fillConvexPoly(mask, hull.astype(np.int32), 255, cv2.LINE_AA)
    mask = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.8, 6)))
    full = np.asarray(cv2.resize(mask, (width, height)), np.float32)[..., None] / 255
    canvas[:] = (canvas * (1 - full * np.float32(rng.uniform(0.25, 0.75)))).astype(np.uint8)


def coverage(
    quads: list[NDArray[np.float32]],
    hulls: list[NDArray[np.float32]],
    size: tuple[int, int],
    covers: Sequence[NDArray[np.float32]] = (),
) -> NDArray[np.float32]:
    """Share of each quad that is neither outside the picture nor covered by later painting.

    Args:
        quads: shown sides (4, 2) in pixels, in the order of painting.
        hulls: outlines (k, 2) of the whole tiles.
        size: (height, width) of the picture.
        covers: outlines (k, 2) of things in front of all tiles.
    """
    height, width = size
    owner = np.full((height // 4 + 1, width // 4 + 1), -1, np.int16)
    areas = []
    for i, (quad, hull) in enumerate(zip(quads, hulls, strict=True)):
        cv2.fillConvexPoly(owner, np.round(hull / 4).astype(np.int32), -1)
        cv2.fillConvexPoly(owner, np.round(quad / 4).astype(np.int32), i)
        areas.append(max(1.0, float(cv2.contourArea(quad / 4))))
    for cover in covers:
        cv2.fillPoly(owner, [np.round(cover / 4).astype(np.int32)], -1)
    kept = np.bincount(owner[owner >= 0].ravel(), minlength=len(quads))[: len(quads)]
    return np.asarray(np.minimum(1.0, kept / np.array(areas)), np.float32)
