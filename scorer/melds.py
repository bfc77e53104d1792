"""Melds as they are read, each known by a small number whose traits are bits.

A reading of a hand is a tuple of meld numbers; what it is made of is the union of their traits.
Numbers stand for the same melds in every ruleset.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from scorer.tiles import (
    DRAGONS,
    PLAYING_TILES,
    SUIT_TILES,
    SUITS,
    WINDS,
    is_dragon,
    is_minor,
    is_terminal,
    is_wind,
)

GREEN: Final = ("2s", "3s", "4s", "6s", "8s", "6z")
"""The tiles that are all green."""


@dataclass(frozen=True, slots=True, order=True)
class ReadMeld:
    """A meld as it is read: wild tiles appear as what they stand for.

    ``kind`` is ``chow``, ``pung``, ``kong`` or ``pair``, and in special hands also ``singles``,
    ``knitted_pair`` (one number in two suits) or ``knitted_set`` (one number in three suits).
    ``jokers`` are the places in ``tiles`` that wild tiles fill.
    """

    kind: str
    tiles: tuple[str, ...]
    concealed: bool = True
    jokers: tuple[int, ...] = ()

    @property
    def tile(self) -> str:
        """The first tile, which names a pung, a kong or a pair."""
        return self.tiles[0]


SUIT_TRAITS: Final = {suit: 1 << index for index, suit in enumerate(SUITS)}
ANY_SUIT: Final = sum(SUIT_TRAITS.values())
WIND: Final = 1 << 3
DRAGON: Final = 1 << 4
HONOUR: Final = WIND | DRAGON
MINOR: Final = 1 << 5
TERMINAL: Final = 1 << 6
NOT_GREEN: Final = 1 << 7
CHOW: Final = 1 << 8
PUNG: Final = 1 << 9
KONG: Final = 1 << 10
EXPOSED: Final = 1 << 11
DRAGON_MELDS: Final = {tile: 1 << (12 + n) for n, tile in enumerate(DRAGONS)}
WIND_MELDS: Final = {tile: 1 << (15 + n) for n, tile in enumerate(WINDS)}
DRAGON_PAIRS: Final = {tile: 1 << (19 + n) for n, tile in enumerate(DRAGONS)}
WIND_PAIRS: Final = {tile: 1 << (22 + n) for n, tile in enumerate(WINDS)}
KNITTED: Final = 1 << 26
"""Traits of a meld: the suits and kinds of its tiles, its form, and the honours it is made of."""


def tile_traits(tile: str) -> int:
    """The traits that a single tile brings into a hand."""
    traits = SUIT_TRAITS.get(tile[1], 0)
    traits |= WIND if is_wind(tile) else 0
    traits |= DRAGON if is_dragon(tile) else 0
    traits |= MINOR if is_minor(tile) else 0
    traits |= TERMINAL if is_terminal(tile) else 0
    return traits | (0 if tile in GREEN else NOT_GREEN)


def traits_of(group: ReadMeld) -> int:
    """The traits of a meld."""
    traits = 0
    for tile in group.tiles:
        traits |= tile_traits(tile)
    if group.kind in ("pung", "kong"):
        traits |= PUNG if group.kind == "pung" else KONG
        traits |= DRAGON_MELDS.get(group.tile, 0) | WIND_MELDS.get(group.tile, 0)
    elif group.kind == "pair":
        traits |= DRAGON_PAIRS.get(group.tile, 0) | WIND_PAIRS.get(group.tile, 0)
    else:
        traits |= CHOW if group.kind == "chow" else KNITTED
    return traits | (0 if group.concealed else EXPOSED)


Reading = tuple[int, ...]
"""The numbers of the melds that a hand is read as."""

EXPOSE: Final = 128
"""Added to the number of a concealed meld, gives the same meld exposed."""

JOKER: Final = 2 * EXPOSE
"""Added to the number of a meld, gives the same meld with one more joker in it."""

MOST_JOKERS: Final = 2
"""The most jokers in one meld that any ruleset may allow."""

_TILES_OF: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    *(("pung", (tile,) * 3) for tile in PLAYING_TILES),
    *(("kong", (tile,) * 4) for tile in PLAYING_TILES),
    *(("pair", (tile,) * 2) for tile in PLAYING_TILES),
    *(
        ("chow", SUIT_TILES[start : start + 3])
        for start in range(len(SUIT_TILES))
        if int(SUIT_TILES[start][0]) <= 7
    ),
)

MELDS: Final[dict[int, ReadMeld]] = {
    number + (0 if concealed else EXPOSE) + jokers * JOKER: ReadMeld(
        kind, tiles, concealed, tuple(range(len(tiles)))[len(tiles) - jokers :]
    )
    for jokers in range(MOST_JOKERS + 1)
    for concealed in (True, False)
    for number, (kind, tiles) in enumerate(_TILES_OF)
}
"""Every chow, pung, kong and pair, concealed and exposed, without and with jokers, by number."""

NUMBERS: Final = {group: number for number, group in MELDS.items()}
"""The number of each meld."""

TRAITS: Final = (MOST_JOKERS + 1) * tuple(
    traits_of(MELDS[n]) if n in MELDS else 0 for n in range(JOKER)
)
"""The traits of each meld, by its number."""

FIRST_PUNG, FIRST_KONG, FIRST_PAIR, FIRST_CHOW = (n * len(PLAYING_TILES) for n in range(4))
"""Where each kind begins: the pung of the n-th playing tile has the number ``FIRST_PUNG + n``."""

CHOW_STARTS: Final = {
    PLAYING_TILES.index(MELDS[number].tile): number for number in range(FIRST_CHOW, len(_TILES_OF))
}
"""The number of the concealed chow that begins with the n-th playing tile."""


def is_pair(number: int) -> bool:
    """Whether the number is a pair's."""
    return FIRST_PAIR <= number % EXPOSE < FIRST_CHOW


def is_chow(number: int) -> bool:
    """Whether the number is a chow's."""
    return number % EXPOSE >= FIRST_CHOW


def melds_of(reading: Iterable[int]) -> tuple[ReadMeld, ...]:
    """The melds that the numbers stand for."""
    return tuple(MELDS[number] for number in reading)


def traits_of_reading(reading: Reading) -> int:
    """The traits of numbered melds together."""
    traits = 0
    for number in reading:
        traits |= TRAITS[number]
    return traits


@lru_cache(maxsize=4096)
def traits_of_all(groups: tuple[ReadMeld, ...]) -> int:
    """The traits of melds together, numbered or not."""
    traits = 0
    for group in groups:
        traits |= traits_of(group)
    return traits


COPIES: Final = {tile: 1 << (3 * index) for index, tile in enumerate(PLAYING_TILES)}
"""One tile in a count of tiles: three bits for each kind, in the order of the playing tiles."""


def count_tiles(tiles: Iterable[str]) -> int:
    """How many of each playing tile there are, packed as :data:`COPIES` says; four at most."""
    return sum(map(COPIES.__getitem__, tiles))


def traits_held(tiles: int) -> int:
    """The traits of single tiles, in a packed count."""
    traits = 0
    for tile, unit in COPIES.items():
        traits |= tile_traits(tile) if tiles // unit & 7 else 0
    return traits
