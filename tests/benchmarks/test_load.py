"""A few phones use the page while photos are read; the whole run is benchmarks/page/load.py."""

from __future__ import annotations

import pytest

from benchmarks.page import load


def test_phones_at_tables_are_served_and_told_without_errors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(load, "ARRIVE_S", 0.5)
    monkeypatch.setattr(load, "ENTRY_S", 0.4)
    monkeypatch.setattr(load, "LOOK_S", (0.1, 0.3))
    monkeypatch.setattr(load, "BURST_PAUSE_S", 0.1)
    told = load.measure(phones=4, tables=2, seconds=2.0)
    assert told["errors"] == 0, told["first_errors"]
    for what in ("pages", "entries", "phones_told", "burst"):
        assert told[what]["count"] > 1, told
