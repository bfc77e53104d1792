"""What a club can decide: a frozen dataclass for each group, whose empty form decides nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, ClassVar, Final, Self

from pydantic import Field, TypeAdapter, ValidationError

from scorer.deal import ChangeValue
from webapp.draw.entrants import Strength
from webapp.evening.round_clock import MAX_EARLY, MAX_MINUTES, Ending

MAX_STAKE: Final = 10_000
"""Maximum worth of 100 points, in pence."""

MAX_ROUNDS: Final = 4
"""Maximum number of rounds of a game: one for each wind."""

MAX_DAYS: Final = 3650
"""Maximum number of days for which photos can be kept, other than for ever."""


class Group:
    """A group of what a club decides, kept as one setting.

    Attributes:
        KEY: the key of the setting.
    """

    __slots__ = ()
    KEY: ClassVar[str]

    @classmethod
    def from_told(cls, told: object) -> Self:
        """What is kept; the empty form if it cannot be read, such as from a foreign copy."""
        try:
            read: Self = _FORMS[cls.KEY].validate_json(json.dumps(told), strict=True)
        except ValidationError:
            return cls()
        return read

    def told(self) -> Any:  # noqa: ANN401 - each setting has its form
        """The group in the form in which it is kept."""
        return asdict(self)  # type: ignore[call-overload]  # each group is a dataclass


@dataclass(frozen=True, slots=True)
class ClubRules(Group):
    """The rules that the club plays.

    Attributes:
        ruleset: the id of the ruleset; None if nothing is decided.
        changes: settings of the ruleset's options, by option id.
        rounds: the number of rounds of a game; None for as many as the rules say.
    """

    KEY: ClassVar[str] = "rules"
    ruleset: str | None = None
    changes: Mapping[str, ChangeValue] = field(default_factory=dict)
    rounds: Annotated[int, Field(ge=1, le=MAX_ROUNDS)] | None = None


@dataclass(frozen=True, slots=True)
class RoundLength(Group):
    """For how many minutes the clock of a round is set; None if nothing is decided."""

    KEY: ClassVar[str] = "round"
    minutes: Annotated[int, Field(ge=1, le=MAX_MINUTES)] | None = None


@dataclass(frozen=True, slots=True)
class LastHand(Group):
    """How a round ends.

    Attributes:
        ending: what is played once the last hand is called.
        early: how many minutes before the end of the round it is called.
    """

    KEY: ClassVar[str] = "last_hand"
    ending: Ending = Ending.FINISH
    early: Annotated[int, Field(ge=0, le=MAX_EARLY)] = 0


@dataclass(frozen=True, slots=True)
class Stake(Group):
    """The worth of 100 points in pence, 0 for no money; None if nothing is decided."""

    KEY: ClassVar[str] = "stake"
    pence: Annotated[int, Field(ge=0, le=MAX_STAKE)] | None = None


@dataclass(frozen=True, slots=True)
class ClubLanguage(Group):
    """The code of the language for phones that have none of their own; None if undecided."""

    KEY: ClassVar[str] = "language"
    code: str | None = None


@dataclass(frozen=True, slots=True)
class ClubTiles(Group):
    """The name of the tile set that is on the club's tables; None if nothing is decided."""

    KEY: ClassVar[str] = "tiles"
    name: str | None = None


@dataclass(frozen=True, slots=True)
class HallDisplay(Group):
    """What the display in the hall shows.

    Attributes:
        open: whether it is shown without a login where there are accounts.
        full_names: whether it tells whole names, not first names only.
    """

    KEY: ClassVar[str] = "hall"
    open: bool = False
    full_names: bool = False


@dataclass(frozen=True, slots=True)
class PhotoDays(Group):
    """The number of days for which photos are kept: 0 for the evening only, None for ever."""

    KEY: ClassVar[str] = "photo_days"
    days: Annotated[int, Field(ge=0, le=MAX_DAYS)] | None = None

    @classmethod
    def from_told(cls, told: object) -> Self:
        """The number alone is kept."""
        return super(PhotoDays, cls).from_told({"days": told})

    def told(self) -> Any:  # noqa: ANN401 - as in the group
        """The number alone."""
        return self.days


@dataclass(frozen=True, slots=True)
class PhotoGiving(Group):
    """Whether photos of the club's tiles may be given to the project, without names."""

    KEY: ClassVar[str] = "photo_giving"
    given: bool = False


@dataclass(frozen=True, slots=True)
class NationalList(Group):
    """Whether the association lists the club's players with their results."""

    KEY: ClassVar[str] = "national"
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class NameOrder(Group):
    """Whether names that are read aloud are sorted by last names, not by first names."""

    KEY: ClassVar[str] = "name_order"
    by_last: bool = False


@dataclass(frozen=True, slots=True)
class DrawStrength(Group):
    """How strength is minded where tables are drawn."""

    KEY: ClassVar[str] = "strength"
    strength: Strength = Strength.ANY


GROUPS: Final[Mapping[str, type[Group]]] = {
    group.KEY: group
    for group in (
        ClubRules,
        RoundLength,
        LastHand,
        Stake,
        ClubLanguage,
        ClubTiles,
        HallDisplay,
        PhotoDays,
        PhotoGiving,
        NationalList,
        NameOrder,
        DrawStrength,
    )
}
"""All groups by their keys."""

_FORMS: Final[Mapping[str, TypeAdapter[Any]]] = {
    key: TypeAdapter(group) for key, group in GROUPS.items()
}
"""How each group is read."""
