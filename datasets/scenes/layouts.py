"""Layouts of tiles on a table: rows, sheets, melds, loose tiles, walls, racks and heaps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.random import Generator

from datasets.props.camera import TileBox
from datasets.props.racks import RACKED

Draw = Callable[[], str]
"""Draws the label of the next tile."""

_TOUCH = 1.03
"""Distance of touching neighbours in tile widths."""
_CONCEALED: Final = 0.35
"""Share of the melds laid apart with some tiles face down."""
_RACKS: Final = 0.8
"""Share of rows of leaning tiles with a visible rack."""
_ACROSS: Final = 0.08
"""Share of the tiles of melds that lie sideways, like claimed ones."""
_BEYOND: Final = 0.4
"""Share of players with a lying hand whose melds and bonus tiles lie beyond it."""
_BEYOND_RAISED: Final = 0.85
"""Share of players with a standing or leaning hand whose melds and bonus tiles lie beyond it."""
STOREY: Final = 0.75
"""Height of one layer of stacked tiles, in tile widths."""


def _pose(rng: Generator, back_share: float) -> str:
    return "down" if rng.random() < back_share else "up"


def sheet(rng: Generator, draw: Draw, height: float) -> list[TileBox]:
    """A block of tiles edge to edge, as in the photo of a whole tile set."""
    rows, columns = int(rng.integers(2, 10)), int(rng.integers(4, 16))
    gap = rng.choice([0.01, 0.03, 0.08])
    jitter = rng.choice([0.0, 0.01, 0.03])
    flipped = rng.choice([0.0, 0.0, 0.3])
    tiles = []
    for row in range(rows):
        for column in range(columns):
            if rng.random() < 0.02:
                continue
            yaw = rng.normal(0, jitter) + (np.pi if rng.random() < flipped else 0.0)
            x = column * (1 + gap) + rng.normal(0, jitter)
            y = -row * height * (1 + gap) + rng.normal(0, jitter)
            tiles.append(TileBox(draw(), x, y, yaw, _pose(rng, 0.03)))
    return tiles


def row_of(
    labels: Sequence[str], x: float, y: float, *, yaw: float = 0.0, poses: Sequence[str] = ()
) -> list[TileBox]:
    """Touching tiles from left to right, the first one's centre at (x, y)."""
    step = np.array([np.cos(yaw), np.sin(yaw)]) * _TOUCH
    return [
        TileBox(label, x + step[0] * i, y + step[1] * i, yaw, poses[i] if i < len(poses) else "up")
        for i, label in enumerate(labels)
    ]


def _face_down(rng: Generator, size: int) -> frozenset[int]:
    """The face-down tiles of a concealed meld: the outer two, the inner ones, all or any one."""
    outer = frozenset({0, size - 1})
    every = frozenset(range(size))
    any_one = frozenset({int(rng.integers(size))})
    ways = (outer, every - outer, every, any_one)
    return ways[int(rng.choice(len(ways), p=[0.4, 0.3, 0.15, 0.15]))]


def player(rng: Generator, draw: Draw, height: float) -> list[TileBox]:
    """One player's tiles: the hand in a row, lying or standing, melds and bonus tiles apart."""
    tiles: list[TileBox] = []
    x, y = 0.0, 0.0
    count = int(rng.choice([4, 7, 8, 10, 11, 13, 14]))
    turned = np.pi if rng.random() < 0.15 else 0.0
    standing = rng.random() < 0.25
    for _ in range(count):
        yaw = turned + rng.normal(0, 0.02)
        if standing:
            tiles.append(TileBox(draw(), x, y, rng.normal(0, 0.02), "standing"))
        else:
            tiles.append(TileBox(draw(), x, y + rng.normal(0, 0.03), yaw, _pose(rng, 0.05)))
        x += _TOUCH + (rng.uniform(0.1, 0.9) if rng.random() < 0.1 else rng.uniform(0, 0.05))
    return tiles + _apart(rng, draw, height, raised=standing)


