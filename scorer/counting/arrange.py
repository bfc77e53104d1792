"""Every lawful way to read a hand as melds, including wild tiles and the winning tile's place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final

from scorer.counting.hand import Hand
from scorer.deal import Win
from scorer.melds import (
    CHOW_STARTS,
    EXPOSE,
    FIRST_KONG,
    FIRST_PAIR,
    FIRST_PUNG,
    JOKER,
    MELDS,
    Reading,
    is_chow,
    is_pair,
)
from scorer.rules.ruleset import Goulash
from scorer.tiles import PLAYING_TILES

_INDEX: Final = {tile: index for index, tile in enumerate(PLAYING_TILES)}
_SUIT_BITS: Final = 27
_SUIT_MASK: Final = (1 << _SUIT_BITS) - 1


def winning_readings(
    hand: Hand, max_chows: int, win: Win, *, robbed: Sequence[str] = ("chow", "pair")
) -> list[Reading]:
    """All readings of a complete hand as four melds and a pair.

    A meld completed by a claimed tile is exposed, a pair is not. Where several melds could hold
    that tile there is a reading for each, and so there is where jokers could stand elsewhere.

    Args:
        hand: the complete hand, winning tile included.
        max_chows: how many chows it may hold.
        win: how it went out.
        robbed: the kinds of meld that a robbed tile may complete.
    """
    chows = max(0, max_chows - sum(map(is_chow, hand.melds)))
    melds = 4 - len(hand.melds)
    if not hand.wilds:
        found = arrangements(hand.naturals, melds, chows)
        if not win.claimed_tile:
            return [hand.melds + groups for groups in found]
        return [hand.melds + read for groups in found for read in _roles(groups, win, robbed)]
    readings: dict[Reading, None] = {}
    for naturals, jokers in hand.splits(win):
        for groups in _with_jokers(naturals, melds, chows, jokers, hand.goulash):
            plain = [groups] if not win.claimed_tile else _roles(groups, win, robbed)
            for read in plain:
                readings[hand.melds + read] = None
    return list(readings)


def completing_kinds(hand: Hand, max_chows: int) -> tuple[str, ...]:
    """The kinds of tile that make four melds and a pair of a hand one tile short.

    The hand is one of a deal without wild tiles.
    """
    chows = max(0, max_chows - sum(map(is_chow, hand.melds)))
    parts = [hand.naturals >> (_SUIT_BITS * suit) & _SUIT_MASK for suit in range(4)]
    fewest = [_fewest_chows(part, suit, chows) for suit, part in enumerate(parts)]
    found: list[str] = []
    for suit, part in enumerate(parts):
        others = [few for other, few in enumerate(fewest) if other != suit]
        if None in others:
            continue
        used, pairs = sum(few[0] for few in others if few), sum(few[1] for few in others if few)
        for tile, more, pair in _completions(part, suit, chows):
            if used + more <= chows and pairs + pair == 1:
                found.append(tile)
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def _completions(tiles: int, suit: int, chows: int) -> tuple[tuple[str, int, int], ...]:
    """The kinds that let a suit's tiles be used up, with the fewest chows and the pairs then."""
    found: list[tuple[str, int, int]] = []
    for place, tile in enumerate(PLAYING_TILES[9 * suit : 9 * suit + 9]):
        completed = _fewest_chows(tiles + (1 << 3 * place), suit, chows)
        if completed is not None:
            found.append((tile, *completed))
    return tuple(found)


@lru_cache(maxsize=1 << 15)
def _fewest_chows(tiles: int, suit: int, chows: int) -> tuple[int, int] | None:
    """The fewest chows, and the pairs, that use up the tiles of a suit; None if nothing does."""
    if not tiles:
        return 0, 0
    options = _suit_arrangements(tiles, suit, chows)
    if not options:
        return None
    return min(used for _, used in options), int(is_pair(options[0][0][-1]))


def _roles(groups: Reading, win: Win, robbed: Sequence[str]) -> Iterator[Reading]:
    tile = win.tile or ""
    for index, number in enumerate(groups):
        group = MELDS[number]
        if tile not in group.tiles or len(group.jokers) == len(group.tiles):
            continue
        if number in groups[:index]:
            continue
        if win.source == "robbed_kong" and group.kind not in robbed:
            continue
        if group.kind == "pair":
            yield groups
        else:
            yield (*groups[:index], number + EXPOSE, *groups[index + 1 :])


