"""What was played in a contest, and what the organiser added or took away."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

_KEPT: Final = re.compile(r"-?\d{1,9}(/\d{1,9})?")
"""How a number of points is kept, as a whole number or a fraction."""

Table = tuple["Score", ...]
"""The scores of all who played at one table."""


def kept_points(told: str) -> Fraction:
    """The number of points that was kept as this text.

    Raises:
        ValueError: it is anything else, such as a number that takes for ever to be worked out.
    """
    if not _KEPT.fullmatch(told):
        raise ValueError(told)
    return Fraction(told)


@dataclass(frozen=True, slots=True)
class Score:
    """What one player brought home from one table.

    Attributes:
        player: the player's id.
        points: the game points won or lost there.
        won: the number of hands on which the player went out.
        highest: the worth of the best of those hands; 0 if none was scored.
    """

    player: str
    points: int
    won: int = 0
    highest: int = 0


@dataclass(frozen=True, slots=True)
class Stage:
    """What counts as one: a round of a tournament, or an evening of a league.

    Attributes:
        key: what tells it from the others.
        tables: its tables; a player may sit at several of them, one after the other.
        complete: whether nothing more will be played in it.
        brought: results from a list, of which nobody knows at which tables they were won.
    """

    key: str
    tables: tuple[Table, ...]
    complete: bool = True
    brought: Table = ()


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points that the organiser gives a player, or takes away.

    Attributes:
        player: the player's id.
        points: how many; below 0 for a penalty.
        reason: why, in the organiser's words.
        since: the key of the stage from which it counts; from the start if there is none of it.
    """

    player: str
    points: Fraction
    reason: str
    since: str = ""

    def to_json(self) -> dict[str, Any]:
        """The adjustment as a JSON value."""
        return {
            "player": self.player,
            "points": str(self.points),
            "reason": self.reason,
            "since": self.since,
        }

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> Adjustment:
        """The adjustment of which :meth:`to_json` made this JSON value."""
        return cls(told["player"], kept_points(told["points"]), told["reason"], told["since"])


@dataclass(frozen=True, slots=True)
class Team:
    """Players who are ranked together, by their ids."""

    name: str
    players: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The team as a JSON value."""
        return {"name": self.name, "players": list(self.players)}

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> Team:
        """The team of which :meth:`to_json` made this JSON value."""
        return cls(told["name"], tuple(told["players"]))
