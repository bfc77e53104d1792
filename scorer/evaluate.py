"""The worth of each hand: the best lawful reading, explained line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from scorer.arrange import Hand, hand_of, losing_readings, winning_readings
from scorer.checks import check_deal
from scorer.conditions import TILE_CLASSES, Facts, TileSet, holds
from scorer.deal import Deal, Player, Win
from scorer.errors import DealError
from scorer.result import DealResult, Line, PlayerResult
from scorer.rulebook import load_ruleset
from scorer.ruleset import Award, Rule, Ruleset, SpecialHand
from scorer.settle import net_of, settle
from scorer.specials import special_wins
from scorer.tiles import NAMES, PLAYING_TILES

_SHARES: Final = {
    "1/1": "the",
    "1/2": "half the",
    "1/3": "a third of the",
    "1/5": "a fifth of the",
    "2/5": "two fifths of the",
}
"""Shares of the limit in words; others are written as they are."""


def score_deal(deal: Deal) -> DealResult:
    """Every player's score and the payments of a deal.

    Raises:
        DealError: the deal cannot be, or the winner's tiles make no winning hand.
    """
    ruleset = load_ruleset(deal.ruleset, deal.changes)
    check_deal(deal, ruleset)
    players = tuple(_Scorer(deal, ruleset, player).result() for player in deal.players)
    payments = settle(deal, ruleset, {player.seat: player.total for player in players})
    return DealResult(ruleset.id, dict(deal.changes), players, payments, net_of(deal, payments))


@dataclass(frozen=True, slots=True)
class _Scorer:
    """One player's hand in its deal."""

    deal: Deal
    ruleset: Ruleset
    player: Player

    def result(self) -> PlayerResult:
        player, win = self.player, self.deal.win
        if win is None or player.status in ("too_many", "dead"):
            return PlayerResult(player.seat, 0, 0, 0, "none")
        if player.claimed is not None:
            texts = self.ruleset.texts
            line = Line("claimed", texts.claimed, texts.claimed_cite, player.claimed)
            return PlayerResult(
                player.seat, player.claimed, player.claimed, 0, "claimed", lines=(line,)
            )
        hand = hand_of(player, self.ruleset.goulash.wild if self.deal.goulash else None)
        return self._won(hand, win) if win.seat == player.seat else self._lost(hand)

    @property
    def _chows(self) -> int:
        return self.ruleset.chows_allowed(len(self.deal.players), goulash=self.deal.goulash)

    def _facts(self, sets: tuple[TileSet, ...], win: Win | None) -> Facts:
        player, deal = self.player, self.deal
        return Facts(sets, player.bonus, player.seat, deal.round_wind, win, self._chows)

    def _won(self, hand: Hand, win: Win) -> PlayerResult:
        readings = sorted(winning_readings(hand, self._chows, win))
        specials = special_wins(self.ruleset, hand, win, readings, self._facts)
        results = [self._award(special, sets, win) for special, sets in specials]
        results += [self._ordinary(sets, win) for sets in readings]
        if not results:
            raise DealError(self.player.seat, "concealed", self._no_win(hand, win))
        return max(results, key=_total)

    def _no_win(self, hand: Hand, win: Win) -> str:
        drawn = Win(win.seat, win.tile, "wall")
        if win.source == "robbed_kong" and winning_readings(hand, self._chows, drawn):
            return "a robbed kong cannot complete a pung; correct the winning tile or its source"
        return (
            "these tiles make no winning hand: neither four sets and a pair nor a special hand; "
            "check the tiles and the sets laid down"
        )

    def _lost(self, hand: Hand) -> PlayerResult:
        readings = sorted(losing_readings(hand, undeclared_kongs=self.ruleset.undeclared_kongs))
        ordinary = max((self._ordinary(sets, None) for sets in readings), key=_total)
        awards: list[PlayerResult] = []
        for special in self._fishing_for(hand):
            shown = [ordinary.sets]
            if special.fishing is not None and special.fishing.times_points is not None:
                shown = [sets for sets in readings if self._fits(special, sets)]
            awards += [self._award(special, sets, None) for sets in shown]
        return max((*awards, ordinary), key=_total)

    def _fits(self, special: SpecialHand, sets: tuple[TileSet, ...]) -> bool:
        return holds(special.when, special.unless, self._facts(sets, None))

    def _fishing_for(self, hand: Hand) -> Iterator[SpecialHand]:
        """The special hands of which this one is a single tile short, in the ruleset's order."""
        if not self.player.fishing or self.player.status != "live":
            return
        held = list(self.player.concealed)
        held += [tile for meld in self.player.melds for tile in meld.tiles]
        found: set[str] = set()
        for tile in PLAYING_TILES:
            if held.count(tile) >= 4:
                continue
            complete = Hand((*hand.tiles, tile), hand.melds, hand.wild)
            drawn = Win(self.player.seat, tile, "wall")
            readings = sorted(winning_readings(complete, self._chows, drawn))
            wins = special_wins(self.ruleset, complete, drawn, readings, self._facts)
            found.update(special.id for special, _ in wins)
        yield from (
            special
            for special in self.ruleset.special_hand
            if special.id in found and special.fishing is not None
        )

    def _ordinary(self, sets: tuple[TileSet, ...], win: Win | None) -> PlayerResult:
        lines = tally(self.ruleset.rule, self._facts(sets, win))
        points, doubles = _sums(lines)
        total = points << doubles
        limit = self.ruleset.limit
        if limit.caps_ordinary and total > limit.value:
            lines.append(Line("limit", limit.text.format(limit=limit.value), limit.cite, 0))
            total = limit.value
        return PlayerResult(
            self.player.seat, total, points, doubles, "ordinary", sets, tuple(lines)
        )

    def _award(
        self, special: SpecialHand, sets: tuple[TileSet, ...], win: Win | None
    ) -> PlayerResult:
        facts = self._facts(sets, win)
        award, texts = special.won, self.ruleset.texts
        hand, template = special.id, texts.won
        if win is None and special.fishing is not None:
            award, hand, template = special.fishing, f"fishing:{special.id}", texts.fishing
        worth, reason = self._worth(award, facts)
        text = template.format(name=special.name, award=reason)
        lines = [Line(hand, text, special.cite, worth), *self._bonus_line(facts)]
        total = sum(line.points or 0 for line in lines)
        limit = self.ruleset.limit
        if limit.caps_special and total > limit.value:
            cut = limit.text.format(limit=limit.value)
            lines.append(Line("limit", cut, limit.cite, limit.value - total))
            total = limit.value
        return PlayerResult(self.player.seat, total, total, 0, hand, sets, tuple(lines))

    def _worth(self, award: Award, facts: Facts) -> tuple[int, str]:
        limit = self.ruleset.limit.value
        share = award.share_of(limit)
        if share is not None:
            words = _SHARES.get(str(award.limit), f"{award.limit} of the")
            return share, f"{words} limit of {limit}"
        points, _ = _sums(tally(_group(self.ruleset, "hand"), facts))
        times = award.times_points or 1
        return points * times, f"{times} times the {points} points of the hand"

    def _bonus_line(self, facts: Facts) -> Iterator[Line]:
        points, doubles = _sums(tally(_group(self.ruleset, "bonus"), facts))
        if points:
            texts = self.ruleset.texts
            text = texts.bonus.format(points=points, factor=2**doubles)
            yield Line("bonus", text, texts.bonus_cite, points << doubles)


