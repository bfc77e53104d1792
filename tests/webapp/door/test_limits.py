"""What one phone sent counts for a minute, whatever happens to this computer's clock."""

from __future__ import annotations

import time

import pytest
from flask import Flask
from werkzeug.exceptions import TooManyRequests

from webapp.door.limits import MINUTE_S, Counts


def refused(counts: Counts, kind: str = "entry") -> bool:
    try:
        counts.take(kind, 2)
    except TooManyRequests:
        return True
    return False


def test_what_was_sent_a_minute_ago_counts_no_longer(app: Flask) -> None:
    now = 0.0
    counts = Counts(clock=lambda: now)
    with app.test_request_context(environ_base={"REMOTE_ADDR": "192.168.1.20"}):
        assert [refused(counts) for _ in range(3)] == [False, False, True]
        assert not refused(counts, "photo"), "each kind has its own limit"
        now = MINUTE_S - 1
        assert refused(counts)
        now = MINUTE_S
        assert not refused(counts)
    with app.test_request_context(environ_base={"REMOTE_ADDR": "192.168.1.21"}):
        assert not refused(counts), "each phone has its own limit"


def test_a_clock_that_is_set_keeps_nobody_out(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = Counts()
    right = time.time()
    with app.test_request_context(environ_base={"REMOTE_ADDR": "192.168.1.20"}):
        monkeypatch.setattr(time, "time", lambda: right + 31_536_000)
        assert not refused(counts)
        monkeypatch.setattr(time, "time", lambda: right)
        assert [refused(counts), refused(counts)] == [False, True]
