"""The named conditions and tile classes that ruleset files refer to.

A ruleset says *when* something scores by these names and *how much* by its own numbers. Every
condition looks at one reading of one hand, given as :class:`Facts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from scorer.deal import Win
from scorer.tiles import (
    DRAGONS,
    FLOWERS,
    SEASONS,
    SEATS,
    WINDS,
    is_dragon,
    is_honour,
    is_major,
    is_minor,
    is_suit,
    is_terminal,
)

GREEN: Final = ("2s", "3s", "4s", "6s", "8s", "6z")

WIND_OF: Final = dict(zip(SEATS, WINDS, strict=True))
FLOWER_OF: Final = dict(zip(SEATS, FLOWERS, strict=True))
SEASON_OF: Final = dict(zip(SEATS, SEASONS, strict=True))


@dataclass(frozen=True, slots=True, order=True)
class TileSet:
    """A set as it is read: wild tiles appear as what they stand for.

    ``kind`` is ``chow``, ``pung``, ``kong`` or ``pair``, and in special hands also ``singles``,
    ``knitted_pair`` (one number in two suits) or ``knitted_set`` (one number in three suits).
    """

    kind: str
    tiles: tuple[str, ...]
    concealed: bool = True

    @property
    def tile(self) -> str:
        """The first tile, which names a pung, a kong or a pair."""
        return self.tiles[0]


@dataclass(frozen=True, slots=True)
class Facts:
    """One reading of one player's hand, with what its doubles depend on.

    ``win`` is given for the player who went out only; ``chows_allowed`` is the number of chows
    that any hand of this deal may hold.
    """

    sets: tuple[TileSet, ...]
    bonus: tuple[str, ...]
    seat: str
    round_wind: str
    win: Win | None
    chows_allowed: int

    @property
    def tiles(self) -> tuple[str, ...]:
        """Every tile of the sets, bonus tiles left out."""
        return tuple(tile for group in self.sets for tile in group.tiles)

    def triplets(self) -> tuple[TileSet, ...]:
        """The pungs and kongs."""
        return tuple(group for group in self.sets if group.kind in ("pung", "kong"))


def _own_wind(tile: str, facts: Facts) -> bool:
    return tile == WIND_OF[facts.seat]


def _round_wind(tile: str, facts: Facts) -> bool:
    return tile == WIND_OF[facts.round_wind]


TileClass = Callable[[str, Facts], bool]

TILE_CLASSES: Final[dict[str, TileClass]] = {
    "minor": lambda tile, _: is_minor(tile),
    "major": lambda tile, _: is_major(tile),
    "dragon": lambda tile, _: is_dragon(tile),
    "own_wind": _own_wind,
    "round_wind": _round_wind,
}
"""Tile classes that a rule may pay sets of."""


def _suits(facts: Facts) -> set[str]:
    return {tile[1] for tile in facts.tiles if is_suit(tile)}


def _one_suit(facts: Facts) -> bool:
    return len(_suits(facts)) == 1


def _no_honours(facts: Facts) -> bool:
    return not any(is_honour(tile) for tile in facts.tiles)


def _some_honours(facts: Facts) -> bool:
    return not _no_honours(facts)


def _no_chow(facts: Facts) -> bool:
    return all(group.kind != "chow" for group in facts.sets)


def _no_kong(facts: Facts) -> bool:
    return all(group.kind != "kong" for group in facts.sets)


def _chows_allowed(facts: Facts) -> bool:
    return facts.chows_allowed > 0


def _all_concealed(facts: Facts) -> bool:
    return all(group.concealed for group in facts.sets)


def _all_majors(facts: Facts) -> bool:
    return all(is_major(tile) for tile in facts.tiles)


def _all_honours(facts: Facts) -> bool:
    return all(is_honour(tile) for tile in facts.tiles)


def _all_terminals(facts: Facts) -> bool:
    return all(is_terminal(tile) for tile in facts.tiles)


def _all_green(facts: Facts) -> bool:
    return all(tile in GREEN for tile in facts.tiles)


def _green_dragons(facts: Facts) -> bool:
    return any(group.tile == "6z" for group in facts.triplets())


def _four_kongs(facts: Facts) -> bool:
    return sum(group.kind == "kong" for group in facts.sets) == 4


def _three_dragon_sets(facts: Facts) -> bool:
    return {group.tile for group in facts.triplets()} >= set(DRAGONS)


def _four_wind_sets(facts: Facts) -> bool:
    return {group.tile for group in facts.triplets()} >= set(WINDS)


def _rest_in_one_suit(facts: Facts) -> bool:
    rest = [group.tile for group in facts.sets if not is_dragon(group.tile)]
    return all(is_suit(tile) for tile in rest) and len({tile[1] for tile in rest}) == 1


def _own_flower(facts: Facts) -> bool:
    return FLOWER_OF[facts.seat] in facts.bonus


def _own_season(facts: Facts) -> bool:
    return SEASON_OF[facts.seat] in facts.bonus


def _all_flowers(facts: Facts) -> bool:
    return set(facts.bonus) >= set(FLOWERS)


def _all_seasons(facts: Facts) -> bool:
    return set(facts.bonus) >= set(SEASONS)


def _won_by(source: str, *, last: bool | None = None) -> Condition:
    def condition(facts: Facts) -> bool:
        win = facts.win
        return win is not None and win.source == source and last in (None, win.last_tile)

    return condition


def _original_call(facts: Facts) -> bool:
    return facts.win is not None and facts.win.original_call


def _first_turn(facts: Facts) -> bool:
    return facts.win is not None and facts.win.first_turn


def _after_two_kongs(facts: Facts) -> bool:
    return facts.win is not None and facts.win.after_two_kongs


Condition = Callable[[Facts], bool]

CONDITIONS: Final[dict[str, Condition]] = {
    "one_suit": _one_suit,
    "no_honours": _no_honours,
    "some_honours": _some_honours,
    "no_chow": _no_chow,
    "no_kong": _no_kong,
    "chows_allowed": _chows_allowed,
    "all_concealed": _all_concealed,
    "all_majors": _all_majors,
    "all_honours": _all_honours,
    "all_terminals": _all_terminals,
    "all_green": _all_green,
    "green_dragons": _green_dragons,
    "four_kongs": _four_kongs,
    "three_dragon_sets": _three_dragon_sets,
    "four_wind_sets": _four_wind_sets,
    "rest_in_one_suit": _rest_in_one_suit,
    "own_flower": _own_flower,
    "own_season": _own_season,
    "all_flowers": _all_flowers,
    "all_seasons": _all_seasons,
    "from_wall": _won_by("wall"),
    "last_tile_of_wall": _won_by("wall", last=True),
    "final_discard": _won_by("discard", last=True),
    "loose_tile": _won_by("loose"),
    "robbed_kong": _won_by("robbed_kong"),
    "dealt": _won_by("dealt"),
    "original_call": _original_call,
    "first_turn": _first_turn,
    "after_two_kongs": _after_two_kongs,
}
"""Every condition that a ruleset file may name in ``when`` and ``unless``."""


def holds(when: Iterable[str], unless: Iterable[str], facts: Facts) -> bool:
    """Whether all the conditions named in ``when`` hold and none of those in ``unless``."""
    return all(CONDITIONS[name](facts) for name in when) and not any(
        CONDITIONS[name](facts) for name in unless
    )
