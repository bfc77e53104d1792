"""The computers for which an installer is made, and the Python that each gets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from packaging.markers import Marker

from supply.bill import ROOT, Pinned, read_lock

VERSION: Final = "3.11.18"
"""The Python that the installers carry: of 3.11, under which the tests run."""

BUILD: Final = "20261110"
"""The day of its build by python-build-standalone. What ``sha256`` of a target says stands in the
table of the uv that ``requirements/lock.txt`` names; with another build take the three anew."""

RELEASES: Final = "https://github.com/astral-sh/python-build-standalone/releases/download"
"""Where the builds of Python lie."""


@dataclass(frozen=True, slots=True)
class Target:
    """A kind of computer.

    Attributes:
        name: of the installer's file.
        words: what people call it.
        wheels: the tag of the newest system whose wheels it takes.
        uv: the tag of uv's wheel for it.
        system: what ``sys_platform`` is there.
        machine: what ``platform_machine`` is there.
        triple: what the builds of Python call it.
        key: what uv calls the Python for it.
        sha256: of the archive with the build of Python.
        extras: locks of ``requirements/`` besides ``runtime``.
        if_wheels: whether there is no installer while something that is locked has no wheel for it.
    """

    name: str
    words: str
    wheels: str
    uv: str
    system: str
    machine: str
    triple: str
    key: str
    sha256: str
    extras: tuple[str, ...] = ()
    if_wheels: bool = False

    @property
    def python_file(self) -> str:
        """The name of the archive with the build of Python."""
        return f"cpython-{VERSION}+{BUILD}-{self.triple}-install_only_stripped.tar.gz"

    @property
    def python_address(self) -> str:
        """Where that archive lies."""
        return f"{RELEASES}/{BUILD}/{self.python_file.replace('+', '%2B')}"

    def wanted(self) -> list[Pinned]:
        """The locked packages that are installed there."""
        locks = [ROOT / "requirements" / f"{name}.txt" for name in ("runtime", *self.extras)]
        pins = [pin for path in locks for pin in read_lock(path.read_text("utf-8"))]
        return [pin for pin in pins if not pin.marker or self._holds(pin.marker)]

    def _holds(self, marker: str) -> bool:
        """Whether a marker of the lock holds there."""
        return Marker(marker).evaluate(
            {
                "sys_platform": self.system,
                "platform_system": {"win32": "Windows", "darwin": "Darwin"}[self.system],
                "os_name": "nt" if self.system == "win32" else "posix",
                "platform_machine": self.machine,
                "platform_python_implementation": "CPython",
                "implementation_name": "cpython",
                "python_version": VERSION.rpartition(".")[0],
                "python_full_version": VERSION,
            }
        )


WINDOWS: Final = Target(
    name="windows",
    words="Windows 10 and 11",
    wheels="win_amd64",
    uv="win_amd64",
    system="win32",
    machine="AMD64",
    triple="x86_64-pc-windows-msvc",
    key=f"cpython-{VERSION}-windows-x86_64-none",
    sha256="f31751f4a8483f5ac7cd77ad83f8dfb80d9f2a7245bff1585e27516c777fb46f",
    extras=("windows",),
)
MAC: Final = Target(
    name="mac",
    words="Macs with Apple's processors",
    wheels="macosx_14_0_arm64",
    uv="macosx_11_0_arm64",
    system="darwin",
    machine="arm64",
    triple="aarch64-apple-darwin",
    key=f"cpython-{VERSION}-macos-aarch64-none",
    sha256="3afb0567b2a2b30b3a7341bd143cb4e8a69f3d8e95d4641218eaa45f0fabbd07",
)
INTEL_MAC: Final = Target(
    name="intel-mac",
    words="Macs with Intel's processors",
    wheels="macosx_14_0_x86_64",
    uv="macosx_10_12_x86_64",
    system="darwin",
    machine="x86_64",
    triple="x86_64-apple-darwin",
    key=f"cpython-{VERSION}-macos-x86_64-none",
    sha256="c2e4b51e535ead2e526b8974909a1b1e00fbc2ebe2281087b9b8b14dad0cad5d",
    if_wheels=True,
)
TARGETS: Final = (WINDOWS, MAC, INTEL_MAC)