def _apart(rng: Generator, draw: Draw, height: float, *, raised: bool) -> list[TileBox]:
    """Melds and then bonus tiles, beyond a hand's row or between it and its player.

    Beyond a raised row they lie further away, since it hides the table just behind it.
    """
    beyond = rng.random() < (_BEYOND_RAISED if raised else _BEYOND)
    away = height * rng.uniform(1.15, 2.0) + (rng.uniform(0.5, 4.0) if beyond and raised else 0.0)
    first = rng.uniform(0, 2)
    x, y = first, 0.0
    tiles: list[TileBox] = []
    for _ in range(int(rng.integers(0, 5))):
        size = int(rng.integers(3, 5))
        label = draw()
        same = rng.random() < 0.7
        hidden = _face_down(rng, size) if rng.random() < _CONCEALED else frozenset()
        for i in range(size):
            pose = "down" if i in hidden else "up"
            face = label if same else draw()
            if rng.random() < _ACROSS:
                side = np.pi / 2 if rng.random() < 0.5 else -np.pi / 2
                x += (height - 1) / 2
                down = y - (height - 1) / 2 + rng.normal(0, 0.03)
                tiles.append(TileBox(face, x, down, side + rng.normal(0, 0.03), pose))
                x += (height - 1) / 2 + _TOUCH
                continue
            tiles.append(TileBox(face, x, y + rng.normal(0, 0.03), rng.normal(0, 0.03), pose))
            x += _TOUCH
        x += rng.uniform(0.3, 1.2)
        if x > 13:
            x, y = rng.uniform(0, 2), y + height * rng.uniform(1.1, 1.6)
    for _ in range(int(rng.integers(0, 4))):
        tiles.append(TileBox(draw(), x, y + rng.normal(0, 0.08), rng.normal(0, 0.06), "up"))
        x += _TOUCH + rng.uniform(0, 0.3)
    deepest = max((tile.y for tile in tiles), default=0.0)
    return [replace(tile, y=tile.y + (away if beyond else -away - deepest)) for tile in tiles]


def loose(rng: Generator, draw: Draw, height: float) -> list[TileBox]:
    """Tiles on the table at any angle, none overlapping."""
    tiles: list[TileBox] = []
    count = int(rng.integers(3, 30))
    reach = np.sqrt(count) * rng.uniform(1.0, 2.2)
    radius = np.hypot(1, height) / 2
    for _ in range(count):
        for _ in range(12):
            x, y = rng.uniform(-reach, reach, 2)
            yaw = rng.uniform(0, 2 * np.pi)
            if all(np.hypot(x - t.x, y - t.y) > radius * 1.75 for t in tiles):
                pose = "standing" if rng.random() < 0.08 else _pose(rng, 0.12)
                tiles.append(TileBox(draw(), x, y, yaw, pose))
                break
    return tiles


def stacked(
    rng: Generator, draw: Draw, x: float, y: float, *, yaw: float, length: int
) -> list[TileBox]:
    """A straight wall of backs, two tiles high with a few missing, from (x, y) onwards."""
    step = np.array([np.cos(yaw), np.sin(yaw)]) * _TOUCH
    missing = rng.choice([0.0, 0.08])
    tiles = []
    for i in range(length):
        for storey in range(2):
            ahead, beside = step * i + rng.normal(0, 0.02, 2)
            if storey == 0 or rng.random() >= missing:
                turn = yaw + rng.normal(0, 0.02)
                tiles.append(TileBox(draw(), x + ahead, y + beside, turn, "down", storey * STOREY))
    return tiles


def wall(rng: Generator, draw: Draw, height: float) -> list[TileBox]:
    """A wall of backs with some tiles face up in front of it."""
    length = int(rng.integers(4, 17))
    tiles = stacked(rng, draw, 0.0, height * 1.5, yaw=0.0, length=length)
    return tiles + row_of([draw() for _ in range(length)], 0.0, 0.0)


def clusters(rng: Generator, draw: Draw, height: float) -> list[TileBox]:
    """Short touching rows at several angles, such as melds and discards around a table."""
    tiles: list[TileBox] = []
    places: list[tuple[float, float, float]] = []
    for _ in range(int(rng.integers(2, 7))):
        count = int(rng.integers(2, 8))
        for _ in range(15):
            x, y = rng.uniform(-8, 8, 2)
            if all(np.hypot(x - px, y - py) > (count + n) / 2 + height for px, py, n in places):
                yaw = rng.uniform(0, 2 * np.pi)
                start = np.array([x, y]) - (count - 1) / 2 * np.array([np.cos(yaw), np.sin(yaw)])
                poses = [_pose(rng, 0.1) for _ in range(count)]
                labels = [draw() for _ in range(count)]
                tiles += row_of(labels, start[0], start[1], yaw=yaw, poses=poses)
                places.append((x, y, count))
                break
    return tiles


def rack(rng: Generator, draw: Draw, height: float) -> list[TileBox]:
    """A row of tiles leaning on a rack, with melds and bonus tiles beyond or in front of it."""
    lean = float(np.deg2rad(rng.uniform(35, 80)))
    foot = rng.uniform(0.0, 0.8)
    pose = RACKED if rng.random() < _RACKS else "up"
    tiles = []
    x = 0.0
    for _ in range(int(rng.integers(2, 15))):
        x += _TOUCH + (rng.uniform(0.1, 2.5) if rng.random() < 0.1 else rng.uniform(0, 0.03))
        wobble = lean + rng.normal(0, 0.02)
        tiles.append(TileBox(draw(), x, 0.0, rng.normal(0, 0.01), pose, foot, wobble))
    return tiles + _apart(rng, draw, height, raised=True)


