"""The server is killed while entries are sent; the whole run is benchmarks/page/durability.py."""

from __future__ import annotations

from collections import Counter

from benchmarks.page.durability import endure
from benchmarks.page.phones import KINDS, Entry, Phone, lost_and_doubled


def test_a_killed_server_keeps_every_entry_it_acknowledged() -> None:
    outcome = endure(kills=2, phones=2, seed=1)
    assert all(outcome.acknowledged[kind] >= 2 for kind in KINDS)
    assert (outcome.lost, outcome.doubled, outcome.kills, outcome.sound) == (0, 0, 2, True)
    assert "each as it was entered" in outcome.checked
    assert outcome.passed


def test_what_is_missing_is_lost_and_what_is_there_twice_is_doubled() -> None:
    phone = Phone("Phone 0", [Entry("1", "tile", "deal"), Entry("2", "dispute", "deal")])
    phone.unanswered = Entry("3", "drawn", "table")
    right = Counter({("tile", "deal"): 1, ("dispute", "2"): 1})
    assert lost_and_doubled([phone], right) == (0, 0)
    assert lost_and_doubled([phone], right + Counter({("hand", "table"): 1})) == (0, 0)
    assert lost_and_doubled([phone], right + Counter({("hand", "table"): 2})) == (0, 1)
    assert lost_and_doubled([phone], right - Counter({("tile", "deal"): 1})) == (1, 0)
    assert lost_and_doubled([phone], right + Counter({("dispute", "2"): 1})) == (0, 1)
