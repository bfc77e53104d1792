"""Conditions that contradict each other: no hand, however it goes out, meets them all.

Whether some hand meets them is found out by laying one, tile by tile, with four of each. Of what is
laid only the traits that the conditions look at are kept, so that there is little to go through.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, combinations, product
from operator import or_
from typing import Final, Literal, NamedTuple

from scorer.deal import CLAIMED_SOURCES, SOURCES
from scorer.melds import (
    CHOW,
    CHOW_STARTS,
    DRAGON_MELDS,
    DRAGON_PAIRS,
    EXPOSED,
    FIRST_KONG,
    FIRST_PAIR,
    FIRST_PUNG,
    KNITTED,
    KONG,
    MELDS,
    TRAITS,
    WIND_MELDS,
    WIND_PAIRS,
    tile_traits,
)
from scorer.rules.conditions import (
    CONDITIONS,
    DECLARED,
    FLOWER_OF,
    SEASON_OF,
    Situation,
    Test,
    lasts,
)
from scorer.rules.rule import Rule, SpecialHand
from scorer.tiles import FLOWERS, PLAYING_TILES, SEASONS, is_honour

Asked = tuple[str, str]
"""A key of a rule or special hand and one of its values: ``("when", "no_honours")``."""

Holder = Literal["sets", "complete", "winner", "everyone"]
"""Whose hand it is: that of a special hand, by its shape; a winner's; anybody's."""

MAX_BEGUN: Final = 20_000
"""Maximum number of begun hands that are looked at for one file, about 50 ms; what is not decided
by then counts as no contradiction. All that the shipped rulesets ask takes 2,800."""

_MAX_KNOWN: Final = 4096
"""Maximum number of decided questions that are kept."""

_known: Final[dict[tuple[tuple[Asked, ...], Holder], bool]] = {}
"""Whether some hand meets what was asked: a file that builds on another asks much the same."""


def asked_of(item: Rule | SpecialHand) -> tuple[tuple[Asked, ...], Holder]:
    """What a rule or special hand asks of a hand; of one with a shape of its own, nothing."""
    when, unless = dict.fromkeys(item.when), dict.fromkeys(item.unless)
    asked = [*(("when", name) for name in when), *(("unless", name) for name in unless)]
    if isinstance(item, Rule) and item.is_fan:
        return tuple(it for it in asked if it[1] != "first_turn"), "winner"
    if isinstance(item, Rule):
        return tuple(asked), "winner" if item.who == "winner" else "everyone"
    if item.shape not in ("sets", "complete"):
        return (), "sets"
    if item.winning_tile is not None:
        asked.append(("winning_tile", item.winning_tile))
    if item.exposed != "any":
        asked.append(("exposed", item.exposed))
    return tuple(asked), "sets" if item.shape == "sets" else "complete"


class Search:
    """A search for contradictions in one file; ``left`` more begun hands may be looked at."""

    def __init__(self, most: int = MAX_BEGUN) -> None:
        self.left = most

    def contradicting(self, asked: tuple[Asked, ...], holder: Holder) -> tuple[Asked, ...]:
        """Those of the conditions that no hand can meet together; empty if one can meet them all.

        >>> Search().contradicting((("when", "no_honours"), ("when", "all_honours")), "sets")
        (('when', 'no_honours'), ('when', 'all_honours'))
        """
        if self.can_be(asked, holder):
            return ()
        self.left = MAX_BEGUN  # which of them it is that contradict
        for count in (1, 2):
            for few in combinations(asked, count):
                if not self.can_be(few, holder):
                    return few
        for one in asked:
            fewer = tuple(other for other in asked if other != one)
            if not self.can_be(fewer, holder):
                asked = fewer
        return asked

    def can_be(self, asked: tuple[Asked, ...], holder: Holder) -> bool:
        """Whether some hand meets what is asked, or that could not be decided."""
        known = _known.get((asked, holder))
        if known is not None:
            return known
        found = self._found(asked, holder)
        if found is None:
            return True
        if len(_known) >= _MAX_KNOWN:
            _known.clear()
        _known[asked, holder] = found
        return found

    def _found(self, asked: tuple[Asked, ...], holder: Holder) -> bool | None:
        conditions = [(CONDITIONS[name], key == "when") for key, name in asked if key in _GATES]
        tests = [(it.reading, wanted) for it, wanted in conditions if it.reading is not None]
        winning = next((value for key, value in asked if key == "winning_tile"), None)
        tests += [(_holds(_HELD), True)] if winning is None else [(_holds(_WINNING), True)]
        looked_at = _HELD | _WINNING
        for condition, _ in conditions:
            looked_at |= condition.traits
        starts = {
            ((given | shaped) & looked_at, barred)
            for given, barred in _circumstances(asked, holder)
            for shaped in ((0, KNITTED) if holder == "complete" else (0,))
        }
        answers = (
            self._laid(
                _pieces(looked_at | barred, winning),
                [*tests, (_holds(barred), False)],
                points,
                given,
                loose=holder in ("complete", "everyone"),
            )
            for given, barred in _widest(starts)
            for points in ((1,) if holder in ("sets", "complete") else (0, 1))
        )
        return next((answer for answer in answers if answer is not False), False)

    def _laid(
        self,
        pieces: Sequence[_Piece],
        tests: Sequence[Tested],
        points: int,
        traits: int,
        *,
        loose: bool,
    ) -> bool | None:
        """Whether four melds and a pair with those traits and more meet the tests; None: undecided.

        ``loose`` tiles need not make them: those of a loser, or of a shape.
        """
        lasting = [(test, wanted) for test, wanted in tests if lasts(test, wanted=wanted)]
        coming = [(test, wanted) for test, wanted in tests if lasts(test, wanted=not wanted)]
        rest = tuple(accumulate((0, *(_together(it) for it in reversed(pieces))), or_))[::-1]
        open_, seen = [_Begun(0, 0, 0, 0, 0, traits)], set[_Begun]()
        while open_:
            begun = open_.pop()
            best = begun.traits | rest[begun.place]
            if begun in seen or not (
                _met(lasting, begun.traits, points) and _met(coming, best, points)
            ):
                continue
            ready = loose or (begun.sets, begun.pairs) == (4, 1)
            if ready and _met(tests, begun.traits, points):
                return True
            if not self.left:
                return None
            self.left -= 1
            seen.add(begun)
            if begun.place < len(pieces):
                open_ += _one_further(begun, pieces[begun.place], loose=loose)
        return False


def _widest(starts: set[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Those traits to begin with, and barred ones, that leave a hand most to choose from."""
    for given, barred in sorted(starts):
        if not any(
            other == given and fewer != barred and fewer & barred == fewer
            for other, fewer in starts
        ):
            yield given, barred


