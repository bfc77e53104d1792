"""The form of what a rule asks of a reading, as a ruleset file writes it."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from scorer.facts.classes import CLASSES
from scorer.messages import Refused, say


class Model(BaseModel):
    """A part of a ruleset: unknown keys are refused, nothing is converted, nothing changes."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


Form = Literal[
    "sets", "pairs", "pairs_alike", "orphans", "knitted_straight", "unrelated", "unrelated_straight"
]
"""How 14 tiles may lie: four sets and a pair; seven pairs, all different or with two alike;
thirteen orphans; three knitted runs with a set and a pair; or tiles of which no two are related,
without and with three knitted runs."""

FORMS: Final[tuple[Form, ...]] = get_args(Form)

WaitKind = Literal["edge", "closed", "pair", "two_sided", "two_pairs"]
"""Where the winning tile lies: at the end of 123 or 789, between two tiles, in the pair, at an
open end of a chow, or in a pung."""

SetKind = Literal["chow", "pung", "kong", "pair"]

_Letters = Annotated[tuple[str, ...], Field(strict=False, max_length=8)]


def _check_classes(*names: str) -> None:
    for name in names:
        if name not in CLASSES:
            raise Refused(say("unknown_tile_class", name=name, known=tuple(CLASSES)))


class AskedSet(Model):
    """One set that must be there; letters stand for the same thing in all sets of the pattern.

    Attributes:
        kind: a kong is a pung, too.
        same: a letter for the set itself: sets with one letter are alike.
        suit: a letter for its suit; different letters are different suits.
        at: its lowest number: a digit, or ``n`` with what is added to it.
        tiles: the class of all its tiles.
    """

    kind: SetKind
    same: Annotated[str, Field(pattern=r"^[x-z]$")] | None = None
    suit: Annotated[str, Field(pattern=r"^[a-c]$")] | None = None
    at: Annotated[str, Field(pattern=r"^([1-9]|n(\+[1-8])?)$")] | None = None
    tiles: str | None = None

    @model_validator(mode="after")
    def _known(self) -> Self:
        _check_classes(*(() if self.tiles is None else (self.tiles,)))
        return self


class AskedCount(Model):
    """How many sets of some kinds there must be, concealed ones or exposed ones alone if it says.

    Three knitted runs count as three concealed chows.
    """

    kinds: Annotated[tuple[SetKind, ...], Field(strict=False, min_length=1)]
    concealed: bool | None = None
    least: Annotated[int, Field(ge=0, le=4)] = 0
    most: Annotated[int, Field(ge=0, le=4)] = 4


class Asked(Model):
    """What a rule asks of a reading; whatever is left out is not asked.

    Attributes:
        form: how the tiles may lie.
        sets: sets that are there, each another one.
        all: classes to one of which every tile belongs.
        none: classes of which there is no tile.
        some: classes of each of which there is a tile.
        each: classes of each of which every set and the pair hold a tile.
        suits: number of suits of which there are tiles.
        count: numbers of sets.
        wait: where the winning tile may lie.
        every: classes of which there is each tile.
        numbers: the numbers of one suit that are the whole hand; or 13 that are it with one more.
        numbers_held: they were held before the winning tile came.
        each_of: the rule counts once for each of these tiles or fours of a kind.
    """

    form: Annotated[tuple[Form, ...], Field(strict=False)] = ()
    sets: Annotated[tuple[AskedSet, ...], Field(strict=False, max_length=5)] = ()
    all: _Letters = ()
    none: _Letters = ()
    some: _Letters = ()
    each: _Letters = ()
    suits: Annotated[int, Field(ge=0, le=3)] | None = None
    count: Annotated[tuple[AskedCount, ...], Field(strict=False, max_length=4)] = ()
    wait: Annotated[tuple[WaitKind, ...], Field(strict=False)] = ()
    every: _Letters = ()
    numbers: Annotated[
        tuple[Annotated[str, Field(pattern=r"^[1-9]{13,14}$")], ...], Field(strict=False)
    ] = ()
    numbers_held: bool = False
    each_of: Literal["four_alike", "dora", "ura", "red"] | None = None

    @model_validator(mode="after")
    def _known_classes(self) -> Self:
        _check_classes(*self.all, *self.none, *self.some, *self.each, *self.every)
        return self
