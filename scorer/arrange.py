"""Every lawful way to read a hand as sets, wild tiles and the winning tile's place included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement
from typing import Final

from scorer.conditions import TileSet
from scorer.deal import Meld, Player, Win
from scorer.tiles import ORDER, PLAYING_TILES, is_suit

SIZES: Final = {"chow": 3, "pung": 3, "kong": 4, "pair": 2}
_BY_SIZE: Final = {2: "pair", 3: "pung", 4: "kong"}


@dataclass(frozen=True, slots=True)
class Hand:
    """A player's playing tiles, ready to be read.

    ``tiles`` are the tiles free to be arranged, in order: those in hand and those of pungs shown
    as concealed. ``melds`` are fixed. ``wild`` is the tile that may stand for others, or None.
    """

    tiles: tuple[str, ...]
    melds: tuple[TileSet, ...]
    wild: str | None


@dataclass(frozen=True, slots=True, order=True)
class _Group:
    kind: str
    tiles: tuple[str, ...]
    wilds: int

    def holds(self, tile: str) -> bool:
        """Whether the tile lies here as itself, not as a wild one."""
        return tile in self.tiles and len(self.tiles) > self.wilds

    def as_set(self, *, concealed: bool = True) -> TileSet:
        return TileSet(self.kind, self.tiles, concealed)


def hand_of(player: Player, wild: str | None) -> Hand:
    """The hand of a player whose melds are in order.

    Raises:
        ValueError: a meld is none.
    """
    free = list(player.concealed)
    melds: list[TileSet] = []
    for meld in player.melds:
        read = read_meld(meld, wild)
        if meld.kind == "pung" and meld.concealed:
            free.extend(meld.tiles)
        else:
            melds.append(read)
    return Hand(tuple(sorted(free, key=ORDER.__getitem__)), tuple(sorted(melds)), wild)


def read_meld(meld: Meld, wild: str | None) -> TileSet:
    """The set that a meld stands for.

    Raises:
        ValueError: the tiles are no such set; the text says why.
    """
    size = SIZES[meld.kind]
    if len(meld.tiles) != size:
        raise ValueError(f"a {meld.kind} has {size} tiles, not {len(meld.tiles)}")
    tiles = tuple(sorted(meld.tiles, key=ORDER.__getitem__))
    if meld.kind == "chow":
        if not is_suit(tiles[0]) or tiles != _run(tiles[0]):
            raise ValueError("a chow is three tiles of one suit in sequence")
        return TileSet("chow", tiles, meld.concealed)
    kinds = Counter(tiles)
    if len(kinds) > 1 and kinds.get(wild or "") == 1:
        del kinds[wild or ""]
    if len(kinds) > 1:
        jokers = f", one {wild} as a joker at most" if wild else ""
        raise ValueError(f"a {meld.kind} is {size} tiles of one kind{jokers}")
    return TileSet(meld.kind, (next(iter(kinds)),) * size, meld.concealed)


def _run(tile: str) -> tuple[str, ...]:
    first, suit = int(tile[0]), tile[1]
    return tuple(f"{number}{suit}" for number in range(first, first + 3))


def _wild_splits(hand: Hand, kept: int) -> Iterator[tuple[Counter[str], int]]:
    counts = Counter(hand.tiles)
    jokers = counts[hand.wild] - kept if hand.wild else 0
    yield counts, 0
    for wilds in range(1, jokers + 1):
        natural = counts.copy()
        natural[hand.wild or ""] -= wilds
        yield +natural, wilds


def naturals_and_wilds(hand: Hand, win: Win | None) -> Iterator[tuple[Counter[str], int]]:
    """The free tiles as themselves, and how many serve as jokers, in every lawful way.

    A wild tile claimed from another player counts as itself.
    """
    claimed = win is not None and win.claimed_tile and win.tile == hand.wild
    return _wild_splits(hand, int(claimed))


def winning_readings(hand: Hand, max_chows: int, win: Win) -> set[tuple[TileSet, ...]]:
    """All readings of a complete hand as four sets and a pair, at most ``max_chows`` of them chows.

    A set completed by a claimed tile is exposed, a pair is not; where several sets could hold that
    tile there is a reading for each. A robbed tile completes no pung.
    """
    chows = max_chows - sum(meld.kind == "chow" for meld in hand.melds)
    readings: set[tuple[TileSet, ...]] = set()
    for counts, wilds in naturals_and_wilds(hand, win):
        for groups in set(_split(counts, 4 - len(hand.melds), 1, max(chows, 0), wilds)):
            for sets in _roles(groups, win):
                readings.add(tuple(sorted((*hand.melds, *sets))))
    return readings


def _roles(groups: tuple[_Group, ...], win: Win) -> Iterator[tuple[TileSet, ...]]:
    if not win.claimed_tile:
        yield tuple(group.as_set() for group in groups)
        return
    for index, group in enumerate(groups):
        if not group.holds(win.tile or "") or group in groups[:index]:
            continue
        if group.kind == "pung" and win.source == "robbed_kong":
            continue
        sets = [other.as_set() for other in groups]
        sets[index] = replace(sets[index], concealed=group.kind == "pair")
        yield tuple(sets)


def _split(
    counts: Counter[str], sets: int, pairs: int, chows: int, wilds: int
) -> Iterator[tuple[_Group, ...]]:
    """The ways to use up all tiles as that many sets and pairs (no pair or one)."""
    tile = next((code for code in PLAYING_TILES if counts[code]), None)
    if tile is None:
        if sets == 0 and wilds == 2 * pairs:
            yield from _joker_pairs(wilds)
        return
    for group in _groups_with(tile, counts, sets, pairs, chows, wilds):
        for code in group.tiles if group.kind == "chow" else (tile,):
            counts[code] -= 1 if group.kind == "chow" else len(group.tiles) - group.wilds
        is_pair, is_chow = group.kind == "pair", group.kind == "chow"
        rest = _split(
            counts, sets - (not is_pair), pairs - is_pair, chows - is_chow, wilds - group.wilds
        )
        for others in rest:
            yield tuple(sorted((group, *others)))
        for code in group.tiles if group.kind == "chow" else (tile,):
            counts[code] += 1 if group.kind == "chow" else len(group.tiles) - group.wilds


def _joker_pairs(wilds: int) -> Iterator[tuple[_Group, ...]]:
    if wilds == 0:
        yield ()
        return
    for code in PLAYING_TILES:
        yield (_Group("pair", (code, code), 2),)


def _groups_with(
    tile: str, counts: Counter[str], sets: int, pairs: int, chows: int, wilds: int
) -> Iterator[_Group]:
    for jokers in range(min(wilds, 1) + 1):
        if sets and counts[tile] >= 3 - jokers:
            yield _Group("pung", (tile,) * 3, jokers)
        if pairs and counts[tile] >= 2 - jokers:
            yield _Group("pair", (tile,) * 2, jokers)
    if sets and chows and is_suit(tile) and all(counts[code] for code in _run(tile)):
        yield _Group("chow", _run(tile), 0)


def losing_readings(hand: Hand, *, undeclared_kongs: bool) -> set[tuple[TileSet, ...]]:
    """The readings of a hand that did not go out: its melds, and the pungs and pairs in hand.

    Four of a kind in hand are a concealed kong where ``undeclared_kongs`` says so, else a pung.
    Every wild tile may stay itself, join one group of a kind, or pair with another wild one.
    """
    readings: set[tuple[TileSet, ...]] = set()
    largest = 4 if undeclared_kongs else 3
    for natural, wilds in _wild_splits(hand, 0):
        kinds = [code for code in natural if 0 < natural[code] < largest and code != hand.wild]
        for joined in range(min(wilds, len(kinds)) + 1):
            pairs = (wilds - joined) // 2
            for chosen in combinations(kinds, joined):
                sizes = natural + Counter(chosen)
                groups = [
                    _like_tiles(code, min(size, largest))
                    for code, size in sizes.items()
                    if size > 1
                ]
                for extra in combinations_with_replacement(PLAYING_TILES, pairs):
                    jokers = [_like_tiles(code, 2) for code in extra]
                    readings.add(tuple(sorted((*hand.melds, *groups, *jokers))))
    return readings


def _like_tiles(tile: str, size: int) -> TileSet:
    return TileSet(_BY_SIZE[size], (tile,) * size)
