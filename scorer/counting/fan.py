"""A winning hand counted in fan, and in fu where the ruleset has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from scorer.counting.forms import Lie, lies
from scorer.counting.hand import Hand
from scorer.deal import Deal, Player, Win
from scorer.facts.classes import CHOW_COUNTED, COUNTED, HELD
from scorer.facts.relations import Places
from scorer.melds import COPIES, EXPOSE, MELDS, TRAITS, Reading, traits_of_all
from scorer.rules.conditions import Situation
from scorer.rules.fan_rules import Facts, FanRule, FanRules, Match, OpenRules

_FOURS: Final = 4 * sum(COPIES.values())


class Fan(NamedTuple):
    """What a reading comes to.

    Attributes:
        base: its base points.
        fan: the fan of its lines.
        fu: its fu, rounded.
        limits: how many limits it is worth.
        least: the fan that count towards the least.
        lie: the reading.
        lines: the rules that hold, each with the places of its sets, and how often.
        liable: the limits for which somebody else may be liable.
    """

    base: int
    fan: int
    fu: int
    limits: int
    least: int
    lie: Lie
    lines: tuple[tuple[FanRule, Places, int], ...]
    liable: int = 0


class FanScorer:
    """One winner's hand, ready to be counted in fan.

    ``further`` are how many of the hand's tiles are dora, ura dora and red fives.
    """

    def __init__(
        self,
        rules: FanRules,
        hand: Hand,
        win: Win,
        situation: Situation,
        further: Mapping[str, int],
    ) -> None:
        self.rules, self.value, self.hand, self.win = rules, rules.value, hand, win
        self.situation, self.further = situation, further
        self.exposed = int(situation.laid_exposed)
        self.open: OpenRules = rules.open_in(situation)
        self.tiles = hand.tiles()
        before = self.tiles - (COPIES[win.tile] if win.tile is not None else 0)
        self._with_tiles = rules.with_tiles(self.tiles, before)
        self._bonus = rules.bonus_lines(situation) if situation.bonus else []

    @property
    def bonus(self) -> tuple[str, ...]:
        """The flowers and seasons that count, in the order of their rules."""
        return tuple(tile for _, tile in self._bonus)

    def ways(self) -> list[Fan]:
        """Every way to count the hand, best first."""
        robbed = tuple(self.rules.ruleset.robbed_completes)
        found = [self._counted(lie) for lie in lies(self.hand, self.win, self.rules.forms, robbed)]
        if len(found) > 1:
            found.sort(key=_worth, reverse=True)
        return found

    def _counted(self, lie: Lie) -> Fan:
        holding = self._with_tiles & self.rules.meeting(self._facts(lie))
        matches: list[Match] = [(it, ()) for it in self.rules.listed(holding & self.open.simple)]
        if lie.form in ("sets", "knitted_straight"):
            matches += self._of_sets(lie.reading, holding)
        matches = self._with_best_of_families(matches)
        if self.rules.replacing:
            matches = _not_replaced(matches)
        lines = [(rule, places, self._times(rule, lie)) for rule, places in matches]
        return self._total(lie, [line for line in lines if line[2]])

    def _facts(self, lie: Lie) -> Facts:
        traits, counts, each, fu = 0, 0, -1, 0
        table = self.open.sets.fu
        for number in lie.reading:
            traits |= TRAITS[number]
            counts += COUNTED[number]
            each &= HELD[number]
            fu += table[number]
        if lie.shape:
            traits |= traits_of_all(lie.shape)
            each = 0
            if lie.form == "knitted_straight":
                counts += 3 * CHOW_COUNTED
        return Facts(lie.form, lie.wait, traits, counts, each, fu > 0)

    def _of_sets(self, reading: Reading, holding: int) -> list[Match]:
        """The rules that count for single sets, and for relations of sets among those that hold."""
        plain = sorted([number % EXPOSE for number in reading])
        places: dict[int, list[int]] = {}
        for place, number in enumerate(plain):
            places.setdefault(number, []).append(place)
        table = self.open.sets.fan
        found: list[Match] = [
            (rule, (places[number % EXPOSE][0],)) for number in reading for rule in table[number]
        ]
        if self.open.related:
            related = self.rules.relations(self.open.related, tuple(plain))
            found += [match for match in related if holding >> match[0].order & 1]
        return found

    def _with_best_of_families(self, matches: list[Match]) -> list[Match]:
        best: dict[str, int] = {}
        for rule, _ in matches:
            family = rule.rule.family
            if family is not None:
                best[family] = max(best.get(family, 0), rule.worth[self.exposed])
        if not best:
            return matches
        kept: list[Match] = []
        for rule, places in matches:
            family = rule.rule.family
            if family is None or rule.worth[self.exposed] == best[family]:
                kept.append((rule, places))
                if family is not None:
                    best[family] = -1
        return kept

    def _times(self, rule: FanRule, lie: Lie) -> int:
        of = rule.rule.each_of
        if of is None:
            return 1
        if of == "four_alike":
            kongs = sum(1 for number in lie.reading if MELDS[number].kind == "kong")
            return (self.tiles & _FOURS).bit_count() - kongs
        return self.further[of]

    def _total(self, lie: Lie, lines: list[tuple[FanRule, Places, int]]) -> Fan:
        limits = sum((rule.rule.limits or 0) for rule, _, _ in lines)
        if limits:
            lines = [line for line in lines if line[0].rule.limits]
            liable = sum(rule.rule.limits or 0 for rule, _, _ in lines if rule.rule.liable)
            base = self.value.base(0, 0, limits)
            return Fan(base, 0, 0, limits, MANY, lie, tuple(lines), liable)
        lines += [(rule, (), 1) for rule, _ in self._bonus]
        least, fan, fu, fixed = 0, 0, self.value.fu, 0
        for rule, _, times in lines:
            if rule.rule.alone:
                continue
            worth = rule.worth[self.exposed] * times
            fan += worth
            if rule.rule.group == "hand" or self.value.least_with_bonus:
                least += worth
            fu += rule.rule.fu or 0
            if rule.rule.fixed:
                fixed = rule.rule.fu or 0
        lines, fan, fu, least = self._alone(lines, fan, fu, least)
        fu = fixed or -(-fu // self.value.fu_to) * self.value.fu_to
        base = self.value.base(fan, fu, 0)
        if self.value.kind == "sum" and base < fan:
            base = max(base, *(rule.worth[self.exposed] for rule, _, _ in lines))
        return Fan(base, fan, fu, 0, least, lie, tuple(lines))

    def _alone(
        self, lines: list[tuple[FanRule, Places, int]], fan: int, fu: int, least: int
    ) -> tuple[list[tuple[FanRule, Places, int]], int, int, int]:
        """The lines and sums with the rules that count where no other does."""
        kept: list[tuple[FanRule, Places, int]] = []
        for line in lines:
            rule = line[0].rule
            if not rule.alone:
                kept.append(line)
            elif rule.fu is not None and fu == self.value.fu:
                kept.append(line)
                fu += rule.fu
            elif rule.fan is not None and not least:
                kept.append(line)
                fan += rule.fan
                least += rule.fan
        return kept, fan, fu, least


def fan_tiles(deal: Deal, player: Player) -> dict[str, int]:
    """How many of a player's tiles are dora, ura dora and red fives."""
    held: list[str] = list(player.concealed)
    for meld in player.melds:
        held += meld.tiles
    found = {"red": len(player.reds)}
    for key, indicators in (("dora", deal.dora), ("ura", deal.ura)):
        found[key] = sum(held.count(_after(tile)) for tile in indicators)
    return found


