"""The batches of a training run, drawn in the same process or beside it in others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import TypeVar

import numpy as np
from numpy.random import Generator
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

Batch = TypeVar("Batch")

_AHEAD = 8
"""How many batches each further process draws before they are asked for."""


class _Steps(IterableDataset[Batch]):
    """The batches of one step after the other; each of several processes draws its share."""

    def __init__(self, draw: Callable[[Generator], Batch], seed: int, first: int) -> None:
        self.draw, self.seed, self.first = draw, seed, first

    def __iter__(self) -> Iterator[Batch]:
        info = get_worker_info()
        ours, all_of_us = (info.id, info.num_workers) if info else (0, 1)
        for step in count(self.first + ours, all_of_us):
            yield self.draw(np.random.default_rng([self.seed, step]))


def feed(
    draw: Callable[[Generator], Batch], seed: int, first: int, workers: int
) -> Iterator[Batch]:
    """Batches without end.

    Args:
        draw: gives one more; with workers each has a copy of it.
        seed: of the run; each step has a generator of its own.
        first: the step to begin with.
        workers: processes that draw; 0 draws when a batch is asked for.
    """
    steps = _Steps(draw, seed, first)
    ahead = _AHEAD if workers else None
    return iter(
        DataLoader(
            steps,
            batch_size=None,
            collate_fn=_as_drawn,
            num_workers=workers,
            prefetch_factor=ahead,
        )
    )


def _as_drawn(batch: Batch) -> Batch:
    return batch
