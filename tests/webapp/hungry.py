"""Run as a program: reads photos that use up memory and time, each followed by one that does not.

The processes that read take themselves to be on the system that the command line names, as far as
their limits go.
"""

from __future__ import annotations

import ctypes
import multiprocessing.spawn  # noqa: F401
import sys
from typing import Any, Final

import psutil  # noqa: F401 - it chooses its system when it is loaded

from tests.webapp.photos.hostile_readers import hostile
from webapp.photos.workers import PhotoGivenUp, WorkerProcesses

MOST_MEMORY: Final = {"win32": 1536 * 1024**2, "darwin": 512 * 1024**2}
"""Bytes that a reading process may use: on Windows all that it asked for counts."""


class RefusingWindows:
    """A library of Windows whose functions all answer that they did nothing."""

    def __init__(self, _name: str) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        def refuse(*_words: object) -> int:
            return 0

        vars(self)[name] = refuse
        return refuse


def read_photos(system: str) -> None:
    """Read the photos and print what is told of those that are given up."""
    workers = WorkerProcesses(hostile, places=1, memory=MOST_MEMORY[system])
    try:
        for photo in (b"grow", b"spin"):
            try:
                workers.read("photo", photo, picture=False)
            except PhotoGivenUp as told:
                sys.stdout.write(f"{told}\n")
            workers.read("photo", b"good", picture=False)
    finally:
        workers.close()


if __name__ == "__main__":
    read_photos(sys.argv[1])
elif __name__ == "__mp_main__":
    vars(ctypes).update(WinDLL=RefusingWindows)
    sys.platform = sys.argv[1]
