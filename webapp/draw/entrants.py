"""Who is to be seated, what they and the club wish, and what the season knows of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

Pair = frozenset[str]
"""The names of two players."""


class DrawRefused(ValueError):
    """Nobody can be seated as asked.

    Attributes:
        kind: ``few`` for fewer than three players in a round, ``twice`` for a name given twice,
            ``unknown`` for a wish about someone who does not play, ``apart_together`` for two who
            are to be kept apart and together, ``rounds`` for no round at all.
        names: the players concerned.
        round: the round concerned, from 0; None if it is all of them.
    """

    def __init__(self, kind: str, names: Iterable[str] = (), round_: int | None = None) -> None:
        self.kind, self.names, self.round = kind, tuple(names), round_
        super().__init__(kind)


class Odd(StrEnum):
    """What is done with the players who are left over when tables of four are made."""

    FIVES = "fives"
    """Tables of five, at which one sits out each hand in turn."""
    THREES = "threes"
    """Tables of three."""
    REST = "rest"
    """They sit out the round."""


class Strength(StrEnum):
    """How the players' strength is minded."""

    ANY = "any"
    """Not at all."""
    BALANCED = "balanced"
    """Every table is about as strong as the others."""
    ALIKE = "alike"
    """The strong play the strong, the learners play learners."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Someone who plays.

    Attributes:
        name: the player's name, unlike all others'.
        first: the first round, counted from 0, for which the player is here.
        last: the last round for which the player is here; None if they stay to the end.
        table: the number of the table, counted from 1, at which the player always sits; None if it
            may be any.
        strength: how strong the player is, on any scale; None if it is not known.
    """

    name: str
    first: int = 0
    last: int | None = None
    table: int | None = None
    strength: float | None = None

    def plays(self, round_: int) -> bool:
        """Whether the player is here in a round, counted from 0."""
        return self.first <= round_ and (self.last is None or round_ <= self.last)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the club wishes of its draw.

    Attributes:
        apart: pairs who are not to meet.
        together: pairs who are to sit at one table.
        strength: how strength is minded.
        odd: what is done with those left over.
    """

    apart: frozenset[Pair] = frozenset()
    together: frozenset[Pair] = frozenset()
    strength: Strength = Strength.ANY
    odd: Odd = Odd.FIVES


@dataclass(frozen=True, slots=True)
class Past:
    """What was played this season before the draw.

    Attributes:
        met: how often two players have sat at one table.
        odd: how often a player has sat out or played at a table that was not of four.
        east: how often a player has been the first East.
    """

    met: Mapping[Pair, int] = field(default_factory=Counter)
    odd: Mapping[str, int] = field(default_factory=Counter)
    east: Mapping[str, int] = field(default_factory=Counter)


def check(entrants: Iterable[Entrant], wishes: Wishes, rounds: int) -> None:
    """Refuse what cannot be drawn.

    Raises:
        DrawRefused: see there.
    """
    names = Counter(entrant.name for entrant in entrants)
    if rounds < 1:
        raise DrawRefused("rounds")
    if twice := [name for name, times in names.items() if times > 1]:
        raise DrawRefused("twice", twice)
    asked = {name for pair in wishes.apart | wishes.together for name in pair}
    if unknown := sorted(asked - names.keys()):
        raise DrawRefused("unknown", unknown)
    for pair in sorted(map(sorted, wishes.apart & wishes.together)):
        raise DrawRefused("apart_together", pair)
