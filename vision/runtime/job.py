"""A limit on the memory of this process that Windows itself keeps: a job object.

Microsoft describes the functions and structures under "Job Objects" and in ``winnt.h``.
"""

from __future__ import annotations

import ctypes
from typing import Any, Final

_EXTENDED_LIMITS: Final = 9
"""The number of ``JobObjectExtendedLimitInformation``."""

_PROCESS_MEMORY: Final = 0x100
"""The flag of ``JOB_OBJECT_LIMIT_PROCESS_MEMORY``."""

_BELOW_NORMAL: Final = 0x4000
"""``BELOW_NORMAL_PRIORITY_CLASS``: it stands back behind ordinary programs for the processor."""


class _BasicLimits(ctypes.Structure):
    _fields_ = (
        ("PerProcessUserTimeLimit", ctypes.c_int64),
        ("PerJobUserTimeLimit", ctypes.c_int64),
        ("LimitFlags", ctypes.c_uint32),
        ("MinimumWorkingSetSize", ctypes.c_size_t),
        ("MaximumWorkingSetSize", ctypes.c_size_t),
        ("ActiveProcessLimit", ctypes.c_uint32),
        ("Affinity", ctypes.c_size_t),
        ("PriorityClass", ctypes.c_uint32),
        ("SchedulingClass", ctypes.c_uint32),
    )


class ExtendedLimits(ctypes.Structure):
    """``JOBOBJECT_EXTENDED_LIMIT_INFORMATION``."""

    _fields_ = (
        ("BasicLimitInformation", _BasicLimits),
        ("IoInfo", ctypes.c_uint64 * 6),
        ("ProcessMemoryLimit", ctypes.c_size_t),
        ("JobMemoryLimit", ctypes.c_size_t),
        ("PeakProcessMemoryUsed", ctypes.c_size_t),
        ("PeakJobMemoryUsed", ctypes.c_size_t),
    )


def hold_in_job(memory: int) -> bool:
    """Let this process have so many bytes of memory and no more, and whether Windows did that.

    What asks for more gets none, as on Linux. The process also stands back for the processor. The
    job lasts as long as the process, whose handle to it stays open.
    """
    windows: Any = ctypes.WinDLL("kernel32")  # type: ignore[attr-defined,unused-ignore]
    windows.CreateJobObjectW.restype = ctypes.c_void_p
    windows.GetCurrentProcess.restype = ctypes.c_void_p
    this_process = ctypes.c_void_p(windows.GetCurrentProcess())
    windows.SetPriorityClass(this_process, _BELOW_NORMAL)
    job = ctypes.c_void_p(windows.CreateJobObjectW(None, None))
    limits = ExtendedLimits(ProcessMemoryLimit=memory)
    limits.BasicLimitInformation.LimitFlags = _PROCESS_MEMORY
    size = ctypes.sizeof(limits)
    return bool(
        windows.SetInformationJobObject(job, _EXTENDED_LIMITS, ctypes.byref(limits), size)
        and windows.AssignProcessToJobObject(job, this_process)
    )
