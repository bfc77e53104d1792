"""The named conditions and tile classes that ruleset files refer to.

A ruleset says *when* something scores by these names and *how much* by its own numbers. A
condition looks either at one reading of a hand (its traits, and the points of its melds) or at what
is the same for all its readings: the seat, the bonus tiles and how the hand went out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from scorer import melds as s
from scorer.messages import Message, say
from scorer.tiles import (
    FLOWERS,
    SEASONS,
    SEATS,
    WINDS,
    is_dragon,
    is_honour,
    is_major,
    is_minor,
    is_suit,
)

WIND_OF: Final = dict(zip(SEATS, WINDS, strict=True))
FLOWER_OF: Final = dict(zip(SEATS, FLOWERS, strict=True))
SEASON_OF: Final = dict(zip(SEATS, SEASONS, strict=True))


class Situation(NamedTuple):
    """What all readings of one player's hand share.

    Attributes:
        seat: the player's own wind.
        round_wind: the wind of the round.
        is_dealer: whether the player pays and receives double.
        bonus: the flowers and seasons held.
        source: how the hand went out; None for everybody else.
        last_tile: the winning tile was the last of the wall, or the final discard.
        original_call: the winner was fishing since the first discard.
        first_turn: the winning tile was East's first discard.
        after_two_kongs: the winning tile was the loose tile of a second kong in a row.
        only_place: one kind of tile alone could complete the hand before it went out.
        laid_exposed: a meld laid down was claimed.
        chows_allowed: a hand of this deal may hold a chow.
        called_fishing: a player who had called fishing did not go out.
        riichi: the winner had declared riichi.
        double_riichi: the winner had declared it with the first discard.
        ippatsu: the winning tile came within a turn of that, and nobody had claimed.
        last_of_kind: the other three of the winning tile lay open.
    """

    seat: str
    round_wind: str
    is_dealer: bool = False
    bonus: tuple[str, ...] = ()
    source: str | None = None
    last_tile: bool = False
    original_call: bool = False
    first_turn: bool = False
    after_two_kongs: bool = False
    only_place: bool = False
    laid_exposed: bool = False
    chows_allowed: bool = False
    called_fishing: bool = False
    riichi: bool = False
    double_riichi: bool = False
    ippatsu: bool = False
    last_of_kind: bool = False


TileClass = Callable[[str, Situation], bool]

TILE_CLASSES: Final[dict[str, TileClass]] = {
    "any": lambda _, __: True,
    "suit": lambda tile, _: is_suit(tile),
    "honour": lambda tile, _: is_honour(tile),
    "minor": lambda tile, _: is_minor(tile),
    "major": lambda tile, _: is_major(tile),
    "dragon": lambda tile, _: is_dragon(tile),
    "terminal_or_wind": lambda tile, _: is_major(tile) and not is_dragon(tile),
    "own_wind": lambda tile, situation: tile == WIND_OF[situation.seat],
    "round_wind": lambda tile, situation: tile == WIND_OF[situation.round_wind],
    "own_bonus": lambda tile, situation: (
        tile in (FLOWER_OF[situation.seat], SEASON_OF[situation.seat])
    ),
}
"""Tile classes that a rule may pay melds or bonus tiles of."""

Test = Callable[[int, int], bool]
"""Looks at a reading: the traits of its melds together, and the points of its melds."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition: exactly one of the two ways to decide it.

    ``traits`` are all those that the test of a reading looks at.
    """

    reading: Test | None = None
    situation: Callable[[Situation], bool] | None = None
    traits: int = 0


_ALL_DRAGON_MELDS: Final = sum(s.DRAGON_MELDS.values())
_ALL_WIND_MELDS: Final = sum(s.WIND_MELDS.values())
_SINGLE_SUITS: Final = frozenset(s.SUIT_TRAITS.values())


def _all_but_one_and_its_pair(melds: dict[str, int], pairs: dict[str, int]) -> Condition:
    """Whether every tile but one makes a pung or kong, and that one the pair."""
    wanted = [
        sum(trait for other, trait in melds.items() if other != tile) | pairs[tile]
        for tile in melds
    ]
    looked_at = sum(melds.values()) | sum(pairs.values())
    return Condition(
        lambda traits, _: any(traits & want == want for want in wanted), traits=looked_at
    )


def _without(unwanted: int) -> Condition:
    return Condition(lambda held, _: not held & unwanted, traits=unwanted)


def _with_any(traits: int) -> Condition:
    return Condition(lambda held, _: bool(held & traits), traits=traits)


def _with_all(traits: int) -> Condition:
    return Condition(lambda held, _: held & traits == traits, traits=traits)


_FORMS: Final = s.CHOW | s.PUNG | s.KONG | s.KNITTED


def _four_kongs(held: int, _: int) -> bool:
    return bool(held & s.KONG) and not held & (s.CHOW | s.PUNG | s.KNITTED)


def _four_chows(held: int, _: int) -> bool:
    return bool(held & s.CHOW) and not held & (s.PUNG | s.KONG | s.KNITTED)


def _rest_in_one_suit(held: int, _: int) -> bool:
    return held & s.ANY_SUIT in _SINGLE_SUITS and not held & s.WIND


def _won_by(*sources: str, last: bool | None = None) -> Callable[[Situation], bool]:
    def condition(situation: Situation) -> bool:
        return situation.source in sources and last in (None, situation.last_tile)

    return condition


def _holds_all(tiles: tuple[str, ...]) -> Callable[[Situation], bool]:
    return lambda situation: set(situation.bonus) >= set(tiles)


CONDITIONS: Final[dict[str, Condition]] = {
    "one_suit": Condition(lambda held, _: held & s.ANY_SUIT in _SINGLE_SUITS, traits=s.ANY_SUIT),
    "no_honours": _without(s.HONOUR),
    "some_honours": _with_any(s.HONOUR),
    "some_terminals": _with_any(s.TERMINAL),
    "no_chow": _without(s.CHOW),
    "no_kong": _without(s.KONG),
    "all_concealed": _without(s.EXPOSED),
    "all_majors": _without(s.MINOR),
    "all_honours": _without(s.ANY_SUIT),
    "all_terminals": _without(s.MINOR | s.HONOUR),
    "all_green": _without(s.NOT_GREEN),
    "green_dragons": _with_all(s.DRAGON_MELDS["6z"]),
    "four_kongs": Condition(_four_kongs, traits=_FORMS),
    "four_chows": Condition(_four_chows, traits=_FORMS),
    "scoreless": Condition(lambda _, points: points == 0),
    "three_dragon_sets": _with_all(_ALL_DRAGON_MELDS),
    "four_wind_sets": _with_all(_ALL_WIND_MELDS),
    "three_dragons": _all_but_one_and_its_pair(s.DRAGON_MELDS, s.DRAGON_PAIRS),
    "four_winds": _all_but_one_and_its_pair(s.WIND_MELDS, s.WIND_PAIRS),
    "rest_in_one_suit": Condition(_rest_in_one_suit, traits=s.ANY_SUIT | s.WIND),
    "chows_allowed": Condition(situation=lambda it: it.chows_allowed),
    "own_flower": Condition(situation=lambda it: FLOWER_OF[it.seat] in it.bonus),
    "own_season": Condition(situation=lambda it: SEASON_OF[it.seat] in it.bonus),
    "all_flowers": Condition(situation=_holds_all(FLOWERS)),
    "all_seasons": Condition(situation=_holds_all(SEASONS)),
    "no_bonus": Condition(situation=lambda it: not it.bonus),
    "dealer": Condition(situation=lambda it: it.is_dealer),
    "none_claimed": Condition(situation=lambda it: not it.laid_exposed),
    "from_wall": Condition(situation=_won_by("wall")),
    "drawn": Condition(situation=_won_by("wall", "loose")),
    "unclaimed": Condition(situation=_won_by("wall", "loose", "dealt")),
    "last_tile_of_wall": Condition(situation=_won_by("wall", last=True)),
    "last_tile_drawn": Condition(situation=_won_by("wall", "loose", last=True)),
    "last_tile": Condition(situation=lambda it: it.last_tile),
    "final_discard": Condition(situation=_won_by("discard", last=True)),
    "loose_tile": Condition(situation=_won_by("loose")),
    "robbed_kong": Condition(situation=_won_by("robbed_kong")),
    "dealt": Condition(situation=_won_by("dealt")),
    "original_call": Condition(situation=lambda it: it.original_call),
    "first_turn": Condition(situation=lambda it: it.first_turn),
    "after_two_kongs": Condition(situation=lambda it: it.after_two_kongs),
    "only_place": Condition(situation=lambda it: it.only_place),
    "called_fishing": Condition(situation=lambda it: it.called_fishing),
    "riichi": Condition(situation=lambda it: it.riichi),
    "double_riichi": Condition(situation=lambda it: it.double_riichi),
    "ippatsu": Condition(situation=lambda it: it.ippatsu),
    "last_of_kind": Condition(situation=lambda it: it.last_of_kind),
    "claimed": Condition(situation=_won_by("discard", "robbed_kong")),
    "last_tile_claimed": Condition(situation=_won_by("discard", "robbed_kong", last=True)),
}
"""Every condition that a ruleset file may name in ``when`` and ``unless``."""


DECLARED: Final = frozenset({"riichi", "double_riichi", "ippatsu", "last_of_kind"})
"""Conditions on what is said of a win, which the search for contradictions leaves open."""


def lasts(test: Test, *, wanted: bool) -> bool:
    """Whether a hand that has not the wanted answer cannot get it by more melds."""
    return test(0, 1) is wanted and test(-1, 1) is not wanted


def condition_words(name: str) -> Message:
    """A condition as something that a hand needs, for people."""
    return say(f"condition_{name}")


@dataclass(frozen=True, slots=True)
class Tests:
    """Conditions on a reading."""

    when: tuple[Test, ...]
    unless: tuple[Test, ...]

    def hold(self, traits: int, points: int) -> bool:
        """Whether all of ``when`` and none of ``unless`` hold."""
        for test in self.when:
            if not test(traits, points):
                return False
        return not any(test(traits, points) for test in self.unless)


@dataclass(frozen=True, slots=True)
class Gate:
    """Conditions on the situation."""

    when: tuple[Callable[[Situation], bool], ...]
    unless: tuple[Callable[[Situation], bool], ...]

    def open(self, situation: Situation) -> bool:
        """Whether all of ``when`` and none of ``unless`` hold."""
        for test in self.when:
            if not test(situation):
                return False
        return not any(test(situation) for test in self.unless)


def gate_of(when: Iterable[str], unless: Iterable[str]) -> Gate:
    """What named conditions ask of the situation."""
    return Gate(_situations(when), _situations(unless))


def _situations(names: Iterable[str]) -> tuple[Callable[[Situation], bool], ...]:
    found = (CONDITIONS[name].situation for name in names)
    return tuple(test for test in found if test is not None)


def tests_of(when: Iterable[str], unless: Iterable[str]) -> Tests | None:
    """What they ask of a reading; None where that is nothing."""
    tests = Tests(_readings(when), _readings(unless))
    return tests if tests.when or tests.unless else None


def _readings(names: Iterable[str]) -> tuple[Test, ...]:
    found = (CONDITIONS[name].reading for name in names)
    return tuple(test for test in found if test is not None)
