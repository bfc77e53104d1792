"""The server is killed while entries are sent; the whole run is benchmarks/page/durability.py."""

from __future__ import annotations

from benchmarks.page.durability import KINDS, endure


def test_a_killed_server_keeps_every_entry_it_acknowledged() -> None:
    outcome = endure(entries=18, kills=2, seed=1)
    assert outcome.entries >= 18
    assert all(outcome.acknowledged[kind] > 0 for kind in KINDS)
    assert (outcome.lost, outcome.doubled, outcome.kills, outcome.sound) == (0, 0, 2, True)
