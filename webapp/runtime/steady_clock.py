"""A clock that never jumps, by which is decided what is too old.

Entries carry the date of the computer's own clock, which someone may set, or which a computer
without a battery finds out only once it is in a network. An age that is counted by it would be an
hour less, or a year more, from one moment to the next.
"""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Final


def seconds() -> float:
    """Seconds since a moment in the past, those included in which the computer slept.

    Python's own clock counts those on Windows, but neither on a Mac nor on Linux.
    """
    if sys.platform == "darwin":
        return time.clock_gettime(time.CLOCK_MONOTONIC_RAW)
    if sys.platform != "win32" and hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


_BEGUN: Final = (time.time(), seconds())
"""What both clocks said when the program was started, in seconds."""


@cache
def start_of_computer() -> str:
    """What tells this start of the computer from every other one; empty where no system says it.

    Linux does, which is what the computers without a battery for their clock run.
    """
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except (OSError, ValueError):
        return ""


def started_at() -> float:
    """When :func:`seconds` was 0, in seconds since 1970 as this program took the time to be.

    Two programs that ran since one start of the computer differ by what the clock was set between.
    """
    begun, at = _BEGUN
    return begun - at


def steady_now() -> datetime:
    """The moment in UTC as it would be if nobody had set the clock since the program's start."""
    begun, at = _BEGUN
    return datetime.fromtimestamp(begun + seconds() - at, UTC)