_GATES: Final = ("when", "unless")

_WINNING: Final = 1 << 27
"""The trait of what the winning tile lies in."""

_HELD: Final = 1 << 28
"""The trait of every tile: a hand holds some."""


def _holds(traits: int) -> Test:
    return lambda held, _: bool(held & traits)


class _Piece(NamedTuple):
    """The traits of what can be made of one kind of tile; ``chow`` is 0 where none begins with it.

    All are traits that someone looks at.
    """

    single: int
    pair: int
    pung: int
    kong: int
    chow: int


_OF_ITS_OWN: Final = sum(
    sum(traits.values()) for traits in (DRAGON_MELDS, WIND_MELDS, DRAGON_PAIRS, WIND_PAIRS)
)
"""The traits that tell one honour from another."""


@lru_cache(maxsize=256)
def _pieces(looked_at: int, winning: str | None) -> tuple[_Piece, ...]:
    """What can be made of each kind of tile.

    Honours that are asked for by themselves come first and the others last: so a hand is soon laid.
    """
    honours: dict[bool, list[_Piece]] = {True: [], False: []}
    suits: list[_Piece] = []
    for place, tile in enumerate(PLAYING_TILES):
        own = tile_traits(tile) | _HELD | (_WINNING if tile == winning else 0)
        groups = [TRAITS[first + place] | own for first in (FIRST_PAIR, FIRST_PUNG, FIRST_KONG)]
        chow = 0
        if place in CHOW_STARTS:
            number = CHOW_STARTS[place]
            chow = TRAITS[number] | _HELD | (_WINNING if winning in MELDS[number].tiles else 0)
        piece = _Piece(*(traits & looked_at for traits in (own, *groups, chow)))
        apart = bool(piece.pung & (_OF_ITS_OWN | _WINNING))
        (honours[apart] if is_honour(tile) else suits).append(piece)
    return (*honours[True], *suits, *honours[False])


class _Begun(NamedTuple):
    """A hand that is laid up to one kind of tile.

    ``here`` and ``after`` are the copies of that kind and of the next that lie in chows already.
    """

    place: int
    sets: int
    pairs: int
    here: int
    after: int
    traits: int


Tested = tuple[Test, bool]
"""A test of a reading, and the answer that is wanted."""


def _together(piece: _Piece) -> int:
    return piece.single | piece.pair | piece.pung | piece.kong | piece.chow


def _met(tests: Sequence[Tested], traits: int, points: int) -> bool:
    return all(test(traits, points) is wanted for test, wanted in tests)


