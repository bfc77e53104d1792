"""The rules of a ruleset that count fan, sorted by what they look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from operator import or_
from typing import Any, Final, NamedTuple, TypeVar

from scorer.facts.asked import FORMS, Form, WaitKind
from scorer.facts.classes import CLASS_BITS, CLASSES, MASKS, SUIT_MASKS, fields_of
from scorer.facts.relations import Places, Related, best_combined, found_in
from scorer.facts.value import Value
from scorer.melds import COPIES, EXPOSE, MELDS
from scorer.rules.conditions import TILE_CLASSES, Gate, Situation, Tests, gate_of, tests_of
from scorer.rules.rule import Rule
from scorer.rules.ruleset import Ruleset
from scorer.tiles import SUITS

_ALL: Final = sum(7 * unit for unit in COPIES.values())
_COUNT_BITS: Final = 15
HAND: Final = 14
"""Tiles of a complete hand without kongs."""


@dataclass(frozen=True, slots=True)
class TileTests:
    """What a rule asks of the tiles, whatever their reading."""

    barred: int
    wanted: tuple[int, ...]
    suits: int | None
    hands: frozenset[int] | None = None
    held: bool = False

    def hold(self, tiles: int, before: int) -> bool:
        """Whether a packed count of tiles, and that before the winning tile, meets them."""
        if tiles & self.barred:
            return False
        if self.hands is not None and (before if self.held else tiles) not in self.hands:
            return False
        for mask in self.wanted:
            if not tiles & mask:
                return False
        if self.suits is None:
            return True
        return sum(tiles & mask != 0 for mask in SUIT_MASKS) == self.suits


ANY_TILES: Final = TileTests(0, (), None)
"""Nothing is asked of the tiles."""


@dataclass(frozen=True, slots=True, eq=False)
class FanRule:
    """A rule that counts fan, fu or limits, ready to be asked.

    ``worth`` are the fan that it brings a concealed hand, and an exposed one.
    """

    order: int
    rule: Rule
    worth: tuple[int, int]
    gate: Gate
    tests: Tests | None
    tiles: TileTests
    forms: frozenset[Form]
    each: int
    counts: tuple[tuple[tuple[int, ...], int, int], ...]
    wait: tuple[WaitKind, ...]

    def has_counts(self, counts: int) -> bool:
        """Whether a packed count of melds has as many of each kind as the rule asks."""
        for places, least, most in self.counts:
            if not least <= sum(counts >> place & _COUNT_BITS for place in places) <= most:
                return False
        return True


Match = tuple[FanRule, Places]
"""A rule that holds, and the places of the sets for which it does."""

_MOST_KEPT: Final = 4096

_Key = TypeVar("_Key")
_Kept = TypeVar("_Kept")


def _bits(rules: Iterable[FanRule]) -> int:
    return sum(1 << it.order for it in rules)


def keep(kept: dict[_Key, _Kept], key: _Key, found: _Kept) -> _Kept:
    """What was found, kept for speed under its key; where much is kept, the rest is forgotten."""
    if len(kept) >= _MOST_KEPT:
        kept.clear()
    kept[key] = found
    return found


class Facts(NamedTuple):
    """What rules look at in a reading: unions, sums and intersections over its melds."""

    form: Form
    wait: WaitKind | None
    traits: int
    counts: int
    each: int
    scoring: bool


class _Meeting(dict[Any, int]):
    """The rules that one fact of a reading meets, as bits; found when it is first asked for.

    Facts that readings have in common are asked of the rules but once.
    """

    def __init__(self, rules: Sequence[FanRule], test: Callable[[FanRule, Any], bool]) -> None:
        super().__init__()
        self.rules, self.test = rules, test

    def __missing__(self, fact: Any) -> int:  # noqa: ANN401 - of whichever kind the test takes
        return keep(self, fact, _bits(it for it in self.rules if self.test(it, fact)))


@dataclass(frozen=True, slots=True)
class SetTable:
    """What rules that count for a set bring, by the meld's number."""

    fan: tuple[tuple[FanRule, ...], ...]
    fu: tuple[int, ...]


class OpenRules(NamedTuple):
    """The rules whose conditions on the situation hold.

    Attributes:
        simple: those that look at the hand as a whole, as bits by their order.
        related: those that look at relations of sets, likewise.
        sets: what rules that count for single sets bring.
    """

    simple: int
    related: int
    sets: SetTable


