"""The form of a ruleset: what its data file may hold, and what each part means."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from scorer.conditions import CONDITIONS, TILE_CLASSES
from scorer.patterns import NUMBERED_SHAPES, SHAPES
from scorer.tiles import PLAYING_TILES

Name = Annotated[str, Field(min_length=1)]
Names = Annotated[tuple[Name, ...], Field(strict=False)]
Numbers = Annotated[tuple[Annotated[int, Field(ge=1, le=9)], ...], Field(strict=False)]

WHOLE_HAND_SHAPES: Final = ("sets", "complete")
"""Shapes beside those of :mod:`scorer.patterns`: four sets and a pair; any winning hand at all."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _Conditional(_Model):
    when: Names = ()
    unless: Names = ()

    @model_validator(mode="after")
    def _known_conditions(self) -> Self:
        for name in (*self.when, *self.unless):
            if name not in CONDITIONS:
                raise ValueError(f"unknown condition {name!r}; known are {', '.join(CONDITIONS)}")
        return self


class Selector(_Model):
    """The sets that a rule pays: their kinds, the class of their tile, and their exposure."""

    kinds: Names
    tiles: Name
    concealed: bool | None = None

    @model_validator(mode="after")
    def _known_class(self) -> Self:
        if self.tiles not in TILE_CLASSES:
            known = ", ".join(TILE_CLASSES)
            raise ValueError(f"unknown tile class {self.tiles!r}; known are {known}")
        return self


class Rule(_Conditional):
    """Points or doubles, once, per set or per bonus tile; ``{tile}`` in the text is the tile.

    Rules of the ``bonus`` group are what flowers and seasons bring; they alone count beside the
    award of a special hand.
    """

    id: Name
    text: Name
    cite: Name
    who: Literal["everyone", "winner"] = "everyone"
    group: Literal["hand", "bonus"] = "hand"
    points: int | None = None
    doubles: int | None = None
    per_set: Selector | None = None
    per_bonus: bool = False

    @model_validator(mode="after")
    def _one_unit(self) -> Self:
        if (self.points is None) == (self.doubles is None):
            raise ValueError("needs either points or doubles")
        if self.per_set is not None and self.per_bonus:
            raise ValueError("is paid per set or per bonus tile, not both")
        return self


