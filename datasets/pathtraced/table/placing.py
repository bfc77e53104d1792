"""Places the tiles of a deal on the table as people do.

Rows are placed in a player's own frame: x to the player's right, y away from the player.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.random import Generator

from datasets.pathtraced.table.deals import DealtHand, DealtMeld
from datasets.pathtraced.table.plan import Floats, Placed, TileShape
from datasets.photographs.benchmark import TrueHand, TrueMeld

TRIES: Final = 40
"""Maximum number of attempts at a random arrangement."""
_LEDGE: Final = 0.25
"""Height of a rack's ledge in tile widths."""


def turn_z(angle: float) -> Floats:
    """Rotation (3, 3) about the vertical."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])


def _tilt(angle: float) -> Floats:
    """Rotation (3, 3) that raises the face's top from the table; pi / 2 makes a tile stand."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, cos, -sin], [0.0, sin, cos]])


_FACE_DOWN: Final = np.diag([-1.0, 1.0, -1.0])


def lying(
    tile: str, x: float, y: float, shape: TileShape, *, yaw: float = 0.0, down: bool = False
) -> Placed:
    """A tile flat on the table."""
    axes = turn_z(yaw) @ _FACE_DOWN if down else turn_z(yaw)
    return Placed(tile, np.array([x, y, shape.depth / 2]), axes)


def standing(
    tile: str, x: float, y: float, shape: TileShape, *, yaw: float = 0.0, tilt: float, foot: float
) -> Placed:
    """A tile that stands with its face towards the player, ``tilt`` radians up from lying."""
    height = foot + shape.height / 2 * np.sin(tilt) + shape.depth / 2 * np.cos(tilt)
    return Placed(tile, np.array([x, y, height]), turn_z(yaw) @ _tilt(tilt))


def moved(tiles: Sequence[Placed], yaw: float, offset: Sequence[float]) -> list[Placed]:
    """The tiles turned about the origin and then shifted by ``offset`` (3,)."""
    turn = turn_z(yaw)
    return [
        replace(tile, centre=turn @ tile.centre + np.asarray(offset), axes=turn @ tile.axes)
        for tile in tiles
    ]


@dataclass(frozen=True, slots=True)
class Manner:
    """A player's way of placing tiles.

    Attributes:
        gap: gap between neighbours in a row, in tile widths.
        breaks: number of wider gaps in the hand's row.
        unevenness: standard deviation of places in tile widths.
        flipped: share of tiles that lie upside down.
        shuffled: whether the hand is unsorted.
        sideways: whether the last tile in hand is laid across.
        tilt: tilt of the tiles in hand in radians; 0 if they lie.
        rack: whether tilted tiles stand on a rack.
        melds: ``front``, ``beside`` or ``near`` (between hand and player).
    """

    gap: float
    breaks: int
    unevenness: float
    flipped: float
    shuffled: bool
    sideways: bool
    tilt: float
    rack: bool
    melds: str


def random_manner(rng: Generator, concealed: int, *, standing_share: float) -> Manner:
    """A random manner that suits a hand of ``concealed`` tiles."""
    tilt = 0.0
    rack = False
    if rng.random() < standing_share:
        rack = bool(rng.random() < 0.75)
        tilt = float(np.deg2rad(rng.uniform(58, 78) if rack else 90))
    places = ["front"] * 7 + ["near"]
    if concealed <= 7 and not tilt:
        places = ["front", "beside", "beside", "beside", "near"]
    return Manner(
        gap=float(rng.choice([rng.uniform(0.002, 0.03), rng.uniform(0.05, 0.16)], p=[0.7, 0.3])),
        breaks=int(rng.integers(1, 4)) if rng.random() < 0.15 else 0,
        unevenness=float(rng.choice([0.006, 0.02, 0.04])),
        flipped=float(rng.uniform(0.1, 0.5)) if rng.random() < 0.3 else 0.0,
        shuffled=bool(rng.random() < 0.2),
        sideways=bool(not tilt and rng.random() < 0.1),
        tilt=tilt,
        rack=rack,
        melds="front" if tilt else str(rng.choice(places)),
    )


def _yaw(rng: Generator, manner: Manner) -> float:
    turned = np.pi if rng.random() < manner.flipped else 0.0
    return float(turned + rng.normal(0, 0.008 + manner.unevenness * 0.35))


