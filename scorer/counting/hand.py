"""A player's hand ready to be arranged, and its melds on the table as they are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from scorer.deal import Meld, Player, Win
from scorer.melds import COPIES, MELDS, NUMBERS, Reading, ReadMeld, count_tiles
from scorer.messages import Refused, say
from scorer.rules.ruleset import Goulash
from scorer.tiles import ORDER, PLAYING_TILES

SIZES: Final = {"chow": 3, "pung": 3, "kong": 4, "pair": 2}


@dataclass(frozen=True, slots=True)
class Hand:
    """A player's playing tiles, ready to be read.

    Attributes:
        naturals: the tiles free to be arranged (those in hand and those of pungs shown as
            concealed), wild ones left out, packed as :data:`scorer.melds.COPIES` says.
        wilds: how many wild tiles are free as well.
        melds: the numbers of the melds laid down.
        goulash: what wild tiles may do; None when there are none in this deal.
    """

    naturals: int
    wilds: int
    melds: Reading
    goulash: Goulash | None

    @property
    def wild(self) -> str | None:
        """The tile that may stand for others, or None."""
        return None if self.goulash is None else self.goulash.wild

    def tiles(self) -> int:
        """The free natural tiles and those of the melds laid down, packed like the former."""
        if not self.melds:
            return self.naturals
        laid = (count_tiles(MELDS[number].tiles) for number in self.melds)
        return self.naturals + sum(laid)

    def with_tile(self, tile: str) -> Hand:
        """The hand with one more tile."""
        if tile == self.wild:
            return Hand(self.naturals, self.wilds + 1, self.melds, self.goulash)
        return Hand(self.naturals + COPIES[tile], self.wilds, self.melds, self.goulash)

    def without_tile(self, tile: str) -> Hand:
        """The hand with one of its free tiles gone."""
        if tile == self.wild:
            return Hand(self.naturals, self.wilds - 1, self.melds, self.goulash)
        return Hand(self.naturals - COPIES[tile], self.wilds, self.melds, self.goulash)

    def wild_in(self, reading: Reading) -> Counter[str]:
        """What the wild tiles in hand stand for in a reading; those in no meld are left out."""
        free = [MELDS[number] for number in reading[len(self.melds) :]]
        return Counter(
            tile
            for group in free
            for place, tile in enumerate(group.tiles)
            if place in group.jokers or tile == self.wild
        )

    def splits(self, win: Win | None) -> Iterator[tuple[int, int]]:
        """Every lawful split of the free tiles: those kept as themselves, and how many are jokers.

        A wild tile claimed from another player counts as itself; a blank is always a joker.
        """
        if not self.wilds:
            yield self.naturals, 0
            return
        wild = self.wild or ""
        if wild not in COPIES:
            yield self.naturals, self.wilds
            return
        kept = int(win is not None and win.claimed_tile and win.tile == wild)
        for jokers in range(self.wilds - kept + 1):
            yield self.naturals + (self.wilds - jokers) * COPIES[wild], jokers


def hand_of(player: Player, goulash: Goulash | None) -> Hand:
    """The hand of a player whose melds are in order; ``goulash`` is None in an ordinary deal.

    Raises:
        Refused: the tiles of a meld do not make it.
    """
    wild = None if goulash is None else goulash.wild
    free = player.concealed
    melds: list[int] = []
    for meld in player.melds:
        read = read_meld(meld, goulash)
        if meld.kind == "pung" and meld.concealed:
            free += meld.tiles
        else:
            melds.append(NUMBERS[read])
    wilds = 0
    if wild is not None:
        wilds = free.count(wild)
        free = tuple(tile for tile in free if tile != wild)
    return Hand(count_tiles(free), wilds, tuple(melds), goulash)


def read_meld(meld: Meld, goulash: Goulash | None) -> ReadMeld:
    """A meld on the table as it is read; ``goulash`` says what its wild tiles may do, if any.

    Raises:
        Refused: the tiles do not make the meld; its message says why.
    """
    number = _plain_meld(meld.kind, meld.tiles, meld.concealed)
    if number is not None:
        return MELDS[number]
    size = SIZES[meld.kind]
    if len(meld.tiles) != size:
        raise Refused(say("meld_size", kind=meld.kind, size=size, tiles=len(meld.tiles)))
    if meld.kind == "chow":
        raise Refused(say("no_sequence"))
    kinds = Counter(meld.tiles)
    jokers = 0
    if goulash is not None and 0 < kinds[goulash.wild] <= goulash.wild_per_set:
        jokers = kinds.pop(goulash.wild)
    if len(kinds) != 1 or next(iter(kinds)) not in PLAYING_TILES:
        if goulash is not None:
            most = goulash.wild_per_set
            raise Refused(say("not_of_one_kind_wild", kind=meld.kind, size=size, most=most))
        raise Refused(say("not_of_one_kind", kind=meld.kind, size=size))
    places = tuple(range(size))[size - jokers :]
    return ReadMeld(meld.kind, (next(iter(kinds)),) * size, meld.concealed, places)


def is_plain_meld(meld: Meld) -> bool:
    """Whether the tiles make a meld of its kind without wild tiles; they may be any codes."""
    return _plain_meld(meld.kind, meld.tiles, meld.concealed) is not None


@lru_cache(maxsize=4096)
def _plain_meld(kind: str, tiles: tuple[str, ...], concealed: bool) -> int | None:  # noqa: FBT001 - the parts of a meld, as a key
    in_order = tuple(sorted(tiles, key=_order))
    return NUMBERS.get(ReadMeld(kind, in_order, concealed))


def _order(tile: str) -> int:
    return ORDER.get(tile, len(ORDER))