def _after(tile: str) -> str:
    """The tile that an indicator names: the next of its suit, of the winds or of the dragons."""
    number, suit = int(tile[0]), tile[1]
    if suit != "z":
        return f"{number % 9 + 1}{suit}"
    return f"{number % 4 + 1}z" if number <= 4 else f"{(number - 4) % 3 + 5}z"


MANY: Final = 1_000_000
"""Fan that are enough for any least."""


def _worth(fan: Fan) -> tuple[int, int, int, int]:
    return fan.base, fan.fan, fan.fu, -len(fan.lines)


def _not_replaced(matches: list[Match]) -> list[Match]:
    """The rules that hold without those that rules before them replace for the same sets."""
    by: dict[str, list[Places]] = {}
    once: set[str] = set()
    kept: list[Match] = []
    for rule, places in sorted(matches, key=_order):
        replacing = by.get(rule.rule.id)
        if replacing and any(_covers(wider, places) for wider in replacing):
            continue
        if rule.rule.id in once:
            once.remove(rule.rule.id)
            continue
        kept.append((rule, places))
        once.update(rule.rule.replaces_once)
        for name in rule.rule.replaces:
            by.setdefault(name, []).append(places)
    return kept


def _order(match: Match) -> int:
    return match[0].order


def _covers(wider: Places, places: Places) -> bool:
    """Whether the sets of one rule are among those of another; without sets it is all of them."""
    return not wider or not places or set(places) <= set(wider)
