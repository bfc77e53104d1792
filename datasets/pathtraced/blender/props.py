"""Things that lie on a card table beside the tiles, and the hands that reach for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import bpy
import cv2
import numpy as np

from datasets.pathtraced.blender.meshes import put, rounded_box, sheet, tube, turned
from datasets.pathtraced.blender.nodes import Graph, plain, rgba
from datasets.pathtraced.table.placing import turn_z
from datasets.pathtraced.table.plan import Floats, Prop, to_rgb
from datasets.pathtraced.table.prints import PRINTS
from datasets.props.lookalikes.keyboards import draw_keyboard


def _at(prop: Prop, local: tuple[float, float, float]) -> Floats:
    """World place of a point in the prop's own frame."""
    return np.asarray(turn_z(prop.yaw) @ np.array(local) + np.array(prop.position))


def _box(prop: Prop, _folder: Path) -> None:
    """A block, such as a book, a tin or a phone."""
    width, depth, height = prop.size
    mesh = rounded_box("box", prop.size, min(width, depth, height) * 0.2)
    material = plain("box", prop.colour, 0.25 + prop.seed % 5 * 0.12, coat=0.2)
    put(mesh, material, _at(prop, (0, 0, height / 2)), turn_z(prop.yaw))


def _phone(prop: Prop, _folder: Path) -> None:
    width, depth, height = prop.size
    body = rounded_box("phone", prop.size, height * 0.4)
    put(body, plain("case", prop.colour, 0.4), _at(prop, (0, 0, height / 2)), turn_z(prop.yaw))
    glass = rounded_box("glass", (width * 0.93, depth * 0.96, 0.02), 0.0)
    screen = plain("screen", (0.004, 0.004, 0.006), 0.05, coat=0.5)
    put(glass, screen, _at(prop, (0, 0, height + 0.005)), turn_z(prop.yaw))


def _cup(prop: Prop, _folder: Path) -> None:
    radius, _, height = prop.size
    wall = [(0.0, 0.0), (radius * 0.72, 0.0), (radius * 0.95, height * 0.3), (radius, height)]
    wall += [(radius * 0.93, height), (radius * 0.86, height * 0.32), (0.0, height * 0.2)]
    china = plain("china", prop.colour, 0.12, coat=0.6)
    put(turned("cup", wall), china, prop.position)
    tea = turned("tea", [(0.0, height * 0.78), (radius * 0.93, height * 0.78)])
    put(tea, plain("tea", (0.12, 0.045, 0.015), 0.05), prop.position)
    bend = [(0.93, 0.82), (1.35, 0.86), (1.6, 0.55), (1.3, 0.25), (0.9, 0.25)]
    points = [(_at(prop, (radius * x, 0.0, height * z)), 0.18) for x, z in bend]
    tube("handle", points, china)


def _plate(prop: Prop, _folder: Path) -> None:
    radius, _, height = prop.size
    profile = [(0.0, 0.0), (radius * 0.6, 0.0), (radius, height), (radius, height + 0.1)]
    profile += [(radius * 0.62, 0.15), (0.0, 0.15)]
    put(turned("plate", profile), plain("china", prop.colour, 0.15, coat=0.5), prop.position)
    rng = np.random.default_rng(prop.seed)
    biscuit = plain("biscuit", (0.42, 0.22, 0.08), 0.9)
    for _ in range(int(rng.integers(0, 4))):
        disc = turned("biscuit", [(0.0, 0.0), (1.0, 0.0), (1.05, 0.2), (0.0, 0.35)], 24)
        x, y = rng.uniform(-radius * 0.35, radius * 0.35, 2)
        put(disc, biscuit, _at(prop, (x, y, 0.2 + rng.uniform(0, 0.15))))


def _disc(prop: Prop, _folder: Path) -> None:
    """A coin or a counter."""
    radius, _, height = prop.size
    profile = [
        (0.0, 0.0),
        (radius, 0.0),
        (radius, height),
        (radius * 0.88, height * 0.85),
        (0, height * 0.85),
    ]
    metal = 0.9 if prop.seed % 2 else 0.0
    put(turned("disc", profile, 32), plain("disc", prop.colour, 0.3, metal=metal), prop.position)


