"""Strangers guess and send at a real server; the whole run is benchmarks/page/strangers.py."""

from __future__ import annotations

import pytest

from benchmarks.page import strangers


def test_strangers_cost_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strangers, "GUESSES", 9)
    monkeypatch.setattr(strangers, "NAMES", 9)
    monkeypatch.setattr(strangers, "BODIES", 2)
    monkeypatch.setattr(strangers, "BODY_BYTES", 8 * 1024**2)
    monkeypatch.setattr(strangers, "WAYS", {"slow heads": strangers.WAYS["slow heads"]})
    monkeypatch.setattr(strangers, "HELD", 700)
    monkeypatch.setattr(strangers, "HELD_S", 8.0)
    seen = strangers.measure()
    assert seen["bodies"]["statuses"] == {"413": 2}
    assert seen["bodies"]["spooled_most_mb"] == 0
    assert set(seen["one name"]["statuses"]) <= {"303", "401", "429"}
    assert seen["one name"]["statuses"].get("401", 0) <= 5
    assert seen["slow heads"]["attempts"] >= 700
    assert seen["slow heads"]["answers"]["most_ms"] <= 2500
    for figures in seen.values():
        grown = figures["memory_most_mb"] - figures["memory_before_mb"]
        assert grown <= strangers.MOST_MEMORY_MB
