"""What searches found is put right; a short one finds nothing, and a fault is told as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.fuzz.judge import Limits, judge
from benchmarks.fuzz.pictures import checksummed
from benchmarks.fuzz.search import CORPUS, checked, search_blind
from benchmarks.fuzz.targets import TARGETS
from vision.errors import PhotoRejected
from vision.photo.headers import read_header

FOUND = sorted(CORPUS.glob("*/*"))
FEW = {"archives": 2, "rulesets": 20, "lists": 6}
"""Inputs in a short search where each takes long."""


@pytest.mark.parametrize("path", FOUND, ids=[f"{path.parent.name}-{path.name}" for path in FOUND])
def test_what_was_found_is_put_right(path: Path) -> None:
    assert checked(TARGETS[path.parent.name], path.read_bytes()) is None


@pytest.mark.parametrize("name", TARGETS)
def test_good_inputs_are_read(name: str) -> None:
    for data in TARGETS[name].seeds():
        TARGETS[name].read(data)


@pytest.mark.parametrize("name", TARGETS)
def test_a_short_search_finds_nothing(name: str) -> None:
    record = search_blind(name, seconds=60, most=FEW.get(name, 60), seed=1)
    assert record.executions == FEW.get(name, 60)
    assert record.faults == {}


def _fails(data: bytes) -> None:
    raise KeyError(data)


def _refuses(data: bytes) -> None:
    read_header(data)


def _takes_long(data: bytes) -> int:
    return sum(range(3_000_000 + len(data)))


def test_a_search_tells_what_is_wrong() -> None:
    assert judge(_refuses, (PhotoRejected,), b"", Limits(seconds=60)) is None
    escaped = judge(_fails, (PhotoRejected,), b"", Limits())
    slow = judge(_takes_long, (), b"", Limits(seconds=0.001))
    heavy = judge(bytes, (), b"", Limits(seconds=60, peak_bytes=-1))
    assert escaped is not None
    assert slow is not None
    assert heavy is not None
    assert (escaped.kind, slow.kind, heavy.kind) == ("escaped", "slow", "heavy")
    assert "KeyError tests/benchmarks/fuzz/test_fuzz.py:" in escaped.place


def test_a_broken_png_has_sound_checksums_again() -> None:
    png = TARGETS["photos"].seeds()[2]
    wider = png[:19] + b"\x07" + png[20:]
    with pytest.raises(PhotoRejected):
        read_header(wider)
    assert read_header(checksummed(wider)).width != read_header(png).width