def _die(prop: Prop, _folder: Path) -> None:
    side = prop.size[0]
    axes = turn_z(prop.yaw)
    white = plain("die", prop.colour, 0.25, coat=0.5)
    put(rounded_box("die", (side,) * 3, side * 0.14), white, _at(prop, (0, 0, side / 2)), axes)
    spots = {1: [(0, 0)], 3: [(-1, -1), (0, 0), (1, 1)]}
    spots[2] = [(-1, 1), (1, -1)]
    spots[4] = [(x, y) for x in (-1, 1) for y in (-1, 1)]
    spots[5] = [*spots[4], (0, 0)]
    spots[6] = [(x, y) for x in (-1, 1) for y in (-1, 0, 1)]
    up, front = 1 + prop.seed % 6, 1 + prop.seed // 6 % 6
    for count, upright in ((up, False), (front, True)):
        ink = plain("pip", (0.5, 0.01, 0.01) if count in {1, 4} else (0.01, 0.01, 0.03), 0.4)
        radius = side * (0.16 if count == 1 else 0.09)
        for x, y in spots[count]:
            dot = turned("pip", [(0.0, 0.0), (radius, 0.0), (radius * 0.5, 0.01), (0, 0.012)], 16)
            across, along = x * side * 0.26, y * side * 0.26
            local = (across, -side / 2, side / 2 + along) if upright else (across, along, side)
            tip = np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]]) if upright else np.eye(3)
            put(dot, ink, _at(prop, local), axes @ tip)


def _stick(prop: Prop, _folder: Path) -> None:
    """A bone counter with a row of dots."""
    width, depth, height = prop.size
    bone = plain("bone", prop.colour, 0.3, coat=0.3)
    axes = turn_z(prop.yaw)
    put(rounded_box("stick", prop.size, height * 0.3), bone, _at(prop, (0, 0, height / 2)), axes)
    ink = plain("dots", (0.5, 0.02, 0.02) if prop.seed % 2 else (0.01, 0.01, 0.02), 0.5)
    for index in range(1 + prop.seed % 5):
        radius = depth * 0.22
        dot = turned("dot", [(0.0, 0.0), (radius, 0.0), (0.0, 0.01)], 16)
        x = (index - prop.seed % 5 / 2) * width * 0.09
        put(dot, ink, _at(prop, (x, 0, height)))


def _pencil(prop: Prop, _folder: Path) -> None:
    length, radius, _ = prop.size
    axes = turn_z(prop.yaw) @ np.array([[0, 0, 1.0], [0, 1.0, 0], [-1.0, 0, 0]])
    place = _at(prop, (0, 0, radius))
    body = turned("pencil", [(0.0, 0.0), (radius, 0.0), (radius, length), (0.0, length)], 6)
    put(body, plain("paint", prop.colour, 0.3, coat=0.4), place, axes)
    tip = turned("tip", [(radius, length), (radius * 0.15, length + 4 * radius)], 12)
    put(tip, plain("wood", (0.5, 0.3, 0.15), 0.7), place, axes)


def _print(prop: Prop, folder: Path) -> None:
    """A sheet of printed or written paper."""
    path = folder / f"{prop.kind}{prop.seed}.png"
    cv2.imwrite(str(path), PRINTS[prop.kind](np.random.default_rng(prop.seed)))
    graph = Graph(prop.kind)
    place = graph.node("TexCoord").outputs["UV"]
    image = bpy.data.images.load(str(path))
    colour = graph.node("TexImage", {"Vector": place}, image=image).outputs[0]
    tinted = graph.mix(1.0, colour, rgba(prop.colour), "MULTIPLY")
    material = graph.surface(Base_Color=tinted, Roughness=0.75)
    width, depth, height = prop.size
    put(sheet(prop.kind, width, depth), material, _at(prop, (0, 0, height)), turn_z(prop.yaw))


def _keyboard(prop: Prop, folder: Path) -> None:
    """A case with raised keys, textured with the picture of a drawn keyboard."""
    width, depth, height = prop.size
    drawn = draw_keyboard(np.random.default_rng(prop.seed))
    path = folder / f"keyboard{prop.seed}.png"
    cv2.imwrite(str(path), drawn.image)
    axes = turn_z(prop.yaw)
    case = rounded_box("case", (width, depth, 0.3), 0.08)
    material = plain("case", prop.colour, 0.45)
    base = put(case, material, _at(prop, (0, 0, 0.15)), axes)
    graph = Graph("keys")
    place = graph.node("TexCoord", object=base).outputs["Object"]
    spread = {"Vector": place, "Scale": (1 / width, 1 / depth, 1.0), "Location": (0.5, 0.5, 0.0)}
    flat = graph.node("Mapping", spread).outputs[0]
    image = bpy.data.images.load(str(path))
    colour = graph.node("TexImage", {"Vector": flat}, image=image).outputs[0]
    gloss = 0.2 + prop.seed % 4 * 0.15
    keys = graph.surface(Base_Color=colour, Roughness=gloss, Coat_Weight=prop.seed % 3 * 0.2)
    scale = width / drawn.image.shape[1]
    for left, top, right, bottom in drawn.keys.tolist():
        solid = rounded_box("key", ((right - left) * scale, (bottom - top) * scale, height), 0.06)
        middle = ((left + right) / 2 * scale - width / 2, depth / 2 - (top + bottom) / 2 * scale)
        put(solid, keys, _at(prop, (*middle, 0.3 + height / 2)), axes)


