"""One player's hand counted: every way to score it, won, lost or fishing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from scorer.counting.arrange import completing_kinds, losing_readings, winning_readings
from scorer.counting.fan import Fan, FanScorer, fan_tiles
from scorer.counting.fan_lines import explained_in_fan
from scorer.counting.forms import places_of
from scorer.counting.hand import Hand, hand_of
from scorer.counting.lines import explained
from scorer.counting.specials import SpecialWin, may_be_shaped, may_go_out, special_wins
from scorer.counting.worth import Way, Worth
from scorer.deal import Deal, Player, Win
from scorer.melds import (
    EXPOSE,
    EXPOSED,
    JOKER,
    Reading,
    melds_of,
    traits_held,
    traits_of_reading,
)
from scorer.result import PlayerResult
from scorer.rules.compiled import Compiled
from scorer.rules.conditions import FLOWER_OF, SEASON_OF, Situation
from scorer.rules.rule import Kind, SpecialHand
from scorer.tiles import PLAYING_TILES, SEATS

OTHERS_OF_A_KIND: Final = 3
"""How many of a kind there are beside one tile."""


class HandScorer:
    """One player's hand in its deal."""

    def __init__(self, deal: Deal, compiled: Compiled, player: Player) -> None:
        self.deal, self.compiled, self.player = deal, compiled, player
        self.ruleset = compiled.ruleset
        self.win = deal.win_of(player.seat)
        self.hand = hand_of(player, self.ruleset.goulash if deal.goulash else None)
        self.chows = self.ruleset.chows_allowed(len(deal.players), goulash=deal.goulash)
        self.situation = self._situation(self.win)
        self.tally = compiled.tally(self.situation)
        lost = self.win is None and bool(self.tally.by_reading)
        stray = traits_held(self.hand.naturals) if lost else 0
        self.worth = Worth(self.ruleset, self.tally, self.hand, self.win, stray)

    def _situation(self, win: Win | None) -> Situation:
        player, deal = self.player, self.deal
        dealer, chows = deal.dealer == player.seat, self.chows > 0
        bonus = self._bonus_that_counts()
        exposed = bool(traits_of_reading(self.hand.melds) & EXPOSED)
        if win is None:
            return Situation(
                player.seat,
                deal.round_wind,
                dealer,
                bonus,
                laid_exposed=exposed,
                chows_allowed=chows,
                called_fishing=player.fishing and player.status == "live",
            )
        return Situation(
            player.seat,
            deal.round_wind,
            dealer,
            bonus,
            win.source,
            win.last_tile,
            win.original_call,
            win.first_turn,
            win.after_two_kongs,
            self.compiled.asks_for_places and self._fills_only_place(),
            exposed,
            chows,
            riichi=player.riichi or player.double_riichi,
            double_riichi=player.double_riichi,
            ippatsu=win.ippatsu,
            last_of_kind=win.last_of_kind or self._three_lie_open(win),
        )

    def _three_lie_open(self, win: Win) -> bool:
        """Whether exposed sets show the other three of the winning tile."""
        if self.compiled.fan is None or win.tile is None:
            return False
        sets = [meld for it in self.deal.players for meld in it.melds if not meld.concealed]
        return sum(meld.tiles.count(win.tile) for meld in sets) == OTHERS_OF_A_KIND

    def _bonus_that_counts(self) -> tuple[str, ...]:
        """The player's flowers and seasons, without an absent wind's where those are ignored."""
        bonus, seats = self.player.bonus, self.deal.seats
        if self.ruleset.absent_bonus or len(seats) == len(SEATS):
            return bonus
        absent = [seat for seat in SEATS if seat not in seats]
        ignored = {bonus_of[seat] for seat in absent for bonus_of in (FLOWER_OF, SEASON_OF)}
        return tuple(tile for tile in bonus if tile not in ignored)

    def ways(self) -> Iterator[Way]:
        """Every way to score the hand, special hands first, in the order of ties."""
        return self._lost() if self.win is None else self._won(self.win)

    def _won(self, win: Win) -> Iterator[Way]:
        if self.compiled.fan is not None:
            for fan in self.in_fan():
                if fan.least >= self.compiled.fan.value.least:
                    yield Way(fan.base, 0, fan.lie.reading, None, fan.lie.melds, fan)
            return
        found = whole = self._winning(self.hand, win)
        robbed = self.ruleset.robbed_special
        if win.source == "robbed_kong" and robbed is not None:
            whole = self._winning(self.hand, win, robbed)
        specials = special_wins(self.compiled, self.hand, win, whole, self.situation)
        special = False
        for counted, reading, melds in specials:
            special = True
            yield self.worth.award(counted.hand, counted.hand.won, reading, melds)
        if special and self.ruleset.best_of == "special":
            return
        for reading in self._lawful(found):
            yield self.worth.ordinary(reading)

    def in_fan(self) -> list[Fan]:
        """Every way to count a winner's hand in fan, the best first, too few or not."""
        counter = self._fan_scorer
        return [] if counter is None else counter.ways()

    @cached_property
    def _fan_scorer(self) -> FanScorer | None:
        rules, win = self.compiled.fan, self.win
        if rules is None or win is None:
            return None
        further = fan_tiles(self.deal, self.player)
        return FanScorer(rules, self.hand, win, self.situation, further)

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
        if hand.wilds:
            found = list({_plain(reading): reading for reading in reversed(found)}.values())
        return sorted(found, key=_as_laid) if len(found) > 1 else found

    def _lost(self) -> Iterator[Way]:
        found = losing_readings(self.hand, undeclared_kongs=self.ruleset.undeclared_kongs)
        ordinary = [self.worth.ordinary(reading) for reading in found]
        best = max(ordinary, key=_total)
        fishing = False
        for special, completed in self._fishing_for():
            award = self.ruleset.fishing_award(special)
            if award is None:
                continue
            fishing = True
            shown = [best.reading]
            if award.times_points is not None:
                shown = self._on_the_way(special, completed, found)
            for reading in shown:
                yield self.worth.award(special, award, reading, melds_of(reading))
        if not (fishing and self.ruleset.best_of == "special"):
            yield from ordinary

    def _on_the_way(
        self, special: SpecialHand, completed: list[Reading], found: list[Reading]
    ) -> list[Reading]:
        """The readings, of those found, in which the hand is on its way to the special hand.

        A joker stands for the same tile in them as in one of the completed hand.
        """
        tests = self.compiled.hand_named(special.id).tests
        meant = [self.hand.wild_in(reading) for reading in completed]
        return [
            reading
            for reading in found
            if tests.hold(traits_of_reading(reading), 1)
            and any(self.hand.wild_in(reading) <= wanted for wanted in meant)
        ]

    def _fishing_for(self) -> Iterator[tuple[SpecialHand, list[Reading]]]:
        """The special hands of which this one is a single tile short, in the ruleset's order.

        With each go its readings in the completed hand, every place of a joker included.
        """
        called = self.player.fishing or not self.ruleset.fishing_called
        if not called or self.player.status != "live":
            return
        found: dict[int, list[Reading]] = {}
        for tile in self._free_kinds(self.hand, self._completing(self.hand)):
            complete = self.hand.with_tile(tile)
            for counted, reading, _ in self._specials(complete):
                found.setdefault(counted.order, []).append(reading)
        yield from ((self.ruleset.special_hand[order], found[order]) for order in sorted(found))

    def _specials(self, complete: Hand) -> list[SpecialWin]:
        """The special hands that a hand would be, completed by an ordinary draw."""
        draw = Win(self.player.seat, None, "wall")
        drawn = Situation(
            self.player.seat, self.deal.round_wind, source="wall", chows_allowed=self.chows > 0
        )
        found = winning_readings(complete, self.chows, draw)
        return special_wins(self.compiled, complete, draw, found, drawn)

    def _completing(self, hand: Hand) -> tuple[str, ...]:
        """The kinds of tile that make four melds and a pair of a hand without wild tiles."""
        return () if hand.goulash else completing_kinds(hand, self.chows)

    def _free_kinds(self, hand: Hand, completing: tuple[str, ...]) -> Iterator[str]:
        """The kinds of tile that may complete the hand and could still come.

        Those of which the player holds all four are left out where the ruleset says so.
        """
        kinds = PLAYING_TILES if may_be_shaped(self.compiled, hand) else completing
        held = list(self.player.concealed)
        held += [tile for meld in self.player.melds for tile in meld.tiles]
        if self.win is not None and self.win.tile is not None and hand is not self.hand:
            held.remove(self.win.tile)
        for tile in kinds:
            if self.ruleset.own_fours_are_places or held.count(tile) < 4:
                yield tile

    def places(self, hand: Hand) -> Iterator[str]:
        """The kinds of tile that complete a hand one tile short, as any lawful hand."""
        if self.compiled.fan is not None:
            yield from places_of(hand, self.compiled.fan.forms)
            return
        completing = self._completing(hand)
        for tile in self._free_kinds(hand, completing):
            if tile in completing and not self.ruleset.clean_only:
                yield tile
                continue
            complete, draw = hand.with_tile(tile), Win(self.player.seat, None, "wall")
            if self._lawful(self._winning(complete, draw)) or self._specials(complete):
                yield tile

    def _fills_only_place(self) -> bool:
        if self.win is None or self.win.tile is None or self.win.source == "dealt":
            return False
        places = self.places(self.hand.without_tile(self.win.tile))
        return next(places, None) is not None and next(places, None) is None

    def result(self, way: Way) -> PlayerResult:
        """The explained score of one way to score the hand."""
        counter = self._fan_scorer if way.fan is not None else None
        if way.fan is not None and counter is not None:
            return explained_in_fan(counter, self.player.seat, way.fan)
        return explained(self.player.seat, self.worth, way)


def _as_laid(reading: Reading) -> tuple[list[int], Reading]:
    """Orders readings of equal worth: pungs, kongs, pair and chows, each in tile order."""
    return sorted(number % EXPOSE for number in reading), _plain(reading)


def _plain(reading: Reading) -> Reading:
    """The reading without a word of which tiles are jokers."""
    return tuple(number % JOKER for number in reading)


def _total(way: Way) -> int:
    return way.total
