"""How long may be searched: processor time that all searches for one answer share.

A page, or anyone else who asks several questions, sets it once, and what is searched for meanwhile
uses it up. A search for which nobody has set it has a fresh one of its own.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from scorer.errors import DealError
from scorer.messages import say

MAX_SECONDS: Final = 4.0
"""Maximum processor time in seconds for one answer; the examples of all special hands of a shipped
ruleset take 0.5 where this was set."""

_ends: ContextVar[float | None] = ContextVar("ends", default=None)
"""The processor time of this thread at which the answer ends."""


class OutOfTime(DealError):
    """What was asked takes more searching than one answer may."""

    def __init__(self) -> None:
        super().__init__(None, "ruleset", say("takes_too_long"))


def allow(seconds: float | None = None) -> None:
    """Let what is searched for from now on, in this thread, take so much time in all.

    Args:
        seconds: of processor time; :data:`MAX_SECONDS` if None.
    """
    _ends.set(time.thread_time() + (MAX_SECONDS if seconds is None else seconds))


def forget() -> None:
    """Let each search in this thread have its own time again."""
    _ends.set(None)


@contextmanager
def limited() -> Iterator[None]:
    """Let a search take :data:`MAX_SECONDS`, unless it is part of an answer that has its time."""
    alone = _ends.get() is None
    if alone:
        allow()
    try:
        yield
    finally:
        if alone:
            forget()


def go_on() -> None:
    """Called at each step of a search.

    Raises:
        OutOfTime: the time of the answer is used up.
    """
    ends = _ends.get()
    if ends is not None and time.thread_time() >= ends:
        raise OutOfTime
