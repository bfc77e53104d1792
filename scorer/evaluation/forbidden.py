"""Why a winner's tiles are not Mah Jong: the rule that forbids the hand, or else what it lacks.

The restrictions of the ruleset are lifted, as few as possible, until the tiles would be a winning
hand; the restrictions that had to be lifted are what forbids it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations
from typing import Final, NamedTuple, cast

from scorer.counting.count import HandScorer
from scorer.counting.worth import Way
from scorer.deal import Deal, Player, Win
from scorer.errors import DealError, together
from scorer.evaluation.faults import Fault
from scorer.evaluation.leftover import too_many_chows, what_is_lacking
from scorer.facts.value import Value
from scorer.melds import is_chow
from scorer.messages import Message, say
from scorer.rules.compiled import Compiled, compile_ruleset
from scorer.rules.rule import Option, SpecialHand
from scorer.rules.rulebook import load_compiled
from scorer.rules.ruleset import Goulash, Ruleset
from scorer.tiles import BLANK

_ANY_CHOWS: Final = 4
"""More chows than four no hand can hold."""

_ANY_JOKERS: Final = 4
"""More jokers than four there are not."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A winner's hand, and the rules by which it is asked whether it may go out."""

    deal: Deal
    compiled: Compiled
    player: Player
    win: Win

    @property
    def ruleset(self) -> Ruleset:
        """The rules."""
        return self.compiled.ruleset

    def ways(self) -> list[Way]:
        """Every way to score the hand."""
        deal = replace(self.deal, win=self.win)
        return list(HandScorer(deal, self.compiled, self.player).ways())

    def with_rules(self, **changed: object) -> Asked:
        """The same hand under rules that differ in these values."""
        other = self.ruleset.model_copy(update=changed)
        return replace(self, compiled=compile_ruleset(other))

    @property
    def jokers(self) -> Goulash | None:
        """What the jokers of the deal may do; None where it has none."""
        return self.ruleset.goulash if self.deal.goulash else None


class Bar(NamedTuple):
    """One restriction: how it is lifted, and how it is told, of the ways that are open then.

    ``lift`` gives back the same object where the restriction does not bind the hand.
    """

    lift: Callable[[Asked], Asked]
    told: Callable[[Asked, Sequence[Way]], Message]


def why_no_win(scorer: HandScorer) -> DealError:
    """Why the winner's tiles make no winning hand; other reasons stand beside the first."""
    seat = scorer.player.seat
    asked = Asked(scorer.deal, scorer.compiled, scorer.player, cast("Win", scorer.win))
    found = list(_forbidding(asked)) or what_is_lacking(scorer)
    return together([DealError(seat, "concealed", words) for words in dict.fromkeys(found)])


def _forbidding(asked: Asked) -> Iterator[Message]:
    """The words of the fewest restrictions without which the hand would be one.

    Where one is enough, each that would be, the one that costs the hand most first.
    """
    bars = [bar for bar in _BARS if bar.lift(asked) is not asked]
    singles = [*bars, *_option_bars(asked)]
    alone = [(bar, ways) for bar in singles if (ways := bar.lift(asked).ways())]
    for bar, ways in sorted(alone, key=lambda found: -_best(found[1])):
        yield bar.told(asked, ways)
    if alone or not _lifted(asked, bars).ways():
        return
    several = (some for size in range(2, len(bars) + 1) for some in combinations(bars, size))
    tried = ((some, _lifted(asked, some).ways()) for some in several)
    fewest, ways = next(found for found in tried if found[1])
    yield from (bar.told(asked, ways) for bar in fewest)


def _lifted(asked: Asked, bars: Iterable[Bar]) -> Asked:
    return reduce(lambda hand, bar: bar.lift(hand), bars, asked)


def _best(ways: Sequence[Way]) -> int:
    return max(way.total for way in ways)


def _any_chows(asked: Asked) -> Asked:
    if asked.ruleset.chows_allowed(len(asked.deal.players), goulash=asked.deal.goulash) == 4:
        return asked
    free = dict.fromkeys(("per_hand", "goulash", "three_players"), _ANY_CHOWS)
    return asked.with_rules(chows=asked.ruleset.chows.model_copy(update=free))


def _any_number(asked: Asked) -> Asked:
    value = asked.ruleset.value
    if value is None or not value.least:
        return asked
    return asked.with_rules(value=value.model_copy(update={"least": 0}))


def _told_number(asked: Asked, ways: Sequence[Way]) -> Message:
    value = cast("Value", asked.ruleset.value)
    fan = max(way.fan.least for way in ways if way.fan is not None)
    least, counted = value.counted(value.least), value.counted(fan)
    return say(Fault.TOO_FEW_FAN, counted=counted, least=least, cite=value.cite)


def _told_chows(asked: Asked, ways: Sequence[Way]) -> Message:
    needed = min(sum(map(is_chow, way.reading)) for way in ways if way.reading)
    return too_many_chows(asked.deal, asked.ruleset.chows, needed)


def _robbed_for_any(asked: Asked) -> Asked:
    if asked.win.source != "robbed_kong":
        return asked
    kinds = ("chow", "pung", "kong", "pair")
    return asked.with_rules(robbed_completes=kinds, robbed_special=kinds)


