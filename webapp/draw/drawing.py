"""A draw: the tables of every round, its making, and the exchange of two players by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random, SystemRandom
from typing import Any, Final

from scorer.tiles import SEATS
from webapp.draw.costs import WEIGHTS, Costs, costs_of
from webapp.draw.designs import at_home, designed
from webapp.draw.entrants import DrawRefused, Entrant, Past, Wishes, check
from webapp.draw.search import COOLINGS, STEPS, STEPS_A_SEAT, WARM, Groups, Tables
from webapp.draw.seats import seated
from webapp.draw.sizes import FEWEST, FULL, table_sizes

SEEDS: Final = 1_000_000
"""Number of draws between which chance decides; short enough to be read aloud."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a round.

    Attributes:
        players: the names in the order of the winds, East first; three, four, or five, of whom the
            last sits out the first hand.
    """

    players: tuple[str, ...]

    @property
    def seats(self) -> Mapping[str, str]:
        """The player of each wind in the first hand."""
        return dict(zip(SEATS, self.players, strict=False))

    @property
    def out(self) -> str | None:
        """The player who sits out the first hand; None at a table of three or four."""
        return self.players[FULL] if len(self.players) > FULL else None


@dataclass(frozen=True, slots=True)
class Round:
    """The tables of a round, of which the first is table 1, and who rests."""

    tables: tuple[Table, ...]
    resting: tuple[str, ...] = ()

    @property
    def everybody(self) -> frozenset[str]:
        """The names of all who are here, those who rest included."""
        return frozenset(self.resting).union(*(table.players for table in self.tables))

    def to_json(self) -> dict[str, Any]:
        """The round as a JSON value."""
        tables = [
            {"table": number, "seats": dict(table.seats), "out": table.out}
            for number, table in enumerate(self.tables, 1)
        ]
        return {"tables": tables, "resting": list(self.resting)}


@dataclass(frozen=True, slots=True)
class Drawing:
    """The rounds that were drawn, and the seed with which they are drawn again exactly so."""

    rounds: tuple[Round, ...]
    seed: int

    def exchanged(self, round_: int, one: str, other: str) -> Drawing:
        """The drawing with two players in each other's places in a round, counted from 0.

        Raises:
            DrawRefused: one of them does not play in that round (kind ``unknown``).
        """
        chosen = self.rounds[round_]
        if unknown := sorted({one, other} - chosen.everybody):
            raise DrawRefused("unknown", unknown, round_)
        other_way = {one: other, other: one}
        tables = (
            Table(tuple(other_way.get(name, name) for name in table.players))
            for table in chosen.tables
        )
        resting = tuple(other_way.get(name, name) for name in chosen.resting)
        rounds = list(self.rounds)
        rounds[round_] = Round(tuple(tables), resting)
        return replace(self, rounds=tuple(rounds))

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Drawing:
        """The drawing of which :meth:`to_json` made this JSON value."""
        rounds = []
        for round_ in told["rounds"]:
            tables = []
            for table in round_["tables"]:
                players = [table["seats"][wind] for wind in SEATS if wind in table["seats"]]
                tables.append(Table((*players, *filter(None, [table["out"]]))))
            rounds.append(Round(tuple(tables), tuple(round_["resting"])))
        return cls(tuple(rounds), told["seed"])

    def to_json(self) -> dict[str, Any]:
        """The drawing as a JSON value."""
        return {"seed": self.seed, "rounds": [round_.to_json() for round_ in self.rounds]}


def draw(
    entrants: Sequence[Entrant],
    rounds: int,
    seed: int | None = None,
    wishes: Wishes | None = None,
    past: Past | None = None,
) -> Drawing:
    """Draw tables and seats for some rounds; the same arguments always give the same drawing.

    Args:
        entrants: the players.
        rounds: number of rounds, at least one.
        seed: decides between drawings that are equally good; by default it is chosen by chance.
        wishes: what the club wishes.
        past: what was played before.

    Raises:
        DrawRefused: nobody can be seated as asked.
    """
    wishes, past = wishes or Wishes(), past or Past()
    check(entrants, wishes, rounds)
    if seed is None:
        seed = SystemRandom().randrange(SEEDS)
    here = [
        [index for index, entrant in enumerate(entrants) if entrant.plays(round_)]
        for round_ in range(rounds)
    ]
    for round_, players in enumerate(here):
        if len(players) < FEWEST:
            raise DrawRefused("few", (entrants[index].name for index in players), round_)
    sizes = [table_sizes(len(players), wishes.odd) for players in here]
    random = Random(seed)  # noqa: S311 - a draw is no secret
    groups = _cheapest(entrants, wishes, past, sizes, here, random)
    names = [[[entrants[i].name for i in group] for group in tables] for tables in groups]
    playing = [tables[: len(size)] for tables, size in zip(names, sizes, strict=True)]
    orders = seated(playing, past.east, random)
    resting = [
        tuple(name for group in tables[len(size) :] for name in group)
        for tables, size in zip(names, sizes, strict=True)
    ]
    made = (
        Round(tuple(map(Table, order)), rest) for order, rest in zip(orders, resting, strict=True)
    )
    return Drawing(tuple(made), seed)


def _cheapest(
    entrants: Sequence[Entrant],
    wishes: Wishes,
    past: Past,
    sizes: Sequence[Sequence[int]],
    here: Sequence[Sequence[int]],
    random: Random,
) -> Groups:
    costs = costs_of(entrants, wishes, past)
    enough = _least(costs, sizes, here)
    steps = min(STEPS, STEPS_A_SEAT * sum(map(len, here)))
    best: Groups = []
    least = float("inf")
    known = designed(sizes, here, random)
    if known is not None:
        tables = Tables(costs, sizes, here, random, at_home(known, costs.table))
        tables.trade(enough)
        best, least = tables.cool(steps, enough, WARM)
    for _ in range(COOLINGS if least > enough else 0):
        tables = Tables(costs, sizes, here, random)
        groups, cost = tables.cool(steps, enough)
        if cost < least:
            best, least = groups, cost
        if least <= enough:
            break
    return best


def _least(costs: Costs, sizes: Sequence[Sequence[int]], here: Sequence[Sequence[int]]) -> float:
    """The cost below which no draw can be.

    It is that of odd places given to those who had fewest, and of every wish to meet kept.
    """
    times, cost = list(costs.odd), 0.0
    for size, players in zip(sizes, here, strict=True):
        places = sum(n for n in size if n != FULL) + len(players) - sum(size)
        for index in sorted(players, key=times.__getitem__)[:places]:
            cost += WEIGHTS.odd * times[index]
            times[index] += 1
        cost += sum(min(0.0, costs.meeting[i][j]) for i, j in combinations(players, 2))
    return cost + _least_again(costs, sizes, here)


def _least_again(
    costs: Costs, sizes: Sequence[Sequence[int]], here: Sequence[Sequence[int]]
) -> float:
    """What meeting again costs at least, where there are fewer to meet than there are meetings.

    It is that of meeting everybody as often as everybody else, where all sit at tables of four.
    """
    players, others = here[0], len(here[0]) - 1
    told = any(costs.again[i][j] < WEIGHTS.again for i, j in combinations(players, 2))
    odd = any({*size} != {FULL} or FULL * len(size) != len(players) for size in sizes)
    if told or odd or any(one != players for one in here):
        return 0.0
    times, more = divmod((FULL - 1) * len(sizes), others)
    again = others * times * (times - 1) // 2 + more * times
    return WEIGHTS.again * len(players) * again / 2
