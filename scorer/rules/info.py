"""What a page needs to ask about a deal, and to tell about a ruleset, without knowing a rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from scorer.deal import CLAIMED_SOURCES, ChangeValue
from scorer.errors import RulesetError
from scorer.messages import Message, Refused, plain_words, say
from scorer.rules.rule import Award, Option, Question
from scorer.rules.rulebook import load_ruleset, ruleset_ids
from scorer.rules.ruleset import PenaltyRule, Ruleset

OTHERS: Final = 3
"""Number of players for whom someone pays at most, in hands."""


@dataclass(frozen=True, slots=True)
class ChoiceInfo:
    """A status of a hand, with its name, help and rights for people, and where it is written."""

    id: str
    name: str
    help: str
    rights: tuple[str, ...]
    cite: str


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """A way of going out: ``seat`` alone can, or the dealer; ``needs_from`` asks who gave it."""

    id: str
    name: str
    help: str
    needs_from: bool
    needs_tile: bool
    seat: str | None


@dataclass(frozen=True, slots=True)
class FlagInfo:
    """A yes-or-no fact of a win: offer it for these sources, from this seat, with these kongs.

    A ``declared`` one is asked of each winner who has declared being ready.
    """

    id: str
    name: str
    help: str
    sources: tuple[str, ...]
    from_seat: str | None
    kongs: int
    declared: bool


@dataclass(frozen=True, slots=True)
class PenaltyInfo:
    """A penalty; a fatal one goes only with a win on a discard, offender and victim then given."""

    id: str
    name: str
    help: str
    cite: str
    needs_victim: bool
    fatal_discard: bool


@dataclass(frozen=True, slots=True)
class SpecialHandInfo:
    """A special hand as a player looks it up: what it is, what it pays, where it is written."""

    id: str
    name: str
    description: str
    won: Message
    fishing: Message | None
    exposed: str
    cite: str


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """A house rule that may be changed, with its usual value; ``choices`` are ids and names.

    ``help`` is empty where the name says all. ``group`` is ``house``, or ``rule`` and
    ``special_hand`` for those that switch one on or off.
    """

    id: str
    name: Message
    help: str
    cite: str
    kind: str
    default: bool | int | str
    minimum: int
    maximum: int
    choices: tuple[tuple[str, str], ...]
    group: str


@dataclass(frozen=True, slots=True)
class Asks:
    """What some rule of a ruleset looks at, so that a page asks for it; it asks nothing else.

    Attributes:
        others: the tiles of those who did not go out.
        goulash: whether the deal is one.
        bonus: flowers and seasons.
        fishing: who had called fishing.
        ready: who was ready when nobody went out.
        declared: who had declared being ready, and with what words: ids of conditions.
        indicators: the tiles that lie open on the wall: ``dora`` and ``ura``.
        reds: which fives are red.
        counters: counters and sticks on the table.
        liable: who fed the set that completed the winner's hand.
        winners: how many players may go out on one tile.
        abortive: whether a hand without a winner was broken off.
        unit: what fan are called, one of :data:`scorer.facts.value.COUNTED`; None where hands are
            worth points and doubles.
    """

    others: bool
    goulash: bool
    bonus: bool
    fishing: bool
    ready: bool
    declared: tuple[str, ...]
    indicators: tuple[str, ...]
    reds: bool
    counters: bool
    liable: bool
    winners: int
    abortive: bool
    unit: str | None


_DECLARED: Final = ("riichi", "double_riichi")
"""The conditions that a player's declaration meets."""

_INDICATORS: Final = ("dora", "ura")