def _told_robbed(asked: Asked, _: Sequence[Way]) -> Message:
    allowed = asked.ruleset.robbed_completes
    return say(Fault.ROBBED_KONG_COMPLETES_NOT, allowed=allowed)


def _claimed_as_joker(asked: Asked) -> Asked:
    jokers, win = asked.jokers, asked.win
    if not jokers or jokers.wild == BLANK or win.tile != jokers.wild or not win.claimed_tile:
        return asked
    return replace(asked, win=replace(win, source="wall", from_seat=None))


def _told_joker(asked: Asked, _: Sequence[Way]) -> Message:
    jokers = cast("Goulash", asked.jokers)
    return say(Fault.JOKER_CLAIMED, tile=jokers.wild, cite=jokers.cite)


def _mixed(asked: Asked) -> Asked:
    return asked.with_rules(clean_only=False) if asked.ruleset.clean_only else asked


def _told_mixed(asked: Asked, _: Sequence[Way]) -> Message:
    rules = asked.ruleset
    cites = (option.cite for option in rules.option if option.target == "clean_only")
    return say(Fault.NOT_CLEAN, cite=next(cites, rules.name))


def _more_jokers(key: str, free: int, words: Callable[[Goulash], Message]) -> Bar:
    """The bar of one of the numbers that say how many jokers may be where."""

    def lift(asked: Asked) -> Asked:
        jokers = asked.jokers
        if jokers is None or getattr(jokers, key) >= free:
            return asked
        return asked.with_rules(goulash=jokers.model_copy(update={key: free}))

    def told(asked: Asked, _: Sequence[Way]) -> Message:
        return words(cast("Goulash", asked.jokers))

    return Bar(lift, told)


def _exposed(asked: Asked) -> Asked:
    return _with_hands(asked, exposed="any")


def _told_exposed(asked: Asked, ways: Sequence[Way]) -> Message:
    hand = _special(asked, ways, lambda hand: hand.exposed != "any")
    if any(not meld.concealed for meld in asked.player.melds):
        return say(Fault.SET_EXPOSED, hand=hand.name, cite=hand.cite)
    return say(Fault.LAST_TILE_CLAIMED, hand=hand.name, cite=hand.cite)


def _all_played(asked: Asked) -> Asked:
    return _with_hands(asked, enabled=True)


def _told_unplayed(asked: Asked, ways: Sequence[Way]) -> Message:
    hand = _special(asked, ways, lambda hand: not hand.enabled)
    return say(Fault.HAND_NOT_PLAYED, hand=hand.name, cite=hand.cite)


def _with_hands(asked: Asked, **changed: object) -> Asked:
    """The same hand where the special hands differ in a value; the same object if none does."""
    hands = asked.ruleset.special_hand
    other = tuple(hand.model_copy(update=changed) for hand in hands)
    return asked if other == hands else asked.with_rules(special_hand=other)


def _special(
    asked: Asked, ways: Sequence[Way], barred: Callable[[SpecialHand], bool]
) -> SpecialHand:
    """The best special hand among the ways that was barred before."""
    own = {hand.id: hand for hand in asked.ruleset.special_hand if barred(hand)}
    found = [way for way in ways if way.special is not None and way.special.id in own]
    best = max(found, key=lambda way: way.total)
    return own[best.special.id if best.special else ""]


def _option_bars(asked: Asked) -> Iterator[Bar]:
    """The bars of all house rules that tell what a special hand is made of."""
    for option in asked.ruleset.option:
        if option.target.startswith("special_hand."):
            for choice in option.choices:
                changes = {**asked.deal.changes, option.id: choice.id}
                yield _option_bar(option, load_compiled(asked.ruleset.id, changes))


def _option_bar(option: Option, other: Compiled) -> Bar:
    def told(asked: Asked, ways: Sequence[Way]) -> Message:
        hand = next(way.special.name for way in ways if way.special is not None)
        setting = asked.ruleset.setting_of(option)
        names = {choice.id: choice.name for choice in option.choices}
        return say(
            Fault.RULE_FORBIDS,
            rule=option.name,
            setting=names[str(setting)],
            hand=hand,
            cite=option.cite,
        )

    return Bar(lambda asked: replace(asked, compiled=other), told)


_BARS: Final = (
    Bar(_robbed_for_any, _told_robbed),
    Bar(_claimed_as_joker, _told_joker),
    Bar(_any_chows, _told_chows),
    Bar(_any_number, _told_number),
    Bar(_mixed, _told_mixed),
    _more_jokers(
        "wild_per_set",
        2,
        lambda it: say(Fault.TOO_MANY_JOKERS, most=it.wild_per_set, cite=it.cite),
    ),
    _more_jokers("wild_pair", 1, lambda it: say(Fault.JOKER_PAIR, cite=it.cite)),
    _more_jokers(
        "wild_special",
        _ANY_JOKERS,
        lambda it: say(Fault.JOKERS_IN_SPECIAL_HAND, most=it.wild_special, cite=it.cite),
    ),
    Bar(_exposed, _told_exposed),
    Bar(_all_played, _told_unplayed),
)
"""The restrictions of a ruleset, the plainest first."""