class FanRules:
    """All rules of a ruleset that count fan, and what the fan are worth.

    Several rules at once are bits by their order.
    """

    def __init__(self, ruleset: Ruleset, value: Value) -> None:
        self.ruleset, self.value = ruleset, value
        plays_bonus = ruleset.bonus_tiles == "count"
        self.rules = [
            _fan_rule(order, rule)
            for order, rule in enumerate(ruleset.rule)
            if rule.enabled and rule.is_fan and (plays_bonus or not rule.of_bonus_tiles)
        ]
        known = {form for it in self.rules for form in it.rule.form}
        self.forms: frozenset[Form] = frozenset((*known, "sets"))
        self.replacing = any(it.rule.replaces or it.rule.replaces_once for it in self.rules)
        self._by_order = {it.order: it for it in self.rules}
        self._tested = [it for it in self.rules if it.tiles != ANY_TILES]
        self._untested = _bits(it for it in self.rules if it.tiles == ANY_TILES)
        self._forms = _Meeting(self.rules, lambda it, form: form in it.forms)
        self._waits = _Meeting(self.rules, lambda it, wait: not it.wait or wait in it.wait)
        self._each = _Meeting(self.rules, lambda it, each: each & it.each == it.each)
        self._counts = _Meeting(self.rules, FanRule.has_counts)
        self._traits = _Meeting(self.rules, lambda it, seen: not it.tests or it.tests.hold(*seen))
        self._open: dict[Situation, OpenRules] = {}
        self._relations: dict[tuple[int, tuple[int, ...]], list[Match]] = {}

    def open_in(self, situation: Situation) -> OpenRules:
        """The rules that are open in a situation."""
        kept = self._open.get(situation)
        if kept is not None:
            return kept
        found = [it for it in self.rules if it.rule.per_bonus is None and it.gate.open(situation)]
        rules = OpenRules(
            _bits(it for it in found if not it.rule.per_set and not it.rule.sets),
            _bits(it for it in found if it.rule.sets),
            _set_table([it for it in found if it.rule.per_set], situation),
        )
        return keep(self._open, situation, rules)

    def with_tiles(self, tiles: int, before: int) -> int:
        """The rules whose conditions hold of a packed count of tiles, and before the last."""
        return self._untested | _bits(it for it in self._tested if it.tiles.hold(tiles, before))

    def meeting(self, read: Facts) -> int:
        """The rules whose conditions hold of a reading, tiles and relations left out."""
        return (
            self._forms[read.form]
            & self._waits[read.wait]
            & self._each[read.each]
            & self._counts[read.counts]
            & self._traits[read.traits, read.scoring]
        )

    def listed(self, bits: int) -> Iterator[FanRule]:
        """Rules by their bits, in order."""
        while bits:
            lowest = bits & -bits
            yield self._by_order[lowest.bit_length() - 1]
            bits -= lowest

    def bonus_lines(self, situation: Situation) -> list[tuple[FanRule, str]]:
        """The rules that flowers and seasons meet, each with its tile."""
        return [
            (rule, tile)
            for rule in self.rules
            if rule.rule.per_bonus is not None and rule.gate.open(situation)
            for tile in situation.bonus
            if TILE_CLASSES[rule.rule.per_bonus](tile, situation)
        ]

    def relations(self, rules: int, numbers: tuple[int, ...]) -> list[Match]:
        """The relations of concealed numbered melds, in order, that count together."""
        key = (rules, numbers)
        kept = self._relations.get(key)
        if kept is not None:
            return kept
        found = self._combined(self._related(self.listed(rules), numbers))
        return keep(self._relations, key, found)

    def _related(self, rules: Iterable[FanRule], numbers: tuple[int, ...]) -> list[Match]:
        chows = sum(1 for number in numbers if MELDS[number].kind == "chow")
        found: list[Match] = []
        for rule in rules:
            wanted = rule.rule.sets
            needed = sum(asked.kind == "chow" for asked in wanted)
            others = sum(asked.kind in ("pung", "kong") for asked in wanted)
            if needed <= chows and others <= len(numbers) - 1 - chows:
                found += [(rule, places) for places in found_in(wanted, numbers)]
        return found

    def _combined(self, found: list[Match]) -> list[Match]:
        """Those that count: each once, or as many as may be combined."""
        if len(found) < 2:
            return found
        if not self.value.combine:
            return list({rule.order: (rule, places) for rule, places in found}.values())
        by_order = {rule.order: rule for rule, _ in found}
        related = tuple(Related(rule.order, rule.rule.fan or 0, places) for rule, places in found)
        return [(by_order[it.order], it.places) for it in best_combined(related)]


def _fan_rule(order: int, rule: Rule) -> FanRule:
    barred = 0
    for name in rule.none:
        barred |= MASKS[name]
    if rule.all:
        barred |= _ALL & ~reduce(or_, (MASKS[name] for name in rule.all))
    counts = tuple(
        (fields_of(asked.kinds, concealed=asked.concealed), asked.least, asked.most)
        for asked in rule.count
    )
    fan = rule.fan or 0
    return FanRule(
        order,
        rule,
        (fan, fan if rule.fan_exposed is None else rule.fan_exposed),
        gate_of(rule.when, rule.unless),
        tests_of(rule.when, rule.unless),
        TileTests(
            barred,
            (
                *(MASKS[name] for name in rule.some),
                *(7 * COPIES[code] for name in rule.every for code in sorted(CLASSES[name])),
            ),
            rule.suits,
            _hands(rule),
            rule.numbers_held,
        ),
        frozenset(rule.form or FORMS),
        sum(CLASS_BITS[name] for name in rule.each),
        counts,
        rule.wait,
    )


def _hands(rule: Rule) -> frozenset[int] | None:
    """The packed counts of the hands, or of those before the winning tile, with its numbers."""
    if not rule.numbers:
        return None
    found: set[int] = set()
    for suit, numbers in product(SUITS, rule.numbers):
        held = sum(COPIES[number + suit] for number in numbers)
        whole = rule.numbers_held or len(numbers) == HAND
        more = [0] if whole else [COPIES[f"{number}{suit}"] for number in range(1, 10)]
        found.update(held + unit for unit in more)
    return frozenset(found)


def _set_table(rules: list[FanRule], situation: Situation) -> SetTable:
    fan: list[tuple[FanRule, ...]] = [()] * (2 * EXPOSE)
    fu = [0] * (2 * EXPOSE)
    payers = [(rule, paid) for rule in rules if (paid := rule.rule.per_set) is not None]
    for rule, paid in payers:
        for number, meld in MELDS.items():
            if (
                number < 2 * EXPOSE
                and meld.kind in paid.kinds
                and paid.concealed in (None, meld.concealed)
                and TILE_CLASSES[paid.tiles](meld.tile, situation)
            ):
                fan[number] += (rule,)
                fu[number] += rule.rule.fu or 0
    return SetTable(tuple(fan), tuple(fu))
