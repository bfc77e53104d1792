"""Why a rule or a special hand does not count for a player, in words for the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from scorer.counting.count import HandScorer
from scorer.counting.worth import Way
from scorer.deal import Deal, Win
from scorer.english.sources import cited
from scorer.errors import DealError
from scorer.evaluation.evaluate import hand_scorer
from scorer.explain.effort import limited
from scorer.explain.lacking import distance, failing_situations, failing_tests, missing_of
from scorer.melds import melds_of
from scorer.messages import Message, own_words, plain_words, say
from scorer.rules.compiled import POINTS, may_have
from scorer.rules.conditions import TILE_CLASSES
from scorer.rules.rule import Rule, SpecialHand
from scorer.tiles import PLAYING_TILES

_STATES: Final = {None: "melds", True: "concealed_melds", False: "exposed_melds"}
"""The message that names the melds which a rule pays, by what it wants of their exposure."""

_NOT_PLAYED: Final = say("not_played")
_OTHERS_ONLY: Final = {
    "winner": say("only_the_winner"),
    "winner_or_fishing": say("only_winner_or_fishing"),
}
"""Who has a rule that this player has not, by whose it is."""
_COPIES: Final = 4


@dataclass(frozen=True, slots=True)
class WhyNot:
    """Whether a rule or special hand counts for a player, and what it lacks if not.

    Attributes:
        row: the id of the rule or special hand.
        name: what people call it.
        counts: whether the player's score holds it, by itself or in the line of the bonus tiles.
        reasons: why it cannot count however the tiles lie, or what counts in its place.
        missing: the conditions that the hand does not meet.
        cite: where it is written.
    """

    row: str
    name: Message
    cite: str
    counts: bool
    reasons: tuple[Message, ...] = ()
    missing: tuple[Message, ...] = ()

    def __str__(self) -> str:
        told = "counts" if self.counts else "does not count: " + "; ".join(map(str, self.told()))
        return f"{self.name} {told} [{cited(self.cite)}]"

    def told(self) -> tuple[Message, ...]:
        """The reasons, and in one message at the end what is missing."""
        needed = (say("needed", missing=self.missing),) if self.missing else ()
        return (*self.reasons, *needed)

    def to_json(self) -> dict[str, Any]:
        """The answer as a JSON value."""
        return {
            "row": self.row,
            "name": str(self.name),
            "cite": self.cite,
            "counts": self.counts,
            "reasons": [str(reason) for reason in self.reasons],
            "missing": [str(condition) for condition in self.missing],
        }


def why_not(deal: Deal, seat: str, row: str) -> WhyNot:
    """Why a rule or special hand does not count for one player.

    >>> from scorer import Deal, Player, Win, why_not
    >>> others = [Player(seat, claimed=0) for seat in "EWN"]
    >>> hand = Player("S", "22m 333m", "444p 555s 666s")
    >>> deal = Deal("bmja-u3a", (hand, *others), Win("S", "2m", "wall"))
    >>> print(why_not(deal, "S", "no_chows"))
    No chows counts [U3A course, sheet 17: Doubles]

    Args:
        deal: a deal in which the player's tiles are shown.
        seat: the player's seat.
        row: the id of a rule or special hand of the deal's ruleset.

    Raises:
        DealError: the deal is impossible, the player's tiles are not looked at, or the ruleset has
            no such row.
    """
    asked = _Asked(deal, seat)
    for rule in asked.scorer.ruleset.rule:
        if rule.id == row:
            return asked.rule(rule)
    for special in asked.scorer.ruleset.special_hand:
        if special.id == row:
            with limited():
                return asked.special(special)
    raise DealError(seat, "row", say("no_such_row", ruleset=deal.ruleset, row=row[:40]))


def all_why_not(deal: Deal, seat: str) -> tuple[WhyNot, ...]:
    """The same for every rule and special hand of the ruleset, in the order of its tables.

    Raises:
        DealError: the deal is impossible, or the player's tiles are not looked at.
    """
    asked = _Asked(deal, seat)
    ruleset = asked.scorer.ruleset
    rules = tuple(asked.rule(rule) for rule in ruleset.rule)
    with limited():
        return rules + tuple(asked.special(special) for special in ruleset.special_hand)


class _Asked:
    """One player's hand, as it is scored, about which people ask."""

    def __init__(self, deal: Deal, seat: str) -> None:
        self.deal = deal
        self.scorer = hand_scorer(deal, seat)
        if deal.win is None and not self.scorer.ruleset.settlement.after_draw:
            raise DealError(None, "win", say("drawn_not_scored"))
        self.ways = list(self.scorer.ways())
        self.way = max(self.ways, key=_total, default=None)
        lines = () if self.way is None else self.scorer.result(self.way).lines
        self.paid = {line.rule for line in lines}
        self.completed: list[tuple[HandScorer, Win]] | None = None

    def rule(self, rule: Rule) -> WhyNot:
        """The answer for a rule."""
        name = own_words(rule.text, tile="...")
        if rule.id in self.paid:
            return WhyNot(rule.id, name, rule.cite, counts=True)
        reasons: list[Message] = []
        missing: list[Message] = []
        if self.way is None:
            reasons.append(say("cannot_go_out"))
        elif not may_have(rule, self.scorer.situation):
            reasons.append(_OTHERS_ONLY[rule.who])
        elif not (reasons := [*self._out_of_place(rule, self.way)]) or _NOT_PLAYED not in reasons:
            missing += failing_situations(rule, self.scorer)
            missing += self._not_held(rule, self.way)
            if rule.is_fan and not reasons and not missing:
                missing.append(say("not_made"))
        beside = "bonus" in self.paid and not reasons and not missing
        return WhyNot(rule.id, name, rule.cite, beside, tuple(reasons), tuple(missing))

    def _out_of_place(self, rule: Rule, way: Way) -> Iterator[Message]:
        """Why the rule does not belong to this hand or these rules at all."""
        ruleset = self.scorer.ruleset
        if not rule.enabled:
            yield _NOT_PLAYED
        elif not (rule.points or rule.doubles or rule.is_fan):
            yield say("worth_nothing")
        if rule.of_bonus_tiles and ruleset.bonus_tiles != "count":
            yield say("bonus_does_not_count")
        if rule.family is not None and not (ruleset.families_add or rule.is_fan):
            yield say("one_of_a_family")
        if way.special is None:
            if rule.group == "special_bonus":
                yield say("beside_special_hands")
        elif rule.group == "hand":
            yield say("award_is_all", name=way.special.name)
        elif rule.of_bonus_tiles and "bonus" not in self.paid:
            yield say("no_bonus_beside_award")

    def _not_held(self, rule: Rule, way: Way) -> Iterator[Message]:
        """What the melds or the bonus tiles lack."""
        scorer = self.scorer
        if rule.per_set is not None:
            yield from self._without_set(rule, way)
        elif rule.per_bonus is not None:
            in_class = TILE_CLASSES[rule.per_bonus]
            if not any(in_class(tile, scorer.situation) for tile in scorer.situation.bonus):
                yield say(f"class_{rule.per_bonus}", melds=say("bonus_tile"))
        elif rule.is_fan:
            yield from failing_tests(rule, scorer.worth.traits(way.reading), 1, way.melds)
        elif way.special is None:
            points = sum(scorer.tally.melds.worth[number] & POINTS for number in way.reading)
            melds = melds_of(way.reading)
            yield from failing_tests(rule, self.scorer.worth.traits(way.reading), points, melds)

    def _without_set(self, rule: Rule, way: Way) -> Iterator[Message]:
        paid = rule.per_set
        if paid is None or any(
            line.rule == rule.id
            for number in way.reading
            for _, line in self.scorer.tally.melds.lines[number]
        ):
            return
        melds = say(_STATES[paid.concealed], kinds=paid.kinds)
        yield say(f"class_{paid.tiles}", melds=melds)

    def special(self, special: SpecialHand) -> WhyNot:
        """The answer for a special hand, won or fished for."""
        win, name = self.scorer.win, plain_words(special.name)
        if (f"fishing:{special.id}" if win is None else special.id) in self.paid:
            return WhyNot(special.id, name, special.cite, counts=True)
        reasons = [] if special.enabled else [_NOT_PLAYED]
        missing: list[Message] = []
        if reasons:
            pass
        elif win is not None:
            missing += missing_of(special, self.scorer, win)
        elif self.scorer.ruleset.fishing_award(special) is None:
            reasons.append(say("no_fishing_award"))
        elif self.scorer.player.status != "live":
            reasons.append(say("wrong_count_fishing"))
        else:
            if not self.scorer.player.fishing:
                reasons.append(say("fishing_not_called"))
            missing += self._nearest(special)
        if not reasons and not missing:
            reasons.append(self._beaten(special))
        return WhyNot(
            special.id,
            name,
            special.cite,
            counts=False,
            reasons=tuple(reasons),
            missing=tuple(missing),
        )

    def _nearest(self, special: SpecialHand) -> list[Message]:
        """What the hand would lack with the tile, drawn from the wall, that brings it nearest."""
        if self.completed is None:
            self.completed = list(self._completions())
        found = (missing_of(special, scorer, win) for scorer, win in self.completed)
        return min(found, key=distance)

    def _completions(self) -> Iterator[tuple[HandScorer, Win]]:
        """The hand with each tile that could still come."""
        scorer, player = self.scorer, self.scorer.player
        held = [*player.concealed, *(tile for meld in player.melds for tile in meld.tiles)]
        for tile in PLAYING_TILES:
            if held.count(tile) < _COPIES:
                win = Win(player.seat, tile, "wall")
                complete = replace(player, concealed=(*player.concealed, tile))
                yield HandScorer(replace(self.deal, win=win), scorer.compiled, complete), win

    def _beaten(self, special: SpecialHand) -> Message:
        """What is worth more than a special hand that the tiles make all the same."""
        own = [
            it.total for it in self.ways if it.special is not None and it.special.id == special.id
        ]
        way = self.way
        if way is None or not own:
            return say("tiles_are_not", description=special.description)
        read = say("read_as_it_lies")
        if way.special is not None:
            read = say("read_as", name=way.special.name)
        told = "brings_more" if way.total > max(own) else "brings_as_much"
        return say(told, name=special.name, award=max(own), read=read, total=way.total)


def _total(way: Way) -> int:
    return way.total