def _hand_row(
    rng: Generator, tiles: Sequence[str], shape: TileShape, manner: Manner
) -> list[Placed]:
    """The tiles in hand, the row's middle at the origin."""
    count = min(manner.breaks, len(tiles) - 1)
    breaks = set(rng.choice(np.arange(1, len(tiles)), count, replace=False))
    placed: list[Placed] = []
    x = 0.0
    for index, tile in enumerate(tiles):
        x += float(rng.uniform(0.15, 0.32)) if index in breaks else 0.0
        y = rng.normal(0, manner.unevenness)
        across = manner.sideways and index == len(tiles) - 1
        if manner.tilt:
            yaw = rng.normal(0, 0.006)
            foot = _LEDGE if manner.rack else 0.0
            box = standing(tile, x, y * 0.3, shape, yaw=yaw, tilt=manner.tilt, foot=foot)
        elif across:
            x += (shape.height - 1) / 2 + 0.08
            side = np.pi / 2 if rng.random() < 0.5 else -np.pi / 2
            box = lying(tile, x, y - (shape.height - 1) / 2, shape, yaw=side + rng.normal(0, 0.02))
        else:
            box = lying(tile, x, y, shape, yaw=_yaw(rng, manner))
        placed.append(replace(box, group="hand"))
        x += 1 + manner.gap + abs(rng.normal(0, manner.unevenness * 0.4))
    return moved(placed, 0.0, (-x / 2 + 0.5, 0.0, 0.0))


def hidden_tiles(rng: Generator, meld: DealtMeld) -> tuple[int, ...]:
    """The tiles of a concealed meld that are laid face down."""
    if not meld.concealed:
        return ()
    if meld.kind == "kong":
        choices = ((0, 3), (0, 3), (1, 2), (0, 1, 2, 3))
        return choices[int(rng.integers(len(choices)))]
    return (1,) if meld.kind == "pung" else ()


def _meld_row(
    rng: Generator, meld: TrueMeld, shape: TileShape, manner: Manner, group: str
) -> tuple[list[Placed], float]:
    """The tiles of a meld with its left edge at x = 0, and its width."""
    claimed = -1
    if not meld.concealed and rng.random() < 0.12:
        claimed = int(rng.integers(len(meld.tiles)))
    placed: list[Placed] = []
    x = 0.0
    for index, tile in enumerate(meld.tiles):
        width = shape.height if index == claimed else 1.0
        y = rng.normal(0, manner.unevenness)
        if index == claimed:
            y -= (shape.height - 1) / 2
            yaw = np.pi / 2 + rng.normal(0, 0.02)
        else:
            yaw = _yaw(rng, manner)
        box = lying(tile, x + width / 2, y, shape, yaw=float(yaw), down=index in meld.down)
        placed.append(replace(box, group=group))
        x += width + rng.uniform(0.003, 0.03)
    return placed, x


def _melds_and_bonus(
    rng: Generator, hand: TrueHand, shape: TileShape, manner: Manner, limit: float
) -> list[Placed]:
    """The melds from left to right and then the bonus tiles, in rows at most ``limit`` wide."""
    placed: list[Placed] = []
    x, y = 0.0, 0.0
    for number, meld in enumerate(hand.melds):
        row, width = _meld_row(rng, meld, shape, manner, f"meld {number}")
        if x and x + width > limit:
            x, y = 0.0, y + shape.height * rng.uniform(1.2, 1.45)
        placed += moved(row, rng.normal(0, 0.02), (x, y, 0.0))
        x += width + rng.uniform(0.65, 1.3)
    if hand.bonus and x and x + len(hand.bonus) > limit:
        x, y = 0.0, y + shape.height * rng.uniform(1.2, 1.45)
    x += 0.5
    for tile in hand.bonus:
        yaw = rng.normal(0, 0.06) + (np.pi if rng.random() < manner.flipped else 0)
        place = (x, y + rng.normal(0, 0.08))
        placed.append(replace(lying(tile, *place, shape, yaw=float(yaw)), group="bonus"))
        x += 1.06 + float(rng.uniform(0.03, 0.3))
    return placed


