"""What a reading of a hand is worth, and what a special hand's award comes to."""

from __future__ import annotations

from typing import NamedTuple

from scorer.counting.fan import Fan
from scorer.counting.hand import Hand
from scorer.counting.specials import pair_exposed
from scorer.deal import Win
from scorer.facts.shapes import Melds
from scorer.melds import EXPOSED, TRAITS, Reading, traits_of_reading
from scorer.rules.compiled import POINTS, Tally, doubles_of
from scorer.rules.rule import Award, SpecialHand
from scorer.rules.ruleset import Limit, Ruleset


class Way(NamedTuple):
    """One way to score a hand: as it lies (``special`` is None), as a special hand, or in fan."""

    total: int
    worth: int
    reading: Reading
    special: SpecialHand | None = None
    melds: Melds = ()
    fan: Fan | None = None


class Worth:
    """How one player's hand is counted, whatever its reading.

    ``stray`` are the traits of tiles that may lie in no meld.
    """

    def __init__(
        self, ruleset: Ruleset, tally: Tally, hand: Hand, win: Win | None, stray: int
    ) -> None:
        self.ruleset, self.tally, self.hand, self.win = ruleset, tally, hand, win
        self.stray = stray

    def ordinary(self, reading: Reading) -> Way:
        """The hand scored as it lies."""
        worth = self._count(reading)[0] + self.tally.bonus
        total = (worth & POINTS) << doubles_of(worth)
        return Way(self._closed(total, special=False), worth, reading)

    def award(self, special: SpecialHand, award: Award, reading: Reading, melds: Melds) -> Way:
        """The hand scored as a special hand, for that award."""
        worth = self._award_alone(award, reading)
        total = worth + self.bonus(award, worth)
        return Way(self._closed(total, special=True), worth, reading, special, melds)

    def _award_alone(self, award: Award, reading: Reading) -> int:
        limit = self.ruleset.limit
        share = None if limit is None else award.share_of(limit.value)
        if share is not None:
            return share
        return self.multiplied(award, reading) * (award.times_points or 1)

    def multiplied(self, award: Award, reading: Reading) -> int:
        """The points that an award multiplies."""
        hand, melds = self._count(reading)
        points = (hand if award.of == "hand" else melds) & POINTS
        return points + (self.tally.bonus & POINTS if award.bonus_too else 0)

    def bonus(self, award: Award, worth: int) -> int:
        """What flowers and seasons add to an award that is worth so much."""
        when, limit = self.ruleset.special_bonus, self.ruleset.limit
        full = when == "below_limit" and limit is not None and worth >= limit.value
        if award.bonus_too or when == "never" or full:
            return 0
        bonus = self.tally.special_bonus
        return (bonus & POINTS) << doubles_of(bonus)

    def _count(self, reading: Reading) -> tuple[int, int]:
        """Packed worth of a reading, bonus tiles left out, and of its melds alone."""
        worth, traits = 0, self.stray
        table = self.tally.melds.worth
        for number in reading:
            worth += table[number]
            traits |= TRAITS[number]
        if self._pair_exposed(reading):
            traits |= EXPOSED
        held, _ = self.tally.with_traits(traits, scoreless=not worth & POINTS)
        return worth + self.tally.hand + held, worth

    def traits(self, reading: Reading) -> int:
        """What conditions see of a reading: its melds, tiles in none, a pair that breaks it."""
        exposed = EXPOSED if self._pair_exposed(reading) else 0
        return self.stray | traits_of_reading(reading) | exposed

    def _pair_exposed(self, reading: Reading) -> bool:
        win = self.win
        return win is not None and pair_exposed(self.ruleset, self.hand, win, reading)

    def limit(self, *, special: bool) -> Limit | None:
        """The limit that cuts the total of a special hand, or of an ordinary one, if any does."""
        limit = self.ruleset.limit
        cuts = limit is not None and (limit.caps_special if special else limit.caps_ordinary)
        return limit if cuts else None

    def _closed(self, total: int, *, special: bool) -> int:
        """A total cut to the limit, rounded, and doubled as a whole."""
        limit = self.limit(special=special)
        if limit is not None and total > limit.value:
            total = limit.value
        return self.ruleset.rounded(total) << self.tally.whole
