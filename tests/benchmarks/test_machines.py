"""The benchmark of an association's machines, in a short form."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.machines.simulation import arrivals, needed, waits


def test_a_queue_without_a_crowd_has_no_waits() -> None:
    moments = np.arange(0.0, 1000.0, 10.0)
    found = waits(moments, [1.0], workers=1)
    assert found.most == 0.0


def test_a_crowd_waits_as_long_as_it_must() -> None:
    found = waits(np.zeros(10), [2.0], workers=2)
    assert found.most == pytest.approx(8.0)
    assert found.median == pytest.approx(4.0)


def test_the_workers_that_are_needed_are_few_more_than_the_load() -> None:
    moments = arrivals(np.random.default_rng(0), clubs=40)
    load = moments.size * 1.0 / (2.5 * 3600)
    found = needed(moments, [1.0])
    assert load <= found.workers <= load + 4
    assert waits(moments, [1.0], found.workers).p95 <= 5.0
