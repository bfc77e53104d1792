"""Which sets of a hand stand in a relation, and how such relations may be combined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from scorer.facts.asked import AskedSet
from scorer.facts.classes import CLASSES
from scorer.melds import EXPOSE, MELDS
from scorer.tiles import SUITS

Places = tuple[int, ...]
"""The places of sets among the sets of a hand."""

Bound = dict[str, object]


class _Item(NamedTuple):
    kind: str
    suit: str
    at: int
    number: int
    tiles: frozenset[str]


@lru_cache(maxsize=EXPOSE)
def _item(number: int) -> _Item:
    meld = MELDS[number]
    return _Item(meld.kind, meld.tile[1], int(meld.tile[0]), number, frozenset(meld.tiles))


def found_in(wanted: Sequence[AskedSet], numbers: Sequence[int]) -> tuple[Places, ...]:
    """The places of the sets that a pattern asks for, in every way in which they are there.

    >>> alike = [AskedSet(kind="chow", same="x"), AskedSet(kind="chow", same="x")]
    >>> found_in(alike, (102, 102, 103))
    ((0, 1),)

    Args:
        wanted: the sets asked for.
        numbers: the concealed numbers of the melds.
    """
    items = [_item(number) for number in numbers]
    return tuple(sorted({tuple(sorted(places)) for places in _search(wanted, items, (), {})}))


def _search(
    wanted: Sequence[AskedSet], items: Sequence[_Item], taken: Places, bound: Bound
) -> Iterator[Places]:
    if len(taken) == len(wanted):
        yield taken
        return
    asked = wanted[len(taken)]
    for place, item in enumerate(items):
        if place in taken or not _is_kind(item, asked.kind):
            continue
        more = _bind(asked, item, bound)
        if more is not None:
            yield from _search(wanted, items, (*taken, place), more)


def _is_kind(item: _Item, kind: str) -> bool:
    return item.kind == kind or (kind == "pung" and item.kind == "kong")


def _bind(asked: AskedSet, item: _Item, bound: Bound) -> Bound | None:
    """What the letters stand for once the item is taken; None where it does not fit."""
    more = dict(bound)
    fits = (
        (asked.tiles is None or item.tiles <= CLASSES[asked.tiles])
        and (asked.same is None or more.setdefault(asked.same, item.tiles) == item.tiles)
        and (asked.suit is None or _is_of_suit(asked.suit, item, more))
        and (asked.at is None or _lies_at(asked.at, item, more))
    )
    return more if fits else None


def _is_of_suit(letter: str, item: _Item, bound: Bound) -> bool:
    if item.suit not in SUITS or bound.setdefault(letter, item.suit) != item.suit:
        return False
    return not any(bound.get(other) == item.suit for other in "abc" if other != letter)


def _lies_at(at: str, item: _Item, bound: Bound) -> bool:
    if item.suit not in SUITS:
        return False
    if at.isdigit():
        return item.at == int(at)
    lowest = item.at - int(at[2:] or 0)
    return bound.setdefault("n", lowest) == lowest


class Related(NamedTuple):
    """A relation that holds: its place among the rules, what it is worth, and its sets."""

    order: int
    worth: int
    places: Places


@lru_cache(maxsize=1 << 15)
def best_combined(related: tuple[Related, ...]) -> tuple[Related, ...]:
    """The relations worth most together in which each joins at most one set used already.

    So sets that are combined once are not combined again, and a further set is combined but once
    with those. Of equal ones the first in the order of the rules count.

    >>> one, two = Related(0, 1, (0, 1)), Related(1, 1, (1, 2))
    >>> [it.order for it in best_combined((one, two, Related(2, 8, (0, 1, 2))))]
    [2]
    """
    best: tuple[Related, ...] = ()
    most = 0
    for size in range(1, min(3, len(related)) + 1):
        for chosen in combinations(related, size):
            worth = sum(it.worth for it in chosen)
            if worth > most and _forest(chosen):
                best, most = chosen, worth
    return best


def _forest(chosen: Sequence[Related]) -> bool:
    """Whether no two sets are joined twice over."""
    parts: list[set[int]] = []
    for it in chosen:
        touched = [part for part in parts if part & set(it.places)]
        if any(len(part & set(it.places)) > 1 for part in touched):
            return False
        parts = [part for part in parts if part not in touched]
        parts.append(set(it.places).union(*touched))
    return True
