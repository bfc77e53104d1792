"""The server is killed while entries are sent; the whole run is benchmarks/durability.py."""

from __future__ import annotations

from benchmarks.durability import endure


def test_a_killed_server_keeps_every_entry_it_acknowledged() -> None:
    outcome = endure(entries=12, kills=1, seed=1)
    assert outcome.acknowledged >= 12
    assert (outcome.lost, outcome.kills, outcome.sound) == (0, 1, True)
