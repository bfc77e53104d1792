"""The form of rules, special hands, questions and house rules in a ruleset file."""

from __future__ import annotations

from fractions import Fraction
from string import Formatter
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from scorer.facts.asked import Asked, Model
from scorer.facts.shapes import NUMBERED_SHAPES, SHAPES, can_hold
from scorer.messages import Message, Refused, own_words, say
from scorer.rules.conditions import CONDITIONS, TILE_CLASSES
from scorer.tiles import PLAYING_TILES, parse_tiles

Name = Annotated[str, Field(min_length=1)]
Names = Annotated[tuple[Name, ...], Field(strict=False)]
Numbers = Annotated[
    tuple[Annotated[int, Field(ge=1, le=9)], ...], Field(strict=False, max_length=9)
]


def template(*fields: str) -> AfterValidator:
    """Refuses a text that holds anything in braces but these fields."""

    def check(text: str) -> str:
        try:
            found = {(name, spec or "", how) for _, name, spec, how in Formatter().parse(text)}
        except ValueError:
            found = {("", "", None)}
        if found - {(None, "", None), *((field, "", None) for field in fields)}:
            known = tuple(f"{{{field}}}" for field in fields)
            raise Refused(say("other_braces", known=known))
        return text

    return AfterValidator(check)


WHOLE_HAND_SHAPES: Final = ("sets", "complete")
"""Shapes beside those of :mod:`scorer.facts.shapes`: four melds and a pair; any winning hand."""


Share = Annotated[str, Field(pattern=r"^[1-9]\d{0,2}/[1-9]\d{0,2}$")]
"""A fraction such as 2/5."""

Kind = Literal["chow", "pung", "kong", "pair"]

Who = Literal["everyone", "winner", "winner_or_fishing"]
"""Whose hand a rule counts for."""


MAX_CONDITIONS: Final = 12
"""Maximum number of conditions in one list of a rule or special hand; the longest shipped has 3."""

Conditions = Annotated[Names, Field(max_length=MAX_CONDITIONS)]


class _Conditional(Model):
    when: Conditions = ()
    unless: Conditions = ()

    @model_validator(mode="after")
    def _known_conditions(self) -> Self:
        for name in (*self.when, *self.unless):
            if name not in CONDITIONS:
                raise Refused(say("unknown_condition", name=name, known=tuple(CONDITIONS)))
        return self


class Selector(Model):
    """The melds that a rule pays: their kinds, the class of their tile, and their exposure."""

    kinds: Names
    tiles: Name
    concealed: bool | None = None

    @model_validator(mode="after")
    def _known_class(self) -> Self:
        if self.tiles not in TILE_CLASSES:
            known = tuple(TILE_CLASSES)
            raise Refused(say("unknown_tile_class", name=self.tiles, known=known))
        return self


_LAST_TILE: Final = ": {tile}"


