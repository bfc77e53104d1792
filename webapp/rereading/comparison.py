"""A new reading of a photo checked against the kept one and against the deal as people left it.

The three are brought into one form, the tiles of a player, and tiles at the same place of the photo
are taken for the same tile. Nothing is decided together with other photos of the deal.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from vision.vocabulary.reading_form import ReadingFormError
from vision.vocabulary.readings import Reading
from webapp.deal.state import Player, Quad, Tile
from webapp.photos.from_reading import (
    NOTHING_READ,
    reading_kept,
    sides_of,
    tiles_from_reading,
)
from webapp.rereading.choosing import Kept

NEAR: Final = 0.5
"""Maximum distance of the middles of two tiles that are the same, as a share of a tile's width."""


@dataclass(frozen=True, slots=True)
class Held:
    """What people say of the tiles of a photo, and how the readings stand against it.

    Attributes:
        corrected: whether someone put something right.
        wrong_before: number of tiles by which the kept reading differs.
        wrong_now: number of tiles by which the new reading differs.
        put_right: for each tile that someone named differently what was read, what is read now, and
            what it is.
        stood: number of tiles that stayed as they were read.
        read_otherwise: of these, what each is and what is read now where that differs.
    """

    corrected: bool
    wrong_before: int
    wrong_now: int
    put_right: Sequence[tuple[str, str, str]] = ()
    stood: int = 0
    read_otherwise: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Compared:
    """What is different in the new reading of a photo; a tile that is not there is empty.

    Attributes:
        photo: the id of the photo.
        club: the address of its club; empty where there is one only.
        error: why it could not be read again; None if it was.
        larger: whether it was read from a larger photo before than is kept.
        tiles: number of tiles that were read before.
        changes: what each tile that is read differently was read as, and is read as now.
        held: how it stands against what people say; None where they say nothing of this photo.
    """

    photo: str
    club: str
    error: str | None
    larger: bool
    tiles: int
    changes: Sequence[tuple[str, str]]
    held: Held | None

    def told(self) -> dict[str, Any]:
        """As plain JSON values."""
        return asdict(self)

    @classmethod
    def from_told(cls, told: Mapping[str, Any]) -> Compared:
        """From the values that :meth:`told` gave."""
        held = told["held"]
        return cls(**{**told, "held": None if held is None else Held(**held)})


def compare(kept: Kept, new: Reading | None, club: str = "", error: str | None = None) -> Compared:
    """Hold a new reading against the kept one and the deal.

    Args:
        kept: the photo.
        new: its new reading; None if it could not be read.
        club: the address of its club.
        error: why it could not be read.
    """
    old = _old(kept)
    scale = 1.0 if new is None else old.width / new.width
    before = _lying(old, 1.0)
    pairs = list(same_tiles(before, _lying(new or NOTHING_READ, scale)))
    changes = [(_label(one), _label(other)) for one, other in pairs]
    return Compared(
        photo=kept.id,
        club=club,
        error=error,
        larger=scale > 1.0,
        tiles=len(before),
        changes=[(one, other) for one, other in changes if one != other],
        held=_held(kept, new or NOTHING_READ, scale),
    )


def _old(kept: Kept) -> Reading:
    """The kept reading of a photo; nothing if it has a form that is no longer known."""
    try:
        return reading_kept(kept.reading)
    except ReadingFormError:
        return NOTHING_READ


def was_corrected(kept: Kept) -> bool:
    """Whether someone put something right in the tiles of a photo."""
    held = _held(kept, NOTHING_READ, 1.0)
    return held is not None and held.corrected


def _lying(reading: Reading, scale: float) -> list[Tile]:
    """All tiles of a reading where they lie, in pixels that are ``scale`` times as large."""
    return [
        Tile(str(number), tile.label, quad=scaled(tile.quad, scale))
        for number, tile in enumerate(reading.tiles)
    ]


def scaled(quad: Sequence[Sequence[float]], scale: float) -> Quad:
    """A quad in pixels that are so many times as small."""
    return tuple((x * scale, y * scale) for x, y in quad)


def _label(tile: Tile | None) -> str:
    return "" if tile is None else tile.label


