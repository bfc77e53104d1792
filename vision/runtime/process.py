"""Limits of the operating system for a process that reads photos for others.

Whatever differs between systems stands here. A process may be ended by its limits; whoever started
it must be ready to start another.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_limited: list[bool] = []
"""Holds something in a process that was limited, and may be ended."""


def limit_process(memory: int, niceness: int) -> None:
    """Limit this process for good, as far as the system lets it be limited.

    Args:
        memory: the most address space in bytes; Windows has no such limit, and a Mac refuses one
            below what it has laid out for any process.
        niceness: by how much it stands back behind others for the processor.
    """
    _limited.append(True)
    if sys.platform != "win32":
        import resource

        if sys.platform == "linux":
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.nice(niceness)


@contextmanager
def processor_time(seconds: float) -> Iterator[None]:
    """End the process, if it was limited, should what is done inside need more processor time.

    The system ends it wherever it is, also deep in a decoder. A process that was not limited goes
    on for as long as it takes.
    """
    if not _limited or sys.platform == "win32":
        yield
        return
    import signal

    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
