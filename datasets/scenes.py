"""Rendered photographs of tiles with exact ground truth, dozens a second."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.backgrounds import draw_background
from datasets.camera import Camera, TileBox, box_corners, look_at
from datasets.faces import FaceSet
from datasets.layouts import LAYOUTS
from datasets.photography import expose, glare, light
from scorer.tiles import BACK, BLANK, BONUS_TILES, OTHER, SUIT_TILES, TILES, WINDS

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

INSET = 0.015
"""How far inside the seam a face's quad is drawn, as a share of the face."""
SHARES: Mapping[str, float] = {**dict.fromkeys(BONUS_TILES, 1.8), BLANK: 0.08, OTHER: 0.7}
"""How often a face is laid, against 1 for the others: pictures are harder, spares are rare."""
_INKS = ((40, 30, 200), (40, 40, 40), (150, 60, 20), (50, 110, 20))
_ONE_INK = 0.06
_OTHER_INKS = 0.08
_PRINTED_OTHERWISE = 0.35


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture and what it shows.

    Attributes:
        image: (h, w, 3) uint8 BGR.
        labels: tile code, ``back``, ``blank`` or ``other`` for each quad.
        quads: (n, 4, 2) float32 pixels of the shown sides, from the tile's own top-left, clockwise;
            for a back the direction is that of the face on the other side.
        visible: (n,) float32 share of each side that nothing covers and the picture holds, 0..1.
    """

    image: Image
    labels: tuple[str, ...]
    quads: NDArray[np.float32]
    visible: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Style:
    """What all tiles of one scene share: thickness, gloss and edge of the material."""

    depth: float
    rounding: float
    edge: float
    sun: Floats


def choose_labels(
    rng: Generator, faces: FaceSet, shares: Mapping[str, float] = SHARES
) -> list[str]:
    """A long random run of labels that the set has, each as often as ``shares`` says."""
    labels = [label for label in faces.faces if label in TILES or label in shares]
    weights = np.array([shares.get(label, 1.0) for label in labels])
    return [str(x) for x in rng.choice(labels, 256, p=weights / weights.sum())]


def random_layout(
    rng: Generator, faces: FaceSet, shares: Mapping[str, float] = SHARES
) -> list[TileBox]:
    """Tiles of one set in one of the layouts, turned as a whole."""
    run = iter(choose_labels(rng, faces, shares))
    odds = np.array([share for _, share in LAYOUTS])
    layout = LAYOUTS[int(rng.choice(len(LAYOUTS), p=odds / odds.sum()))][0]
    return layout(rng, lambda: next(run), 1 / faces.proportion)


def random_camera(rng: Generator, tiles: Sequence[TileBox], size: tuple[int, int]) -> Camera:
    """A phone held over the tiles, near enough to make a tile some 20 to 150 pixels wide."""
    places = np.array([[tile.x, tile.y] for tile in tiles])
    spread = np.ptp(places, axis=0).max() + 2
    fit = min(size) / spread
    width = float(np.clip(fit * np.exp(rng.normal(0.15, 0.35)), 22, 150))
    around = places[rng.integers(len(places))] if width > fit else places.mean(axis=0)
    around = around + rng.normal(0, 0.5, 2)
    standing = np.mean([tile.pose == "standing" for tile in tiles]) > 0.4
    if standing:
        elevation, azimuth = np.deg2rad(rng.uniform(5, 45)), rng.normal(0, 0.3)
    elif rng.random() < 0.3:
        elevation, azimuth = np.deg2rad(rng.uniform(84, 90)), 0.0
    else:
        elevation, azimuth = np.deg2rad(rng.uniform(32, 88)), rng.normal(0, 0.5)
    roll = rng.normal(0, 0.08) if rng.random() < 0.6 else rng.uniform(0, 2 * np.pi)
    focal = max(size) * rng.uniform(0.75, 1.8)
    return look_at(
        np.array([around[0], around[1], 0.3]),
        elevation=elevation,
        azimuth=azimuth,
        roll=roll,
        distance=focal / width,
        focal=focal,
        size=size,
    )


def _mask(height: int, width: int, rounding: float, edge: float) -> tuple[Image, Image]:
    """Alpha of a rounded face and its shading towards the edge, (h, w) uint8 each."""
    radius = max(1, int(rounding * width))
    alpha = np.zeros((height + 2, width + 2), np.uint8)
    inner = alpha[1:-1, 1:-1]
    cv2.rectangle(inner, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
    cv2.rectangle(inner, (0, radius), (width - 1, height - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(inner, (x, y), radius, 255, -1, cv2.LINE_AA)
    distance = cv2.distanceTransform(alpha, cv2.DIST_L2, 3)[1:-1, 1:-1]
    shade = 1 - edge * np.exp(-distance / (0.03 * width + 0.5))
    return inner.copy(), (shade * 255).astype(np.uint8)


def _paste(
    canvas: Image, texture: Image, alpha: Image, quad: NDArray[np.float32], gain: float
) -> None:
    """Warp a texture onto a quad of the canvas, in place."""
    height, width = canvas.shape[:2]
    low = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 2, (width, height))
    if np.any(high - low < 2):
        return
    longest = float(np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1).max())
    scale = longest / max(texture.shape[:2])
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
    cover = cv2.warpPerspective(alpha, matrix, extent)[..., None].astype(np.float32) / 255
    region = canvas[low[1] : high[1], low[0] : high[0]]
    mixed = region * (1 - cover) + np.clip(warped * np.float32(gain), 0, 255) * cover
    region[:] = mixed.astype(np.uint8)


def _sides(
    canvas: Image,
    front: Floats,
    rear: Floats,
    camera: Camera,
    colours: Sequence[tuple[int, int, int]],
    sun: Floats,
) -> None:
    """Fill the visible side walls of a tile, layer by layer from front to back, in place."""
    middle = (front.mean(axis=0) + rear.mean(axis=0)) / 2
    for i in range(4):
        j = (i + 1) % 4
        centre = (front[i] + front[j] + rear[i] + rear[j]) / 4
        normal = centre - middle
        normal /= np.linalg.norm(normal)
        if normal @ (camera.position - centre) <= 0:
            continue
        gain = 0.55 + 0.45 * max(0.0, float(normal @ sun))
        bounds = np.linspace(0, 1, len(colours) + 1)
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


def _shadows(
    rng: Generator,
    canvas: Image,
    tiles: Sequence[TileBox],
    boxes: list[tuple[Floats, Floats]],
    camera: Camera,
    sun: Floats,
) -> None:
    """Darken the table round and behind the tiles, in place."""
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


def _coverage(
    quads: list[NDArray[np.float32]], hulls: list[NDArray[np.float32]], size: tuple[int, int]
) -> NDArray[np.float32]:
    """Share of each quad left visible by the tiles painted after it and by the picture's edge."""
    height, width = size
    owner = np.full((height // 4 + 1, width // 4 + 1), -1, np.int16)
    areas = []
    for i, (quad, hull) in enumerate(zip(quads, hulls, strict=True)):
        cv2.fillConvexPoly(owner, np.round(hull / 4).astype(np.int32), -1)
        cv2.fillConvexPoly(owner, np.round(quad / 4).astype(np.int32), i)
        areas.append(max(1.0, float(cv2.contourArea(quad / 4))))
    kept = np.bincount(owner[owner >= 0].ravel(), minlength=len(quads))[: len(quads)]
    return np.asarray(np.minimum(1.0, kept / np.array(areas)), np.float32)


def _pick(rng: Generator, faces: FaceSet, tile: TileBox) -> Image:
    if tile.pose == "down":
        face = np.empty((90, 68, 3), np.uint8)
        face[:] = faces.back_bgr
        return face
    copies = faces.faces[tile.label]
    face = copies[int(rng.integers(len(copies)))]
    if rng.random() < _PRINTED_OTHERWISE:
        face = _printed_otherwise(rng, face)
    if tile.label in SUIT_TILES or tile.label in WINDS:
        chance = rng.random()
        if chance < _ONE_INK:
            return _in_one_ink(rng, face)
        if chance < _ONE_INK + _OTHER_INKS:
            return _in_other_inks(rng, face)
    return face


def _printed_otherwise(rng: Generator, face: Image) -> Image:
    """The face with its print larger or smaller, off the middle, bolder, finer or paler."""
    height, width = face.shape[:2]
    grow = rng.uniform(0.84, 1.06) * np.exp(rng.normal(0, 0.05, 2))
    slant = rng.normal(0, 0.03)
    linear = np.array([[grow[0], slant], [0.0, grow[1]]])
    middle = np.array([width, height]) / 2
    shift = middle - linear @ middle + rng.normal(0, 0.02, 2) * width
    matrix = np.hstack([linear, shift[:, np.newaxis]])
    moved = cv2.warpAffine(
        face, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    chance = rng.random()
    if chance < 0.4:
        side = max(2, round(width / 50))
        brush = np.ones((side, side), np.uint8)
        moved = (cv2.erode if chance < 0.25 else cv2.dilate)(moved, brush)
    elif chance < 0.55:
        paper = _paper(face)
        moved = paper + (moved - paper) * np.float32(rng.uniform(0.45, 0.9))
    return np.asarray(np.clip(moved, 0, 255), np.uint8)


def _paper(face: Image) -> NDArray[np.float32]:
    return np.asarray(np.percentile(face.reshape(-1, 3), 80, axis=0), np.float32)


def _in_other_inks(rng: Generator, face: Image) -> Image:
    """The face with the colours of its inks exchanged."""
    paper = _paper(face)
    return np.asarray(np.clip(paper + (face - paper)[..., rng.permutation(3)], 0, 255), np.uint8)


def _in_one_ink(rng: Generator, face: Image) -> Image:
    """The face printed in a single colour, as the red fives of some sets are."""
    paper = _paper(face)
    darkest = np.abs(face - paper).max(axis=2)
    cover = np.clip(darkest / max(40.0, float(darkest.max())) * 1.3, 0, 1)[..., None]
    ink = _INKS[int(rng.integers(len(_INKS)))] + rng.normal(0, 15, 3)
    return np.asarray(np.clip(paper * (1 - cover) + ink * cover, 0, 255), np.uint8)


def random_table(rng: Generator, size: tuple[int, int]) -> Image:
    """Any table, with other things on it in most pictures."""
    clutter = int(rng.integers(0, 14)) if rng.random() < 0.6 else 0
    return draw_background(rng, size, clutter)


def render(
    rng: Generator,
    faces: FaceSet,
    tiles: Sequence[TileBox],
    camera: Camera,
    size: tuple[int, int],
    table: Image | None = None,
) -> Scene:
    """Photograph the tiles.

    Args:
        rng: source of all randomness of materials, light and camera.
        faces: the tile set.
        tiles: what lies where; painted from far to near.
        camera: the phone.
        size: (height, width) of the picture in pixels.
        table: what they lie on, (height, width, 3) uint8 BGR; None draws any table.
    """
    canvas = random_table(rng, size) if table is None else table.copy()
    style = _random_style(rng)
    boxes = [box_corners(tile, 1 / faces.proportion, style.depth) for tile in tiles]
    if rng.random() < 0.9:
        _shadows(rng, canvas, tiles, boxes, camera, style.sun)
    labels, quads, hulls = _paint(rng, canvas, faces, tiles, boxes, camera, style)
    visible = _coverage(quads, hulls, size)
    image = light(rng, canvas.astype(np.float32))
    if rng.random() < 0.3:
        image = glare(rng, image)
    corners = np.array(quads, np.float32).reshape(-1, 4, 2)
    return Scene(expose(rng, image), tuple(labels), corners, visible)


def _random_style(rng: Generator) -> Style:
    sun = np.array([rng.normal(0, 0.6), rng.normal(0, 0.6), 1.0])
    return Style(
        depth=float(rng.uniform(0.5, 0.95)),
        rounding=float(rng.uniform(0.02, 0.13)),
        edge=float(rng.uniform(0.05, 0.5)),
        sun=sun / np.linalg.norm(sun),
    )


def _paint(
    rng: Generator,
    canvas: Image,
    faces: FaceSet,
    tiles: Sequence[TileBox],
    boxes: list[tuple[Floats, Floats]],
    camera: Camera,
    style: Style,
) -> tuple[list[str], list[NDArray[np.float32]], list[NDArray[np.float32]]]:
    """Draw the tiles from far to near, in place.

    Returns:
        What each shown side shows, its quad (4, 2) in pixels, and the outline (k, 2) of its tile,
        in the order of painting.
    """
    middles = np.array([(front.mean(0) + rear.mean(0)) / 2 for front, rear in boxes])
    distance = np.linalg.norm(middles - camera.position, axis=1) - 0.5 * middles[:, 2]
    masks: dict[tuple[int, int], tuple[Image, Image]] = {}
    labels, quads, hulls = [], [], []
    for index in np.argsort(-distance):
        tile, (front, rear) = tiles[index], boxes[index]
        colours = faces.side_bgrs if tile.pose != "down" else faces.side_bgrs[::-1]
        _sides(canvas, front, rear, camera, colours, style.sun)
        outward = np.cross(front[1] - front[0], front[3] - front[0])
        if outward @ (front[0] - camera.position) <= 0:
            continue
        texture = _pick(rng, faces, tile)
        extent = (texture.shape[0], texture.shape[1])
        if extent not in masks:
            masks[extent] = _mask(*extent, style.rounding, style.edge)
        alpha, shade = masks[extent]
        gain = 0.75 + 0.25 * abs(float(outward @ style.sun)) / float(np.linalg.norm(outward))
        gain *= 1 + float(rng.normal(0, 0.02))
        shaded = (texture * (shade[..., None] / np.float32(255))).astype(np.uint8)
        quad = camera.project(front).astype(np.float32)
        _paste(canvas, shaded, alpha, quad, gain)
        labels.append(BACK if tile.pose == "down" else tile.label)
        inset = quad + (quad.mean(axis=0) - quad) * 2 * INSET
        quads.append(np.asarray(inset, np.float32))
        outline = camera.project(np.concatenate([front, rear])).astype(np.float32)
        hulls.append(np.asarray(cv2.convexHull(outline)[:, 0], np.float32))
    return labels, quads, hulls


def random_scene(
    rng: Generator,
    sets: Sequence[FaceSet],
    size: tuple[int, int],
    shares: Mapping[str, float] = SHARES,
) -> Scene:
    """A photo of one of the sets, anyhow; one in twelve shows no tile at all."""
    faces = sets[int(rng.integers(len(sets)))]
    if rng.random() < 1 / 12:
        empty = expose(
            rng, light(rng, draw_background(rng, size, int(rng.integers(24))).astype(np.float32))
        )
        return Scene(empty, (), np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))
    tiles = random_layout(rng, faces, shares)
    return render(rng, faces, tiles, random_camera(rng, tiles, size), size)
