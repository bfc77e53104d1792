"""Lawful deals: 144 tiles dealt to four players, one of whom has usually gone out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from numpy.random import Generator

from scorer.tiles import BONUS_TILES, PLAYING_TILES, SEATS, SUITS, sort_tiles

_RUNS: Final = tuple(
    tuple(f"{first + step}{suit}" for step in range(3)) for suit in SUITS for first in range(1, 8)
)


@dataclass(frozen=True, slots=True)
class DealtMeld:
    """A meld laid apart.

    Attributes:
        kind: ``chow``, ``pung`` or ``kong``.
        tiles: codes of its tiles.
        concealed: whether it was laid down concealed.
    """

    kind: str
    tiles: tuple[str, ...]
    concealed: bool = False


@dataclass(frozen=True, slots=True)
class DealtHand:
    """One player's tiles.

    Attributes:
        seat: ``E``, ``S``, ``W`` or ``N``.
        concealed: codes of the tiles in hand, sorted.
        melds: melds laid apart.
        bonus: flowers and seasons, sorted.
        won: whether the player went out.
    """

    seat: str
    concealed: tuple[str, ...]
    melds: tuple[DealtMeld, ...]
    bonus: tuple[str, ...]
    won: bool


@dataclass(frozen=True, slots=True)
class TableDeal:
    """The hands in the order E, S, W, N, and all other tiles in random order."""

    hands: tuple[DealtHand, ...]
    rest: tuple[str, ...]


class _Stock:
    """The tiles that have not been dealt yet."""

    def __init__(self, rng: Generator) -> None:
        self.rng = rng
        self.left = Counter(dict.fromkeys(PLAYING_TILES, 4))
        self.bonus = [str(tile) for tile in rng.permutation(BONUS_TILES)]

    def take(self, tile: str, count: int = 1) -> tuple[str, ...]:
        self.left[tile] -= count
        return (tile,) * count

    def any_tile(self, count: int = 1) -> str:
        """A random tile with at least ``count`` copies left."""
        return str(self.rng.choice([t for t in PLAYING_TILES if self.left[t] >= count]))

    def chow(self) -> tuple[str, ...] | None:
        """Take a chow; None if the stock holds none."""
        runs = [run for run in _RUNS if all(self.left[tile] for tile in run)]
        if not runs:
            return None
        run = runs[int(self.rng.integers(len(runs)))]
        for tile in run:
            self.take(tile)
        return run

    def meld(self, *, chows: bool) -> DealtMeld:
        """Take a meld of a random kind."""
        chance = self.rng.random()
        if chows and chance < 0.3 and (run := self.chow()):
            return DealtMeld("chow", run)
        if chance > 0.78:
            return DealtMeld("kong", self.take(self.any_tile(4), 4), self.rng.random() < 0.6)
        concealed = self.rng.random() < 0.08
        return DealtMeld("pung", self.take(self.any_tile(3), 3), concealed)


def _winner(stock: _Stock) -> tuple[list[str], list[DealtMeld]]:
    """Four melds, at most one of them a chow, and a pair."""
    rng = stock.rng
    concealed: list[str] = []
    melds: list[DealtMeld] = []
    chows = True
    exposure = rng.choice([0.15, 0.5, 0.8])
    for _ in range(4):
        meld = stock.meld(chows=chows)
        chows = chows and meld.kind != "chow"
        if meld.kind == "kong" or meld.concealed or rng.random() < exposure:
            melds.append(meld)
        else:
            concealed.extend(meld.tiles)
    concealed.extend(stock.take(stock.any_tile(2), 2))
    return concealed, melds


def _loser(stock: _Stock) -> tuple[list[str], list[DealtMeld]]:
    """Some melds, and pairs, neighbours and single tiles that complete 13 tiles."""
    rng = stock.rng
    melds: list[DealtMeld] = []
    for _ in range(int(rng.choice([0, 1, 2, 3], p=[0.3, 0.35, 0.25, 0.1]))):
        melds.append(stock.meld(chows=all(meld.kind != "chow" for meld in melds)))
    concealed: list[str] = []
    wanted = 13 - 3 * len(melds)
    while len(concealed) < wanted:
        tile = stock.any_tile()
        concealed.extend(stock.take(tile))
        if len(concealed) < wanted and stock.left[tile] and rng.random() < 0.45:
            concealed.extend(stock.take(tile))
    return concealed, melds


def deal(rng: Generator) -> TableDeal:
    """Deal to four players; in nine of ten deals one has gone out."""
    stock = _Stock(rng)
    winner = int(rng.integers(4)) if rng.random() < 0.9 else -1
    order = sorted(range(4), key=lambda seat: seat != winner)
    held = {seat: _winner(stock) if seat == winner else _loser(stock) for seat in order}
    bonus: dict[int, list[str]] = {seat: [] for seat in range(4)}
    for tile in stock.bonus[: int(rng.integers(2, 9))]:
        bonus[int(rng.integers(4))].append(tile)
    shown = {tile for tiles in bonus.values() for tile in tiles}
    hands = tuple(
        DealtHand(
            SEATS[seat],
            tuple(sort_tiles(held[seat][0])),
            tuple(held[seat][1]),
            tuple(sort_tiles(bonus[seat])),
            seat == winner,
        )
        for seat in range(4)
    )
    rest = [*stock.left.elements(), *(tile for tile in stock.bonus if tile not in shown)]
    return TableDeal(hands, tuple(str(tile) for tile in rng.permutation(rest)))