def _rack(prop: Prop, _folder: Path) -> None:
    """A rack for standing tiles; size is (length, tilt of the tiles, their depth)."""
    length, tilt, depth = prop.size
    axes = turn_z(prop.yaw)
    material = plain("rack", prop.colour, 0.25 + prop.seed % 3 * 0.15, coat=0.3)
    sink, lean = np.cos(tilt), np.sin(tilt)
    ledge = rounded_box("ledge", (length, depth + 1.6, 0.24), 0.06)
    put(ledge, material, _at(prop, (0, 0.1, 0.12)), axes)
    raised = axes @ np.array([[1.0, 0, 0], [0, sink, -lean], [0, lean, sink]])
    back = rounded_box("back", (length, 1.2, 0.2), 0.06)
    up = 0.25 + 0.6 * lean + depth / 2 * sink
    behind = np.array([0.0, 0.0, up]) - np.array([0.0, -lean, sink]) * (depth / 2 + 0.13)
    behind[1] -= 0.12 * sink
    put(back, material, _at(prop, tuple(behind)), raised)


def _skin(prop: Prop) -> bpy.types.Material:
    graph = Graph("skin")
    place = graph.node("TexCoord").outputs["Object"]
    blotches = graph.noise(place, 0.8, 4.0)
    red = to_rgb(np.array(prop.colour) * (1.1, 0.75, 0.7))
    colour = graph.ramp(blotches, [(0.35, prop.colour), (0.7, red)], steps=False)
    lines = graph.noise(place, 9.0, 3.0)
    return graph.surface(Base_Color=colour, Roughness=0.5, Normal=graph.bump(lines, 0.3, 0.05))


def _hand(prop: Prop, _folder: Path) -> None:
    """A hand that lies palm down, fingers towards +y, the wrist at its foot; size[0] scales it."""
    skin = _skin(prop)
    rng = np.random.default_rng(prop.seed)
    scale, _, lift = prop.size

    def world(x: float, y: float, z: float) -> tuple[float, float, float]:
        at = _at(prop, (x * scale, y * scale, lift + z * scale))
        return float(at[0]), float(at[1]), float(at[2])

    palm = [(-1.15, 0.9), (-0.4, 1.0), (0.4, 1.0), (1.15, 0.85)]
    for x, width in palm:
        points = [(world(x * 0.75, -0.8, 0.95), 0.5), (world(x, 0.8, 1.0), 0.58 * width)]
        points.append((world(x, 2.4, 0.95), 0.5))
        tube("palm", [(p, r * scale) for p, r in points], skin)
    for x, length in ((-1.2, 2.1), (-0.42, 2.7), (0.38, 2.9), (1.15, 2.5)):
        spread = x * 0.18 + rng.normal(0, 0.08)
        curl = rng.uniform(0.75, 0.95)
        points = [
            (world(x, 1.9, 0.95), 0.44),
            (world(x + spread * 0.4, 2.2 + length * 0.5, 1.25 * curl), 0.4),
        ]
        points += [(world(x + spread, 2.2 + length, 0.5), 0.34)]
        points += [
            (world(x + spread, 2.45 + length, 0.33), 0.22),
            (world(x + spread, 2.55 + length, 0.25), 0.02),
        ]
        tube("finger", [(p, r * scale) for p, r in points], skin)
    thumb = [((-1.0, 0.2, 0.9), 0.5), ((-2.0, 1.2, 0.75), 0.46), ((-2.4, 2.3, 0.5), 0.38)]
    thumb += [((-2.45, 2.7, 0.38), 0.24), ((-2.45, 2.82, 0.3), 0.02)]
    tube("thumb", [(world(*p), r * scale) for p, r in thumb], skin)
    arm = [(world(0.0, 0.6, 0.95), 0.95 * scale), (world(0, -1.5, 1.0), 0.95 * scale)]
    tube("wrist", [*arm, (world(0.0, -4.0, 1.3), 1.2 * scale)], skin)
    cloth = plain("sleeve", tuple(np.random.default_rng(prop.seed + 1).uniform(0.02, 0.5, 3)), 0.9)
    tube(
        "sleeve",
        [(world(0.0, -3.2, 1.4), 1.7 * scale), (world(0.0, -16.0, 2.6), 2.2 * scale)],
        cloth,
    )


BUILDERS: Final[dict[str, Callable[[Prop, Path], None]]] = {
    "box": _box,
    "phone": _phone,
    "cup": _cup,
    "plate": _plate,
    "disc": _disc,
    "die": _die,
    "stick": _stick,
    "pencil": _pencil,
    "newspaper": _print,
    "score_sheet": _print,
    "card": _print,
    "keyboard": _keyboard,
    "rack": _rack,
    "hand": _hand,
}
"""The function that builds each kind of prop."""


def add_prop(prop: Prop, folder: Path) -> None:
    """Put a thing into the scene; textures that it needs are written to ``folder``."""
    BUILDERS[prop.kind](prop, folder)
