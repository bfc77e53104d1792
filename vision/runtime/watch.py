"""A thread that ends its own process once that has used up what it may, where no system does."""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import Final

import psutil

LOOK_S: Final = 0.05
"""Seconds from one look to the next; a process can fill about 100 MB meanwhile."""

USED_UP: Final = 75
"""The exit status of a process that was ended by its watch."""


class Watch(threading.Thread):
    """Looks at this process again and again; one that holds Python's lock is ended after that.

    Args:
        memory: the most memory in bytes that the process may use.
    """

    def __init__(self, memory: int) -> None:
        super().__init__(name="watch", daemon=True)
        self.processor_until = float("inf")
        """Processor seconds since the start of the process at which its time is used up."""
        self._memory = memory

    def run(self) -> None:
        """Look until the process ends."""
        process = psutil.Process()
        while used(process) <= self._memory and time.process_time() <= self.processor_until:
            time.sleep(LOOK_S)
        os._exit(USED_UP)


def used(process: psutil.Process) -> int:
    """The bytes that Windows has promised to the process; on a Mac, those that it has in use.

    What a Mac lays out for a process is hundreds of gigabytes, whatever that does.
    """
    memory = process.memory_info()
    return int(memory.vms if sys.platform == "win32" else memory.rss)