def asks(ruleset: Ruleset) -> Asks:
    """What a page asks about a deal under a ruleset, as its rules have it.

    >>> from scorer.rules.rulebook import load_ruleset
    >>> asks(load_ruleset("hong-kong")).declared, asks(load_ruleset("riichi")).declared
    ((), ('riichi', 'double_riichi'))
    """
    played = [rule for rule in ruleset.rule if rule.enabled]
    looked_at = {name for rule in played for name in (*rule.when, *rule.unless)}
    each = {rule.each_of for rule in played}
    points, counters = ruleset.value is None, ruleset.counters
    return Asks(
        others=points,
        goulash=ruleset.goulash is not None,
        bonus=ruleset.bonus_tiles != "unused",
        fishing=points,
        ready=counters is not None and counters.noten > 0,
        declared=tuple(name for name in _DECLARED if name in looked_at),
        indicators=tuple(name for name in _INDICATORS if name in each),
        reds="red" in each,
        counters=counters is not None,
        liable=ruleset.settlement.liable and any(rule.liable for rule in played),
        winners=ruleset.settlement.winners,
        abortive=ruleset.game.abortive,
        unit=None if ruleset.value is None else ruleset.value.unit,
    )


@dataclass(frozen=True, slots=True)
class RulesetInfo:
    """A ruleset for people.

    ``limit`` is None where there is none, ``goulash_text`` and ``wild`` (the joker's code) where no
    goulash is played. A hand that went out counts ``least_win`` or more; more than ``usual_most``
    is hardly ever counted, and more than ``usual_payment`` hardly ever paid. ``settles_draws`` says
    whether totals matter in a hand that nobody won.
    """

    id: str
    name: str
    description: str
    default: bool
    players: tuple[int, ...]
    dealer_moves: bool
    limit: int | None
    chows_text: str
    goulash_text: str | None
    settlement_text: str
    drawn_text: Message
    wild: str | None
    sources: tuple[SourceInfo, ...]
    flags: tuple[FlagInfo, ...]
    statuses: tuple[ChoiceInfo, ...]
    penalties: tuple[PenaltyInfo, ...]
    special_hands: tuple[SpecialHandInfo, ...]
    options: tuple[OptionInfo, ...]
    chow_limits: tuple[int, int, int]
    least_win: int
    usual_most: int | None
    usual_payment: int | None
    settles_draws: bool

    def chows_allowed(self, players: int, *, goulash: bool) -> int:
        """The number of chows that a hand may hold in such a deal."""
        per_hand, in_goulash, with_three = self.chow_limits
        limits = [per_hand, in_goulash if goulash else per_hand]
        return min(*limits, with_three if players == 3 else per_hand)


def settings_told(rules: RulesetInfo, changes: Mapping[str, ChangeValue]) -> Message:
    """House rules as people know them: the names of the options and of their settings."""
    if not changes:
        return say("no_house_rules")
    known = {option.id: option for option in rules.options}
    told = (_setting(known.get(name), name, value) for name, value in sorted(changes.items()))
    return say("house_rules", rules=tuple(told))


def _setting(option: OptionInfo | None, name: str, value: ChangeValue) -> Message:
    setting: Message | str = str(value)
    if isinstance(value, bool):
        setting = say("said_yes" if value else "said_no")
    elif option is not None:
        setting = dict(option.choices).get(str(value), str(value))
    return say("house_rule", option=name if option is None else option.name, setting=setting)


def list_rulesets() -> tuple[RulesetInfo, ...]:
    """All rulesets, the default one first.

    >>> from scorer import list_rulesets
    >>> list_rulesets()[0].id
    'bmja-u3a'
    """
    return tuple(describe(load_ruleset(name)) for name in ruleset_ids())