def arrangements(tiles: int, melds: int, chows: int) -> tuple[Reading, ...]:
    """The ways to use up all tiles as that many melds, so many of them chows, and a pair."""
    found: list[tuple[Reading, int]] = [((), 0)]
    pairs = 0
    for suit in range(4):
        part = tiles >> (_SUIT_BITS * suit) & _SUIT_MASK
        if not part:
            continue
        options = _suit_arrangements(part, suit, chows)
        if not options:
            return ()
        pairs += is_pair(options[0][0][-1])
        if pairs > 1:
            return ()
        found = [
            (groups + more, used + extra)
            for groups, used in found
            for more, extra in options
            if used + extra <= chows
        ]
    size = melds + 1
    return tuple(groups for groups, _ in found if len(groups) == size) if pairs else ()


@lru_cache(maxsize=1 << 15)
def _suit_arrangements(tiles: int, suit: int, chows: int) -> tuple[tuple[Reading, int], ...]:
    """The ways to use up the tiles of one suit, a pair last, with the number of chows in each.

    All of them hold a pair or none does: the number of tiles decides.
    """
    counts = _unpacked(tiles, suit)
    size = sum(counts.values())
    if size % 3 == 1:
        return ()
    found = set(_split(counts, size // 3, int(size % 3 == 2), chows, 0, 0))
    ordered = sorted(tuple(sorted(groups, key=_pairs_last)) for groups, _ in found)
    return tuple((groups, sum(map(is_chow, groups))) for groups in ordered)


def _pairs_last(number: int) -> tuple[bool, int]:
    return is_pair(number), number


def _unpacked(tiles: int, suit: int) -> dict[int, int]:
    """The kinds in a packed count, by their index among the playing tiles."""
    first = 9 * suit
    return {first + n: count for n in range(9) if (count := tiles >> (3 * n) & 7)}


def _split(
    counts: dict[int, int], melds: int, pairs: int, chows: int, wilds: int, per_meld: int
) -> Iterator[tuple[Reading, int]]:
    """The ways to use up all tiles in at most that many melds, pairs and jokers, sorted.

    Gives each way as its melds and the number of jokers left over.
    """
    kind = next((kind for kind, count in counts.items() if count), None)
    if kind is None:
        yield (), wilds
        return
    for number, jokers in _groups_with(kind, counts, melds, pairs, chows, (wilds, per_meld)):
        chow, pair = is_chow(number), is_pair(number)
        alike = (kind,) * ((2 if pair else 3) - jokers)
        taken = (kind, kind + 1, kind + 2) if chow else alike
        for taking in taken:
            counts[taking] -= 1
        rest = _split(
            counts, melds - (not pair), pairs - pair, chows - chow, wilds - jokers, per_meld
        )
        for others, left in rest:
            yield tuple(sorted((number + jokers * JOKER, *others))), left
        for taking in taken:
            counts[taking] += 1


def _groups_with(
    kind: int, counts: dict[int, int], melds: int, pairs: int, chows: int, wild: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """The melds that may hold the kind, and how many jokers each takes."""
    wilds, per_meld = wild
    count = counts[kind]
    for jokers in range(min(wilds, per_meld) + 1):
        if melds and count >= 3 - jokers:
            yield FIRST_PUNG + kind, jokers
    for jokers in range(min(wilds, 1) + 1):
        if pairs and count >= 2 - jokers:
            yield FIRST_PAIR + kind, jokers
    chow = CHOW_STARTS.get(kind)
    if melds and chows and chow is not None and counts.get(kind + 1) and counts.get(kind + 2):
        yield chow, 0


def _with_jokers(
    tiles: int, melds: int, chows: int, jokers: int, goulash: Goulash | None
) -> Iterator[Reading]:
    """The ways to use up all tiles and jokers as that many melds and a pair."""
    per_meld = 0 if goulash is None else goulash.wild_per_set
    found: list[_Partly] = [((), 0, 0, 0)]
    for suit in range(4):
        part = tiles >> (_SUIT_BITS * suit) & _SUIT_MASK
        options = _suit_with_jokers(part, suit, chows, jokers, per_meld) if part else _NOTHING
        found = [
            (groups + more, pairs + pair, used + runs, joined + wild)
            for groups, pairs, used, joined in found
            for more, pair, runs, wild in options
            if pairs + pair <= 1
            and used + runs <= chows
            and joined + wild <= jokers
            and len(groups) + len(more) - pairs - pair <= melds
        ]
    for groups, pairs, _, joined in found:
        if len(groups) - pairs != melds:
            continue
        if pairs and joined == jokers:
            yield tuple(sorted(groups))
        elif not pairs and jokers - joined == 2 and goulash is not None and goulash.wild_pair:
            for kind in range(len(PLAYING_TILES)):
                yield (*sorted(groups), FIRST_PAIR + kind + 2 * JOKER)


_Partly = tuple[Reading, int, int, int]
"""Some melds, how many of them are pairs and chows, and how many jokers are in them."""

_NOTHING: Final[tuple[_Partly, ...]] = (((), 0, 0, 0),)


@lru_cache(maxsize=1 << 14)
def _suit_with_jokers(
    tiles: int, suit: int, chows: int, jokers: int, per_meld: int
) -> tuple[_Partly, ...]:
    """The ways to use up the tiles of one suit with as many jokers at most."""
    found = set(_split(_unpacked(tiles, suit), 4, 1, chows, jokers, per_meld))
    return tuple(
        (groups, sum(map(is_pair, groups)), sum(map(is_chow, groups)), jokers - left)
        for groups, left in sorted(found)
    )


def losing_readings(hand: Hand, *, undeclared_kongs: bool) -> list[Reading]:
    """The readings of a hand that did not go out: its melds, and the pungs and pairs in hand.

    Four of a kind in hand are a concealed kong where ``undeclared_kongs`` says so, else a pung.
    Every wild tile may stay itself, join a group of its kind, or pair with another wild one.
    """
    largest = 4 if undeclared_kongs else 3
    if not hand.wilds:
        return [hand.melds + _like_tiles(dict(_kinds(hand.naturals)), largest)]
    readings: dict[Reading, None] = {}
    per_meld = 0 if hand.goulash is None else hand.goulash.wild_per_set
    pairing = hand.goulash is not None and hand.goulash.wild_pair
    wild_kongs = hand.goulash is not None and hand.goulash.wild_kongs
    for naturals, jokers in hand.splits(None):
        counts = dict(_kinds(naturals))
        own = _INDEX.get(hand.wild or "")
        kinds = [kind for kind, count in counts.items() if kind != own and count < largest]
        for joined in range(jokers + 1):
            pairs = (jokers - joined) // 2 if pairing else 0
            for chosen in combinations_with_replacement(kinds, joined):
                sizes = _joined(counts, chosen, per_meld, largest, wild_kongs=wild_kongs)
                if sizes is None:
                    continue
                groups = hand.melds + tuple(
                    number + chosen.count(number % len(PLAYING_TILES)) * JOKER
                    for number in _like_tiles(sizes, largest)
                )
                for extra in combinations_with_replacement(range(len(PLAYING_TILES)), pairs):
                    readings[groups + tuple(FIRST_PAIR + n + 2 * JOKER for n in extra)] = None
    return list(readings)


def _joined(
    counts: dict[int, int],
    chosen: tuple[int, ...],
    per_meld: int,
    largest: int,
    *,
    wild_kongs: bool,
) -> dict[int, int] | None:
    """The counts with a joker put to each chosen kind, or None where it may not be put."""
    sizes = counts.copy()
    for kind in chosen:
        sizes[kind] += 1
        jokers = sizes[kind] - counts[kind]
        beyond = jokers > (per_meld if sizes[kind] > 2 else 1)
        if beyond or sizes[kind] > largest or (sizes[kind] == 4 and not wild_kongs):
            return None
    return sizes


def _kinds(tiles: int) -> Iterator[tuple[int, int]]:
    index = 0
    while tiles:
        if tiles & 7:
            yield index, tiles & 7
        tiles >>= 3
        index += 1


_FIRST_BY_SIZE: Final = {2: FIRST_PAIR, 3: FIRST_PUNG, 4: FIRST_KONG}


def _like_tiles(sizes: dict[int, int], largest: int) -> Reading:
    return tuple(
        _FIRST_BY_SIZE[min(size, largest)] + kind for kind, size in sizes.items() if size > 1
    )
