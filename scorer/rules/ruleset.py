"""The form of a ruleset: what its data file may hold, and what each part means."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, Field, field_validator, model_validator

from scorer.facts.asked import Model
from scorer.facts.value import Case, Counters, Pay, Value, first_fitting
from scorer.messages import Message, Refused, say
from scorer.rules.rule import (
    REPLACE_LATER,
    Award,
    Chows,
    Danger,
    Kind,
    Name,
    Names,
    Option,
    Question,
    Rule,
    Share,
    SpecialHand,
    switch,
    template,
)
from scorer.tiles import BLANK, PLAYING_TILES

MAX_ROWS: Final = 150
"""Maximum number of rules, special hands or the like in one table; the longest shipped has 35."""

_TABLES: Final = Field(strict=False, max_length=MAX_ROWS)


class Limit(Model):
    """The limit in points, and which totals it cuts."""

    value: Annotated[int, Field(ge=1)]
    caps_ordinary: bool
    caps_special: bool
    text: Annotated[Name, template("limit")]
    cite: Name


class Goulash(Model):
    """The goulash: which tile is wild, what it may do, and its description for people.

    Attributes:
        wild: a playing tile, or ``blank`` for spare tiles added as jokers.
        wild_per_set: how many wild tiles a pung or kong may hold.
        wild_pair: whether two wild tiles may be a pair.
        wild_kongs: whether three tiles and a wild one in hand count as an undeclared kong.
        wild_special: how many wild tiles a special hand without pungs or kongs may hold.
    """

    wild: Name
    wild_per_set: Annotated[int, Field(ge=0, le=2)] = 1
    wild_pair: bool = True
    wild_kongs: bool = True
    wild_special: Annotated[int, Field(ge=0, le=4)] = 4
    text: Name
    cite: Name

    @model_validator(mode="after")
    def _known_tile(self) -> Self:
        if self.wild not in (*PLAYING_TILES, BLANK):
            raise Refused(say("unknown_tile_in_rules", tile=self.wild))
        return self


class Settlement(Model):
    """Who pays whom; ``text`` describes it for people.

    Attributes:
        winner_paid: everybody pays the winner the whole score, or the difference to their own.
        losers_settle: whether the losers pay each other the differences.
        after_draw: whether a drawn hand is scored and its differences are settled.
        dealer_pays: times what others pay when the dealer pays the winner.
        dealer_receives: the same when the dealer has won.
        dealer_among_losers: the same between the dealer and another loser.
        dealer_in_fines: the same for penalties paid in points.
        cannon_settles: whether losers settle with each other after a cannon.
        losers_cite: where the losers' part is written, if not at ``cite``.
        pays: what is paid by whom where the ruleset has a ``value``; nothing else is then.
        way: which of the ways named in ``pays`` is played.
        paid_to: payments are rounded up to a multiple of it.
        liable: whether somebody may pay for the set that completed a hand.
        winners: how many players may go out on one tile.
    """

    winner_paid: Literal["score", "difference"] = "score"
    losers_settle: bool
    after_draw: bool = False
    dealer_pays: Annotated[int, Field(ge=1, le=4)] = 2
    dealer_receives: Annotated[int, Field(ge=1, le=4)] = 2
    dealer_among_losers: Annotated[int, Field(ge=1, le=4)] = 2
    dealer_in_fines: Annotated[int, Field(ge=1, le=4)] = 1
    cannon_settles: bool = True
    text: Name
    cite: Name
    losers_cite: Name | None = None
    pays: Annotated[tuple[Pay, ...], Field(strict=False)] = ()
    way: str = ""
    paid_to: Annotated[int, Field(ge=1)] = 1
    liable: bool = False
    winners: Annotated[int, Field(ge=1, le=3)] = 1

    @cached_property
    def pay_by_case(self) -> Mapping[Case, Pay]:
        """The row by which each case is paid."""
        return first_fitting([row for row in self.pays if row.way in (None, self.way)])


class Game(Model):
    """The game around the hands: how winds, rounds and the dealer's office move.

    Attributes:
        dealer_maximum: hands in a row that the dealer may win before the winds pass; 0: no maximum.
        draw_ends_run: whether a drawn hand between two of the dealer's wins ends the row.
        after_draw: a goulash with the winds as they are, an ordinary hand ``again``, or ``pass``;
            ``ready``: the dealer stays if ready.
        false_win_again: whether a hand without a winner in which a false Mah Jong was fined was
            broken off by it and is played again with the same winds; else it counts as drawn.
        rounds: rounds of a game with four players; ``rounds_three_players`` with three.
        start_points: what each player begins with.
        broke_ends: whether the game ends when a player has no points left.
        kong_box_played: whether play goes on into the kong box when the wall is used up.
        counters: whether a counter is added after each drawn hand and each of the dealer's wins,
            until another player wins, and sticks lie on the table until somebody does.
        sticks_left: whether the first player gets the sticks left when the game is over.
        abortive: whether a hand may be broken off: nobody pays and the dealer stays.
    """

    dealer_maximum: Annotated[int, Field(ge=0, le=16)]
    draw_ends_run: bool = False
    after_draw: Literal["goulash", "again", "pass", "ready"]
    false_win_again: bool = False
    rounds: Annotated[int, Field(ge=1, le=4)] = 4
    rounds_three_players: Annotated[int, Field(ge=1, le=4)] = 4
    start_points: Annotated[int, Field(ge=0)] = 0
    broke_ends: bool = False
    kong_box_played: bool = False
    counters: bool = False
    sticks_left: Literal["first", "nobody"] = "nobody"
    abortive: bool = False
    text: Name
    cite: Name

    @property
    def drawn_text(self) -> Message:
        """A sentence for people that says when a hand is drawn."""
        if self.kong_box_played:
            return say("kong_box_played")
        return say("kong_box_not_played")


class Rounding(Model):
    """Totals rounded to the nearest multiple of ``to``, halves up."""

    to: Annotated[int, Field(ge=1, le=100)] = 1
    text: Annotated[Name, template("to", "exact")]
    cite: Name


class PenaltyRule(Model):
    """A penalty: its effect, for those paid in points the amount, and what discards deserve it."""

    id: Literal["false_naming_set", "false_naming_win", "false_win", "wrong_claim", "cannon"]
    name: Name
    help: Name
    cite: Name
    effect: Literal["pay_victim", "pay_each", "pay_for_all", "reimburse", "no_win"]
    points: Annotated[int, Field(ge=0)] | None = None
    limit: Share | None = None
    danger: Annotated[tuple[Danger, ...], Field(strict=False)] = ()

    @model_validator(mode="after")
    def _amount_where_due(self) -> Self:
        given = (self.points is not None) + (self.limit is not None)
        if given != (self.effect in ("pay_victim", "pay_each")):
            raise Refused(say("penalty_amount"))
        return self

    def amount(self, limit: Limit | None) -> int:
        """The points paid, for that limit; 0 where the effect sets the amount."""
        if self.limit is not None and limit is not None:
            return int(limit.value * Fraction(self.limit))
        return self.points or 0


class Texts(Model):
    """The lines that come from the form of the result, not from a rule of their own."""

    bonus: Annotated[Name, template("points", "factor")]
    bonus_cite: Name
    claimed: Name
    claimed_cite: Name
    won: Annotated[Name, template("name", "award")]
    fishing: Annotated[Name, template("name", "award")]


class Ruleset(Model):
    """One rule system, as its file gives it with any changes applied.

    Attributes:
        base: the ruleset that this one is built on.
        documents: the numbers of the documents that it follows.
        changes: the options that are set differently than in the base.
        players: how many can play.
        dealer_moves: seats keep their winds and the dealer's office moves instead.
        undeclared_kongs: four alike in hand count as a concealed kong when someone else wins.
        claimed_pair_exposes: a pair completed by a discard breaks a concealed hand.
        families_add: every rule of a family counts, not the first that applies alone.
        best_of: whether a special hand may be scored as an ordinary one when that is more.
        fishing_awards: fishing for a special hand earns its own share, or the whole award.
        own_fours_are_places: tiles of which the player holds all four count as places to fill.
        fishing_called: a fishing award is for players only who had called fishing.
        bonus_tiles: they count, they are but an extra turn, or they are not used.
        special_bonus: when bonus tiles are added to the award of a special hand.
        clean_only: ordinary hands of more than one suit cannot go out.
        count_times: by how much players multiply what they count, fractions too, to get points.
        penalties_apply: whether penalties are paid.
        robbed_completes: the kinds of set that the tile of a robbed kong may complete.
        robbed_special: the same in a special hand, where that differs.
        absent_bonus: whether the flower and the season of a wind at which nobody sits count.
        value: what fan come to, where rules count fan.
        counters: what is paid for hands that went before.
    """

    id: Name
    name: Name
    description: Name
    default: bool = False
    base: Name | None = None
    documents: Names = ()
    changes: dict[str, bool | int | str] = Field(default_factory=dict)
    players: Annotated[tuple[Literal[3, 4], ...], Field(strict=False)]
    dealer_moves: bool
    undeclared_kongs: bool
    claimed_pair_exposes: bool = False
    families_add: bool = True
    best_of: Literal["all", "special"] = "all"
    fishing_awards: Literal["share", "whole"] = "share"
    own_fours_are_places: bool = False
    fishing_called: bool = True
    bonus_tiles: Literal["count", "extra_turn", "unused"] = "count"
    special_bonus: Literal["always", "below_limit", "never"] = "always"
    clean_only: bool = False
    count_times: Annotated[int, Field(ge=1, le=100)] = 1
    penalties_apply: bool = True
    robbed_completes: Annotated[tuple[Kind, ...], Field(strict=False)] = ("chow", "pair")
    robbed_special: Annotated[tuple[Kind, ...], Field(strict=False)] | None = None
    absent_bonus: bool = True
    value: Value | None = None
    counters: Counters | None = None
    limit: Limit | None = None
    chows: Chows
    goulash: Goulash | None = None
    settlement: Settlement
    game: Game
    rounding: Rounding | None = None
    texts: Texts
    rule: Annotated[tuple[Rule, ...], _TABLES, REPLACE_LATER]
    special_hand: Annotated[tuple[SpecialHand, ...], _TABLES]
    penalty: Annotated[tuple[PenaltyRule, ...], _TABLES]
    source: Annotated[tuple[Question, ...], _TABLES]
    flag: Annotated[tuple[Question, ...], _TABLES]
    status: Annotated[tuple[Question, ...], _TABLES]
    option: Annotated[tuple[Option, ...], _TABLES] = ()

    @field_validator("name")
    @classmethod
    def _name_can_be_shown(cls, name: str) -> str:
        if not name.isprintable():
            raise Refused(say("name_not_printable"))
        return name

    @model_validator(mode="after")
    def _ids_once(self) -> Self:
        scored = [*(rule.id for rule in self.rule), *(hand.id for hand in self.special_hand)]
        options = [item.id for item in self.options()]
        for ids in (scored, options, [str(item.id) for item in self.penalty]):
            twice = sorted({name for name in ids if ids.count(name) > 1})
            if twice:
                raise Refused(say("id_twice", id=twice[0]))
        return self

    def counted(self, points: int) -> str | None:
        """Points as players count them, such as ``5 1/2 x 4 = 22``; None where they count points.

        >>> from scorer.rules.rulebook import load_ruleset
        >>> load_ruleset("ming-1876").counted(22)
        '5 1/2 x 4 = 22'
        """
        if self.count_times == 1:
            return None
        whole, rest = divmod(points, self.count_times)
        part = f" {Fraction(rest, self.count_times)}" if rest else ""
        return f"{whole}{part} x {self.count_times} = {points}"

    def fishing_award(self, hand: SpecialHand) -> Award | None:
        """What a player earns who was fishing for the hand when another went out."""
        whole = hand.fishing is not None and self.fishing_awards == "whole"
        return hand.won if whole else hand.fishing

    def scoring_statuses(self) -> frozenset[str]:
        """The statuses whose tiles are counted."""
        return frozenset(status.id for status in self.status if status.scores)

    def chows_allowed(self, players: int, *, goulash: bool) -> int:
        """The number of chows that a hand of such a deal may hold."""
        return self.chows.allowed(players, goulash=goulash)

    @model_validator(mode="after")
    def _targets_exist(self) -> Self:
        for option in self.option:
            for target in (option.target, *option.also):
                self.value_at(target)
        return self

    @model_validator(mode="after")
    def _limit_where_due(self) -> Self:
        if self.limit is None and self._shares_limit():
            raise Refused(say("no_limit"))
        return self

    def _shares_limit(self) -> bool:
        """Whether an award or a penalty is a share of the limit."""
        awards = [award for hand in self.special_hand for award in (hand.won, hand.fishing)]
        shares = [award.limit for award in awards if award is not None]
        return any((*shares, *(rule.limit for rule in self.penalty)))

    def rounded(self, total: int) -> int:
        """A total as it is rounded, halves up."""
        to = 1 if self.rounding is None else self.rounding.to
        return (total + to // 2) // to * to

    def limit_in_force(self) -> int | None:
        """The limit in points; None where it cuts no total and no award is measured by it."""
        limit = self.limit
        cuts = limit is not None and (limit.caps_ordinary or limit.caps_special)
        return limit.value if limit is not None and (cuts or self._shares_limit()) else None

    @property
    def limit_text(self) -> Message:
        """A sentence for people that says what the limit is and what it cuts."""
        limit, value = self.limit, self.limit_in_force()
        if limit is None or value is None:
            return say("limit_of_nothing")
        if limit.caps_ordinary:
            return say("limit_of_all" if limit.caps_special else "limit_of_ordinary", limit=value)
        return say("limit_of_special" if limit.caps_special else "limit_of_awards", limit=value)

    def value_at(self, target: str) -> object:
        """The value at an option's path: keys, and ids within lists, joined by dots.

        Raises:
            Refused: nothing is there.
        """
        value: object = self
        for step in target.split("."):
            if isinstance(value, tuple):
                value = next((item for item in value if item.id == step), None)
            else:
                value = getattr(value, step, None)
        if value is None or isinstance(value, BaseModel):
            raise Refused(say("no_target", target=target))
        return value

    def setting_of(self, option: Option) -> bool | int | str:
        """How one of the options is set: its value, or the id of the choice.

        Raises:
            Refused: the ruleset's value is not one that the option takes.
        """
        value = self.value_at(option.target)
        if option.kind != "choice" and isinstance(value, bool | int | str):
            return value
        for choice in option.choices:
            if _frozen(choice.value) == value:
                return choice.id
        raise Refused(say("usual_not_listed"))

    def options(self) -> tuple[Option, ...]:
        """Every house rule that may be set: the listed ones, then each rule and special hand."""
        rules = tuple(switch("rule", rule.id, str(rule.title), "", rule.cite) for rule in self.rule)
        hands = tuple(
            switch("special_hand", hand.id, hand.name, hand.description, hand.cite)
            for hand in self.special_hand
        )
        return self.option + rules + hands


def _frozen(value: object) -> object:
    """A decoded value with its lists, and those within, as tuples."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
