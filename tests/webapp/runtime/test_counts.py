"""What happened lately counts for a while, whatever happens to this computer's clock."""

from __future__ import annotations

import time

import pytest

from webapp.runtime.counts import Counts


def refused(counts: Counts, *keys: str) -> bool:
    return counts.take(dict.fromkeys(keys or ("one",), 2)) is None


def test_what_happened_long_ago_counts_no_longer() -> None:
    now = 0.0
    counts = Counts(60.0, clock=lambda: now)
    assert [refused(counts) for _ in range(3)] == [False, False, True]
    assert not refused(counts, "another"), "each key has its own limit"
    now = 59.0
    assert refused(counts)
    now = 60.0
    assert not refused(counts)


def test_a_clock_that_is_set_keeps_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = Counts(60.0)
    right = time.time()
    monkeypatch.setattr(time, "time", lambda: right + 31_536_000)
    assert not refused(counts)
    monkeypatch.setattr(time, "time", lambda: right)
    assert [refused(counts), refused(counts)] == [False, True]


def test_what_is_given_back_or_forgiven_counts_under_none_of_its_keys() -> None:
    counts = Counts(60.0)
    event = counts.take({"name": 1, "phone": 1})
    assert event is not None
    assert refused(counts, "phone", "other") is False
    assert counts.take({"phone": 2}) is None
    counts.give_back(event)
    assert counts.take({"name": 1}) is not None
    counts.forgive("phone")
    assert counts.take({"phone": 1, "other": 1}) is not None


def test_what_was_too_much_does_not_count() -> None:
    counts = Counts(60.0)
    assert counts.take({"one": 1}) is not None
    for _ in range(3):
        assert counts.take({"one": 1, "two": 1}) is None
    assert counts.take({"two": 1}) is not None
