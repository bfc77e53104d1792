"""What Windows is asked for by a process that reads photos."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from vision.runtime.job import ExtendedLimits, hold_in_job

MEMORY = 2**31


class Windows:
    """Stands in for ``kernel32`` and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: dict[str, tuple[Any, ...]] = {}

    def __getattr__(self, name: str) -> Any:
        def answer(*words: Any) -> int:
            self.asked[name] = words
            return 7

        vars(self)[name] = answer
        return answer


def test_the_structures_lie_as_in_windows_own_headers() -> None:
    """Sizes in bytes as a compiler for 64-bit Windows gives them."""
    basic = ExtendedLimits.BasicLimitInformation.size
    assert (ctypes.sizeof(ExtendedLimits), basic) == (144, 64)
    assert ExtendedLimits.ProcessMemoryLimit.offset == 112


def test_windows_limits_the_memory_of_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    windows = Windows()
    monkeypatch.setattr("ctypes.WinDLL", lambda _name: windows, raising=False)
    assert hold_in_job(MEMORY)
    job, number, limits, size = windows.asked["SetInformationJobObject"]
    found = ExtendedLimits.from_buffer(limits._obj)
    assert (number, size) == (9, 144)
    assert (found.ProcessMemoryLimit, found.BasicLimitInformation.LimitFlags) == (MEMORY, 0x100)
    asked_for, process = windows.asked["AssignProcessToJobObject"]
    assert (asked_for.value, process.value) == (job.value, 7)