def tally(rules: Iterable[Rule], facts: Facts) -> list[Line]:
    """The lines that those rules give one reading of a hand, in the rules' order."""
    return [
        Line(rule.id, rule.text.format(tile=tile), rule.cite, rule.points, rule.doubles)
        for rule in rules
        if (rule.who == "everyone" or facts.win is not None)
        and holds(rule.when, rule.unless, facts)
        for tile in _subjects(rule, facts)
    ]


def _subjects(rule: Rule, facts: Facts) -> list[str]:
    """The name of each tile that the rule is paid for; one empty name when it is paid once."""
    if rule.per_bonus:
        return [NAMES[tile] for tile in facts.bonus]
    paid = rule.per_set
    if paid is None:
        return [""]
    in_class = TILE_CLASSES[paid.tiles]
    return [
        NAMES[group.tile]
        for group in facts.sets
        if group.kind in paid.kinds
        and paid.concealed in (None, group.concealed)
        and in_class(group.tile, facts)
    ]


def _group(ruleset: Ruleset, group: str) -> Iterator[Rule]:
    return (rule for rule in ruleset.rule if rule.group == group)


def _sums(lines: Iterable[Line]) -> tuple[int, int]:
    points = doubles = 0
    for line in lines:
        points += line.points or 0
        doubles += line.doubles or 0
    return points, doubles


def _total(result: PlayerResult) -> int:
    return result.total
