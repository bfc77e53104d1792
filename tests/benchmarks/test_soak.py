"""The page is used for some seconds; the whole run is benchmarks/page/soak.py."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest

from benchmarks.page.soak import GROWS, Sample, growth, measure, passed

HELD = Sample(0, 0, 0, 120.0, 30, 75, 3, 600.0, 60, 20)


def test_the_server_and_its_workers_are_seen_while_the_page_is_used() -> None:
    told = measure(seconds=2, requests=40, photos=3, phones=2, every_s=0.5)
    assert (told["requests"], told["photos"]) == (40, 3)
    assert told["errors"] == 0, told["first_errors"]
    last = told["last"]
    assert isinstance(last, dict)
    assert last["server_mb"] > 50
    assert last["server_files"] > 5
    assert last["server_threads"] > 8
    assert last["workers"] >= 1
    assert last["workers_mb"] > 20


def test_what_is_only_taken_while_warming_up_is_no_growth() -> None:
    samples = [replace(HELD, server_mb=min(60.0 * number, 180.0)) for number in range(40)]
    assert passed(growth(samples))


@pytest.mark.parametrize("name", GROWS)
def test_each_figure_that_goes_on_growing_is_told(name: str) -> None:
    step = GROWS[name] / 18
    grown = growth([Sample(**asdict(HELD) | {name: 50 + step * now}) for now in range(40)])
    assert grown[name] > GROWS[name]
    assert not passed(grown)
