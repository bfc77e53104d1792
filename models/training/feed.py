"""The batches of a training run, drawn in the training process or in worker processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import TypeVar

import numpy as np
from numpy.random import Generator
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

Batch = TypeVar("Batch")

_AHEAD = 8
"""Number of batches that each worker process draws in advance."""


class _Steps(IterableDataset[Batch]):
    """The batches of successive steps; each worker process draws its share of the steps."""

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
    """An endless iterator over batches.

    Args:
        draw: draws a batch; each worker process has a copy of it.
        seed: seed of the run, from which each step has a generator of its own.
        first: number of the first step.
        workers: number of worker processes; 0 draws each batch in this process on demand.
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
