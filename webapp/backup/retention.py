"""Which copies are kept: many of the last hours, fewer of the days and weeks before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final


@dataclass(frozen=True, slots=True)
class Rung:
    """For how long one copy is kept of each stretch of time.

    Attributes:
        every: the length of a stretch, of which the last copy is kept.
        during: how old a copy may be.
    """

    every: timedelta
    during: timedelta


LADDER: Final = (
    Rung(timedelta(minutes=15), timedelta(hours=6)),
    Rung(timedelta(hours=1), timedelta(days=2)),
    Rung(timedelta(days=1), timedelta(days=30)),
    Rung(timedelta(weeks=1), timedelta(weeks=52)),
)
"""The copies that are kept: an evening by quarters of an hour, then by hours, days and weeks."""

MAX_BYTES: Final = 4 * 1024**3
"""Maximum size in bytes of all copies together; above it the oldest go first."""

LEAST_KEPT: Final = 4
"""Number of the newest copies that are kept however large they are, and whatever the clock says."""


@dataclass(frozen=True, slots=True, order=True)
class Copy:
    """A copy of the database.

    Attributes:
        at: the moment in UTC at which it was begun.
        path: its file.
        size: its size in bytes.
    """

    at: datetime
    path: Path
    size: int


def superfluous(copies: Iterable[Copy]) -> list[Copy]:
    """The copies that need not be kept, by their ages when the newest was made."""
    newest_first = sorted(copies, reverse=True)
    if not newest_first:
        return []
    now = newest_first[0].at
    kept = set(newest_first[:LEAST_KEPT])
    for rung in LADDER:
        stretches: dict[int, Copy] = {}
        for copy in newest_first:
            if now - copy.at <= rung.during:
                stretches.setdefault(int(copy.at.timestamp() // rung.every.total_seconds()), copy)
        kept.update(stretches.values())
    size = 0
    for place, copy in enumerate(newest_first):
        size += copy.size if copy in kept else 0
        if size > MAX_BYTES and place >= LEAST_KEPT:
            kept.discard(copy)
    return [copy for copy in newest_first if copy not in kept]
