"""Tells for each system and Python whether all that is locked comes as wheels.

Run as ``python -m supply.matrix`` or ``make matrix``. It asks the package index which files there
are, with the tool that writes the locks, and downloads none of them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from packaging.markers import Marker

from supply.bill import ROOT, Pinned, read_lock

LOCK: Final = ROOT / "requirements" / "runtime.txt"
"""What is installed wherever Kongbox runs."""

PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
"""The versions of Python that are asked for."""

OLDEST_MACOS: Final = "14.0"
"""The oldest version of macOS for which there is a wheel of everything."""


@dataclass(frozen=True, slots=True)
class System:
    """A kind of computer.

    Attributes:
        name: what people call it.
        platform: what the resolver calls it.
        system: what Python calls its operating system, ``sys.platform``.
        machine: what Python calls its processor, ``platform.machine()``.
        newest: the newest Python for which all wheels are promised.
    """

    name: str
    platform: str
    system: str
    machine: str
    newest: str = PYTHONS[-1]

    def wants(self, pinned: Pinned, python: str) -> bool:
        """Whether a locked package is installed here."""
        if not pinned.marker:
            return True
        here = {
            "sys_platform": self.system,
            "platform_system": {"win32": "Windows", "darwin": "Darwin"}.get(self.system, "Linux"),
            "os_name": "nt" if self.system == "win32" else "posix",
            "platform_machine": self.machine,
            "python_version": python,
            "python_full_version": f"{python}.0",
            "implementation_name": "cpython",
            "platform_python_implementation": "CPython",
        }
        return Marker(pinned.marker).evaluate(here)

    def promised(self, python: str) -> bool:
        """Whether Kongbox is promised to install here with this Python."""
        return PYTHONS.index(python) <= PYTHONS.index(self.newest)


SYSTEMS: Final = (
    System("Windows", "x86_64-pc-windows-msvc", "win32", "AMD64"),
    System("macOS 14, Apple", "aarch64-apple-darwin", "darwin", "arm64"),
    System("macOS 14, Intel", "x86_64-apple-darwin", "darwin", "x86_64", newest="3.13"),
    System("Linux, x86-64", "x86_64-manylinux_2_28", "linux", "x86_64"),
    System("Linux, 64-bit ARM", "aarch64-manylinux_2_28", "linux", "aarch64"),
)
"""Where Kongbox installs; on Linux with version 2.28 of the GNU C library or newer."""


def lacking(system: System, python: str) -> str:
    """What keeps the lock from being installed from wheels; empty if nothing does."""
    with tempfile.TemporaryDirectory() as folder:
        asked = subprocess.run(  # noqa: S603 - our own tool
            [
                str(Path(sysconfig.get_path("scripts")) / "uv"),
                *("pip", "install", "--dry-run", "--quiet", "--target", folder),
                *("--only-binary", ":all:", "--no-deps", "--require-hashes"),
                *("--python-platform", system.platform, "--python-version", python),
                *("--requirement", str(LOCK)),
            ],
            env={**os.environ, "MACOSX_DEPLOYMENT_TARGET": OLDEST_MACOS},
            capture_output=True,
            check=False,
            encoding="utf-8",
        )
    return asked.stderr.strip() if asked.returncode else ""


def table(rows: Iterable[Sequence[str]]) -> str:
    """The rows with their cells below each other."""
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def main() -> int:
    """Print the number of wheels of each system and Python, or that some are lacking."""
    lock = read_lock(LOCK.read_text("utf-8"))
    rows, broken = [["", *PYTHONS]], []
    for system in SYSTEMS:
        row = [system.name]
        for python in PYTHONS:
            reason = lacking(system, python)
            wheels = sum(system.wants(pinned, python) for pinned in lock)
            row.append("lacking" if reason else f"{wheels} wheels")
            if reason and system.promised(python):
                broken.append(f"\n{system.name}, Python {python}: {reason}\n")
        rows.append(row)
    sys.stdout.write(f"{table(rows)}\n{''.join(broken)}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
