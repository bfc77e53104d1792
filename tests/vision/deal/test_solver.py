"""The solver's choice is the likeliest of all, as trying every one of them tells."""

from __future__ import annotations

import random
from itertools import product

import pytest

from vision.deal import solver as solving
from vision.deal.decide import decide
from vision.deal.decision import JointTile
from vision.deal.options import Block, Choice, Table, laid_meld, single
from vision.deal.solver import Solver

FACES = ("1m", "2m", "3m", "1f")


def chances(rng: random.Random) -> list[tuple[str, float]]:
    labels = rng.sample(FACES, rng.randint(1, 3))
    shares = sorted((rng.random() for _ in labels), reverse=True)
    total = sum(shares) + 0.2 * rng.random()
    return [(label, share / total) for label, share in zip(labels, shares, strict=True)]


def random_table(seed: int) -> Table:
    """Two players with a few doubtful tiles, one with a set laid apart, of a very small set."""
    rng = random.Random(seed)
    blocks: list[Block] = [single(n, rng.choice("EX"), chances(rng)) for n in range(5)]
    blocks[0] = single(0, "E", chances(rng))
    blocks.append(laid_meld((5, 6, 7), "E", [chances(rng) for _ in range(3)]))
    limits = {"1m": rng.randint(1, 3), "2m": 2, "3m": rng.randint(1, 4), "1f": 1}
    return Table(tuple(blocks), limits, {"E": rng.randint(2, 7)})


def brute(table: Table, barred: frozenset[tuple[int, int]]) -> float | None:
    """The best score of any choice that overrides nothing and is not barred."""
    options = [
        [k for k, o in enumerate(block.options) if not o.overrides and (n, k) not in barred]
        for n, block in enumerate(table.blocks)
    ]
    return max((table.score(choice) for choice in product(*options)), default=None)


def allowed(table: Table, choice: Choice, barred: frozenset[tuple[int, int]]) -> bool:
    clear = not any(option.overrides for option in table.chosen(choice))
    return clear and not barred.intersection(enumerate(choice))


@pytest.mark.parametrize("seed", range(25))
def test_no_other_choice_is_likelier(seed: int) -> None:
    table = random_table(seed)
    solver = Solver(table)
    best = solver.solve()
    assert best is not None
    for barred in (frozenset(), *(frozenset({(n, k)}) for n, k in enumerate(best))):
        found, wanted = solver.solve(barred), brute(table, barred)
        if wanted is None:
            assert found is None
            continue
        assert found is not None
        assert allowed(table, found, barred)
        assert table.score(found) == pytest.approx(wanted)


def test_where_no_law_is_broken_nothing_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise AssertionError("there is nothing to solve")

    monkeypatch.setattr(solving, "milp", refuse)
    tiles = [JointTile((("1f", 0.8), ("2f", 0.1)))]
    assert decide(tiles).labels == ("1f",)
    with pytest.raises(AssertionError, match="nothing to solve"):
        decide(2 * tiles)
