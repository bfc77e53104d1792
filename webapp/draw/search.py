"""Finds tables of little cost: two players change places again and again, as annealing does it.

Where a design is known (`designs.py`), the search begins with it and only minds what is wished.
What is wished has no design: latecomers, tables of five, who is to meet and who is not.

Measured beside it, on two cores: OR-Tools CP-SAT 9.15, told the first round and that nobody may
meet twice, seats 16 players in five rounds in 0.5 s, 20 in five in 1.6 s and 40 in four in 8 s,
and finds nothing for 28 in seven within 30 s. Told to let few meet twice, after 12 s it has nine
pairs of 20 players in five rounds. With pandas, which it needs, it takes 160 MB.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Final

from webapp.draw.costs import WEIGHTS, Costs
from webapp.draw.sizes import FULL

STEPS: Final = 60_000
"""Number of exchanges that are tried in one cooling, at most."""

STEPS_A_SEAT: Final = 600
"""Number of exchanges that are tried for each seat of each round: enough for 20 players in five."""

COOLINGS: Final = 5
"""Number of coolings at most, each from other tables; the cheapest outcome is taken."""

HOT: Final = 10.0
"""Temperature at the beginning of a cooling: a second meeting of two is often accepted."""

WARM: Final = 2.0
"""Temperature at which a design stays as it is but for what is wished."""

TRADES: Final = 1500
"""Number of times that two players change places in a whole design, at most."""

_COLD: Final = 0.3
"""Temperature at its end: less than a meeting of an earlier evening is hardly accepted."""

Groups = list[list[list[int]]]
"""The indices of the players by round and table; the last of a round may be those who rest."""


class Tables:
    """The tables of all rounds, and what they cost.

    Args:
        costs: the costs of the players.
        sizes: the number of players at each table of each round; their sum may be below the number
            who are here.
        here: the players who are here in each round.
        random: where the first order and the exchanges come from.
        begun: the players by round and table to begin with; None for any order.
    """

    def __init__(
        self,
        costs: Costs,
        sizes: Sequence[Sequence[int]],
        here: Sequence[Sequence[int]],
        random: Random,
        begun: Groups | None = None,
    ) -> None:
        self._costs, self._random = costs, random
        count = len(costs.table)
        self._met = [[0] * count for _ in range(count)]
        self._odd = list(costs.odd)
        self._playing = [len(round_) for round_ in sizes]
        order = [self._laid_out(*both) for both in zip(sizes, here, strict=True)]
        self.groups = begun or order
        self.cost = sum(self._laid(r) for r in range(len(self.groups)))

    def _laid_out(self, sizes: Sequence[int], here: Sequence[int]) -> list[list[int]]:
        waiting = self._random.sample(here, len(here))
        groups = [[waiting.pop() for _ in range(size)] for size in sizes]
        return [*groups, waiting] if waiting else groups

    def _laid(self, round_: int) -> float:
        """The cost of a round, which is counted as played from now on."""
        cost = 0.0
        for table, group in enumerate(self.groups[round_]):
            for place, player in enumerate(group):
                cost += self._home(player, table)
                if self._is_odd(round_, table):
                    cost += WEIGHTS.odd * self._odd[player]
                    self._odd[player] += 1
                if table < self._playing[round_]:
                    cost += sum(self._meet(player, other) for other in group[:place])
        return cost

    def _is_odd(self, round_: int, table: int) -> bool:
        return table >= self._playing[round_] or len(self.groups[round_][table]) != FULL

    def _home(self, player: int, table: int) -> float:
        home = self._costs.table[player]
        return 0.0 if home in (-1, table) else WEIGHTS.table

    def _meet(self, one: int, other: int) -> float:
        before = self._met[one][other]
        self._met[one][other] = self._met[other][one] = before + 1
        return self._costs.meeting[one][other] + before * self._costs.again[one][other]

    def _part(self, one: int, other: int) -> float:
        left = self._met[one][other] - 1
        self._met[one][other] = self._met[other][one] = left
        return -self._costs.meeting[one][other] - left * self._costs.again[one][other]

    def exchange(self, round_: int, one: tuple[int, int], other: tuple[int, int]) -> float:
        """Let two players of a round change places, each told by table and place there.

        Returns:
            by how much the cost grew.
        """
        groups = self.groups[round_]
        (table, place), (table2, place2) = one, other
        player, player2 = groups[table][place], groups[table2][place2]
        rise = self._leave(round_, table, place) + self._leave(round_, table2, place2)
        groups[table][place], groups[table2][place2] = player2, player
        rise += self._enter(round_, table, place) + self._enter(round_, table2, place2)
        self.cost += rise
        return rise

    def _leave(self, round_: int, table: int, place: int) -> float:
        group = self.groups[round_][table]
        player = group[place]
        fall = -self._home(player, table)
        if self._is_odd(round_, table):
            self._odd[player] -= 1
            fall -= WEIGHTS.odd * self._odd[player]
        if table < self._playing[round_]:
            fall += sum(self._part(player, other) for other in group if other != player)
        return fall

    def _enter(self, round_: int, table: int, place: int) -> float:
        group = self.groups[round_][table]
        player = group[place]
        rise = self._home(player, table)
        if self._is_odd(round_, table):
            rise += WEIGHTS.odd * self._odd[player]
            self._odd[player] += 1
        if table < self._playing[round_]:
            rise += sum(self._meet(player, other) for other in group if other != player)
        return rise

    def trade(self, enough: float) -> None:
        """Let two players change places in all rounds, again and again, where it costs no more.

        Who meets how often stays as it is; only who it is changes.
        """
        players = sorted(player for group in self.groups[0] for player in group)
        for _ in range(TRADES):
            if self.cost <= enough:
                return
            one, other = self._random.sample(players, 2)
            if self._trade(one, other) > 0:
                self._trade(one, other)

    def _trade(self, one: int, other: int) -> float:
        places = [
            {player: (table, place) for table, group in enumerate(groups)
             for place, player in enumerate(group) if player in {one, other}}
            for groups in self.groups
        ]  # fmt: skip
        return sum(self.exchange(r, at[one], at[other]) for r, at in enumerate(places))

    def cool(self, steps: int, enough: float, hot: float = HOT) -> tuple[Groups, float]:
        """Exchange players while the temperature falls; the cheapest tables found, and their cost.

        Args:
            steps: number of exchanges that are tried.
            enough: the cost at which nothing better is to be looked for.
            hot: the temperature at the beginning.
        """
        best, cheapest = self._copied(), self.cost
        fading = (_COLD / hot) ** (1 / steps)
        heat, random = hot, self._random
        rounds = [r for r, groups in enumerate(self.groups) if len(groups) > 1]
        for _ in range(steps if rounds else 0):
            if cheapest <= enough:
                break
            heat *= fading
            round_ = random.choice(rounds)
            groups = self.groups[round_]
            table, table2 = random.sample(range(len(groups)), 2)
            one = table, random.randrange(len(groups[table]))
            other = table2, random.randrange(len(groups[table2]))
            rise = self.exchange(round_, one, other)
            if rise > 0 and random.random() >= math.exp(-rise / heat):
                self.exchange(round_, one, other)
            elif self.cost < cheapest - 1e-9:
                best, cheapest = self._copied(), self.cost
        return best, cheapest

    def _copied(self) -> Groups:
        return [[list(group) for group in groups] for groups in self.groups]
