"""One player's hand counted: every way to score it, and each way explained line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from scorer.counting.arrange import completing_kinds, losing_readings, winning_readings
from scorer.counting.hand import Hand, hand_of
from scorer.counting.specials import (
    SpecialWin,
    may_be_shaped,
    may_go_out,
    pair_exposed,
    special_wins,
)
from scorer.deal import Deal, Player, Win
from scorer.melds import EXPOSE, EXPOSED, TRAITS, Reading, melds_of, traits_held, traits_of_reading
from scorer.messages import Message, own_words, say
from scorer.result import Line, PlayerResult
from scorer.rules.compiled import POINTS, Compiled, Numbered, doubles_of
from scorer.rules.conditions import Situation
from scorer.rules.patterns import Melds
from scorer.rules.rule import Award, Kind, SpecialHand
from scorer.tiles import PLAYING_TILES

NAMED_SHARES: Final = ("1/1", "1/2", "1/3", "1/5", "2/5")
"""The shares of the limit that have a name of their own."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to score a hand: as it lies (``special`` is None) or as a special hand."""

    total: int
    worth: int
    reading: Reading
    special: SpecialHand | None = None
    melds: Melds = ()


class HandScorer:
    """One player's hand in its deal."""

    def __init__(self, deal: Deal, compiled: Compiled, player: Player) -> None:
        self.deal, self.compiled, self.player = deal, compiled, player
        self.ruleset = compiled.ruleset
        won = deal.win is not None and deal.win.seat == player.seat
        self.win = deal.win if won else None
        self.hand = hand_of(player, self.ruleset.goulash if deal.goulash else None)
        self.chows = self.ruleset.chows_allowed(len(deal.players), goulash=deal.goulash)
        self.situation = self._situation(self.win)
        self.tally = compiled.tally(self.situation)
        lost = self.win is None and bool(self.tally.by_reading)
        self.stray = traits_held(self.hand.naturals) if lost else 0

    def _situation(self, win: Win | None) -> Situation:
        player, deal = self.player, self.deal
        dealer, chows = deal.dealer == player.seat, self.chows > 0
        exposed = bool(traits_of_reading(self.hand.melds) & EXPOSED)
        if win is None:
            return Situation(
                player.seat,
                deal.round_wind,
                dealer,
                player.bonus,
                laid_exposed=exposed,
                chows_allowed=chows,
            )
        return Situation(
            player.seat,
            deal.round_wind,
            dealer,
            player.bonus,
            win.source,
            win.last_tile,
            win.original_call,
            win.first_turn,
            win.after_two_kongs,
            self.compiled.asks_for_places and self._fills_only_place(),
            exposed,
            chows,
        )

    def ways(self) -> Iterator[Way]:
        """Every way to score the hand, special hands first, in the order of ties."""
        return self._lost() if self.win is None else self._won(self.win)

    def _won(self, win: Win) -> Iterator[Way]:
        found = whole = self._winning(self.hand, win)
        robbed = self.ruleset.robbed_special
        if win.source == "robbed_kong" and robbed is not None:
            whole = self._winning(self.hand, win, robbed)
        specials = special_wins(self.compiled, self.hand, win, whole, self.situation)
        special = False
        for counted, reading, melds in specials:
            special = True
            yield self._award(counted.hand, counted.hand.won, reading, melds)
        if special and self.ruleset.best_of == "special":
            return
        for reading in self._lawful(found):
            yield self._ordinary(reading)

    def _lawful(self, found: list[Reading]) -> list[Reading]:
        """The readings with which an ordinary hand may go out."""
        if not self.ruleset.clean_only:
            return found
        return [
            reading for reading in found if may_go_out(self.ruleset, traits_of_reading(reading))
        ]

    def _winning(
        self, hand: Hand, win: Win, robbed: tuple[Kind, ...] | None = None
    ) -> list[Reading]:
        kinds = self.ruleset.robbed_completes if robbed is None else robbed
        found = winning_readings(hand, self.chows, win, robbed=kinds)
        return sorted(found, key=_as_laid) if len(found) > 1 else found

    def _lost(self) -> Iterator[Way]:
        found = losing_readings(self.hand, undeclared_kongs=self.ruleset.undeclared_kongs)
        ordinary = [self._ordinary(reading) for reading in found]
        best = max(ordinary, key=_total)
        fishing = False
        for special in self._fishing_for():
            award = self.ruleset.fishing_award(special)
            if award is None:
                continue
            fishing = True
            shown = [best.reading]
            if award.times_points is not None:
                tests = self.compiled.hand_named(special.id).tests
                shown = [reading for reading in found if tests.hold(traits_of_reading(reading), 1)]
            for reading in shown:
                yield self._award(special, award, reading, melds_of(reading))
        if not (fishing and self.ruleset.best_of == "special"):
            yield from ordinary

    def _fishing_for(self) -> Iterator[SpecialHand]:
        """The special hands of which this one is a single tile short, in the ruleset's order."""
        called = self.player.fishing or not self.ruleset.fishing_called
        if not called or self.player.status != "live":
            return
        found: set[int] = set()
        for tile in self._free_kinds(self.hand):
            complete = self.hand.with_tile(tile)
            found.update(counted.order for counted, _, _ in self._specials(complete))
        yield from (self.ruleset.special_hand[order] for order in sorted(found))

    def _specials(self, complete: Hand) -> list[SpecialWin]:
        """The special hands that a hand would be, completed by an ordinary draw."""
        draw = Win(self.player.seat, None, "wall")
        drawn = Situation(
            self.player.seat, self.deal.round_wind, source="wall", chows_allowed=self.chows > 0
        )
        found = self._winning(complete, draw)
        return special_wins(self.compiled, complete, draw, found, drawn)

    def _free_kinds(self, hand: Hand) -> Iterator[str]:
        """The kinds of tile that may complete the hand and could still come.

        Those of which the player holds all four are left out where the ruleset says so.
        """
        kinds: Iterable[str] = PLAYING_TILES
        if not may_be_shaped(self.compiled, hand):
            kinds = completing_kinds(hand, self.chows)
        held = list(self.player.concealed)
        held += [tile for meld in self.player.melds for tile in meld.tiles]
        if self.win is not None and self.win.tile is not None and hand is not self.hand:
            held.remove(self.win.tile)
        for tile in kinds:
            if self.ruleset.own_fours_are_places or held.count(tile) < 4:
                yield tile

    def places(self, hand: Hand) -> Iterator[str]:
        """The kinds of tile that complete a hand one tile short, as any lawful hand."""
        draw = Win(self.player.seat, None, "wall")
        for tile in self._free_kinds(hand):
            complete = hand.with_tile(tile)
            if self._lawful(self._winning(complete, draw)) or self._specials(complete):
                yield tile

    def _fills_only_place(self) -> bool:
        if self.win is None or self.win.tile is None or self.win.source == "dealt":
            return False
        places = self.places(self.hand.without_tile(self.win.tile))
        return next(places, None) is not None and next(places, None) is None

    def _count(self, reading: Reading) -> tuple[int, int]:
        """Packed worth of a reading, bonus tiles left out, and of its melds alone."""
        worth, traits = 0, self.stray
        table = self.tally.melds.worth
        for number in reading:
            worth += table[number]
            traits |= TRAITS[number]
        if self._pair_exposed(reading):
            traits |= EXPOSED
        total = worth + self.tally.hand
        for counted in self.tally.by_reading:
            tests = counted.tests
            if tests is not None and tests.hold(traits, worth & POINTS):
                total += counted.worth
        return total, worth

    def traits(self, reading: Reading) -> int:
        """What conditions see of a reading: its melds, tiles in none, a pair that breaks it."""
        exposed = EXPOSED if self._pair_exposed(reading) else 0
        return self.stray | traits_of_reading(reading) | exposed

    def _pair_exposed(self, reading: Reading) -> bool:
        win = self.win
        return win is not None and pair_exposed(self.ruleset, self.hand, win, reading)

    def _ordinary(self, reading: Reading) -> Way:
        worth = self._count(reading)[0] + self.tally.bonus
        total = (worth & POINTS) << doubles_of(worth)
        limit = self.ruleset.limit
        if limit is not None and limit.caps_ordinary and total > limit.value:
            total = limit.value
        return Way(self._rounded(total), worth, reading)

    def _rounded(self, total: int) -> int:
        rounding = self.ruleset.rounding
        if rounding is None or rounding.to == 1:
            return total
        return (total + rounding.to // 2) // rounding.to * rounding.to

    def _award(self, special: SpecialHand, award: Award, reading: Reading, melds: Melds) -> Way:
        worth = self._worth(award, reading)
        total = worth + self._bonus(award, worth)
        limit = self.ruleset.limit
        if limit is not None and limit.caps_special and total > limit.value:
            total = limit.value
        return Way(self._rounded(total), worth, reading, special, melds)

    def _worth(self, award: Award, reading: Reading) -> int:
        limit = self.ruleset.limit
        share = None if limit is None else award.share_of(limit.value)
        if share is not None:
            return share
        return self._multiplied(award, reading) * (award.times_points or 1)

    def _multiplied(self, award: Award, reading: Reading) -> int:
        """The points that an award multiplies."""
        hand, melds = self._count(reading)
        points = (hand if award.of == "hand" else melds) & POINTS
        return points + (self.tally.bonus & POINTS if award.bonus_too else 0)

    def _bonus(self, award: Award, worth: int) -> int:
        """What flowers and seasons add to an award."""
        when, limit = self.ruleset.special_bonus, self.ruleset.limit
        full = when == "below_limit" and limit is not None and worth >= limit.value
        if award.bonus_too or when == "never" or full:
            return 0
        bonus = self.tally.special_bonus
        return (bonus & POINTS) << doubles_of(bonus)

    def result(self, way: Way) -> PlayerResult:
        """The explained score of one way to score the hand."""
        if way.special is not None:
            return self._award_result(way, way.special)
        points, doubles = way.worth & POINTS, doubles_of(way.worth)
        lines = self._lines(way.reading)
        total, limit = points << doubles, self.ruleset.limit
        if limit is not None and limit.caps_ordinary and total > limit.value:
            lines.append(Line("limit", own_words(limit.text, limit=limit.value), limit.cite, 0))
            total = limit.value
        lines += self._rounding_line(total, way.total, shown=False)
        melds = melds_of(way.reading)
        return PlayerResult(
            self.player.seat, way.total, points, doubles, "ordinary", melds, tuple(lines)
        )

    def _lines(self, reading: Reading) -> list[Line]:
        """The lines of an ordinary hand, in the order of the ruleset."""
        tally = self.tally
        numbered: list[Numbered] = [*tally.hand_lines, *tally.bonus_lines]
        traits, points = self.traits(reading), 0
        for number in sorted(reading):
            numbered += tally.melds.lines[number]
            points += tally.melds.worth[number] & POINTS
        for counted in tally.by_reading:
            if counted.tests is not None and counted.tests.hold(traits, points):
                numbered.append((counted.order, counted.line))
        numbered.sort(key=_order)
        return [line for _, line in numbered]

    def _rounding_line(self, exact: int, total: int, *, shown: bool) -> list[Line]:
        rounding = self.ruleset.rounding
        if rounding is None or exact == total:
            return []
        words = own_words(rounding.text, to=rounding.to, exact=exact)
        return [Line("rounding", words, rounding.cite, total - exact if shown else 0)]

    def _award_result(self, way: Way, special: SpecialHand) -> PlayerResult:
        won = self.win is not None
        fished = None if won else self.ruleset.fishing_award(special)
        award = special.won if fished is None else fished
        texts = self.ruleset.texts
        hand = special.id if won else f"fishing:{special.id}"
        template = texts.won if won else texts.fishing
        words = own_words(template, name=special.name, award=self._reason(award, way.reading))
        lines = [Line(hand, words, special.cite, way.worth)]
        bonus = self._bonus(award, way.worth)
        if bonus:
            factor = 1 << doubles_of(self.tally.special_bonus)
            told = own_words(texts.bonus, points=bonus // factor, factor=factor)
            doubled = tuple(line.words for _, line in self.tally.special_lines if line.doubles)
            if doubled:
                told = say("bonus_doubled", bonus=told, reasons=doubled)
            lines.append(Line("bonus", told, texts.bonus_cite, bonus))
        total, limit = way.worth + bonus, self.ruleset.limit
        if limit is not None and limit.caps_special and total > limit.value:
            cut = own_words(limit.text, limit=limit.value)
            lines.append(Line("limit", cut, limit.cite, limit.value - total))
            total = limit.value
        lines += self._rounding_line(total, way.total, shown=True)
        return PlayerResult(
            self.player.seat, way.total, way.total, 0, hand, way.melds, tuple(lines)
        )

    def _reason(self, award: Award, reading: Reading) -> Message:
        limit = self.ruleset.limit
        if award.limit is not None and limit is not None:
            if award.limit in NAMED_SHARES:
                return say(f"limit_{award.limit.replace('/', '_')}", limit=limit.value)
            return say("limit_share", share=award.limit, limit=limit.value)
        points = self._multiplied(award, reading)
        return say("times_the_points", times=award.times_points or 1, points=points)


def _as_laid(reading: Reading) -> tuple[list[int], Reading]:
    """Orders readings of equal worth: pungs, kongs, pair and chows, each in tile order."""
    return sorted(number % EXPOSE for number in reading), reading


def _total(way: Way) -> int:
    return way.total


def _order(line: Numbered) -> int:
    return line[0]