def heap(rng: Generator, draw: Draw, _height: float) -> list[TileBox]:
    """A heap of tiles before the deal, many face down."""
    count = int(rng.integers(8, 40))
    reach = np.sqrt(count) * rng.uniform(0.45, 0.8)
    backs = rng.uniform(0.1, 0.6)
    tiles = []
    for index in range(count):
        x, y = rng.normal(0, reach, 2)
        z = 0.0 if index < 0.6 * count else rng.uniform(0.4, 1.0)
        lean = 0.0 if z == 0 else float(np.abs(rng.normal(0, 0.35)))
        pose = _pose(rng, backs)
        tiles.append(TileBox(draw(), x, y, rng.uniform(0, 2 * np.pi), pose, z, lean))
    return tiles


def behind_walls(rng: Generator, draw: Draw, height: float) -> list[TileBox]:
    """A player's row, with the stacked walls of the others behind it and at its sides."""
    count = int(rng.integers(8, 15))
    poses = [_pose(rng, 0.04) for _ in range(count)]
    tiles = row_of([draw() for _ in range(count)], 0.0, 0.0, poses=poses)
    back = height * rng.uniform(1.6, 5.0)
    sides = [(-2.0 * height, back, 0.0, int(rng.integers(6, 18)))]
    if rng.random() < 0.5:
        sides.append((-rng.uniform(1.8, 4.0), -0.5 * height, np.pi / 2, int(rng.integers(3, 9))))
    for x, y, yaw, length in sides:
        tiles += stacked(rng, draw, x, y, yaw=yaw, length=length)
    return tiles


def _turned(tiles: Sequence[TileBox], angle: float) -> list[TileBox]:
    """The tiles turned around the middle of the table."""
    cos, sin = np.cos(angle), np.sin(angle)
    return [
        replace(t, x=t.x * cos - t.y * sin, y=t.x * sin + t.y * cos, yaw=t.yaw + angle)
        for t in tiles
    ]


def _discards(rng: Generator, draw: Draw, height: float) -> list[TileBox]:
    """Discards in rows of six, or scattered."""
    if rng.random() < 0.6:
        return loose(rng, draw, height)
    tiles = []
    for side in range(4):
        count = int(rng.integers(0, 16))
        rows = [
            TileBox(draw(), i % 6 - 2.5, -2.0 - height - i // 6 * height, rng.normal(0, 0.03))
            for i in range(count)
        ]
        tiles += _turned(rows, side * np.pi / 2)
    return tiles


def table(rng: Generator, draw: Draw, height: float) -> list[TileBox]:
    """A whole table: players' tiles on its sides, then walls, and discards in the middle."""
    reach = rng.uniform(8.0, 12.0)
    tiles = _discards(rng, draw, height)
    inside = 1 + max((float(np.hypot(t.x, t.y)) for t in tiles), default=0.0)
    for side in range(4):
        around: list[TileBox] = []
        if rng.random() < 0.85:
            hand = player(rng, draw, height)
            middle = (min(t.x for t in hand) + max(t.x for t in hand)) / 2 + rng.normal(0, 0.8)
            around += [replace(t, x=t.x - middle, y=t.y - reach) for t in hand]
        if rng.random() < 0.6:
            length = int(rng.integers(3, 18))
            start = -length / 2 + rng.normal(0, 1.0)
            before = -max(inside + height, reach - rng.uniform(1.3, 3.0) * height)
            around += stacked(rng, draw, start, before, yaw=rng.normal(0, 0.03), length=length)
        tiles += _turned(around, side * np.pi / 2)
    return tiles


def pairs_and_blanks(rng: Generator, draw: Draw, height: float) -> list[TileBox]:
    """Rows of touching equal tiles, including white dragons and spare blanks."""
    tiles: list[TileBox] = []
    for row in range(int(rng.integers(1, 4))):
        labels: list[str] = []
        while len(labels) < int(rng.integers(4, 15)):
            label = str(rng.choice(["5z", "blank"])) if rng.random() < 0.4 else draw()
            labels += [label] * int(rng.integers(1, 5))
        y = -row * height * rng.uniform(1.02, 1.6)
        tiles += row_of(labels, rng.uniform(0, 2), y)
    return tiles


LAYOUTS: tuple[tuple[Callable[[Generator, Draw, float], list[TileBox]], float], ...] = (
    (sheet, 0.09),
    (player, 0.17),
    (loose, 0.1),
    (clusters, 0.07),
    (wall, 0.07),
    (rack, 0.22),
    (heap, 0.04),
    (behind_walls, 0.09),
    (pairs_and_blanks, 0.05),
    (table, 0.1),
)
"""The layouts with the share of scenes that use each."""