class Rule(_Conditional, Asked):
    """Points, doubles, fan, fu or limits, once, per meld or per bonus tile.

    ``{tile}`` in the text is the tile.

    Rules of the ``bonus`` group are what flowers and seasons bring; they may count beside the
    award of a special hand, and those of ``special_bonus`` count there alone. Those of ``whole``
    double the whole score, a special hand's too and beyond any limit. ``per_bonus`` names
    the class of the bonus tiles that are paid. Of the rules of one ``family`` the first that
    applies counts alone where the ruleset says so. ``who`` has it: every player, the winner alone,
    or the winner and anyone who had called fishing. Of a hand that did not go out, conditions see
    every tile. A rule worth 0 has no line.

    A rule worth fan, fu or limits counts for the winner in a ruleset that has a ``value``. There
    the best of a ``family`` counts. ``fan_exposed`` is its worth in a hand with an exposed meld,
    ``replaces`` are rules that do not count beside it for the same sets, ``replaces_once`` those
    that count once less, ``alone`` lets it count where no other of its unit does, ``fixed`` fu are
    all the fu there are and are not rounded, and for a hand with a ``liable`` rule a player may
    have to pay who fed its last set.
    """

    id: Name
    text: Annotated[Name, template("tile")]
    cite: Name
    who: Who = "everyone"
    group: Literal["hand", "bonus", "special_bonus", "whole"] = "hand"
    points: int | None = None
    doubles: int | None = None
    fan: int | None = None
    fan_exposed: int | None = None
    fu: int | None = None
    limits: int | None = None
    replaces: Names = ()
    replaces_once: Names = ()
    alone: bool = False
    fixed: bool = False
    liable: bool = False
    per_set: Selector | None = None
    per_bonus: Name | None = None
    family: Name | None = None
    enabled: bool = True

    @property
    def title(self) -> Message:
        """The text in a list of rules: it names the class of its tiles where the text has any."""
        tiles = self.per_set.tiles if self.per_set is not None else self.per_bonus
        if tiles is None or self.text.endswith(_LAST_TILE):
            return own_words(self.text.removesuffix(_LAST_TILE), tile="...")
        return own_words(self.text, tile=say(f"tiles_{tiles}"))

    @property
    def is_fan(self) -> bool:
        """Whether it counts fan, fu or limits."""
        return self.points is None and self.doubles is None

    @property
    def of_bonus_tiles(self) -> bool:
        """Whether it counts only where flowers and seasons do."""
        return self.group in ("bonus", "special_bonus") and self.each_of is None

    @model_validator(mode="after")
    def _one_unit(self) -> Self:
        units = (self.points, self.doubles, self.fan, self.fu, self.limits)
        if sum(unit is not None for unit in units) != 1:
            raise Refused(say("points_or_doubles"))
        if self.per_set is not None and self.per_bonus is not None:
            raise Refused(say("per_meld_or_bonus"))
        if self.per_bonus is not None and self.per_bonus not in TILE_CLASSES:
            raise Refused(say("unknown_bonus_class", name=self.per_bonus))
        return self

    @model_validator(mode="after")
    def _decided_once(self) -> Self:
        looks = [CONDITIONS[name].reading is not None for name in (*self.when, *self.unless)]
        if self.is_fan:
            return self
        if self.group != "hand" and (any(looks) or self.per_set is not None):
            raise Refused(say("bonus_by_melds"))
        if self.group == "whole" and (self.doubles is None or self.per_bonus is not None):
            raise Refused(say("whole_by_points"))
        if self.family is not None and any(looks):
            raise Refused(say("family_by_melds"))
        if self.per_set is not None and looks:
            raise Refused(say("per_meld_conditions"))
        return self


class Award(Model):
    """What a special hand earns: a share of the limit, or its points times a number.

    ``of`` says which points are multiplied: those of the hand, or those of its melds alone (what
    every player scores); ``bonus_too`` multiplies the points of the bonus tiles along with them.
    """

    limit: Share | None = None
    times_points: Annotated[int, Field(ge=1)] | None = None
    of: Literal["hand", "sets"] = "hand"
    bonus_too: bool = False

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if (self.limit is None) == (self.times_points is None):
            raise Refused(say("limit_or_points"))
        return self

    def share_of(self, limit: int) -> int | None:
        """The award in points for that limit, rounded down; None when it multiplies points."""
        return None if self.limit is None else int(limit * Fraction(self.limit))


