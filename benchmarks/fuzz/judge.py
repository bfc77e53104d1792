"""Reads one input and says whether only the declared error came back, soon and in little memory."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from traceback import extract_tb
from types import TracebackType
from typing import Final

ROOT: Final = Path(__file__).parents[2]
"""The folder of the project, from which places in the code are told."""

MAX_PEAK_BYTES: Final = 256 * 1024 * 1024
"""Maximum number of bytes by which one input may raise the peak of the process's memory."""

_PEAK_UNIT: Final = 1 if sys.platform == "darwin" else 1024
"""Bytes in one unit of the peak that the system tells."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What reading one input may cost.

    Attributes:
        seconds: of processor time.
        peak_bytes: by which the process's peak of memory may rise.
    """

    seconds: float = 0.1
    peak_bytes: int = MAX_PEAK_BYTES


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with how an input was read.

    Attributes:
        kind: ``escaped``, ``slow`` or ``heavy``.
        place: the error and where it was raised, the same for inputs with the same cause.
        told: the figure, or the error's own words.
    """

    kind: str
    place: str
    told: str


class _Watch:
    """Notes what leaves its block other than the declared errors, and what the block cost."""

    def __init__(self, declared: tuple[type[Exception], ...]) -> None:
        self._declared = declared
        self.escaped: Fault | None = None
        self.seconds = 0.0
        self.rise = 0

    def __enter__(self) -> None:
        self.rise, self.seconds = -_peak(), -time.process_time()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self.seconds += time.process_time()
        self.rise += _peak()
        if error is None:
            return True
        if isinstance(error, self._declared):
            str(error)
            return True
        if not isinstance(error, Exception):
            return False
        self.escaped = Fault("escaped", f"{type(error).__name__} {_place(trace)}", str(error)[:200])
        return True


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _PEAK_UNIT


def _place(trace: TracebackType | None) -> str:
    """The last line of our own code through which an error came."""
    ours = [frame for frame in extract_tb(trace) if Path(frame.filename).is_relative_to(ROOT)]
    last = ours[-1]
    return f"{Path(last.filename).relative_to(ROOT)}:{last.lineno}"


def judge(
    read: Callable[[bytes], object],
    declared: tuple[type[Exception], ...],
    data: bytes,
    limits: Limits,
) -> Fault | None:
    """Read the input and return what is wrong with how it was read; None if nothing is.

    Args:
        read: what reads it.
        declared: the errors with which it may refuse the input; their words are made as well.
        data: the input.
        limits: what it may cost.
    """
    watch = _Watch(declared)
    with watch:
        read(data)
    if watch.escaped is not None:
        return watch.escaped
    if watch.seconds > limits.seconds:
        return Fault("slow", "slow", f"{watch.seconds * 1000:.0f} ms")
    if watch.rise > limits.peak_bytes:
        return Fault("heavy", "heavy", f"{watch.rise / 1024**2:.0f} MB")
    return None