def describe(ruleset: Ruleset) -> RulesetInfo:
    """A ruleset for people, with any changes that it was loaded with.

    Raises:
        RulesetError: an option lists its choices, but not the usual one.
    """
    chows, goulash, terms = ruleset.chows, ruleset.goulash, ruleset.settlement
    usual_most = None if ruleset.limit is None else ruleset.limit.value
    dealer = max(terms.dealer_pays, terms.dealer_receives)
    titles = {rule.id: rule.title for rule in ruleset.rule}
    return RulesetInfo(
        id=ruleset.id,
        name=ruleset.name,
        description=ruleset.description,
        default=ruleset.default,
        players=ruleset.players,
        dealer_moves=ruleset.dealer_moves,
        limit=ruleset.limit_in_force(),
        chows_text=chows.text,
        goulash_text=None if goulash is None else goulash.text,
        settlement_text=terms.text,
        drawn_text=ruleset.game.drawn_text,
        wild=None if goulash is None else goulash.wild,
        sources=tuple(_source(item) for item in ruleset.source),
        flags=tuple(map(_flag, ruleset.flag)),
        statuses=tuple(
            ChoiceInfo(item.id, item.name, item.help, item.rights, item.cite)
            for item in ruleset.status
        ),
        penalties=tuple(_penalty(item) for item in ruleset.penalty),
        special_hands=_special_hands(ruleset),
        options=tuple(_option(ruleset, item, titles) for item in ruleset.options()),
        chow_limits=(chows.per_hand, chows.goulash, chows.three_players),
        least_win=_least_win(ruleset),
        usual_most=usual_most,
        usual_payment=None if usual_most is None else usual_most * dealer * OTHERS,
        settles_draws=terms.after_draw or ruleset.counters is not None,
    )


def _least_win(ruleset: Ruleset) -> int:
    """What every ordinary hand that went out counts at least."""
    return sum(
        rule.points or 0
        for rule in ruleset.rule
        if rule.enabled
        and rule.who != "everyone"
        and not (rule.when or rule.unless or rule.per_set or rule.per_bonus)
    )


def _flag(item: Question) -> FlagInfo:
    return FlagInfo(
        id=item.id,
        name=item.name,
        help=item.help,
        sources=item.sources,
        from_seat=item.from_seat,
        kongs=item.kongs,
        declared=item.declared,
    )


def _source(item: Question) -> SourceInfo:
    return SourceInfo(
        id=item.id,
        name=item.name,
        help=item.help,
        needs_from=item.id in CLAIMED_SOURCES,
        needs_tile=item.id != "dealt",
        seat=item.seat,
    )


def _penalty(item: PenaltyRule) -> PenaltyInfo:
    return PenaltyInfo(
        id=item.id,
        name=item.name,
        help=item.help,
        cite=item.cite,
        needs_victim=item.effect in ("pay_victim", "pay_for_all", "reimburse"),
        fatal_discard=item.effect in ("pay_for_all", "reimburse"),
    )


def _special_hands(ruleset: Ruleset) -> tuple[SpecialHandInfo, ...]:
    limit = 0 if ruleset.limit is None else ruleset.limit.value
    return tuple(
        SpecialHandInfo(
            id=item.id,
            name=item.name,
            description=item.description,
            won=_worth(item.won, limit),
            fishing=None if award is None else _worth(award, limit),
            exposed=item.exposed,
            cite=item.cite,
        )
        for item in ruleset.special_hand
        if item.enabled
        for award in (ruleset.fishing_award(item),)
    )


def _worth(award: Award, limit: int) -> Message:
    share = award.share_of(limit)
    if share is None:
        return say("points_times", times=award.times_points or 1)
    return say("points_given", points=share)


def _option(ruleset: Ruleset, item: Option, titles: Mapping[str, Message]) -> OptionInfo:
    try:
        default = ruleset.setting_of(item)
    except Refused as error:
        raise RulesetError(f"{ruleset.id}.toml", f"option.{item.id}", error.words) from error
    return OptionInfo(
        id=item.id,
        name=titles.get(item.id) or plain_words(item.name),
        help=item.help,
        cite=item.cite,
        kind=item.kind,
        default=default,
        minimum=item.minimum,
        maximum=item.maximum,
        choices=tuple((choice.id, choice.name) for choice in item.choices),
        group=item.group,
    )
