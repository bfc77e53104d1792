"""The time of ``kongbox read`` of one photo from a cold start."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

COLD_START_LIMIT_S: Final = 2.0
"""Maximum wall-clock seconds from the start of the process to its end."""
_COMMAND: Final = "from webapp.cli.main import main; main()"
_ROUNDS: Final = 3
"""Number of processes started in turn."""


def cold_start(photo: Path) -> float:
    """Median wall-clock seconds of processes that read this photo, each started again.

    Raises:
        subprocess.CalledProcessError: the photo could not be read.
    """
    command = [sys.executable, "-c", _COMMAND, "read", "--json", str(photo)]
    seconds = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)
