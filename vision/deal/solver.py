"""The likeliest choice among the options of all blocks that satisfies the laws of the tile set.

Most laws hold by themselves. So each block first gets its likeliest option; laws that are then
broken become constraints of a mixed-integer programme for HiGHS, which holds the affected blocks
alone, and so on until every broken law is a constraint. Leaving out a law never makes a choice less
likely, so the last choice is the likeliest of all.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

from vision.deal.options import SIZE_ODDS, SURPLUS_ODDS, Choice, Table

_WHOLE_WITHIN: Final = 1e-6
"""How far from a whole number a value of the solver may be."""

Options = Sequence[Sequence[int]]
"""For each block the numbers of the options that may be chosen."""


@dataclass(slots=True)
class _Laws:
    """The laws that are constraints: of which faces and of which hands the tiles are counted.

    Attributes:
        faces: the faces of which no more tiles than the set has may be chosen.
        players: the players whose hands must have the right number of tiles.
    """

    faces: set[str] = field(default_factory=set)
    players: set[str] = field(default_factory=set)


class Solver:
    """Solves one table repeatedly, with some options excluded each time.

    Laws that were broken once stay constraints, since they are likely to be broken again.

    Args:
        table: all blocks and the laws that bind them.
    """

    def __init__(self, table: Table) -> None:
        self._table, self._laws = table, _Laws()

    def solve(self, barred: Collection[tuple[int, int]] = ()) -> Choice | None:
        """The likeliest choice that changes no clear tile; None if a block has no option left.

        Args:
            barred: pairs (block, option) of indices that may not be chosen.

        Raises:
            RuntimeError: HiGHS found no choice, though every law may be broken at a cost.
        """
        options = [
            [k for k, o in enumerate(block.options) if not o.overrides and (n, k) not in barred]
            for n, block in enumerate(self._table.blocks)
        ]
        if not all(options):
            return None
        choice = _under(self._table, options, self._laws)
        while _bind_broken(self._table, choice, self._laws):
            choice = _under(self._table, options, self._laws)
        return choice


def _likeliest(table: Table, options: Options) -> Choice:
    """The likeliest option of each block, without the laws."""
    return tuple(
        max(ks, key=lambda k: block.options[k].score)
        for block, ks in zip(table.blocks, options, strict=True)
    )


def _bind_broken(table: Table, choice: Choice, laws: _Laws) -> bool:
    """Make constraints of the laws that a choice breaks; whether there were any new ones."""
    faces = table.surplus(choice).keys() - laws.faces
    found = table.found_sizes(choice)
    wrong = {player for player, size in table.sizes.items() if found[player] != size}
    players = wrong - laws.players
    laws.faces |= faces
    laws.players |= players
    return bool(faces or players)


def _under(table: Table, options: Options, laws: _Laws) -> Choice:
    """The likeliest choice under the laws that are constraints."""
    choice = list(_likeliest(table, options))
    columns: list[tuple[int, int]] = []
    spans: dict[int, range] = {}
    for number, ks in enumerate(options):
        best = _best_of_kinds(table, number, ks, laws)
        if len(best) > 1:
            spans[number] = range(len(columns), len(columns) + len(best))
            columns += [(number, k) for k in best]
    if not columns:
        return tuple(choice)
    programme = _Programme([-table.blocks[n].options[k].score for n, k in columns])
    for span in spans.values():
        programme.bind(dict.fromkeys(span, 1.0), 1, 1)
    settled = [(n, k) for n, k in enumerate(choice) if n not in spans]
    _bind(programme, table, laws, columns, settled)
    values = programme.minimise()
    for number, span in spans.items():
        choice[number] = columns[max(span, key=lambda column: values[column])][1]
    return tuple(choice)


def _best_of_kinds(table: Table, number: int, ks: Sequence[int], laws: _Laws) -> list[int]:
    """The likeliest of each kind of options of a block that are equal to the laws."""
    block = table.blocks[number]
    sized = block.player in laws.players
    best: dict[tuple[object, ...], int] = {}
    for k in ks:
        option = block.options[k]
        kind = (option.size if sized else 0, *sorted(laws.faces.intersection(option.faces)))
        kind += tuple(option.faces.count(str(face)) for face in kind[1:])
        if kind not in best or block.options[best[kind]].score < option.score:
            best[kind] = k
    return list(best.values())


def _bind(
    programme: _Programme,
    table: Table,
    laws: _Laws,
    columns: Sequence[tuple[int, int]],
    settled: Sequence[tuple[int, int]],
) -> None:
    """Add the constraints on faces and hands to the programme, each breakable at its cost."""
    for face in sorted(laws.faces):
        room = table.limits[face] - sum(count for _, count in _takers(table, face, settled))
        row = dict(_takers(table, face, columns))
        if row:
            over = programme.add(math.log(SURPLUS_ODDS))
            programme.bind({**row, over: -1.0}, -math.inf, room)
    for player in sorted(laws.players):
        size = table.sizes[player] - sum(count for _, count in _sized(table, player, settled))
        row = dict(_sized(table, player, columns))
        if row:
            short, over = (programme.add(math.log(SIZE_ODDS)) for _ in range(2))
            programme.bind({**row, short: 1.0, over: -1.0}, size, size)


def _takers(
    table: Table, face: str, choices: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, float]]:
    """The places of options that use up a face, with the number of tiles of it."""
    for place, (number, k) in enumerate(choices):
        count = table.blocks[number].options[k].faces.count(face)
        if count:
            yield place, count


def _sized(
    table: Table, player: str, choices: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, float]]:
    """The places of a player's options, with the number of tiles that they count as."""
    for place, (number, k) in enumerate(choices):
        if table.blocks[number].player == player:
            yield place, table.blocks[number].options[k].size


