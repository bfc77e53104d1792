"""What fan come to: their sum, a table, or fan and fu; the least that may go out; who pays."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Annotated, Final, Literal

from pydantic import Field

from scorer.facts.asked import Model
from scorer.messages import Message, say

Steps = Annotated[
    tuple[Annotated[tuple[int, int], Field(strict=False)], ...],
    Field(strict=False, max_length=40),
]

COUNTED: Final = {
    "fan": "fan_counted",
    "faan": "faan_counted",
    "han": "han_counted",
    "points": "points_counted",
}
"""The message of a number of fan, by what players call them."""


class Value(Model):
    """What the fan of a hand are worth.

    Attributes:
        kind: their sum, what a table gives for it, or fu doubled for each fan and two times more.
        unit: what players call them.
        least: the fewest with which a hand may go out.
        least_with_bonus: whether those of bonus tiles and dora count towards them.
        combine: relations of sets join each set but once with those that are joined already.
        table: base points from so many fan on.
        most: the most fan that count together, 0 for no maximum, a rule that is worth more in a sum
            counts alone; or, with fu, the most base points that reach no row of the table.
        fu: the fu of going out.
        fu_to: fu are rounded up to a multiple of it.
        limit: base points of a limit hand, and with fu of each limit that a hand is worth.
    """

    kind: Literal["sum", "table", "fu"]
    unit: Literal["fan", "faan", "han", "points"]
    least: Annotated[int, Field(ge=0)] = 0
    least_with_bonus: bool = False
    combine: bool = False
    table: Steps = ()
    most: Annotated[int, Field(ge=0)] = 0
    fu: int = 0
    fu_to: Annotated[int, Field(ge=1)] = 1
    limit: int = 0
    text: Annotated[str, Field(min_length=1)]
    cite: Annotated[str, Field(min_length=1)]

    def base(self, fan: int, fu: int, limits: int) -> int:
        """The base points of a hand."""
        if limits:
            return limits * self.limit
        if self.kind != "fu":
            fan = min(fan, self.most or fan)
        if self.kind == "sum":
            return fan
        steps = [points for least, points in self.table if fan >= least]
        if self.kind == "table":
            return steps[-1] if steps else 0
        return steps[-1] if steps else min(self.most, fu << (2 + fan))

    def counted(self, fan: int) -> Message:
        """A number of fan with its unit."""
        return say(COUNTED[self.unit], fan=fan)

    def told(self, fan: int, fu: int, limits: int) -> Message:
        """What fan, or fan and fu, or limits come to."""
        if limits:
            return say("limits_together", limits=limits)
        if self.fu:
            return say("fan_and_fu", fan=self.counted(fan), fu=fu)
        return self.counted(fan)


class Pay(Model):
    """What is paid in one case: the base points or the total so many times, and something more.

    Attributes:
        on: how the winning tile came.
        winner: for which winner; ``dealer`` or another; left out: for both.
        who: who pays: the discarder, the dealer, or the others (all, where nobody else is named).
        way: for which way of settling; left out: for each.
        times: how often the base points are paid.
        plus: points paid besides.
        most: the most base points of which this is paid, 0 for no maximum.
        rest_of: the payer makes up what others leave of so many times the base points.
    """

    on: Literal["discard", "drawn"]
    winner: Literal["dealer", "other"] | None = None
    who: Literal["discarder", "dealer", "others"]
    way: str | None = None
    times: Annotated[int, Field(ge=0)] = 1
    plus: Annotated[int, Field(ge=0)] = 0
    most: Annotated[int, Field(ge=0)] = 0
    rest_of: Annotated[int, Field(ge=0)] = 0

    def amount(self, base: int) -> int:
        """The points, before they are rounded."""
        return self.times * min(base, self.most or base) + self.plus


Case = tuple[bool, bool, bool, bool]
"""Whether the tile was drawn, the dealer won, the payer discarded it, and is the dealer."""


def first_fitting(rows: Sequence[Pay]) -> dict[Case, Pay]:
    """The first row that fits each case; those that nobody pays are left out."""
    either = (False, True)
    cases = product(either, either, either, either)
    return {case: row for case in cases for row in reversed(rows) if _fits(row, case)}


def _fits(row: Pay, case: Case) -> bool:
    drawn, dealer_won, discarded, is_dealer = case
    roles = {"others": True, "discarder": discarded, "dealer": is_dealer}
    won = row.winner in (None, "dealer" if dealer_won else "other")
    return won and (row.on == "drawn") == drawn and roles[row.who]


class Counters(Model):
    """What lies on the table or is paid besides for hands that went before.

    Attributes:
        honba: points for each counter, shared by those who pay.
        stick: points of a stick laid down with a declaration.
        noten: points that those who were not ready pay those who were, after a drawn hand.
    """

    honba: Annotated[int, Field(ge=0)] = 0
    stick: Annotated[int, Field(ge=0)] = 0
    noten: Annotated[int, Field(ge=0)] = 0
    text: Annotated[str, Field(min_length=1)]
    cite: Annotated[str, Field(min_length=1)]
