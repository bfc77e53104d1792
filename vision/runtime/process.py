"""Limits of the operating system for a process that reads photos for others.

Whatever differs between systems is here and in what is imported from here. A process may be
ended by its limits; the program that started it must be ready to start another.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.runtime.watch import Watch

_limited: list[bool] = []
"""Holds something in a process that was limited, and may be ended."""

_watches: list[Watch] = []
"""Holds the watch of a process that has one."""


def limit_process(memory: int, niceness: int) -> None:
    """Limit this process for good.

    Linux keeps the limit on memory by itself, and so does Windows, where a watch keeps it as well.
    A Mac refuses one below what it has laid out for any process, so there is only the watch.

    Args:
        memory: the most memory in bytes; on Linux of the address space.
        niceness: by how much it stands back behind others for the processor; Windows knows no
            degrees of it.
    """
    _limited.append(True)
    if sys.platform == "win32":
        from vision.runtime.job import hold_in_job

        hold_in_job(memory)
    else:
        import resource

        if sys.platform == "linux":
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.nice(niceness)
    if sys.platform != "linux":
        from vision.runtime.watch import Watch

        _watches.append(Watch(memory))
        _watches[-1].start()


@contextmanager
def processor_time(seconds: float) -> Iterator[None]:
    """End the process, if it was limited, should what is done inside need more processor time.

    The system or the watch ends it wherever it is, also deep in a decoder. A process that was not
    limited goes on for as long as it takes.
    """
    if not _limited:
        yield
        return
    if sys.platform == "win32":
        watch = _watches[-1]
        watch.processor_until = time.process_time() + seconds
        try:
            yield
        finally:
            watch.processor_until = float("inf")
        return
    import signal

    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