def lay_hand(
    rng: Generator, hand: TrueHand, shape: TileShape, manner: Manner, index: int
) -> list[Placed]:
    """All tiles of one player, the row of the hand about the origin.

    Args:
        rng: source of the unevenness of tiles placed by hand.
        hand: the tiles to place.
        shape: shape of the tiles.
        manner: the player's way of placing them.
        index: index of the hand in its scene.
    """
    tiles = list(hand.concealed)
    if manner.shuffled:
        tiles = [str(tile) for tile in rng.permutation(tiles)]
    row = _hand_row(rng, tiles, shape, manner)
    width = len(tiles) * (1 + manner.gap)
    apart = _melds_and_bonus(rng, hand, shape, manner, max(width, 13.0))
    step = shape.height * rng.uniform(1.35, 1.8)
    if manner.melds == "beside":
        apart = moved(apart, 0.0, (width / 2 + rng.uniform(0.9, 1.5), rng.normal(0, 0.1), 0.0))
    elif apart:
        spread = max(tile.centre[0] for tile in apart) + 0.5
        left = -width / 2 if rng.random() < 0.5 else -spread / 2
        depth = max(tile.centre[1] for tile in apart)
        shift = step if manner.melds == "front" else -step - depth
        shift += rng.uniform(2.2, 3.2) if manner.tilt else 0.0
        apart = moved(apart, rng.normal(0, 0.015), (left, shift, 0.0))
    return [replace(tile, hand=index) for tile in [*row, *apart]]


def true_hand(rng: Generator, dealt: DealtHand, position: str) -> TrueHand:
    """The true hand, with randomly chosen tiles of concealed melds face down."""
    melds = tuple(
        TrueMeld(meld.kind, meld.tiles, meld.concealed, hidden_tiles(rng, meld))
        for meld in dealt.melds
    )
    return TrueHand(dealt.seat, position, dealt.concealed, melds, dealt.bonus, dealt.won)


def lay_wall(
    rng: Generator, tiles: Sequence[str], shape: TileShape, storeys: int = 2
) -> list[Placed]:
    """A wall of face-down tiles along x, from the origin on."""
    placed = []
    for index, tile in enumerate(tiles):
        column, storey = divmod(index, storeys)
        yaw = rng.normal(0, 0.012)
        x = column * 1.012 + rng.normal(0, 0.01)
        box = lying(tile, x, rng.normal(0, 0.025), shape, yaw=yaw, down=True)
        lift = np.array([0.0, 0.0, storey * shape.depth])
        placed.append(replace(box, centre=box.centre + lift, group="wall"))
    return placed


def lay_discards(
    rng: Generator, tiles: Sequence[str], shape: TileShape, reach: float, *, tidy: bool
) -> list[Placed]:
    """Discards about the origin, none overlapping: in rows, or thrown within ``reach``."""
    placed: list[Placed] = []
    if tidy:
        columns = int(rng.integers(6, 11))
        for index, tile in enumerate(tiles):
            row, column = divmod(index, columns)
            x = (column - columns / 2) * 1.06 + rng.normal(0, 0.04)
            y = 1.5 * shape.height - row * shape.height * 1.05 + rng.normal(0, 0.05)
            box = lying(tile, x, y, shape, yaw=float(rng.normal(0, 0.05)))
            placed.append(replace(box, group="discard"))
        return placed
    radius = float(np.hypot(1, shape.height)) / 2
    for tile in tiles:
        for _ in range(40):
            x, y = rng.uniform(-reach, reach, 2)
            if all(np.hypot(x - t.centre[0], y - t.centre[1]) > radius * 1.8 for t in placed):
                down = bool(rng.random() < 0.12)
                box = lying(tile, x, y, shape, yaw=float(rng.uniform(0, 6.283)), down=down)
                placed.append(replace(box, group="discard"))
                break
    return placed


def clash(tiles: Sequence[Placed]) -> bool:
    """Whether two of the tiles would lie in the same place."""
    centres = np.array([tile.centre for tile in tiles])
    away = np.linalg.norm(centres[:, None, :] - centres[None, :, :], axis=2)
    beside = np.abs(centres[:, None, 2] - centres[None, :, 2]) < 0.3
    np.fill_diagonal(away, np.inf)
    return bool((away[beside] < 0.985).any())


def clear_of(tiles: Sequence[Placed]) -> Callable[[float, float, float], bool]:
    """A test whether a disc, given by x, y and radius in tile widths, is clear of the tiles."""
    places = np.array([tile.centre[:2] for tile in tiles])

    def free(x: float, y: float, reach: float) -> bool:
        return bool(np.hypot(places[:, 0] - x, places[:, 1] - y).min() > reach + 0.95)

    return free