class _Programme:
    """A mixed-integer programme with 0/1 columns and with slacks of at least 0.

    Args:
        costs: of the 0/1 columns.
    """

    def __init__(self, costs: Sequence[float]) -> None:
        self._costs = list(costs)
        self._whole = len(costs)
        self._cells: list[tuple[int, int, float]] = []
        self._bounds: list[tuple[float, float]] = []

    def add(self, cost: float) -> int:
        """Add a slack at a cost per unit and return its column."""
        self._costs.append(cost)
        return len(self._costs) - 1

    def bind(self, row: Mapping[int, float], low: float, high: float) -> None:
        """Keep the weighted sum of columns within ``low`` and ``high``."""
        self._cells += [(len(self._bounds), column, weight) for column, weight in row.items()]
        self._bounds.append((low, high))

    def minimise(self) -> NDArray[np.float64]:
        """The values of the columns at the least cost.

        The linear relaxation is solved first: it takes a fraction of the time, and its values are
        mostly whole, since the programme is nearly a transport problem.

        Raises:
            RuntimeError: the solver found no values, though slacks allow some.
        """
        columns_whole = (np.arange(len(self._costs)) < self._whole).astype(np.int64)
        rows, columns, weights = zip(*self._cells, strict=True)
        shape = (len(self._bounds), len(self._costs))
        low, high = zip(*self._bounds, strict=True)
        laws = LinearConstraint(coo_array((weights, (rows, columns)), shape), low, high)
        bounds = Bounds(0, np.where(columns_whole, 1, np.inf))
        for whole in (np.zeros_like(columns_whole), columns_whole):
            found = milp(
                np.array(self._costs),
                integrality=whole,
                bounds=bounds,
                constraints=laws,
                options={"mip_rel_gap": 0.0},
            )
            if found.x is None:
                raise RuntimeError(f"the tiles could not be decided together: {found.message}")
            values = np.asarray(found.x, np.float64)
            chosen = values[: self._whole]
            if (np.abs(chosen - np.round(chosen)) < _WHOLE_WITHIN).all():
                break
        return values