class SpecialHand(_Conditional):
    """A special hand: its shape, what else must hold, and what it earns won and fishing.

    ``exposed`` is ``any`` when melds may be exposed, ``last_claimed`` when all but the last tile
    must be drawn, ``none`` when the last tile must be drawn as well; a kong laid down concealed
    is drawn.
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
            raise Refused(say("unknown_shape", shape=self.shape, known=known))
        if bool(self.numbers) != (self.shape in NUMBERED_SHAPES):
            raise Refused(say("needless_numbers", shapes=NUMBERED_SHAPES))
        if (self.when or self.unless) and self.shape not in WHOLE_HAND_SHAPES:
            raise Refused(say("needless_conditions", shapes=WHOLE_HAND_SHAPES))
        if self.winning_tile is not None and self.winning_tile not in PLAYING_TILES:
            raise Refused(say("unknown_tile_in_rules", tile=self.winning_tile))
        if self.winning_tile is not None and not self._may_hold(self.winning_tile):
            raise Refused(say("tile_not_in_shape", shape=self.shape, tile=self.winning_tile))
        return self

    def _may_hold(self, tile: str) -> bool:
        return self.shape in WHOLE_HAND_SHAPES or can_hold(self.shape, tile, self.numbers)


class Question(Model):
    """Something that a page asks about a deal, in words for people.

    ``sources`` are the ways of going out to which a flag applies, ``seat`` the only seat that may
    answer yes, the dealer's wherever it is or a fixed one, ``kongs`` the number of kongs laid down
    that it takes. A status that ``scores`` gives the hand its points although it cannot go out;
    ``rights`` are sentences on what else the player may and may not do, and ``cite`` says where
    it is written; ``scores_cite`` where it is written that the hand scores nothing, if elsewhere.
    A ``declared`` flag is asked of each winner who has declared being ready.
    """

    id: Name
    name: Name
    help: Name
    sources: Names = ()
    from_seat: Literal["E", "S", "W", "N"] | None = None
    seat: Literal["E", "S", "W", "N", "dealer"] | None = None
    kongs: Annotated[int, Field(ge=0, le=4)] = 0
    declared: bool = False
    scores: bool = False
    rights: Names = ()
    cite: str = ""
    scores_cite: str = ""


class Danger(Model):
    """Tiles that may not be thrown while a player shows enough of their group.

    Attributes:
        text: what the player shows, for people.
        groups: groups of tiles, each a compact string; what is shown of one bars tiles of that one.
        sets: how many pungs or kongs of a group the player must show; or
        tiles: how many tiles of it.
        others: whether the tiles of the sets shown may be thrown all the same.
    """

    id: Name
    text: Name
    groups: Annotated[Names, Field(min_length=1)]
    sets: Annotated[int, Field(ge=1, le=4)] | None = None
    tiles: Annotated[int, Field(ge=1, le=16)] | None = None
    others: bool = False

    @model_validator(mode="after")
    def _one_measure(self) -> Self:
        if (self.sets is None) == (self.tiles is None):
            raise Refused(say("danger_measure"))
        if any(tile not in PLAYING_TILES for group in self.groups for tile in parse_tiles(group)):
            raise Refused(say("danger_groups"))
        return self


class Chows(Model):
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


class Choice(Model):
    """One setting of an option, and the value that it gives the ruleset."""

    id: Name
    name: Name
    value: Any


class Option(Model):
    """A house rule: a value of the ruleset that a club may set, found at the path ``target``.

    The paths in ``also`` are set to the same value.
    """

    id: Name
    name: Name
    help: str
    cite: Name
    kind: Literal["integer", "boolean", "choice"]
    target: Name
    also: Names = ()
    group: Literal["house", "rule", "special_hand"] = "house"
    minimum: int = 0
    maximum: int = 100_000
    choices: Annotated[tuple[Choice, ...], Field(strict=False)] = ()

    @model_validator(mode="after")
    def _choices_where_due(self) -> Self:
        if bool(self.choices) != (self.kind == "choice"):
            raise Refused(say("needless_choices"))
        return self


def _replace_later_ones(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    after: set[str] = set()
    for rule in reversed(rules):
        for name in (*rule.replaces, *rule.replaces_once):
            if name not in after:
                raise Refused(say("replaces_nothing", rule=rule.id, name=name))
        after.add(rule.id)
    return rules


REPLACE_LATER: Final = AfterValidator(_replace_later_ones)
"""Rules of which each may replace only some that come after it."""


def switch(
    table: Literal["rule", "special_hand"], item: str, name: str, text: str, cite: str
) -> Option:
    """The option that switches a rule or special hand on or off."""
    return Option(
        id=item,
        name=name,
        help=text,
        cite=cite,
        kind="boolean",
        target=f"{table}.{item}.enabled",
        group=table,
    )