class Award(_Model):
    """What a special hand earns: a share of the limit, or its points times a number."""

    limit: Annotated[str, Field(pattern=r"^[1-9]\d{0,2}/[1-9]\d{0,2}$")] | None = None
    times_points: Annotated[int, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if (self.limit is None) == (self.times_points is None):
            raise ValueError("needs either limit or times_points")
        return self

    def share_of(self, limit: int) -> int | None:
        """The award in points for that limit, rounded down; None when it multiplies points."""
        return None if self.limit is None else int(limit * Fraction(self.limit))


class SpecialHand(_Conditional):
    """A special hand: its shape, what else must hold, and what it earns won and fishing.

    ``exposed`` is ``any`` when sets may be exposed, ``last_claimed`` when all but the last tile
    must be drawn and no set laid down, ``none`` when the last tile must be drawn as well.
    """

    id: Name
    name: Name
    description: Name
    cite: Name
    shape: Name
    numbers: Numbers = ()
    winning_tile: Name | None = None
    exposed: Literal["any", "last_claimed", "none"] = "any"
    won: Award
    fishing: Award | None = None
    enabled: bool = True

    @model_validator(mode="after")
    def _known_shape(self) -> Self:
        known = (*WHOLE_HAND_SHAPES, *SHAPES)
        if self.shape not in known:
            raise ValueError(f"unknown shape {self.shape!r}; known are {', '.join(known)}")
        if bool(self.numbers) != (self.shape in NUMBERED_SHAPES):
            raise ValueError(f"numbers go with the shapes {', '.join(NUMBERED_SHAPES)}")
        if (self.when or self.unless) and self.shape not in WHOLE_HAND_SHAPES:
            raise ValueError(f"conditions go with the shapes {', '.join(WHOLE_HAND_SHAPES)}")
        if self.winning_tile is not None and self.winning_tile not in PLAYING_TILES:
            raise ValueError(f"unknown tile {self.winning_tile!r}")
        return self


class Limit(_Model):
    """The limit in points, and which totals it cuts."""

    value: Annotated[int, Field(ge=1)]
    caps_ordinary: bool
    caps_special: bool
    text: Name
    cite: Name


class Chows(_Model):
    """How many chows a hand may hold, in the usual game, in a goulash and with three players."""

    per_hand: Annotated[int, Field(ge=0, le=4)]
    goulash: Annotated[int, Field(ge=0, le=4)]
    three_players: Annotated[int, Field(ge=0, le=4)]
    text: Name
    cite: Name

    def allowed(self, players: int, *, goulash: bool) -> int:
        """The number of chows allowed to a hand of that deal."""
        limits = [self.per_hand]
        if goulash:
            limits.append(self.goulash)
        if players == 3:
            limits.append(self.three_players)
        return min(limits)


class Goulash(_Model):
    """The goulash: which tile is wild, and how it is told to people."""

    wild: Name | None
    text: Name
    cite: Name

    @model_validator(mode="after")
    def _known_tile(self) -> Self:
        if self.wild is not None and self.wild not in PLAYING_TILES:
            raise ValueError(f"unknown tile {self.wild!r}")
        return self


class Settlement(_Model):
    """Who pays whom: whether losers settle differences, told to people in ``text``."""

    losers_settle: bool
    text: Name
    cite: Name


class PenaltyRule(_Model):
    """A penalty: its effect, and for those paid in points the amount."""

    id: Literal["false_naming_set", "false_naming_win", "false_win", "wrong_claim", "cannon"]
    name: Name
    help: Name
    cite: Name
    effect: Literal["pay_victim", "pay_each", "pay_for_all", "reimburse", "no_win"]
    points: Annotated[int, Field(ge=0)] | None = None
    limit: Annotated[str, Field(pattern=r"^[1-9]\d{0,2}/[1-9]\d{0,2}$")] | None = None

    @model_validator(mode="after")
    def _amount_where_due(self) -> Self:
        given = (self.points is not None) + (self.limit is not None)
        if given != (self.effect in ("pay_victim", "pay_each")):
            raise ValueError("pay_victim and pay_each need points or limit, the others neither")
        return self

    def amount(self, limit: int) -> int:
        """The points paid, for that limit; 0 where the effect sets the amount."""
        if self.limit is not None:
            return int(limit * Fraction(self.limit))
        return self.points or 0


class Question(_Model):
    """Something that a page asks about a deal, in words for people.

    ``sources`` are the ways of going out to which a flag applies, ``seat`` the only seat that may
    answer yes, ``kongs`` the number of kongs laid down that it takes.
    """

    id: Name
    name: Name
    help: Name
    sources: Names = ()
    from_seat: Literal["E", "S", "W", "N"] | None = None
    seat: Literal["E", "S", "W", "N"] | None = None
    kongs: Annotated[int, Field(ge=0, le=4)] = 0


class Choice(_Model):
    """One setting of an option, and the value that it gives the ruleset."""

    id: Name
    name: Name
    value: Any


class Option(_Model):
    """A house rule: a value of the ruleset that a club may set, found at the path ``target``."""

    id: Name
    name: Name
    help: Name
    cite: Name
    kind: Literal["integer", "boolean", "choice"]
    target: Name
    minimum: int = 0
    maximum: int = 100_000
    choices: Annotated[tuple[Choice, ...], Field(strict=False)] = ()

    @model_validator(mode="after")
    def _choices_where_due(self) -> Self:
        if bool(self.choices) != (self.kind == "choice"):
            raise ValueError("an option of the kind choice, and no other, lists its choices")
        return self


class Texts(_Model):
    """The lines that come from the form of the result, not from a rule of their own."""

    bonus: Name
    bonus_cite: Name
    claimed: Name
    claimed_cite: Name
    won: Name
    fishing: Name


class Ruleset(_Model):
    """One rule system, as its file gives it with any changes applied."""

    id: Name
    name: Name
    description: Name
    default: bool = False
    players: Annotated[tuple[Literal[3, 4], ...], Field(strict=False)]
    dealer_moves: bool
    undeclared_kongs: bool
    limit: Limit
    chows: Chows
    goulash: Goulash
    settlement: Settlement
    texts: Texts
    rule: Annotated[tuple[Rule, ...], Field(strict=False)]
    special_hand: Annotated[tuple[SpecialHand, ...], Field(strict=False)]
    penalty: Annotated[tuple[PenaltyRule, ...], Field(strict=False)]
    source: Annotated[tuple[Question, ...], Field(strict=False)]
    flag: Annotated[tuple[Question, ...], Field(strict=False)]
    status: Annotated[tuple[Question, ...], Field(strict=False)]
    option: Annotated[tuple[Option, ...], Field(strict=False)] = ()

    @model_validator(mode="after")
    def _ids_once(self) -> Self:
        scored = [*(rule.id for rule in self.rule), *(hand.id for hand in self.special_hand)]
        options = [item.id for item in self.options()]
        penalties = [str(item.id) for item in self.penalty]
        for ids in (scored, options, penalties):
            twice = sorted({name for name in ids if ids.count(name) > 1})
            if twice:
                raise ValueError(f"the id {twice[0]!r} is used twice")
        return self

    def chows_allowed(self, players: int, *, goulash: bool) -> int:
        """The number of chows that a hand of such a deal may hold."""
        return self.chows.allowed(players, goulash=goulash)

    @model_validator(mode="after")
    def _targets_exist(self) -> Self:
        for option in self.option:
            self.value_at(option.target)
        return self

    def value_at(self, target: str) -> object:
        """The value at an option's path: keys, and ids within lists, joined by dots.

        Raises:
            ValueError: nothing is there.
        """
        value: object = self
        for step in target.split("."):
            if isinstance(value, tuple):
                value = next((item for item in value if item.id == step), None)
            else:
                value = getattr(value, step, None)
        if value is None:
            raise ValueError(f"nothing is found at the target {target!r}")
        return value

    def options(self) -> tuple[Option, ...]:
        """Every house rule that may be set: the listed ones, then each special hand on or off."""
        hands = tuple(
            Option(
                id=hand.id,
                name=hand.name,
                help=hand.description,
                cite=hand.cite,
                kind="boolean",
                target=f"special_hand.{hand.id}.enabled",
            )
            for hand in self.special_hand
        )
        return self.option + hands
