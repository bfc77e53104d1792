"""The likeliest choice for a table, by a mixed-integer programme.

Each option of a block is a column that is 0 or 1, and one of a block is 1. What a face or a hand
has too much or too little of is a further column with its cost, so that every law may be broken.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csc_array

from vision.deal.options import SIZE_ODDS, SURPLUS_ODDS, Choice, Table

_WHOLE_WITHIN: Final = 1e-6
"""How far from a whole number a value of the solver may be."""


class Solver:
    """Solves one table repeatedly, with some options excluded each time.

    Args:
        table: all blocks, of which there is at least one, and the laws that bind them.
    """

    def __init__(self, table: Table) -> None:
        self._columns = [
            (number, k)
            for number, block in enumerate(table.blocks)
            for k, option in enumerate(block.options)
            if not option.overrides
        ]
        self._blocks: list[list[int]] = [[] for _ in table.blocks]
        for column, (number, _) in enumerate(self._columns):
            self._blocks[number].append(column)
        self._costs = [-table.blocks[number].options[k].score for number, k in self._columns]
        self._rows: list[tuple[Mapping[int, float], float, float]] = []
        for columns in self._blocks:
            self._rows.append((dict.fromkeys(columns, 1.0), 1, 1))
        self._bind_faces(table)
        self._bind_hands(table)
        self._laws = self._constraint()

    def solve(self, barred: Collection[tuple[int, int]] = ()) -> Choice | None:
        """The likeliest choice that changes no clear tile; None if a block has no option left.

        Args:
            barred: pairs (block, option) of indices that may not be chosen.

        Raises:
            RuntimeError: HiGHS found no choice, though every law may be broken at a cost.
        """
        open_columns = np.array([column not in barred for column in self._columns])
        if not all(open_columns[columns].any() for columns in self._blocks):
            return None
        values = self._values(open_columns)
        best = (max(columns, key=lambda column: values[column]) for columns in self._blocks)
        return tuple(self._columns[column][1] for column in best)

    def _bind_faces(self, table: Table) -> None:
        """Let no more tiles of a face be chosen than the set has, or at a cost for each."""
        takers: dict[str, dict[int, float]] = {}
        for column, (number, k) in enumerate(self._columns):
            for face, count in Counter(table.blocks[number].options[k].faces).items():
                takers.setdefault(face, {})[column] = count
        for face, row in takers.items():
            if face in table.limits and sum(row.values()) > table.limits[face]:
                over = self._slack(SURPLUS_ODDS)
                self._rows.append(({**row, over: -1.0}, -math.inf, table.limits[face]))

    def _bind_hands(self, table: Table) -> None:
        """Let each hand have as many tiles as it must, or at a cost for each."""
        for player, size in table.sizes.items():
            row: dict[int, float] = {
                column: table.blocks[number].options[k].size
                for column, (number, k) in enumerate(self._columns)
                if table.blocks[number].player == player
            }
            short, over = self._slack(SIZE_ODDS), self._slack(SIZE_ODDS)
            self._rows.append(({**row, short: 1.0, over: -1.0}, size, size))

    def _slack(self, odds: float) -> int:
        """A further column, whose units each make a choice less likely by these odds."""
        self._costs.append(math.log(odds))
        return len(self._costs) - 1

    def _constraint(self) -> LinearConstraint:
        rows, low, high = zip(*self._rows, strict=True)
        cells = [(n, column, w) for n, row in enumerate(rows) for column, w in row.items()]
        numbers, columns, weights = zip(*cells, strict=True)
        shape = (len(rows), len(self._costs))
        return LinearConstraint(csc_array((weights, (numbers, columns)), shape), low, high)

    def _values(self, open_columns: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The values of the columns of options at the least cost.

        The linear relaxation is solved first: it takes a fraction of the time, and its values are
        mostly whole, since the programme is nearly a transport problem.

        Raises:
            RuntimeError: the solver found no values, though slacks allow some.
        """
        count = len(self._columns)
        whole = (np.arange(len(self._costs)) < count).astype(np.int64)
        upper = np.full(len(self._costs), np.inf)
        upper[:count] = open_columns
        for integrality in (np.zeros_like(whole), whole):
            found = milp(
                np.array(self._costs),
                integrality=integrality,
                bounds=Bounds(0, upper),
                constraints=self._laws,
                options={"mip_rel_gap": 0.0},
            )
            if found.x is None:
                raise RuntimeError(f"the tiles could not be decided together: {found.message}")
            values = np.asarray(found.x[:count], np.float64)
            if (np.abs(values - np.round(values)) < _WHOLE_WITHIN).all():
                break
        return values