def same_tiles(
    some: Sequence[Tile], others: Sequence[Tile]
) -> Iterator[tuple[Tile | None, Tile | None]]:
    """Each tile with the one of the others at its place, the nearest first; None where none is.

    Tiles without a place are left out.
    """
    near = sorted(
        (distance, one, other)
        for one, tile in enumerate(some)
        for other, there in enumerate(others)
        if tile.quad and there.quad
        if (distance := _apart(tile.quad, there.quad)) < NEAR
    )
    left, free = dict(enumerate(some)), dict(enumerate(others))
    for _, one, other in near:
        if one in left and other in free:
            yield left.pop(one), free.pop(other)
    yield from ((tile, None) for tile in left.values() if tile.quad)
    yield from ((None, tile) for tile in free.values() if tile.quad)


def _apart(one: Quad, other: Quad) -> float:
    """The distance of the middles of two quads, as a share of the first's width."""
    middles = [[sum(axis) / len(quad) for axis in zip(*quad, strict=True)] for quad in (one, other)]
    return math.dist(*middles) / max(1.0, math.dist(one[0], one[1]))


def _held(kept: Kept, new: Reading, scale: float) -> Held | None:
    """How both readings stand against all players whose tiles are from this photo."""
    all_held = [
        _of_player(player, kept, new, scale)
        for player in kept.state.players
        if player.photo == kept.id and player.claimed is None
    ]
    if not all_held:
        return None
    return Held(
        corrected=any(held.corrected for held in all_held),
        wrong_before=sum(held.wrong_before for held in all_held),
        wrong_now=sum(held.wrong_now for held in all_held),
        put_right=[it for held in all_held for it in held.put_right],
        stood=sum(held.stood for held in all_held),
        read_otherwise=[it for held in all_held for it in held.read_otherwise],
    )


def _of_player(player: Player, kept: Kept, new: Reading, scale: float) -> Held:
    side, before = _as_read(player, kept)
    now = _tiles(player, new, kept.id, side, scale)
    of_now = {tile.id: other for tile, other in same_tiles(player.tiles, now) if tile}
    put_right, otherwise, stood = [], [], 0
    known = list(same_tiles(player.tiles, before))
    for tile, read in known:
        if tile is None or read is None:
            continue
        found = _label(of_now.get(tile.id))
        if tile.checked and tile.label != read.label:
            put_right.append((read.label, found, tile.label))
        elif tile.label == read.label:
            stood += 1
            if found != tile.label:
                otherwise.append((tile.label, found))
    touched = any(tile is None or read is None for tile, read in known)
    tapped_in = any(tile.quad is None for tile in player.tiles)
    return Held(
        corrected=bool(put_right) or touched or tapped_in,
        wrong_before=_wrong(before, player.tiles),
        wrong_now=_wrong(now, player.tiles),
        put_right=put_right,
        stood=stood,
        read_otherwise=otherwise,
    )


def _as_read(player: Player, kept: Kept) -> tuple[str | None, tuple[Tile, ...]]:
    """The side of the photo at which a player's tiles lie, and the tiles there as they were read.

    It is the side with most of the tiles, since people may say that two players sit differently.
    """
    old = _old(kept)
    sides: list[str | None] = [*sides_of(old)] or [None]
    found = {side: _tiles(player, old, kept.id, side, 1.0) for side in sides}
    side = max(found, key=lambda it: _common(player.tiles, found[it]))
    return side, found[side]


def _common(some: Sequence[Tile], others: Sequence[Tile]) -> int:
    return sum(one is not None and other is not None for one, other in same_tiles(some, others))


def _tiles(
    player: Player, reading: Reading, photo: str, side: str | None, scale: float
) -> tuple[Tile, ...]:
    """The player's tiles by a reading; none where no hand lies at that side."""
    try:
        read = tiles_from_reading(player, reading, photo, side).tiles
    except KeyError:
        return ()
    return tuple(replace(t, quad=scaled(t.quad, scale)) if t.quad else t for t in read)


def _wrong(read: Sequence[Tile], there: Sequence[Tile]) -> int:
    """How many tiles must be named differently, added or taken away, each counted once."""
    one, other = (Counter(tile.label for tile in tiles) for tiles in (read, there))
    return max((one - other).total(), (other - one).total())
