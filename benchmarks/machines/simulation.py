"""How many workers an association needs on its busiest evening, by simulation.

Photos arrive as tables send them; each worker reads one at a time, for as long as reading has taken
when it was measured. The times of waiting are those of a queue with several servers, worked out
photo by photo.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

CLUBS: Final = 1000
"""Number of clubs that play on the same evening."""

TABLES: Final = 5
"""Number of tables of each club."""

HANDS_AN_HOUR: Final = 8.0
"""Number of hands that a table plays in an hour."""

PHOTOS_A_HAND: Final = 4.0
"""Number of photos of a hand: one of each player's tiles."""

HOURS: Final = 2.5
"""How long an evening lasts."""

TOGETHER_S: Final = 20.0
"""Within so many seconds the photos of one hand are sent."""

MOST_WAIT_S: Final = 5.0
"""The longest time in seconds that 95 of 100 photos may wait until a worker takes them."""


@dataclass(frozen=True, slots=True)
class Waits:
    """What the simulation found for a number of workers, in seconds.

    Attributes:
        workers: the number of workers.
        median: the middle time of waiting.
        p95: the time within which 95 of 100 photos were taken.
        most: the longest time.
    """

    workers: int
    median: float
    p95: float
    most: float


def arrivals(rng: np.random.Generator, clubs: int = CLUBS) -> np.ndarray:
    """The moments at which photos arrive, in seconds from the beginning, in order."""
    hands = rng.poisson(HANDS_AN_HOUR * HOURS, size=clubs * TABLES)
    ends = rng.uniform(0, HOURS * 3600, size=int(hands.sum()))
    moments = np.repeat(ends, int(PHOTOS_A_HAND))
    return np.sort(moments + rng.uniform(0, TOGETHER_S, size=moments.size))


def waits(moments: np.ndarray, service_s: Sequence[float], workers: int, seed: int = 0) -> Waits:
    """How long photos wait until they are taken.

    Args:
        moments: when they arrive, in seconds, in order.
        service_s: measured times of reading a photo in seconds, of which each gets one at random.
        workers: the number of workers.
        seed: of the random numbers.
    """
    rng = np.random.default_rng(seed)
    needs = rng.choice(np.asarray(service_s), size=moments.size)
    free = [0.0] * workers
    waited = np.empty(moments.size)
    for number, (moment, need) in enumerate(zip(moments, needs, strict=True)):
        begun = max(moment, free[0])
        heapq.heapreplace(free, begun + need)
        waited[number] = begun - moment
    median, p95 = np.percentile(waited, (50, 95))
    return Waits(workers, float(median), float(p95), float(waited.max()))


def needed(moments: np.ndarray, service_s: Sequence[float]) -> Waits:
    """The smallest number of workers with which photos do not wait too long."""
    load = moments.size * float(np.mean(service_s)) / (HOURS * 3600)
    workers = max(1, int(load))
    while (found := waits(moments, service_s, workers)).p95 > MOST_WAIT_S:
        workers += 1
    return found