def _one_further(begun: _Begun, piece: _Piece, *, loose: bool) -> Iterator[_Begun]:
    """The hand with what can be made of the next kind: nothing, tiles alike, and chows."""
    most = min(4 - begun.sets, 4 - begun.here, 4 - begun.after) if piece.chow else 0
    for chows in range(most + 1):
        traits = begun.traits | (piece.chow if chows else 0)
        sets, copies = begun.sets + chows, 4 - begun.here - chows
        further = _Begun(begun.place + 1, sets, begun.pairs, begun.after + chows, chows, traits)
        yield further
        if loose and copies >= 1:
            yield further._replace(traits=traits | piece.single)
        if copies >= 2 and (loose or not begun.pairs):
            yield further._replace(pairs=0 if loose else 1, traits=traits | piece.pair)
        if copies >= 3 and sets < 4:
            yield further._replace(sets=sets + 1, traits=traits | piece.pung)
        if copies >= 4 and sets < 4 and piece.kong != piece.pung:
            yield further._replace(sets=sets + 1, traits=traits | piece.kong)


def _circumstances(asked: tuple[Asked, ...], holder: Holder) -> Iterator[tuple[int, int]]:
    """The traits that a hand must have and those that it cannot, in the situations asked for."""
    lost, exposed = holder == "everyone", dict(asked).get("exposed", "any")
    open_to = -1
    for key, name in asked:
        if key in _GATES and name not in DECLARED and CONDITIONS[name].situation is not None:
            places = _places(name, lost=lost)
            open_to &= places if key == "when" else ~places
    for traits, places in _bounds(exposed, lost=lost).items():
        if places & open_to:
            yield traits


@lru_cache(maxsize=128)
def _places(name: str, *, lost: bool) -> int:
    """The situations in which a condition holds: a bit for each."""
    test = CONDITIONS[name].situation
    found = (test is not None and test(it) for it in _situations(lost=lost))
    return sum(1 << place for place, holds in enumerate(found) if holds)


@lru_cache(maxsize=8)
def _bounds(exposed: str, *, lost: bool) -> dict[tuple[int, int], int]:
    """What traits a hand must have and what it cannot, with the situations in which that is so.

    A meld laid down is exposed, and so may be one that the winning tile completes; a second kong
    in a row, or a loose tile without a flower, comes of a kong; who goes out with the tiles as
    dealt has laid nothing down.
    """
    found: dict[tuple[int, int], int] = {}
    for place, it in enumerate(_situations(lost=lost)):
        claimed = it.source in CLAIMED_SOURCES
        if exposed != "any" and (it.laid_exposed or (claimed and exposed == "none")):
            continue
        kong = it.after_two_kongs or (it.source == "loose" and not it.bonus)
        given = KONG if kong else 0
        nothing_laid = it.source == "dealt" or it.first_turn
        barred = (KONG if nothing_laid else 0) | (0 if it.chows_allowed else CHOW)
        traits = []
        if not it.laid_exposed:
            traits.append((given, barred | EXPOSED))
        if it.laid_exposed or claimed:
            traits.append((given | EXPOSED, barred))
        for both in traits:
            found[both] = found.get(both, 0) | 1 << place
    return found


_OWN: Final = (FLOWER_OF["S"], SEASON_OF["S"])
_BONUSES: Final = (
    *((), ("1f",), _OWN[:1], _OWN[1:], _OWN),
    *(FLOWERS, (*FLOWERS, *_OWN[1:]), SEASONS, (*_OWN[:1], *SEASONS), (*FLOWERS, *SEASONS)),
)
"""What South may hold of flowers and seasons, as far as conditions tell it apart."""


@lru_cache(maxsize=2)
def _situations(*, lost: bool) -> tuple[Situation, ...]:
    """Every situation of a winner's hand that conditions tell apart; and, ``lost``, of others'."""
    ways = [(*way, False) for way in _ways_out()]
    if lost:
        ways += [("", False, False, False, False, fishing) for fishing in (False, True)]
    answers = (False, True)
    return tuple(
        Situation(
            *("S", "E", dealer, bonus, source or None, last),
            *(called, first, kongs, only, laid, chows, fishing),
        )
        for dealer, laid, chows, bonus, way, only in product(
            answers, answers, (True, False), _BONUSES, ways, answers
        )
        for source, last, called, first, kongs, fishing in (way,)
        if not (laid and (source == "dealt" or called or first))
        and not (only and source in ("", "dealt"))
    )


def _ways_out() -> Iterator[tuple[str, bool, bool, bool, bool]]:
    """Each source with the flags that may go with it: last tile, original call and so on."""
    for source, last, called, first, kongs in product(SOURCES, *((False, True),) * 4):
        if (
            (not last or (source in ("wall", "discard", "loose") and not first))
            and (not first or (source == "discard" and not called))
            and (not kongs or source == "loose")
        ):
            yield source, last, called, first, kongs
